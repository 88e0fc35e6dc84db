"""Writes what came out of the paper's study into the documentation:

tailsafe study paper && ./run python -m benchmarks.reproduction tailsafe-study-paper/study.db
"""

import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

from benchmarks import pages
from tailsafe.study.comparison import Duel, Summary, duel, summaries
from tailsafe.study.figures import in_table_order
from tailsafe.study.paper_numbers import COLUMNS, ORIGINS, STATISTICS
from tailsafe.study.rows import Row
from tailsafe.study.store import read_rows, read_store
from tailsafe.study.tables import Cell, Rates, gain_cells, selection_rates, split_rates

RISKS = ("VaR(0.25)", "CVaR(0.25)")
MARKS = {True: " ✓", False: " **✗**", None: ""}


def markdown(heads: Sequence[str], rows: Iterable[Sequence[str]], left: int = 1) -> str:
    """Return a table; the first columns stand left."""
    line = ["---"] * left + ["--:"] * (len(heads) - left)
    return "\n".join(f"| {' | '.join(cells)} |" for cells in (heads, line, *rows))


def number(value: float, digits: int = 3) -> str:
    """Return a number; rounded to nothing it has no sign."""
    return f"{value:z.{digits}f}".replace("-", "−")


def gains(rows: Sequence[Row], domain: str) -> str:
    """Return the four statistics of each column of Tables 2 and 3, ours and the paper's."""
    cells = [c for c in in_table_order(gain_cells(rows)) if c.domain == domain]
    table = []
    for method in COLUMNS:
        found = {c.statistic: c for c in cells if c.method == method}
        if found:
            table.append([method, *(_cell(found[s]) for s in STATISTICS)])
    return markdown(["", *STATISTICS], table)


def _cell(cell: Cell) -> str:
    ours = number(cell.value)
    if cell.statistic == "mean":
        ours += f" [{number(cell.low)}, {number(cell.high)}]"
    return f"{ours} ({number(cell.paper or 0.0, 2)}){MARKS[cell.inside]}"


def lakes(rows: Sequence[Row]) -> str:
    """Return the mean of dU of each lake and of all together."""
    cells = {(c.domain, c.method): c for c in gain_cells(rows) if c.statistic == "mean"}
    names = sorted({domain for domain, _ in cells if domain.startswith("lake")})
    table = [
        [method, *(_cell(cells[name, method]) for name in names)]
        for method in COLUMNS
        if (names[0], method) in cells
    ]
    return markdown(["mean of dU", *names], table)


def rates(found: Sequence[Rates]) -> str:
    """Return selection rates, in per cent."""
    table = []
    for r in found:
        aim = zip(r.ours, r.paper, strict=True) if r.paper else [(x, None) for x in r.ours]
        cells = [f"{a:.0f}" + ("" if b is None else f" ({b:.0f})") for a, b in aim]
        table.append([r.domain, r.risk, f"{r.size}", *cells, MARKS[r.inside].strip()])
    return markdown(["", "", "N", *ORIGINS, ""], table, left=2)


def choices(found: Sequence[Summary]) -> str:
    """Return how good the choices are, on the same logs."""
    table = [
        [
            *(s.domain, s.profile, s.method, f"{s.n_logs}"),
            *map(number, (s.gain_mean, s.gain_median, s.gain_min, s.regret)),
        ]
        for s in found
    ]
    heads = ["domain", "profile", "choice by", "logs", "mean dU", "median", "min", "regret"]
    return markdown(heads, table, left=3)


def costs(found: Sequence[Summary], rows: Sequence[Row]) -> str:
    """Return evaluations and seconds of each way to choose among the same candidates."""
    spent: dict[tuple[str, str, str], list[float]] = {}
    for row in rows:
        spent.setdefault((row.domain, row.profile, row.method), []).append(row.seconds)
    table = []
    for s in found:
        seconds = spent[s.domain, s.profile, s.method]
        cells = (f"{s.evaluations:,.0f}", f"{sum(seconds) / len(seconds):.3f}", f"{s.decided:.0%}")
        table.append([s.domain, s.method, f"{s.n_logs}", *cells])
    return markdown(["domain", "choice by", "logs", "evaluations", "seconds", "decided"], table, 2)


def bounds(found: Sequence[Summary]) -> str:
    """Return how often the truth kept the bound."""
    table = [
        [s.domain, s.method, f"{s.n_logs}", f"{s.promised:.0%}", f"{s.covered:.1%}"]
        for s in found
        if s.covered is not None and s.promised is not None
    ]
    return markdown(["domain", "choice by", "logs", "promised", "bound kept"], table, 2)


def duels(found: Sequence[Duel]) -> str:
    """Return one choice against another, log by log."""
    table = [
        [
            *(d.domain, " ".join(d.ours), " ".join(d.theirs), f"{d.n_logs}"),
            f"{number(d.difference)} [{number(d.low)}, {number(d.high)}]",
            *(f"{share:.0%}" for share in (d.better, d.worse)),
        ]
        for d in found
    ]
    heads = ["domain", "this", "against", "logs", "mean difference of dU", "better", "worse"]
    return markdown(heads, table, left=3)


def main() -> int:
    """Write all tables."""
    path = Path(sys.argv[1])
    rows = read_rows(path)
    with read_store(path) as store:
        seconds, seed = sum(store.seconds().values()), store.identity()["seed"]
    by_profile = {
        name: [row for row in rows if row.profile == name]
        for name in ("published", "paper", "tailsafe")
    }
    found = summaries(rows)
    evc = [s for s in found if s.method.startswith(("EvC", "race"))]
    others = [s for s in found if s.profile == "tailsafe" and not s.domain.endswith("(prior)")]
    raced = [s for s in others if s.method.startswith(("race", "printed"))]
    fought = []
    for risk in RISKS:
        ours = ("tailsafe", f"race {risk}")
        fought += duel(rows, ours, ("paper", f"EvC {risk}"))
        fought += duel(rows, ours, ("published", f"EvC {risk}"))
        fought += duel(rows, ("paper", f"EvC {risk}"), ("published", f"EvC {risk}"))
    places = {
        "published ring": gains(by_profile["published"], "ring"),
        "published chain": gains(by_profile["published"], "chain"),
        "published lakes": lakes(by_profile["published"]),
        "published rates": rates(selection_rates(by_profile["published"])),
        "text ring": gains(by_profile["paper"], "ring (text)"),
        "text chain": gains(by_profile["paper"], "chain (text)"),
        "text method on program's ring": gains(by_profile["paper"], "ring"),
        "text rates": rates(split_rates(by_profile["paper"])),
        "choices": choices(sorted(evc, key=lambda s: (s.domain, s.method[-10:]))),
        "estimators": choices([s for s in others if s.domain in ("ring", "chain")]),
        "duels": duels(sorted(fought, key=lambda d: d.domain)),
        "bounds": bounds(found),
        "costs": costs(raced, by_profile["tailsafe"]),
    }
    made = (
        f"From `tailsafe study paper`: seed {seed}; all units together took {seconds / 60:,.0f} "
        "minutes, one core each, on a machine that did other work as well."
    )
    pages.write(places, made)
    return 0


if __name__ == "__main__":
    sys.exit(main())
