"""The stores of a job array become one, equal to that of one run."""

import pytest

from tailsafe.engine import Engine
from tailsafe.errors import InvalidData
from tailsafe.study.gather import gather
from tailsafe.study.parts import Part
from tailsafe.study.run import run_study
from tailsafe.study.store import read_store

ONE = Engine(workers=1)


def test_parts_together_are_the_whole(tiny, tmp_path, content, expected):
    paths = [tmp_path / f"part-{k}.db" for k in (1, 2, 3)]
    for k, path in enumerate(paths, start=1):
        run_study(tiny.study(), path, ONE, Part(k, 3))
    whole = tmp_path / "whole.db"
    assert gather(tiny.study(), whole, paths) == 8
    assert content(whole) == expected
    assert gather(tiny.study(), whole, paths) == 0
    assert run_study(tiny.study(), whole, ONE).done == 0


def test_what_was_not_asked_for_is_left_where_it_is(tiny, tmp_path, content):
    run_study(tiny.study(trials=3), tmp_path / "more.db", ONE)
    asked = tiny.study(trials=2, sizes=(8,))
    assert gather(asked, tmp_path / "some.db", [tmp_path / "more.db"]) == 2
    assert content(tmp_path / "some.db")[1] == sorted(asked.units())


def test_what_units_took_is_taken_over(tiny, tmp_path):
    run_study(tiny.study(), tmp_path / "one.db", ONE)
    gather(tiny.study(), tmp_path / "all.db", [tmp_path / "one.db"])
    with read_store(tmp_path / "one.db") as one, read_store(tmp_path / "all.db") as all_:
        assert one.seconds() == all_.seconds()


def test_what_is_missing_is_done_afterwards(tiny, tmp_path, content, expected):
    run_study(tiny.study(), tmp_path / "part.db", ONE, Part(2, 3))
    taken = gather(tiny.study(), tmp_path / "whole.db", [tmp_path / "part.db"])
    ended = run_study(tiny.study(), tmp_path / "whole.db", ONE)
    assert (ended.before, ended.complete) == (taken, True)
    assert content(tmp_path / "whole.db") == expected


def test_a_store_of_another_study_is_refused_before_anything_is_written(tiny, tmp_path):
    run_study(tiny.study(), tmp_path / "good.db", ONE)
    run_study(tiny.study(seed=1), tmp_path / "other.db", ONE)
    with pytest.raises(InvalidData, match=r"other.db holds another study: its seed is 1, not 0"):
        gather(tiny.study(), tmp_path / "new.db", [tmp_path / "good.db", tmp_path / "other.db"])
    assert not (tmp_path / "new.db").exists()
