"""The driver: nothing done is lost, nothing is done twice, whoever does it, whatever ends it."""

from itertools import chain, pairwise

import numpy as np
import pytest

from tailsafe.engine import Engine
from tailsafe.errors import InvalidData
from tailsafe.study.parts import Part
from tailsafe.study.rows import Finding, Outcome
from tailsafe.study.run import MAX_FAILURES, run_study
from tailsafe.study.store import read_store

ONE = Engine(workers=1)


def test_every_unit_is_there_once_with_its_rows_and_its_policies(tiny, expected):
    rows, units, arrays = expected
    assert units == sorted(tiny.study().units())
    assert len(rows) == 2 * len(units)
    assert {row.method for row in rows} == {"drawn", "logged"}
    assert arrays[0][0][0][0] == rows[0].u
    assert all(row.evaluations == row.size for row in rows if row.method == "logged")


def test_what_is_there_is_not_done_again(tiny, tmp_path):
    path, study = tmp_path / "s.db", tiny.study()
    first = run_study(study, path, ONE)
    again = run_study(study, path, ONE)
    assert (first.before, first.done, first.total) == (0, 8, 8)
    assert (again.before, again.done, again.total, again.complete) == (8, 0, 8, True)
    # What else is there does not count.
    fewer = run_study(tiny.study(trials=1), path, ONE)
    assert (fewer.before, fewer.done, fewer.total, fewer.complete) == (2, 0, 2, True)


def test_what_each_unit_took_is_kept(tiny, tmp_path):
    slow = tiny.study(trials=1, profiles=(tiny.Tiny(pause=0.02),))
    run_study(slow, tmp_path / "s.db", ONE)
    with read_store(tmp_path / "s.db") as store:
        assert all(0.02 <= seconds < 5.0 for seconds in store.seconds().values())


def test_units_that_failed_are_not_in_the_remaining_time(tiny, tmp_path):
    seen = []
    study = tiny.study(trials=3, sizes=(8,), profiles=(tiny.Tiny(pause=0.01, fails=(2,)),))
    run_study(study, tmp_path / "s.db", ONE, watch=seen.append)
    assert seen[-1].failures
    assert seen[-1].remaining == 0.0


def test_two_findings_of_the_same_name_are_the_failure_of_their_unit():
    twice = (Finding(method="a", role="baseline"),) * 2
    with pytest.raises(InvalidData, match="2 findings of one log are called a"):
        Outcome(findings=twice, policies=np.empty((0, 0, 0)), u_trivial=0.0, u_star=1.0)


def test_a_cell_that_no_store_can_hold_is_the_failure_of_its_unit():
    wrong = Finding(method="a", role="baseline", bound=(0.0, 1.0))
    with pytest.raises(
        InvalidData, match=r"bound of a must be a text or a number, got \(0.0, 1.0\)"
    ):
        Outcome(findings=(wrong,), policies=np.empty((0, 0, 0)), u_trivial=0.0, u_star=1.0)
    fine = Finding(method="a", role="baseline", bound=np.float64(1.0), covered=np.bool_(True))
    Outcome(findings=(fine,), policies=np.empty((0, 0, 0)), u_trivial=0.0, u_star=1.0)


def test_more_trials_and_sizes_repeat_nothing_and_change_nothing(tiny, tmp_path, content):
    path = tmp_path / "s.db"
    run_study(tiny.study(trials=2, sizes=(8,)), path, ONE)
    kept = content(path)
    grown = run_study(tiny.study(trials=3, sizes=(8, 24)), path, ONE)
    assert (grown.before, grown.done) == (2, 4)
    rows, units, arrays = content(path)
    assert [row for row in rows if row in kept[0]] == kept[0]
    assert [arrays[units.index(unit)] for unit in kept[1]] == kept[2]


