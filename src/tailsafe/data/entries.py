"""Files that say something of states, actions and next states: rewards, supports."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from tailsafe.arrays import FloatArray, IntArray
from tailsafe.data.columns import USUAL, Roles
from tailsafe.data.labels import Labels, listed, numbered
from tailsafe.data.reader import read_sheet
from tailsafe.data.sheet import Sheet
from tailsafe.data.words import counted
from tailsafe.errors import InvalidData

PLACES = ("state", "action", "next_state")


@dataclass(frozen=True, slots=True, eq=False)
class Entries:
    """The rows of a file, with labels as numbers.

    Parameters
    ----------
    sheet
        The rows that speak of states in the log.
    places
        The number in each of the columns state, action, next_state that the file has.
    n_skipped
        Rows left out, for they speak of states that are not in the log.
    """

    sheet: Sheet
    places: Mapping[str, IntArray]
    n_skipped: int

    @property
    def words(self) -> str:
        """Where it is from."""
        skipped = counted(self.n_skipped, "row")
        rest = f" ({skipped} on states that the log does not name left out)"
        return self.sheet.source + (rest if self.n_skipped else "")


def read_entries(
    source: object, labels: Labels, required: Sequence[str], *, skip: bool = False
) -> Entries:
    """Return the rows of a file.

    Parameters
    ----------
    source
        A path, or anything else that a log is read from.
    labels
        The names in the log.
    required
        Columns that must be there.
    skip
        Whether rows on unknown states are left out; else they are refused.
    """
    usual = {role: USUAL[role] for role in (*PLACES, *required)}
    sheet = read_sheet(source, Roles(usual, required).pick)
    names = {"state": labels.states, "action": labels.actions, "next_state": labels.states}
    places = {role: _numbers(sheet, role, names[role]) for role in PLACES if role in sheet}
    known = np.ones(len(sheet), bool)
    for role, numbers in places.items():
        if not skip or role == "action":
            _check_known(sheet, role, numbers, names[role])
        known &= numbers >= 0
    if not known.any():
        raise InvalidData(f"{sheet.source} says nothing of the states in the log")
    kept = {role: numbers[known] for role, numbers in places.items()}
    return Entries(sheet.take(known), kept, int((~known).sum()))


def _numbers(sheet: Sheet, role: str, names: Sequence[str]) -> IntArray:
    column = sheet.filled(role)
    found: IntArray = numbered(names, column.texts)[column.code]
    return found


def _check_known(sheet: Sheet, role: str, numbers: IntArray, names: Sequence[str]) -> None:
    if (numbers < 0).any():
        row = int(np.argmax(numbers < 0))
        column = sheet.columns[role]
        what = "actions" if role == "action" else "states"
        raise sheet.refusal(
            row,
            f"{column.title} {column.texts[column.code[row]]!r} is none of the {what} of the log "
            f"({listed(names)})",
        )


def looked_up(wanted: IntArray, keys: IntArray, values: FloatArray) -> FloatArray:
    """Return the value of each wanted key, NaN where there is none; ``keys`` ascend."""
    at = np.minimum(np.searchsorted(keys, wanted), len(keys) - 1)
    return np.where(keys[at] == wanted, values[at], np.nan)
