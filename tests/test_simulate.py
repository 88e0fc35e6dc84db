"""Simulated logs: the frequencies of the truth, ends and cuts, addresses."""

import numpy as np
import pytest

from tailsafe import domains
from tailsafe.domains.domain import Domain, dense_domain
from tailsafe.errors import InvalidData
from tailsafe.kernels import walks
from tailsafe.keys import Key, Stream
from tailsafe.mdp import MDP
from tailsafe.policy import Policy
from tailsafe.posterior import Dirichlet
from tailsafe.problem import Problem
from tailsafe.simulate import simulate
from tailsafe.table import Table
from tailsafe.task import Task
from tailsafe.values import performance

COLUMNS = ("episode", "state", "action", "reward", "next_state", "terminated", "propensity")


def corridor(initial=(1.0, 0.0, 0.0), admissible=None):
    """Three states; action 0 stays or goes on, action 1 goes on; the last one is the end."""
    T = np.zeros((3, 2, 3))
    T[:2, 0, :2] = [[0.5, 0.5], [0.0, 0.5]]
    T[1, 0, 2] = 0.5
    T[0, 1, 1] = T[1, 1, 2] = 1.0
    T[2, :, 2] = 1.0
    reward = np.arange(18.0).reshape(3, 2, 3)
    task = Task(reward, initial, 1.0, terminal=[2], admissible=admissible)
    return dense_domain("corridor", task, T, "here")


def test_frequencies_are_those_of_the_truth_and_the_policy():
    world = domains.garnet(6, 3, 4, seed=1, rewards=domains.transition_rewards)
    # Every action often enough for the chi-square tests below.
    pi = 0.8 * np.random.default_rng(0).dirichlet(np.ones(3), size=6) + 0.2 / 3
    batch = simulate(world, Policy(pi), episodes=2_000, length=50, seed=3)
    N, visits = batch.counts(), batch.visits()
    assert visits.min() > 500
    T = world.truth.transition
    assert (N[T == 0.0] == 0).all()
    expected = visits[..., None] * T
    chi2 = ((N - expected)[T > 0.0] ** 2 / expected[T > 0.0]).sum()
    assert abs(chi2 - 54) < 4 * np.sqrt(2 * 54)  # 6 * 3 rows of 4 next states: 54 degrees
    at = visits.sum(axis=1)[:, None] * pi
    assert abs(((visits - at) ** 2 / at).sum() - 12) < 4 * np.sqrt(24)
    R = world.task.reward
    assert np.array_equal(batch.reward, R[batch.state, batch.action, batch.next_state])
    assert np.array_equal(batch.propensity, pi[batch.state, batch.action])


def test_first_states_follow_the_initial_distribution():
    batch = simulate(corridor((0.3, 0.7, 0.0)), Policy.uniform(3, 2), 20_000, 2, seed=1)
    share = (batch.state[batch.starts] == 0).mean()
    assert share == pytest.approx(0.3, abs=4 * np.sqrt(0.21 / 20_000))


def test_discounted_returns_average_to_the_value_of_the_policy():
    world = domains.ring_published()
    pi = Policy.uniform(5, 3)
    batch = simulate(world, pi, episodes=4_000, length=200, seed=9)
    returns = batch.reward.reshape(4_000, 200) @ 0.9 ** np.arange(200)
    error = returns.std() / np.sqrt(4_000)
    assert returns.mean() == pytest.approx(performance(world.truth, pi), abs=4 * error)


