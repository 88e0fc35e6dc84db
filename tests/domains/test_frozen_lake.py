"""Frozen lakes: the standard maps, and any other."""

import numpy as np
import pytest

from tailsafe import domains
from tailsafe.domains.frozen_lake import cells_of, connected, lake_steps
from tailsafe.errors import InvalidData
from tailsafe.solvers.planning import solve


def test_the_4x4_lake_is_that_of_the_golden_case(golden_case):
    case, lake = golden_case("lake4"), domains.frozen_lake()
    assert np.allclose(lake.truth.transition, case["T"], rtol=0, atol=1e-15)
    assert np.array_equal(lake.task.reward, case["R"])
    assert np.nonzero(lake.task.terminal)[0].tolist() == [5, 7, 11, 12, 15]
    assert solve(lake.truth)[1] == pytest.approx(case["opt_V"], abs=1e-12)


@pytest.mark.parametrize(
    ("lake", "name"), [(domains.LAKE_4, "FrozenLake-v1"), (domains.LAKE_8, "FrozenLake8x8-v1")]
)
def test_the_standard_lakes_are_those_of_gymnasium(lake, name):
    pytest.importorskip("gymnasium")
    theirs, ours = domains.toy_text(name, discount=0.9), domains.frozen_lake(lake)
    assert np.allclose(ours.truth.transition, theirs.truth.transition, rtol=0, atol=1e-15)
    assert np.array_equal(ours.task.terminal, theirs.task.terminal)
    assert np.array_equal(ours.task.initial, theirs.task.initial)
    assert solve(ours.truth)[1] == pytest.approx(solve(theirs.truth)[1], abs=1e-12)


def test_a_step_slips_to_either_side_alike_and_stays_on_the_grid():
    T = domains.frozen_lake(["SFF", "FFF", "FFG"], slip=0.2).truth.transition
    assert T[4, 0, [3, 1, 7]] == pytest.approx([0.8, 0.1, 0.1])
    assert T[4, 1, [7, 3, 5]] == pytest.approx([0.8, 0.1, 0.1])
    assert T[4, 2, [5, 1, 7]] == pytest.approx([0.8, 0.1, 0.1])
    assert T[4, 3, [1, 3, 5]] == pytest.approx([0.8, 0.1, 0.1])
    assert T[0, 0, [0, 3]] == pytest.approx([0.9, 0.1])
    assert T[8, :, 8].tolist() == [1.0] * 4


def test_maps_need_not_be_square():
    assert lake_steps(2, 3).tolist() == [
        [0, 3, 1, 0],
        [0, 4, 2, 1],
        [1, 5, 2, 2],
        [3, 3, 4, 0],
        [3, 4, 5, 1],
        [4, 5, 5, 2],
    ]
    _, value = solve(domains.frozen_lake(["SFG"], slip=0.0).truth)
    assert value == pytest.approx([0.9, 1.0, 0.0])


@pytest.mark.parametrize(
    ("lake", "message"),
    [
        (["SF", "G"], r"the rows of the map have the lengths \[1, 2\]"),
        ([], "the rows of the map"),
        ([1, 2], "a row of the map must be a str, got int"),
        (["SX", "FG"], r"the map has the letters \['X'\]"),
        (["SF", "FF"], "the map has no goal"),
        (["FF", "FG"], "the map has no start"),
    ],
)
def test_a_map_that_is_none_is_refused(lake, message):
    with pytest.raises(InvalidData, match=message):
        domains.frozen_lake(lake)


def test_a_way_around_the_holes_is_found_or_not():
    assert connected(cells_of(["SHFF", "FHFH", "FFFG"]))
    assert not connected(cells_of(["SFF", "FFH", "FHG"]))
    # A step off the grid stays; it does not come back on the other side.
    assert not connected(cells_of(["SFH", "HHG"]))
