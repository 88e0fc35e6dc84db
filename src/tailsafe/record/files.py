"""selection.json and policy.csv on disk: written whole or not at all, checked when read."""

import csv
import json
import os
from contextlib import suppress
from io import StringIO
from pathlib import Path
from typing import NoReturn, cast

from tailsafe.errors import InvalidData
from tailsafe.record.check import check
from tailsafe.record.schema import LEVELS, SCHEMA, Choices, Record

FAMILY = SCHEMA.partition("/")[0] + "/"


def as_json(record: Record) -> str:
    """Return a record as JSON in ASCII, one line for each of its parts."""
    lines = (f"{json.dumps(key)}: {_compact(part)}" for key, part in record.items())
    return "{\n" + ",\n".join(lines) + "\n}\n"


def as_policy_csv(record: Record, candidate: int) -> str:
    """Return a policy as a table: state, action, probability; none where episodes end."""
    labels, ended = record["labels"], record["task"]["terminal"]
    text = StringIO()
    table = csv.writer(text, lineterminator="\n")
    table.writerow(("state", "action", "probability"))
    policy = record["candidates"][candidate]["policy"]
    alive = [state for state in range(len(policy)) if state not in ended]
    for state, (action, probability) in ((s, choice) for s in alive for choice in policy[s]):
        shown = repr(float(probability))
        table.writerow((labels["states"][state], labels["actions"][action], shown))
    return text.getvalue()


def write(path: Path, text: str) -> None:
    """Write a file by renaming: whoever looks sees the old one or the new one, never half."""
    part = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        part.write_text(text, "utf-8", newline="\n")
        part.replace(path)
    except OSError as error:
        raise InvalidData(f"cannot write {path}: {error.strerror}") from None
    finally:
        with suppress(OSError):
            part.unlink(missing_ok=True)


def read_record(path: Path) -> Record:
    """Return the record in a file; anything that is not a selection is refused."""
    try:
        text = path.read_text("utf-8")
    except OSError as error:
        raise InvalidData(f"cannot read {path}: {error.strerror}") from None
    except UnicodeDecodeError as error:
        raise InvalidData(f"{path} is not UTF-8 text: {error.reason}") from None
    return parse_record(text, path.name)


def is_record(path: Path) -> bool:
    """Return whether a file says that it is a selection, of whatever version."""
    try:
        given = json.loads(path.read_text("utf-8"))
    except (OSError, ValueError, RecursionError):
        return False
    return isinstance(given, dict) and str(given.get("schema")).startswith(FAMILY)


def parse_record(text: str, name: str) -> Record:
    """Return the record in a text."""

    def refuse(constant: str) -> NoReturn:
        raise InvalidData(f"{name} holds {constant}, which is not JSON")

    try:
        given = json.loads(text, parse_constant=refuse)
    except json.JSONDecodeError as error:
        raise InvalidData(f"{name} is not JSON: {error}") from None
    except RecursionError:
        raise InvalidData(f"{name} is nested too deeply to be a selection") from None
    schema = given.get("schema") if isinstance(given, dict) else None
    if not isinstance(schema, str) or not schema.startswith(FAMILY):
        raise InvalidData(
            f'{name} is not a selection of tailsafe: its "schema" is {schema!r}, not {SCHEMA!r}'
        )
    if schema != SCHEMA:
        raise InvalidData(f"{name} has the schema {schema!r}; this version reads {SCHEMA!r}")
    check(given, Record, name)
    record = cast(Record, given)
    _check_sizes(record, name)
    return record


def _check_sizes(record: Record, name: str) -> None:
    """Raise InvalidData where a number points to nothing."""
    answer, n_candidates = record["answer"], len(record["candidates"])
    pointed = [*answer["ties"], *([] if answer["best"] is None else [answer["best"]])]
    if any(not 0 <= i < n_candidates for i in pointed):
        raise InvalidData(
            f"{name}.answer points to a candidate beyond the {n_candidates} there are"
        )
    sizes = (record["task"]["n_states"], record["task"]["n_actions"])
    if (len(record["labels"]["states"]), len(record["labels"]["actions"])) != sizes:
        raise InvalidData(f"{name}.labels does not name {sizes[0]} states and {sizes[1]} actions")
    for index, candidate in enumerate(record["candidates"]):
        where = f"{name}.candidates[{index}]"
        if len(candidate["quantiles"]) != LEVELS:
            raise InvalidData(f"{where}.quantiles has not {LEVELS} items")
        _check_policy(candidate["policy"], sizes, f"{where}.policy")
    _check_policy(record["behaviour"]["policy"], sizes, f"{name}.behaviour.policy")


def _check_policy(policy: Choices, sizes: tuple[int, int], where: str) -> None:
    n_states, n_actions = sizes
    if len(policy) != n_states:
        raise InvalidData(f"{where} has {len(policy)} states, the task has {n_states}")
    if any(not 0 <= action < n_actions for choices in policy for action, _ in choices):
        raise InvalidData(f"{where} takes an action beyond the {n_actions} there are")


def _compact(part: object) -> str:
    return json.dumps(part, allow_nan=False, separators=(",", ":"))
