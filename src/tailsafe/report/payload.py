"""What travels with the page for its script: the policies, for whoever looks at another one."""

from collections.abc import Sequence

from tailsafe.record.schema import CandidateRecord, Record
from tailsafe.report.departures import departures, otherwise

BUDGET = 60_000
"""So many (state, action) choices travel with the page, for whoever looks at other policies."""


def shown_first(record: Record) -> int:
    """Return the index of the policy that is shown at first."""
    best = record["answer"]["best"]
    return best if best is not None and 0 <= best < len(record["candidates"]) else 0


def page_data(record: Record) -> dict[str, object]:
    """Return what the script needs to show another policy, as far as it fits.

    A policy is a list with one item a state: an action, or [action, probability, action, ...].
    """
    return {
        "states": record["labels"]["states"],
        "actions": record["labels"]["actions"],
        "thin": record["sufficiency"]["thin_below"],
        "visits": record["sufficiency"]["visits"],
        "policies": {str(i): _policy(record, record["candidates"][i]) for i in kept(record)},
    }


def _policy(record: Record, candidate: CandidateRecord) -> dict[str, object]:
    n = len(candidate["policy"])
    return {
        "does": [_compact(pairs) for pairs in candidate["policy"]],
        "otherwise": [otherwise(record, candidate["policy"], s) for s in range(n)],
        "differs": candidate["differs"],
        "words": departures(record, candidate),
    }


def kept(record: Record) -> list[int]:
    """Return the candidates whose policies fit into the page: the most interesting first."""
    kept: list[int] = []
    left = BUDGET
    for i in _order(record):
        size = sum(len(pairs) for pairs in record["candidates"][i]["policy"])
        if size <= left or not kept:
            kept.append(i)
            left -= size
    return kept


def _order(record: Record) -> Sequence[int]:
    first = [shown_first(record), *record["answer"]["ties"]]
    inside = [i for i in first if i < len(record["candidates"])]
    return list(dict.fromkeys([*inside, *range(len(record["candidates"]))]))


def _compact(pairs: list[tuple[int, float]]) -> int | list[float]:
    if len(pairs) == 1:
        return pairs[0][0]
    return [v for action, share in pairs for v in (action, float(f"{share:.4g}"))]
