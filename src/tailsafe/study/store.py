"""Where a study is kept: rows in SQLite, policies as .npy files beside it.

One process writes, the driver; others may read at any time (write-ahead log). The rows of a unit
are committed together and after its array has been renamed into place, so a unit is there as a
whole or not at all, whenever the driver is killed.
"""

import re
import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

from tailsafe.arrays import FloatArray
from tailsafe.errors import InvalidData
from tailsafe.study.design import Unit
from tailsafe.study.door import (
    APPLICATION,
    SCHEMA,
    check_free,
    check_identity,
    check_store,
    read_only,
)
from tailsafe.study.files import array_path, clear_failures, locked, write_array, written_whole
from tailsafe.study.rows import COLUMNS, KEY, Row, Value, cells

_TYPES = {"int": "INTEGER", "float": "REAL", "str": "TEXT"}


@dataclass(frozen=True, slots=True, eq=False)
class Store:
    """An open store; see ``open_store`` and ``read_store``."""

    path: Path
    database: sqlite3.Connection

    def put(self, unit: Unit, rows: Iterable[Row], policies: FloatArray, seconds: float) -> None:
        """Keep a unit: first its policies, then all its rows at once.

        Parameters
        ----------
        unit, rows, policies
            Its key, its rows, and probs[p, s, a].
        seconds
            What it took.
        """
        with clear_failures(self.path):
            write_array(array_path(self.path, unit), policies)
            with self.database:
                self.database.executemany(
                    f"INSERT INTO rows VALUES ({_marks(len(COLUMNS))})",
                    [cells(row) for row in rows],
                )
                self.database.execute(
                    f"INSERT INTO units VALUES ({_marks(len(KEY) + 1)})", (*unit, seconds)
                )

    def seconds(self) -> dict[Unit, float]:
        """Return the units that are there, and what each took."""
        found = self.database.execute(f"SELECT {', '.join(KEY)}, seconds FROM units")
        return {Unit(*row[:-1]): row[-1] for row in found}

    def rows(self, where: str = "1", values: tuple[Value, ...] = ()) -> Iterator[Row]:
        """Yield rows in the order of their keys.

        Parameters
        ----------
        where, values
            A condition in SQL, and what its question marks stand for.
        """
        sql = (
            f"SELECT {', '.join(COLUMNS)} FROM rows WHERE {where} ORDER BY {', '.join(KEY)}, rowid"
        )
        for found in self.database.execute(sql, values):
            yield Row(**dict(zip(COLUMNS, found, strict=True)))

    def identity(self) -> dict[str, str]:
        """Return what the rows were made with, part by part (see ``Study.identity``)."""
        return dict(self.database.execute("SELECT part, content FROM identity"))


@contextmanager
def open_store(path: Path, identity: Mapping[str, str]) -> Iterator[Store]:
    """Give a store for writing: a new one, or one whose identity agrees.

    Raises InvalidData for anything else that is there, and StoreFailed where nothing can be
    written.

    Parameters
    ----------
    path
        Where.
    identity
        What decides the rows that will be put there (see ``Study.identity``).
    """
    _check_path(path)
    with locked(path):
        with clear_failures(path):
            if _is_new(path):
                _create(path)
            database = sqlite3.connect(path)
        with closing(database):
            store = Store(path, database)
            check_identity(path, store.identity(), identity)
            with clear_failures(path), database:
                database.executemany(
                    "INSERT OR REPLACE INTO identity VALUES (?, ?)", identity.items()
                )
            yield store


@contextmanager
def read_store(path: Path) -> Iterator[Store]:
    """Give a store for reading only; a driver may be writing it."""
    if not path.exists():
        raise InvalidData(f"there is no study at {path}")
    check_store(path)
    with closing(read_only(path)) as database:
        yield Store(path, database)


def read_rows(path: Path, where: str = "1", values: tuple[Value, ...] = ()) -> list[Row]:
    """Return the rows of a store in the order of their keys.

    Parameters
    ----------
    path
        Of the store.
    where, values
        A condition in SQL, and what its question marks stand for.
    """
    with read_store(path) as store:
        return list(store.rows(where, values))


def _check_path(path: Path) -> None:
    if _is_new(path):
        check_free(path)
    else:
        check_store(path)


def _is_new(path: Path) -> bool:
    return not path.exists() or path.stat().st_size == 0


def _create(path: Path) -> None:
    """Make an empty store under another name, so that none is ever half made."""
    with written_whole(path) as partial:
        partial.unlink(missing_ok=True)
        with closing(sqlite3.connect(partial)) as database:
            database.execute("PRAGMA journal_mode = WAL")
            database.executescript(_schema())


def _schema() -> str:
    key = ", ".join(KEY)
    types = {name: _sql_type(name) for name in COLUMNS}
    columns = ", ".join(f"{name} {kind}" for name, kind in types.items())
    of_unit = ", ".join(f"{name} {types[name]}" for name in KEY)
    return f"""
        PRAGMA application_id = {APPLICATION};
        CREATE TABLE identity (part TEXT PRIMARY KEY, content TEXT NOT NULL);
        CREATE TABLE rows ({columns}, PRIMARY KEY ({key}, method));
        CREATE TABLE units ({of_unit}, seconds REAL, PRIMARY KEY ({key}));
        INSERT INTO identity VALUES ('schema', '{SCHEMA}');
    """


def _sql_type(name: str) -> str:
    annotation = Row.__annotations__[name]
    kind = re.split(r"\W", getattr(annotation, "__name__", str(annotation)))[0]
    return _TYPES[kind]


def _marks(count: int) -> str:
    return ", ".join("?" * count)
