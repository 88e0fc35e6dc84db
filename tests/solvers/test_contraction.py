"""Contractions: the promised precision, from whichever side."""

import numpy as np
import pytest

from tailsafe.errors import NotSupported
from tailsafe.solvers.contraction import fixed_point


@pytest.mark.parametrize("start", [0.0, 1e3, -1e3])
@pytest.mark.parametrize("discount", [0.0, 0.5, 0.99])
def test_it_is_followed_to_the_precision_of_its_numbers(start, discount):
    # V = 1 + discount V, from below and from above.
    value = 1.0 / (1.0 - discount)
    found = fixed_point(lambda V: 1.0 + discount * V, np.full(2, start), discount)
    assert found == pytest.approx(value, rel=3e-12)


def test_rounding_does_not_keep_it_busy():
    # Steps of the last bit, for ever: no step is smaller than the one before.
    flips = iter(range(10_000))

    def backup(V):
        return np.nextafter(1.0, next(flips) % 2 * 2.0) * 1e12 * np.ones_like(V)

    assert fixed_point(backup, np.zeros(1), 0.999_999) == pytest.approx(1e12)
    assert next(flips) < 10


def test_discount_1_is_refused():
    with pytest.raises(NotSupported, match="use a discount below 1"):
        fixed_point(lambda V: V, np.zeros(2), 1.0)