def test_an_episode_terminates_in_a_terminal_state_or_is_cut():
    batch = simulate(corridor(), Policy.uniform(3, 2), episodes=500, length=3, seed=2)
    last = np.append(batch.starts[1:], len(batch)) - 1
    lengths = np.diff(np.append(batch.starts, len(batch)))
    assert np.array_equal(batch.terminated, batch.next_state == 2)
    assert set(np.nonzero(batch.terminated)[0]) <= set(last)
    assert np.array_equal(np.nonzero(batch.truncated)[0], last[batch.next_state[last] != 2])
    assert (lengths[batch.truncated[last]] == 3).all()
    assert lengths.min() == 2
    assert batch.truncated.any()
    assert (lengths == 2).any()
    chained = np.ones(len(batch), bool)
    chained[batch.starts] = False
    assert np.array_equal(batch.state[chained], batch.next_state[np.nonzero(chained)[0] - 1])
    assert Problem(corridor().task, batch, Dirichlet.from_batch(batch)).n_states == 3


@pytest.mark.parametrize("world", [corridor(), domains.ring()], ids=["ends", "goes on"])
def test_fewer_or_shorter_episodes_are_the_beginnings_of_more_or_longer_ones(world):
    pi = Policy.uniform(world.task.n_states, world.task.n_actions)
    long = simulate(world, pi, episodes=30, length=12, seed=5)
    short = simulate(world, pi, episodes=20, length=4, seed=5)
    step = np.arange(len(long)) - np.repeat(long.starts, np.diff(np.append(long.starts, len(long))))
    kept = (long.episode < 20) & (step < 4)
    for name in COLUMNS:
        assert np.array_equal(getattr(short, name), getattr(long, name)[kept]), name


def test_a_seed_is_a_log_and_streams_do_not_mix():
    world, pi = domains.chain(), Policy.uniform(5, 2)
    first, again, other = (simulate(world, pi, 10, 10, seed) for seed in (4, 4, 5))
    assert np.array_equal(first.next_state, again.next_state)
    assert not np.array_equal(first.next_state, other.next_state)
    # A key names its seed only: the log always comes from the simulation's stream.
    keyed = simulate(world, pi, 10, 10, Key(4, Stream.RACE))
    assert np.array_equal(first.next_state, keyed.next_state)


def test_a_million_steps_hold_no_more_than_the_log():
    batch = simulate(domains.machine_replacement(), Policy.uniform(10, 2), 1_000, 1_000, seed=0)
    assert len(batch) == 1_000_000
    assert batch.n_episodes == 1_000


def test_what_cannot_be_simulated_is_refused():
    with pytest.raises(InvalidData, match="domain must be a Domain, got MDP"):
        simulate(corridor().truth, Policy.uniform(3, 2), 1, 1)
    uniform = Policy.uniform(3, 2)
    only_on = corridor(admissible=np.array([[0, 1], [1, 1], [0, 0]], bool))
    with pytest.raises(InvalidData, match="action 0 is not admissible in state 0"):
        simulate(only_on, uniform, 1, 1)
    with pytest.raises(InvalidData, match=r"terminal states the probability 0\.25"):
        simulate(corridor((0.75, 0.0, 0.25)), uniform, 1, 1)
    with pytest.raises(InvalidData, match="episodes must be a positive whole number, got 0"):
        simulate(corridor(), uniform, 0, 1)
    with pytest.raises(InvalidData, match="length must be a positive whole number"):
        simulate(corridor(), uniform, 1, 2.5)
    task = Task(np.zeros((2, 1)), [1, 0], 0.9)
    nowhere = MDP(task, Table.from_rows(2, 1, [[1], []]), np.ones(1))
    with pytest.raises(InvalidData, match="takes action 0 in state 1, from where"):
        simulate(Domain("nowhere", task, nowhere, "here"), Policy.uniform(2, 1), 1, 5)


def test_first_states_are_those_of_the_simulation_s_stream():
    batch = simulate(corridor((0.3, 0.7, 0.0)), Policy.uniform(3, 2), 50, 2, seed=6)
    key = (6, int(Stream.SIMULATION))
    drawn = [walks.two_uniforms(i, 0, walks.START, key)[0] for i in range(50)]
    assert batch.state[batch.starts].tolist() == [int(u >= 0.3) for u in drawn]
