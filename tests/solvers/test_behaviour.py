"""The policy that made the log."""

import pytest

from tailsafe.errors import InvalidData
from tailsafe.solvers.behaviour import Behaviour


def test_a_given_behaviour_is_returned_as_it_is(bandit):
    problem = bandit([1.0, 0.0], [3, 1], [0.5, 0.5])
    assert Behaviour().solve(problem) == problem.behaviour
    assert Behaviour(0.0).solve(problem).probs[0].tolist() == [0.75, 0.25]


def test_an_estimated_one_has_the_frequencies_of_the_log_smoothed_or_not(bandit):
    problem = bandit([1.0, 0.0], [3, 1])
    assert Behaviour().solve(problem).probs[0].tolist() == [0.75, 0.25]
    smoothed = Behaviour(1.0).solve(problem)
    assert smoothed.probs[0] == pytest.approx([4 / 6, 2 / 6])
    assert smoothed.probs[1].tolist() == [0.5, 0.5]


def test_smoothing_is_a_number_of_at_least_0():
    with pytest.raises(InvalidData, match="smoothing must be a number of at least 0, got -1"):
        Behaviour(-1.0)
    assert Behaviour(0.5).name == "Behaviour(smoothing 0.5)"
