"""Wall time by step."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from time import perf_counter


@dataclass(frozen=True, slots=True)
class Clock:
    """The seconds that each step took, filled in as the steps are done."""

    seconds: dict[str, float] = field(default_factory=dict)

    @contextmanager
    def timing(self, step: str) -> Iterator[None]:
        """Time what is done inside; also if it fails."""
        begun = perf_counter()
        try:
            yield
        finally:
            self.seconds[step] = perf_counter() - begun
