"""Toy text of Gymnasium: what it lists is added up; what lists nothing is refused."""

import sys
from types import SimpleNamespace

import numpy as np
import pytest

from tailsafe import domains
from tailsafe.errors import InvalidData, MissingDependency, NotSupported
from tailsafe.policy import Policy
from tailsafe.posterior import Dirichlet
from tailsafe.problem import Problem
from tailsafe.simulate import simulate
from tailsafe.solvers.planning import solve
from tailsafe.table import Table


def published(P, initial=(1.0, 0.0, 0.0)):
    return SimpleNamespace(unwrapped=SimpleNamespace(P=P, initial_state_distrib=np.array(initial)))


def small(first=((0.25, 1, 2.0, False), (0.5, 2, 1.0, True), (0.25, 1, 6.0, False))):
    """State 0 lists state 1 twice; state 2 is the end, and says that it can be left."""
    back = [(1.0, 0, 7.0, False)]
    return {0: {0: list(first), 1: back}, 1: {0: back, 1: back}, 2: {0: back, 1: back}}


def test_listings_of_one_next_state_are_added_up_and_their_rewards_averaged():
    domain = domains.from_gymnasium(published(small()), discount=0.5)
    assert domain.truth.transition[0, 0].tolist() == [0.0, 0.5, 0.5]
    rewards = domain.truth.table.dense(domain.task.reward)
    assert rewards[0, 0].tolist() == [0.0, 4.0, 1.0]


def test_terminal_states_are_those_that_end_an_episode_and_are_never_left():
    domain = domains.from_gymnasium(published(small()), discount=1.0)
    assert domain.task.terminal.tolist() == [False, False, True]
    assert domain.truth.transition[2, :, 2].tolist() == [1.0, 1.0]
    assert domain.truth.table.dense(domain.task.reward)[2].tolist() == [[0.0] * 3] * 2


def test_outcomes_of_probability_0_are_left_out():
    listed = ((1.0, 2, 1.0, True), (0.0, 1, 9.0, False))
    domain = domains.from_gymnasium(published(small(listed)))
    assert domain.truth.table.mask()[0, 0].tolist() == [False, False, True]


def test_a_state_that_ends_some_episodes_only_is_refused():
    listed = ((0.5, 2, 1.0, True), (0.5, 2, 1.0, False))
    with pytest.raises(NotSupported, match="state 2 ends some episodes, but not those that come"):
        domains.from_gymnasium(published(small(listed)))


def test_without_gymnasium_the_extra_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "gymnasium", None)
    with pytest.raises(MissingDependency, match="its extra `gymnasium`"):
        domains.toy_text("Taxi-v4")


@pytest.fixture
def gymnasium():
    return pytest.importorskip("gymnasium")


def test_blackjack_lists_nothing_and_is_refused(gymnasium):
    assert "Blackjack-v1" in gymnasium.registry
    with pytest.raises(NotSupported, match="Blackjack-v1 does not publish its transitions"):
        domains.toy_text("Blackjack-v1")


def test_an_unknown_name_is_refused(gymnasium):
    assert "Lake-v0" not in gymnasium.registry
    with pytest.raises(InvalidData, match="Gymnasium does not make 'Lake-v0'"):
        domains.toy_text("Lake-v0")


def test_taxi_brings_every_passenger_home(gymnasium):
    name = next(name for name in reversed(gymnasium.registry) if name.startswith("Taxi-v"))
    taxi = domains.toy_text(name, discount=1.0)
    assert (taxi.task.n_states, taxi.task.n_actions) == (500, 6)
    assert taxi.task.terminal.sum() == 4
    policy, value = solve(taxi.truth)
    log = simulate(taxi, policy, episodes=300, length=50, seed=2)
    assert log.terminated.sum() == 300
    returns = np.add.reduceat(log.reward, log.starts)
    assert np.array_equal(returns, value[log.state[log.starts]])
    assert returns.max() <= 20.0


def test_a_log_of_the_cliff_has_a_posterior_on_the_listed_transitions(gymnasium):
    assert "CliffWalking-v1" in gymnasium.registry
    cliff = domains.toy_text("CliffWalking-v1", discount=0.9)
    log = simulate(cliff, Policy.uniform(48, 4), episodes=5, length=30, seed=0)
    posterior = Dirichlet.from_batch(log, support=cliff.truth.table)
    assert np.array_equal(
        Problem(cliff.task, log, posterior).mean().transition, cliff.truth.transition
    )
    with pytest.raises(InvalidData, match="no reward is given for state 0, action 0, next state"):
        cliff.task.entry_reward(Table.full(48, 4))
