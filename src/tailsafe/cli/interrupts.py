"""Ctrl-C once there is an answer: what was decided is written all the same."""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def interrupts_restored() -> Iterator[None]:
    """Give Ctrl-C back its meaning in the end, whatever happens inside."""
    before = signal.getsignal(signal.SIGINT)
    try:
        yield
    finally:
        _handle(before)


def ignore_interrupts() -> None:
    """Ignore Ctrl-C from now on: there is an answer, and it will be written in a moment."""
    _handle(signal.SIG_IGN)


def _handle(handler: object) -> None:
    # Only the main thread may say what a signal does, and only it is interrupted. None: the
    # handler was not set from Python, and cannot be set again from here.
    if threading.current_thread() is threading.main_thread() and handler is not None:
        signal.signal(signal.SIGINT, handler)  # type: ignore[arg-type]
