"""A bar on a terminal's standard error that shows how far proposing and racing have come."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

    from tailsafe.selection import RaceState


@dataclass(frozen=True, slots=True)
class Watchers:
    """Who is told while candidates are proposed and raced; None: nobody."""

    proposed: Callable[[str, int, int], None] | None = None
    raced: "Callable[[RaceState], None] | None" = None


@contextmanager
def progress(*, shown: bool) -> Iterator[Watchers]:
    """Yield who is to be told; the bar vanishes at the end."""
    if not shown:
        yield Watchers()
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (TextColumn("{task.description}"), BarColumn(24), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        yield _watchers(bar, bar.add_task("reading the log", total=None))


def _watchers(bar: "Progress", task: "TaskID") -> Watchers:
    from rich.markup import escape

    def proposed(name: str, done: int, of: int) -> None:
        bar.update(task, description=escape(f"proposed: {name}"), completed=done, total=of)

    def raced(state: "RaceState") -> None:
        bar.update(task, description=escape(state_line(state)), completed=state.done, total=1.0)

    return Watchers(proposed, raced)


def state_line(state: "RaceState") -> str:
    """Return where a race stands, in one line."""
    bound = "no bound yet" if state.lower is None else f"at least {state.lower:.6g}"
    return (
        f"race: {state.alive} alive, {state.parked} parked, {state.n_models:,} models, "
        f"leader {state.leader}, {bound}"
    )
