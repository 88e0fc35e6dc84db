"""What every solver must do; one that is added to ``tailsafe.solvers`` needs an example here."""

from dataclasses import fields, replace

import numpy as np
import pytest

import tailsafe as ts
from tailsafe import solvers
from tailsafe.engine import Engine
from tailsafe.errors import NotSupported
from tailsafe.termination import check_terminates

EXAMPLES = {
    "AdvantageousSoftSPIBB": [solvers.AdvantageousSoftSPIBB(1.0)],
    "ApproximateSoftSPIBB": [solvers.ApproximateSoftSPIBB(1.0)],
    "BCQ": [solvers.BCQ(0.3)],
    "BCR": [solvers.BCR(0.75, 0.5, 50)],
    "BCRLocal": [solvers.BCRLocal(0.75, 0.5, 50)],
    "BOPAH": [solvers.BOPAH(max_steps=100)],
    "BRAC": [solvers.BRAC(0.01)],
    "Behaviour": [solvers.Behaviour(), solvers.Behaviour(1.0)],
    "BernsteinVILCB": [solvers.BernsteinVILCB(0.1, scale=0.05)],
    "CQL": [solvers.CQL(0.1)],
    "DUIPI": [solvers.DUIPI(0.5, max_steps=300)],
    "FrequentistDUIPI": [solvers.FrequentistDUIPI(0.5, max_steps=300)],
    "Given": [solvers.Given(lambda state: 1 + state % 2)],
    "LowerSPIBB": [solvers.LowerSPIBB(3)],
    "LowerSoftSPIBB": [solvers.LowerSoftSPIBB(1.0)],
    "MBIE": [solvers.MBIE(0.1)],
    "MOPO": [solvers.MOPO(0.1, 50)],
    "MOReL": [solvers.MOReL(0.9, n_models=50)],
    "MultiModel": [solvers.MultiModel(30)],
    "MultiModelCVaR": [solvers.MultiModelCVaR(0.25, 30, 5)],
    "MultiModelMean": [solvers.MultiModelMean(30)],
    "NORBU": [solvers.NORBU(0.25, 0.5, 50)],
    "NORBUVaR": [solvers.NORBUVaR(0.25, 0.5, 50)],
    "Nominal": [solvers.Nominal(), solvers.Nominal(0.5)],
    "Percentile": [solvers.Percentile(0.25)],
    "PosteriorMean": [solvers.PosteriorMean()],
    "RMin": [solvers.RMin(3)],
    "RSVF": [solvers.RSVF(0.75, 50)],
    "RaMDP": [solvers.RaMDP(0.1)],
    "RobustChi2": [solvers.RobustChi2()],
    "RobustKL": [solvers.RobustKL()],
    "RobustL1": [solvers.RobustL1(0.5)],
    "RobustLinf": [solvers.RobustLinf()],
    "RobustWeightedL1": [solvers.RobustWeightedL1(0.5, 50)],
    "SPIBB": [solvers.SPIBB(3), solvers.SPIBB(3, strict=True)],
    "SRectangularL1": [solvers.SRectangularL1(0.75, 0.1, 50)],
    "SampledModel": [solvers.SampledModel(3)],
    "SoftSPIBB": [solvers.SoftSPIBB(1.0)],
    "Uniform": [solvers.Uniform()],
    "VILCB": [solvers.VILCB(0.1, scale=0.05)],
    "VaRValueIteration": [solvers.VaRValueIteration(0.25, 50)],
}
NOT_SOLVERS = {"Solver", "Improvement"}

# What the papers and the published programs use; for the rest there is no such thing.
REGION = {"confidence": 0.75, "n_models": 1_000}
TAIL = {"level": 0.25, "n_models": 1_000}
DEFAULTS = {
    "AdvantageousSoftSPIBB": {"delta": 1.0},
    "ApproximateSoftSPIBB": {"delta": 1.0},
    "BCQ": {"threshold": 0.3},
    "BCR": {**REGION, "weight": 1.0},
    "BCRLocal": {**REGION, "weight": 1.0},
    "BOPAH": {"classes": 20, "folds": 2, "max_steps": 3_000},
    "Behaviour": {"smoothing": None},
    "BernsteinVILCB": {"scale": 1.0},
    "DUIPI": {"prior": 0.1, "max_steps": 5_000},
    "FrequentistDUIPI": {"max_steps": 5_000},
    "LowerSPIBB": {"strict": False},
    "LowerSoftSPIBB": {"delta": 1.0},
    "MOPO": {"n_models": 1_000},
    "MOReL": {"kappa": None, "n_models": 1_000},
    "MultiModel": {"n_models": 100},
    "MultiModelCVaR": {"level": 0.25, "n_models": 100},
    "MultiModelMean": {"n_models": 100},
    "NORBU": {**TAIL, "weight": 0.5},
    "NORBUVaR": {**TAIL, "weight": 0.5},
    "Nominal": {"discount": None, "unseen": ts.unseen.Uniform()},
    "Percentile": {"level": 0.25},
    "PosteriorMean": {"discount": None},
    "RSVF": REGION,
    "RaMDP": {"offset": 0.0},
    "RobustChi2": {"delta": 0.1},
    "RobustKL": {"delta": 0.1},
    "RobustL1": {"delta": 0.1},
    "RobustLinf": {"delta": 0.1},
    "RobustWeightedL1": {"delta": 0.1, "n_models": 1_000},
    "SPIBB": {"strict": False, "unseen": ts.unseen.Uniform()},
    "SRectangularL1": {**REGION, "weight": 1.0},
    "SoftSPIBB": {"delta": 1.0},
    "VILCB": {"scale": 1.0},
    "VaRValueIteration": TAIL,
}

