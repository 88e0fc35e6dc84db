"""Which next states are possible: all, those seen, or those that a file or a mask lists."""

from pathlib import Path
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from tailsafe.arrays import BoolArray, IntArray
from tailsafe.data.assumptions import Assumption
from tailsafe.data.entries import PLACES, read_entries
from tailsafe.data.log import Log
from tailsafe.data.words import counted
from tailsafe.errors import InvalidData
from tailsafe.table import Table

SupportSource: TypeAlias = str | Path | Table | npt.NDArray[np.bool_]
"""``"all"``, ``"seen"``, a file with the columns state, action, next_state, a table, a mask."""


MOST_ENTRIES = 20_000_000
"""Possible transitions; with more, a model alone takes a second and hundreds of megabytes."""


def support_of(log: Log, source: SupportSource, terminal: BoolArray) -> tuple[Table, Assumption]:
    """Return the transitions that are possible, and what that assumes.

    Parameters
    ----------
    log
        What was seen.
    source
        What is possible.
    terminal
        mask[s] of the states after which nothing follows.
    """
    batch = log.batch
    if isinstance(source, str | Path):
        if source == "all":
            _check_entries(log, batch.n_states * batch.n_actions)
            words = "Any state may follow any state and action."
            full = Table.full(batch.n_states, batch.n_actions)
            return full, Assumption("support", "all", words)
        if source == "seen":
            words = (
                "After each pair of state and action only those states are possible that followed "
                "it in the log; after a pair that was never tried, any."
            )
            _check_entries(log, int((batch.visits() == 0).sum()))
            return batch.seen(), Assumption("support", "seen", words)
        table, words = _of_file(log, source, terminal)
        value = Path(source).name
    else:
        table = source if isinstance(source, Table) else Table.from_mask(source)
        words, value = "Only the next states that were given are possible.", "given"
    _check_log(log, table)
    return table, Assumption("support", value, words)


def _check_entries(log: Log, open_pairs: int) -> None:
    """Raise InvalidData where too many pairs may lead anywhere, as if states are measurements."""
    batch = log.batch
    entries = open_pairs * batch.n_states
    if entries <= MOST_ENTRIES:
        return
    visits = np.bincount(np.concatenate([batch.state, batch.next_state]), minlength=batch.n_states)
    words = (
        f"{open_pairs:,} pairs of state and action may lead to any of {batch.n_states:,} states: "
        f"{entries:,} possible transitions are more than {MOST_ENTRIES:,}; say which are possible "
        "(support: seen, or a file)"
    )
    if 2 * (visits <= 2).sum() > batch.n_states:
        words += (
            f"; and {(visits <= 2).sum():,} states are hardly seen twice: if the state is a "
            "measurement, group it into classes"
        )
    raise InvalidData(words)


def _of_file(log: Log, path: str | Path, terminal: BoolArray) -> tuple[Table, str]:
    """Return the table of a file; a pair that it does not name may lead anywhere."""
    batch = log.batch
    entries = read_entries(path, log.labels, PLACES)
    row = entries.places["state"] * batch.n_actions + entries.places["action"]
    n_rows = batch.n_states * batch.n_actions
    open_rows = np.setdiff1d(np.arange(n_rows), row)
    keys = np.unique(
        np.concatenate(
            [
                row * batch.n_states + entries.places["next_state"],
                np.add.outer(open_rows * batch.n_states, np.arange(batch.n_states)).ravel(),
            ]
        )
    )
    rows, successor = np.divmod(keys, batch.n_states)
    words = f"Only the next states listed in {entries.sheet.source} are possible"
    n_open = int((~terminal[open_rows // batch.n_actions]).sum())
    if n_open:
        pairs = counted(n_open, "pair")
        words += f"; after the {pairs} of state and action that it does not list, any"
    return Table(batch.n_states, batch.n_actions, _pointers(rows, n_rows), successor), f"{words}."


def _pointers(rows: IntArray, n_rows: int) -> IntArray:
    return np.concatenate([[0], np.cumsum(np.bincount(rows, minlength=n_rows))])


def _check_log(log: Log, table: Table) -> None:
    batch = log.batch
    if (table.n_states, table.n_actions) != (batch.n_states, batch.n_actions):
        raise InvalidData(
            f"support is for {table.n_states} states and {table.n_actions} actions, "
            f"the log has {batch.n_states} and {batch.n_actions}"
        )
    outside = table.lookup(batch.row, batch.next_state) < 0
    if outside.any():
        i = int(np.argmax(outside))
        raise InvalidData(
            f"{log.where(i)}: {log.pair(batch.row[i])} leads to state "
            f"{log.labels.states[batch.next_state[i]]}, which the support rules out "
            f"({counted(int(outside.sum()), 'such transition')})"
        )
