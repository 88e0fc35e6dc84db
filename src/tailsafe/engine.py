"""How fast a result comes, never what it is: which kernels compute, and who does the work."""

import os
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from importlib import import_module
from typing import TypeVar

from tailsafe.arrays import check_count
from tailsafe.errors import InvalidData
from tailsafe.kernels import Backend

K = TypeVar("K")
R = TypeVar("R")

BACKENDS = {"cpu": "tailsafe.kernels.cpu", "reference": "tailsafe.kernels.reference"}
EXECUTORS = {name: f"tailsafe.executors.{name}" for name in ("threads", "processes", "dask")}


@dataclass(frozen=True, slots=True)
class Engine:
    """The kernels and the workers that a computation uses.

    Parameters
    ----------
    backend
        ``cpu`` (numba) or ``reference`` (numpy, slow, the definition).
    executor
        ``threads``, ``processes`` for work that is mostly Python, or ``dask`` for a cluster.
    workers
        How many; all cores that this process may use by default.
    """

    backend: str = "cpu"
    executor: str = "threads"
    workers: int | None = None

    def __post_init__(self) -> None:
        for name, value, choices in (
            ("backend", self.backend, BACKENDS),
            ("executor", self.executor, EXECUTORS),
        ):
            if value not in tuple(choices):
                raise InvalidData(f"{name} must be one of {', '.join(choices)}, got {value!r}")
        if self.workers is not None:
            check_count(self.workers, "workers")

    @property
    def n_workers(self) -> int:
        """The number of workers."""
        return self.workers or len(os.sched_getaffinity(0))

    @property
    def kernels(self) -> Backend:
        """The module that draws and evaluates models."""
        backend: Backend = import_module(BACKENDS[self.backend])
        return backend

    def map_keyed(self, function: Callable[[K], R], keys: Iterable[K]) -> Iterator[tuple[K, R]]:
        """Yield (key, function(key)) for each key, in any order."""
        executor = import_module(EXECUTORS[self.executor])
        results: Iterator[tuple[K, R]] = executor.map_keyed(function, keys, self.n_workers)
        return results
