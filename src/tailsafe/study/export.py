"""The rows of a study as a table for other programs: csv or parquet."""

import csv
from collections.abc import Sequence
from dataclasses import astuple
from importlib.util import find_spec
from pathlib import Path

from tailsafe.errors import InvalidData, MissingDependency
from tailsafe.study.files import clear_failures, written_whole
from tailsafe.study.rows import COLUMNS, Row


def export(rows: Sequence[Row], path: Path) -> None:
    """Write the rows; the ending of the path, .csv or .parquet, says how.

    Parameters
    ----------
    rows, path
        What, and where to; what was there is replaced.
    """
    check_target(path)
    with clear_failures(path), written_whole(path) as partial:
        _WRITERS[path.suffix](rows, partial)


def check_target(path: Path) -> None:
    """Raise InvalidData for an ending that says nothing, MissingDependency without its library."""
    if path.suffix not in _WRITERS:
        raise InvalidData(f"{path}: rows are written as .csv or .parquet")
    if path.suffix == ".parquet" and find_spec("pyarrow") is None:
        raise MissingDependency("writing parquet needs pyarrow: pip install 'tailsafe[parquet]'")


def _write_csv(rows: Sequence[Row], path: Path) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        table = csv.writer(file, lineterminator="\n")
        table.writerow(COLUMNS)
        # Python writes the shortest text that reads as the same number.
        table.writerows(astuple(row) for row in rows)


def _write_parquet(rows: Sequence[Row], path: Path) -> None:
    import pyarrow as pa
    from pyarrow import parquet

    columns = zip(*(astuple(row) for row in rows), strict=True) if rows else [()] * len(COLUMNS)
    arrays = [pa.array(column) for column in columns]
    parquet.write_table(pa.table(dict(zip(COLUMNS, arrays, strict=True))), path)


_WRITERS = {".csv": _write_csv, ".parquet": _write_parquet}
