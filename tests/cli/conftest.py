"""A small log and the outputs of a choice made from it."""

import subprocess
import sys
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

import pytest

from tailsafe.cli import main


@dataclass(frozen=True)
class Run:
    """What a command line left behind."""

    code: int
    out: str
    err: str
    folder: Path

    def text(self, name):
        return (self.folder / name).read_text("utf-8")


def tailsafe(*arguments, cwd, **more):
    """Run the command line in a process of its own."""
    command = [sys.executable, "-m", "tailsafe", *map(str, arguments)]
    return subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=False, **more)


@pytest.fixture(scope="session")
def machine_log(tmp_path_factory):
    """Return the first 25 machines of the log that ships."""
    lines = (files("tailsafe") / "shipped" / "machine.csv").read_text("utf-8").splitlines(True)
    path = tmp_path_factory.mktemp("logs") / "machine.csv"
    path.write_text("".join(lines[:501]), "utf-8")
    return path


@pytest.fixture
def run(capsys, tmp_path, monkeypatch):
    """Return the function that runs a command line in this process, in an empty folder."""
    monkeypatch.chdir(tmp_path)

    def run_(*arguments):
        code = main([str(argument) for argument in arguments])
        printed = capsys.readouterr()
        return Run(code, printed.out, printed.err, tmp_path)

    return run_


@pytest.fixture(scope="session")
def selected(machine_log, tmp_path_factory):
    """Return a choice, made in a process of its own."""
    folder = tmp_path_factory.mktemp("selected")
    done = tailsafe(
        *("select", machine_log, "--discount", "0.9", "--portfolio", "paper"),
        *("--seed", "3", "--output", folder / "out"),
        cwd=folder,
    )
    return Run(done.returncode, done.stdout, done.stderr, folder / "out")
