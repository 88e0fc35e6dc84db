"""One verb a command: options in, exit code out; nothing is loaded before it is needed."""

from pathlib import Path

from tailsafe.cli.options import Options
from tailsafe.errors import InvalidData
from tailsafe.record.schema import Record

STATES = "new,worn 1,worn 2,worn 3,worn 4,worn 5,worn 6,broken,long repair,short repair"
"""Of the log that ships, in the order in which a machine goes through them."""

GENERATOR = b'<meta name="generator" content="tailsafe '
"""What every report of ours holds; other files are not replaced."""


def select(options: Options) -> int:
    """Choose a policy and write it, its certificate and a report."""
    from tailsafe.cli import answers, outputs

    folder = outputs.folder_for(options.output, options.log)
    outputs.check_free(folder)
    return _finish(options, folder, answers.selected(options))


def evaluate(options: Options) -> int:
    """Judge given policies, each on its own."""
    from tailsafe.cli import answers, outputs

    folder = outputs.folder_for(options.output, options.log, "-policies")
    outputs.check_free(folder)
    return _finish(options, folder, answers.evaluated(options))


def data(options: Options) -> int:
    """Print what a log shows and what it hardly shows."""
    import json

    from tailsafe.cli.evidence import evidence, text_of
    from tailsafe.cli.printing import say

    found = evidence(options)
    if options.json:
        say(json.dumps(found, allow_nan=False, indent=1))
    elif not options.quiet:
        say(text_of(found))
    return 0


def report(options: Options) -> int:
    """Write the report of a selection again."""
    from tailsafe.cli import outputs, printing
    from tailsafe.record.files import read_record, write
    from tailsafe.report import render

    source = Path(options.selection)
    target = source.with_name(outputs.REPORT) if options.output is None else Path(options.output)
    if target.resolve() == source.resolve():
        raise InvalidData(
            f"--output {target} is the selection itself: the report needs its own file"
        )
    record = read_record(source)
    if target.exists() and GENERATOR not in target.read_bytes():
        raise InvalidData(f"--output {target} exists, and is no report of tailsafe")
    write(target, render(record))
    if not options.quiet:
        printing.say(str(target))
    return 0


def study(options: Options) -> int:
    """Do what is missing of a study, and write its report."""
    from tailsafe.cli import studies

    return studies.studied(options)


def demo(options: Options) -> int:
    """Select a maintenance policy from the log that ships."""
    from importlib.resources import as_file, files

    from tailsafe.cli.parser import parsed

    with as_file(files("tailsafe") / "shipped" / "machine.csv") as log:
        asked = parsed(["select", str(log), "--discount", "0.9", "--states", STATES])
        asked.output = options.output or "tailsafe-demo"
        asked.threads, asked.json, asked.quiet = options.threads, options.json, options.quiet
        asked.arguments = options.arguments
        return select(asked)


def _finish(options: Options, folder: Path, record: Record) -> int:
    """Write and print the answer, and return its exit code."""
    from tailsafe.cli import SELECTED, UNDECIDED, outputs, printing, ranking
    from tailsafe.record.files import as_json

    files = outputs.write_outputs(folder, record)
    if options.json:
        printing.say(as_json(record).removesuffix("\n"))
    elif not options.quiet:
        printing.say(ranking.summary(record, files))
    return UNDECIDED if record["answer"]["status"] in ("budget", "interrupted") else SELECTED
