"""What a study consists of: domains, log sizes, trials and profiles; nothing is run here.

The log of a unit depends on the seed, the domain, the size and the trial, not on the profile: all
profiles see the same logs, so they can be compared log by log.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from tailsafe.arrays import check_count
from tailsafe.errors import InvalidData
from tailsafe.keys import as_key
from tailsafe.study.profile import Profile
from tailsafe.study.sources import Origin

METRICS = ("gain", "regret", "u", "u_exact", "seconds")
"""Columns of rows that say how good a method is, or what it costs."""

MAX_NAME = 60
"""Characters; names of domains and profiles become names of files."""


class Unit(NamedTuple):
    """The key of one unit of work; with the seed of the study it determines everything in it."""

    study: str
    domain: str
    profile: str
    size: int
    trial: int


@dataclass(frozen=True, slots=True)
class Grid:
    """The logs of one domain, and what is done with each.

    Parameters
    ----------
    label
        How rows, tables and figures call it.
    source
        Where it comes from.
    steps
        Transitions in an episode.
    sizes
        Transitions in a log, multiples of ``steps``.
    trials
        Logs of each size.
    profiles
        What is done with each log; all profiles see the same ones.
    """

    label: str
    source: Origin
    steps: int
    sizes: tuple[int, ...]
    trials: int
    profiles: tuple[Profile, ...]

    def __post_init__(self) -> None:
        for count, what in ((self.steps, "steps"), (self.trials, "trials")):
            check_count(count, f"{what} of domain {self.label}")
        _check_names([str(size) for size in self.sizes], f"sizes of domain {self.label}")
        for size in self.sizes:
            check_count(size, f"a size of domain {self.label}")
            if size % self.steps:
                raise InvalidData(
                    f"domain {self.label}: size {size} is no multiple of {self.steps} steps"
                )
        _check_names([profile.name for profile in self.profiles], f"profiles of {self.label}")

    def identity(self) -> dict[str, str]:
        """Return what decides the rows, by part; sizes and trials may change."""
        logs = {f"domain {self.label}": f"{self.source!r}, episodes of {self.steps}"}
        return logs | {
            f"profile {profile.name} on {self.label}": repr(profile) for profile in self.profiles
        }


@dataclass(frozen=True, slots=True)
class Study:
    """A named grid of units.

    Parameters
    ----------
    name
        Part of the key of every unit.
    seed
        Of all logs and of everything random that is done with them.
    grids
        The domains.
    metrics
        What the report has tables of, of ``METRICS``; rows hold all of them.
    """

    name: str
    seed: int
    grids: tuple[Grid, ...]
    metrics: tuple[str, ...] = ("gain",)

    def __post_init__(self) -> None:
        as_key(self.seed)
        _check_names([self.name], "names of a study")
        _check_names([grid.label for grid in self.grids], f"domains of study {self.name}")
        _check_names(self.metrics, f"metrics of study {self.name}")
        for metric in self.metrics:
            if metric not in METRICS:
                raise InvalidData(f"there is no metric {metric!r}; there are {', '.join(METRICS)}")

    def units(self) -> list[Unit]:
        """Return all units: the first trial of everything first."""
        return [
            Unit(self.name, grid.label, profile.name, size, trial)
            for trial in range(max(grid.trials for grid in self.grids))
            for grid in self.grids
            if trial < grid.trials
            for size in grid.sizes
            for profile in grid.profiles
        ]

    def grid(self, label: str) -> Grid:
        """Return the domain of this name."""
        return next(grid for grid in self.grids if grid.label == label)

    def profile(self, unit: Unit) -> Profile:
        """Return the profile of a unit."""
        return next(p for p in self.grid(unit.domain).profiles if p.name == unit.profile)

    def identity(self) -> dict[str, str]:
        """Return what decides the rows, by part: what it has in common with a store must agree."""
        parts = {"study": self.name, "seed": str(self.seed)}
        return parts | {key: of for grid in self.grids for key, of in grid.identity().items()}


def unit_seed(seed: int, unit: Unit) -> int:
    """Return the 32-bit seed of a unit: the same for all profiles, so that they share the log."""
    return hashed(f"{seed}/{unit.domain}/{unit.size}/{unit.trial}")


def hashed(text: str) -> int:
    """Return 32 bits that depend on all of the text."""
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:4], "big")


def _check_names(names: Sequence[str], what: str) -> None:
    if not names:
        raise InvalidData(f"there are no {what}")
    for name in names:
        if not name.strip() or len(name) > MAX_NAME or not name.isprintable():
            raise InvalidData(
                f"{what}: a name has 1 to {MAX_NAME} printable characters, got {name!r}"
            )
    if len(set(names)) < len(names):
        raise InvalidData(f"{what} must differ, got {', '.join(names)}")
