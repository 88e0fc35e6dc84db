"""Improvement: it climbs, hedges where that pays, respects the task, draws its own models."""

import numpy as np
import pytest

import tailsafe as ts
from tailsafe.candidate import Candidate
from tailsafe.domains import chain, ring
from tailsafe.engine import Engine
from tailsafe.errors import InvalidData
from tailsafe.keys import Stream, stream_key
from tailsafe.policy import Policy
from tailsafe.risk import CVaR, Mean, VaR
from tailsafe.solvers.ascent import by_mirror_steps, by_switches, softened
from tailsafe.solvers.crossing import best_child
from tailsafe.solvers.improve import Improvement
from tailsafe.solvers.sampled_objective import Objective, drawn

SMALL = Improvement(sizes=(60, 120), starts=2, children=6, max_steps=10)
KEY = stream_key(0, Stream.IMPROVEMENT)


def problem_of(domain, episodes=6, seed=0):
    task = domain.task
    batch = ts.simulate(domain, ts.Policy.uniform(task.n_states, task.n_actions), episodes, 8, seed)
    return ts.Problem(task, batch, ts.Dirichlet.from_batch(batch))


def starts(problem):
    return tuple(
        Candidate(policy)
        for policy in (
            Policy.uniform(problem.n_states, problem.n_actions, problem.task.admissible),
            Policy.from_actions(np.zeros(problem.n_states, int), problem.n_actions),
        )
    )


def objective(problem, risk, first, last):
    return Objective(problem, risk, drawn(problem, (first, last), KEY, Engine()), Engine())


def rock_or_paper():
    """One choice, two equally likely models: what pays in one does not in the other."""
    models = np.zeros((2, 2, 2, 2))
    models[:, 1, :, 1] = 1.0
    models[0, 0] = [[1, 0], [0, 1]]
    models[1, 0] = [[0, 1], [1, 0]]
    reward = np.zeros((2, 2, 2))
    reward[0, :, 0] = 1.0
    batch = ts.Batch([0], [0], [0], [1.0], [0], [False], 2, 2)
    return ts.Problem(ts.Task(reward, [1, 0], 0.0), batch, ts.Samples(models))


def test_switches_end_where_no_single_switch_is_better():
    problem = problem_of(ring())
    judge = objective(problem, CVaR(0.25), 0, 100)
    peak = by_switches(judge, Policy.from_actions(np.zeros(5, int), 3), 50)
    neighbours = []
    for s in range(5):
        for a in range(3):
            actions = peak.policy.actions.copy()
            actions[s] = a
            neighbours.append(Policy.from_actions(actions, 3))
    values = judge(neighbours)
    assert values.max() <= peak.value + 1e-9
    assert np.allclose(judge.switch_values(peak.policy).ravel(), values, rtol=0, atol=1e-10)


@pytest.mark.parametrize("risk", [CVaR(0.25), VaR(0.25), Mean()], ids=repr)
def test_every_step_rises(risk):
    problem = problem_of(chain())
    judge = objective(problem, risk, 0, 100)
    worst = Policy.from_actions(np.ones(5, int), 2)
    climbs = [(by_switches, worst), (by_mirror_steps, softened(problem, worst, 0.5))]
    for climb, start in climbs:
        values = [climb(judge, start, steps).value for steps in range(5)]
        assert values[0] == judge([start])[0]
        assert np.all(np.diff(values) >= 0.0)
        assert values[-1] > values[0]


def test_where_models_disagree_a_stochastic_policy_hedges():
    problem = rock_or_paper()
    given = [Candidate(Policy.from_actions([0, 0], 2))]
    fixed, mixed = SMALL.improve(problem, given, CVaR(0.5))
    assert fixed.policy.deterministic
    assert mixed.policy.probs[0] == pytest.approx([0.5, 0.5], abs=1e-3)


def test_the_best_deterministic_policy_of_a_small_problem_is_found():
    problem = problem_of(chain())
    judge = objective(problem, CVaR(0.25), 60, 180)
    every = [Policy.from_actions(np.array(bits), 2) for bits in np.ndindex(2, 2, 2, 2, 2)]
    found = SMALL.improve(problem, starts(problem), CVaR(0.25))[0].policy
    assert judge([found])[0] == pytest.approx(judge(every).max(), abs=1e-9)


def test_on_fresh_models_it_is_not_worse_than_where_it_started():
    problem = problem_of(ring())
    given = starts(problem)
    found = SMALL.improve(problem, given, CVaR(0.25))
    policies = [c.policy for c in (*given, *found)]
    U = np.sort(ts.performances(problem.posterior, problem.task, policies, 0, 2_000, 9), axis=1)
    before, after = np.split([CVaR(0.25).value(u) for u in U], [len(given)])
    assert after.max() > before.max()


@pytest.mark.parametrize("discount", [0.9, 1.0])
def test_it_respects_the_task_and_ends_at_discount_1(discount):
    rng = np.random.default_rng(0)
    allowed = np.ones((4, 3), bool)
    allowed[0, 0] = False
    reward = rng.normal(size=(4, 3, 4)) - 2.0
    task = ts.Task(reward, [1, 0, 0, 0], discount, terminal=[3], admissible=allowed)
    table = ts.Table.from_rows(4, 3, [[0, 1], [1, 3], [2, 3], [0], *[[0, 1, 2, 3]] * 5, *[[3]] * 3])
    batch = ts.Batch([0], [0], [1], [0.0], [3], [True], 4, 3)
    problem = ts.Problem(task, batch, ts.Dirichlet.from_batch(batch, support=table))
    given = [Candidate(Policy.uniform(4, 3, allowed))]
    proposal = ts.propose(problem, [ts.solvers.Uniform(), SMALL])
    assert proposal.skipped == ()
    for candidate in SMALL.improve(problem, given, CVaR(0.25)):
        assert (candidate.policy.probs[:3][~allowed[:3]] == 0.0).all()
        u = ts.performances(problem.posterior, task, [candidate.policy], 0, 10, 0)
        assert np.isfinite(u).all()


