"""Select: from a log and candidates to a choice, its ties, its certificate."""

import sys
from dataclasses import replace

import numpy as np
import pytest

from tailsafe.batch import Batch
from tailsafe.candidate import Candidate
from tailsafe.certificate.certify import PLANNING_MODELS
from tailsafe.domains.ring import ring_published
from tailsafe.engine import Engine
from tailsafe.errors import InvalidData, NotSupported
from tailsafe.evaluate import performances
from tailsafe.keys import Key, Stream
from tailsafe.known import absorbing
from tailsafe.moments import PILOT_MODELS
from tailsafe.policy import Policy
from tailsafe.posterior import Dirichlet
from tailsafe.problem import Problem
from tailsafe.race.outlook import outlook
from tailsafe.race.quantile import QuantileRules
from tailsafe.race.question import Question
from tailsafe.ranks import lo
from tailsafe.risk import CVaR, Mean, Optimistic, TailMean, VaR, soft_robust
from tailsafe.samples import Samples
from tailsafe.select import select
from tailsafe.selection.provenance import prior_in_words
from tailsafe.simulate import simulate
from tailsafe.table import Table
from tailsafe.task import Task

# The package shows the function where the module of the same name would be.
SELECT = sys.modules[select.__module__]
QUESTION = sys.modules[Question.__module__]
MEASURES = [VaR(0.25), CVaR(0.25), Mean(), soft_robust(0.25, 0.5)]


@pytest.fixture(scope="module")
def problem():
    domain = ring_published()
    log = simulate(domain, Policy.uniform(5, 3), 3, 8, seed=1)
    return Problem(domain.task, log, Dirichlet.from_batch(log))


@pytest.fixture(scope="module")
def policies():
    rng = np.random.default_rng(0)
    return [Policy.from_actions(rng.integers(0, 3, 5), 3) for _ in range(12)]


def finite(problem, count=40, weights=None):
    table = problem.posterior.table
    models = problem.posterior.models(0, count, 9)
    return replace(problem, posterior=Samples.on_table(table, models, weights))


@pytest.mark.parametrize("risk", MEASURES, ids=lambda m: m.name)
def test_the_choice_is_the_best_of_many_models(problem, policies, risk):
    chosen = select(problem, policies, risk, eps_rel=0.05)
    U = np.sort(performances(problem.posterior, problem.task, policies, 0, 20_000, 77), axis=1)
    truth = {p: risk.value(row) for p, row in zip(policies, U, strict=True)}
    best = max(truth.values())
    assert chosen.status == "selected"
    assert truth[chosen.best.policy] >= best - chosen.eps
    assert chosen.certificate.bound <= truth[chosen.best.policy]
    assert chosen.regret_bound <= chosen.eps
    assert chosen.ranking[0].standing == "best"
    assert all(r.lower <= truth[r.candidate.policy] <= r.upper for r in chosen.ranking)
    assert len(chosen.ranking) == len(set(policies))
    assert chosen.ties[0] == chosen.best


@pytest.mark.parametrize("risk", [VaR(0.25), CVaR(0.25)], ids=lambda m: m.name)
def test_the_result_does_not_depend_on_the_workers_or_on_losing_policies(problem, policies, risk):
    one = select(problem, policies, risk, eps_rel=0.1, engine=Engine(workers=1))
    two = select(problem, policies, risk, eps_rel=0.1, engine=Engine(workers=2))
    assert one == two


def test_provenance_says_which_models_were_used(problem, policies):
    chosen = select(problem, policies[:4], VaR(0.25), eps_rel=0.1, seed=3)
    race, fresh = chosen.provenance.models
    planned = max(chosen.n_models, PLANNING_MODELS)
    assert race == ("race", 0, planned)
    assert fresh == ("certificate", 0, chosen.certificate.n_models)
    judged = sum(r.n_models for r in chosen.ranking) - chosen.ranking[0].n_models
    assert chosen.evaluations == judged + planned + chosen.certificate.n_models
    assert chosen.provenance.prior == "a flat Dirichlet, concentration 1, on all 5 next states"
    assert len(chosen.provenance.batch_hash) == len(chosen.provenance.posterior_hash) == 64
    best = chosen.ranking[0]
    U = performances(problem.posterior, problem.task, [chosen.best.policy], 0, best.n_models, 3)
    assert best.estimate == pytest.approx(VaR(0.25).value(np.sort(U[0])), rel=1e-9)
    key = Key(3, Stream.CERTIFICATE)
    m = chosen.certificate.n_models
    assert chosen.certificate.bound in performances(
        problem.posterior, problem.task, [chosen.best.policy], 0, m, key
    )


