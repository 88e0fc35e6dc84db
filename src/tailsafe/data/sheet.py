"""A table as it was read: every column as codes into the texts that occur in it.

Texts are looked at once each, not once a row; and every row remembers where it stood.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from math import isfinite
from numbers import Integral, Real

import numpy as np

from tailsafe.arrays import BoolArray, FloatArray, IntArray
from tailsafe.errors import InvalidData

TRUE = {"true", "t", "yes", "y", "1", "1.0"}
FALSE = {"false", "f", "no", "n", "0", "0.0", ""}


@dataclass(frozen=True, slots=True, eq=False)
class Column:
    """One column: the text of row i is texts[code[i]]; a missing cell is ""."""

    code: IntArray
    texts: tuple[str, ...]

    def first(self, code: int) -> int:
        """Return the first row with this code."""
        return int(np.argmax(self.code == code))


@dataclass(frozen=True, slots=True, eq=False)
class Sheet:
    """Named columns of equal length, and where each row stood.

    Parameters
    ----------
    source
        What messages call the table.
    unit
        What they call a row: "line" of a text file, else "row".
    place
        The number of each row in that unit.
    columns
        By name, in their order.
    """

    source: str
    unit: str
    place: IntArray
    columns: Mapping[str, Column]

    def __len__(self) -> int:
        """Return the number of rows."""
        return len(self.place)

    def where(self, row: int) -> str:
        """Return how a message names a row."""
        return f"{self.source}, {self.unit} {self.place[row]}"

    def refuse(self, row: int, what: str) -> InvalidData:
        """Return the error that names the row."""
        return InvalidData(f"{self.where(row)}: {what}")

    def numbers(self, name: str) -> FloatArray:
        """Return a column of finite numbers; anything else is refused by its place."""
        column = self.columns[name]
        values = [_number(text) for text in column.texts]
        for code, (text, value) in enumerate(zip(column.texts, values, strict=True)):
            if value is None:
                row = column.first(code)
                raise self.refuse(
                    row, f"{name} is {text!r}, not a finite number" if text else f"{name} is empty"
                )
        return np.array(values, np.float64)[column.code]

    def flags(self, name: str) -> BoolArray:
        """Return a column of true and false (1 and 0, yes and no; empty is false)."""
        column = self.columns[name]
        for code, text in enumerate(column.texts):
            if text.lower() not in TRUE | FALSE:
                raise self.refuse(column.first(code), f"{name} is {text!r}, not true or false")
        return np.array([text.lower() in TRUE for text in column.texts], bool)[column.code]


def column_of(cells: Iterable[object]) -> Column:
    """Return the column of any cells."""
    places: dict[object, int] = {}
    code = np.fromiter((places.setdefault(cell, len(places)) for cell in cells), np.int64)
    return tidied(code, [text_of(cell) for cell in places])


def tidied(code: IntArray, texts: Iterable[str]) -> Column:
    """Return the column with blanks around texts removed and equal texts under one code."""
    places: dict[str, int] = {}
    stripped = [text.strip() for text in texts]
    merged = np.array([places.setdefault(text, len(places)) for text in stripped], np.int64)
    return Column(merged[code] if len(merged) else code, tuple(places))


def text_of(cell: object) -> str:
    """Return the text of a cell: whole numbers without a point, nothing for a missing one."""
    if cell is None or cell != cell:  # noqa: PLR0124 - only NaN differs from itself
        return ""
    if isinstance(cell, bool | np.bool_):
        return "true" if cell else "false"
    if isinstance(cell, Integral):
        return str(int(cell))
    if isinstance(cell, Real):
        value = float(cell)
        return str(int(value)) if value.is_integer() else repr(value)
    return str(cell)


def _number(text: str) -> float | None:
    try:
        value = float(text)
    except ValueError:
        return None
    return value if isfinite(value) else None
