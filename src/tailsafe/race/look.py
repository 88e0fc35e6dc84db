"""What the parts of a race tell each other: looks, verdicts, who is left, how it ended."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, Protocol, TypeAlias, TypeVar

import numpy as np

from tailsafe.arrays import BoolArray, FloatArray, IntArray

T = TypeVar("T")

RaceEnd: TypeAlias = Literal["selected", "budget", "interrupted"]


@dataclass(frozen=True, slots=True, eq=False)
class Look:
    """What is known at a look: the candidates still evaluated, on the same n models.

    Parameters
    ----------
    members
        Which candidates, ascending.
    X, S
        Their performances X[i, m] on models 0 .. n - 1; the same in ascending order.
    leader
        The place of the leader among the members.
    """

    members: IntArray
    X: FloatArray
    S: FloatArray
    leader: int = -1

    @property
    def n(self) -> int:
        """The number of models."""
        return int(self.X.shape[1])


class Rules(Protocol):
    """What a race must know of a risk measure."""

    @property
    def eps(self) -> float:
        """The precision, in units of performance."""

    def estimates(self, S: FloatArray) -> FloatArray:
        """Return the estimate of each ascending row S[i, m]."""

    def judge(self, look: Look) -> tuple[BoolArray, BoolArray]:
        """Return masks[i]: proved not better than the leader; proved better by eps at most."""

    def regret(self, look: Look, open_: BoolArray) -> float:
        """Return by how much the open members may be better than the leader."""

    def lower(self, look: Look) -> float | None:
        """Return a lower confidence bound of the leader, None while there is none."""

    def below(self, x: FloatArray, candidate: int, value: float) -> bool:
        """Return whether the candidate, left behind at the look of x, is proved less than value.

        By the error probability of ``judge``: against a lower bound of the leader's, at this or a
        later look, it costs nothing.
        """

    def interval(self, x: FloatArray, candidate: int) -> tuple[float, float]:
        """Return a (1 - alpha) interval of one candidate's measure, valid at every look."""


@dataclass(slots=True)
class Field:
    """Who is still in the race."""

    alive: BoolArray
    parked: BoolArray
    twin: IntArray
    leader: int = -1

    def active(self) -> IntArray:
        """Return those that are evaluated at the next look."""
        return np.nonzero(self.alive & ~self.parked)[0]


@dataclass(frozen=True, slots=True)
class Progress:
    """What a race reports after each look; see ``selection.RaceState``."""

    n_models: int
    alive: int
    parked: int
    leader: int
    lower: float | None


Watch: TypeAlias = Callable[[Progress], None]
"""Told after each look."""


@dataclass(frozen=True, slots=True, eq=False)
class Outcome:
    """How a race ended.

    Parameters
    ----------
    end
        "selected": nothing is open. Otherwise the models, or the user's patience, ran out.
    leader
        The choice.
    alive, parked
        masks[i]: not ruled out; of these, proved better than the leader by eps at most.
    regret_bound
        How much better than the leader another candidate may be.
    n_models
        The last look.
    looks
        How often it was looked.
    twin
        Whose performances a candidate shares on all models; itself for most.
    """

    end: RaceEnd
    leader: int
    alive: BoolArray
    parked: BoolArray
    regret_bound: float
    n_models: int
    looks: int
    twin: IntArray


def unless_interrupted(compute: Callable[[], T], otherwise: T) -> T:
    """Return what is computed, or what can be said without: Ctrl-C must not lose a race."""
    try:
        return compute()
    except KeyboardInterrupt:
        return otherwise
