"""Kill tests: the resumed store equals the uninterrupted one, row by row, times aside."""

import os
import signal
import subprocess
import sys
import time

import pytest

from tailsafe.engine import Engine
from tailsafe.study.run import run_study
from tailsafe.study.store import read_store

ONE = Engine(workers=1)


@pytest.mark.slow
@pytest.mark.parametrize("executor", ["processes", "dask"])
def test_the_unit_of_a_killed_worker_is_done_again(executor, tiny, tmp_path, content, expected):
    path, marker = tmp_path / "s.db", tmp_path / "killed"
    study = tiny.study(profiles=(tiny.Tiny(marker=str(marker)),))
    assert run_study(study, path, Engine(executor=executor, workers=2)).complete
    assert marker.exists()
    assert content(path) == expected


@pytest.mark.slow
@pytest.mark.parametrize("executor", ["threads", "processes", "dask"])
def test_a_killed_driver_loses_only_what_was_in_flight(executor, tiny, tmp_path, content):
    trials, path, calm = 30, tmp_path / "s.db", tmp_path / "calm.db"
    with _started(tiny, path, executor, trials) as driver:
        _wait_for(driver, done=5)
        driver.kill()
    kept = _kept(path)
    assert 5 <= kept < 2 * trials
    patient = tiny.study(trials, profiles=(tiny.Tiny(pause=0.05),))
    resumed = run_study(patient, path, Engine(workers=8))
    assert (resumed.before, resumed.done) == (kept, 2 * trials - kept)
    run_study(tiny.study(trials), calm, ONE)
    assert content(path) == content(calm)
    assert _gone(driver.pid)


@pytest.mark.slow
@pytest.mark.parametrize("executor", ["threads", "processes", "dask"])
def test_ctrl_c_keeps_what_is_done_and_says_so(executor, tiny, tmp_path):
    path = tmp_path / "s.db"
    with _started(tiny, path, executor, 500) as driver:
        _wait_for(driver, done=3)
        os.killpg(driver.pid, signal.SIGINT)
        printed, complaints = driver.communicate()
    assert (driver.returncode, complaints) == (3, "")
    assert _kept(path) == int(printed.split()[-1]) if printed else _kept(path) >= 3


def _started(tiny, path, executor, trials):
    command = [sys.executable, str(tiny.SCRIPT), str(path), executor, str(trials), "0.05"]
    return subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        # pytest may have been started in the background, where Ctrl-C is not heard.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )


def _wait_for(driver, done):
    while int(driver.stdout.readline()) < done:
        pass


def _kept(path):
    with read_store(path) as store:
        return len(store.seconds())


def _gone(session, patience=10.0):
    """Return whether no process of a session is left, after a moment."""
    ends = time.monotonic() + patience
    while time.monotonic() < ends:
        try:
            os.killpg(session, 0)
        except ProcessLookupError:
            return True
        time.sleep(0.1)
    return False
