"""When rows were recorded: numbers, or dates as ISO 8601 writes them."""

from datetime import UTC, datetime

import numpy as np

from tailsafe.arrays import FloatArray, IntArray
from tailsafe.data.sheet import Sheet, number_of


def times_of(sheet: Sheet) -> FloatArray | None:
    """Return the time of each row, if there is a column for it."""
    if "time" not in sheet:
        return None
    column = sheet.filled("time")
    if all(number_of(text) is not None for text in column.texts if text):
        return sheet.numbers("time")
    seconds = [_seconds(text) for text in column.texts]
    if None in seconds:
        codes = [code for code, value in enumerate(seconds) if value is None]
        # A number among dates is not at fault if something else is neither.
        neither = [code for code in codes if number_of(column.texts[code]) is None] or codes
        row = column.first(neither)
        text = column.texts[column.code[row]]
        raise sheet.refusal(row, f"{column.title} is {text!r}, neither a number nor an ISO date")
    return np.array(seconds, np.float64)[column.code]


def _seconds(text: str) -> float | None:
    try:
        date = datetime.fromisoformat(text)
        return (date if date.tzinfo else date.replace(tzinfo=UTC)).timestamp()
    except (ValueError, OverflowError):
        return None


def check_times(sheet: Sheet, episode: IntArray, time: FloatArray) -> None:
    """Raise InvalidData if two rows of an episode have the same time; rows are in order."""
    same = (np.diff(episode) == 0) & (np.diff(time) == 0.0)
    if same.any():
        row = int(np.argmax(same)) + 1
        title = sheet.columns["time"].title
        raise sheet.refusal(
            row,
            f"{title} is the same as in {sheet.where(row - 1)}, in the same episode, so their "
            "order is unknown",
        )
