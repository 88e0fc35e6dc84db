"""What is accepted as the store of a study; anything else is refused and left as it is."""

import os
import sqlite3
from collections.abc import Mapping
from pathlib import Path

from tailsafe.errors import InvalidData
from tailsafe.study.files import beside

APPLICATION = 0x7A11_5AFE
"""SQLite's application id of our files."""

SCHEMA = "tailsafe.study/1"

ADVICE = "it was not changed; give another path, or move it away"


def check_store(path: Path) -> None:
    """Raise InvalidData unless this file is a whole store of a study; it is only read."""
    try:
        database = read_only(path)
    except sqlite3.Error as error:
        raise InvalidData(f"{path} cannot be opened ({error}); {ADVICE}") from None
    try:
        _check_content(path, database)
    except sqlite3.DatabaseError as error:
        raise InvalidData(f"{path} is not a study, or is damaged ({error}); {ADVICE}") from None
    finally:
        database.close()


def _check_content(path: Path, database: sqlite3.Connection) -> None:
    (application,) = database.execute("PRAGMA application_id").fetchone()
    if application != APPLICATION:
        raise InvalidData(f"{path} is a database of something else, not a study; {ADVICE}")
    (report,) = database.execute("PRAGMA quick_check(1)").fetchone()
    if report != "ok":
        raise InvalidData(f"{path} is damaged ({report}); {ADVICE}")
    (schema,) = database.execute("SELECT content FROM identity WHERE part = 'schema'").fetchone()
    if schema != SCHEMA:
        raise InvalidData(f"{path} is of schema {schema}, this tailsafe writes {SCHEMA}; {ADVICE}")


def check_free(path: Path) -> None:
    """Raise InvalidData if something is left of another store whose main file is gone."""
    for ending in ("-wal", "-journal"):
        left = beside(path, ending)
        if left.exists():
            # SQLite would write it into whatever has the name of the missing file.
            raise InvalidData(f"{left} belongs to a store that is not there; {ADVICE}")


def check_identity(path: Path, kept: Mapping[str, str], wanted: Mapping[str, str]) -> None:
    """Raise InvalidData unless what two studies have in common agrees.

    Parameters
    ----------
    path
        Of the store.
    kept, wanted
        What it was made with, and what would be added (see ``Study.identity``).
    """
    for part, content in wanted.items():
        if kept.get(part, content) != content:
            raise InvalidData(
                f"{path} holds another study: its {part} is {kept[part]}, not {content}; {ADVICE}"
            )


def read_only(path: Path) -> sqlite3.Connection:
    """Return a connection that cannot write."""
    # In a folder where nothing can be written, SQLite has nowhere to say that it reads.
    alone = not beside(path, "-wal").exists() and not os.access(path.parent, os.W_OK)
    uri = f"{path.resolve().as_uri()}?mode=ro"
    return sqlite3.connect(f"{uri}&immutable=1" if alone else uri, uri=True)
