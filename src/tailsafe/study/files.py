"""The files of a store: there as a whole or not at all; its lock; what can go wrong, in words."""

import fcntl
import hashlib
import os
import re
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO
from urllib.parse import quote

import numpy as np

from tailsafe.arrays import FloatArray
from tailsafe.errors import InvalidData, TailsafeError
from tailsafe.study.design import Unit

LONGEST = 246
"""Characters of the name of an array: file systems allow 255, and ``.npy.part`` comes after it."""


class StoreFailed(TailsafeError):
    """A store could not be written (disk full, read-only folder), or is damaged."""


def array_path(path: Path, unit: Unit) -> Path:
    """Return where the policies of a unit are kept, probs[p, s, a].

    Parameters
    ----------
    path, unit
        Of the store, and whose.
    """
    words = (unit.domain, unit.profile, str(unit.size), str(unit.trial))
    # Escaped, so that no two units share a name; the dash stays for what is between the words.
    name = "-".join(re.sub("[-._~]", _escaped, quote(word, safe=" ")) for word in words)
    if len(name) > LONGEST:
        name = hashlib.sha256(name.encode()).hexdigest()
    return beside(path, ".arrays") / f"{name.replace(' ', '_')}.npy"


def _escaped(sign: re.Match[str]) -> str:
    return f"%{ord(sign[0]):02X}"


def read_array(path: Path, unit: Unit) -> FloatArray:
    """Return the policies of a unit, probs[p, s, a]."""
    found = array_path(path, unit)
    try:
        probs: FloatArray = np.load(found, allow_pickle=False)
    except (OSError, ValueError) as error:
        raise InvalidData(f"{found} cannot be read: {error}") from None
    return probs


def write_array(path: Path, array: FloatArray) -> None:
    """Write an array so that the file is there as a whole or not at all."""
    with written_whole(path) as partial, partial.open("wb") as file:
        np.save(file, array, allow_pickle=False)
        file.flush()
        os.fsync(file.fileno())


@contextmanager
def written_whole(path: Path) -> Iterator[Path]:
    """Give the name to write to; what is written there is renamed once it is complete."""
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = beside(path, ".part")
    try:
        yield partial
        partial.replace(path)
    finally:
        partial.unlink(missing_ok=True)


def beside(path: Path, ending: str) -> Path:
    """Return the name of a file that belongs to another."""
    return path.with_name(path.name + ending)


@contextmanager
def locked(path: Path) -> Iterator[IO[str]]:
    """Hold the lock of whoever writes a store; raise InvalidData if another process has it."""
    with clear_failures(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        lock = beside(path, ".lock").open("a")
    # The kernel drops the lock when its holder dies, however that happens.
    with lock:
        with clear_failures(path):
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise InvalidData(
                    f"another process is writing {path}: wait for it, or stop it"
                ) from None
        yield lock


@contextmanager
def clear_failures(path: Path) -> Iterator[None]:
    """Turn what a file system or a database says into what it means for the study."""
    try:
        yield
    except (OSError, sqlite3.OperationalError) as error:
        raise StoreFailed(
            f"{path} could not be written: {error}; what it holds is intact, and the same command "
            "resumes once this is repaired"
        ) from error
    except sqlite3.DatabaseError as error:
        raise StoreFailed(
            f"{path} was damaged by something else: {error}; nothing more was written"
        ) from error
