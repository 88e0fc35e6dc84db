"""What is printed: the table of candidates, long lists cut, the state of a race."""

from copy import deepcopy

import pytest

from tailsafe.cli import printing
from tailsafe.cli.progress import progress, state_line
from tailsafe.cli.ranking import ROWS, summary, table
from tailsafe.record.files import read_record
from tailsafe.selection import RaceState


@pytest.fixture
def record(selected):
    return deepcopy(read_record(selected.folder / "selection.json"))


def test_a_row_has_the_estimate_its_interval_the_law_and_the_standing(record):
    best = record["candidates"][0]
    best["name"] = "first"
    lines = table(record)
    assert lines[0].split() == [
        *("policy", "CVaR(0.25)", "interval", "VaR(0.25)", "mean", "standing", "also", "from")
    ]
    cells = lines[1].split()
    assert cells[:2] == ["1", "first"]
    assert [float(cells[i]) for i in (2, 3, 5, 6, 7)] == pytest.approx(
        [best[key] for key in ("estimate", "lower", "upper", "var", "mean")], abs=0.006
    )
    assert cells[8] == "best"


def test_the_measure_asked_for_has_one_column(record):
    record["question"]["risk"] = {"kind": "var", "level": 0.1, "name": "VaR(0.1)", "words": ""}
    assert table(record)[0].split()[1:6] == [
        "VaR(0.1)",
        "interval",
        "CVaR(0.1)",
        "mean",
        "standing",
    ]
    record["question"]["risk"] = {"kind": "mean", "level": None, "name": "mean", "words": ""}
    assert table(record)[0].split()[1:5] == ["mean", "interval", "VaR(0.25)", "CVaR(0.25)"]


def test_who_leads_an_undecided_race_is_not_called_the_best(record):
    record["answer"]["status"] = "budget"
    assert " leading" in table(record)[1]
    assert " best" not in table(record)[1]


def test_a_zero_has_no_minus(record):
    record["candidates"][0] |= {"estimate": -1e-9, "lower": -1e-9, "upper": 0.0}
    assert " -0.0" not in table(record)[1]
    assert " 0.00" in table(record)[1]


def test_bounds_that_do_not_exist_are_infinite(record):
    record["candidates"][0]["lower"] = record["candidates"][0]["upper"] = None
    assert "-inf .. inf" in table(record)[1]


def test_long_rankings_names_and_origins_are_cut(record):
    record["candidates"][0] |= {"name": "x" * 80, "origins": ["x", *"abcde"]}
    record["candidates"] *= 20
    lines = table(record)
    assert len(lines) == ROWS + 2
    assert lines[-1] == f"    and {len(record['candidates']) - ROWS} more, in the report"
    assert lines[1].endswith("a, b, c and 2 more")
    assert "x" * 33 + "… " in lines[1]
    assert "x" * 34 not in lines[1]


def test_a_summary_ends_with_the_files(record, tmp_path):
    record["warnings"] = [{"code": "data", "words": "look out"}]
    text = summary(record, [tmp_path / "report.html"])
    assert text.endswith(f"\n\n  {tmp_path / 'report.html'}")
    assert "Warning: look out" in text
    assert text.startswith("Which policy has the largest CVaR(0.25)")


def test_what_the_terminal_cannot_show_becomes_a_question_mark(monkeypatch):
    class Narrow:
        encoding = "ascii"

    monkeypatch.setattr(printing.sys, "stdout", Narrow())
    text = printing.encodable("Zustand \u00e4 \u2026")
    assert text == "Zustand ? ?"


def test_a_line_that_is_piped_stays_whole_and_a_terminal_gets_what_fits(monkeypatch):
    line = "x" * 300
    assert printing.cut(line) == line
    monkeypatch.setattr(printing.sys.stdout, "isatty", lambda: True, raising=False)
    monkeypatch.setenv("COLUMNS", "50")
    assert printing.cut(line) == "x" * 49 + "…"


@pytest.mark.parametrize(
    ("lower", "words"),
    [
        (None, "race: 7 alive, 2 parked, 4,096 models, leader SPIBB(5), no bound yet"),
        (5.25, "race: 7 alive, 2 parked, 4,096 models, leader SPIBB(5), at least 5.25"),
    ],
)
def test_the_state_of_a_race_is_one_line(lower, words):
    assert state_line(RaceState(4096, 7, 2, "SPIBB(5)", lower, 0.5)) == words


def test_the_bar_shows_what_is_proposed_and_raced_on_standard_error(capsys, monkeypatch):
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("COLUMNS", "120")
    with progress(shown=True) as watchers:
        watchers.proposed("SPIBB[5]", 1, 4)
        watchers.raced(RaceState(4096, 7, 2, "SPIBB[5]", None, 0.5))
    printed = capsys.readouterr()
    assert printed.out == ""
    assert "7 alive, 2 parked, 4,096 models, leader SPIBB[5]" in printed.err


def test_nobody_is_told_where_nobody_looks():
    with progress(shown=False) as watchers:
        assert (watchers.proposed, watchers.raced) == (None, None)


def test_names_stand_left_and_numbers_right():
    rows = [["name", "1"], ["a longer name", "1,024"]]
    assert printing.aligned(rows, {0}) == ["name               1", "a longer name  1,024"]
