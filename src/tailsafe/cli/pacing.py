"""How far a study has come: a bar on a terminal, a line now and then in the log of a job."""

import sys
from dataclasses import dataclass, field
from time import monotonic
from types import TracebackType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tailsafe.study.run import Progress

EVERY = 30.0
"""Seconds between two lines."""


@dataclass(slots=True)
class Pacer:
    """Shows the progress of a study while it is open.

    Parameters
    ----------
    quiet
        Whether to show nothing.
    """

    quiet: bool
    shown: Any = None
    task: Any = None
    last: float = field(default_factory=monotonic)

    def __enter__(self) -> "Pacer":
        """Open the bar, where there is a terminal to see it."""
        if not self.quiet and sys.stderr.isatty():
            from rich.console import Console
            from rich.progress import BarColumn, Progress, TextColumn

            columns = (BarColumn(24), TextColumn("{task.description}"))
            self.shown = Progress(*columns, console=Console(stderr=True), transient=True)
            self.shown.start()
            self.task = self.shown.add_task("starting workers", total=None)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Remove the bar."""
        if self.shown is not None:
            self.shown.stop()

    def told(self, progress: "Progress") -> None:
        """Show how far it is."""
        if self.shown is not None:
            self.shown.update(
                self.task,
                description=pace_line(progress),
                completed=progress.there,
                total=progress.total,
            )
        elif not self.quiet and monotonic() - self.last >= EVERY:
            self.last = monotonic()
            print(f"tailsafe: {pace_line(progress)}", file=sys.stderr, flush=True)


def pace_line(progress: "Progress") -> str:
    """Return how far a study is, in one line."""
    line = f"{progress.there:,} of {progress.total:,} units"
    if progress.failures:
        line += f", {len(progress.failures)} failed"
    if progress.remaining is not None:
        line += f", about {duration(progress.remaining)} left"
    return line


def duration(seconds: float) -> str:
    """Return a time as people say it."""
    if seconds < 90.0:
        return f"{seconds:.0f} s"
    minutes = seconds / 60.0
    return f"{minutes:.0f} min" if minutes < 90.0 else f"{minutes / 60.0:.1f} h"
