"""Rows in the order of episode and time, each with what came next.

Without a column for the episode, a new one starts after a row that ended one, where time does not
go on, and where the state is not the next state of the row before.
"""

from dataclasses import dataclass

import numpy as np

from tailsafe.arrays import BoolArray, FloatArray, IntArray
from tailsafe.data.labels import END, plain
from tailsafe.data.sheet import Sheet, by_first, compacted
from tailsafe.data.times import check_times, times_of
from tailsafe.data.words import counted, percent
from tailsafe.errors import InvalidData


@dataclass(frozen=True, slots=True, eq=False)
class Steps:
    """Transitions in order: the sheet of their rows and what is derived from several rows.

    Parameters
    ----------
    sheet
        One row for each transition.
    episode
        Which episode, numbered from 0.
    terminated
        Whether the process ended here.
    next_code, next_texts
        The next state of transition i is next_texts[next_code[i]].
    notes, warnings
        What was done to the rows.
    """

    sheet: Sheet
    episode: IntArray
    terminated: BoolArray
    next_code: IntArray
    next_texts: tuple[str, ...]
    notes: tuple[str, ...]
    warnings: tuple[str, ...]


def steps_of(sheet: Sheet) -> Steps:
    """Return the transitions of a sheet, in order."""
    sheet.filled("state")
    sheet, episode, notes = _ordered(sheet)
    terminated, cut = _flags(sheet)
    last = _last_of(episode)
    followed = ~last & ~np.append(_bare(sheet, last)[1:], [False])
    _check_goes_on(sheet, (terminated | cut) & followed)
    return _with_next(sheet, episode, terminated, notes)


def _ordered(sheet: Sheet) -> tuple[Sheet, IntArray, list[str]]:
    """Return the sheet sorted by episode and time, the episodes, and notes."""
    time = times_of(sheet)
    if "episode" not in sheet:
        return sheet, _split(sheet, time), [_SPLIT]
    column = sheet.filled("episode")
    episode = by_first(column.code)
    later = np.ones(len(sheet)) if time is None else time
    notes = []
    if ((np.diff(episode) < 0) | ((np.diff(episode) == 0) & (np.diff(later) < 0.0))).any():
        order = np.lexsort((np.arange(len(sheet)), later, episode))
        sheet, episode, later = sheet.take(order), episode[order], later[order]
        by = "" if time is None else f" and {sheet.columns['time'].title}"
        notes.append(f"Rows were put in the order of {column.title}{by}.")
    if time is not None:
        check_times(sheet, episode, later)
    return sheet, episode, notes


_SPLIT = (
    "There is no column for the episode: a new one starts after a row that ended one, where time "
    "does not go on, and where the state is not the next state of the row before."
)


def _split(sheet: Sheet, time: FloatArray | None) -> IntArray:
    terminated, cut = _flags(sheet)
    new = np.zeros(len(sheet), bool)
    new[1:] = (terminated | cut)[:-1]
    if time is not None:
        new[1:] |= np.diff(time) <= 0.0
    if "next_state" in sheet:
        state, next_state, _ = _common_codes(sheet)
        new[1:] |= (next_state[:-1] >= 0) & (next_state[:-1] != state[1:])
    return np.cumsum(new)


def _flags(sheet: Sheet) -> tuple[BoolArray, BoolArray]:
    """Return which rows terminate the process, and which only end the recording."""
    none = np.zeros(len(sheet), bool)
    cut = sheet.flags("truncated") if "truncated" in sheet else none
    terminated = sheet.flags("terminated") if "terminated" in sheet else none
    if "done" in sheet:
        done = sheet.flags("done")
        if "terminated" in sheet:
            return terminated, cut | (done & ~terminated)
        return done & ~cut, cut
    return terminated, cut & ~terminated


def _last_of(episode: IntArray) -> BoolArray:
    return np.append(np.diff(episode) != 0, [True])


def _check_goes_on(sheet: Sheet, early: BoolArray) -> None:
    if early.any() and "episode" in sheet:
        row = int(np.argmax(early))
        column = sheet.columns["episode"]
        name = column.texts[column.code[row]]
        raise sheet.refusal(
            row + 1,
            f"{column.title} {name!r} goes on although it ended in {sheet.where(row)}: give each "
            "episode a name of its own, or read the log without this column",
        )


