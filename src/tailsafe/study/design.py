"""What a study consists of: domains, log sizes, trials and profiles; nothing is run here.

The log of a unit depends on the seed, the domain, the size and the trial, not on the profile: all
profiles see the same logs, so they can be compared log by log.
"""

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from tailsafe import domains
from tailsafe.arrays import check_count
from tailsafe.domains.domain import Domain
from tailsafe.errors import InvalidData
from tailsafe.keys import Key, Stream, as_key
from tailsafe.mdp import MDP
from tailsafe.posterior import Dirichlet
from tailsafe.study.profile import Profile
from tailsafe.table import Table

Argument = int | float | str
"""What a domain may be parametrised with."""


class Unit(NamedTuple):
    """The key of one unit of work; with the seed of the study it determines everything in it."""

    study: str
    domain: str
    profile: str
    size: int
    trial: int


@dataclass(frozen=True, slots=True)
class Source:
    """A domain by its name: what travels to a worker instead of its arrays.

    Parameters
    ----------
    function
        A function of ``tailsafe.domains``.
    arguments
        Its keyword arguments.
    """

    function: str
    arguments: tuple[tuple[str, Argument], ...] = ()

    def domain(self, trial: int) -> Domain:
        """Return the domain, the same for every trial."""
        del trial
        if self.function.startswith("_") or not hasattr(domains, self.function):
            raise InvalidData(f"there is no domain {self.function!r} in tailsafe.domains")
        try:
            made: Domain = getattr(domains, self.function)(**dict(self.arguments))
        except TypeError as error:
            raise InvalidData(f"domain {self.function}: {error}") from None
        return made


@dataclass(frozen=True, slots=True)
class FromPrior:
    """The task of a domain with another truth in each trial, drawn from the flat prior.

    The posterior is right on average over such truths: what the certificate promises can be
    checked against them.
    """

    source: Source

    def domain(self, trial: int) -> Domain:
        """Return the domain with truth number ``trial``."""
        given = self.source.domain(trial)
        task = given.task
        table = Table.full(task.n_states, task.n_actions)
        prior = Dirichlet(table, np.ones(table.n_entries), np.zeros(table.n_rows, bool))
        drawn = prior.models(trial, trial + 1, Key(0, Stream.STUDY))[0]
        return Domain(given.name, task, MDP(task, table, drawn), given.source)


@dataclass(frozen=True, slots=True)
class Grid:
    """The logs of one domain.

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
    """

    label: str
    source: Source | FromPrior
    steps: int
    sizes: tuple[int, ...]
    trials: int

    def __post_init__(self) -> None:
        check_count(self.steps, f"steps of domain {self.label}")
        check_count(self.trials, f"trials of domain {self.label}")
        if not self.sizes or len(set(self.sizes)) < len(self.sizes):
            raise InvalidData(f"domain {self.label} needs sizes without repeats, got {self.sizes}")
        for size in self.sizes:
            if size < 1 or size % self.steps:
                raise InvalidData(
                    f"domain {self.label}: size {size} is no multiple of {self.steps} steps"
                )

    @property
    def identity(self) -> str:
        """What decides the logs, apart from sizes and trials."""
        return f"{self.source!r}, episodes of {self.steps}"


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
    profiles
        What is done with each log.
    """

    name: str
    seed: int
    grids: tuple[Grid, ...]
    profiles: tuple[Profile, ...]

    def __post_init__(self) -> None:
        as_key(self.seed)
        for what, names in (
            ("domain", [grid.label for grid in self.grids]),
            ("profile", [profile.name for profile in self.profiles]),
        ):
            if not names or len(set(names)) < len(names):
                raise InvalidData(f"a study needs {what}s, each with its own name, got {names}")

    def units(self) -> Iterator[Unit]:
        """Yield all units: first trial of everything first, so that a part is balanced."""
        for trial in range(max(grid.trials for grid in self.grids)):
            for grid in self.grids:
                if trial < grid.trials:
                    for size in grid.sizes:
                        for profile in self.profiles:
                            yield Unit(self.name, grid.label, profile.name, size, trial)

    def grid(self, label: str) -> Grid:
        """Return the domain of this name."""
        return next(grid for grid in self.grids if grid.label == label)

    def profile(self, name: str) -> Profile:
        """Return the profile of this name."""
        return next(profile for profile in self.profiles if profile.name == name)

    def identity(self) -> dict[str, str]:
        """Return what decides the rows, by part: unlike sizes and trials, it must not change."""
        parts = {"study": self.name, "seed": str(self.seed)}
        parts |= {f"domain {grid.label}": grid.identity for grid in self.grids}
        return parts | {f"profile {profile.name}": repr(profile) for profile in self.profiles}


def unit_seed(seed: int, unit: Unit) -> int:
    """Return the 32-bit seed of a unit: the same for all profiles, so that they share the log."""
    words = f"{seed}/{unit.domain}/{unit.size}/{unit.trial}".encode()
    return int.from_bytes(hashlib.sha256(words).digest()[:4], "big")


def part(units: list[Unit], number: int, parts: int) -> list[Unit]:
    """Return part ``number`` (1 .. parts) of the units, for job arrays: every parts-th one."""
    if not 1 <= number <= parts:
        raise InvalidData(f"part {number}/{parts} does not exist: parts go from 1 to {parts}")
    return units[number - 1 :: parts]
