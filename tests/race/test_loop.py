"""The race of a VaR: the oracle's outcomes, its promises by simulation, interrupts, twins."""

from pathlib import Path

import numpy as np
import pytest

from tailsafe.race.loop import looks_up_to, race
from tailsafe.ranks import checkpoints, hi, lo
from tailsafe.risk import CVaR, Mean, VaR, soft_robust

ORACLE = np.load(Path(__file__).parents[1] / "golden" / "var_race.npz")
MEASURES = [VaR(0.25), CVaR(0.25), Mean(), soft_robust(0.25, 0.5)]
NEAR = [0.0, 0.0, -0.05, -0.3]


@pytest.mark.parametrize("block", range(6))
def test_an_independent_program_reaches_the_same_outcomes_on_the_same_draws(fields, block):
    for case in range(10 * block, 10 * block + 10):
        X, level, eps, favourite = fields.oracle_case(case)
        sizes, sheet = checkpoints(X.shape[1]), fields.sheet_of(X)
        rules = fields.rules(VaR(level), np.zeros(len(X)), sizes, eps, favourite=favourite)
        end = race(sheet, rules, favourite, sizes)
        assert (end.end == "selected") == ORACLE["done"][case]
        assert end.leader == ORACLE["selected"][case]
        assert end.n_models == ORACLE["n_models"][case]
        assert sheet.evaluations == ORACLE["evaluations"][case]
        left = (ORACLE["alive"][case] >> np.arange(len(X))) & 1 > 0
        assert end.alive.tolist() == (left & ~overtaken(sheet, rules, left, end)).tolist()
        if end.end == "budget":
            assert end.regret_bound == pytest.approx(ORACLE["regret"][case], abs=1e-4 * eps)


def overtaken(sheet, rules, left, end):
    """Who was left behind with an upper bound below the lower bound that the leader has now.

    The oracle does not ask that of those it has parked.
    """
    J, out = rules.n_looks, np.zeros(len(left), bool)
    leader = np.sort(sheet.columns[end.leader][: end.n_models])
    share = 0.2 * rules.alpha * rules.weights[end.leader] / (2 * J)
    lowest = leader[lo(len(leader), rules.level, share) - 1]
    for i in np.nonzero(left)[0]:
        x = np.sort(sheet.columns[i])
        h = hi(len(x), rules.level, 0.1 * rules.alpha / J)
        out[i] = len(x) < end.n_models and x[h - 1] < lowest
    return out


def races(fields, risk, trials, models, means=NEAR, **options):
    """Yield the outcomes of races between the same laws on ever new models."""
    sizes = looks_up_to(models)
    rules = fields.rules(risk, means, sizes, **options)
    for trial in range(trials):
        X = fields.correlated(np.random.default_rng([7, trial]), means, models, 0.9)
        yield race(fields.sheet_of(X), rules, options.get("favourite", 0), sizes)


@pytest.mark.slow
@pytest.mark.parametrize("risk", MEASURES, ids=lambda m: m.name)
def test_no_race_that_selects_is_off_by_more_than_eps(fields, risk):
    outcomes = list(races(fields, risk, 200, 8_000, [-0.15, 0.0, -0.05, -0.3], alpha=0.1))
    chosen = [o.leader for o in outcomes if o.end == "selected"]
    assert len(chosen) >= 150
    assert sum(i in (0, 3) for i in chosen) == 0
    lost = np.mean([not o.alive[1] for o in outcomes])
    assert lost <= 0.1 + fields.allowance(0.1, len(outcomes))


@pytest.mark.slow
@pytest.mark.parametrize("risk", MEASURES, ids=lambda m: m.name)
def test_a_budget_that_is_spent_leaves_the_best_among_the_ties_and_a_valid_regret(fields, risk):
    alpha, means = 0.1, np.array([-0.1, 0.0, -0.02, -0.4])
    outcomes = list(races(fields, risk, 200, 300, means, eps=0.02, alpha=alpha))
    stopped = [o for o in outcomes if o.end == "budget"]
    assert len(stopped) >= 100
    lost = np.mean([not o.alive[1] for o in stopped])
    wrong = np.mean([-means[o.leader] > o.regret_bound for o in stopped])
    assert max(lost, wrong) <= alpha + fields.allowance(alpha, len(stopped))
    assert np.mean([o.regret_bound for o in stopped]) < 3.0


@pytest.mark.parametrize("risk", MEASURES, ids=lambda m: m.name)
def test_a_wrong_favourite_costs_models_not_the_choice(fields, risk):
    for outcome in races(fields, risk, 5, 20_000, [0.0, 1.0, 0.2], favourite=0):
        assert (outcome.end, outcome.leader) == ("selected", 1)


