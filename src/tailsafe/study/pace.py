"""How long a study will still take, from what its finished units took.

left = sum over the units to do of the mean seconds of finished units of the same domain, profile
and size (of all units, where there is none); remaining = left / (seconds of work done per second).
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from statistics import fmean
from time import perf_counter
from typing import TypeAlias

from tailsafe.study.design import Unit

Cell: TypeAlias = tuple[str, str, int]


@dataclass(frozen=True, slots=True)
class Pace:
    """What units took so far, by domain, profile and size; filled in as they are finished."""

    left: Counter[Cell]
    spent: dict[Cell, list[float]]
    now: list[float] = field(default_factory=list)
    began: float = field(default_factory=perf_counter)

    def add(self, unit: Unit, seconds: float) -> None:
        """Take note of a unit that was done now."""
        cell = _cell(unit)
        self.left[cell] -= 1
        self.spent.setdefault(cell, []).append(seconds)
        self.now.append(seconds)

    def skip(self, unit: Unit) -> None:
        """Take note of a unit that will not be done."""
        self.left[_cell(unit)] -= 1

    def remaining(self) -> float | None:
        """Return seconds, or None before the first unit is finished."""
        done = sum(self.now)
        if done <= 0.0:
            return None
        mean = fmean(seconds for cell in self.spent.values() for seconds in cell)
        work = sum(
            units * (fmean(self.spent[cell]) if cell in self.spent else mean)
            for cell, units in self.left.items()
        )
        return work * (perf_counter() - self.began) / done


def pace_of(todo: Iterable[Unit], known: Mapping[Unit, float]) -> Pace:
    """Return the pace before anything is done now.

    Parameters
    ----------
    todo
        The units to do.
    known
        What units took that were done before.
    """
    spent: dict[Cell, list[float]] = {}
    for unit, seconds in known.items():
        spent.setdefault(_cell(unit), []).append(seconds)
    return Pace(Counter(_cell(unit) for unit in todo), spent)


def _cell(unit: Unit) -> Cell:
    return unit.domain, unit.profile, unit.size
