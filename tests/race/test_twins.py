"""Twins: who is merged with whom, and who only seems to be the same."""

import numpy as np

from tailsafe.race.look import Look
from tailsafe.race.twins import SPREAD_MODELS, twins


def look_at(X):
    return Look(np.arange(len(X)), X, np.sort(X, axis=1))


def test_the_favourite_stands_for_its_twins_and_zeros_have_no_sign(fields):
    X = np.array([[1.0, 0.0], [2.0, 3.0], [1.0, -0.0], [2.0, 3.0], [2.0, 4.0]])
    assert twins(look_at(X), fields.sheet_of(X), 2).tolist() == [2, 1, 2, 1, 4]


def test_those_that_differ_on_spread_models_only_are_no_twins(fields):
    X = np.zeros((3, 10))
    spread = np.zeros((3, SPREAD_MODELS))
    spread[2, 5] = -1.0
    sheet = fields.sheet_of(X, spread=lambda first, last, who: spread[who, first:last])
    assert twins(look_at(X), sheet, 0).tolist() == [0, 0, 2]
    assert sheet.evaluations == 3 * SPREAD_MODELS


def test_no_spread_model_is_drawn_where_nobody_looks_the_same(fields):
    X = np.arange(6.0).reshape(3, 2)
    assert twins(look_at(X), fields.sheet_of(X, spread=None), 1).tolist() == [0, 1, 2]
    assert twins(look_at(X), fields.sheet_of(X, spread=lambda *_: 1 / 0), 1).tolist() == [0, 1, 2]
