"""Crossings: children of two parents, state by state."""

from dataclasses import dataclass

import numpy as np

import tailsafe as ts
from tailsafe.policy import Policy
from tailsafe.problem import Problem
from tailsafe.solvers.crossing import best_child, distinct, rounded


@dataclass(frozen=True)
class Wishing:
    """Likes policies that take the wished actions, and keeps what it was shown."""

    problem: Problem
    wish: tuple
    shown: list

    def __call__(self, policies):
        self.shown.extend(policies)
        return np.array([(policy.actions == self.wish).sum() for policy in policies]) * 1.0


def problem(admissible=None):
    batch = ts.Batch([0], [0], [0], [0.0], [1], [False], 6, 3)
    task = ts.Task(np.zeros((6, 3)), np.eye(6)[0], 0.9, admissible=admissible)
    return ts.Problem(task, batch, ts.Dirichlet.from_batch(batch))


def test_each_state_of_a_child_does_as_one_of_two_parents():
    judge = Wishing(problem(), (0, 0, 0, 2, 2, 2), [])
    parents = [Policy.from_actions(np.full(6, a), 3) for a in range(3)]
    child = best_child(judge, parents, 200, np.random.default_rng(0))
    assert child.actions.tolist() == [0, 0, 0, 2, 2, 2]
    assert max(len(np.unique(policy.actions)) for policy in judge.shown) == 2
    assert len(judge.shown) == len(set(judge.shown))


def test_the_first_parent_is_kept_unless_a_child_is_better():
    judge = Wishing(problem(), (1, 1, 1, 1, 1, 1), [])
    parents = [Policy.from_actions(np.full(6, a), 3) for a in (1, 0)]
    assert best_child(judge, parents, 50, np.random.default_rng(0)) == parents[0]
    assert best_child(judge, parents[1:], 50, np.random.default_rng(0)) == parents[1]


def test_without_children_the_first_parent_stays():
    judge = Wishing(problem(), (1, 1, 1, 1, 1, 1), [])
    parents = [Policy.from_actions(np.full(6, a), 3) for a in (0, 1)]
    assert best_child(judge, parents, 0, np.random.default_rng(0)) == parents[0]


def test_at_discount_1_children_that_never_end_are_not_judged():
    # Two states lead to each other by action 0 and to the end by action 1.
    table = ts.Table.from_rows(3, 2, [[1], [2], [0], [2], [2], [2]])
    batch = ts.Batch([0], [0], [1], [0.0], [2], [True], 3, 2)
    task = ts.Task(np.zeros((3, 2)), [1, 0, 0], 1.0, terminal=[2])
    given = ts.Problem(task, batch, ts.Dirichlet.from_batch(batch, support=table))
    judge = Wishing(given, (0, 0, 0), [])
    parents = [Policy.from_actions(actions, 2) for actions in ([0, 1, 0], [1, 0, 0])]
    assert best_child(judge, parents, 50, np.random.default_rng(0)) == parents[0]
    assert {tuple(policy.actions[:2].tolist()) for policy in judge.shown} == {
        (0, 1),
        (1, 0),
        (1, 1),
    }


def test_rounding_takes_the_most_probable_admissible_action():
    allowed = np.ones((6, 3), bool)
    allowed[0, 1] = False
    mixed = np.tile([0.2, 0.5, 0.3], (6, 1))
    mixed[0] = [0.4, 0.0, 0.6]
    assert rounded(problem(allowed), Policy(mixed)).actions.tolist() == [2, 1, 1, 1, 1, 1]


def test_distinct_policies_stay_in_order():
    a, b = Policy.from_actions([0], 2), Policy.from_actions([1], 2)
    assert distinct([b, a, b]) == [b, a]
