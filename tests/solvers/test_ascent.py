"""Climbing: which switches are tried together, where mirror steps lead in one step."""

from dataclasses import dataclass

import numpy as np
import pytest

import tailsafe as ts
from tailsafe.engine import Engine
from tailsafe.policy import Policy
from tailsafe.problem import Problem
from tailsafe.risk import Mean
from tailsafe.solvers.ascent import by_mirror_steps, by_switches, softened, usable
from tailsafe.solvers.sampled_objective import Objective


def bets(initial, discount=0.0):
    """In each of two states action 0 wins and action 1 does not; then nothing more happens."""
    batch = ts.Batch([0], [0], [0], [1.0], [0], [False], 2, 2)
    task = ts.Task([[1.0, 0.0], [1.0, 0.0]], initial, discount)
    return ts.Problem(task, batch, ts.Samples(np.full((1, 2, 2, 2), 0.5)))


@dataclass(frozen=True)
class Gains:
    """Judges deterministic policies by what they gain for taking action 1, and a charge."""

    problem: Problem
    gain: tuple
    charge: float

    def __call__(self, policies):
        return np.array([self.worth(policy.actions) for policy in policies])

    def worth(self, actions):
        return float(actions @ self.gain) - self.charge * (actions.sum() > 1)

    def switch_values(self, policy):
        values = np.empty((len(self.gain), 2))
        for s, a in np.ndindex(values.shape):
            actions = policy.actions.copy()
            actions[s] = a
            values[s, a] = self.worth(actions)
        return values


def gains(gain, charge=0.0):
    n = len(gain)
    batch = ts.Batch([0], [0], [0], [0.0], [0], [False], n, 2)
    task = ts.Task(np.zeros((n, 2)), np.eye(n)[0], 0.9)
    return Gains(ts.Problem(task, batch, ts.Dirichlet.from_batch(batch)), gain, charge)


def test_the_state_that_gains_most_is_switched_first():
    start = Policy.from_actions([0, 0, 0], 2)
    peak = by_switches(gains((1.0, 3.0, 2.0), charge=100.0), start, 50)
    assert peak.policy.actions.tolist() == [0, 1, 0]
    assert peak.value == 3.0


def test_switches_that_do_not_disturb_each_other_are_done_in_one_step():
    judge = gains((1.0, 2.0, 3.0, 4.0, -1.0, 5.0, 6.0))
    peak = by_switches(judge, Policy.from_actions([0] * 7, 2), 1)
    assert peak.policy.actions.tolist() == [1, 1, 1, 1, 0, 1, 1]


def test_a_step_reaches_states_that_are_hardly_ever_visited():
    # The gradient itself is 10,000 times smaller there; the natural one is not.
    problem = bets([1 - 1e-4, 1e-4])
    judge = Objective(problem, Mean(), problem.posterior, Engine(workers=1))
    peak = by_mirror_steps(judge, Policy.uniform(2, 2), 1)
    assert peak.policy.probs.tolist() == [[1.0, 0.0], [1.0, 0.0]]
    assert peak.value == pytest.approx(1.0, rel=1e-12)


def test_softening_spreads_a_share_over_the_admissible_actions():
    given = bets([1, 0])
    allowed = np.array([[True, True], [True, False]])
    task = ts.Task(given.task.reward, [1, 0], 0.0, admissible=allowed)
    problem = ts.Problem(task, given.batch, given.posterior)
    soft = softened(problem, Policy.from_actions([1, 0], 2), 0.2)
    assert soft.probs == pytest.approx(np.array([[0.1, 0.9], [1.0, 0.0]]))


def test_at_discount_1_policies_that_never_end_are_left_out():
    table = ts.Table.from_rows(2, 2, [[0], [1], [1], [1]])
    batch = ts.Batch([0], [0], [1], [0.0], [1], [True], 2, 2)
    stay, end = (Policy.from_actions([a, 0], 2) for a in (0, 1))
    for discount, kept in ((1.0, [end]), (0.9, [stay, end])):
        task = ts.Task(np.zeros((2, 2)), [1, 0], discount, terminal=[1])
        problem = ts.Problem(task, batch, ts.Dirichlet.from_batch(batch, support=table))
        assert usable(problem, [stay, end]) == kept
