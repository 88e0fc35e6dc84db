"""Array types, and the checks at the door: read-only copies, shapes, ranges, distributions.

Axis letters, in this order everywhere: m model, p policy, s state, a action, t next state;
e is an entry of a ``Table``. A row is the pair (s, a), numbered s * n_actions + a.
"""

from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from tailsafe.errors import InvalidData

FloatArray: TypeAlias = npt.NDArray[np.float64]
IntArray: TypeAlias = npt.NDArray[np.int64]
BoolArray: TypeAlias = npt.NDArray[np.bool_]

SUM_TOLERANCE = 1e-9
"""Distributions whose sum is off by more are refused; by less, they are renormalised."""

ROUNDING = 1e-12
"""A sum that is off by no more than this is mere rounding, not worth a note."""


def frozen_floats(values: npt.ArrayLike, name: str) -> FloatArray:
    """Return a read-only float64 copy; anything but finite numbers is refused."""
    array = _numbers(values, name)
    check_finite(array, name)
    array.flags.writeable = False
    return array


def _numbers(values: npt.ArrayLike, name: str) -> FloatArray:
    try:
        given = np.asarray(values)
        # numpy would read texts and dates, and drop imaginary parts.
        if given.dtype.kind not in "biufO":
            raise TypeError(f"its elements are of type {given.dtype.type.__name__}")
        return np.array(given, dtype=np.float64, order="C")
    except (TypeError, ValueError, OverflowError) as error:
        raise InvalidData(f"{name} is not an array of numbers: {error}") from None


def frozen_ints(values: npt.ArrayLike, name: str) -> IntArray:
    """Return a read-only int64 copy; numbers that are not whole, or too large, are refused."""
    floats = frozen_floats(values, name)
    _refuse(np.abs(floats) >= 2.0**63, floats, name, "too large for a whole number of 64 bits")
    raw = np.asarray(values)
    # Whole numbers beyond 2**53 do not survive as floats.
    array = raw.astype(np.int64) if raw.dtype.kind in "iu" else floats.astype(np.int64)
    if raw.dtype.kind not in "iu":
        _refuse(array != floats, floats, name, "not a whole number")
    array.flags.writeable = False
    return array


def _refuse(wrong: BoolArray, values: FloatArray, name: str, what: str) -> None:
    if wrong.any():
        at = first_index(wrong)
        raise InvalidData(f"{name}{where(at)} is {values[at]}, {what}")


def frozen_bools(values: npt.ArrayLike, name: str) -> BoolArray:
    """Return a read-only boolean copy; anything but true, false, 0 and 1 is refused."""
    is_mask = isinstance(values, np.ndarray) and values.dtype == np.bool_
    raw = np.asarray(values) if is_mask else frozen_floats(values, name)
    if not is_mask and not np.isin(raw, (0.0, 1.0)).all():
        raise InvalidData(f"{name} is not a mask: it has values other than true and false")
    array = raw.astype(np.bool_, order="C")
    array.flags.writeable = False
    return array


def check_shape(array: npt.NDArray[np.generic], shape: tuple[int, ...], name: str) -> None:
    """Raise InvalidData unless the array has this shape."""
    if array.shape != shape:
        raise InvalidData(f"{name} has shape {array.shape}, expected {shape}")


def check_finite(array: FloatArray, name: str) -> None:
    """Raise InvalidData at the first value that is NaN or infinite."""
    bad = ~np.isfinite(array)
    if bad.any():
        at = first_index(bad)
        raise InvalidData(f"{name}{where(at)} is {array[at]}, not a finite number")


def check_range(array: IntArray, stop: int, name: str, what: str) -> None:
    """Raise InvalidData at the first index outside 0 .. stop - 1."""
    bad = (array < 0) | (array >= stop)
    if bad.any():
        at = first_index(bad)
        raise InvalidData(f"{name}{where(at)} is {array[at]}, but {what} is {stop}")


def check_type(value: object, kind: type, name: str) -> None:
    """Raise InvalidData unless the value is an object of this type."""
    if not isinstance(value, kind):
        raise InvalidData(f"{name} must be a {kind.__name__}, got {type(value).__name__}")


def check_count(value: object, name: str) -> None:
    """Raise InvalidData unless the value is a positive whole number."""
    if isinstance(value, bool) or not isinstance(value, int | np.integer) or value < 1:
        raise InvalidData(f"{name} must be a positive whole number, got {value!r}")


def as_distributions(
    values: FloatArray, name: str, required: BoolArray | None = None
) -> tuple[FloatArray, tuple[str, ...]]:
    """Return the rows (last axis) divided by their sums, and a note if that changed them.

    Rows outside ``required`` may be all zero. Sums further from 1 than 1e-9 are refused.
    """
    check_not_negative(values, name)
    with np.errstate(over="ignore"):  # an infinite sum is refused like any other
        totals = values.sum(axis=-1)
    exempt = np.zeros(totals.shape, bool) if required is None else ~required & (totals == 0.0)
    off = np.where(exempt, 0.0, np.abs(totals - 1.0))
    if (off > SUM_TOLERANCE).any():
        at = first_index(off > SUM_TOLERANCE)
        raise InvalidData(f"{name}{where(at)} is not a distribution: sums to {totals[at]:.12g}")
    return _divided(values, totals, off, name)


def _divided(
    values: FloatArray, totals: FloatArray, off: FloatArray, name: str
) -> tuple[FloatArray, tuple[str, ...]]:
    # A sum that is off by a rounding error only is left as it is: dividing by it would change
    # the bits of a policy or model each time that it passes through a constructor.
    noticeable = off > ROUNDING
    if not noticeable.any():
        return values, ()
    scaled = np.where(
        noticeable[..., None], values / np.where(noticeable, totals, 1.0)[..., None], values
    )
    scaled.flags.writeable = False
    count, worst = int(noticeable.sum()), float(off.max())
    note = f"{name}: {count} distribution(s) renormalised, sums were off by up to {worst:.1e}"
    return scaled, (note,)


def check_not_negative(values: FloatArray, name: str) -> None:
    """Raise InvalidData at the first negative value."""
    if (values < 0.0).any():
        at = first_index(values < 0.0)
        raise InvalidData(f"{name}{where(at)} is {values[at]}, negative")


def first_index(mask: BoolArray) -> tuple[int, ...]:
    """Return the index of the first true element."""
    return tuple(int(i) for i in np.unravel_index(int(np.argmax(mask)), mask.shape))


def where(index: tuple[int, ...]) -> str:
    """Return an index as it is written after a name; nothing for a scalar."""
    return f"[{', '.join(map(str, index))}]" if index else ""
