"""Ranks: definitions in exact rationals, golden index pairs, coverage with and without atoms."""

from fractions import Fraction
from math import comb
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tailsafe import ranks
from tailsafe.errors import InvalidData

GOLDEN = np.load(Path(__file__).parent / "golden" / "selection.npz")
LEVELS = st.sampled_from([Fraction(1, 20), Fraction(1, 4), Fraction(1, 2), Fraction(9, 10)])
ALPHAS = st.sampled_from([Fraction(1, 100), Fraction(1, 5000), Fraction(1, 3)])


def mass(n, level, first, last):
    terms = (comb(n, k) * level**k * (1 - level) ** (n - k) for k in range(first, last + 1))
    return sum(terms, Fraction(0))


@given(st.integers(1, 60), LEVELS, ALPHAS)
def test_lo_and_hi_are_the_outermost_ranks_of_their_definitions(n, level, alpha):
    g, h = ranks.lo(n, float(level), float(alpha)), ranks.hi(n, float(level), float(alpha))
    assert g == max(k for k in range(n + 1) if mass(n, level, 0, k - 1) <= alpha)
    assert h == min(k for k in range(1, n + 2) if mass(n, level, k, n) <= alpha)


def test_too_few_samples_give_the_ends_of_the_support():
    assert ranks.lo(3, 0.05, 0.01) == 0
    assert ranks.hi(3, 0.95, 0.01) == 4


def test_a_lower_bound_exists_once_n_reaches_ln_alpha_over_ln_one_minus_q():
    needed = int(np.ceil(np.log(0.01) / np.log(0.75)))
    assert ranks.lo(needed - 1, 0.25, 0.01) == 0
    assert ranks.lo(needed, 0.25, 0.01) == 1


@given(st.integers(0, 40), ALPHAS)
def test_the_sign_test_needs_the_smallest_count_that_is_rare(m, alpha):
    half = Fraction(1, 2)
    expected = min(k for k in range(m + 2) if k > m or mass(m, half, k, m) <= alpha)
    assert ranks.sign_test_table(40, float(alpha))[m] == max(expected, 1)


def test_the_sign_test_table_rises_by_at_most_one_a_sample():
    steps = np.diff(ranks.sign_test_table(1 << 15, 2e-5))
    assert set(np.unique(steps)) <= {0, 1}


def test_checkpoints_grow_by_half_and_end_at_the_limit():
    sizes = ranks.checkpoints(1_000)
    assert sizes[:4] == (64, 96, 144, 216)
    assert sizes[-1] == 1_000
    assert len(ranks.checkpoints(2**19)) == 24
    assert ranks.checkpoints(2_000)[5:] == (486, 729, 1_094, 1_641, 2_000)
    assert ranks.checkpoints(10) == (10,)


@pytest.mark.parametrize("is_open", [False, True])
def test_golden_index_pairs_are_reproduced(is_open):
    interval = ranks.open_interval if is_open else ranks.printed_interval
    rows = GOLDEN["index_pairs"]
    rows = rows[rows[:, 3] == is_open]
    for n, level, alpha, _, g, h in rows:
        expected = None if g < 0 else (int(g), int(h))
        assert interval(int(n), level, alpha) == expected, (n, level, alpha)


def test_the_printed_interval_needs_strictly_more_than_one_minus_alpha():
    # n = 2, q = 1/2: P(1 <= B <= 1) is exactly 1/2.
    assert ranks.printed_interval(2, 0.5, 0.5) is None
    assert ranks.printed_interval(2, 0.5, 0.5 + 1e-9) == (1, 2)


def test_ranks_do_not_depend_on_how_a_level_is_rounded():
    assert ranks.quantile_rank(100, 0.07) == 7
    assert ranks.quantile_rank(10, 0.3) == 3
    assert ranks.quantile_rank(3, 0.1) == 1
    assert ranks.conformal_rank(99, 0.07) == 7


def test_a_fixed_precision_needs_the_printed_number_of_models():
    assert ranks.fixed_precision_size(0.25, 0.01, 0.01) == pytest.approx(12_440, abs=1)


def test_a_level_outside_the_open_unit_interval_is_refused():
    with pytest.raises(InvalidData, match=r"the level must be in \(0, 1\), got 1.0"):
        ranks.fixed_precision_size(1.0, 0.01, 0.01)


@pytest.mark.parametrize("level", [0.1, 0.25, 0.5])
@pytest.mark.parametrize("atom", [False, True])
def test_closed_rank_bounds_cover_the_quantile_as_promised(level, atom):
    rng, alpha, trials, n = np.random.default_rng(2), 0.1, 4_000, 200
    uniform = np.sort(rng.uniform(size=(trials, n)), axis=1)
    sample, quantile = uniform, level
    if atom:  # a tenth of the mass sits on the quantile, just reaching it
        sample = np.where((uniform > level - 0.02) & (uniform < level + 0.08), level, uniform)
    lower = sample[:, ranks.lo(n, level, alpha) - 1]
    upper = sample[:, ranks.hi(n, level, alpha) - 1]
    allowance = 3 * np.sqrt(alpha * (1 - alpha) / trials)
    assert (lower <= quantile).mean() >= 1 - alpha - allowance
    assert (upper >= quantile).mean() >= 1 - alpha - allowance


@pytest.mark.parametrize("level", [0.05, 0.25])
def test_a_further_draw_is_below_the_conformal_rank_as_often_as_promised(level):
    rng, trials, n = np.random.default_rng(3), 20_000, 99
    sample = np.sort(rng.normal(size=(trials, n)), axis=1)
    below = rng.normal(size=trials) < sample[:, ranks.conformal_rank(n, level) - 1]
    assert abs(below.mean() - level) <= 3 * np.sqrt(level * (1 - level) / trials)
