"""Text tables: comma, semicolon or tab; a header; UTF-8; plain or gzip."""

import csv
import gzip
import io
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import TextIO

import numpy as np

from tailsafe.arrays import IntArray
from tailsafe.data.sheet import Column, Sheet, tidied
from tailsafe.errors import InvalidData

ROWS_AT_ONCE = 65_536
SEPARATORS = ",;\t"


def read_csv(path: Path | str) -> Sheet:
    """Return the sheet of a text table; "-" is standard input."""
    name = "standard input" if str(path) == "-" else Path(path).name
    try:
        with _opened(path) as file:
            return parse_csv(file, name)
    except UnicodeDecodeError as error:
        raise InvalidData(
            f"{name} is not UTF-8 text: {error.reason} at byte {error.start}; save it as UTF-8"
        ) from None
    except (OSError, EOFError) as error:
        reason = getattr(error, "strerror", None) or error
        raise InvalidData(f"cannot read {path}: {reason}") from None


@contextmanager
def _opened(path: Path | str) -> Iterator[TextIO]:
    if str(path) == "-":
        yield sys.stdin
    elif str(path).endswith(".gz"):
        with gzip.open(path, "rt", encoding="utf-8-sig", newline="") as file:
            yield io.TextIOWrapper(file.buffer) if False else file  # type: ignore[attr-defined]
    else:
        with Path(path).open(encoding="utf-8-sig", newline="") as plain:
            yield plain


def parse_csv(file: TextIO, name: str) -> Sheet:
    """Return the sheet of an open text table."""
    first = file.readline()
    if not first.strip():
        raise InvalidData(f"{name} is empty: expected a header line with the names of the columns")
    separator = max(SEPARATORS, key=first.count)
    header = [cell.strip() for cell in next(csv.reader([first], delimiter=separator))]
    _check_header(header, name)
    places: list[dict[str, int]] = [{} for _ in header]
    codes: list[list[IntArray]] = [[] for _ in header]
    lines = []
    try:
        for start, rows in _chunks(csv.reader(file, delimiter=separator)):
            filled = [i for i, row in enumerate(rows) if row]
            kept = rows if len(filled) == len(rows) else [rows[i] for i in filled]
            lines.append(np.array(filled, np.int64) + start)
            _check_width(kept, lines[-1], len(header), name)
            for column, cells in enumerate(zip(*kept, strict=True)):
                known = places[column]
                codes[column].append(
                    np.fromiter((known.setdefault(c, len(known)) for c in cells), np.int64)
                )
    except csv.Error as error:
        raise InvalidData(f"{name} is not a table: {error}") from None
    columns = {
        title: _column(codes[i], places[i]) for i, title in enumerate(header)
    }
    place = np.concatenate([np.empty(0, np.int64), *lines])
    if len(place) == 0:
        raise InvalidData(f"{name} has a header but no rows")
    return Sheet(name, "line", place, columns)


def _chunks(rows: Iterator[list[str]]) -> Iterator[tuple[int, list[list[str]]]]:
    line = 2
    while chunk := list(islice(rows, ROWS_AT_ONCE)):
        yield line, chunk
        line += len(chunk)


def _column(codes: list[IntArray], places: dict[str, int]) -> Column:
    return tidied(np.concatenate([np.empty(0, np.int64), *codes]), places)


def _check_header(header: list[str], name: str) -> None:
    doubled = {title for title in header if header.count(title) > 1}
    if doubled:
        raise InvalidData(f"{name} has two columns named {sorted(doubled)[0]!r}")


def _check_width(rows: list[list[str]], lines: IntArray, width: int, name: str) -> None:
    for row, line in zip(rows, lines, strict=True):
        if len(row) != width:
            raise InvalidData(
                f"{name}, line {line}: {len(row)} cells, but the header has {width}"
            )
