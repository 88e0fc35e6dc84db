"""The report of a study: its tables and figures beside the paper's, in one HTML file."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from string import Template

from tailsafe import __version__
from tailsafe.report import html as page
from tailsafe.report.drawing import printable
from tailsafe.report.markup import bullets, facts, section
from tailsafe.study.comparison import Duel, Summary, duel, summaries
from tailsafe.study.figures import in_table_order, svg_gains, svg_selection_rates
from tailsafe.study.paper_numbers import STATISTICS
from tailsafe.study.rows import Row
from tailsafe.study.store import read_store
from tailsafe.study.tables import Cell, gain_cells, selection_rates

PAPER_PROFILES = ("paper", "published")
"""Whose rows stand beside the paper's numbers."""

AIMED_LOGS = 700
"""Of Ring and of Chain: how many logs the tolerances are made for."""

WORDS = {"gain": "dU", "u": "performance", "u_exact": "exact performance"}
"""How tables call a metric, where not by its name."""


def study_report(path: Path, metrics: Sequence[str] = ("gain",)) -> str:
    """Return the report of a store, a complete HTML page.

    Parameters
    ----------
    path
        Of the store.
    metrics
        What there are tables of, of ``design.METRICS``.
    """
    with read_store(path) as store:
        rows = list(store.rows())
        seconds, identity = sum(store.seconds().values()), store.identity()
    body = [_what_was_run(rows, identity, seconds)]
    for profile in dict.fromkeys(row.profile for row in rows):
        of_profile = [row for row in rows if row.profile == profile]
        for metric in metrics:
            body += _profile_sections(profile, of_profile, metric)
        body += _rates_sections(profile, of_profile)
    body += [_beyond_section(summaries(rows)), _duels_section(_duels(rows))]
    return Template(Path(__file__).with_name("report.html").read_text("utf-8")).substitute(
        title=printable(f"Study {identity['study']}"),
        style=Path(page.__file__).with_name("style.css").read_text("utf-8"),
        body="".join(body),
        version=printable(__version__),
        source=printable(path.name),
    )


def _what_was_run(rows: Sequence[Row], identity: dict[str, str], seconds: float) -> str:
    logs: dict[tuple[str, str], set[tuple[int, int]]] = {}
    for row in rows:
        logs.setdefault((row.domain, row.profile), set()).add((row.size, row.trial))
    grids = [
        f"{printable(domain)}, profile {printable(profile)}: {len(found)} logs of "
        f"{', '.join(map(str, sorted({size for size, _ in found})))} transitions"
        for (domain, profile), found in logs.items()
    ]
    known = facts(
        [
            ("seed", printable(identity["seed"])),
            ("work", f"{seconds:,.0f} s of one core"),
            ("versions", printable(", ".join(sorted({f"tailsafe {r.tailsafe}" for r in rows})))),
        ]
    )
    return section("run", "What was run", bullets(grids) + known)


def _profile_sections(profile: str, rows: Sequence[Row], metric: str) -> list[str]:
    beside, what = profile in PAPER_PROFILES, WORDS.get(metric, metric)
    cells = gain_cells(rows, metric=metric)
    parts = []
    for domain in dict.fromkeys(cell.domain for cell in cells):
        of_domain = in_table_order([cell for cell in cells if cell.domain == domain])
        if not beside:
            of_domain = [_alone(cell) for cell in of_domain]
        drawing = svg_gains(of_domain, f"{domain}: mean of {what}, profile {profile}", what)
        title = f"{domain}, profile {profile}" + ("" if metric == "gain" else f": {what}")
        body = _gain_table(of_domain, what, title) + f"<figure>{drawing}</figure>"
        parts.append(_titled(f"{metric}-{profile}-{domain}", title, body))
    return parts


def _rates_sections(profile: str, rows: Sequence[Row]) -> list[str]:
    rates, parts = selection_rates(rows), []
    for domain in dict.fromkeys(rate.domain for rate in rates):
        bars = [rate for rate in rates if rate.domain == domain]
        title = f"{domain}: whose policy EvC chose, profile {profile}"
        drawing = svg_selection_rates(bars, title)
        parts.append(_titled(f"rates-{profile}-{domain}", title, f"<figure>{drawing}</figure>"))
    return parts


def _titled(key: str, title: str, body: str) -> str:
    return section("".join(c if c.isalnum() else "-" for c in key), printable(title), body)


