"""The race: evaluate, find a leader, rule out or park the others, until only the leader is left.

With probability at least 1 - alpha the best candidate is never ruled out, and every parked one is
better than the leader by eps at most. Only the best one needs protection (of several equally good
ones the one least often below their value), so errors are not summed over candidates, only over
looks and (weighted) over the candidates that may lead.

The leader stays unless another estimate is better by more than eps / 2; the first is the
favourite, by the same rule. When it changes, parked candidates come back and catch up.
"""

from dataclasses import dataclass, field

import numpy as np

from tailsafe.arrays import BoolArray, IntArray
from tailsafe.race.look import (
    Field,
    Look,
    Outcome,
    Progress,
    RaceEnd,
    Rules,
    Watch,
    unless_interrupted,
)
from tailsafe.race.sheet import Sheet
from tailsafe.race.twins import twins
from tailsafe.ranks import checkpoints


def race(
    sheet: Sheet,
    rules: Rules,
    favourite: int,
    sizes: tuple[int, ...],
    watch: Watch | None = None,
    *,
    merge_equal: bool = False,
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
    merge_equal
        Whether candidates that perform equally on all models are one (``twins``): right for
        performances over Dirichlet rows.
    """
    everyone = np.ones(sheet.n_candidates, bool)
    field_ = Field(everyone, ~everyone, np.arange(sheet.n_candidates))
    last: _Last = _Last(favourite)
    end: RaceEnd = "budget"
    try:
        if merge_equal:
            first = _look(sheet, field_.active(), sizes[0])
            field_.twin[:] = twins(first, sheet, favourite)
            field_.alive &= field_.twin == np.arange(sheet.n_candidates)
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
    return _outcome(end, last, rules, sheet, field_.twin)


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


def _outcome(end: RaceEnd, last: _Last, rules: Rules, sheet: Sheet, twin: IntArray) -> Outcome:
    nobody = np.zeros(len(twin), bool)
    if last.look is None:
        regret = np.inf if len(twin) > 1 else 0.0
        return Outcome(end, last.leader, ~nobody, nobody, regret, 0, 0, twin)
    look, nothing = last.look, nobody.copy()
    alive = last.alive & ~unless_interrupted(lambda: _outrun(last, look, rules, sheet), nothing)
    parked = alive & last.parked
    regret = rules.eps if parked.any() else 0.0
    open_ = (alive & ~parked)[look.members]
    open_[look.leader] = False
    if open_.any():
        worst = unless_interrupted(lambda: rules.regret(look, open_), np.inf)
        regret = max(regret, worst)
    of_leader = (twin == last.leader) & (np.arange(len(twin)) != last.leader)
    parked = parked[twin] | of_leader
    return Outcome(end, last.leader, alive[twin], parked, regret, look.n, last.looks, twin)


def _outrun(last: _Last, look: Look, rules: Rules, sheet: Sheet) -> BoolArray:
    """Return who was left behind as close, and is ruled out by what the leader showed since."""
    outrun, lower = np.zeros(sheet.n_candidates, bool), rules.lower(look)
    if lower is not None:
        for i in np.nonzero(last.alive & last.parked)[0].tolist():
            outrun[i] = rules.below(sheet.columns[i], i, lower)
    return outrun
