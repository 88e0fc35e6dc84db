"""Telling less of a problem: terminal states that have to be learned."""

import numpy as np
import pytest

from tailsafe import domains
from tailsafe.domains.domain import checked_share
from tailsafe.errors import InvalidData
from tailsafe.solvers.planning import solve
from tailsafe.task import Task

# Two states; the second one is the end, is never left, and nominally pays 7 for each stay.
T = np.array([[[0.5, 0.5]], [[0.0, 1.0]]])
R = np.array([[[1.0, 2.0]], [[7.0, 7.0]]])


def with_dense_reward(reward=R):
    task = Task(reward, [1, 0], 0.9, terminal=[1], admissible=[[True], [False]])
    return domains.dense_domain("two", task, T, "here")


def with_entry_reward():
    table = with_dense_reward().truth.table
    task = Task(table.entries(R), [1, 0], 0.9, [1], [[True], [False]], table)
    return domains.dense_domain("two", task, T, "here")


@pytest.mark.parametrize(
    "domain",
    [with_dense_reward(), with_dense_reward(R.max(axis=2)), with_entry_reward()],
    ids=["transitions", "pairs", "entries"],
)
def test_states_that_are_not_told_to_be_terminal_pay_nothing_all_the_same(domain):
    untold = domains.without_ends(domain)
    assert not untold.task.terminal.any()
    assert untold.task.admissible.all()
    assert solve(untold.truth)[1] == pytest.approx(solve(domain.truth)[1], abs=1e-12)
    assert solve(untold.truth)[1][1] == 0.0


def test_an_undiscounted_problem_cannot_do_without_ends():
    lake = domains.frozen_lake()
    task = Task(lake.task.reward, lake.task.initial, 1.0, lake.task.terminal)
    undiscounted = domains.dense_domain("lake", task, lake.truth.transition, "here")
    with pytest.raises(InvalidData, match="discount 1 needs terminal states"):
        domains.without_ends(undiscounted)


def test_a_start_is_one_state():
    assert domains.start_in(2, 4).tolist() == [0.0, 0.0, 1.0, 0.0]


def test_a_share_is_a_probability():
    assert checked_share(1, "holes") == 1.0
    with pytest.raises(InvalidData, match=r"holes must be in \[0, 1\], got -0.1"):
        checked_share(-0.1, "holes")
