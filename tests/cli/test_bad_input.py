"""Broken logs and flags: each gets one line on standard error, exit code 2, and writes nothing.

`./run python tests/cli/test_bad_input.py` prints the table of inputs, codes and messages.
"""

import contextlib
import io
import os
import tempfile
from pathlib import Path

import pytest

from tailsafe.cli import main

GOOD = """episode,state,action,reward,next_state
1,dry,wait,0,wet
1,wet,drain,1,dry
2,dry,drain,0,dry
2,dry,wait,0,wet
"""
FILES = {
    "good.csv": GOOD,
    "empty.csv": "",
    "header.csv": "episode,state,action,reward\n",
    "no-action.csv": "episode,state,reward\n1,dry,0\n",
    "no-reward.csv": "state,action,next_state\ndry,wait,wet\n",
    "text-reward.csv": GOOD.replace("drain,1,", "drain,much,"),
    "nan-reward.csv": GOOD.replace("drain,1,", "drain,nan,"),
    "random-reward.csv": GOOD.replace("2,dry,wait,0", "2,dry,wait,5"),
    "ragged.csv": GOOD.replace("1,dry", "1,2,dry"),
    "latin.csv": GOOD.replace("dry", "m\u00e4\u00dfig"),
    "support.csv": "state,action,next_state\ndry,wait,dry\n",
    "rewards.csv": "state,action,reward\ndry,wait,1\n",
    "half.csv": "state,action\ndry,wait\n",
    "unknown.csv": "state,action\ndry,fly\nwet,drain\n",
    "unequal.csv": "state,action,probability\ndry,wait,0.5\nwet,drain,1\n",
    "taken/report.html": "my own report",
    "other.json": '{"schema": "somebody.else/1"}',
    "future.json": '{"schema": "tailsafe.selection/2"}',
    "broken.json": '{"schema": ',
    "nan.json": '{"schema": NaN}',
    "list.json": "[1, 2]",
    "short.json": '{"schema": "tailsafe.selection/1"}',
}

