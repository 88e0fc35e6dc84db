"""Broken logs: each gets a message that says what, where and how much.

`./run python tests/data/test_bad_logs.py` prints the table of logs and messages.
"""

import contextlib
import gzip
import io

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tailsafe as ts
from tailsafe.data import Columns, read_log
from tailsafe.data.csvfile import parse_csv
from tailsafe.data.reader import log_of_sheet

HEAD = "episode,step,state,action,reward,next_state,terminated\n"
GOOD = HEAD + "1,0,a,x,1,b,0\n1,1,b,y,0,c,1\n2,0,a,y,2,a,0\n"


def broken(line, new):
    """Return the good log with one line replaced; line 1 is the header."""
    lines = GOOD.splitlines()
    lines[line - 1] = new
    return "\n".join(lines) + "\n"


CASES = {
    "empty file": ("", {}, "log.csv is empty: expected a header line"),
    "header only": (HEAD, {}, "log.csv has a header but no rows"),
    "no header": ("0,1,0,0.5\n1,0,1,0\n", {}, "no column for the state (is the header line"),
    "no action column": (
        "state,reward\na,1\n",
        {},
        "log.csv has no column for the action: looked for action, a, act, actions; it has state, "
        "reward. Say which it is, as in action=NAME",
    ),
    "named column not there": (
        GOOD,
        {"columns": Columns(state="ward")},
        "log.csv has no column 'ward'; it has episode, step, state",
    ),
    "one column in two roles": (
        GOOD,
        {"columns": Columns(state="action")},
        "column 'action' of log.csv is to be both state and action",
    ),
    "two columns of one name": (
        "state,action,state\na,x,b\n",
        {},
        "log.csv has two columns named 'state'",
    ),
    "too few cells": (broken(3, "1,1,b,y,0"), {}, "row 3 of log.csv: 5 cells, but the header has"),
    "too many cells": (broken(4, "2,0,a,y,2,a,0,9"), {}, "row 4 of log.csv: 8 cells"),
    "quotation mark not closed": (
        broken(3, '1,1,"b,y,0,c,1'),
        {},
        "row 3 of log.csv: unexpected end of data; is a quotation mark missing?",
    ),
    "quotation mark closed in the next line": (
        broken(3, '1,1,"b,y,0,c,1\n1,1,b",y,0,c,1'),
        {},
        "row 3 of log.csv: a cell goes on in the next line; is a quotation mark missing?",
    ),
    "state empty": (broken(3, "1,1,,y,0,c,1"), {}, "row 3 of log.csv: state is empty"),
    "action empty": (broken(2, "1,0,a,,1,b,0"), {}, "row 2 of log.csv: action is empty"),
    "reward empty": (broken(4, "2,0,a,y,,a,0"), {}, "row 4 of log.csv: reward is empty"),
    "reward is text": (
        broken(4, "2,0,a,y,good,a,0"),
        {},
        "row 4 of log.csv: reward is 'good', not a finite number",
    ),
    "reward is infinite": (
        broken(2, "1,0,a,x,inf,b,0"),
        {},
        "row 2 of log.csv: reward is 'inf', not a finite number",
    ),
    "reward is NaN": (broken(2, "1,0,a,x,nan,b,0"), {}, "reward is 'nan', not a finite number"),
    "reward overflows": (broken(2, "1,0,a,x,1e999,b,0"), {}, "reward is '1e999', not a finite"),
    "decimal comma": (
        broken(2, "1,0,a,x,0.5,b,0").replace(",", ";").replace("0.5", "0,5"),
        {},
        "row 2 of log.csv: reward is '0,5', not a finite number; write decimals with a point",
    ),
    "flag is text": (
        broken(3, "1,1,b,y,0,c,dead"),
        {},
        "row 3 of log.csv: terminated is 'dead', not true or false",
    ),
    "episode empty": (broken(3, ",1,b,y,0,c,1"), {}, "row 3 of log.csv: episode is empty"),
    "time is text": (
        broken(3, "1,later,b,y,0,c,1"),
        {},
        "row 3 of log.csv: step is 'later', neither a number nor an ISO date",
    ),
    "time twice": (
        broken(3, "1,0,b,y,0,c,1"),
        {},
        "row 3 of log.csv: step is the same as in row 2 of log.csv, in the same episode",
    ),
    "episode goes on after its end": (
        broken(2, "1,0,a,x,1,b,1"),
        {},
        "row 3 of log.csv: episode '1' goes on although it ended in row 2 of log.csv",
    ),
    "state not declared": (
        GOOD,
        {"states": ["a", "b"]},
        "row 3 of log.csv: next state 'c' is none of the 2 states given (a, b): 1 such row",
    ),
    "action not declared": (
        "s,a,r,next_s\n0,1,0,1\n1,5,0,0\n",
        {"actions": 4},
        "row 3 of log.csv: a '5' is none of the 4 actions given (0, 1, 2, 3): 1 such row",
    ),
    "state declared twice": (GOOD, {"states": ["a", "a"]}, "state 'a' is listed twice"),
    "no actions declared": (GOOD, {"actions": []}, "the list of actions is empty"),
    "zero states declared": (GOOD, {"states": 0}, "the number of states must be a positive whole"),
    "propensity zero": (
        "s,a,r,next_s,propensity\n0,1,0,1,0.5\n1,1,0,0,0\n",
        {},
        "row 3 of log.csv: propensity is 0, not in (0, 1]",
    ),
    "propensity above one": (
        "s,a,r,next_s,propensity\n0,1,0,1,50\n",
        {},
        "row 2 of log.csv: propensity is 50, not in (0, 1]",
    ),
    "nothing follows anything": ("episode,s,a,r\n1,a,x,0\n2,b,x,0\n", {}, "shows no transition"),
}  # fmt: skip


