"""What is printed: the ranking as a table, the sentence, and where the files are."""

import shutil
import sys
from collections.abc import Sequence
from math import floor, log10
from pathlib import Path

from tailsafe.record.schema import SHOWN, CandidateRecord, Record, RiskRecord

ROWS = 12
"""So many candidates are listed; the report has them all."""
NAMED = 34
"""Names of more characters are cut."""


def say(text: str) -> None:
    """Print a text; what standard output cannot encode becomes a question mark."""
    encoding = sys.stdout.encoding or "utf-8"
    print(text.encode(encoding, "replace").decode(encoding))


def summary(record: Record, files: Sequence[Path]) -> str:
    """Return the answer as it is printed."""
    answer = record["answer"]
    parts = [record["question"]["words"], "", *table(record), "", answer["words"]]
    if answer["certificate"] is not None:
        parts.append(answer["certificate"]["sentence"])
    parts += [f"Warning: {w['words']}" for w in record["warnings"]]
    parts += ["", *(f"  {path}" for path in files)]
    return "\n".join(parts)


def table(record: Record) -> list[str]:
    """Return the lines of the ranking."""
    shown, rest = record["candidates"][:ROWS], record["candidates"][ROWS:]
    digits = _decimals(record["candidates"])
    risk = record["question"]["risk"]
    others = [kind for kind in ("var", "cvar", "mean") if kind != risk["kind"]]
    head = ["", "policy", risk["name"], "interval", *(_title(kind, risk) for kind in others)]
    rows = [[*head, "standing", "also from"]]
    rows += [_row(place, c, others, digits) for place, c in enumerate(shown, start=1)]
    lines = [_cut(line) for line in _aligned(rows, left={1, 6, 7})]
    return [*lines, f"    and {len(rest)} more, in the report"] if rest else lines


def _title(kind: str, risk: RiskRecord) -> str:
    level = SHOWN if risk["level"] is None else risk["level"]
    return {"var": f"VaR({level:g})", "cvar": f"CVaR({level:g})", "mean": "mean"}[kind]


def _row(place: int, candidate: CandidateRecord, others: Sequence[str], digits: int) -> list[str]:
    low, high = candidate["lower"], candidate["upper"]
    ends = ["-inf" if low is None else f"{low:.{digits}f}"]
    ends += ["inf" if high is None else f"{high:.{digits}f}"]
    law = {"var": candidate["var"], "cvar": candidate["cvar"], "mean": candidate["mean"]}
    return [
        f"{place}",
        _short(candidate["name"]),
        f"{candidate['estimate']:.{digits}f}",
        " .. ".join(ends),
        *(f"{law[kind]:.{digits}f}" for kind in others),
        candidate["standing"],
        ", ".join(candidate["origins"][1:]),
    ]


def _aligned(rows: Sequence[Sequence[str]], left: set[int]) -> list[str]:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        "  ".join(
            cell.ljust(width) if place in left else cell.rjust(width)
            for place, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]


def _decimals(candidates: Sequence[CandidateRecord]) -> int:
    """Return how many decimals show a hundredth of the first candidate's standard deviation."""
    spread = candidates[0]["sd"] if candidates else 0.0
    return min(8, max(0, 2 - floor(log10(spread)))) if spread > 0.0 else 3


def _short(name: str) -> str:
    return name if len(name) <= NAMED else name[: NAMED - 1] + "…"


def _cut(line: str) -> str:
    """Return the line as it fits on the terminal; what goes to a file or a pipe stays whole."""
    width = shutil.get_terminal_size().columns if sys.stdout.isatty() else len(line)
    return line if len(line) <= width else line[: width - 1] + "…"
