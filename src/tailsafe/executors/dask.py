"""A keyed map on Dask workers: of a cluster, or of this machine.

Inside ``with connected("tcp://..."):``, or while a ``distributed.Client`` is open, its workers do
the units; otherwise workers are started here. The function travels once to each worker, with all
arrays it holds; only keys and results travel with the units. The scheduler has the units of a
killed worker done again by others; one that keeps killing its workers is given up.
"""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, TypeVar
from uuid import uuid4

from tailsafe.errors import MissingDependency, TailsafeError
from tailsafe.executors import WorkersKeepDying

if TYPE_CHECKING:
    from distributed import Client

K = TypeVar("K")
R = TypeVar("R")

PATIENCE = "30s"
"""How long a scheduler may take to answer."""

DEAF = "import signal\nsignal.signal(signal.SIGINT, signal.SIG_IGN)"
"""What a worker here begins with: Ctrl-C is for whoever started it, who then ends it."""


class ClusterLost(TailsafeError):
    """There is no scheduler at the address, or no longer; the message says which."""


@contextmanager
def connected(scheduler: str) -> Iterator[None]:
    """Have the workers of this scheduler do the units of all maps inside.

    Parameters
    ----------
    scheduler
        Its address, ``tcp://host:port``.
    """
    distributed = _distributed()
    try:
        client = distributed.Client(scheduler, timeout=PATIENCE)
    except (OSError, ValueError) as error:
        raise ClusterLost(f"no Dask scheduler answers at {scheduler}: {error}") from None
    with client:
        yield


def map_keyed(function: Callable[[K], R], keys: Iterable[K], workers: int) -> Iterator[tuple[K, R]]:
    """Yield (key, function(key)) as units are finished; an error in a unit is raised here.

    Parameters
    ----------
    function, keys
        What is done, and with what.
    workers
        How many are started here, if there is no cluster.
    """
    distributed = _distributed()
    with _client(workers) as client:
        units = _submitted(client, function, keys)
        deadly = []
        try:
            for done in distributed.as_completed(list(units), loop=client.loop):
                # Forgotten once it is here, so that the cluster does not keep it either.
                key = units.pop(done)
                try:
                    result = done.result()
                except distributed.KilledWorker:
                    deadly.append(key)
                    continue
                except distributed.CancelledError as error:
                    raise ClusterLost(f"the Dask scheduler has gone: {error}") from None
                yield key, result
        finally:
            if units and client.status == "running":
                client.cancel(list(units))  # type: ignore[no-untyped-call]
    if deadly:
        listed = ", ".join(repr(key) for key in deadly[:3])
        raise WorkersKeepDying(
            f"{len(deadly)} unfinished ({listed}): all workers that tried them died"
        )


def _submitted(client: "Client", function: Callable[[K], R], keys: Iterable[K]) -> dict[Any, K]:
    import dask

    # The function is a task, not scattered data: whoever loses it has the scheduler send it again.
    run = f"tailsafe-{uuid4().hex}"
    with dask.config.set({"distributed.admin.large-graph-warning-threshold": "1 PB"}):
        held = client.submit(_Held(function), key=run, pure=False)
    return {
        client.submit(_Unit(key), held, key=f"{run}-{place}", pure=False): key
        for place, key in enumerate(dict.fromkeys(keys))
    }


@dataclass(frozen=True, slots=True)
class _Held(Generic[K, R]):
    function: Callable[[K], R]

    def __call__(self) -> Callable[[K], R]:
        return self.function


# A key inside an object of ours: Dask would look into tuples for the names of other tasks.
@dataclass(frozen=True, slots=True)
class _Unit(Generic[K]):
    key: K

    def __call__(self, function: Callable[[K], R]) -> R:
        return function(self.key)


@contextmanager
def _client(workers: int) -> Iterator["Client"]:
    """Give the client that is open, or one of a cluster on this machine."""
    distributed = _distributed()
    try:
        client = distributed.Client.current()
    except ValueError:
        with _local(workers) as client:
            yield client
    else:
        yield client


@contextmanager
def _local(workers: int) -> Iterator["Client"]:
    distributed = _distributed()
    cluster = distributed.LocalCluster(
        n_workers=workers,
        threads_per_worker=1,
        dashboard_address=None,
        # As threads and processes: nobody's memory is watched.
        memory_limit=None,
        preload=DEAF,
        silence_logs="CRITICAL",
    )
    with cluster, distributed.Client(cluster, set_as_default=False) as client:
        yield client


def _distributed() -> Any:
    try:
        import distributed
    except ImportError:
        raise MissingDependency(
            "the executor dask needs Dask: pip install 'tailsafe[cluster]'"
        ) from None
    return distributed