def test_equal_candidates_are_merged_on_request_and_share_their_fate(fields):
    X = fields.correlated(np.random.default_rng(1), [0.0, 0.0, -2.0], 1_000, 0.5)
    X = X[[2, 0, 1, 0, 2]]
    sizes = looks_up_to(1_000)
    sheet, rules = fields.sheet_of(X), fields.rules(VaR(0.25), np.zeros(5), sizes, 1.0)
    end = race(sheet, rules, 3, sizes, merge_equal=True)
    assert end.twin.tolist() == [0, 3, 2, 3, 0]
    assert (end.leader, end.alive.tolist()) == (3, [False, True, True, True, False])
    assert end.parked.tolist() == [False, True, True, False, False]
    assert sheet.counts[1] == 64 < sheet.counts[3]


@pytest.mark.parametrize("risk", MEASURES, ids=lambda m: m.name)
def test_constants_are_told_apart_at_the_first_look(fields, risk):
    X = np.repeat([[1.0], [1.0], [0.999], [0.5]], 1_000, axis=1)
    sizes = looks_up_to(1_000)
    rules = fields.rules(risk, X[:, 0], sizes, 0.01)
    for ends in (rules.lowest, rules.highest):
        ends[:] = X[:, 0]
    end = race(fields.sheet_of(X), rules, 0, sizes)
    assert (end.end, end.leader, end.n_models) == ("selected", 0, 64)
    assert end.alive.tolist() == [True, True, False, False]
    assert end.parked.tolist() == [False, True, False, False]
    # What is left behind as close may be better by eps.
    assert end.regret_bound == rules.eps


@pytest.mark.parametrize("risk", [VaR(0.25), CVaR(0.25)], ids=lambda m: m.name)
def test_who_was_left_behind_as_close_is_ruled_out_by_what_the_leader_shows_later(fields, risk):
    means, sizes = [0.0, -0.05, -0.5], looks_up_to(12_000)
    X = fields.correlated(np.random.default_rng([3, 4]), means, 12_000, 0.5)
    sheet, seen = fields.sheet_of(X), []
    end = race(sheet, fields.rules(risk, means, sizes, 0.15), 0, sizes, seen.append)
    assert end.end == "selected"
    assert [p.parked for p in seen if p.n_models == sheet.counts[2]] == [1]
    assert end.alive.tolist() == [True, True, False]
    assert sheet.counts[2] < end.n_models


def test_an_interrupt_among_the_last_proofs_leaves_what_can_be_said_without(fields, monkeypatch):
    def stopped(*_):
        raise KeyboardInterrupt

    X = fields.correlated(np.random.default_rng(3), NEAR, 100, 0.5)
    rules = fields.rules(VaR(0.25), NEAR, (64, 96), 0.01)
    monkeypatch.setattr(type(rules), "regret", stopped)
    end = race(fields.sheet_of(X), rules, 0, (64, 96))
    assert (end.end, end.n_models, end.regret_bound) == ("budget", 96, np.inf)


def test_an_interrupt_keeps_the_last_look_that_was_finished(fields):
    X = fields.correlated(np.random.default_rng(2), NEAR, 2_000, 0.5)
    seen = []

    def watch(progress):
        seen.append(progress)
        if len(seen) == 3:
            raise KeyboardInterrupt

    sizes = looks_up_to(2_000)
    end = race(fields.sheet_of(X), fields.rules(VaR(0.25), NEAR, sizes), 0, sizes, watch)
    assert (end.end, end.n_models, end.looks) == ("interrupted", 144, 3)
    assert end.alive.sum() == seen[-1].alive
    assert [p.n_models for p in seen] == [64, 96, 144]


def test_an_interrupt_before_the_first_look_leaves_everything_open(fields):
    def stopped(*_):
        raise KeyboardInterrupt

    sheet = fields.sheet_of(np.zeros((2, 100)))
    sheet.utilities = stopped
    end = race(sheet, fields.rules(VaR(0.25), [0.0, 0.0], (100,)), 1, (100,))
    assert (end.end, end.leader, end.n_models) == ("interrupted", 1, 0)
    assert end.alive.all()
    assert end.regret_bound == np.inf
    sheet = fields.sheet_of(np.zeros((1, 100)))
    sheet.utilities = stopped
    assert race(sheet, fields.rules(VaR(0.25), [0.0], (100,)), 0, (100,)).regret_bound == 0.0


def test_a_new_leader_brings_the_parked_back_and_they_catch_up(fields):
    # Candidate 1 is parked as a near copy of the favourite, before 2 turns out to be better.
    first, last = np.random.default_rng(11).normal(size=(2, 20_000))
    X = np.stack([first, first - 0.1, last + 0.2])
    seen, sizes = [], looks_up_to(20_000)
    sheet = fields.sheet_of(X)
    end = race(sheet, fields.rules(VaR(0.25), np.zeros(3), sizes, 0.25), 0, sizes, seen.append)
    change = [p.leader for p in seen].index(2)
    assert seen[change - 1].parked == 1
    assert end.leader == 2
    assert sheet.counts[1] >= seen[change].n_models
