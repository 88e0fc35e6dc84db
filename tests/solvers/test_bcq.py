"""BCQ: only what the behaviour does often enough."""

import numpy as np
import pytest

from tailsafe.errors import InvalidData
from tailsafe.solvers.bcq import BCQ
from tailsafe.solvers.nominal import Nominal

BEHAVIOUR = [0.6, 0.3, 0.1]


@pytest.mark.parametrize(
    ("threshold", "chosen"), [(0.1, 2), (0.2, 1), (0.5, 1), (0.51, 0), (1.0, 0)]
)
def test_the_best_of_the_usual_actions_is_taken(bandit, threshold, chosen):
    problem = bandit([0.0, 1.0, 2.0], [6, 3, 1], BEHAVIOUR)
    assert BCQ(threshold).solve(problem).actions[0] == chosen


def test_usual_is_what_is_so_in_the_same_state(golden_case):
    problem = golden_case("garnet2").problem(behaviour="pi_b2")
    behaviour = problem.behaviour.probs
    assert np.ptp(behaviour.max(axis=1)) > 0.1
    assert np.array_equal(BCQ(1.0).solve(problem).actions, behaviour.argmax(axis=1))


def test_where_everything_is_usual_it_is_the_nominal_policy(golden_case):
    problem = golden_case("garnet3").problem()
    assert BCQ().solve(problem) == Nominal().solve(problem)


def test_a_threshold_is_a_share():
    with pytest.raises(InvalidData, match=r"threshold must be in \(0, 1\], got 0"):
        BCQ(0.0)
