"""``tailsafe study``: which study, who does it, where it is kept, what is said in the end."""

from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from pathlib import Path

from tailsafe.cli import SELECTED, UNDECIDED, printing
from tailsafe.cli.options import Options
from tailsafe.cli.pacing import Pacer
from tailsafe.engine import Engine
from tailsafe.errors import InvalidData
from tailsafe.study.comparison import Summary, summaries
from tailsafe.study.design import Study
from tailsafe.study.export import check_target, export
from tailsafe.study.gather import gather
from tailsafe.study.paper import paper_study
from tailsafe.study.parts import WHOLE, Part, narrowed
from tailsafe.study.report import study_report
from tailsafe.study.rows import Row
from tailsafe.study.run import Progress, run_study
from tailsafe.study.store import read_rows
from tailsafe.study.tomlfile import read_study

STORE, REPORT = "study.db", "report.html"
PAPER = "paper"


def studied(options: Options) -> int:
    """Do what is missing, write the tables and return the exit code."""
    from tailsafe.record.files import write

    study = asked_study(options)
    for target in options.export:
        check_target(Path(target))
    folder = Path(options.output or f"tailsafe-study-{_file_name(study.name)}")
    store = folder / STORE
    _check_free(folder)
    if options.gather:
        taken = gather(study, store, [Path(other) / STORE for other in options.gather])
        _say(options, f"{taken:,} units taken over")
    ended = _run(options, study, store)
    rows = read_rows(store)
    write(folder / REPORT, study_report(store, study.metrics))
    for target in options.export:
        export(rows, Path(target))
    _say(options, summary(rows, ended))
    _say(options, "\n".join(map(str, [folder / REPORT, store, *options.export])))
    return SELECTED if ended.complete else UNDECIDED


def asked_study(options: Options) -> Study:
    """Return the study that is named, narrowed to what is asked for."""
    whole = paper_study() if options.study == PAPER else read_study(Path(options.study))
    if options.seed is not None:
        whole = replace(whole, seed=options.seed)
    return narrowed(whole, options.domain, options.profile, options.trials, quick=options.quick)


def summary(rows: Sequence[Row], ended: Progress) -> str:
    """Return what the selectors made of the logs, and what is missing."""
    heads = ("domain", "profile", "choice by", "logs", "mean dU", "median", "min", "regret")
    table = [heads, *(_line(one) for one in summaries(rows))]
    lines = ["", *printing.aligned(table, {0, 1, 2}), ""]
    words = f"{ended.there:,} of {ended.total:,} units are there, {ended.done:,} of them done now."
    if ended.interrupted:
        words += " Interrupted: the same command goes on."
    lines.append(words)
    for failure in ended.failures[:3]:
        lines.append(f"failed: {'/'.join(map(str, failure.unit))}: {failure.message}")
    if len(ended.failures) > 3:
        lines.append(f"and {len(ended.failures) - 3} more failed")
    if ended.hopeless:
        lines.append("So many failed that the rest was not tried.")
    return "\n".join(lines)


def _line(one: Summary) -> tuple[str, ...]:
    numbers = (one.gain_mean, one.gain_median, one.gain_min, one.regret)
    shown = ["" if x is None else printing.fixed(x, 3) for x in numbers]
    return (one.domain, one.profile, printing.short(one.method), f"{one.n_logs}", *shown)


def _run(options: Options, study: Study, store: Path) -> Progress:
    executor = "dask" if options.scheduler else options.executor
    engine = Engine(executor=executor, workers=options.jobs)
    part = WHOLE if options.part is None else Part(*options.part)
    with _cluster(options.scheduler), Pacer(quiet=options.quiet) as pacer:
        return run_study(study, store, engine, part, pacer.told)


def _cluster(scheduler: str | None) -> AbstractContextManager[None]:
    if scheduler is None:
        return nullcontext()
    from tailsafe.executors.dask import connected

    return connected(scheduler)


def _check_free(folder: Path) -> None:
    """Raise InvalidData where a report of something else would be replaced."""
    if folder.exists() and not folder.is_dir():
        raise InvalidData(f"--output {folder} is a file, not a folder")
    if (folder / REPORT).exists() and not (folder / STORE).exists():
        raise InvalidData(
            f"{folder / REPORT} exists, and no {STORE} lies beside it: choose another folder with "
            "--output"
        )


def _file_name(name: str) -> str:
    return "".join(sign if sign.isalnum() or sign in "-_" else "-" for sign in name)


def _say(options: Options, text: str) -> None:
    if not options.quiet:
        printing.say(text)
