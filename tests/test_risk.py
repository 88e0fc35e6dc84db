"""Risk measures: closed forms, axioms, weighted samples, golden numbers."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from scipy.stats import norm

from tailsafe.errors import InvalidData
from tailsafe.risk import (
    CVaR,
    Mean,
    MeanDeviation,
    Mixture,
    Optimistic,
    Spectral,
    TailMean,
    VaR,
    soft_robust,
)

GOLDEN = np.load(Path(__file__).parent / "golden" / "selection.npz")
MEASURES = [
    VaR(0.25), VaR(0.05), CVaR(0.25), CVaR(0.05), TailMean(0.3), Mean(), Optimistic(0.25),
    MeanDeviation(0.5), soft_robust(0.25, 0.5), Spectral((0.0, 0.1, 1.0), (0.0, 0.6, 1.0)),
]  # fmt: skip
DISTORTIONS = [m for m in MEASURES if not isinstance(m, MeanDeviation | TailMean)]
# Whole numbers: a law's ties are then ties in floating point, too.
SAMPLES = hnp.arrays(float, st.integers(1, 30), elements=st.integers(-50, 50)).map(np.sort)


def test_var_is_the_smallest_value_with_enough_mass_at_or_below():
    values = np.array([1.0, 2.0, 3.0, 4.0])
    assert VaR(0.25).value(values) == 1.0
    assert VaR(0.26).value(values) == 2.0


def test_a_whole_rank_does_not_depend_on_rounding():
    values = np.arange(1.0, 101.0)
    assert [VaR(k / 100).value(values) for k in range(1, 100)] == list(range(1, 100))
    # .1 + .2 is a little more than .3, and ten tenths do not add up to 1.
    for weights in (None, np.full(10, 0.1)):
        assert VaR(0.1 + 0.2).value(np.arange(1.0, 11.0), weights) == 3.0


def test_cvar_splits_the_value_at_the_edge():
    assert CVaR(0.5).value(np.array([1.0, 2.0, 3.0, 4.0])) == 1.5
    assert CVaR(0.375).value(np.array([1.0, 2.0, 3.0, 4.0])) == pytest.approx((1.0 + 0.5 * 2) / 1.5)


def test_the_tail_mean_of_the_paper_keeps_an_atom_whole():
    values = np.array([0.0, 1.0, 1.0, 1.0])
    assert TailMean(0.5).value(values) == 0.75
    assert CVaR(0.5).value(values) == 0.5


def test_the_optimistic_mean_is_that_of_the_best_share():
    assert Optimistic(0.25).value(np.array([1.0, 2.0, 3.0, 4.0])) == 4.0


def test_mean_deviation_is_mean_minus_weighted_deviation():
    assert MeanDeviation(2.0).value(np.array([1.0, 3.0])) == 0.0


def test_a_normal_sample_meets_the_closed_forms():
    values = norm.ppf((np.arange(200_000) + 0.5) / 200_000)
    assert VaR(0.25).value(values) == pytest.approx(norm.ppf(0.25), abs=1e-3)
    assert CVaR(0.25).value(values) == pytest.approx(-norm.pdf(norm.ppf(0.25)) / 0.25, abs=1e-3)
    assert Optimistic(0.1).value(values) == pytest.approx(norm.pdf(norm.ppf(0.9)) / 0.1, abs=1e-3)


@pytest.mark.parametrize("level", [0.05, 0.25, 0.9])
def test_cvar_is_the_rockafellar_uryasev_maximum(level):
    values = np.sort(np.random.default_rng(1).integers(0, 20, size=37)).astype(float)
    best = max(c - np.maximum(c - values, 0.0).mean() / level for c in values)
    assert CVaR(level).value(values) == pytest.approx(best)


@pytest.mark.parametrize("risk", MEASURES, ids=lambda m: m.name)
@given(SAMPLES)
def test_shift_and_scale_pass_through(risk, values):
    assert risk.value(3.0 * values + 2.0) == pytest.approx(3.0 * risk.value(values) + 2.0)


@pytest.mark.parametrize("risk", DISTORTIONS, ids=lambda m: m.name)
@given(SAMPLES, st.data())
def test_a_better_law_never_scores_less(risk, values, data):
    gains = data.draw(hnp.arrays(float, len(values), elements=st.integers(0, 9)))
    assert risk.value(np.sort(values + gains)) >= risk.value(values) - 1e-9


@pytest.mark.parametrize("risk", MEASURES, ids=lambda m: m.name)
@given(SAMPLES, st.integers(2, 5))
def test_whole_weights_count_as_repeated_values(risk, values, times):
    repeats = 1 + np.arange(len(values)) % times
    repeated = np.repeat(values, repeats)
    assert risk.value(values, repeats / repeats.sum()) == pytest.approx(risk.value(repeated))


@pytest.mark.parametrize("risk", MEASURES, ids=lambda m: m.name)
def test_a_constant_is_its_own_risk_to_the_last_bit(risk):
    assert risk.value(np.full(7, 0.1)) == pytest.approx(0.1, abs=1e-16)


@given(SAMPLES, st.sampled_from([0.05, 0.25, 0.9]))
def test_cvar_exceeds_neither_var_nor_the_mean(values, level):
    cvar = CVaR(level).value(values)
    assert cvar <= VaR(level).value(values) + 1e-9
    assert cvar <= Mean().value(values) + 1e-9


@given(SAMPLES)
def test_a_spectral_measure_of_two_pieces_is_cvar(values):
    spectral = Spectral((0.0, 0.25, 1.0), (0.0, 1.0, 1.0))
    assert spectral.value(values) == pytest.approx(CVaR(0.25).value(values))


@pytest.mark.parametrize("case", [1, 2, 3, 4])
def test_golden_values_of_an_independent_program_are_reproduced(case):
    values, weights = GOLDEN[f"risk_z{case}"], GOLDEN[f"risk_p{case}"]
    order = np.argsort(values, kind="stable")
    for k, level in enumerate(GOLDEN["risk_alphas"]):
        cvar = CVaR(level) if level < 1.0 else Mean()
        for name, given_weights in (("w", weights[order]), ("u", None)):
            expected = GOLDEN[f"risk_avar_{name}{case}"][k]
            assert cvar.value(values[order], given_weights) == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("case", [1, 2, 3, 4])
@pytest.mark.parametrize("weight", ["1", "0.5"])
def test_golden_quantiles_are_reproduced(case, weight):
    values, share = np.sort(GOLDEN[f"risk_z{case}"]), float(weight)
    for level, expected in zip(
        GOLDEN["risk_alphas"], GOLDEN[f"risk_var_u{case}_{weight}"], strict=True
    ):
        # That program's answer at a whole rank depends on rounding: no target.
        if level < 1.0 and not (level * len(values)).is_integer():
            got = share * VaR(level).value(values) + (1.0 - share) * Mean().value(values)
            assert got == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("level", [-0.1, 0.0, 1.0, 2.0, float("nan")])
@pytest.mark.parametrize("measure", [VaR, CVaR, TailMean, Optimistic])
def test_a_level_outside_the_open_unit_interval_is_refused(measure, level):
    with pytest.raises(InvalidData, match="level"):
        measure(level)


def test_cvar_of_the_whole_law_points_to_the_mean():
    with pytest.raises(InvalidData, match=r"use Mean\(\)"):
        CVaR(1.0)


@pytest.mark.parametrize(
    ("masses", "shares"),
    [
        ((0.0, 1.0), (0.0, 0.5)),
        ((0.0, 0.6, 0.5, 1.0), (0.0, 0.1, 0.2, 1.0)),
        ((0.0, 1.0), (0.0, 0.5, 1.0)),
        ((0.0, 0.5, 0.5, 1.0), (0.0, 0.1, 0.2, 1.0)),
    ],
)
def test_a_distortion_that_is_none_is_refused(masses, shares):
    with pytest.raises(InvalidData, match=r"spectral|masses"):
        Spectral(masses, shares)


@pytest.mark.parametrize("risk", MEASURES, ids=lambda m: m.name)
def test_weights_count_by_their_share(risk):
    values, weights = np.arange(9.0) ** 2, np.array([1.0, 4, 2, 5, 3, 1, 1, 2, 6])
    expected = risk.value(values, weights / weights.sum())
    assert risk.value(values, weights) == pytest.approx(expected)


def test_a_soft_robust_measure_gives_its_weight_to_the_tail():
    values = np.arange(1.0, 9.0)
    assert soft_robust(0.25, 0.8).value(values) == pytest.approx(0.2 * 4.5 + 0.8 * 1.5)


def test_a_mixture_must_sum_to_one():
    with pytest.raises(InvalidData, match="sum to 1"):
        Mixture(((0.5, Mean()), (0.2, VaR(0.1))))


def test_a_negative_deviation_weight_is_refused():
    with pytest.raises(InvalidData, match="weight"):
        MeanDeviation(-1.0)


def test_an_empty_sample_is_refused():
    with pytest.raises(InvalidData, match="at least one value"):
        CVaR(0.5).value(np.empty(0))
