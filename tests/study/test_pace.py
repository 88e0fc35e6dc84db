"""The time that a study will still take, by the clock."""

from dataclasses import replace

import pytest

from tailsafe.study import pace
from tailsafe.study.design import Unit
from tailsafe.study.pace import pace_of


def unit(trial, profile="fast", size=8):
    return Unit("s", "ring", profile, size, trial)


def begun(todo, before):
    return replace(pace_of(todo, before), began=100.0)


@pytest.fixture
def clock(monkeypatch):
    """Return the list whose only element is the time."""
    now = [100.0]
    monkeypatch.setattr(pace, "perf_counter", lambda: now[0])
    return now


def test_units_take_what_those_of_their_domain_profile_and_size_took(clock):
    todo = [*(unit(i) for i in range(4)), *(unit(i, "slow") for i in range(2)), unit(0, size=16)]
    before = {unit(9, "slow"): 60.0}
    tracked = begun(todo, before)
    assert tracked.remaining() is None
    clock[0] = 102.0
    tracked.add(unit(0), 2.0)
    # Three fast, two slow, one of which nothing is known: the mean of all that were done, ever.
    assert tracked.remaining() == pytest.approx(3 * 2.0 + 2 * 60.0 + 31.0)


def test_work_that_is_done_side_by_side_takes_less_time(clock):
    tracked = begun([unit(i) for i in range(10)], {})
    for i in range(4):
        tracked.add(unit(i), 5.0)
    clock[0] = 110.0
    assert tracked.remaining() == pytest.approx(6 * 5.0 / 2)


def test_what_was_done_before_says_nothing_of_how_much_goes_on_side_by_side(clock):
    tracked = begun([unit(1), unit(2)], {unit(0): 1_000.0})
    clock[0] = 101.0
    tracked.add(unit(1), 1.0)
    assert tracked.remaining() == pytest.approx((1_000.0 + 1.0) / 2)


def test_a_unit_that_failed_is_not_waited_for(clock):
    tracked = begun([unit(i) for i in range(3)], {})
    clock[0] = 101.0
    tracked.add(unit(0), 1.0)
    tracked.skip(unit(1))
    assert tracked.remaining() == pytest.approx(1.0)
    tracked.skip(unit(2))
    assert tracked.remaining() == 0.0
