"""The demo and the log that ships: what is promised is done, and the log is what made it says."""

import subprocess
import sys
from importlib.resources import files
from pathlib import Path

import pytest

from tailsafe.record.files import read_record

MAKER = Path(__file__).parents[1] / "benchmarks" / "machine_log.py"


def python(*arguments, cwd):
    command = [sys.executable, *map(str, arguments)]
    return subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=False)


@pytest.mark.slow
def test_the_demo_chooses_a_policy_and_says_where_the_report_is(tmp_path):
    done = python("-m", "tailsafe", "demo", cwd=tmp_path)
    record = read_record(tmp_path / "tailsafe-demo" / "selection.json")
    assert (done.returncode, done.stderr) == (0, "")
    assert record["answer"]["status"] == "selected"
    assert record["provenance"]["command"] == ["tailsafe", "demo"]
    assert record["labels"]["states"][0] == "new"
    assert "tailsafe-demo/report.html" in done.stdout
    assert "With Monte Carlo probability at least 0.99" in done.stdout


@pytest.mark.slow
def test_a_quiet_demo_goes_where_it_is_told_and_says_nothing(tmp_path):
    done = python("-m", "tailsafe", "demo", "--output", "here", "--quiet", cwd=tmp_path)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert (tmp_path / "here" / "report.html").exists()


@pytest.mark.skipif(not MAKER.exists(), reason="the benchmarks are not part of this copy")
def test_the_log_that_ships_is_what_the_documented_command_prints(tmp_path):
    done = python(MAKER, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stdout == (files("tailsafe") / "shipped" / "machine.csv").read_text("utf-8")