def refusal(text, columns=Columns(), **names):  # noqa: B008
    with pytest.raises(ts.InvalidData) as caught:
        log_of_sheet(parse_csv(io.StringIO(text), "log.csv", columns.pick), **names)
    return str(caught.value)


@pytest.mark.parametrize("case", CASES)
def test_a_broken_log_is_refused_by_its_place(case):
    text, options, expected = CASES[case]
    assert expected in refusal(text, **options)


def test_the_log_of_which_the_cases_are_broken_is_good():
    log = log_of_sheet(parse_csv(io.StringIO(GOOD), "log.csv", Columns().pick))
    assert (len(log.batch), log.labels.states) == (3, ("a", "b", "c"))


def test_line_numbers_hold_beyond_the_first_block_of_lines():
    rows = "a,x,1,b\n" * 40_000
    text = "state,action,reward,next_state\n" + rows + "\n" + '"a",x,lots,b\n' + rows
    assert refusal(text).startswith("row 40003 of log.csv: reward is 'lots'")


FILES = {
    "missing": (None, "cannot read {path}: No such file or directory"),
    "latin-1": ("state,action\nKöln,x\n".encode("latin-1"), "log.csv is not UTF-8 text"),
    "binary": (bytes(range(256)) * 9, "log.csv is not UTF-8 text"),
}


@pytest.mark.parametrize("case", FILES)
def test_a_file_that_cannot_be_read_is_refused(case, tmp_path):
    content, expected = FILES[case]
    path = tmp_path / "log.csv"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(ts.InvalidData) as caught:
        read_log(path)
    assert str(caught.value).startswith(expected.format(path=path))


def test_broken_compressed_files_and_parquet_files_are_refused(tmp_path):
    whole = gzip.compress(GOOD.encode() * 50)
    spoilt = bytearray(whole)
    spoilt[30:60] = bytes(30)
    for name, content in (
        ("cut.csv.gz", whole[:-30]),
        ("spoilt.csv.gz", bytes(spoilt)),
        ("text.csv.gz", GOOD.encode()),
        ("text.parquet", GOOD.encode()),
        ("folder.csv", None),
    ):
        path = tmp_path / name
        path.mkdir() if content is None else path.write_bytes(content)
        with pytest.raises(ts.InvalidData, match=f"cannot read .*{name}"):
            read_log(path)


TABLES = {
    "list": ([1, 2], "cannot read a log from list: give a path, a data frame"),
    "nothing": (None, "cannot read a log from NoneType"),
    "empty frame": (pd.DataFrame({"state": [], "action": []}), "has a header but no rows"),
    "pixels": (
        {"state": np.zeros((4, 3)), "action": np.zeros(4)},
        "state of arrays has shape (4, 3), expected one discrete value a row",
    ),
    "ragged": ({"state": [[1], [1, 2]], "action": [0, 0]}, "state of arrays is ragged"),
    "lengths": (
        {"state": [0, 1], "action": [0, 0, 0], "next_state": [1, 1]},
        "the columns of arrays have different lengths: state 2, action 3, next_state 2",
    ),
    "names twice": (
        pd.DataFrame([[0, 1, 2]], columns=["state", "state", "action"]),
        "data frame has several columns of one name",
    ),
    "reward is missing": (
        {"state": [0, 1], "action": [0, 0], "next_state": [1, 1], "reward": [0.0, np.nan]},
        "row 1 of arrays: reward is empty",
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", TABLES)
def test_a_broken_table_in_memory_is_refused(case):
    source, expected = TABLES[case]
    with pytest.raises(ts.InvalidData) as caught:
        read_log(source)
    assert expected in str(caught.value)


@pytest.mark.parametrize("pair", ["state", "ward=state", "=x", ""])
def test_a_column_option_that_names_no_role_is_refused(pair):
    with pytest.raises(ts.InvalidData, match="write ROLE=NAME"):
        Columns.parsed([pair])


MANY = settings(max_examples=200, deadline=None)
CELLS = st.text(alphabet="01ab.,;-e_\"'\t \r\n\x00é٣", max_size=8)


@MANY
@given(
    st.lists(
        st.tuples(st.integers(0, len(GOOD)), st.integers(0, 12), CELLS), min_size=1, max_size=6
    )
)
def test_mangled_text_never_crashes_the_reader(cuts):
    text = GOOD
    for at, length, new in cuts:
        text = text[:at] + new + text[at + length :]
    with contextlib.suppress(ts.TailsafeError):
        log = log_of_sheet(parse_csv(io.StringIO(text, newline=None), "log.csv", Columns().pick))
        assert len(log.batch) > 0


LABELS = st.text(alphabet="01ab.,;-e_\"' é٣", min_size=1, max_size=6)


@MANY
@given(st.lists(LABELS, min_size=2, max_size=5), st.integers(0, 2**70))
def test_any_cells_are_labels_or_are_refused(cells, number):
    frame = {"state": cells, "action": [str(number)] * len(cells), "next_state": cells[::-1]}
    with contextlib.suppress(ts.TailsafeError):
        log = read_log(frame)
        seen = [log.labels.states[s] for s in log.batch.state]
        assert [ts.data.labels.plain(cell.strip()) for cell in cells] == seen


def table():
    """Return all refusals as lines of a table."""
    cases = {name: refusal(text, **options) for name, (text, options, _) in CASES.items()}
    return "\n".join(f"{name:45} {message}" for name, message in cases.items())


if __name__ == "__main__":
    print(table())
