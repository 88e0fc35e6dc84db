"""What every executor must do: each key once, the same results, errors raised, the rest dropped."""

import threading
import time

import numpy as np
import pytest

from tailsafe.batch import Batch
from tailsafe.engine import Engine
from tailsafe.errors import InvalidData
from tailsafe.executors import processes, threads
from tailsafe.posterior import Dirichlet

EXECUTORS = pytest.mark.parametrize("executor", [threads, processes], ids=["threads", "processes"])

# Units are made inside the tests: what a test module defines cannot be imported by a worker.


@EXECUTORS
def test_each_key_is_done_once_and_comes_with_its_result(executor):
    done = list(executor.map_keyed(lambda key: key * 10, [3, 1, 2, 3, 1], workers=2))
    assert sorted(done) == [(1, 10), (2, 20), (3, 30)]
    assert list(executor.map_keyed(str, [], workers=2)) == []


@EXECUTORS
def test_results_come_as_they_are_finished_not_in_the_order_of_the_keys(executor):
    def unit(key):
        time.sleep(key)
        return key

    assert [key for key, _ in executor.map_keyed(unit, [0.5, 0.0], workers=2)] == [0.0, 0.5]


@EXECUTORS
def test_an_error_in_a_unit_is_raised_with_its_type_and_message(executor):
    def unit(key):
        if key == 1:
            raise InvalidData(f"unit {key} is malformed")
        return key

    with pytest.raises(InvalidData, match="unit 1 is malformed"):
        list(executor.map_keyed(unit, range(4), workers=2))


@pytest.mark.parametrize("workers", [1, 3])
@pytest.mark.parametrize("executor", [threads, pytest.param(processes, marks=pytest.mark.slow)])
def test_models_are_the_same_bits_for_any_number_of_workers(executor, workers):
    posterior = Dirichlet.from_batch(Batch([0], [0], [1], [0.0], [2], [False], 3, 2))

    def unit(first):
        return posterior.models(first, first + 5, 11)

    parts = dict(executor.map_keyed(unit, range(0, 20, 5), workers))
    assert np.array_equal(
        np.concatenate([parts[k] for k in sorted(parts)]), posterior.models(0, 20, 11)
    )


def test_units_that_have_not_begun_are_dropped_when_the_map_is_left():
    begun, go_on = [], threading.Event()

    def unit(key):
        begun.append(key)
        if key > 0:
            go_on.wait(10)
        return key

    mapped = threads.map_keyed(unit, range(100), workers=2)
    assert next(mapped) == (0, 0)
    go_on.set()
    mapped.close()
    assert len(begun) < 100


@pytest.mark.slow
def test_an_interrupt_ends_processes_without_waiting_for_the_rest(tmp_path):
    def unit(key):
        if key:
            time.sleep(0.3)
            (tmp_path / str(key)).touch()
        return key

    mapped = processes.map_keyed(unit, range(40), workers=2)
    assert next(mapped) == (0, 0)
    with pytest.raises(KeyboardInterrupt):
        mapped.throw(KeyboardInterrupt)
    left = len(list(tmp_path.iterdir()))
    time.sleep(0.7)
    assert len(list(tmp_path.iterdir())) == left < 39


def test_the_engine_finds_its_executor_by_name():
    for executor in ("threads", "processes"):
        done = Engine(executor=executor, workers=2).map_keyed(lambda key: -key, [1, 2])
        assert sorted(done) == [(1, -1), (2, -2)]
