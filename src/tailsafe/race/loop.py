"""The race: evaluate, find a leader, rule out or park the others, until only the leader is left.

With probability at least 1 - alpha the best candidate is never ruled out, and every parked one is
better than the leader by eps at most. Only the best one needs protection, so errors are not summed
over candidates, only over looks and (weighted) over the candidates that may lead.

The leader stays unless another estimate is better by more than eps / 2; the first is the
favourite, by the same rule. When it changes, parked candidates come back and catch up.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal, Protocol, TypeAlias

import numpy as np

from tailsafe.arrays import BoolArray, FloatArray, IntArray
from tailsafe.race.sheet import Sheet
from tailsafe.ranks import checkpoints

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


@dataclass(slots=True)
class Field:
    """Who is still in the race."""

    alive: BoolArray
    parked: BoolArray
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
    """

    end: RaceEnd
    leader: int
    alive: BoolArray
    parked: BoolArray
    regret_bound: float
    n_models: int
    looks: int


def race(
    sheet: Sheet,
    rules: Rules,
    favourite: int,
    sizes: tuple[int, ...],
    watch: Callable[[Progress], None] | None = None,
) -> Outcome:
    """Return who wins; the sheet keeps what was evaluated.

    Parameters
    ----------
    sheet
        Evaluates candidates.
    rules
        Of the risk measure.
    favourite
        Leads first, unless clearly behind.
    sizes
        After how many models to look.
    watch
        Told after each look.
    """
    everyone = np.ones(sheet.n_candidates, bool)
    field_ = Field(everyone, ~everyone)
    last: _Last = _Last(favourite)
    end: RaceEnd = "budget"
    try:
        for n in sizes:
            look = _next_look(sheet, rules, field_, favourite, n)
            _judge(look, rules, field_)
            last.remember(look, field_)
            if watch is not None:
                watch(_progress(look, rules, field_))
            if len(field_.active()) == 1:
                end = "selected"
                break
    except KeyboardInterrupt:
        end = "interrupted"
    return _outcome(end, last, rules, sheet.n_candidates)


@dataclass(slots=True, eq=False)
class _Last:
    """The last look that was finished: an interrupt must not leave half of one."""

    leader: int
    look: Look | None = None
    alive: BoolArray = field(default_factory=lambda: np.empty(0, bool))
    parked: BoolArray = field(default_factory=lambda: np.empty(0, bool))
    looks: int = 0

    def remember(self, look: Look, field_: Field) -> None:
        kept = (field_.leader, look, field_.alive.copy(), field_.parked.copy(), self.looks + 1)
        self.leader, self.look, self.alive, self.parked, self.looks = kept


def looks_up_to(max_models: int) -> tuple[int, ...]:
    """Return after how many models to look: 64, then half as many more each time."""
    return checkpoints(max_models)


def _next_look(sheet: Sheet, rules: Rules, field_: Field, favourite: int, n: int) -> Look:
    look = _look(sheet, field_.active(), n)
    stays = favourite if field_.leader < 0 else field_.leader
    leader = _leader(look, rules, stays)
    if leader != field_.leader:
        # Parked ones were close to the old leader, which says nothing of the new one.
        field_.parked[:] = False
        look = _look(sheet, field_.active(), n)
        leader = _leader(look, rules, favourite)
        field_.leader = leader
    place = int(np.searchsorted(look.members, leader))
    return Look(look.members, look.X, look.S, place)


def _look(sheet: Sheet, members: IntArray, n: int) -> Look:
    sheet.bring(members, n)
    X = sheet.rows(members, n)
    return Look(members, X, np.sort(X, axis=1))


def _leader(look: Look, rules: Rules, stays: int) -> int:
    estimates = rules.estimates(look.S)
    best = int(np.argmax(estimates))
    place = np.searchsorted(look.members, stays)
    present = place < len(look.members) and look.members[place] == stays
    if present and estimates[place] >= estimates[best] - rules.eps / 2.0:
        return stays
    return int(look.members[best])


def _judge(look: Look, rules: Rules, field_: Field) -> None:
    out, near = rules.judge(look)
    others = np.arange(len(look.members)) != look.leader
    field_.alive[look.members[out & others]] = False
    field_.parked[look.members[near & ~out & others]] = True


def _progress(look: Look, rules: Rules, field_: Field) -> Progress:
    alive, parked = int(field_.alive.sum()), int((field_.alive & field_.parked).sum())
    return Progress(look.n, alive, parked, field_.leader, rules.lower(look))


def _outcome(end: RaceEnd, last: _Last, rules: Rules, n_candidates: int) -> Outcome:
    if last.look is None:
        nobody = np.zeros(n_candidates, bool)
        return Outcome(end, last.leader, ~nobody, nobody, np.inf, 0, 0)
    alive, parked, look = last.alive, last.alive & last.parked, last.look
    regret = rules.eps if parked.any() else 0.0
    open_ = (alive & ~parked)[look.members]
    open_[look.leader] = False
    if open_.any():
        regret = max(regret, rules.regret(look, open_))
    return Outcome(end, last.leader, alive, parked, regret, look.n, last.looks)
