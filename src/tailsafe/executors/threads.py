"""A keyed map on the threads of this process; the kernels release the GIL."""

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from typing import TypeVar

K = TypeVar("K")
R = TypeVar("R")


def map_keyed(function: Callable[[K], R], keys: Iterable[K], workers: int) -> Iterator[tuple[K, R]]:
    """Yield (key, function(key)) as units are finished; an error in a unit is raised here."""
    pool = ThreadPoolExecutor(workers)
    try:
        units = {pool.submit(function, key): key for key in dict.fromkeys(keys)}
        for done in as_completed(units):
            yield units[done], done.result()
    finally:
        # Left early (an error, Ctrl-C): what has not begun is dropped instead of waited for.
        pool.shutdown(cancel_futures=True)