def test_another_profile_sees_the_same_logs(tiny, tmp_path):
    path, both = tmp_path / "s.db", (tiny.Tiny(), tiny.Tiny(name="other"))
    run_study(tiny.study(profiles=both), path, ONE)
    with read_store(path) as store:
        logged = [
            [row.u for row in store.rows("profile = ? AND method = 'logged'", (name,))]
            for name in ("tiny", "other")
        ]
    assert logged[0] == logged[1]
    assert len(set(logged[0])) >= 4


@pytest.mark.slow
@pytest.mark.parametrize("executor", ["threads", "processes", "dask"])
def test_two_workers_of_any_kind_give_the_same_rows_as_one(
    executor, tiny, tmp_path, content, expected
):
    path = tmp_path / "s.db"
    assert run_study(tiny.study(), path, Engine(executor=executor, workers=2)).complete
    assert content(path) == expected


def test_an_interrupt_is_a_value_of_the_result(tiny, tmp_path):
    def interrupting(progress):
        if progress.done == 3:
            raise KeyboardInterrupt

    ended = run_study(tiny.study(), tmp_path / "s.db", ONE, watch=interrupting)
    assert (ended.interrupted, ended.done, ended.complete) == (True, 3, False)
    resumed = run_study(tiny.study(), tmp_path / "s.db", ONE)
    assert (resumed.before, resumed.complete, resumed.interrupted) == (3, True, False)


def test_a_unit_that_fails_is_reported_and_does_not_stop_the_others(tiny, tmp_path):
    study = tiny.study(profiles=(tiny.Tiny(fails=(1,)),))
    ended = run_study(study, tmp_path / "s.db", ONE)
    assert (ended.done, ended.complete, ended.hopeless) == (6, False, False)
    assert [failure.unit for failure in ended.failures] == [
        unit for unit in study.units() if unit.trial == 1
    ]
    assert ended.failures[0].message == "ZeroDivisionError: trial 1 is bad"
    assert 'raise ZeroDivisionError(f"trial' in ended.failures[0].traceback
    # It is tried again, and only it.
    again = run_study(study, tmp_path / "s.db", ONE)
    assert (again.before, again.done, len(again.failures)) == (6, 0, 2)


def test_where_everything_fails_the_rest_is_not_tried(tiny, tmp_path):
    study = tiny.study(trials=30, profiles=(tiny.Tiny(fails=tuple(range(30))),))
    ended = run_study(study, tmp_path / "s.db", ONE)
    assert ended.hopeless
    assert len(ended.failures) == MAX_FAILURES
    assert (ended.done, ended.total) == (0, 60)


def test_parts_share_no_unit_leave_none_out_and_are_alike(tiny):
    units = tiny.study(trials=20, profiles=(tiny.Tiny(), tiny.Tiny(name="other"))).units()
    parts = [[unit for unit in units if Part(k, 4).has(unit)] for k in (1, 2, 3, 4)]
    assert sorted(chain.from_iterable(parts)) == sorted(units)
    for part in parts:
        assert len(part) == len(units) / 4
        assert {(u.profile, u.size) for u in part} == {(u.profile, u.size) for u in units}


def test_a_unit_stays_in_its_part_when_the_study_grows(tiny):
    small, large = tiny.study(trials=3), tiny.study(trials=9, sizes=(8, 16, 24))
    part = Part(2, 3)
    grown = {unit for unit in large.units() if part.has(unit)}
    assert {unit for unit in small.units() if part.has(unit)} == grown & set(small.units())


def test_remaining_time_is_the_work_left_at_the_pace_so_far(tiny, tmp_path):
    seen = []
    study = tiny.study(trials=5, sizes=(8,), profiles=(tiny.Tiny(pause=0.02),))
    run_study(study, tmp_path / "s.db", ONE, watch=seen.append)
    assert seen[0].remaining is None
    left = [progress.remaining for progress in seen[1:]]
    assert left[-1] == 0.0
    assert all(a > b for a, b in pairwise(left))
    assert left[0] >= 4 * 0.02
