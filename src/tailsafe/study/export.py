"""The rows of a study as a table for other programs: csv or parquet."""

import csv
from collections.abc import Sequence
from dataclasses import astuple
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
    writers = {".csv": _write_csv, ".parquet": _write_parquet}
    if path.suffix not in writers:
        raise InvalidData(f"{path}: rows are written as .csv or .parquet")
    with clear_failures(path), written_whole(path) as partial:
        writers[path.suffix](rows, partial)


def _write_csv(rows: Sequence[Row], path: Path) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        table = csv.writer(file, lineterminator="\n")
        table.writerow(COLUMNS)
        # Python writes the shortest text that reads as the same number.
        table.writerows(astuple(row) for row in rows)


def _write_parquet(rows: Sequence[Row], path: Path) -> None:
    try:
        import pyarrow as pa
        from pyarrow import parquet
    except ImportError:
        raise MissingDependency(
            "writing parquet needs pyarrow: pip install 'tailsafe[parquet]'"
        ) from None
    columns = zip(*(astuple(row) for row in rows), strict=True) if rows else [()] * len(COLUMNS)
    arrays = [pa.array(column) for column in columns]
    parquet.write_table(pa.table(dict(zip(COLUMNS, arrays, strict=True))), path)
