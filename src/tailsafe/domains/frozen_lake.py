"""Frozen lake: cross the ice to the goal without slipping into a hole.

The grid of Gymnasium's toy text. Actions: 0 left, 1 down, 2 right, 3 up. A step goes where it
should with probability 1 - slip, and to either side of that with slip / 2; a step off the grid
stays. Maps: S start, F ice, H hole, G goal; holes and goals end an episode.
"""

from collections.abc import Sequence
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from tailsafe.arrays import BoolArray, FloatArray, IntArray, check_type
from tailsafe.domains.domain import Domain, checked_share, dense_domain
from tailsafe.errors import InvalidData
from tailsafe.task import Task

Cells: TypeAlias = npt.NDArray[np.str_]

LAKE_4 = ("SFFF", "FHFH", "FFFH", "HFFG")
LAKE_8 = (
    *("SFFFFFFF", "FFFFFFFF", "FFFHFFFF", "FFFFFHFF"),
    *("FFFHFFFF", "FHHFFFHF", "FHFFHFHF", "FFFHFFFG"),
)
"""The two standard maps."""

SLIP = 2 / 3
DISCOUNT = 0.9


def frozen_lake(lake: Sequence[str] = LAKE_4, slip: float = SLIP) -> Domain:
    """Return the lake of a map; only reaching the goal pays, namely 1.

    Parameters
    ----------
    lake
        The rows of the map.
    slip
        How probable it is to end up beside where a step should go.
    """
    cells = cells_of(lake)
    name = f"frozen lake {cells.shape[0]}x{cells.shape[1]}"
    pairs = np.zeros((cells.size, 4, cells.size))
    return lake_domain(name, cells, slip, pairs, "Gymnasium, toy text (facts only)")


def lake_domain(name: str, cells: Cells, slip: float, reward: FloatArray, source: str) -> Domain:
    """Return the lake that pays reward[s, a, t] on the ice, and 1 for each way into a goal."""
    kind = cells.ravel()
    ends = np.isin(kind, ("H", "G"))
    paid = np.where(kind == "G", 1.0, reward)
    paid[ends] = 0.0
    start = (kind == "S") * 1.0
    task = Task(paid, start / start.sum(), DISCOUNT, terminal=ends)
    return dense_domain(name, task, lake_transition(cells, checked_share(slip, "slip")), source)


def cells_of(lake: Sequence[str]) -> Cells:
    """Return the cells of a map as an array of letters."""
    check_type(lake, Sequence, "lake")
    for row in lake:
        check_type(row, str, "a row of the map")
    widths = {len(row) for row in lake}
    if len(widths) != 1 or widths == {0}:
        raise InvalidData(f"the rows of the map have the lengths {sorted(widths)}, not one length")
    cells = np.array([list(row) for row in lake])
    unknown = sorted(set(cells.ravel().tolist()) - set("SFHG"))
    if unknown:
        raise InvalidData(f"the map has the letters {unknown}, but knows S, F, H and G only")
    for letter, name in (("S", "start"), ("G", "goal")):
        if not (cells == letter).any():
            raise InvalidData(f"the map has no {name} ({letter})")
    return cells


def lake_transition(cells: Cells, slip: float) -> FloatArray:
    """Return T[s, a, t]; holes and goals are never left."""
    steps, states = lake_steps(*cells.shape), np.arange(cells.size)
    T = np.zeros((cells.size, 4, cells.size))
    for action in range(4):
        for turn, probability in ((0, 1.0 - slip), (1, slip / 2), (-1, slip / 2)):
            T[states, action, steps[:, (action + turn) % 4]] += probability
    ends = np.isin(cells.ravel(), ("H", "G"))
    T[ends] = np.eye(cells.size)[ends][:, None, :]
    return T


def lake_steps(n_rows: int, n_columns: int) -> IntArray:
    """Return the cell that each step leads to without slipping, steps[s, a]."""
    row, column = np.divmod(np.arange(n_rows * n_columns), n_columns)
    left, right = np.maximum(column - 1, 0), np.minimum(column + 1, n_columns - 1)
    up, down = np.maximum(row - 1, 0), np.minimum(row + 1, n_rows - 1)
    moved = ((row, left), (down, column), (row, right), (up, column))
    return np.stack([r * n_columns + c for r, c in moved], axis=1)


def connected(cells: Cells) -> bool:
    """Return whether some way from a start to a goal avoids all holes."""
    kind, steps = cells.ravel(), lake_steps(*cells.shape)
    reached: BoolArray = kind == "S"
    for _ in range(cells.size):
        reached[steps[reached].ravel()] = True
        reached &= kind != "H"
    return bool((reached & (kind == "G")).any())
