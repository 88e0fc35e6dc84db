"""What is paid: as a table or function says, or as the log shows.

What the source does not speak of is filled by a convention that is reported: the lowest reward
seen, unless a number is given.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeAlias

import numpy as np

from tailsafe.arrays import BoolArray, FloatArray
from tailsafe.batch import Batch
from tailsafe.data.given_rewards import given_reward
from tailsafe.data.log import Log
from tailsafe.data.logged_rewards import KnownReward, logged_reward, lowest_of_pairs, mean_reward
from tailsafe.data.words import counted
from tailsafe.errors import InvalidData
from tailsafe.table import Table

RewardSource: TypeAlias = str | Path | FloatArray | Callable[[str, str, str], float]
"""``"log"``; ``"mean"`` (of each pair in the log); a file with a column reward and any of state,
action, next_state; an array R[s, a] or R[s, a, t]; a function of three labels."""


@dataclass(frozen=True, slots=True, eq=False)
class RewardLaw:
    """The reward of everything that may happen, and where it comes from.

    Parameters
    ----------
    kind
        "table", "state-action", "next-state", "transition" or "mean".
    words
        The same in a sentence.
    value
        R[s, a], R[s, a, t], or one number for each entry of ``table``.
    table
        The transitions of a reward per entry, else None.
    n_unseen
        How many pairs or transitions have the reward of the convention.
    unseen
        The convention in words.
    warnings
        What the user should check.
    """

    kind: str
    words: str
    value: FloatArray
    table: Table | None
    n_unseen: int
    unseen: str
    warnings: tuple[str, ...] = ()


def reward_law(
    log: Log,
    table: Table,
    terminal: BoolArray,
    source: RewardSource = "log",
    unseen: float | None = None,
) -> RewardLaw:
    """Return the reward of the transitions in a table.

    Parameters
    ----------
    log
        What was seen.
    table
        What is possible.
    terminal
        mask[s] of the states that pay nothing.
    source
        Where the reward comes from.
    unseen
        The reward of what the source does not speak of; by default the lowest that the log shows
        (in the same pair, if it was tried), and of a table that is not complete a refusal.
    """
    if isinstance(source, str) and source in ("log", "mean"):
        if not log.rewarded:
            raise InvalidData(f"{log.source} has no column for the reward: give a table of rewards")
        known = mean_reward(log) if source == "mean" else logged_reward(log, table)
        return _law(known, log, table, terminal, unseen)
    law = _law(given_reward(log, table, terminal, source), log, table, terminal, unseen)
    return _compared(law, log)


def _law(
    known: KnownReward, log: Log, table: Table, terminal: BoolArray, unseen: float | None
) -> RewardLaw:
    per_entry = known.value.ndim == 1
    ended = terminal[table.row_of_entry // table.n_actions] if per_entry else terminal
    ended = ended.reshape(-1, *[1] * (known.value.ndim - 1))
    value = np.where(ended & np.isnan(known.value), 0.0, known.value)
    gaps = np.isnan(value)
    convention = "nothing was left out"
    if gaps.any():
        fill, convention = _convention(known, log, table, gaps, unseen)
        value = np.where(gaps, fill, value)
    where = table if per_entry else None
    return RewardLaw(known.kind, known.words, value, where, int(gaps.sum()), convention)


def _convention(
    known: KnownReward, log: Log, table: Table, gaps: BoolArray, unseen: float | None
) -> tuple[FloatArray | float, str]:
    """Return the reward of what is not known, and the rule in words."""
    if unseen is not None:
        return unseen, f"{unseen:g}, as asked for"
    if known.kind == "table":
        raise _incomplete(log, table, gaps)
    lowest = float(known.value[np.isfinite(known.value)].min())
    if known.kind != "transition":
        return lowest, f"the lowest reward in the log, {lowest:g}"
    low = lowest_of_pairs(log.batch)
    fill = np.where(np.isfinite(low), low, lowest)[table.row_of_entry]
    return fill, f"the lowest that the same pair paid; if it was never tried, {lowest:g}"


def _incomplete(log: Log, table: Table, gaps: BoolArray) -> InvalidData:
    place = int(np.argmax(gaps))
    if gaps.ndim == 1:
        next_state = log.labels.states[table.successor[place]]
        what = f"{log.pair(table.row_of_entry[place])}, next state {next_state}"
    else:
        what = log.pair(place)
    return InvalidData(
        f"the table gives no reward for {what} ({counted(int(gaps.sum()), 'gap')} in all): "
        "complete it, or say what is paid where it says nothing"
    )


def logged_by(law: RewardLaw, batch: Batch) -> FloatArray:
    """Return what the law pays for each transition of a log."""
    if law.table is not None:
        value: FloatArray = law.value[law.table.lookup(batch.row, batch.next_state)]
    elif law.value.ndim == 2:
        value = law.value[batch.state, batch.action]
    else:
        value = law.value[batch.state, batch.action, batch.next_state]
    return value


def _compared(law: RewardLaw, log: Log) -> RewardLaw:
    """Return the law with a warning if the log shows other rewards."""
    expected, reward = logged_by(law, log.batch), log.batch.reward
    off = ~np.isclose(expected, reward, rtol=1e-9, atol=1e-9)
    if not log.rewarded or not off.any():
        return law
    first = int(np.argmax(off))
    warning = (
        f"In {counted(int(off.sum()), 'transition')} the log shows another reward than the one "
        f"given (first: {log.where(first)}, {reward[first]:g} instead of {expected[first]:g}); "
        "the one given counts."
    )
    return replace(law, warnings=(warning,))
