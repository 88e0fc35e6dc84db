"""What policies share is packed once: choices, first choices in common, departures from a base."""

import numpy as np
import pytest

from tailsafe.kernels import Setting
from tailsafe.kernels.system import assemble, departures, shared_prefix

N_STATES, COUNT = 30, 40


def setting(discount):
    """Return the setting of policies that differ from one of them in two states each."""
    rng = np.random.default_rng(0)
    indptr = np.arange(2 * N_STATES + 1) * N_STATES
    actions = np.zeros((COUNT, N_STATES), np.int64)
    for row in actions[1:]:
        row[rng.choice(N_STATES, 2, replace=False)] = 1
    successor = np.tile(np.arange(N_STATES), 2 * N_STATES)
    arrays = np.zeros(len(successor)), np.eye(N_STATES)[0], np.zeros(N_STATES, bool)
    used = np.ones((COUNT, N_STATES), bool)
    return Setting(indptr, successor, *arrays, discount, np.eye(2)[actions], used)


def test_how_many_first_choices_are_shared_is_counted():
    choice = np.array([[0, 1, 2], [0, 1, 3], [0, 1, 3], [4, 1, 3]])
    assert shared_prefix(choice).tolist() == [0, 2, 3, 0]


def test_departures_and_base_together_are_the_choices():
    system = assemble(setting(0.9), 10**6)
    base, start, state, choice = departures(system, 0.99)
    for p in range(COUNT):
        found = base.copy()
        found[state[start[p] : start[p + 1]]] = choice[start[p] : start[p + 1]]
        assert np.array_equal(found, system.choice[p])


@pytest.mark.parametrize(("discount", "has_base"), [(0.99, True), (0.999, False), (1.0, False)])
def test_near_discount_1_there_is_no_base_to_depart_from(discount, has_base):
    base, _, _, choice = departures(assemble(setting(discount), 10**6), 0.99)
    assert (len(base) > 0) == has_base
    assert (len(choice) == COUNT * N_STATES) != has_base
