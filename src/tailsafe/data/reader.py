"""Read a log: csv, tsv, parquet, a data frame, or arrays by name.

The rows are put in the order of episode and time; what follows each row becomes its next state
where the log has no such column; texts become numbers, whose names are kept.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from tailsafe.arrays import FloatArray, IntArray
from tailsafe.batch import Batch
from tailsafe.data.columns import Columns
from tailsafe.data.csvfile import read_csv
from tailsafe.data.episodes import Steps, steps_of
from tailsafe.data.frames import array_sheet, frame_sheet, read_parquet
from tailsafe.data.labels import END, Labels, gaps, listed, names_of, numbered
from tailsafe.data.log import Log
from tailsafe.data.sheet import Pick, Sheet, compacted
from tailsafe.data.words import counted

Names = int | Sequence[str] | None
"""The names of states or actions; or how many there are; or only those that occur."""

USUAL_COLUMNS = Columns()
"""All columns are recognised by their usual names."""


def read_log(
    source: object, columns: Columns = USUAL_COLUMNS, states: Names = None, actions: Names = None
) -> Log:
    """Return the log in a file, a data frame, or a mapping of column names to arrays.

    Parameters
    ----------
    source
        A path (.csv, .csv.gz, .tsv, .txt, .parquet; "-" is standard input), a data frame of
        pandas, polars, pyarrow, ..., or arrays by name, as d3rlpy and D4RL keep them.
    columns
        What the columns are called; most are recognised by their usual names.
    states, actions
        All labels in order, or how many there are ("0", "1", ...), if the log may not show all.
    """
    return log_of_sheet(read_sheet(source, columns.pick), states, actions)


def read_sheet(source: object, pick: Pick) -> Sheet:
    """Return the columns that are picked from a source of any kind."""
    if isinstance(source, str | Path):
        is_parquet = Path(source).suffix.lower() in (".parquet", ".pq")
        return read_parquet(source, pick) if is_parquet else read_csv(source, pick)
    if isinstance(source, Mapping):
        return array_sheet(source, "arrays", pick)
    return frame_sheet(source, "data frame", pick)


def log_of_sheet(sheet: Sheet, states: Names = None, actions: Names = None) -> Log:
    """Return the log that a sheet holds."""
    notes = [_columns_read(sheet)]
    steps = steps_of(sheet)
    sheet = steps.sheet
    sheet.filled("action")
    labels, state, action, next_state = _numbered(steps, states, actions)
    next_state, labels, warnings = _ends_apart(steps, state, next_state, labels)
    reward = sheet.numbers("reward") if "reward" in sheet else np.zeros(len(sheet))
    batch = Batch(
        steps.episode,
        state,
        action,
        reward,
        next_state,
        steps.terminated,
        len(labels.states),
        len(labels.actions),
        _propensity(sheet),
    )
    notes += [*steps.notes, *_gap_notes(labels)]
    rewarded = "reward" in sheet
    warnings = (*steps.warnings, *warnings)
    return Log(sheet.source, batch, labels, sheet.place, rewarded, tuple(notes), warnings)


def _columns_read(sheet: Sheet) -> str:
    read = [
        role if role == column.title else f"{role} ({column.title})"
        for role, column in sheet.columns.items()
    ]
    unused = f"; not used: {listed(sheet.unused)}" if sheet.unused else ""
    return f"Columns read: {', '.join(read)}{unused}."


def _numbered(
    steps: Steps, states: Names, actions: Names
) -> tuple[Labels, IntArray, IntArray, IntArray]:
    sheet = steps.sheet
    state_texts, action_texts = sheet.columns["state"].texts, sheet.columns["action"].texts
    names = names_of({*_used(sheet, "state"), *steps.next_texts}, states, "state")
    if END in steps.next_texts and END not in names:
        names = (*names, END)
    labels = Labels(names, names_of(_used(sheet, "action"), actions, "action"))
    state = numbered(labels.states, state_texts)[sheet.columns["state"].code]
    action = numbered(labels.actions, action_texts)[sheet.columns["action"].code]
    next_state = numbered(labels.states, steps.next_texts)[steps.next_code]
    for role, numbers, names, followed in (
        ("state", state, labels.states, None),
        ("action", action, labels.actions, None),
        ("state", next_state, labels.states, steps),
    ):
        _check_known(sheet, role, numbers, names, followed)
    return labels, state, action, next_state


def _used(sheet: Sheet, role: str) -> list[str]:
    """Return the texts that still occur after rows were dropped."""
    column = sheet.columns[role]
    return [column.texts[code] for code in compacted(column.code)[0]]


def _check_known(
    sheet: Sheet, role: str, numbers: IntArray, names: Sequence[str], followed: Steps | None
) -> None:
    """Refuse the first text without a label; those of next states are in the steps."""
    wrong = numbers < 0
    if wrong.any():
        row = int(np.argmax(wrong))
        column = sheet.columns[role]
        text, title = column.texts[column.code[row]], column.title
        if followed is not None:
            text, title = followed.next_texts[followed.next_code[row]], "next state"
        raise sheet.refusal(
            row,
            f"{title} {text!r} is none of the {counted(len(names), role)} given "
            f"({listed(names)}): {counted(int(wrong.sum()), 'such row')}",
        )


def _ends_apart(
    steps: Steps, state: IntArray, next_state: IntArray, labels: Labels
) -> tuple[IntArray, Labels, tuple[str, ...]]:
    """Return the next states with ends moved to a state of their own where they need one.

    An episode that ends in a state from which others go on was ended by the transition, not by
    the state.
    """
    left = np.zeros(len(labels.states), bool)
    left[state[state != next_state]] = True
    moved = steps.terminated & left[next_state]
    if not moved.any():
        return next_state, labels, ()
    names = labels.states if END in labels.states else (*labels.states, END)
    among = sorted({labels.states[s] for s in next_state[moved]})
    warning = (
        f"{counted(int(moved.sum()), 'end')} in states that other transitions leave "
        f"({listed(among)}; first in {steps.sheet.where(int(np.argmax(moved)))}): the end "
        f"was taken to belong to the transition, and the state {END} was added."
    )
    ended = np.where(moved, names.index(END), next_state)
    return ended, Labels(names, labels.actions), (warning,)


def _propensity(sheet: Sheet) -> FloatArray | None:
    if "propensity" not in sheet:
        return None
    values = sheet.numbers("propensity")
    wrong = (values <= 0.0) | (values > 1.0)
    if wrong.any():
        row = int(np.argmax(wrong))
        title = sheet.columns["propensity"].title
        raise sheet.refusal(row, f"{title} is {values[row]:g}, not in (0, 1]")
    return values


def _gap_notes(labels: Labels) -> list[str]:
    """Return notes on whole numbers that do not occur although larger ones do."""
    return [
        f"There is no {what} {listed(missing)} in the log, so none is assumed to exist; "
        f"say how many {what}s there are if there is."
        for what, missing in (
            ("state", gaps([name for name in labels.states if name != END])),
            ("action", gaps(labels.actions)),
        )
        if missing
    ]
