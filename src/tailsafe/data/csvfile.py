"""Text tables: comma, semicolon or tab; a header; UTF-8; plain or gzip; one line a row."""

import csv
import gzip
import sys
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import TextIO

import numpy as np

from tailsafe.arrays import IntArray
from tailsafe.data.sheet import Pick, Sheet, column_of_codes
from tailsafe.errors import InvalidData

LINES_AT_ONCE = 16_384
SEPARATORS = ",;\t"


class _Places(dict[str, int]):
    """The number of each text, in the order in which they first occur."""

    __slots__ = ()

    def __missing__(self, text: str) -> int:
        self[text] = place = len(self)
        return place


def read_csv(path: Path | str, pick: Pick) -> Sheet:
    """Return the sheet of a text table; "-" is standard input."""
    name = "standard input" if str(path) == "-" else Path(path).name
    try:
        with _opened(path) as file:
            return parse_csv(file, name, pick)
    except UnicodeDecodeError as error:
        raise InvalidData(
            f"{name} is not UTF-8 text ({error.reason}): save it as csv in UTF-8"
        ) from None
    except (OSError, EOFError, zlib.error) as error:
        reason = getattr(error, "strerror", None) or error
        raise InvalidData(f"cannot read {path}: {reason}") from None


@contextmanager
def _opened(path: Path | str) -> Iterator[TextIO]:
    if str(path) == "-":
        yield sys.stdin
    elif str(path).endswith(".gz"):
        with gzip.open(path, "rt", encoding="utf-8-sig") as file:
            yield file
    else:
        with Path(path).open(encoding="utf-8-sig") as file:
            yield file


def parse_csv(file: TextIO, name: str, pick: Pick) -> Sheet:
    """Return the sheet of an open text table."""
    first = file.readline()
    if not first.strip():
        raise InvalidData(f"{name} is empty: expected a header line with the names of the columns")
    separator = max(SEPARATORS, key=first.count)
    header = _quoted_rows([first], np.ones(1, np.int64), separator, name)[0]
    titles = [title.strip() for title in header]
    roles = pick(titles, name)
    wanted = [titles.index(title) for title in roles.values()]
    places = [_Places() for _ in wanted]
    codes: list[list[IntArray]] = [[] for _ in wanted]
    lines: list[IntArray] = []
    for numbers, cells in _chunks(file, separator, len(titles), name):
        lines.append(numbers)
        for i, column in enumerate(wanted):
            found = map(places[i].__getitem__, cells[column])
            codes[i].append(np.fromiter(found, np.int64, len(numbers)))
    columns = {
        role: column_of_codes(title, _joined(codes[i]), places[i])
        for i, (role, title) in enumerate(roles.items())
    }
    unused = tuple(title for title in titles if title and title not in roles.values())
    return Sheet(name, _joined(lines), columns, unused)


def _joined(parts: list[IntArray]) -> IntArray:
    return np.concatenate([np.empty(0, np.int64), *parts])


def _chunks(
    file: TextIO, separator: str, width: int, name: str
) -> Iterator[tuple[IntArray, list[Sequence[str]]]]:
    """Return, chunk by chunk, the line numbers of the rows and the cells of each column."""
    start = 2
    while lines := list(islice(file, LINES_AT_ONCE)):
        numbers = np.arange(start, start + len(lines))
        start += len(lines)
        blank = list(map(str.isspace, lines))
        if any(blank):
            kept = [i for i, empty in enumerate(blank) if not empty]
            lines, numbers = [lines[i] for i in kept], numbers[kept]
        if lines:
            yield numbers, _cells(lines, numbers, separator, width, name)


def _cells(
    lines: list[str], numbers: IntArray, separator: str, width: int, name: str
) -> list[Sequence[str]]:
    text = "".join(lines)
    if '"' in text:
        rows = _quoted_rows(lines, numbers, separator, name)
        _check_widths([len(row) for row in rows], numbers, width, name)
        return list(zip(*rows, strict=True))
    _check_widths([line.count(separator) + 1 for line in lines], numbers, width, name)
    # Much faster than csv.reader, which makes a list of every row.
    flat = text.rstrip("\n").replace("\n", separator).split(separator)
    return [flat[column::width] for column in range(width)]


def _quoted_rows(lines: list[str], numbers: IntArray, separator: str, name: str) -> list[list[str]]:
    reader = csv.reader(lines, delimiter=separator, strict=True)
    rows: list[list[str]] = []
    try:
        for row in reader:
            if reader.line_num > len(rows) + 1:
                raise csv.Error("a cell goes on in the next line")
            rows.append(row)
    except csv.Error as error:
        raise InvalidData(
            f"row {numbers[len(rows)]} of {name}: {error}; is a quotation mark missing?"
        ) from None
    return rows


def _check_widths(widths: list[int], numbers: IntArray, width: int, name: str) -> None:
    if set(widths) != {width}:
        wrong = next(i for i, found in enumerate(widths) if found != width)
        raise InvalidData(
            f"row {numbers[wrong]} of {name}: {widths[wrong]} cells, but the header has {width}"
        )
