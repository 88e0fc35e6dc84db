"""The store: whole units or nothing; anything else in its place is refused and left as it is."""

import errno
import os
import re
import sqlite3
import subprocess
import sys

import numpy as np
import pytest

from tailsafe.engine import Engine
from tailsafe.errors import InvalidData
from tailsafe.study.design import Unit
from tailsafe.study.files import StoreFailed, array_path, locked, read_array
from tailsafe.study.run import run_study
from tailsafe.study.store import open_store, read_rows, read_store

ONE = Engine(workers=1)


def run(tiny, path, **known):
    return run_study(tiny.study(**known), path, ONE)


@pytest.fixture
def path(tiny, tmp_path):
    run(tiny, tmp_path / "s.db")
    return tmp_path / "s.db"


def content_of(path):
    return path.read_bytes()


def test_rows_can_be_asked_for_by_a_condition(path):
    assert len(read_rows(path)) == 16
    assert {row.trial for row in read_rows(path, "trial > ?", (1,))} == {2, 3}


def test_a_row_says_everything(path):
    row = read_rows(path)[0]
    assert (row.study, row.domain, row.profile, row.size) == ("tiny", "ring", "tiny", 8)
    assert row.tailsafe
    assert row.numpy == np.__version__
    assert row.seed > 0


FOREIGN = {
    "text": b"my notes\n",
    "empty database of somebody": None,
    "half a store": "half",
    "a damaged store": "damaged",
}
SAID = dict(
    zip(FOREIGN, ("not a database", "of something else", "damaged", "damaged"), strict=True)
)


@pytest.mark.parametrize("kind", FOREIGN)
def test_what_is_no_store_is_refused_and_left_as_it_is(kind, tiny, path, tmp_path):
    other = tmp_path / "other.db"
    given = FOREIGN[kind]
    if isinstance(given, bytes):
        other.write_bytes(given)
    elif given is None:
        sqlite3.connect(other).executescript("CREATE TABLE notes (text)")
    else:
        whole = bytearray(content_of(path))
        whole[5_000:9_000] = os.urandom(4_000)
        other.write_bytes(bytes(whole[:3_000] if given == "half" else whole))
    before = content_of(other)
    with pytest.raises(InvalidData, match="it was not changed; give another path"):
        run(tiny, other)
    with pytest.raises(InvalidData, match=SAID[kind]):
        read_rows(other)
    assert content_of(other) == before


def test_damage_is_seen_before_anything_is_read_wherever_it_is(tiny, path):
    with sqlite3.connect(path) as database:
        (page,) = database.execute(
            "SELECT rootpage FROM sqlite_master WHERE name='rows'"
        ).fetchone()
        (size,) = database.execute("PRAGMA page_size").fetchone()
        database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    database.close()
    whole = bytearray(content_of(path))
    whole[(page - 1) * size : page * size] = bytes(size)
    path.write_bytes(bytes(whole))
    with pytest.raises(InvalidData, match="damaged"):
        run(tiny, path)


def test_the_rows_of_a_unit_are_there_with_it_or_not_at_all(tiny, tmp_path):
    from tailsafe.study.trial import conduct, rows

    study, path = tiny.study(), tmp_path / "s.db"
    unit = study.units()[0]
    outcome = conduct(study, unit)
    with open_store(path, study.identity()) as store:
        store.database.execute(
            "CREATE TRIGGER full BEFORE INSERT ON units BEGIN SELECT RAISE(ABORT, 'no room'); END"
        )
        with pytest.raises(StoreFailed, match="no room"):
            store.put(unit, rows(study, unit, outcome), outcome.policies, 0.0)
        assert list(store.rows()) == []
        assert store.seconds() == {}


def test_a_store_of_another_schema_is_refused(tiny, path):
    with sqlite3.connect(path) as database:
        database.execute("UPDATE identity SET content = 'tailsafe.study/9' WHERE part = 'schema'")
    with pytest.raises(InvalidData, match=r"is of schema tailsafe.study/9, this tailsafe writes"):
        run(tiny, path)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"seed": 1}, "its seed is 0, not 1"),
        ({"label": "ring", "profiles": "other"}, "its profile tiny on ring is"),
    ],
)
def test_a_store_of_another_study_is_refused(change, words, tiny, path):
    if "profiles" in change:
        change = {"profiles": (tiny.Tiny(pause=0.5),)}
    before = read_rows(path)
    with pytest.raises(InvalidData, match=re.escape(words)):
        run(tiny, path, **change)
    assert read_rows(path) == before


