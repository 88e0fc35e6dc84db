"""The policies of models drawn from the posterior."""

import numpy as np
import pytest

import tailsafe as ts
from tailsafe.errors import InvalidData, NotSupported
from tailsafe.solvers.sampled_model import SampledModel


@pytest.mark.parametrize("name", ["ring", "chain", "garnet1", "garnet2"])
def test_explicit_models_give_the_published_candidates(golden_case, name):
    case = golden_case(name)
    problem = case.problem(samples=True)
    for i in range(3):
        for j, discount in enumerate(case["cand_gammas"]):
            clear = case["cand_gap"][i, j] > 1e-9
            actions = SampledModel(i, float(discount)).solve(problem).actions
            assert np.array_equal(actions[clear], case["cand_policy_quantecon"][i, j][clear])


def test_it_solves_the_model_of_its_index_among_the_candidates_own_draws(golden_case):
    problem = golden_case("garnet2").problem()
    drawn = problem.posterior.models(0, 5, ts.Key(7, ts.Stream.CANDIDATES))
    mdp = ts.MDP(problem.task, problem.posterior.table, drawn[4])
    assert SampledModel(4).solve(problem, seed=7) == ts.solve(mdp)[0]


def test_an_index_beyond_a_list_of_models_is_refused(golden_case):
    problem = golden_case("ring").problem(samples=True)
    with pytest.raises(NotSupported, match=r"model 200 was asked for, .* list of 200"):
        SampledModel(200).solve(problem)


@pytest.mark.parametrize("index", [-1, 1.5, True, "first"])
def test_an_index_is_a_whole_number_of_at_least_0(index):
    with pytest.raises(InvalidData, match="index must be a whole number"):
        SampledModel(index)


def test_the_name_tells_index_and_discount():
    assert SampledModel(2, 0.4).name == "SampledModel(2, discount 0.4)"
