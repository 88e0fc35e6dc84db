"""Ctrl-C: what was decided is written."""

import subprocess
import sys

import pytest

from tailsafe.record.files import read_record

IN_THE_RACE = """
import os, signal, sys, threading
from tailsafe.cli import answers, main

real, clock = answers.select, threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT))

def select(*arguments, watch=None, **options):
    # Half a second after the first look: wherever the race then is.
    def told(state):
        if state.n_models == 64:
            clock.start()
    return real(*arguments, watch=told, **options)

answers.select = select
sys.exit(main(sys.argv[1:]))
"""
WHILE_READING = """
import os, signal, sys
from tailsafe.cli import main, problems

problems.read_log = lambda *_: os.kill(os.getpid(), signal.SIGINT)
sys.exit(main(sys.argv[1:]))
"""
WHILE_WRITING = """
import os, signal, sys
from tailsafe.cli import answers, main, outputs

def disturbed(verb):
    def disturbed_(*arguments):
        os.kill(os.getpid(), signal.SIGINT)
        return verb(*arguments)
    return disturbed_

answers.selection_record = disturbed(answers.selection_record)
outputs.write = disturbed(outputs.write)
code = main(sys.argv[1:])
assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
sys.exit(code)
"""


def interrupted(script, log, folder, *arguments):
    command = [sys.executable, "-c", script, "select", str(log), "--output", "out", *arguments]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


@pytest.mark.slow
def test_in_the_race_it_leaves_the_tie_set_so_far_and_code_3(machine_log, tmp_path):
    endless = ("--eps", "1e-9", "--budget", "1e9", "--portfolio", "paper")
    done = interrupted(IN_THE_RACE, machine_log, tmp_path, *endless)
    record = read_record(tmp_path / "out" / "selection.json")
    assert (done.returncode, done.stderr) == (3, "")
    assert record["answer"]["status"] == "interrupted"
    assert record["answer"]["best"] in record["answer"]["ties"]
    assert record["answer"]["n_models"] >= 64
    assert record["answer"]["certificate"]["n_models"] > 0
    assert record["warnings"][0]["code"] == "interrupted"
    assert "The race was interrupted before one policy was proved best" in done.stdout
    assert (tmp_path / "out" / "report.html").exists()
    assert (tmp_path / "out" / "policy.csv").exists()


def test_before_the_race_it_writes_nothing_and_leaves_with_code_130(machine_log, tmp_path):
    done = interrupted(WHILE_READING, machine_log, tmp_path)
    assert done.returncode == 130
    assert done.stderr == "tailsafe: interrupted before anything was decided\n"
    assert list(tmp_path.iterdir()) == []


def test_once_there_is_an_answer_it_is_written_all_the_same(machine_log, tmp_path):
    quick = ("--portfolio", "paper", "--eps-rel", "0.5")
    done = interrupted(WHILE_WRITING, machine_log, tmp_path, *quick)
    assert (done.returncode, done.stderr) == (0, "")
    names = sorted(path.name for path in (tmp_path / "out").iterdir())
    assert names == ["policy.csv", "report.html", "selection.json"]
