"""Less than a whole study: some of its domains, profiles and logs, or one part for a job array."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from tailsafe.errors import InvalidData
from tailsafe.study.design import Grid, Study, Unit, hashed

QUICK_TRIALS = 3
"""Of ``quick``: how many logs of the smallest and of the largest size."""


@dataclass(frozen=True, slots=True)
class Part:
    """One of several parts of a study, for job arrays.

    The trials of each domain, profile and size are dealt to the parts in turn. So parts are alike,
    and a unit stays in its part when the study is extended.

    Parameters
    ----------
    number
        1, 2, ... ``parts``.
    parts
        How many there are.
    """

    number: int = 1
    parts: int = 1

    def __post_init__(self) -> None:
        if not 1 <= self.number <= self.parts:
            raise InvalidData(
                f"part {self.number}/{self.parts} does not exist: parts go from 1 to {self.parts}"
            )

    def has(self, unit: Unit) -> bool:
        """Return whether a unit belongs to this part."""
        first = hashed(f"{unit.domain}/{unit.profile}/{unit.size}")
        return (first + unit.trial) % self.parts == self.number - 1


WHOLE = Part()


def narrowed(
    study: Study,
    domains: Sequence[str] = (),
    profiles: Sequence[str] = (),
    trials: int | None = None,
    *,
    quick: bool = False,
) -> Study:
    """Return the part of a study that is asked for; it fits into the same store.

    Parameters
    ----------
    study
        The whole.
    domains
        By label, or by the first word of it (``lake`` for lake 1, lake 2, ...); empty: all.
    profiles
        By name; empty: all.
    trials
        Logs of each size; may be more than the study has.
    quick
        The smallest and the largest size only, and three logs of each unless ``trials`` says more.
    """
    called = {name for grid in study.grids for name in (grid.label, _family(grid))}
    _check("domain", domains, called, [grid.label for grid in study.grids])
    known = list(dict.fromkeys(p.name for grid in study.grids for p in grid.profiles))
    _check("profile", profiles, set(known), known)
    grids = [
        replace(
            grid,
            sizes=(min(grid.sizes), max(grid.sizes))[: len(grid.sizes)] if quick else grid.sizes,
            trials=trials or (QUICK_TRIALS if quick else grid.trials),
            profiles=tuple(p for p in grid.profiles if not profiles or p.name in profiles),
        )
        for grid in study.grids
        if (not domains or {grid.label, _family(grid)} & {*domains})
        and (not profiles or any(p.name in profiles for p in grid.profiles))
    ]
    if not grids:
        raise InvalidData(
            f"study {study.name}: no profile of {', '.join(profiles)} is made for "
            f"{', '.join(domains)}"
        )
    return replace(study, grids=tuple(grids))


def _family(grid: Grid) -> str:
    return grid.label.split()[0]


def _check(what: str, asked: Sequence[str], known: set[str], listed: Sequence[str]) -> None:
    for name in asked:
        if name not in known:
            raise InvalidData(f"there is no {what} {name!r}; there are {', '.join(listed)}")
