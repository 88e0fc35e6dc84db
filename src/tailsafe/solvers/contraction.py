"""Values that one more backup does not change, for backups that shrink differences by the discount.

|B V - B W| <= discount |V - W|  implies  |V* - B V| <= discount / (1 - discount) |B V - V|
"""

from collections.abc import Callable

import numpy as np

from tailsafe.arrays import FloatArray
from tailsafe.errors import NotSupported

PRECISION = 1e-12
"""The proved error, as a share of the largest value."""


def fixed_point(
    backup: Callable[[FloatArray], FloatArray], start: FloatArray, discount: float
) -> FloatArray:
    """Return the V[s] with backup(V) = V, from a start by V <- backup(V)."""
    if discount == 1.0:
        raise NotSupported("the method has no finite values at discount 1: use a discount below 1")
    V, step = start, np.inf
    while True:
        new = backup(V)
        error = discount / (1.0 - discount) * float(np.abs(new - V).max())
        # Rounding may keep steps from shrinking any further.
        if error <= PRECISION * float(np.abs(new).max()) or error >= step:
            return new
        V, step = new, error
