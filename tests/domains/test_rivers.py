"""Wet chicken and RiverSwim against their rules."""

import numpy as np
import pytest

from tailsafe import domains
from tailsafe.errors import InvalidData


@pytest.mark.parametrize(
    ("x", "y", "action"), [(0, 0, 0), (4, 0, 0), (3, 2, 1), (2, 4, 2), (0, 3, 3), (4, 4, 4)]
)
def test_a_stroke_on_the_river_follows_its_rule(x, y, action):
    # Hans & Udluft 2009: x moves by the paddler, the current and the turbulence, then is rounded.
    dx, dy = [(0, 0), (-1, 0), (-2, 0), (0, -1), (0, 1)][action]
    current = 3 * y / 5
    turbulence = (3.5 - current) * np.random.default_rng(1).uniform(-1, 1, size=100_000)
    along = np.maximum(np.rint(x + dx + current + turbulence), 0).astype(int)
    across = min(max(y + dy, 0), 4)
    fallen = along > 4
    reached = np.where(fallen, 0, 5 * along + across)
    share = np.bincount(reached, minlength=25) / len(reached)
    T = domains.wet_chicken().truth.transition[5 * x + y, action]
    assert np.abs(share - T).max() < 4 * np.sqrt(0.25 / 100_000)
    assert ((share > 0.0) == (T > 0.0)).all()


def test_wet_chicken_pays_the_position_along_the_river():
    reward = domains.wet_chicken().task.reward
    assert reward[3, 2].tolist() == [float(t // 5) for t in range(25)]


def test_all_rows_of_riverswim_are_one_distribution_cut_at_the_ends():
    T = domains.riverswim((0.1, 0.6, 0.3)).truth.transition
    for s in range(1, 19):
        assert T[s, 1, [s - 1, s, s + 1]].tolist() == [0.1, 0.6, 0.3]
    assert T[0, 1, [0, 1]] == pytest.approx([0.7, 0.3])
    assert T[19, 1, [18, 19]] == pytest.approx([0.1, 0.9])
    assert T[0, 0, 0] == T[19, 0, 18] == 1.0


def test_a_current_that_is_no_distribution_is_refused():
    with pytest.raises(InvalidData, match="swim is not a distribution"):
        domains.riverswim((0.2, 0.3, 0.4))
    with pytest.raises(InvalidData, match=r"swim has shape \(2,\), expected \(3,\)"):
        domains.riverswim((0.5, 0.5))