def test_models_come_from_the_stream_of_improvements(monkeypatch):
    asked = []

    def spied(problem, span, key, engine):
        asked.append((span, key))
        return drawn(problem, span, key, engine)

    monkeypatch.setattr("tailsafe.solvers.improve.drawn", spied)
    problem = problem_of(chain())
    SMALL.improve(problem, starts(problem), CVaR(0.25), seed=7)
    key = ts.Key(7, ts.Stream.IMPROVEMENT)
    assert asked == [((0, 60), key), ((60, 180), key)]


def test_fewer_climb_on_each_later_sample_and_the_best_child_climbs_too(monkeypatch):
    child, climbs = Policy.from_actions([0, 1, 0, 1, 0], 2), []

    def spied(objective, start, max_steps):
        climbs.append((len(objective.sample), start))
        return by_switches(objective, start, max_steps)

    monkeypatch.setattr("tailsafe.solvers.improve.by_switches", spied)
    monkeypatch.setattr("tailsafe.solvers.improve.best_child", lambda *_: child)
    problem = problem_of(chain())
    given = [Candidate(Policy.from_actions([a, b, 1, 1, 1], 2)) for a, b in np.ndindex(2, 2)]
    SMALL.improve(problem, given, CVaR(0.25))
    assert [size for size, _ in climbs] == [60] * 3 + [120] * 2
    assert climbs[2] == (60, child)
    assert climbs[4] == (120, child)


def test_a_good_stochastic_candidate_climbs_by_mirror_steps_itself(monkeypatch):
    climbs = []

    def spied(objective, start, max_steps):
        climbs.append(start)
        return by_mirror_steps(objective, start, max_steps)

    monkeypatch.setattr("tailsafe.solvers.improve.by_mirror_steps", spied)
    mixed = Policy([[0.5, 0.5], [1.0, 0.0]])
    given = [Candidate(mixed), Candidate(Policy.from_actions([0, 0], 2))]
    SMALL.improve(rock_or_paper(), given, CVaR(0.5))
    assert mixed in climbs


def test_where_a_climb_started_stays_in_the_pool_while_there_is_room():
    problem, start = problem_of(chain()), Policy.from_actions(np.ones(5, int), 2)
    judge, hasty = objective(problem, CVaR(0.25), 0, 60), Improvement((60,), 4, 1, 1)
    pool = hasty._climbed(judge, [start], 4, np.random.default_rng(0))
    assert start in pool
    assert judge(pool)[0] > judge([start])[0]


def test_crossings_are_made_at_random_by_the_seed(monkeypatch):
    states = []

    def spied(judge, parents, children, rng):
        states.append(rng.bit_generator.state["state"]["state"])
        return best_child(judge, parents, children, rng)

    monkeypatch.setattr("tailsafe.solvers.improve.best_child", spied)
    problem = problem_of(chain())
    for seed in (1, 1, 2):
        SMALL.improve(problem, starts(problem), CVaR(0.25), seed=seed)
    assert states[:2] == states[2:4]
    assert len(set(states)) == 4


def test_nobody_climbs_on_the_models_that_have_the_last_word(monkeypatch):
    asked = []

    def spied(posterior, task, policies, first, last, key, engine):
        asked.append((first, last, key))
        return ts.performances(posterior, task, policies, first, last, key, engine)

    monkeypatch.setattr("tailsafe.solvers.improve.performances", spied)
    problem = problem_of(chain())
    SMALL.improve(problem, starts(problem), CVaR(0.25), seed=7)
    assert asked == [(180, 10_180, ts.Key(7, ts.Stream.IMPROVEMENT))]


def test_what_was_good_already_is_kept():
    # The best of all deterministic policies on the judges' models cannot be beaten there.
    problem = problem_of(ring())
    every = [Policy.from_actions(np.array(a), 3) for a in np.ndindex(3, 3, 3, 3, 3)]
    judges = (180, 10_180, KEY)
    U = ts.performances(problem.posterior, problem.task, every, *judges)
    values = [CVaR(0.25).value(np.sort(u)) for u in U]
    best = every[int(np.argmax(values))]
    hasty = Improvement(sizes=(60, 120), starts=1, children=1, max_steps=1)
    found = hasty.improve(problem, [Candidate(best), *starts(problem)], CVaR(0.25))
    assert found[0].policy == best


def test_the_result_depends_on_the_seed_only_not_on_the_workers():
    problem = problem_of(ring())
    given = starts(problem)
    one, two = (SMALL.improve(problem, given, VaR(0.25), 5, Engine(workers=w)) for w in (1, 3))
    assert one == two


def test_without_candidates_there_is_nothing_to_improve():
    assert SMALL.improve(problem_of(chain()), (), CVaR(0.25)) == ()


def test_parameters_are_checked():
    with pytest.raises(InvalidData, match="at least one sample"):
        Improvement(sizes=())
    with pytest.raises(InvalidData, match="size of a sample must be a positive whole number"):
        Improvement(sizes=(0,))
    with pytest.raises(InvalidData, match="starts must be a positive whole number"):
        Improvement(starts=0)
