"""SPIBB: where the data allow nothing the behaviour stays, elsewhere the best action takes over."""

import numpy as np
import pytest

import tailsafe as ts
from tailsafe.errors import InvalidData
from tailsafe.solvers.spibb import SPIBB, LowerSPIBB, improve, improve_below
from tailsafe.values import state_values

BEHAVIOUR = [0.5, 0.3, 0.2]


def test_the_probability_of_free_actions_goes_to_the_best_of_them(bandit):
    problem = bandit([1.0, 0.2, 0.8], [2, 9, 9], BEHAVIOUR)
    assert SPIBB(5).solve(problem).probs[0] == pytest.approx([0.5, 0.0, 0.5])


def test_below_the_behaviour_a_rare_action_is_dropped_only_if_it_is_worse(bandit):
    worse = bandit([0.1, 0.2, 0.8], [2, 9, 9], BEHAVIOUR)
    better = bandit([1.0, 0.2, 0.8], [2, 9, 9], BEHAVIOUR)
    assert SPIBB(5).solve(worse).probs[0] == pytest.approx([0.5, 0.0, 0.5])
    assert LowerSPIBB(5).solve(worse).probs[0] == pytest.approx([0.0, 0.0, 1.0])
    assert LowerSPIBB(5).solve(better).probs[0] == pytest.approx([0.5, 0.0, 0.5])


@pytest.mark.parametrize("kind", [SPIBB, LowerSPIBB])
def test_just_enough_visits_are_enough_unless_more_are_asked_for(bandit, kind):
    problem = bandit([0.0, 1.0, 0.5], [5, 5, 5], BEHAVIOUR)
    assert kind(5).solve(problem).probs[0] == pytest.approx([0.0, 1.0, 0.0])
    strict = kind(5, strict=True).solve(problem).probs[0]
    assert strict == pytest.approx(BEHAVIOUR)


def test_what_must_not_be_taken_is_not_free_however_often_the_log_has_it(bandit):
    one = bandit([0.0, 0.5, 9.0], [9, 9, 9], [0.5, 0.5, 0.0])
    allowed = np.array([[True, True, False], [True, True, True]])
    task = ts.Task(one.task.reward, [1, 0], 0.9, terminal=[1], admissible=allowed)
    problem = ts.Problem(task, one.batch, one.posterior, one.behaviour)
    for kind in (SPIBB, LowerSPIBB):
        assert kind(5).solve(problem).probs[0] == pytest.approx([0.0, 1.0, 0.0])


def test_without_enough_data_the_behaviour_stays(golden_case):
    problem = golden_case("garnet2").problem(behaviour="pi_b2")
    assert SPIBB(10_000).solve(problem) == problem.behaviour


def test_the_more_visits_are_asked_for_the_lower_the_value_on_the_model(golden_case):
    problem = golden_case("garnet3").problem(behaviour="pi_b2")
    for kind in (SPIBB, LowerSPIBB):
        V = [state_values(problem.nominal(), kind(n).solve(problem)) for n in (1, 5, 10, 20, 99)]
        assert (np.diff(V, axis=0) <= 1e-12).all()
        assert (V[-1] >= state_values(problem.nominal(), problem.behaviour) - 1e-12).all()


def test_equal_actions_give_the_lowest_index():
    behaviour = np.full((1, 4), 0.25)
    free = np.array([[False, True, True, True]])
    Q = np.array([[1.0, 2.0, 2.0 + 1e-12, 0.0]])
    assert improve(behaviour, free, Q, behaviour).tolist() == [[0.25, 0.75, 0.0, 0.0]]
    assert improve_below(behaviour, free, Q, behaviour).tolist() == [[0.0, 1.0, 0.0, 0.0]]


def test_names_tell_variants_apart():
    assert [s.name for s in (SPIBB(3), SPIBB(3, strict=True), LowerSPIBB(3))] == [
        "SPIBB(3)",
        "SPIBB(3, strict)",
        "LowerSPIBB(3)",
    ]


def test_a_number_of_visits_is_positive():
    with pytest.raises(InvalidData, match="min_visits must be a positive whole number"):
        SPIBB(0)
