"""Frozen lakes: the standard ones, and the random ones of the paper."""

import numpy as np
import pytest

from tailsafe import domains
from tailsafe.domains.frozen_lake import cells_of, connected, lake_steps
from tailsafe.errors import InvalidData
from tailsafe.policy import Policy
from tailsafe.simulate import simulate
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


@pytest.mark.parametrize("seed", range(20))
def test_random_maps_have_a_way_to_the_goal_and_about_the_share_of_holes(seed):
    task = domains.random_lake(seed, holes=0.4).task
    holes = task.terminal.sum() - 1
    assert 8 < holes < 40
    assert task.initial[0] == 1.0
    assert not task.terminal[0]
    assert task.terminal[63]
    _, value = solve(domains.random_lake(seed, slip=0.0, holes=0.4).truth)
    assert value[0] > 0.9**100


def test_the_lake_of_the_text_pays_for_pairs_and_for_the_goal():
    task = domains.random_lake(3).task
    going_on = ~task.terminal
    assert (task.reward[going_on][..., 63] == 1.0).all()
    assert (task.reward[~going_on] == 0.0).all()
    pairs = task.reward[going_on][..., :63]
    assert (pairs == pairs[..., :1]).all()
    assert len(np.unique(pairs)) == going_on.sum() * 4
    assert pairs.mean() == pytest.approx(0.4, abs=0.06)
    assert pairs.max() < 0.8


def test_the_published_lake_pays_for_possible_transitions_and_has_no_known_end():
    lake, fixed = domains.random_lake_published(3), domains.frozen_lake(domains.LAKE_8)
    R, T, ends = lake.task.reward, lake.truth.transition, fixed.task.terminal
    assert np.array_equal(T, fixed.truth.transition)
    assert not lake.task.terminal.any()
    into_goal = fixed.task.reward == 1.0
    assert (R[into_goal] == 1.0).all()
    paid = (T > 0.0) & ~ends[:, None, None] & ~ends
    assert ((R > 0.0) == (paid | into_goal)).all()
    assert R[paid].mean() == pytest.approx(0.4, abs=0.03)
    assert R[paid].max() < 0.8
    assert len(np.unique(R[paid])) == paid.sum()


def test_a_seed_is_a_lake():
    for make in (domains.random_lake, domains.random_lake_published):
        one, same, other = make(1), make(1), make(2)
        assert np.array_equal(one.task.reward, same.task.reward)
        assert not np.array_equal(one.task.reward, other.task.reward)


def test_a_lake_without_known_ends_is_worth_the_same_and_logs_go_on_in_holes():
    known = domains.random_lake(5)
    untold = domains.without_ends(known)
    assert solve(untold.truth)[1] == pytest.approx(solve(known.truth)[1], abs=1e-12)
    log = simulate(untold, Policy.uniform(64, 4), episodes=40, length=15, seed=1)
    assert len(log) == 600
    assert not log.terminated.any()
    assert (log.reward[known.task.terminal[log.state]] == 0.0).all()
    assert known.task.terminal[log.state].any()


def test_too_many_holes_are_refused():
    with pytest.raises(InvalidData, match="no way to the goal in 1000 random maps: holes is 1"):
        domains.random_lake(0, holes=1.0)
    with pytest.raises(InvalidData, match=r"holes must be in \[0, 1\], got 1.5"):
        domains.random_lake(0, holes=1.5)
    with pytest.raises(InvalidData, match="side must be at least 2, got 1"):
        domains.random_lake(0, side=1)
