"""A killed worker's unit is done again; workers that keep dying are given up on."""

import os
import signal

import numpy as np
import pytest

from tailsafe import domains
from tailsafe.engine import Engine
from tailsafe.evaluate import performances
from tailsafe.executors import processes
from tailsafe.executors.processes import MAX_BREAKS, WorkersKeepDying, map_keyed
from tailsafe.policy import Policy
from tailsafe.posterior import Dirichlet
from tailsafe.simulate import simulate


def test_the_unit_of_a_killed_worker_is_done_again_with_the_same_result(tmp_path):
    killed = tmp_path / "killed"

    def unit(key):
        if key == 3 and not killed.exists():
            killed.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return np.random.default_rng(key).random(4)

    results = dict(map_keyed(unit, range(8), workers=2))
    assert killed.exists()
    assert sorted(results) == list(range(8))
    for key, drawn in results.items():
        assert np.array_equal(drawn, np.random.default_rng(key).random(4))


def test_what_was_yielded_before_a_worker_was_killed_is_not_yielded_again(tmp_path):
    def unit(key):
        with (tmp_path / f"{key}").open("a") as file:
            file.write("x")
        if key == "last" and (tmp_path / "last").read_text() == "x":
            os.kill(os.getpid(), signal.SIGKILL)
        return key

    keys = [key for key, _ in map_keyed(unit, ["first", "second", "last"], workers=1)]
    assert sorted(keys) == ["first", "last", "second"]
    assert (tmp_path / "last").read_text() == "xx"


@pytest.mark.slow
def test_a_unit_that_always_kills_its_worker_is_given_up_on(tmp_path):
    def unit(key):
        if key == 1:
            with (tmp_path / "deaths").open("a") as file:
                file.write("x")
            os.kill(os.getpid(), signal.SIGKILL)
        return key

    done = []
    message = r"5 times in a row, 1 unfinished \(1\): A worker process"
    with pytest.raises(WorkersKeepDying, match=message):
        done.extend(key for key, _ in map_keyed(unit, [0, 1, 2, 3], workers=1))
    assert sorted(done) == [0, 2, 3]
    assert MAX_BREAKS <= len((tmp_path / "deaths").read_text()) <= 3 * MAX_BREAKS


def test_the_function_travels_once_to_each_worker_not_with_each_unit(tmp_path):
    class Loaded:
        """Says in a file when it arrives."""

        def __init__(self, folder):
            self.folder = folder

        def __setstate__(self, state):
            self.__dict__ = state
            name = f"{os.getpid()}-{len(list(self.folder.iterdir()))}"
            (self.folder / name).touch()

        def __call__(self, key):
            return key

    assert len(dict(processes.map_keyed(Loaded(tmp_path), range(30), workers=2))) == 30
    assert 1 <= len(list(tmp_path.iterdir())) <= 2


@pytest.mark.slow
def test_performances_are_the_same_bits_in_processes_of_which_one_was_killed(tmp_path):
    log = simulate(domains.ring(), Policy.uniform(5, 3), episodes=5, length=8, seed=1)
    posterior, task = Dirichlet.from_batch(log), domains.ring().task
    policies = [Policy.uniform(5, 3), Policy.from_actions([0, 2, 2, 1, 0], 3)]
    killed = tmp_path / "killed"

    def unit(first):
        if first == 200 and not killed.exists():
            killed.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return performances(posterior, task, policies, first, first + 100, 7, Engine(workers=1))

    parts = dict(map_keyed(unit, range(0, 500, 100), workers=2))
    assert killed.exists()
    together = np.concatenate([parts[first] for first in sorted(parts)], axis=1)
    assert np.array_equal(together, performances(posterior, task, policies, 0, 500, 7))