def test_the_prior_in_words_counts_the_pairs_that_it_is_about():
    log = Batch([0], [1], [0], [1.0], [2], [False], 5, 3)

    def words(terminal=(), **law):
        task = Task(np.ones((5, 3)), np.eye(5)[0], 0.9, np.isin(np.arange(5), terminal))
        return prior_in_words(Problem(task, log, Dirichlet.from_batch(log, **law)))

    flat, ends = "a flat Dirichlet, concentration 1, on ", absorbing([4], 3)
    assert words() == words([4], known=ends) == flat + "all 5 next states"
    held = words(known=ends)
    assert held == flat + "all 5 next states, 3 pairs of state and action held known"
    three = Table.from_rows(5, 3, [[0, 1, 2]] * 15)
    mixed = Table.from_rows(5, 3, [[0, 1, 2]] * 14 + [[0, 1]])
    assert words(support=three) == flat + "3 of the 5 next states"
    assert words(support=mixed) == flat + "2.93 of the 5 next states on average"
    assert words(known={(s, a): 2 for s in range(5) for a in range(3)}) == (
        "no row is uncertain, 15 pairs of state and action held known"
    )


def test_a_hash_changes_with_what_it_hashes(problem, policies):
    other = replace(problem, posterior=Dirichlet.from_batch(problem.batch, prior=2.0))
    one, two = (select(p, policies[:1], VaR(0.25), max_models=64) for p in (problem, other))
    assert one.provenance.batch_hash == two.provenance.batch_hash
    assert one.provenance.posterior_hash != two.provenance.posterior_hash
    assert two.provenance.prior.startswith("Dirichlet, concentration 2")


def test_policies_that_act_alike_where_they_can_be_are_one_candidate():
    # From state 0 action 0 stays there: what is done in state 1 never matters.
    mask = np.ones((5, 3, 5), bool)
    mask[0, 0] = np.eye(5, dtype=bool)[0]
    task = Task(np.ones((5, 3)), np.eye(5)[0], 0.9)
    log = Batch([0], [1], [0], [1.0], [2], [False], 5, 3)
    problem = Problem(task, log, Dirichlet.from_batch(log, support=mask))
    given = [Policy.from_actions([0, k, 0, 0, 0], 3) for k in range(3)]
    chosen = select(problem, given, CVaR(0.25), max_models=64)
    assert chosen.best.origins == ("policy 0", "policy 1", "policy 2")
    assert chosen.status == "selected"
    assert chosen.certificate.bound == pytest.approx(10.0, abs=1e-3)


def test_one_candidate_needs_no_race_and_gets_a_certificate(problem, policies):
    chosen = select(problem, policies[:1], CVaR(0.25))
    assert (chosen.status, len(chosen.ties), chosen.regret_bound) == ("selected", 1, 0.0)
    assert chosen.certificate.bound < chosen.ranking[0].estimate
    assert chosen.certificate.n_models >= 4_000


def test_no_candidate_is_refused(problem):
    with pytest.raises(InvalidData, match="no candidate"):
        select(problem, [])


def test_equal_performances_are_reported_as_ties(problem):
    # Actions 1 and 2 of state 4 are equally unknown, and pay alike, so that only names differ.
    task = Task(np.ones((5, 3)), problem.task.initial, 0.9)
    given = [Policy.from_actions([0, 0, 0, 0, a], 3) for a in (1, 2)]
    chosen = select(replace(problem, task=task), given, VaR(0.25))
    assert (chosen.status, len(chosen.ties)) == ("selected", 2)
    assert chosen.ranking[1].standing == "within eps"
    assert chosen.n_models == 64


