"""Random frozen lake: rewards, and in the text the map, are drawn once for each problem.

The paper (section 5, "Random Frozen Lake") describes one family of lakes in its text; the numbers
of its tables come from another one. Both are here.
"""

import numpy as np

from tailsafe.arrays import check_count
from tailsafe.domains.domain import Domain, checked_share, without_ends
from tailsafe.domains.draws import uniforms
from tailsafe.domains.frozen_lake import (
    LAKE_8,
    SLIP,
    Cells,
    cells_of,
    connected,
    lake_domain,
    lake_transition,
)
from tailsafe.errors import InvalidData

REWARDS, FIRST_MAP = 0, 1
MAX_REWARD = 0.8
MAX_MAPS = 1_000


def random_lake(seed: int, slip: float = SLIP, holes: float = 0.2, side: int = 8) -> Domain:
    """Return the random lake of the paper's text: a reward for each pair, 1 for the goal.

    R[s, a, t] = r(s, a) ~ U(0, .8) unless t is the goal. Holes and goal are known to end an
    episode; ``without_ends`` makes it a problem in which this has to be learned.

    Parameters
    ----------
    seed
        Of the map and the rewards.
    slip
        How probable it is to end up beside where a step should go.
    holes
        The share of holes; maps without a way to the goal are drawn again.
    side
        How many rows and columns.
    """
    cells = random_map(seed, holes, side)
    pairs = MAX_REWARD * uniforms(seed, REWARDS, (cells.size, 4, 1))
    reward = np.repeat(pairs, cells.size, axis=2)
    return lake_domain(f"random lake {seed}", cells, slip, reward, "the paper's text, section 5")


def random_lake_published(seed: int) -> Domain:
    """Return a lake as behind the paper's tables: the standard map, a reward for each transition.

    Each possible transition that neither ends nor reaches the goal pays R[s, a, t] ~ U(0, .8);
    what cannot happen pays nothing. Nothing says that holes and goal are never left: an episode
    goes on in them.
    """
    cells = cells_of(LAKE_8)
    drawn = MAX_REWARD * uniforms(seed, REWARDS, (cells.size, 4, cells.size))
    into_hole = cells.ravel() == "H"
    pays = (lake_transition(cells, SLIP) > 0.0) & ~into_hole
    source = "the paper's published program (facts only)"
    name = f"random lake {seed} (published)"
    return without_ends(lake_domain(name, cells, SLIP, np.where(pays, drawn, 0.0), source))


def random_map(seed: int, holes: float, side: int) -> Cells:
    """Return a map with a way around the holes from the upper left to the lower right corner."""
    check_count(side, "side")
    if side < 2:
        raise InvalidData(f"side must be at least 2, got {side}")
    share = checked_share(holes, "holes")
    for attempt in range(MAX_MAPS):
        cells = np.where(uniforms(seed, FIRST_MAP + attempt, (side, side)) < share, "H", "F")
        cells[0, 0], cells[-1, -1] = "S", "G"
        if connected(cells):
            return cells
    raise InvalidData(f"no way to the goal in {MAX_MAPS} random maps: holes is {holes}, take less")
