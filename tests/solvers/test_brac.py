"""BRAC: the behaviour, tilted towards what pays."""

import numpy as np
import pytest

import tailsafe as ts
from tailsafe.errors import InvalidData, NotSupported
from tailsafe.solvers.brac import BRAC
from tailsafe.unseen import Uniform, Zero

REWARD, BEHAVIOUR = [1.0, 0.5, 2.0], [0.5, 0.5, 0.0]


def test_one_decision_tilts_the_behaviour_by_the_reward(bandit):
    problem = bandit([1.0, 0.5, 0.7], [5, 5, 5], [0.2, 0.5, 0.3])
    odds = np.array([0.2, 0.5, 0.3]) * np.exp(np.array([1.0, 0.5, 0.7]) / 0.25)
    assert BRAC(0.25).solve(problem).probs[0] == pytest.approx(odds / odds.sum())


def test_an_untried_action_is_worth_what_the_convention_says(bandit):
    problem = bandit([1.0, 0.5, 2.0], [5, 5, 0], [0.2, 0.5, 0.3])
    for unseen, worth in ((Uniform(), 2.0), (Zero(), 0.0)):
        odds = np.array([0.2, 0.5, 0.3]) * np.exp(np.array([1.0, 0.5, worth]) / 0.25)
        found = BRAC(0.25, unseen).solve(problem).probs[0]
        assert found == pytest.approx(odds / odds.sum())


def test_a_terminal_state_is_worth_nothing_wherever_the_table_lets_it_lead():
    # Action 0 pays 1 and ends; action 1 leads to a state that does so.
    batch = ts.Batch([0, 1, 1], [0, 0, 1], [0, 1, 0], [1.0, 0.0, 1.0], [2, 1, 2], [1, 0, 1], 3, 2)
    task = ts.Task([[1.0, 0.0], [1.0, 1.0], [0.0, 0.0]], [1, 0, 0], 0.9, terminal=[2])
    table = ts.Table.from_rows(3, 2, [[2], [1], [2], [2], [0, 1, 2], [0, 1, 2]])
    problem = ts.Problem(task, batch, ts.Dirichlet.from_batch(batch, support=table))
    odds = np.exp(np.array([1.0, 0.9]) / 0.25)
    assert BRAC(0.25).solve(problem).probs[0] == pytest.approx(odds / odds.sum())


def test_without_a_price_the_best_action_of_the_behaviour_is_taken(bandit):
    problem = bandit(REWARD, [5, 5, 0], BEHAVIOUR)
    assert BRAC(0.0).solve(problem).probs[0].tolist() == [1.0, 0.0, 0.0]


def test_a_high_price_keeps_the_behaviour(golden_case):
    problem = golden_case("ring").problem(behaviour="pi_b2")
    assert BRAC(1e9).solve(problem).probs == pytest.approx(problem.behaviour.probs, abs=1e-7)


def test_discount_1_is_refused_with_what_to_use_instead(bandit):
    with pytest.raises(NotSupported, match="use SPIBB, SoftSPIBB or BCQ"):
        BRAC().solve(bandit(REWARD, [5, 5, 0], BEHAVIOUR, discount=1.0))


def test_a_negative_weight_is_refused():
    with pytest.raises(InvalidData, match="weight must be a number of at least 0"):
        BRAC(-0.1)
