"""Rows of a model that are certain: absorbing states, deterministic moves, given distributions."""

from collections.abc import Mapping

import numpy as np
import numpy.typing as npt

from tailsafe.arrays import (
    BoolArray,
    FloatArray,
    as_distributions,
    check_range,
    check_shape,
    check_type,
    frozen_floats,
    frozen_ints,
)
from tailsafe.errors import InvalidData
from tailsafe.table import Table

Known = Mapping[tuple[int, int], int | Mapping[int, float] | npt.ArrayLike]
"""What is known of some rows: (s, a) -> the certain next state, {t: probability}, or P[t]."""


def absorbing(states: npt.ArrayLike, n_actions: int) -> dict[tuple[int, int], int]:
    """Return known rows that say: these states are never left."""
    listed = frozen_ints(states, "states").ravel()
    return {(int(s), a): int(s) for s in listed for a in range(n_actions)}


def with_known_rows(table: Table, known: Known) -> tuple[Table, BoolArray, FloatArray]:
    """Return the table with these rows put in, mask[row] of them, and their probabilities[e]."""
    check_type(known, Mapping, "known")
    is_known = np.zeros(table.n_rows, bool)
    if not known:
        return table, is_known, np.zeros(table.n_entries)
    laws = {_row(table, pair): _distribution(table, pair, law) for pair, law in known.items()}
    is_known[list(laws)] = True
    kept = table.keys[~is_known[table.row_of_entry]]
    certain = [row * table.n_states + t for row, law in laws.items() for t in law]
    keys = np.concatenate([kept, np.array(certain, np.int64)])
    probability = np.concatenate(
        [np.zeros(len(kept)), [p for law in laws.values() for p in law.values()]]
    )
    order = np.argsort(keys)
    changed = Table.from_keys(table.n_states, table.n_actions, keys[order])
    return changed, is_known, probability[order]


def _row(table: Table, pair: tuple[int, int]) -> int:
    try:
        state, action = pair
    except (TypeError, ValueError):
        raise InvalidData(f"known rows are named (state, action), got {pair!r}") from None
    whole = all(isinstance(number, int | np.integer) for number in (state, action))
    if not (whole and 0 <= state < table.n_states and 0 <= action < table.n_actions):
        raise InvalidData(
            f"known row (state {state!r}, action {action!r}) is outside "
            f"{table.n_states} states and {table.n_actions} actions"
        )
    return int(state * table.n_actions + action)


def _distribution(
    table: Table, pair: tuple[int, int], law: int | Mapping[int, float] | npt.ArrayLike
) -> dict[int, float]:
    name = f"known row {tuple(pair)}"
    if isinstance(law, int | np.integer):
        law = {int(law): 1.0}
    if not isinstance(law, Mapping):
        dense = frozen_floats(law, name)
        check_shape(dense, (table.n_states,), name)
        law = dict(enumerate(dense.tolist()))
    states = frozen_ints(list(law), name)
    check_range(states, table.n_states, name, "n_states")
    # Only checked here: the posterior renormalises, and says so.
    probability = frozen_floats(list(law.values()), name)
    as_distributions(probability, name)
    # Successors of probability 0 are left out: a log that shows one of them is refused.
    return {s: p for s, p in zip(states.tolist(), probability.tolist(), strict=True) if p > 0.0}
