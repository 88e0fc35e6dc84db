"""A table as it was read: every column as codes into the texts that occur in it.

Texts are looked at once each, not once a row; and every row remembers where it stood.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import isfinite, isnan
from numbers import Integral, Real
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from tailsafe.arrays import BoolArray, FloatArray, IntArray
from tailsafe.errors import InvalidData

TRUE = {"true", "t", "yes", "y", "1", "1.0"}
FALSE = {"false", "f", "no", "n", "0", "0.0", ""}
NUMBER = re.compile(r"[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?", re.ASCII)

Pick: TypeAlias = Callable[[Sequence[str], str], Mapping[str, str]]
"""Which columns to read: (titles, source) -> title of the column in each role."""


@dataclass(frozen=True, slots=True, eq=False)
class Column:
    """One column: the text of row i is texts[code[i]]; a missing cell is ""."""

    title: str
    code: IntArray
    texts: tuple[str, ...]

    def first(self, codes: Iterable[int]) -> int:
        """Return the first row that has one of these codes."""
        return int(np.argmax(np.isin(self.code, list(codes))))

    @property
    def empty(self) -> BoolArray:
        """The rows without a text."""
        return np.array([not text for text in self.texts], bool)[self.code]


@dataclass(frozen=True, slots=True, eq=False)
class Sheet:
    """Columns of equal length by the role they play, and where each row stood.

    Parameters
    ----------
    source
        What messages call the table.
    place
        The number of each row: the line of a text file (the header is line 1), or the position
        in a data frame (the first is 0).
    columns
        By role.
    unused
        Titles of the columns without a role.
    """

    source: str
    place: IntArray
    columns: Mapping[str, Column]
    unused: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if len(self.place) == 0:
            raise InvalidData(f"{self.source} has a header but no rows")

    def __len__(self) -> int:
        """Return the number of rows."""
        return len(self.place)

    def __contains__(self, role: str) -> bool:
        """Return whether there is a column in this role."""
        return role in self.columns

    def take(self, rows: IntArray | BoolArray) -> "Sheet":
        """Return the sheet of these rows."""
        columns = {
            role: replace(column, code=column.code[rows]) for role, column in self.columns.items()
        }
        return replace(self, place=self.place[rows], columns=columns)

    def where(self, row: int) -> str:
        """Return how a message names a row."""
        return f"row {self.place[row]} of {self.source}"

    def refusal(self, row: int, what: str) -> InvalidData:
        """Return the error that names the row."""
        return InvalidData(f"{self.where(row)}: {what}")

    def filled(self, role: str) -> Column:
        """Return a column; an empty cell is refused."""
        column = self.columns[role]
        if "" in column.texts and column.empty.any():
            raise self.refusal(int(np.argmax(column.empty)), f"{column.title} is empty")
        return column

    def numbers(self, role: str) -> FloatArray:
        """Return a column of finite numbers; anything else is refused by its place."""
        column = self.filled(role)
        values = [number_of(text) for text in column.texts]
        wrong = [code for code, value in enumerate(values) if value is None and column.texts[code]]
        if wrong and np.isin(column.code, wrong).any():
            row = column.first(wrong)
            text = column.texts[column.code[row]]
            hint = "; write decimals with a point" if "," in text else ""
            raise self.refusal(row, f"{column.title} is {text!r}, not a finite number{hint}")
        return np.array([value or 0.0 for value in values])[column.code]

    def flags(self, role: str) -> BoolArray:
        """Return a column of true and false (1 and 0, yes and no; empty is false)."""
        column = self.columns[role]
        wrong = [c for c, text in enumerate(column.texts) if text.lower() not in TRUE | FALSE]
        if wrong and np.isin(column.code, wrong).any():
            row = column.first(wrong)
            text = column.texts[column.code[row]]
            raise self.refusal(row, f"{column.title} is {text!r}, not true or false")
        return np.array([text.lower() in TRUE for text in column.texts], bool)[column.code]


def column_of_array(title: str, cells: npt.NDArray[np.generic]) -> Column:
    """Return the column of an array of one axis."""
    if cells.dtype.kind in "iufbM":
        values, code = np.unique(cells, return_inverse=True)
        return column_of_codes(title, code.ravel(), [text_of(value) for value in values])
    return column_of_cells(title, cells.tolist())


def column_of_cells(title: str, cells: Iterable[object]) -> Column:
    """Return the column of any cells."""
    places: dict[str, int] = {}
    code = [places.setdefault(text_of(cell), len(places)) for cell in cells]
    return column_of_codes(title, np.array(code, np.int64), places)


def column_of_codes(title: str, code: IntArray, texts: Iterable[str]) -> Column:
    """Return the column with blanks around texts removed and equal texts under one code."""
    places: dict[str, int] = {}
    merged = [places.setdefault(text.strip(), len(places)) for text in texts]
    return Column(title, np.array(merged, np.int64)[code], tuple(places))


def compacted(code: IntArray) -> tuple[IntArray, IntArray]:
    """Return the codes that occur, ascending, and each code's place among them."""
    occurs = np.zeros(int(code.max(initial=-1)) + 1, bool)
    occurs[code] = True
    return np.nonzero(occurs)[0], (np.cumsum(occurs) - 1)[code]


def by_first(code: IntArray) -> IntArray:
    """Return the codes numbered in the order in which they first occur."""
    used, code = compacted(code)
    first = np.empty(len(used), np.int64)
    # The last of several assignments to one place stands: backwards, the first row.
    first[code[::-1]] = np.arange(len(code))[::-1]
    number = np.empty(len(used), np.int64)
    number[np.argsort(first)] = np.arange(len(used))
    return number[code]


def text_of(cell: object) -> str:
    """Return the text of a cell: whole numbers without a point, nothing for a missing one."""
    if cell is None or type(cell).__name__ in ("NAType", "NaTType"):
        return ""
    if isinstance(cell, bool | np.bool_):
        return "true" if cell else "false"
    if isinstance(cell, Integral):
        return str(int(cell))
    if isinstance(cell, Real):
        value = float(cell)
        if isnan(value):
            return ""
        return str(int(value)) if value.is_integer() else repr(value)
    return "" if str(cell) == "NaT" else str(cell)


def number_of(text: str) -> float | None:
    """Return the finite number that a text says, if it says one."""
    if not NUMBER.fullmatch(text):
        return None
    value = float(text)
    return value if isfinite(value) else None
