"""A keyed map on processes of this machine (loky); for work that is mostly Python.

The function travels once to each worker, with all arrays it holds; only keys and results travel
with the units. When a worker is killed, what was not finished is done again by new workers.
"""

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import as_completed
from typing import Any, TypeVar

from loky import ProcessPoolExecutor
from loky.process_executor import BrokenProcessPool

from tailsafe.errors import TailsafeError

K = TypeVar("K")
R = TypeVar("R")

MAX_BREAKS = 5
"""Pools that may break in a row, without one finished unit, before giving up."""


class WorkersKeepDying(TailsafeError):
    """Worker processes died again and again without finishing a unit (out of memory?)."""


def map_keyed(function: Callable[[K], R], keys: Iterable[K], workers: int) -> Iterator[tuple[K, R]]:
    """Yield (key, function(key)) as units are finished; an error in a unit is raised here."""
    todo = dict.fromkeys(keys)
    breaks = 0
    while todo:
        before = len(todo)
        try:
            for key, result in _one_pool(function, list(todo), workers):
                del todo[key]
                yield key, result
        except BrokenProcessPool as error:
            breaks = breaks + 1 if len(todo) == before else 0
            if breaks == MAX_BREAKS:
                raise WorkersKeepDying(f"{len(todo)} units left: {error}") from error


def _one_pool(function: Callable[[K], R], keys: list[K], workers: int) -> Iterator[tuple[K, R]]:
    pool = ProcessPoolExecutor(workers, initializer=_install, initargs=(function,))
    try:
        units = {pool.submit(_call, key): key for key in keys}
        for done in as_completed(units):
            yield units[done], done.result()
    finally:
        pool.shutdown(kill_workers=True)


_function: Callable[[Any], Any] | None = None


def _install(function: Callable[[Any], Any]) -> None:
    # One function a process, set once before its first unit: not state that a caller can see.
    global _function
    _function = function


def _call(key: Any) -> Any:
    assert _function is not None
    return _function(key)
