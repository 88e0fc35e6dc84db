"""Compiled episodes: the numbers of each step are addresses, so any episode can be walked alone.

Philox4x32-10 (see ``philox``) with

    counter = (episode, step, 0, 0): one uniform for the action, one for the next state
    counter = (episode, 0, 1, 0): one for the first state

A state, action or transition of probability 0 is never taken.
"""

from typing import NamedTuple

import numpy as np
from numba import njit

from tailsafe.arrays import BoolArray, FloatArray, IntArray
from tailsafe.kernels import philox

M0, M1 = (np.uint64(m) for m in philox.MULTIPLIERS)
W0, W1 = (np.uint64(w) for w in philox.WEYL)
LOW, HALF, DROPPED = np.uint64(philox.LOW), np.uint64(32), np.uint64(12)
STEP, START = np.uint64(0), np.uint64(1)


class World(NamedTuple):
    """What an episode is walked in.

    Parameters
    ----------
    initial, policy
        mu[s] and pi[s, a].
    indptr, successor, probability, reward
        The true model: P and R of each entry of its table.
    terminal
        mask[s] of the states in which an episode ends.
    """

    initial: FloatArray
    policy: FloatArray
    indptr: IntArray
    successor: IntArray
    probability: FloatArray
    reward: FloatArray
    terminal: BoolArray


class Steps(NamedTuple):
    """Columns to fill; the transitions of episode i start at starts[i]."""

    starts: IntArray
    state: IntArray
    action: IntArray
    entry: IntArray


@njit(nogil=True, cache=True)
def two_uniforms(
    episode: int, step: int, purpose: np.uint64, key: tuple[int, int]
) -> tuple[float, float]:
    """Return the two numbers in (0, 1) of one address."""
    a, b, c, d = np.uint64(episode), np.uint64(step), purpose, STEP
    k0, k1 = np.uint64(key[0]), np.uint64(key[1])
    for _ in range(philox.ROUNDS):
        p, q = M0 * a, M1 * c
        a, b, c, d = (q >> HALF) ^ b ^ k0, q & LOW, (p >> HALF) ^ d ^ k1, p & LOW
        k0, k1 = (k0 + W0) & LOW, (k1 + W1) & LOW
    first = (a | (b << HALF)) >> DROPPED
    second = (c | (d << HALF)) >> DROPPED
    return (2.0 * first + 1.0) * 2.0**-53, (2.0 * second + 1.0) * 2.0**-53


@njit(nogil=True, cache=True)
def chosen(probability: FloatArray, uniform: float) -> int:
    """Return the first index whose cumulated probability exceeds the uniform."""
    total, last = 0.0, 0
    for i in range(len(probability)):
        if probability[i] > 0.0:
            total += probability[i]
            last = i
            if uniform < total:
                break
    # Probabilities may sum to a little less than 1: the last possible one takes the rest.
    return last


@njit(nogil=True, cache=True)
def first_state(world: World, episode: int, key: tuple[int, int]) -> int:
    """Return the state that an episode starts in."""
    uniform, _ = two_uniforms(episode, 0, START, key)
    return chosen(world.initial, uniform)


@njit(nogil=True, cache=True)
def taken(
    world: World, state: int, address: tuple[int, int], key: tuple[int, int]
) -> tuple[int, int]:
    """Return the action and the entry of the transition of one (episode, step)."""
    u, v = two_uniforms(address[0], address[1], STEP, key)
    action = chosen(world.policy[state], u)
    row = state * world.policy.shape[1] + action
    first = world.indptr[row]
    return action, first + chosen(world.probability[first : world.indptr[row + 1]], v)


@njit(nogil=True, cache=True)
def lengths(world: World, episodes: int, longest: int, key: tuple[int, int]) -> IntArray:
    """Return how many steps each episode takes until it ends or is cut."""
    steps = np.full(episodes, longest, np.int64)
    for episode in range(episodes):
        state = first_state(world, episode, key)
        for step in range(longest):
            _, entry = taken(world, state, (episode, step), key)
            state = world.successor[entry]
            if world.terminal[state]:
                steps[episode] = step + 1
                break
    return steps


@njit(nogil=True, cache=True)
def walk(world: World, steps: Steps, key: tuple[int, int]) -> None:
    """Fill the columns of all episodes; starts has one element more than there are episodes."""
    for episode in range(len(steps.starts) - 1):
        state = first_state(world, episode, key)
        first = steps.starts[episode]
        for at in range(first, steps.starts[episode + 1]):
            action, entry = taken(world, state, (episode, at - first), key)
            steps.state[at], steps.action[at], steps.entry[at] = state, action, entry
            state = world.successor[entry]
