"""From numbers to positions: axes with round ticks, densities from quantiles, short numbers."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, floor, isfinite, log10

import numpy as np

from tailsafe.arrays import FloatArray

FLAT = 1e-9
"""A range narrower than this share of its magnitude is drawn as a single value."""


@dataclass(frozen=True, slots=True)
class Scale:
    """An axis from low to high; a range without width is opened around its value."""

    low: float
    high: float

    def share(self, value: float) -> float:
        """Return where on the axis a value lies: 0 at the low end, 1 at the high end."""
        return (value - self.low) / (self.high - self.low)

    def holds(self, value: float) -> bool:
        """Return whether a value lies on the axis."""
        return self.low <= value <= self.high

    def ticks(self, count: int = 6) -> list[float]:
        """Return about ``count`` round values on the axis."""
        step = round_step((self.high - self.low) / count)
        first, last = ceil(self.low / step - FLAT), floor(self.high / step + FLAT)
        return [step * k for k in range(first, last + 1)]


def scale_over(values: Sequence[float], margin: float = 0.03) -> Scale:
    """Return the axis that holds all finite values, with a margin on both sides."""
    finite = [value for value in values if isfinite(value)] or [0.0]
    low, high = min(finite), max(finite)
    magnitude = max(abs(low), abs(high))
    if high - low <= FLAT * magnitude or high == low:
        reach = 0.05 * magnitude or 1.0
        return Scale(low - reach, high + reach)
    return Scale(low - margin * (high - low), high + margin * (high - low))


def round_step(step: float) -> float:
    """Return 1, 2 or 5 times a power of ten, at least the given step."""
    power = 10.0 ** floor(log10(step))
    return power * next(factor for factor in (1, 2, 5, 10) if factor * power >= step * (1 - FLAT))


def tick_label(value: float, step: float) -> str:
    """Return a tick as it is printed: as many digits as its step needs."""
    decimals = max(0, -floor(log10(step) + FLAT))
    if max(abs(value), step) >= 1e7 or step < 1e-5:
        return f"{0.0 if abs(value) < step / 2 else value:.3g}".replace("-", "−")
    return f"{value:,.{decimals}f}".replace("-", "−") if abs(value) > step / 2 else "0"


def density(quantiles: FloatArray, grid: FloatArray, n_models: int) -> FloatArray:
    """Return the smoothed density on a grid, its peak scaled to 1; all 0 without any width.

    A Gaussian kernel on equally likely quantiles, with Silverman's width (B. W. Silverman,
    Density Estimation for Statistics and Data Analysis, 1986, eq. 3.31) for as many models.
    """
    middle = (quantiles[1:] + quantiles[:-1]) / 2.0
    spread = float(middle.std())
    inner = float(np.subtract(*np.percentile(middle, [75, 25]))) / 1.34
    width = 0.9 * (min(spread, inner) if inner > 0.0 else spread) * max(n_models, 2) ** -0.2
    if spread <= FLAT * max(1e-300, float(np.abs(quantiles).max())) or width <= 0.0:
        return np.zeros(len(grid))
    kernel = np.exp(-0.5 * ((grid[:, None] - middle[None, :]) / width) ** 2)
    height: FloatArray = kernel.sum(axis=1)
    peak = float(height.max())
    return height / peak if peak > 0.0 else np.zeros(len(grid))
