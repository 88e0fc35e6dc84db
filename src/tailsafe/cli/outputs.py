"""The folder of the outputs: what goes where, and whose files may be replaced."""

import os
from pathlib import Path

from tailsafe.errors import InvalidData
from tailsafe.record.files import as_json, as_policy_csv, is_record, write
from tailsafe.record.schema import Record

RECORD, REPORT, POLICY = "selection.json", "report.html", "policy.csv"


def folder_for(given: str | None, log: str, suffix: str = "") -> Path:
    """Return the folder asked for; by default tailsafe-NAME, NAME being the log's."""
    if given is not None:
        return Path(given)
    name = "stdin" if log == "-" else Path(log).name.partition(".")[0]
    return Path(f"tailsafe-{name or 'log'}{suffix}")


def check_free(folder: Path) -> None:
    """Raise InvalidData unless the folder is new, or what we would replace is our own."""
    if folder.exists() and not folder.is_dir():
        raise InvalidData(f"--output {folder} is a file, not a folder")
    _check_writable(folder)
    record = folder / RECORD
    if record.exists() and is_record(record):
        return
    for name in (RECORD, REPORT, POLICY):
        if (folder / name).exists():
            raise InvalidData(
                f"{folder / name} exists, and no {RECORD} of tailsafe lies beside it: "
                "choose another folder with --output"
            )


def _check_writable(folder: Path) -> None:
    """Raise InvalidData where the outputs could not be written; better now than in the end."""
    at = next(path for path in (folder, *folder.absolute().parents) if path.exists())
    if not at.is_dir():
        raise InvalidData(f"--output {folder}: {os.path.relpath(at)} is not a folder")
    if not os.access(at, os.W_OK | os.X_OK):
        raise InvalidData(f"--output {folder}: no permission to write in {at}")


def write_outputs(folder: Path, record: Record) -> list[Path]:
    """Write what belongs to a record into the folder and return the files.

    A policy of an earlier run that this one has nothing to put in place of is removed: the folder
    holds one answer.
    """
    from tailsafe.report import render

    folder.mkdir(parents=True, exist_ok=True)
    # The record first: it is what marks the other files as ours.
    texts = {RECORD: as_json(record), REPORT: render(record)}
    best = record["answer"]["best"]
    if best is None:
        (folder / POLICY).unlink(missing_ok=True)
    else:
        texts[POLICY] = as_policy_csv(record, best)
    for name, text in texts.items():
        write(folder / name, text)
    return [folder / name for name in texts]
