"""Dask workers: the contract of all executors, killed workers, one transfer, lost schedulers."""

import os
import signal
import sys
import time
from types import ModuleType

import cloudpickle
import numpy as np
import pytest

from tailsafe.batch import Batch
from tailsafe.engine import Engine
from tailsafe.errors import InvalidData, MissingDependency
from tailsafe.executors import WorkersKeepDying, dask
from tailsafe.executors.dask import ClusterLost, WrongWorkers, connected, map_keyed
from tailsafe.posterior import Dirichlet

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def cluster():
    """Return the client of two workers, which all maps of this module use."""
    with dask._local(2) as client, client.as_current():
        yield client


@pytest.fixture(autouse=True)
def _current(request):
    if "alone" in request.fixturenames:
        yield
        return
    with request.getfixturevalue("cluster").as_current():
        yield


@pytest.fixture
def alone():
    """Ask for no cluster to be open."""


def test_each_key_is_done_once_and_comes_with_its_result():
    keys = [("a", 3), ("b", 1), ("a", 3), ("c", 2)]
    done = list(map_keyed(lambda key: key * 2, keys, workers=2))
    assert sorted(done) == [(key, key * 2) for key in sorted(set(keys))]
    assert list(map_keyed(str, [], workers=2)) == []


def test_an_error_in_a_unit_is_raised_with_its_type_and_message():
    def unit(key):
        if key == 1:
            raise InvalidData(f"unit {key} is malformed")
        return key

    with pytest.raises(InvalidData, match="unit 1 is malformed"):
        list(map_keyed(unit, range(4), workers=2))


def test_units_that_have_not_begun_are_dropped_when_the_map_is_left(tmp_path):
    def unit(key):
        (tmp_path / str(key)).touch()
        time.sleep(0.05)
        return key

    mapped = map_keyed(unit, range(100), workers=2)
    next(mapped)
    mapped.close()
    time.sleep(0.3)
    left = len(list(tmp_path.iterdir()))
    time.sleep(0.3)
    assert len(list(tmp_path.iterdir())) == left < 100


def test_the_function_travels_once_to_each_worker_not_with_each_unit(tmp_path, cluster):
    class Loaded:
        """Says in a file when it arrives."""

        def __init__(self, folder):
            self.folder = folder
            self.big = np.ones(2_000_000)

        def __setstate__(self, state):
            self.__dict__ = state
            (self.folder / f"{os.getpid()}-{time.monotonic_ns()}").touch()

        def __call__(self, _):
            time.sleep(0.02)
            return os.getpid()

    done = dict(map_keyed(Loaded(tmp_path), range(60), workers=2))
    assert len(done) == 60
    assert 1 <= len(list(tmp_path.iterdir())) <= len(cluster.scheduler_info()["workers"])


def test_the_units_of_a_killed_worker_are_done_again_with_the_same_results(tmp_path):
    killed = tmp_path / "killed"

    def unit(key):
        time.sleep(0.02)
        if key == 13 and not killed.exists():
            killed.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return np.random.default_rng(key).random(4)

    done = list(map_keyed(unit, range(30), workers=2))
    assert killed.exists()
    assert sorted(key for key, _ in done) == list(range(30))
    for key, drawn in done:
        assert np.array_equal(drawn, np.random.default_rng(key).random(4))


def test_a_unit_that_always_kills_its_worker_is_given_up_after_the_others_are_done():
    def unit(key):
        if key == 1:
            os.kill(os.getpid(), signal.SIGKILL)
        return key

    done = []
    with pytest.raises(WorkersKeepDying, match=r"1 unfinished \(1\)"):
        done.extend(key for key, _ in map_keyed(unit, [0, 1, 2, 3], workers=2))
    assert sorted(done) == [0, 2, 3]


def test_what_a_worker_cannot_import_is_an_error_not_a_silence():
    module = ModuleType("nowhere_else")
    exec("def unit(key):\n    return key", module.__dict__)
    sys.modules["nowhere_else"] = module
    try:
        with pytest.raises(ModuleNotFoundError, match="nowhere_else"):
            list(map_keyed(module.unit, [1], workers=2))
    finally:
        del sys.modules["nowhere_else"]


def test_workers_of_another_version_are_refused(monkeypatch):
    monkeypatch.setattr(dask, "__version__", "0.0.0")
    with pytest.raises(WrongWorkers, match=r"workers have tailsafe .*, this is 0\.0\.0"):
        list(map_keyed(str, [1], workers=2))


def test_a_worker_of_another_version_that_joins_later_is_refused():
    name = cloudpickle.dumps(str)
    assert dask._call(cloudpickle.dumps(1), name, dask.__version__) == "1"
    with pytest.raises(WrongWorkers, match=r"workers have tailsafe .*, this is 0\.0\.0"):
        dask._call(cloudpickle.dumps(1), name, "0.0.0")


def test_models_are_the_same_bits_as_without_workers():
    posterior = Dirichlet.from_batch(Batch([0], [0], [1], [0.0], [2], [False], 3, 2))

    def unit(first):
        return posterior.models(first, first + 5, 11)

    parts = dict(Engine(executor="dask", workers=2).map_keyed(unit, range(0, 20, 5)))
    together = np.concatenate([parts[first] for first in sorted(parts)])
    assert np.array_equal(together, posterior.models(0, 20, 11))


@pytest.mark.usefixtures("alone")
def test_without_a_cluster_workers_are_started_here_and_do_not_hear_ctrl_c():
    def unit(_):
        return os.getpid(), signal.getsignal(signal.SIGINT)

    done = dict(map_keyed(unit, range(4), workers=1))
    assert {pid for pid, _ in done.values()}.isdisjoint({os.getpid()})
    assert {handler for _, handler in done.values()} == {signal.SIG_IGN}


@pytest.mark.usefixtures("alone")
def test_the_workers_of_a_scheduler_are_used_by_its_address(cluster):
    with connected(cluster.scheduler.address):
        pids = set(dict(map_keyed(lambda _: os.getpid(), range(8), workers=1)).values())
    assert pids <= set(cluster.run(os.getpid).values())


@pytest.mark.usefixtures("alone")
def test_an_address_where_no_scheduler_answers_is_an_error_that_names_it(monkeypatch):
    monkeypatch.setattr(dask, "PATIENCE", "0.3s")
    with (
        pytest.raises(ClusterLost, match=r"no Dask scheduler answers at tcp://127\.0\.0\.1:1: "),
        connected("tcp://127.0.0.1:1"),
    ):
        pass


@pytest.mark.usefixtures("alone")
def test_without_dask_the_extra_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(MissingDependency, match=r"pip install 'tailsafe\[cluster\]'"):
        list(map_keyed(str, [1], workers=1))
