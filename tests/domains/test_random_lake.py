"""Random lakes: those of the paper's text, and those behind its tables."""

import numpy as np
import pytest

from tailsafe import domains
from tailsafe.errors import InvalidData
from tailsafe.policy import Policy
from tailsafe.simulate import simulate
from tailsafe.solvers.planning import solve


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
