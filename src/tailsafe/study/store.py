"""Where a study is kept: rows in SQLite, policies as .npy files beside it.

One process writes, the driver; others may read at any time (write-ahead log). The rows of a unit
are committed together and after its array has been renamed into place, so a unit is there as a
whole or not at all, whenever the driver is killed. What is not a store of the same study is
refused and left as it is.
"""

import fcntl
import os
import re
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO

import numpy as np

from tailsafe.arrays import FloatArray
from tailsafe.errors import InvalidData, TailsafeError
from tailsafe.study.design import Study, Unit
from tailsafe.study.rows import COLUMNS, KEY, Outcome, Row, Value, cells
from tailsafe.study.trial import rows

APPLICATION = 0x7A11_5AFE
"""SQLite's application id of our files (signed when read)."""

SCHEMA = "tailsafe.study/1"

_TYPES = {"int": "INTEGER", "float": "REAL", "str": "TEXT"}


class StoreFailed(TailsafeError):
    """The store could not be written (disk full, read-only folder); what it holds is intact."""


@dataclass(frozen=True, slots=True, eq=False)
class Store:
    """An open store; see ``open_store``."""

    path: Path
    database: sqlite3.Connection

    def done(self) -> set[Unit]:
        """Return the units that are there."""
        found = self.database.execute(f"SELECT {', '.join(KEY)} FROM units")
        return {Unit(*row) for row in found}

    def add(self, study: Study, unit: Unit, outcome: Outcome) -> None:
        """Keep a unit: first its policies, then all its rows at once."""
        with _clear_failures(self.path):
            write_array(array_path(self.path, unit), outcome.policies)
            with self.database:
                self._insert(rows(study, unit, outcome))
                self.database.execute(
                    f"INSERT OR REPLACE INTO units VALUES ({_marks(len(KEY) + 1)})",
                    (*unit, outcome.seconds),
                )

    def _insert(self, new: Iterable[Row]) -> None:
        sql = f"INSERT OR REPLACE INTO rows VALUES ({_marks(len(COLUMNS))})"
        self.database.executemany(sql, [cells(row) for row in new])

    def identity(self) -> dict[str, str]:
        """Return what the rows were made with, part by part (see ``Study.identity``)."""
        return dict(self.database.execute("SELECT part, content FROM identity"))

    def seconds(self) -> dict[Unit, float]:
        """Return what each unit took."""
        found = self.database.execute(f"SELECT {', '.join(KEY)}, seconds FROM units")
        return {Unit(*row[:-1]): row[-1] for row in found}