# Methods whose definition does not lead to the optimal policy when nothing is left to doubt.
FORGETS_DATA = {"Behaviour", "Given", "Uniform"}
STAYS_NEAR_BEHAVIOUR = {"BOPAH", "BRAC"}
SHORT_SIGHTED = {"Nominal(discount 0.5)"}
# The user's policy names states and actions.
NAMES_STATES = {"Given"}

INSTANCES = [solver for examples in EXAMPLES.values() for solver in examples]


def solvers_without(*kinds_or_names):
    left_out = set().union(*kinds_or_names)
    kept = [s for s in INSTANCES if not {type(s).__name__, s.name} & left_out]
    return pytest.mark.parametrize("solver", kept, ids=lambda solver: solver.name)


every_solver = solvers_without(())
DRAWING = [solver for solver in INSTANCES if hasattr(solver, "n_models")]
N_STATES, N_ACTIONS = 5, 3


def truth(seed=0, terminal=()):
    rng = np.random.default_rng(seed)
    T = rng.dirichlet(np.full(N_STATES, 0.5), size=(N_STATES, N_ACTIONS))
    T = np.round(T, 3) + 1e-3
    T[list(terminal)] = np.eye(N_STATES)[list(terminal)][:, None]
    return T / T.sum(axis=2, keepdims=True)


def log(T, episodes, length=6, terminal=(), allowed=None, seed=1):
    """Return a log of a uniform policy; an episode stops where it ends."""
    rng = np.random.default_rng(seed)
    rows = []
    for episode in range(episodes):
        state = int(rng.integers(N_STATES - 1))
        for _ in range(length):
            choice = np.arange(N_ACTIONS) if allowed is None else np.nonzero(allowed[state])[0]
            action = int(rng.choice(choice))
            after = int(rng.choice(N_STATES, p=T[state, action]))
            rows.append((episode, state, action, 0.0, after, after in terminal))
            state = after
            if after in terminal:
                break
    return ts.Batch(*np.array(rows).T, N_STATES, N_ACTIONS)


def reward(seed=2, axes=3):
    shape = (N_STATES, N_ACTIONS, N_STATES)[:axes]
    return np.random.default_rng(seed).uniform(size=shape)


def plain(axes=3):
    """Every state may follow every pair; rewards of transitions, or of pairs."""
    task = ts.Task(reward(axes=axes), np.full(N_STATES, 1 / N_STATES), 0.9)
    batch = log(truth(), 12)
    return ts.Problem(task, batch, ts.Dirichlet.from_batch(batch), behaviour())


def behaviour():
    return ts.Policy.uniform(N_STATES, N_ACTIONS)


def episodic(discount):
    """State 4 ends the episode; in states 0 and 1 the best action is forbidden; sparse rows."""
    allowed = np.ones((N_STATES, N_ACTIONS), bool)
    allowed[:2, 0] = False
    values = reward() - 1.0
    values[:2, 0] = 9.0
    task = ts.Task(values, [0.5, 0.5, 0, 0, 0], discount, terminal=[4], admissible=allowed)
    batch = log(truth(terminal=[4]), 12, terminal=(4,), allowed=allowed)
    table = batch.seen(plus=np.array([4]))
    return ts.Problem(task, batch, ts.Dirichlet.from_batch(batch, support=table))


def check_valid(problem, policy):
    assert isinstance(policy, ts.Policy)
    assert policy.probs.shape == (problem.n_states, problem.n_actions)
    alive = ~problem.task.terminal[:, None]
    assert (policy.probs[alive & ~problem.task.admissible] == 0.0).all()


def policy_or_reason(solver, problem):
    try:
        return solver.solve(problem), None
    except NotSupported as error:
        return None, str(error)


