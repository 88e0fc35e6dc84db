"""Rows as tables for other programs."""

import csv

import pytest

from tailsafe.engine import Engine
from tailsafe.errors import InvalidData
from tailsafe.study.export import export
from tailsafe.study.rows import COLUMNS
from tailsafe.study.run import run_study
from tailsafe.study.store import read_rows


@pytest.fixture
def rows(tiny, tmp_path):
    run_study(tiny.study(trials=1), tmp_path / "s.db", Engine(workers=1))
    return read_rows(tmp_path / "s.db")


def test_csv_holds_every_cell_to_the_last_digit(rows, tmp_path):
    export(rows, tmp_path / "rows.csv")
    with (tmp_path / "rows.csv").open(newline="") as file:
        found = list(csv.DictReader(file))
    assert tuple(found[0]) == COLUMNS
    assert [float(cells["u"]) for cells in found] == [row.u for row in rows]
    assert found[0]["bound"] == ""
    assert found[0]["domain"] == "ring"


def test_parquet_holds_types_and_missing_cells(rows, tmp_path):
    parquet = pytest.importorskip("pyarrow.parquet")
    export(rows, tmp_path / "rows.parquet")
    table = parquet.read_table(tmp_path / "rows.parquet")
    assert tuple(table.column_names) == COLUMNS
    assert table.column("u").to_pylist() == [row.u for row in rows]
    assert table.column("size").to_pylist() == [row.size for row in rows]
    assert table.column("bound").null_count == len(rows)
    export([], tmp_path / "none.parquet")
    assert parquet.read_table(tmp_path / "none.parquet").num_rows == 0


def test_another_ending_is_refused(rows, tmp_path):
    with pytest.raises(InvalidData, match=r"rows are written as .csv or .parquet"):
        export(rows, tmp_path / "rows.xlsx")
    assert not (tmp_path / "rows.xlsx").exists()
