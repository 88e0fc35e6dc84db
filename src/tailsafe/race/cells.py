"""Tests in every cell of a lattice: the quantile a_i lies in one of them, it is not known in which.

The cells are [kD, (k + 1)D). A test of cells first .. last at once has, sample by sample, no gain
that a test of one of them would not have: if it rejects, so does each of them, and there is no
need to look closer.
"""

from collections.abc import Callable
from typing import TypeAlias

from tailsafe.race.wealth import largest_below

GROUP = 256
"""Cells tested at once, at most; tests within a group bet on one scale."""

MOST_GROUPS = 4_096
PARTS = 16
"""Cells are not told apart further where a bound only has to be nearly the best one."""

Excluded: TypeAlias = Callable[[int, int], bool]
"""(first, last) -> whether the hypothesis is rejected in each of these cells of one group."""


def excluded_everywhere(excluded: Excluded, cells: tuple[int, int], likely: int) -> bool:
    """Return whether the hypothesis is rejected in each of cells first .. last.

    Parameters
    ----------
    excluded
        The test.
    cells
        First and last.
    likely
        The cell where a rejection is least to be expected: most hypotheses fall or stand there.
    """
    first, last = cells
    if last // GROUP - first // GROUP >= MOST_GROUPS:
        return False
    if not all(excluded(k, k) for k in dict.fromkeys((likely, first, last))):
        return False
    waiting = _groups(first, last)
    while waiting:
        a, b = waiting.pop()
        if excluded(a, b):
            continue
        if a == b:
            return False
        middle = (a + b) // 2
        waiting += [(a, middle), (middle + 1, b)]
    return True


def least_excluded(
    excluded_at: Callable[[float], Excluded],
    cells: tuple[int, int],
    likely: int,
    ends: tuple[float, float],
    close: float,
) -> float:
    """Return a value, nearly the smallest, at which the hypothesis is rejected in each cell.

    Parameters
    ----------
    excluded_at
        The test at a value; what it rejects at one, it rejects at all greater ones.
    cells, likely
        As of ``excluded_everywhere``.
    ends
        Where to begin, and a value at which nothing needs to be tested.
    close
        How near to the smallest one.
    """
    value, highest = ends
    first, last = cells
    if last // GROUP - first // GROUP >= MOST_GROUPS:
        return highest
    step = max(1, -(-(last - first + 1) // PARTS))
    parts = [
        (k, min(k + step - 1, b)) for a, b in _groups(first, last) for k in range(a, b + 1, step)
    ]
    # The likely part first: once it is rejected, the others mostly are.
    for a, b in sorted(parts, key=lambda part: not part[0] <= likely <= part[1]):
        if not excluded_at(value)(a, b):
            value = smallest_above(
                lambda v, a=a, b=b: excluded_at(v)(a, b),  # type: ignore[misc]
                value,
                highest,
                close,
            )
    return value


def _groups(first: int, last: int) -> list[tuple[int, int]]:
    starts = [first, *range((first // GROUP + 1) * GROUP, last + 1, GROUP)]
    return list(zip(starts, [k - 1 for k in starts[1:]] + [last], strict=True))


def smallest_above(holds: Callable[[float], bool], low: float, high: float, close: float) -> float:
    """Return, up to ``close``, the smallest value from which on it holds; it holds at ``high``."""
    return -largest_below(lambda value: holds(-value), -high, -low, close)
