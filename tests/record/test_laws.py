"""The law of a policy's performance: quantiles and moments of plain and weighted samples."""

from dataclasses import replace

import numpy as np
import pytest

import tailsafe as ts
from tailsafe.record.laws import Law, laws, level_of, n_shared


def test_quantiles_are_the_smallest_values_with_enough_mass_at_or_below():
    quantiles = Law(np.arange(1.0, 401.0), None).quantiles()
    assert len(quantiles) == 201
    assert (quantiles[0], quantiles[1], quantiles[50], quantiles[-1]) == (1.0, 2.0, 100.0, 400.0)


def test_weights_count_as_repetitions():
    rng = np.random.default_rng(0)
    values, times = np.sort(rng.normal(size=50)), rng.integers(1, 6, 50)
    weighted = Law(values, times / times.sum())
    repeated = Law(np.repeat(values, times), None)
    assert weighted.quantiles() == repeated.quantiles()
    assert weighted.mean == pytest.approx(repeated.mean)
    assert weighted.sd == pytest.approx(repeated.sd)
    assert weighted.of(ts.CVaR(0.3)) == pytest.approx(repeated.of(ts.CVaR(0.3)))


def test_a_list_of_models_is_shown_as_it_is(golden_case):
    problem = golden_case("ring").problem(samples=True)
    policy = ts.Policy.uniform(5, 3)
    (law,) = laws(problem, [policy], 0, ts.Engine())
    n = len(problem.posterior)
    U = ts.performances(problem.posterior, problem.task, [policy], 0, n, 0)[0]
    assert n_shared(problem) == n
    assert law.values == pytest.approx(np.sort(U))
    assert law.weights is not None


@pytest.mark.parametrize(("n_states", "n"), [(5, 2_000), (64, 2_000), (256, 500), (716, 200)])
def test_large_problems_are_shown_on_fewer_models(n_states, n):
    class Sized:
        posterior = None

        def __init__(self):
            self.n_states = n_states

    assert n_shared(Sized()) == n


def test_var_and_cvar_are_shown_at_the_level_of_the_question():
    assert level_of(ts.CVaR(0.1)) == level_of(ts.VaR(0.1)) == 0.1
    assert level_of(ts.Mean()) == 0.25


def test_the_weights_of_a_list_stay_with_their_models(golden_case):
    problem = golden_case("ring").problem(samples=True)
    listed, n = problem.posterior, len(problem.posterior)
    weights = np.random.default_rng(1).dirichlet(np.ones(n))
    weighted = ts.Samples.on_table(listed.table, listed.probability, weights)
    policy = ts.Policy.uniform(5, 3)
    (law,) = laws(replace(problem, posterior=weighted), [policy], 0, ts.Engine())
    U = ts.performances(weighted, problem.task, [policy], 0, n, 0)[0]
    assert law.mean == pytest.approx(U @ weights)
    assert law.sd == pytest.approx(np.sqrt(weights @ (U - U @ weights) ** 2))


def test_laws_are_shown_on_models_that_no_race_sees(posed, candidates):
    problem, policies = posed.problem, [c.policy for c in candidates]
    shown = laws(problem, policies, 5, ts.Engine())
    key = ts.Key(5, ts.Stream.EXPLAIN)
    U = np.sort(ts.performances(problem.posterior, problem.task, policies, 0, 2_000, key), axis=1)
    assert np.array_equal([law.values for law in shown], U)
