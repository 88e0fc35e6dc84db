"""What the log shows, in the record: every number in its place."""

import numpy as np

from tailsafe.data.coverage import Sufficiency, ThinPair
from tailsafe.record.sufficiency import sufficiency_record


def test_every_finding_is_in_its_place():
    thin = (ThinPair(2, 1, 3, 0.25, (0, 4)),)
    visits = np.array([[5, 0], [9, 1], [7, 3]])
    found = Sufficiency(visits, (4,), (1, 3), 6, 5, 10, thin, np.array([0.1]), ("so", "many"))
    assert sufficiency_record(found) == {
        "visits": [[5, 0], [9, 1], [7, 3]],
        "unseen_states": [4],
        "untried_states": [1, 3],
        "pairs": 6,
        "tried_pairs": 5,
        "thin_below": 10,
        "thin": [{"state": 2, "action": 1, "visits": 3, "share": 0.25, "candidates": [0, 4]}],
        "words": ["so", "many"],
    }
