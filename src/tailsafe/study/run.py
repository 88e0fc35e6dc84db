"""The driver of a study: what is not in the store yet is done, by whatever workers there are.

Workers compute, the driver alone writes, each unit as soon as it is done. So whatever ends a run
(Ctrl-C, ``kill -9``, a full disk), only units in flight are lost, and running it again goes on.
"""

import traceback
from collections.abc import Callable, Generator
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeAlias

from tailsafe.engine import Engine
from tailsafe.study.design import Study, Unit
from tailsafe.study.pace import pace_of
from tailsafe.study.parts import WHOLE, Part
from tailsafe.study.rows import Outcome
from tailsafe.study.store import Store, open_store
from tailsafe.study.trial import conduct, rows

MAX_FAILURES = 10
"""Units that may fail before the rest is not tried any more."""


@dataclass(frozen=True, slots=True)
class Failure:
    """A unit that raised an error, and what Python says of it.

    Parameters
    ----------
    unit
        Its key.
    message
        The error.
    traceback
        Where it was raised.
    """

    unit: Unit
    message: str
    traceback: str


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a run has come; also what it returns.

    Parameters
    ----------
    total
        Units that were asked for.
    before
        Those of them that were there already.
    done
        Those done now.
    failures
        Those that raised an error; the same command tries them again.
    interrupted
        Whether Ctrl-C ended it.
    remaining
        Seconds it will still take; None while nothing is known.
    """

    total: int
    before: int
    done: int = 0
    failures: tuple[Failure, ...] = ()
    interrupted: bool = False
    remaining: float | None = None

    @property
    def complete(self) -> bool:
        """Whether every unit is there."""
        return self.there == self.total

    @property
    def there(self) -> int:
        """How many units there are now."""
        return self.before + self.done

    @property
    def hopeless(self) -> bool:
        """Whether so many units failed that the rest is not tried."""
        return len(self.failures) >= MAX_FAILURES


Watch: TypeAlias = Callable[[Progress], None]


def run_study(
    study: Study,
    path: Path,
    engine: Engine = Engine(executor="processes"),
    part: Part = WHOLE,
    watch: Watch | None = None,
) -> Progress:
    """Do the units of a study that its store does not hold, and say how that ended.

    A unit that fails does not stop the others, unless ten have failed.

    Parameters
    ----------
    study
        What to do.
    path
        Of the store; made if there is none.
    engine
        Who does the units; one unit uses one core.
    part
        Which units, if others do the rest elsewhere.
    watch
        Told at the beginning and after each unit.
    """
    units = [unit for unit in study.units() if part.has(unit)]
    with open_store(path, study.identity()) as store:
        progress = Progress(len(units), 0)
        try:
            with closing(_steps(study, store, units, engine)) as steps:
                for progress in steps:
                    if watch is not None:
                        watch(progress)
                    if progress.hopeless:
                        break
        except KeyboardInterrupt:
            progress = replace(progress, interrupted=True)
    return progress


def _steps(study: Study, store: Store, units: list[Unit], engine: Engine) -> Generator[Progress]:
    known = store.seconds()
    todo = [unit for unit in units if unit not in known]
    pace = pace_of(todo, known)
    progress = Progress(len(units), len(units) - len(todo))
    yield progress
    if not todo:
        return
    mapped = engine.map_keyed(Work(study), todo)
    assert isinstance(mapped, Generator)
    with closing(mapped):
        for unit, result in mapped:
            if isinstance(result, Failure):
                pace.skip(unit)
                progress = replace(progress, failures=(*progress.failures, result))
            else:
                store.put(unit, rows(study, unit, result), result.policies, result.seconds)
                pace.add(unit, result.seconds)
                progress = replace(progress, done=progress.done + 1)
            progress = replace(progress, remaining=pace.remaining())
            yield progress


@dataclass(frozen=True, slots=True)
class Work:
    """What a worker does with a unit; the same wherever it is done."""

    study: Study

    def __call__(self, unit: Unit) -> Outcome | Failure:
        """Return what came of it, or what went wrong."""
        try:
            return conduct(self.study, unit)
        except Exception as error:  # whatever a unit raises must not end the others
            return Failure(unit, f"{type(error).__name__}: {error}", traceback.format_exc())
