"""The sheet: who was judged on what, and what is refused."""

import numpy as np
import pytest

from tailsafe.errors import InvalidData
from tailsafe.race.sheet import Sheet

X = np.arange(30.0).reshape(3, 10)


def reads(first, last, who):
    return X[who, first:last]


def test_candidates_left_behind_catch_up_on_the_same_models():
    sheet = Sheet(reads, 3)
    sheet.bring(np.array([0, 1, 2]), 4)
    sheet.bring(np.array([1]), 8)
    sheet.bring(np.array([0, 1]), 10)
    assert sheet.counts.tolist() == [10, 10, 4]
    assert np.array_equal(sheet.rows(np.array([0, 1]), 10), X[:2])
    assert sheet.evaluations == 24


def test_a_performance_that_is_not_finite_names_candidate_and_model():
    bad = X.copy()
    bad[1, 7] = np.nan
    sheet = Sheet(lambda a, b, who: bad[who, a:b], 3, names=["first", "second", "third"])
    sheet.bring(np.arange(3), 6)
    with pytest.raises(InvalidData, match="performance of second on model 7 is nan"):
        sheet.bring(np.arange(1, 3), 9)


def test_a_wrong_shape_is_refused():
    with pytest.raises(InvalidData, match=r"expected \(3, 4\)"):
        Sheet(lambda *_: X, 3).bring(np.arange(3), 4)


def test_performances_are_rounded_and_moved_between_floor_and_ceiling():
    sheet = Sheet(reads, 3, np.full(3, 2.0), np.array([5.0, 50.0, 50.0]), 4.0)
    sheet.bring(np.arange(3), 10)
    assert sheet.columns[0].tolist() == [2, 2, 2, 4, 4, 4, 5, 5, 5, 5]
    assert set(sheet.columns[1] % 4.0) == {0.0}


def test_each_candidate_has_ends_of_its_own():
    sheet = Sheet(reads, 3, np.array([3.0, 14.0, 0.0]), np.array([8.0, 50.0, 25.0]))
    sheet.bring(np.array([1]), 4)
    sheet.bring(np.array([0, 1, 2]), 10)
    assert [(min(column), max(column)) for column in sheet.columns] == [(3, 8), (14, 19), (20, 25)]