def _with_next(sheet: Sheet, episode: IntArray, terminated: BoolArray, notes: list[str]) -> Steps:
    """Return the steps: next states as given, else from the following row, else the end."""
    last = _last_of(episode)
    terminated = _moved_ends(sheet, terminated, last)
    state, next_state, texts = _common_codes(sheet)
    following = np.append(state[1:], [0])
    missing = next_state < 0
    broken = ~missing & ~last & (next_state != following)
    next_state = np.where(missing, following, next_state)
    next_state[missing & last] = texts.index(END)
    keep = ~(missing & last & ~terminated)
    if not keep.any():
        raise InvalidData(f"{sheet.source} shows no transition: no row has a next state")
    used, code = compacted(next_state[keep])
    return Steps(
        sheet.take(keep),
        compacted(episode[keep])[1],
        terminated[keep],
        code,
        tuple(texts[i] for i in used),
        (*notes, *_notes(missing, missing & last & terminated, ~keep)),
        (*_losses(sheet, ~keep & ~_bare(sheet, last)), *_breaks(sheet, broken)),
    )


def _bare(sheet: Sheet, last: BoolArray) -> BoolArray:
    """Return the last rows without an action, where these may be: they say the state reached."""
    none = np.zeros(len(sheet), bool)
    return none if "next_state" in sheet else last & sheet.columns["action"].empty


def _moved_ends(sheet: Sheet, terminated: BoolArray, last: BoolArray) -> BoolArray:
    """Return where episodes end: at the row before one that only says the state reached."""
    bare = _bare(sheet, last)
    before = np.append(bare[1:] & ~last[:-1], [False])
    ended = np.append(terminated[1:], [False])
    moved: BoolArray = (terminated & ~bare) | (before & ended)
    return moved


def _common_codes(sheet: Sheet) -> tuple[IntArray, IntArray, list[str]]:
    """Return states and next states (-1: not given) as codes into the same texts."""
    places: dict[str, int] = {}
    at = [places.setdefault(plain(text), len(places)) for text in sheet.columns["state"].texts]
    state = np.array(at, np.int64)[sheet.columns["state"].code]
    next_state = np.full(len(sheet), -1)
    if "next_state" in sheet:
        column = sheet.columns["next_state"]
        at = [places.setdefault(plain(text), len(places)) for text in column.texts]
        next_state = np.where(column.empty, -1, np.array(at, np.int64)[column.code])
    places.setdefault(END, len(places))
    return state, next_state, list(places)


def _notes(missing: BoolArray, ended: BoolArray, dropped: BoolArray) -> list[str]:
    derived, ends, lost = int((missing & ~ended & ~dropped).sum()), ended.sum(), int(dropped.sum())
    notes = []
    if derived:
        rows = "each row" if missing.all() else counted(derived, "row")
        notes.append(f"The next state of {rows} is the state of the row that follows.")
    if ends:
        among = counted(int(ends), "episode")
        notes.append(f"No next state is given where the process ends ({among}): {END} was added.")
    if lost:
        rows = counted(lost, "row")
        notes.append(f"Dropped, as nothing shows what followed: {rows}, each last of its episode.")
    return notes


def _losses(sheet: Sheet, dropped: BoolArray) -> tuple[str, ...]:
    """Return a warning of dropped rows in which something was done: what they paid is lost."""
    if not dropped.any():
        return ()
    number, share = counted(int(dropped.sum()), "row"), percent(dropped.mean())
    return (
        f"{number} ({share} of the log; first: {sheet.where(int(np.argmax(dropped)))}) had to be "
        "dropped with what was done and paid there, as nothing shows what followed: last rows of "
        "their episodes. If the process ended there, a column 'terminated' must say so; if it "
        "went on, a column 'next_state' must say where to.",
    )


def _breaks(sheet: Sheet, broken: BoolArray) -> tuple[str, ...]:
    if "episode" not in sheet or not broken.any():
        return ()
    places, first = counted(int(broken.sum()), "place"), sheet.where(int(np.argmax(broken)))
    return (
        f"In {places} the next state is not the state of the row that follows in the same episode "
        f"(first: {first}). Each transition counts as it stands; check the order of the rows.",
    )
