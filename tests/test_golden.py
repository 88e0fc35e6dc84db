"""The golden cases are what they say: the logs, the estimates and the models belong together."""

import numpy as np
import pytest

CASES = ["ring", "chain", "garnet1", "garnet2", "garnet3", "lake4"]


@pytest.mark.parametrize("name", CASES)
def test_the_log_gives_the_counts_and_the_most_likely_model(golden_case, name):
    case = golden_case(name)
    problem = case.problem()
    assert np.array_equal(problem.batch.counts(), case["N"])
    assert np.allclose(problem.nominal().transition, case["T_hat"], rtol=0, atol=1e-15)


@pytest.mark.parametrize("name", CASES)
def test_repeated_arrays_are_found_under_all_their_names(golden_case, name):
    case = golden_case(name)
    values = case["uno_short_own_is_values_0"]
    assert np.array_equal(values, case["uno_short_own_sn_values_4"])
    assert set(case) >= {"uno_short_own_is_values_0", "uno_short_own_sn_values_4"}


def test_the_models_are_a_posterior(golden_case):
    problem = golden_case("ring").problem(samples=True)
    assert problem.posterior.probability.shape == (200, problem.posterior.table.n_entries)
