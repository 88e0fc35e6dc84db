"""What the log shows and what it hardly shows, in the record."""

from tailsafe.data.coverage import Sufficiency, ThinPair
from tailsafe.record.schema import SufficiencyRecord
from tailsafe.record.schema import ThinPair as ThinPairRecord


def sufficiency_record(found: Sufficiency) -> SufficiencyRecord:
    """Return the record of what the log shows."""
    return {
        "visits": found.visits.tolist(),
        "unseen_states": list(found.unseen_states),
        "untried_states": list(found.untried_states),
        "pairs": found.n_pairs,
        "tried_pairs": found.n_tried,
        "thin_below": found.thin_below,
        "thin": [_thin_pair(pair) for pair in found.thin],
        "words": list(found.words),
    }


def _thin_pair(pair: ThinPair) -> ThinPairRecord:
    return {
        "state": pair.state,
        "action": pair.action,
        "visits": pair.visits,
        "share": pair.share,
        "candidates": list(pair.candidates),
    }