def test_every_public_solver_has_an_example():
    public = set(solvers.__all__) - NOT_SOLVERS
    found = {name for name in public if hasattr(getattr(solvers, name), "solve")}
    assert found == set(EXAMPLES)
    assert all(type(s).__name__ == name for name, given in EXAMPLES.items() for s in given)


@pytest.mark.parametrize("name", DEFAULTS)
def test_unless_told_otherwise_its_parameters_are_those_of_its_definition(name):
    solver = getattr(solvers, name)()
    assert {key: getattr(solver, key) for key in DEFAULTS[name]} == DEFAULTS[name]


@every_solver
def test_it_is_frozen_and_has_a_name_that_tells_its_parameters(solver):
    assert isinstance(solver.name, str)
    if fields(solver):
        with pytest.raises(AttributeError):
            setattr(solver, fields(solver)[0].name, None)


def test_names_tell_instances_apart():
    names = [solver.name for solver in INSTANCES]
    assert len(set(names)) == len(names)


@every_solver
@pytest.mark.parametrize("axes", [2, 3], ids=["reward of pairs", "reward of transitions"])
def test_it_returns_a_valid_policy_and_the_same_one_for_the_same_seed(solver, axes):
    problem = plain(axes)
    policy = solver.solve(problem, seed=5)
    check_valid(problem, policy)
    again = solver.solve(plain(axes), seed=5, engine=Engine(workers=1))
    assert again == policy


@pytest.mark.parametrize("solver", DRAWING, ids=lambda solver: solver.name)
def test_the_models_it_plans_with_are_as_many_as_was_said_and_of_the_seed(solver, monkeypatch):
    asked, models = set(), ts.Problem.models

    def spied(problem, count, seed=0):
        asked.add((count, seed))
        return models(problem, count, seed)

    monkeypatch.setattr(ts.Problem, "models", spied)
    solver.solve(plain(), seed=5)
    assert asked == {(solver.n_models, 5)}


@every_solver
def test_it_respects_terminal_states_admissible_actions_and_sparse_rows(solver):
    problem = episodic(0.9)
    check_valid(problem, solver.solve(problem))


@every_solver
def test_at_discount_1_it_ends_or_says_what_to_use_instead(solver):
    problem = episodic(1.0)
    policy, reason = policy_or_reason(solver, problem)
    if policy is None:
        assert "use" in reason
        return
    check_valid(problem, policy)
    check_terminates(problem.posterior.table, problem.task, policy.probs, solver.name)


@solvers_without(NAMES_STATES)
@pytest.mark.parametrize("seed", [3, 4])
def test_relabelled_states_and_actions_give_the_relabelled_policy(solver, seed):
    rng = np.random.default_rng(seed)
    s, a = rng.permutation(N_STATES), rng.permutation(N_ACTIONS)
    pair, triple = np.ix_(s, a), np.ix_(s, a, s)
    models = rng.dirichlet(np.ones(N_STATES), size=(40, N_STATES, N_ACTIONS))
    one = replace(plain(), posterior=ts.Samples(models))
    batch = one.batch
    new_s, new_a = np.argsort(s), np.argsort(a)
    columns = (new_s[batch.state], new_a[batch.action], batch.reward, new_s[batch.next_state])
    other = ts.Problem(
        ts.Task(one.task.reward[triple], one.task.initial[s], 0.9),
        ts.Batch(batch.episode, *columns, batch.terminated, N_STATES, N_ACTIONS),
        ts.Samples(models[(slice(None), *triple)]),
        behaviour(),
    )
    expected = solver.solve(one).probs[pair]
    assert np.allclose(solver.solve(other).probs, expected, rtol=0, atol=1e-6)


@pytest.fixture(scope="module")
def exact():
    """Return a problem whose log leaves nothing to doubt, and its optimal policy."""
    T, task = np.round(truth(4), 2), ts.Task(reward(5), np.full(N_STATES, 1 / N_STATES), 0.9)
    T[..., -1] += 1.0 - T.sum(axis=2)
    often = np.rint(T * 4_000).astype(int)
    state, action, after = (np.repeat(i.ravel(), often.ravel()) for i in np.indices(often.shape))
    n = len(state)
    batch = ts.Batch(
        np.arange(n),
        state,
        action,
        task.reward[state, action, after],
        after,
        np.zeros(n, bool),
        N_STATES,
        N_ACTIONS,
    )
    problem = ts.Problem(task, batch, ts.Dirichlet.from_batch(batch), behaviour())
    return problem, ts.solve(ts.MDP.dense(task, T))[0]


@solvers_without(FORGETS_DATA, STAYS_NEAR_BEHAVIOUR, SHORT_SIGHTED)
def test_with_exact_data_it_finds_the_optimal_policy(solver, exact):
    problem, optimal = exact
    assert np.allclose(solver.solve(problem).probs, optimal.probs, rtol=0, atol=1e-3)
