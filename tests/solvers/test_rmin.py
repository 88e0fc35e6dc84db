"""R-min: what was tried too rarely is worth the worst."""

import pytest

from tailsafe.errors import InvalidData, NotSupported
from tailsafe.solvers.nominal import Nominal
from tailsafe.solvers.rmin import RMin

REWARD, VISITS = [-0.1, 1.0, 2.0], [9, 5, 4]


@pytest.mark.parametrize(
    ("solver", "chosen"),
    [(RMin(1), 2), (RMin(4), 2), (RMin(4, strict=True), 1), (RMin(5), 1), (RMin(6), 0)],
)
def test_the_best_action_that_was_tried_often_enough_is_taken(bandit, solver, chosen):
    assert solver.solve(bandit(REWARD, VISITS)).actions[0] == chosen


def test_the_worst_is_the_smallest_reward_for_ever(bandit):
    reward = RMin(5).model(bandit(REWARD, VISITS)).reward[0]
    assert reward == pytest.approx([-0.1, 1.0, -0.1 / (1 - 0.9)])


def test_one_visit_is_enough_for_the_nominal_policy_where_all_was_tried(golden_case):
    problem = golden_case("garnet3").problem()
    assert RMin(1).solve(problem) == Nominal().solve(problem)


def test_discount_1_has_no_worst_value(bandit):
    with pytest.raises(NotSupported, match="use a discount below 1"):
        RMin().solve(bandit(REWARD, VISITS, discount=1.0))


def test_a_number_of_visits_is_positive():
    with pytest.raises(InvalidData, match="min_visits"):
        RMin(0)