def test_a_spent_budget_is_a_value_of_the_result(problem, policies):
    chosen = select(problem, policies, CVaR(0.25), eps_rel=1e-4, max_models=70)
    assert chosen.status == "budget"
    assert chosen.n_models == 70
    assert chosen.regret_bound > chosen.eps
    standings = [r.standing for r in chosen.ranking]
    assert len(chosen.ties) == sum(s != "not better" for s in standings)
    assert standings.index("undecided") < len(chosen.ties)


@pytest.mark.parametrize("after", [0, 2])
def test_an_interrupt_ends_the_race_and_loses_nothing(problem, policies, after):
    seen = []

    def watch(state):
        seen.append(state)
        if len(seen) > after:
            raise KeyboardInterrupt

    chosen = select(problem, policies, CVaR(0.25), eps_rel=1e-3, watch=watch)
    assert chosen.status == "interrupted"
    assert chosen.n_models == seen[-1].n_models
    assert len(chosen.ties) == seen[-1].alive
    assert chosen.certificate.confidence == 0.99
    assert 0.0 <= seen[-1].done < 1.0


def test_a_second_interrupt_leaves_the_worst_case(problem, policies, monkeypatch):
    def stopped(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr(SELECT, "certified", stopped)
    monkeypatch.setattr(QUESTION, "performances", stopped)
    chosen = select(problem, policies[:3], CVaR(0.25))
    assert (chosen.status, chosen.n_models, chosen.evaluations) == ("interrupted", 0, 0)
    assert len(chosen.ties) == 3
    assert chosen.certificate.n_models == 0
    assert all(r.lower >= chosen.certificate.bound - 1 for r in chosen.ranking)


@pytest.mark.parametrize("risk", [*MEASURES, TailMean(0.25), Optimistic(0.1)])
def test_over_a_finite_list_of_models_every_measure_is_exact(problem, policies, risk):
    weights = np.random.default_rng(1).dirichlet(np.ones(40))
    posed = finite(problem, 40, weights)
    chosen = select(posed, policies, risk)
    U = performances(posed.posterior, posed.task, policies, 0, 40, 0)
    order = np.argsort(U, axis=1)
    values = [risk.value(u[o], weights[o]) for u, o in zip(U, order, strict=True)]
    assert chosen.ranking[0].estimate == pytest.approx(max(values))
    assert chosen.certificate.bound == chosen.ranking[0].estimate
    assert chosen.certificate.confidence == 1.0
    assert [r.estimate for r in chosen.ranking] == sorted(set(values), reverse=True)
    assert chosen.regret_bound == 0.0


def test_a_measure_without_race_points_to_those_that_have_one(problem, policies):
    with pytest.raises(NotSupported, match="use VaR, CVaR, Mean"):
        select(problem, policies, TailMean(0.25))


@pytest.mark.parametrize(
    ("option", "message"),
    [
        ({"eps": 0.0}, "eps must be a positive number"),
        ({"eps": -1.0}, "eps must be a positive number"),
        ({"eps_rel": float("nan")}, "eps_rel must be a positive number"),
        ({"alpha": 0.0}, r"alpha must be in \(0, 1\)"),
        ({"alpha_certificate": 1.0}, "alpha_certificate must be in"),
        ({"max_models": 0}, "max_models must be a positive whole number"),
        ({"seed": -1}, "seed must be in"),
    ],
)
def test_wrong_options_are_refused(problem, policies, option, message):
    with pytest.raises(InvalidData, match=message):
        select(problem, policies, **option)


def test_a_performance_that_is_no_number_names_model_and_policy(problem, policies, monkeypatch):
    def broken(*given):
        return np.full((len(given[2]), given[4] - given[3]), np.nan)

    monkeypatch.setattr(QUESTION, "performances", broken)
    named = [Candidate(policies[0], ("careful",)), Candidate(policies[1], ("bold",))]
    with pytest.raises(InvalidData, match="performance of careful on model 0 is nan"):
        select(problem, named)


def fork(concentration=1.0, reward=0.0, disaster=0.0):
    """From state 0 to an end by state 1, or, rarely, by state 2, where the actions differ."""
    table = Table.from_rows(4, 2, [[1, 2], [1, 2], [3], [3], [3], [3], [], []])
    rewards = np.array([[1.0, 1.0], [reward, reward], [reward, reward + disaster], [0.0, 0.0]])
    task = Task(rewards, np.eye(4)[0], 0.9, terminal=[3])
    shares = np.ones(table.n_entries)
    shares[[1, 3]] = concentration
    log = Batch([0], [0], [0], [1.0], [1], [False], 4, 2)
    given = [Policy.from_actions([0, 0, a, 0], 2) for a in (0, 1)]
    return Problem(task, log, Dirichlet(table, shares, np.zeros(8, bool))), given


def test_policies_that_differ_on_rare_models_only_are_not_taken_for_equal():
    problem, given = fork(concentration=1e-3, disaster=-1_000.0)
    U = performances(problem.posterior, problem.task, given, 0, 64, 0)
    assert np.abs(U[0] - U[1]).max() < 1e-10
    chosen = select(problem, given, CVaR(0.25))
    worse = chosen.ranking[1]
    assert worse.candidate.policy == given[1]
    many = performances(problem.posterior, problem.task, given, 0, 200_000, 9)[1]
    truth = CVaR(0.25).value(np.sort(np.maximum(many, worse.floor)))
    assert truth < 0.0
    assert worse.lower <= truth <= worse.upper


def test_rewards_that_cancel_leave_ties_not_a_race_on_rounding_errors():
    problem, _ = fork(concentration=1.37, reward=-1.0 / 0.9)
    given = [Policy.from_actions([a, 0, b, 0], 2) for a in (0, 1) for b in (0, 1)]
    for risk in MEASURES:
        chosen = select(problem, given, risk, max_models=5_000)
        assert (chosen.status, len(chosen.ties), chosen.n_models) == ("selected", 4, 64)


def test_a_performance_without_upper_bound_is_capped_and_the_result_says_so():
    table = Table.from_rows(3, 2, [[0, 1, 2], [0, 1, 2], [0, 2], [0, 2], [], []])
    task = Task(np.array([[1.0, 2.0], [-1.0, 0.5], [0.0, 0.0]]), np.eye(3)[0], 1.0, terminal=[2])
    log = Batch([0, 0], [0, 1], [0, 1], [1.0, 0.5], [1, 2], [False, True], 3, 2)
    problem = Problem(task, log, Dirichlet.from_batch(log, prior=2.0, support=table))
    given = [Policy.from_actions([a, b, 0], 2) for a in (0, 1) for b in (0, 1)]
    for risk, capped in ((Mean(), True), (CVaR(0.25), True), (VaR(0.25), False)):
        chosen = select(problem, given, risk, eps_rel=0.1)
        ceilings = [r.ceiling for r in chosen.ranking]
        assert [c is not None for c in ceilings] == [capped] * 4
        assert chosen.ceiling == (min(ceilings) if capped else None)
        assert all(r.upper <= (r.ceiling or np.inf) for r in chosen.ranking)


def test_floors_are_said_of_each_candidate(problem, policies):
    chosen = select(problem, policies[:3], CVaR(0.25), eps_rel=0.1, floor=0.5)
    assert [r.floor for r in chosen.ranking] == [0.5] * 3
    assert (chosen.floor, chosen.ceiling) == (0.5, None)
    chosen = select(problem, policies[:3], CVaR(0.25), eps_rel=0.1, floor=-np.inf)
    assert [r.floor for r in chosen.ranking] == [None] * 3


class Opaque:
    """A posterior of which nothing is known but its models."""

    def __init__(self, inner):
        self.inner, self.table = inner, inner.table

    def models(self, first, last, seed, rows=None):
        return self.inner.models(first, last, seed, rows)

    def mean(self):
        return self.inner.mean()

    def mode(self):
        return self.inner.mode()


def test_models_that_moments_are_guessed_from_are_listed_and_counted(problem, policies):
    asked = replace(problem, posterior=Opaque(problem.posterior))
    chosen = select(asked, policies[:3], CVaR(0.25), eps_rel=0.2)
    assert chosen.provenance.models[2] == ("candidates", 0, PILOT_MODELS)
    known = select(problem, policies[:3], CVaR(0.25), eps_rel=0.2)
    assert len(known.provenance.models) == 2
    raced = sum(r.n_models for r in chosen.ranking[1:])
    _, planned = chosen.provenance.models[0][1:]
    assert chosen.evaluations == raced + planned + chosen.certificate.n_models + 3 * PILOT_MODELS


def test_an_interrupt_after_the_race_leaves_the_choice(problem, policies, monkeypatch):
    def stopped(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(QuantileRules, "interval", stopped)
    chosen = select(problem, policies[:3], VaR(0.25), eps_rel=0.1)
    assert (chosen.status, chosen.certificate.confidence) == ("selected", 0.99)
    assert all(r.lower < r.estimate < r.upper for r in chosen.ranking)


def test_the_choice_and_the_certificate_have_error_probabilities_of_their_own(problem, policies):
    chosen = select(problem, policies[:2], VaR(0.25), alpha=0.2, alpha_certificate=0.05)
    best, m = chosen.best.policy, chosen.certificate.n_models
    U = performances(problem.posterior, problem.task, [best], 0, m, Key(0, Stream.CERTIFICATE))[0]
    assert (chosen.alpha, chosen.certificate.confidence) == (0.2, 0.95)
    assert chosen.certificate.bound == np.sort(U)[lo(m, 0.25, 0.05) - 1]


def test_over_a_finite_list_eps_is_what_was_asked_for(problem, policies):
    weights = np.random.default_rng(1).dirichlet(np.ones(40))
    posed = finite(problem, 40, weights)
    assert select(posed, policies, CVaR(0.25), eps=0.125).eps == 0.125
    chosen = select(posed, policies, CVaR(0.25), eps_rel=0.5)
    (u,) = performances(posed.posterior, posed.task, [chosen.best.policy], 0, 40, 0)
    sd = np.sqrt(np.average((u - np.average(u, weights=weights)) ** 2, weights=weights))
    assert chosen.eps == pytest.approx(0.5 * sd)


def test_the_floor_of_the_choice_is_that_of_its_own(policies):
    domain = ring_published()
    log = simulate(domain, Policy.uniform(5, 3), 60, 8, seed=1)
    problem = Problem(domain.task, log, Dirichlet.from_batch(log))
    chosen = select(problem, policies[1:], CVaR(0.25), eps_rel=0.2)
    floors = {r.candidate: r.floor for r in chosen.ranking}
    assert chosen.best.policy != policies[1]
    assert len(set(floors.values())) > 2
    assert chosen.floor == chosen.certificate.floor == floors[chosen.best]


def test_the_favourite_leads_unless_another_is_clearly_better(problem, policies):
    known = outlook(problem.posterior, problem.task, policies, CVaR(0.25))
    assert known.favourite > 0
    chosen = select(problem, policies, CVaR(0.25), eps=1e3)
    assert chosen.best.policy == policies[known.favourite]


class Late:
    """Models in which both actions do the same, until they do not."""

    table = Table.from_rows(3, 2, [[1, 2], [1, 2], [1], [1], [2], [2]])

    def models(self, first, last, seed, rows=None):
        del seed, rows
        late = np.arange(first, last) >= 64
        share = np.where(late[:, None], [0.9, 0.1], 0.5)[..., None]
        ways = np.concatenate([1.0 - share, share], axis=2).reshape(-1, 4)
        return np.concatenate([ways, np.ones((last - first, 4))], axis=1)

    def mean(self):
        return self.models(0, 1_000, 0).mean(axis=0)


def test_without_a_formula_equal_performances_at_a_look_do_not_make_twins():
    task = Task([[0.0, 0.0], [0.0, 0.0], [1.0, 1.0]], np.eye(3)[0], 0.9)
    log = Batch([0], [0], [0], [0.0], [1], [False], 3, 2)
    given = [Policy.from_actions([a, 0, 0], 2) for a in (1, 0)]
    chosen = select(Problem(task, log, Late()), given, Mean(), eps_rel=0.2)
    assert chosen.best.policy == given[1]
    assert chosen.ranking[1].standing == "not better"
