"""Axes and densities: closed forms."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tailsafe.report.scale import Scale, density, round_step, scale_over, tick_label

FINITE = st.floats(-1e9, 1e9, allow_nan=False)


@given(st.lists(FINITE, min_size=1, max_size=8))
def test_an_axis_holds_all_its_values_and_has_a_width(values):
    scale = scale_over(values)
    assert scale.low < scale.high
    assert all(scale.holds(v) for v in values)
    assert all(scale.low <= t <= scale.high or t == pytest.approx(scale.low, abs=1e-9)
               or t == pytest.approx(scale.high) for t in scale.ticks())  # fmt: skip


def test_shares_run_from_the_low_end_to_the_high_end():
    scale = Scale(-2.0, 6.0)
    assert [scale.share(v) for v in (-2.0, 0.0, 6.0)] == [0.0, 0.25, 1.0]


def test_what_is_not_finite_does_not_stretch_an_axis():
    assert scale_over([1.0, np.inf, np.nan, 2.0], 0.0) == Scale(1.0, 2.0)


def test_a_single_value_gets_an_axis_around_it():
    assert scale_over([5.0]) == Scale(4.75, 5.25)
    assert scale_over([]) == Scale(-1.0, 1.0)


@pytest.mark.parametrize(
    ("step", "rounded"), [(0.9, 1.0), (1.0, 1.0), (1.1, 2.0), (0.03, 0.05), (60.0, 100.0)]
)
def test_steps_are_rounded_up_to_one_two_or_five(step, rounded):
    assert round_step(step) == pytest.approx(rounded)


def test_ticks_are_round_and_inside():
    assert Scale(0.13, 0.91).ticks(4) == pytest.approx([0.2, 0.4, 0.6, 0.8])
    assert Scale(-1.0, 1.0).ticks(4) == pytest.approx([-1.0, -0.5, 0.0, 0.5, 1.0])


@pytest.mark.parametrize(
    ("value", "step", "shown"),
    [(-1e-17, 0.5, "0"), (-0.5, 0.5, "−0.5"), (1500.0, 500.0, "1,500"), (0.25, 0.05, "0.25"),
     (3e8, 1e8, "3e+08")],
)  # fmt: skip
def test_ticks_print_as_many_digits_as_their_step_needs(value, step, shown):
    assert tick_label(value, step) == shown


def test_the_density_of_normal_quantiles_is_the_normal_density():
    draws = np.random.default_rng(0).normal(size=200_000)
    grid = np.linspace(-2.0, 2.0, 9)
    height = density(np.quantile(draws, np.linspace(0, 1, 201)), grid, 2_000)
    assert height / height[4] == pytest.approx(np.exp(-(grid**2) / 2), abs=0.06)


def test_a_density_peaks_at_one_and_a_constant_has_none():
    grid = np.linspace(0, 1, 50)
    assert density(np.linspace(0, 1, 201), grid, 100).max() == 1.0
    assert not density(np.full(201, 0.3), grid, 100).any()
