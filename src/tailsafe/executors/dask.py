"""A keyed map on Dask workers: of a cluster, or of this machine.

Inside ``with connected("tcp://..."):``, or while a ``distributed.Client`` is open, its workers do
the units; otherwise workers are started here. The function travels once to each worker, with all
arrays it holds; only keys and results travel with the units. The scheduler has the units of a
killed worker done again by others; one that keeps killing its workers is given up.
"""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import lru_cache
from importlib import import_module
from operator import attrgetter
from typing import TYPE_CHECKING, Any, TypeVar
from uuid import uuid4

from tailsafe import __version__
from tailsafe.errors import MissingDependency, TailsafeError
from tailsafe.executors import WorkersKeepDying

if TYPE_CHECKING:
    from distributed import Client

K = TypeVar("K")
R = TypeVar("R")

PATIENCE = "30s"
"""How long a scheduler may take to answer."""

SILENT = 60
"""Above CRITICAL, which Dask calls it when a map is left early."""

DEAF = "import signal\nsignal.signal(signal.SIGINT, signal.SIG_IGN)"
"""What a worker here begins with: Ctrl-C is for whoever started it, who then ends it."""


class ClusterLost(TailsafeError):
    """There is no scheduler at the address, or no longer; the message says which."""


class WrongWorkers(TailsafeError):
    """The workers have no tailsafe, or another version, whose results could differ."""


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
    with _client(workers) as client:
        suspects: list[K] = []
        yield from _done(client, function, keys, suspects)
        # A worker that dies takes with it all that it was given, the innocent too. Who kills it
        # shows when each has the workers to itself.
        deadly: list[K] = []
        for key in suspects:
            yield from _done(client, function, [key], deadly)
    if deadly:
        listed = ", ".join(repr(key) for key in deadly[:3])
        raise WorkersKeepDying(
            f"{len(deadly)} unfinished ({listed}): all workers that tried them died"
        )


def _done(
    client: "Client", function: Callable[[K], R], keys: Iterable[K], lost: list[K]
) -> Iterator[tuple[K, R]]:
    """Yield what is finished; keys whose workers kept dying are added to ``lost``."""
    distributed = _distributed()
    units = _submitted(client, function, keys)
    try:
        for done in distributed.as_completed(list(units), loop=client.loop):
            # Forgotten once it is here, so that the cluster does not keep it either.
            key = units.pop(done)
            try:
                result = done.result()
            except distributed.KilledWorker:
                lost.append(key)
                continue
            except distributed.CancelledError as error:
                raise ClusterLost(f"the Dask scheduler has gone: {error}") from None
            yield key, result
    finally:
        if units and client.status == "running":
            client.cancel(list(units))  # type: ignore[no-untyped-call]


def _submitted(client: "Client", function: Callable[[K], R], keys: Iterable[K]) -> dict[Any, K]:
    import cloudpickle
    import dask

    _check_workers(client)
    # The function is a task, not scattered data: whoever loses it has the scheduler send it again.
    # Functions and keys go as bytes: what a worker cannot read is then the error of a unit.
    run = f"tailsafe-{uuid4().hex}"
    with dask.config.set({"distributed.admin.large-graph-warning-threshold": "1 PB"}):
        held = client.submit(bytes, cloudpickle.dumps(function), key=run, pure=False)
    return {
        client.submit(
            *(_call, cloudpickle.dumps(key), held, __version__), key=f"{run}-{place}", pure=False
        ): key
        for place, key in enumerate(dict.fromkeys(keys))
    }


def _check_workers(client: "Client") -> None:
    """Raise WrongWorkers unless the first of them can do what they will be sent.

    The others, and those that join later, are asked with each unit.
    """
    package = client.submit(import_module, "tailsafe", pure=False)
    try:
        found = client.submit(attrgetter("__version__"), package, pure=False).result()
    except ImportError:
        raise WrongWorkers("the Dask workers lack tailsafe: install it where they run") from None
    _check_version(found, __version__)


def _check_version(theirs: str, ours: str) -> None:
    if theirs != ours:
        raise WrongWorkers(f"the Dask workers have tailsafe {theirs}, this is {ours}")


def _call(key: bytes, pickled: bytes, version: str) -> Any:
    import cloudpickle

    _check_version(__version__, version)
    return _read(pickled)(cloudpickle.loads(key))


@lru_cache(maxsize=1)
def _read(pickled: bytes) -> Callable[[Any], Any]:
    import cloudpickle

    function: Callable[[Any], Any] = cloudpickle.loads(pickled)
    return function


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
        # None would be port 8787, which another cluster on this machine may have.
        dashboard_address=":0",
        # As threads and processes: nobody's memory is watched.
        memory_limit=None,
        preload=DEAF,
        silence_logs=SILENT,
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
