"""Where does a policy come to, and does it certainly end? Needed where the discount is 1."""

import numpy as np

from tailsafe.arrays import BoolArray, FloatArray, IntArray
from tailsafe.errors import NotSupported
from tailsafe.table import Table
from tailsafe.task import Task


def check_terminates(table: Table, task: Task, probs: FloatArray, name: str) -> None:
    """Raise NotSupported unless pi[s, a] ends with certainty from the start distribution.

    Every state that can be reached must be able to reach an end. With positive probabilities on
    the table's transitions that is enough, whatever they are.
    """
    edges = _edges(table, task, probs)
    reached = reachable(table, task, probs)
    ends = _closure((edges[1], edges[0]), _ending(table, task, probs))
    lost = reached & ~ends
    if lost.any():
        raise NotSupported(
            f"{name} may never end from state {int(np.argmax(lost))} "
            f"({int(lost.sum())} such states); discount 1 needs certain termination: use a "
            "discount below 1, or a support in which an end can be reached"
        )


def reachable(table: Table, task: Task, probs: FloatArray) -> BoolArray:
    """Return mask[s] of the states that pi[s, a] may come to; past an end there are none."""
    return _closure(_edges(table, task, probs), task.initial > 0.0)


def ending_states(table: Table, task: Task, probs: FloatArray) -> BoolArray:
    """Return mask[s] of the states from which pi[s, a] ends with certainty.

    These are the states that cannot reach a state that cannot reach an end.
    """
    edges = _edges(table, task, probs)
    backward = (edges[1], edges[0])
    return ~_closure(backward, ~_closure(backward, _ending(table, task, probs)))


def _edges(table: Table, task: Task, probs: FloatArray) -> tuple[IntArray, IntArray]:
    rows = table.row_of_entry
    state = rows // table.n_actions
    used = (probs.ravel()[rows] > 0.0) & ~task.terminal[state]
    return state[used], table.successor[used]


def _ending(table: Table, task: Task, probs: FloatArray) -> BoolArray:
    empty = (table.lengths == 0).reshape(probs.shape)
    ending: BoolArray = task.terminal | (empty & (probs > 0.0)).any(axis=1)
    return ending


def _closure(edges: tuple[IntArray, IntArray], start: BoolArray) -> BoolArray:
    source, target = edges
    reached = start.copy()
    while True:
        fresh = np.zeros_like(reached)
        fresh[target[reached[source]]] = True
        if not (fresh & ~reached).any():
            return reached
        reached |= fresh