@contextmanager
def open_store(path: Path, study: Study) -> Iterator[Store]:
    """Give the store of a study for writing: a new one, or one that this study made.

    Raises InvalidData for anything else that is there, and StoreFailed where nothing can be
    written.
    """
    if path.exists() and path.stat().st_size > 0:
        check_store(path)
    with _clear_failures(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        lock = _locked(path)
    try:
        with _clear_failures(path):
            database = _connected(path)
        try:
            store = Store(path, database)
            _check_identity(store, study)
            with _clear_failures(path), database:
                entries = study.identity().items()
                database.executemany("INSERT OR REPLACE INTO identity VALUES (?, ?)", entries)
            yield store
        finally:
            database.close()
    finally:
        lock.close()


@contextmanager
def read_store(path: Path) -> Iterator[Store]:
    """Give a store for reading only; a driver may be writing it."""
    if not path.exists():
        raise InvalidData(f"there is no study at {path}")
    check_store(path)
    database = _read_only(path)
    try:
        yield Store(path, database)
    finally:
        database.close()


def check_store(path: Path) -> None:
    """Raise InvalidData unless this file is a whole store of a study; it is only read."""
    advice = "it was not changed; give another path, or move it away"
    try:
        database = _read_only(path)
    except sqlite3.Error as error:
        raise InvalidData(f"{path} cannot be opened ({error}); {advice}") from None
    try:
        (application,) = database.execute("PRAGMA application_id").fetchone()
        if application & 0xFFFF_FFFF != APPLICATION:
            raise InvalidData(f"{path} is a database of something else, not a study; {advice}")
        (report,) = database.execute("PRAGMA quick_check(1)").fetchone()
        if report != "ok":
            raise InvalidData(f"{path} is damaged ({report}); {advice}")
        (schema,) = database.execute(
            "SELECT content FROM identity WHERE part = 'schema'"
        ).fetchone()
        if schema != SCHEMA:
            raise InvalidData(
                f"{path} is of schema {schema}, this tailsafe writes {SCHEMA}; {advice}"
            )
    except sqlite3.DatabaseError as error:
        raise InvalidData(f"{path} is not a study, or is damaged ({error}); {advice}") from None
    finally:
        database.close()


def _check_identity(store: Store, study: Study) -> None:
    kept = store.identity()
    for part, content in study.identity().items():
        if kept.get(part, content) != content:
            raise InvalidData(
                f"{store.path} holds another study: its {part} is {kept[part]}, not {content}; "
                "it was not changed; give another path"
            )


def _connected(path: Path) -> sqlite3.Connection:
    database = sqlite3.connect(path)
    database.execute("PRAGMA journal_mode = WAL")
    with database:
        database.execute(f"PRAGMA application_id = {APPLICATION - 2**32}")
        database.execute(
            "CREATE TABLE IF NOT EXISTS identity (part TEXT PRIMARY KEY, content TEXT NOT NULL)"
        )
        key = ", ".join(KEY)
        types = {name: _sql_type(Row, name) for name in COLUMNS}
        columns = ", ".join(f"{name} {kind}" for name, kind in types.items())
        database.execute(
            f"CREATE TABLE IF NOT EXISTS rows ({columns}, PRIMARY KEY ({key}, method))"
        )
        of_unit = ", ".join(f"{name} {types[name]}" for name in KEY)
        database.execute(
            f"CREATE TABLE IF NOT EXISTS units ({of_unit}, seconds REAL, PRIMARY KEY ({key}))"
        )
        database.execute("INSERT OR IGNORE INTO identity VALUES ('schema', ?)", (SCHEMA,))
    return database


def _read_only(path: Path) -> sqlite3.Connection:
    return sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)


def _sql_type(record: type, name: str) -> str:
    annotation = record.__annotations__[name]
    kind = re.split(r"\W", getattr(annotation, "__name__", str(annotation)))[0]
    return _TYPES[kind]


def _marks(count: int) -> str:
    return ", ".join("?" * count)


def _locked(path: Path) -> IO[str]:
    # The kernel drops the lock when the driver dies, however it dies.
    lock = path.with_name(path.name + ".lock").open("a")
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        lock.close()
        raise InvalidData(f"another driver is writing {path}; wait for it, or stop it") from None
    return lock


@contextmanager
def _clear_failures(path: Path) -> Iterator[None]:
    try:
        yield
    except (OSError, sqlite3.OperationalError) as error:
        raise StoreFailed(
            f"{path} could not be written: {error}; what it holds is intact, and the same command "
            "resumes once this is repaired"
        ) from error


def array_path(path: Path, unit: Unit) -> Path:
    """Return where the policies of a unit are kept, probs[p, s, a]."""
    words = (unit.domain, unit.profile, str(unit.size), str(unit.trial))
    name = "-".join(re.sub(r"[^A-Za-z0-9.]+", "_", word) for word in words)
    return path.with_name(path.name + ".arrays") / f"{name}.npy"


def write_array(path: Path, array: FloatArray) -> None:
    """Write an array so that the file is there as a whole or not at all."""
    path.parent.mkdir(exist_ok=True)
    partial = path.with_suffix(".part")
    try:
        with partial.open("wb") as file:
            np.save(file, array, allow_pickle=False)
            file.flush()
            os.fsync(file.fileno())
        partial.replace(path)
    except OSError:
        partial.unlink(missing_ok=True)
        raise


def read_rows(path: Path, where: str = "1", values: tuple[Value, ...] = ()) -> list[Row]:
    """Return the rows of a store in the order of their keys."""
    sql = f"SELECT {', '.join(COLUMNS)} FROM rows WHERE {where} ORDER BY {', '.join(KEY)}, rowid"
    with read_store(path) as store:
        return [
            Row(**dict(zip(COLUMNS, found, strict=True)))
            for found in store.database.execute(sql, values)
        ]
