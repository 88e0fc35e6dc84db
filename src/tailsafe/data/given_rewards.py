"""The reward as the user knows it: an array, a function of labels, or a file."""

from collections.abc import Callable
from pathlib import Path

import numpy as np

from tailsafe.arrays import BoolArray, FloatArray, IntArray, check_shape, frozen_floats
from tailsafe.data.entries import PLACES, Entries, looked_up, read_entries
from tailsafe.data.log import Log
from tailsafe.data.logged_rewards import KnownReward
from tailsafe.errors import InvalidData
from tailsafe.table import Table


def given_reward(
    log: Log,
    table: Table,
    terminal: BoolArray,
    source: str | Path | FloatArray | Callable[[str, str, str], float],
) -> KnownReward:
    """Return the reward that a file, an array or a function gives."""
    if callable(source):
        return KnownReward(
            "table", "as the given function says", _asked(log, table, terminal, source)
        )
    if isinstance(source, str | Path):
        return _of_file(log, table, source)
    value = frozen_floats(source, "reward")
    shape = (table.n_states, table.n_actions, table.n_states)
    check_shape(value, shape if value.ndim == 3 else shape[:2], "reward")
    return KnownReward("table", "as the given array says", value)


def _asked(
    log: Log, table: Table, terminal: BoolArray, function: Callable[[str, str, str], float]
) -> FloatArray:
    states, actions = log.labels.states, log.labels.actions
    state, action = np.divmod(table.row_of_entry, table.n_actions)
    triples = zip(state.tolist(), action.tolist(), table.successor.tolist(), strict=True)
    value = [
        0.0 if terminal[s] else function(states[s], actions[a], states[t]) for s, a, t in triples
    ]
    return frozen_floats(value, "reward of the function")


def _of_file(log: Log, table: Table, path: str | Path) -> KnownReward:
    entries = read_entries(path, log.labels, ("reward",), skip=True)
    if not entries.places:
        raise InvalidData(f"{entries.sheet.source} says rewards, but not of which states")
    keys, reward = _distinct(entries, table)
    per_entry = "next_state" in entries.places
    rows = table.row_of_entry if per_entry else np.arange(table.n_rows)
    state, action = np.divmod(rows, table.n_actions)
    wanted = {"state": state, "action": action, "next_state": table.successor}
    value = looked_up(_key({role: wanted[role] for role in entries.places}, table), keys, reward)
    value = value if per_entry else value.reshape(table.n_states, table.n_actions)
    return KnownReward("table", f"as {entries.words} says", value)


def _key(places: "dict[str, IntArray]", table: Table) -> IntArray:
    """Return one number for each combination of state, action and next state."""
    sizes = dict(zip(PLACES, (table.n_states, table.n_actions, table.n_states), strict=True))
    key = np.zeros(1, np.int64)
    for role, numbers in places.items():
        key = key * sizes[role] + numbers
    return key


def _distinct(entries: Entries, table: Table) -> tuple[IntArray, FloatArray]:
    """Return ascending keys and their rewards; two rewards for one key are refused."""
    sheet = entries.sheet
    key, reward = _key(dict(entries.places), table), sheet.numbers("reward")
    order = np.argsort(key, kind="stable")
    doubled = (np.diff(key[order]) == 0) & (np.diff(reward[order]) != 0.0)
    if doubled.any():
        at = int(np.argmax(doubled))
        row, before = int(order[at + 1]), int(order[at])
        raise sheet.refusal(
            row,
            f"the reward is {reward[row]:g}, but {reward[before]:g} in row {sheet.place[before]}, "
            f"for the same {', '.join(role.replace('_', ' ') for role in entries.places)}",
        )
    distinct, first = np.unique(key, return_index=True)
    return distinct, reward[first]
