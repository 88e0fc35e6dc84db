"""How candidates compare: the order of the ranking, exact verdicts on a finite list of models."""

import numpy as np
import pytest

from tailsafe.race.verdict import Verdict, exact_verdict
from tailsafe.risk import CVaR, Mean


def test_the_leader_comes_first_then_close_open_and_ruled_out_ones_each_by_estimate():
    estimate = np.array([3.0, 9.0, 5.0, 4.0, 6.0, 1.0, 2.0])
    alive = np.array([True, False, True, True, True, False, True])
    within = np.array([False, False, True, False, False, False, True])
    bounds = (estimate, estimate, estimate, np.full(7, 64))
    found = Verdict("budget", 0, alive, within, *bounds, 1.0)
    assert found.order().tolist() == [0, 2, 6, 4, 3, 1, 5]


def test_on_a_finite_list_the_best_is_known_and_only_its_equals_are_ties():
    X = np.array([[1.0, 4.0, 3.0], [4.0, 1.0, 3.0], [4.0 + 1e-12, 1.0, 3.0], [2.0, 2.0, 2.1]])
    weights = np.array([0.2, 0.5, 0.3])
    found = exact_verdict(X, weights, Mean())
    assert (found.end, found.leader, found.regret_bound) == ("selected", 0, 0.0)
    assert found.estimate == pytest.approx([3.1, 2.2, 2.2, 2.03])
    assert found.alive.tolist() == [True, False, False, False]
    found = exact_verdict(X[1:], weights, Mean())
    assert (found.leader, found.alive.tolist()) == (1, [True, True, False])
    assert found.within.tolist() == [True, False, False]
    assert exact_verdict(X, weights, CVaR(0.2)).estimate == pytest.approx([1.0, 1.0, 1.0, 2.0])
    assert np.array_equal(found.lower, found.upper)
    assert found.judged.tolist() == [3, 3, 3]
