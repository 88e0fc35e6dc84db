"""A keyed map on processes of this machine (loky); for work that is mostly Python.

The function travels once to each worker, with all arrays it holds; only keys and results travel
with the units. When a worker is killed, what was not finished is done again by new workers.
"""

import os
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import as_completed
from threading import Thread
from typing import Any, TypeVar

from loky import ProcessPoolExecutor
from loky.process_executor import BrokenProcessPool

from tailsafe.executors import WorkersKeepDying

K = TypeVar("K")
R = TypeVar("R")

MAX_BREAKS = 5
"""Pools that may break in a row, without one finished unit, before giving up."""


def map_keyed(function: Callable[[K], R], keys: Iterable[K], workers: int) -> Iterator[tuple[K, R]]:
    """Yield (key, function(key)) as units are finished; an error in a unit is raised here."""
    todo = dict.fromkeys(keys)
    breaks = 0
    while todo:
        before, waiting = len(todo), list(todo)
        # A unit that kills its worker must not keep those behind it from their turn.
        in_turn = waiting[breaks:] + waiting[:breaks]
        try:
            for key, result in _one_pool(function, in_turn, workers):
                del todo[key]
                yield key, result
        except BrokenProcessPool as error:
            breaks = breaks + 1 if len(todo) == before else 0
            if breaks == MAX_BREAKS:
                listed = ", ".join(repr(key) for key in waiting[:3])
                raise WorkersKeepDying(
                    f"{MAX_BREAKS} times in a row, {before} unfinished ({listed}): {error}"
                ) from error


def _one_pool(function: Callable[[K], R], keys: list[K], workers: int) -> Iterator[tuple[K, R]]:
    pool = ProcessPoolExecutor(workers, initializer=_install, initargs=(function, os.getpid()))
    try:
        units = {pool.submit(_call, key): key for key in keys}
        for done in as_completed(units):
            yield units[done], done.result()
    finally:
        pool.shutdown(kill_workers=True)


_function: Callable[[Any], Any] | None = None


def _install(function: Callable[[Any], Any], parent: int) -> None:
    Thread(target=_leave_with, args=(parent,), daemon=True).start()
    # One function a process, set once before its first unit: not state that a caller can see.
    global _function
    _function = function


def _leave_with(parent: int) -> None:
    # If the parent is killed, nobody else tells its workers that no more units will come.
    while os.getppid() == parent:
        time.sleep(0.5)
    os._exit(1)


def _call(key: Any) -> Any:
    assert _function is not None
    return _function(key)
