"""The policy of the most likely model, at any discount."""

import numpy as np
import pytest

from tailsafe.errors import InvalidData, NotSupported
from tailsafe.solvers.nominal import Nominal
from tailsafe.unseen import Absorb, Zero

CASES = ["ring", "chain", "garnet1", "garnet2", "garnet3", "lake4"]
GAP = 1e-9


@pytest.mark.parametrize("name", CASES)
def test_it_is_the_published_trivial_policy_where_there_are_no_ties(golden_case, name):
    case = golden_case(name)
    clear = case["trivial_gap"] > GAP
    actions = Nominal().solve(case.problem()).actions
    assert np.array_equal(actions[clear], case["trivial_policy_quantecon"][clear])
    absorb = Nominal(unseen=Absorb(int(case["S"]) - 1)).solve(case.problem()).actions
    clear = case["trivial_absorb_gap"] > GAP
    assert np.array_equal(absorb[clear], case["trivial_absorb_policy_quantecon"][clear])


@pytest.mark.parametrize("name", CASES)
def test_a_lower_discount_gives_the_published_policies(golden_case, name):
    case = golden_case(name)
    for j, discount in enumerate(case["cand_gammas"]):
        clear = case["cand_gap"][3, j] > GAP
        actions = Nominal(float(discount)).solve(case.problem()).actions
        assert np.array_equal(actions[clear], case["cand_policy_quantecon"][3, j][clear])


def test_at_discount_0_only_the_next_reward_counts(golden_case):
    problem = golden_case("garnet2").problem()
    nominal = problem.nominal()
    reward = problem.task.expected_reward(nominal.table, nominal.probability)
    assert np.array_equal(Nominal(0.0).solve(problem).actions, reward.argmax(axis=1))


def test_a_discount_above_that_of_the_task_is_refused(bandit):
    with pytest.raises(NotSupported, match=r"discount 0\.95 is above the task's, 0\.9"):
        Nominal(0.95).solve(bandit([1.0, 0.0], [1, 1]))
    with pytest.raises(InvalidData, match="discount must be in"):
        Nominal(1.5)


def test_the_name_tells_discount_and_convention():
    names = [s.name for s in (Nominal(), Nominal(0.2), Nominal(0.2, Zero()))]
    assert names == ["Nominal", "Nominal(discount 0.2)", "Nominal(discount 0.2, unseen Zero())"]