# What is asked, and what the message must say.
CASES = [
    ("", "the following arguments are required: COMMAND"),
    ("choose good.csv", "invalid choice: 'choose'"),
    ("select", "the following arguments are required: LOG"),
    ("select good.csv --fast", "unrecognized arguments: --fast"),
    ("select good.csv --disc 0.9", "unrecognized arguments: --disc 0.9"),
    ("select good.csv --risk", "argument --risk: expected one argument"),
    ("select good.csv --risk tvar:0.1", "argument --risk: 'tvar:0.1' is no risk measure"),
    ("select good.csv --risk cvar:25", "25 is not strictly between 0 and 1"),
    ("select good.csv --alpha 0", "argument --alpha: 0 is not strictly between 0 and 1"),
    ("select good.csv --alpha-certificate 1", "argument --alpha-certificate: 1 is not"),
    ("select good.csv --eps -1", "argument --eps: -1 is not above 0"),
    ("select good.csv --eps 1 --eps-rel 1", "--eps-rel: not allowed with argument --eps"),
    ("select good.csv --discount 1.5", "argument --discount: 1.5 is not from 0 to 1"),
    ("select good.csv --discount 1", "discount 1 needs terminal states"),
    ("select good.csv --prior 0", "argument --prior: 0 is not above 0"),
    ("select good.csv --prior flat", "argument --prior: 'flat' is not a number"),
    ("select good.csv --seed 1.5", "argument --seed: '1.5' is not a whole number"),
    ("select good.csv --threads 0", "argument --threads: 0 is not a whole number of at least 1"),
    ("select good.csv --budget many", "argument --budget: 'many' is not a whole number"),
    ("select good.csv --portfolio best", "argument --portfolio: invalid choice: 'best'"),
    ("select good.csv --column state", "'state' does not name a column: write ROLE=NAME"),
    ("select good.csv --column state=weather", "good.csv has no column 'weather'"),
    ("select good.csv --states 1", "row 2 of good.csv: state 'dry' is none of the 1 state"),
    ("select good.csv --terminal dust", "there is no state 'dust'"),
    ("select good.csv --terminal dry", "state dry is left for wet, but it is a terminal state"),
    ("select good.csv --support support.csv", "rules out"),
    (
        "select good.csv --support none",
        "cannot read none: No such file or directory; --support takes all, seen or a file",
    ),
    ("select good.csv --reward maen", "--reward takes log, mean or a file"),
    (
        "select good.csv --reward rewards.csv",
        "the table gives no reward for state dry, action drain",
    ),
    ("select good.csv --reward none.csv", "cannot read none.csv: No such file or directory"),
    ("select good.csv --unseen-reward inf", "--unseen-reward: 'inf' is not a finite number"),
    ("select good.csv --policies half.csv", "half.csv says no action for state wet"),
    ("select good.csv --policies unknown.csv", "'fly' is none of the log's actions"),
    ("select good.csv --policies unequal.csv", "the actions of state dry have probability 0.5"),
    ("select good.csv --behaviour none.csv", "cannot read none.csv: No such file or directory"),
    ("select good.csv --output taken", "report.html exists, and no selection.json of tailsafe"),
    ("select good.csv --output good.csv", "--output good.csv is a file, not a folder"),
    ("select good.csv --output good.csv/out", "--output good.csv/out: good.csv is not a folder"),
    ("select none.csv", "cannot read none.csv: No such file or directory"),
    ("select .", "cannot read"),
    ("select empty.csv", "empty.csv is empty"),
    ("select header.csv", "no rows"),
    ("select no-action.csv", "no-action.csv has no column for the action"),
    ("select no-reward.csv", "no column for the reward"),
    ("select text-reward.csv", "reward is 'much', not a finite number"),
    ("select nan-reward.csv", "reward is 'nan', not a finite number"),
    ("select random-reward.csv", "the reward is not a function of state, action and next state"),
    ("select ragged.csv", "row 2 of ragged.csv: 6 cells, but the header has 5"),
    ("select latin.csv", "latin.csv is not UTF-8 text"),
    ("data none.csv", "cannot read none.csv: No such file or directory"),
    ("data good.csv --threads two", "argument --threads: 'two' is not a whole number"),
    ("evaluate good.csv", "the following arguments are required: --policies"),
    ("evaluate good.csv --policies half.csv", "half.csv says no action for state wet"),
    ("evaluate good.csv --policies none.csv", "cannot read none.csv: No such file or directory"),
    ("evaluate good.csv --policies good.csv --budget 9", "unrecognized arguments: --budget 9"),
    ("report", "the following arguments are required: SELECTION.JSON"),
    ("report none.json", "cannot read none.json: No such file or directory"),
    ("report other.json", "other.json is not a selection of tailsafe"),
    ("report future.json", "has the schema 'tailsafe.selection/2'; this version reads"),
    ("report broken.json", "broken.json is not JSON"),
    ("report nan.json", "nan.json holds NaN, which is not JSON"),
    ("report list.json", "list.json is not a selection of tailsafe"),
    ("report short.json", "short.json has no 'question'"),
    ("report list.json --output ./list.json", "is the selection itself"),
    ("report none.json --output nowhere/out.html", "cannot read none.json"),
    ("demo --output taken", "report.html exists, and no selection.json of tailsafe"),
]


def put_files(folder):
    for name, text in FILES.items():
        path = folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, "latin-1" if name == "latin.csv" else "utf-8")


def refusal(command):
    """Return the exit code, and what went to standard output and error."""
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = main(command.split())
    return code, out.getvalue(), err.getvalue()


@pytest.fixture
def folder(tmp_path, monkeypatch):
    put_files(tmp_path)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize(("command", "words"), CASES, ids=[command for command, _ in CASES])
def test_bad_input_is_refused_in_one_line_and_nothing_is_written(folder, command, words):
    before = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    code, out, err = refusal(command)
    assert (code, out) == (2, "")
    assert err.startswith("tailsafe: error: ")
    assert err.count("\n") == 1
    assert err.endswith("\n")
    assert words in err
    assert {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()} == before


def test_the_good_log_is_not_refused(folder):
    code, out, err = refusal("select good.csv --portfolio paper --eps-rel 0.5 --output out")
    assert (code, err) == (0, "")
    assert (folder / "out" / "policy.csv").exists()
    assert "best" in out


def print_table():
    os.chdir(tempfile.mkdtemp())
    put_files(Path.cwd())
    for command, _ in CASES:
        code, _, err = refusal(command)
        print(f"tailsafe {command}\n    {code}  {err.strip()}")


if __name__ == "__main__":
    print_table()
