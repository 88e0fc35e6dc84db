"""Policies in files: one row for each state and action of positive probability."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from tailsafe.arrays import SUM_TOLERANCE, BoolArray, FloatArray, IntArray
from tailsafe.candidate import Candidate
from tailsafe.data.columns import USUAL, Roles
from tailsafe.data.labels import Labels, listed, numbered
from tailsafe.data.reader import read_sheet
from tailsafe.data.sheet import Sheet
from tailsafe.errors import InvalidData
from tailsafe.policy import Policy

ROLES = Roles(
    {
        "policy": ("policy", "name", "policy_name"),
        "state": USUAL["state"],
        "action": USUAL["action"],
        "probability": ("probability", "prob", "p"),
    },
    ("state", "action"),
)


def read_policies(
    source: object, labels: Labels, terminal: Sequence[int] | BoolArray | None = None
) -> tuple[Candidate, ...]:
    """Return the policies in a file, in the order in which they come.

    Parameters
    ----------
    source
        A path, or anything else that a log is read from, with the columns state, action and, if
        need be, probability (1 if there is none) and policy (the name). Rows on states that are
        not in the log are left out.
    labels
        The names of states and actions in the log.
    terminal
        States (numbers or a mask) that need no row.
    """
    ended = np.zeros(len(labels.states), bool)
    if terminal is not None and len(terminal):
        ended[np.asarray(terminal)] = True
    sheet = read_sheet(source, ROLES.pick)
    return tuple(Candidate(_policy(part, labels, ended), (name,)) for name, part in _parts(sheet))


def _parts(sheet: Sheet) -> list[tuple[str, Sheet]]:
    if "policy" not in sheet:
        return [(Path(sheet.source).stem, sheet)]
    column = sheet.filled("policy")
    codes = list(dict.fromkeys(column.code.tolist()))
    return [(column.texts[code], sheet.take(column.code == code)) for code in codes]


def _policy(sheet: Sheet, labels: Labels, terminal: BoolArray) -> Policy:
    """Return the policy of the rows; a terminal state without a row is uniform."""
    state = numbered(labels.states, sheet.filled("state").texts)[sheet.columns["state"].code]
    sheet, state = sheet.take(state >= 0), state[state >= 0]
    action = _actions(sheet, labels)
    given = sheet.numbers("probability") if "probability" in sheet else np.ones(len(sheet))
    _check_once(sheet, state * len(labels.actions) + action)
    probs = np.zeros((len(labels.states), len(labels.actions)))
    probs[state, action] = given
    probs[terminal & (probs.sum(axis=1) == 0.0)] = 1.0 / len(labels.actions)
    _check_rows(sheet, state, given, labels, probs)
    return Policy(probs)


def _actions(sheet: Sheet, labels: Labels) -> IntArray:
    column = sheet.filled("action")
    action = numbered(labels.actions, column.texts)[column.code]
    if (action < 0).any():
        row = int(np.argmax(action < 0))
        text = column.texts[column.code[row]]
        names = listed(labels.actions)
        raise sheet.refusal(row, f"{column.title} {text!r} is none of the log's actions ({names})")
    return action


def _check_once(sheet: Sheet, pair: IntArray) -> None:
    _, first = np.unique(pair, return_index=True)
    again = np.ones(len(pair), bool)
    again[first] = False
    if again.any():
        row = int(np.argmax(again))
        before = int(np.argmax(pair == pair[row]))
        place = sheet.place[before]
        raise sheet.refusal(row, f"the same state and action stand in row {place} already")


def _check_rows(
    sheet: Sheet, state: IntArray, given: FloatArray, labels: Labels, probs: FloatArray
) -> None:
    if (given < 0.0).any():
        row = int(np.argmax(given < 0.0))
        raise sheet.refusal(
            row, f"{sheet.columns['probability'].title} is {given[row]:g}, negative"
        )
    sums = probs.sum(axis=1)
    if (sums == 0.0).any():
        missing = [labels.states[s] for s in np.nonzero(sums == 0.0)[0]]
        raise InvalidData(f"{sheet.source} says no action for state {listed(missing)}")
    off = np.abs(sums - 1.0) > SUM_TOLERANCE
    if off.any():
        row = int(np.argmax(off[state]))
        name = labels.states[state[row]]
        total = f"{sums[state[row]]:.12g}"
        hint = "" if "probability" in sheet else "; give them probabilities"
        raise sheet.refusal(row, f"the actions of state {name} have probability {total}{hint}")