def _alone(cell: Cell) -> Cell:
    # Another profile's numbers are not meant to be the paper's.
    return replace(cell, paper=None, tolerance=None)


def _gain_table(cells: Sequence[Cell], what: str, title: str) -> str:
    by_method: dict[str, dict[str, Cell]] = {}
    for cell in cells:
        by_method.setdefault(cell.method, {})[cell.statistic] = cell
    heads = ["method", *(f"{statistic} of {what}" for statistic in STATISTICS)]
    rows = [
        [printable(method), *(_cell_text(found[statistic]) for statistic in STATISTICS)]
        for method, found in by_method.items()
    ]
    missed = sum(cell.inside is False for cell in cells)
    aimed = sum(cell.inside is not None for cell in cells)
    logs = max(cell.n_logs for cell in cells)
    said = (
        f"<p>{aimed - missed} of {aimed} numbers are as near to the paper's as they should be; ✗ "
        f"marks the others. The aims are for {AIMED_LOGS} logs; here are {logs}.</p>"
    )
    brackets = "<p>In brackets: 95 % bootstrap intervals over the logs.</p>"
    return (said if aimed else "") + brackets + _table(title, heads, rows)


def _cell_text(cell: Cell) -> str:
    text = f"{_number(cell.value)} [{_number(cell.low)}, {_number(cell.high)}]"
    if cell.paper is None:
        return text
    mark = {True: " ✓", False: " ✗", None: ""}[cell.inside]
    return f"{text}<br><span class='soft'>paper {_number(cell.paper)}{mark}</span>"


def _beyond_section(found: Sequence[Summary]) -> str:
    if not found:
        return ""
    heads = [
        *("domain", "profile", "choice by", "logs", "mean dU", "median", "min", "regret"),
        *("bound kept", "promised", "decided", "evaluations"),
    ]
    rows = [
        [
            *(printable(s.domain), printable(s.profile), printable(s.method), str(s.n_logs)),
            *map(_number, (s.gain_mean, s.gain_median, s.gain_min, s.regret)),
            *map(_percent, (s.covered, s.promised, s.decided)),
            f"{s.evaluations:,.0f}",
        ]
        for s in found
    ]
    lead = (
        "Regret: how much better the best candidate would have been, in units of the optimum. "
        "Bound kept: the share of logs on which the true performance reached the certified bound; "
        "it need not be what was promised unless the truth was drawn from the prior."
    )
    return section("beyond", "What the paper does not report", _table("Choices", heads, rows), lead)


def _duels(rows: Sequence[Row]) -> list[Duel]:
    found = []
    for risk in ("VaR(0.25)", "CVaR(0.25)"):
        ours = ("tailsafe", f"race {risk}")
        for profile in PAPER_PROFILES:
            found += duel(rows, ours, (profile, f"EvC {risk}"))
        found += duel(rows, ("paper", f"EvC {risk}"), ("published", f"EvC {risk}"))
    return found


def _duels_section(found: Sequence[Duel]) -> str:
    if not found:
        return ""
    heads = ["domain", "ours", "against", "logs", "mean difference of dU", "better", "worse"]
    rows = [
        [
            *(printable(d.domain), printable(" ".join(d.ours)), printable(" ".join(d.theirs))),
            str(d.n_logs),
            f"{_number(d.difference)} [{_number(d.low)}, {_number(d.high)}]",
            *map(_percent, (d.better, d.worse)),
        ]
        for d in found
    ]
    return section("duels", "On the same logs", _table("Log by log", heads, rows))


def _table(label: str, heads: Iterable[str], rows: Iterable[Sequence[str]]) -> str:
    top = "".join(f'<th scope="col">{head}</th>' for head in heads)
    body = "".join(
        f'<tr><th scope="row">{row[0]}</th>{"".join(f"<td>{cell}</td>" for cell in row[1:])}</tr>'
        for row in rows
    )
    return (
        f'<div class="scroll" role="region" aria-label="Table: {printable(label)}" tabindex="0">'
        f"<table><thead><tr>{top}</tr></thead><tbody>{body}</tbody></table></div>"
    )


def _number(value: float | None) -> str:
    if value is None:
        return ""
    # z: rounded to nothing is nothing, whatever its sign.
    return f"{value:z.3f}".replace("-", "−")


def _percent(value: float | None) -> str:
    return "" if value is None else f"{value:.0%}"