def test_a_missing_store_is_not_made_by_reading(tmp_path):
    with pytest.raises(InvalidData, match="there is no study at"):
        read_rows(tmp_path / "none.db")
    assert list(tmp_path.iterdir()) == []


def test_what_is_left_of_a_lost_store_is_not_written_into_a_new_one(tiny, tmp_path):
    (tmp_path / "s.db-wal").write_bytes(b"left over")
    with pytest.raises(InvalidData, match="belongs to a store that is not there"):
        run(tiny, tmp_path / "s.db")


def test_only_one_process_writes(tiny, path):
    with locked(path), pytest.raises(InvalidData, match="another process is writing"):
        run(tiny, path)


def test_two_units_never_share_a_file(tmp_path):
    names = {
        array_path(tmp_path / "s.db", Unit("t", *key)).name
        for key in (
            *(("a-b", "c", 1, 1), ("a", "b-c", 1, 1), ("a b", "c", 1, 1), ("a_b", "c", 1, 1)),
            *(("a", "b", 11, 1), ("a", "b", 1, 11), ("a/b", "c", 1, 1), ("..", "c", 1, 1)),
        )
    }
    assert len(names) == 8
    assert all("/" not in name and not name.startswith(".") for name in names)


def test_the_file_of_a_unit_is_where_it_always_was(tmp_path):
    unit = Unit("paper", "lake 1 (text)", "tailsafe", 15, 0)
    expected = tmp_path / "s.db.arrays" / "lake_1_%28text%29-tailsafe-15-0.npy"
    assert array_path(tmp_path / "s.db", unit) == expected


def test_names_of_any_alphabet_make_files_that_can_be_written(tiny, tmp_path):
    label, other = "病" * 60, "病" * 59 + "室"
    for name in (label, other):
        assert run(tiny, tmp_path / f"{name[-1]}.db", trials=1, sizes=(8,), label=name).complete
    units = [Unit("t", name, name, 8, 0) for name in (label, other)]
    assert len({array_path(tmp_path / "s.db", unit) for unit in units}) == 2


def test_an_array_that_cannot_be_read_is_named(tiny, path):
    unit = tiny.study().units()[0]
    array_path(path, unit).write_bytes(b"no array")
    with pytest.raises(InvalidData, match=re.escape(array_path(path, unit).name)):
        read_array(path, unit)


def test_a_full_disk_is_said_and_leaves_the_store_intact(tiny, path, monkeypatch, content):
    before = content(path)

    def full(*_, **__):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr("tailsafe.study.files.np.save", full)
    with pytest.raises(StoreFailed, match="No space left on device; what it holds is intact"):
        run(tiny, path, trials=6)
    monkeypatch.undo()
    assert content(path) == before
    assert run(tiny, path, trials=6).complete


def test_a_database_that_is_full_is_said_and_leaves_the_store_intact(tiny, path, content):
    before = content(path)
    study = tiny.study(trials=400)
    with pytest.raises(StoreFailed, match="database or disk is full"):
        limited(study, path)
    assert [row for row in content(path)[0] if row.trial < 4] == before[0]
    with read_store(path) as store:
        done = len(store.seconds())
    assert 8 <= done < 800


def limited(study, path):
    """Put units until SQLite, which may not grow by more than a few pages, has no room."""
    from tailsafe.study.trial import conduct, rows

    with open_store(path, study.identity()) as store:
        (pages,) = store.database.execute("PRAGMA page_count").fetchone()
        store.database.execute(f"PRAGMA max_page_count = {pages + 2}")
        there = store.seconds()
        for unit in study.units():
            if unit not in there:
                outcome = conduct(study, unit)
                store.put(unit, rows(study, unit, outcome), outcome.policies, 0.0)


READER = """
import sys
from pathlib import Path
from tailsafe.study.store import read_rows, open_store
from tailsafe.errors import TailsafeError
path = Path(sys.argv[1])
print(len(read_rows(path)))
try:
    with open_store(path, {}):
        print("written")
except TailsafeError as error:
    print(error)
"""


def test_in_a_folder_where_nothing_can_be_written_it_can_be_read_and_says_so(path):
    path.parent.chmod(0o555)
    for file in path.parent.iterdir():
        file.chmod(0o444 if file.is_file() else 0o555)
    command = [sys.executable, "-c", READER, str(path)]
    if os.geteuid() == 0:
        # Root may write anywhere unless it gives that up.
        command = ["setpriv", "--bounding-set=-dac_override", "--inh-caps=-all", *command]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    path.parent.chmod(0o755)
    assert done.stdout.splitlines()[0] == "16", done.stderr
    assert "could not be written" in done.stdout
    assert "written\n" not in done.stdout
