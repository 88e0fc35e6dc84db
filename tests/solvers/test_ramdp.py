"""RaMDP: a penalty for what was rarely tried."""

import pytest

from tailsafe.errors import InvalidData, NotSupported
from tailsafe.solvers.nominal import Nominal
from tailsafe.solvers.ramdp import RaMDP
from tailsafe.unseen import Zero


def test_the_penalty_falls_with_the_root_of_the_visits(bandit):
    problem = bandit([1.0, 0.9], [4, 100])
    reward = RaMDP(0.1).model(problem).reward[0]
    assert reward == pytest.approx([1.0 - 0.1 / 2, 0.9 - 0.1 / 10])
    # The first is better until kappa (1/2 - 1/10) eats up the difference of 0.1.
    assert [RaMDP(k).solve(problem).actions[0] for k in (0.0, 0.24, 0.26)] == [0, 0, 1]


def test_an_untried_action_is_worth_the_smallest_reward_for_ever(bandit):
    problem = bandit([0.2, 0.5, 9.0], [4, 4, 0])
    assert RaMDP(0.0).model(problem).reward[0] == pytest.approx([0.2, 0.5, 0.2 / (1 - 0.9)])


def test_with_an_offset_an_untried_action_has_a_large_penalty(bandit):
    problem = bandit([0.2, 0.5, 0.7], [4, 4, 0])
    reward = RaMDP(0.1, offset=1e-4).model(problem).reward[0]
    assert reward[2] == pytest.approx(0.7 - 0.1 / 1e-2)
    ended = RaMDP(0.1, offset=1e-4, unseen=Zero()).model(problem).reward[0]
    assert ended == pytest.approx([*reward[:2], -0.1 / 1e-2])


def test_without_a_penalty_it_is_the_nominal_policy_where_all_was_tried(golden_case):
    problem = golden_case("garnet3").problem()
    assert RaMDP(0.0).solve(problem) == Nominal().solve(problem)


def test_discount_1_needs_that_everything_was_tried(bandit):
    assert RaMDP().solve(bandit([0.0, 1.0], [1, 1], discount=1.0)).actions[0] == 1
    with pytest.raises(NotSupported, match="use a discount below 1"):
        RaMDP().solve(bandit([0.0, 1.0], [1, 0], discount=1.0))


def test_a_negative_penalty_is_refused():
    with pytest.raises(InvalidData, match="kappa must be a number of at least 0"):
        RaMDP(-0.1)
