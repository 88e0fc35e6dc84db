"""The answer as it is printed: the ranking as a table, the sentence, where the files are."""

from collections.abc import Sequence
from math import floor, log10
from pathlib import Path

from tailsafe.cli.printing import aligned, cut, fixed, folded, listed, short
from tailsafe.record.schema import SHOWN, CandidateRecord, Record, RiskRecord
from tailsafe.record.words import standing_words

ROWS, ORIGINS, PROMISES = 12, 3, 6
"""So many candidates, origins of each, and certificates are listed; the report has them all."""


def summary(record: Record, files: Sequence[Path]) -> str:
    """Return the answer as it is printed."""
    answer = record["answer"]
    said = [answer["words"], *_promises(record)]
    said += [f"Warning: {w['words']}" for w in record["warnings"]]
    question = folded(record["question"]["words"])
    parts = [question, "", *table(record), "", *map(folded, said)]
    parts += ["", *(f"  {path}" for path in files)]
    return "\n".join(parts)


def _promises(record: Record) -> list[str]:
    """Return the certificate of the choice, or those of policies judged on their own."""
    if record["answer"]["certificate"] is not None:
        return [record["answer"]["certificate"]["sentence"]]
    shown = record["candidates"][:PROMISES]
    return [f"{c['name']}: {c['certificate']['sentence']}" for c in shown if c["certificate"]]


def table(record: Record) -> list[str]:
    """Return the lines of the ranking."""
    shown, rest = record["candidates"][:ROWS], record["candidates"][ROWS:]
    digits = _decimals(record["candidates"])
    risk = record["question"]["risk"]
    others = [kind for kind in ("var", "cvar", "mean") if kind != risk["kind"]]
    head = ["", "policy", risk["name"], "interval", *(_title(kind, risk) for kind in others)]
    rows = [[*head, "standing", "also from"]]
    for place, c in enumerate(shown, start=1):
        standing = standing_words(c["standing"], record["answer"]["status"])
        origins = listed(c["origins"][1:], ORIGINS)
        rows.append([f"{place}", *_cells(c, others, digits), standing, origins])
    lines = [cut(line) for line in aligned(rows, left={1, 6, 7})]
    return [*lines, f"    and {len(rest)} more, in the report"] if rest else lines


def _title(kind: str, risk: RiskRecord) -> str:
    level = SHOWN if risk["level"] is None else risk["level"]
    return {"var": f"VaR({level:g})", "cvar": f"CVaR({level:g})", "mean": "mean"}[kind]


def _cells(candidate: CandidateRecord, others: Sequence[str], digits: int) -> list[str]:
    low, high = candidate["lower"], candidate["upper"]
    ends = ["-inf" if low is None else fixed(low, digits)]
    ends += ["inf" if high is None else fixed(high, digits)]
    law = {"var": candidate["var"], "cvar": candidate["cvar"], "mean": candidate["mean"]}
    return [
        short(candidate["name"]),
        fixed(candidate["estimate"], digits),
        " .. ".join(ends),
        *(fixed(law[kind], digits) for kind in others),
    ]


def _decimals(candidates: Sequence[CandidateRecord]) -> int:
    """Return how many decimals show a hundredth of the first candidate's standard deviation."""
    spread = candidates[0]["sd"] if candidates else 0.0
    return min(8, max(0, 2 - floor(log10(spread)))) if spread > 0.0 else 3
