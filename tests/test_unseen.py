"""What an estimated model says of pairs that were never tried."""

import numpy as np
import pytest

from tailsafe.errors import InvalidData
from tailsafe.table import Table
from tailsafe.unseen import Absorb, Self, Uniform, Zero, normalised

WEIGHT = np.array([1.0, 3.0, 0.0, 0.0, 0.0, 0.0, 2.0, 0.0])


@pytest.mark.parametrize(
    ("unseen", "rows"),
    [
        (Uniform(), [[0.5, 0.5], [0.5, 0.5]]),
        (Zero(), [[0.0, 0.0], [0.0, 0.0]]),
        (Absorb(1), [[0.0, 1.0], [0.0, 1.0]]),
        (Self(), [[1.0, 0.0], [0.0, 1.0]]),
    ],
    ids=lambda value: type(value).__name__,
)
def test_rows_without_weight_follow_the_convention(unseen, rows):
    probability = normalised(Table.full(2, 2), WEIGHT, unseen).reshape(4, 2)
    assert probability[[0, 3]].tolist() == [[0.25, 0.75], [1.0, 0.0]]
    assert probability[[1, 2]].tolist() == rows


def test_a_convention_that_the_table_rules_out_is_refused():
    table = Table.from_rows(2, 1, [[1], [1]])
    with pytest.raises(InvalidData, match="state 0, action 0 was never tried, and the table does"):
        normalised(table, np.zeros(2), Self())
