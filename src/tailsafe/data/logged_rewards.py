"""The reward as the log shows it: a function of (s, a), else of t, else of (s, a, t).

The first of these that no two transitions contradict is taken; if all are contradicted, the reward
is refused, with the places that disagree.
"""

from dataclasses import dataclass

import numpy as np

from tailsafe.arrays import FloatArray, IntArray
from tailsafe.batch import Batch
from tailsafe.data.entries import looked_up
from tailsafe.data.log import Log
from tailsafe.errors import InvalidData
from tailsafe.table import Table

TOLERANCE = 1e-9
"""Rewards that differ by less than this share of the largest are equal."""


@dataclass(frozen=True, slots=True, eq=False)
class KnownReward:
    """A reward R[s, a], R[s, a, t] or R[e], with NaN where the source does not say it."""

    kind: str
    words: str
    value: FloatArray


def mean_reward(log: Log) -> KnownReward:
    """Return the mean reward of each pair."""
    batch, visits = log.batch, log.batch.visits()
    totals = np.bincount(batch.row, batch.reward, minlength=visits.size).reshape(visits.shape)
    value = np.where(visits > 0, totals / np.maximum(visits, 1), np.nan)
    words = (
        "the mean reward of each state and action in the log, held to be exact: how far the mean "
        "of a few rewards may be off is not part of the answer"
    )
    return KnownReward("mean", words, value)


def logged_reward(log: Log, table: Table) -> KnownReward:
    """Return the simplest reward function that agrees with the log."""
    batch = log.batch
    by_pair = _constant(batch.row, batch.reward, table.n_rows)
    if by_pair is not None:
        words = "as logged, where it depends on nothing but the state and the action"
        return KnownReward("state-action", words, by_pair.reshape(batch.n_states, -1))
    by_next = _constant(batch.next_state, batch.reward, batch.n_states)
    if by_next is not None:
        words = "as logged, where it depends on nothing but the next state"
        return KnownReward("next-state", words, by_next[table.successor])
    keys, group = np.unique(batch.row * batch.n_states + batch.next_state, return_inverse=True)
    by_transition = _constant(group, batch.reward, len(keys))
    if by_transition is None:
        raise _disagreement(log, group)
    words = "as logged, where it depends on the state, the action and the next state"
    return KnownReward("transition", words, looked_up(table.keys, keys, by_transition))


def lowest_of_pairs(batch: Batch) -> FloatArray:
    """Return the lowest reward of each row; infinite where it was never tried."""
    return _extremes(batch.row, batch.reward, batch.n_states * batch.n_actions)[0]


def _extremes(group: IntArray, reward: FloatArray, size: int) -> tuple[FloatArray, FloatArray]:
    low, high = np.full(size, np.inf), np.full(size, -np.inf)
    np.minimum.at(low, group, reward)
    np.maximum.at(high, group, reward)
    return low, high


def _tolerance(reward: FloatArray) -> float:
    return TOLERANCE * float(np.abs(reward).max(initial=0.0))


def _constant(group: IntArray, reward: FloatArray, size: int) -> FloatArray | None:
    """Return the reward of each group (NaN: not seen); None if some group has several."""
    low, high = _extremes(group, reward, size)
    seen = np.isfinite(low)
    if (high[seen] - low[seen] > _tolerance(reward)).any():
        return None
    return np.where(seen, low, np.nan)


def _disagreement(log: Log, group: IntArray) -> InvalidData:
    batch, slack = log.batch, _tolerance(log.batch.reward)
    low, high = _extremes(group, batch.reward, int(group.max()) + 1)
    wrong = high - low > slack
    first = int(np.argmax(wrong[group]))
    differs = np.abs(batch.reward - batch.reward[first]) > slack
    other = int(np.argmax((group == group[first]) & differs))
    next_state = log.labels.states[batch.next_state[first]]
    return InvalidData(
        "the reward is not a function of state, action and next state: "
        f"{log.pair(batch.row[first])}, next state {next_state} pays {batch.reward[first]:.12g} in "
        f"{log.where(first)} but {batch.reward[other]:.12g} in row {log.place[other]}; this is so "
        f"of {int(wrong.sum())} of the {len(wrong)} transitions that occur. If the reward is "
        'random, take the mean of each pair (--reward mean, or reward="mean"); else put what '
        "decides it into the state, or give a table of rewards"
    )
