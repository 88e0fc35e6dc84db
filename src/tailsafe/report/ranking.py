"""The ranking: every policy with its standing, its numbers and who proposed it."""

from tailsafe.record.schema import CandidateRecord, Record
from tailsafe.record.words import standing_words
from tailsafe.report.drawing import printable, shortened
from tailsafe.report.markup import bullets, facts, folded, heading, section, table
from tailsafe.report.prose import (
    LONG,
    at_least,
    at_most,
    count,
    interval,
    label,
    number,
    tenths,
    unfolded,
)
from tailsafe.report.scale import Scale, scale_over

LIMIT = 12
STANDINGS = {
    "best": "the policy that leads",
    "within eps": "not shown to be worse than the best, and proved to be better by no more than "
    "the precision asked for",
    "undecided": "neither shown to be worse nor proved to be as good",
    "not better": "ruled out: shown not to be better than the best",
    "evaluated": "judged on its own; nothing was compared",
}


def level_of(record: Record) -> float:
    """Return the level at which VaR and CVaR are shown."""
    level = record["question"]["risk"]["level"]
    return 0.25 if level is None else level


def ranking_section(record: Record, decimals: int) -> str:
    """Return the table of all candidates, best first."""
    candidates, answer = record["candidates"], record["answer"]
    axis = _axis(candidates)
    rows = [_row(record, place, axis, decimals) for place in range(len(candidates))]
    limit = max(LIMIT, min(len(answer["ties"]), 2 * LIMIT))
    heads = _heads(record)
    body = table("ranking-table", "Policies and their numbers", heads, rows, limit)
    body += _legend(record, decimals)
    return section("ranking", "All policies, ranked", body, _lead(record))


def _lead(record: Record) -> str:
    risk = record["question"]["risk"]
    many = count(len(record["candidates"]), "policy", "policies")
    goal = f"{printable(risk['name'])}: {printable(risk['words'])}"
    return f"{many}, ordered by {goal}. Larger is better."


def _heads(record: Record) -> list[str]:
    goal = printable(record["question"]["risk"]["name"])
    heads = [
        heading("Rank", "rank num", order="ascending"),
        heading("Policy", "name"),
        heading("Standing", "standing"),
        heading(f"{goal}, interval", "goal"),
    ]
    if _promised(record):
        heads.append(heading("Certified at least", "num"))
    titles = [*_others(record).values(), "Models", "In thin data"]
    return heads + [heading(text, "num") for text in titles]


def _others(record: Record) -> dict[str, str]:
    """Return the titles of the columns of the measures that were not asked for, by their kind."""
    level = f"{level_of(record):g}"
    titles = {"var": f"VaR({level})", "cvar": f"CVaR({level})", "mean": "Mean"}
    return {k: title for k, title in titles.items() if k != record["question"]["risk"]["kind"]}


def _row(record: Record, place: int, axis: Scale, decimals: int) -> str:
    c, status = record["candidates"][place], record["answer"]["status"]
    order = list(STANDINGS).index(c["standing"]) if c["standing"] in STANDINGS else len(STANDINGS)
    cells = [
        _cell(str(place + 1), place, "rank num soft"),
        _name(c),
        _cell(_badge(standing_words(c["standing"], status)), order, "standing"),
        _cell(_goal(c, axis, decimals), c["estimate"], "goal"),
    ]
    if _promised(record):
        bound = c["certificate"]["bound"] if c["certificate"] else None
        cells.append(_cell(at_least(bound, decimals), bound))
    law = {"var": c["var"], "cvar": c["cvar"], "mean": c["mean"]}
    cells += [_cell(number(law[kind], decimals), law[kind]) for kind in _others(record)]
    cells.append(_cell(f"{c['n_models']:,}", c["n_models"]))
    cells.append(_cell(tenths(c["thin_share"]), c["thin_share"]))
    tied = place in record["answer"]["ties"]
    kind = "best" if c["standing"] == "best" else "tied" if tied else ""
    return f'<tr class="{kind}">{"".join(cells)}</tr>'


def _promised(record: Record) -> bool:
    """Return whether each policy has a certificate of its own."""
    return record["question"]["kind"] == "evaluate"


def _cell(shown: str, value: float | None, kind: str = "num") -> str:
    return f'<td class="{kind}" data-v="{"" if value is None else f"{value:.12g}"}">{shown}</td>'


def _name(c: CandidateRecord) -> str:
    others = [origin for origin in c["origins"] if origin != c["name"]]
    also = f'<div class="also">also from {unfolded(others, 3)}</div>' if others else ""
    key = printable(shortened(c["name"], LONG))
    return (
        f'<th scope="row" class="name" data-v="{key}">{label(c["name"], breakable=True)}{also}</th>'
    )


def _badge(standing: str) -> str:
    kind = printable(standing.replace(" ", "-"))
    return f'<span class="badge {kind}">{printable(standing)}</span>'


def _goal(c: CandidateRecord, axis: Scale, decimals: int) -> str:
    ends = interval(c["lower"], c["upper"], decimals)
    return (
        f"<strong>{number(c['estimate'], decimals)}</strong>"
        f'<span class="ends">{ends}</span>{_span(c, axis)}'
    )


def _span(c: CandidateRecord, axis: Scale) -> str:
    """Return the interval as a small drawing; what lies off the axis ends in an arrow."""
    low = 0.0 if c["lower"] is None else _clamped(axis, c["lower"])
    high = 100.0 if c["upper"] is None else _clamped(axis, c["upper"])
    at = _clamped(axis, c["estimate"])
    dot = f'<circle cx="{at:.1f}%" cy="5" r="3.5"/>'
    if not axis.holds(c["estimate"]):
        turn = "M0 5L7 1V9z" if at <= 0.0 else "M0 5L-7 1V9z"
        dot = f'<svg x="{at:.0f}%" overflow="visible"><path d="{turn}"/></svg>'
    return (
        f'<svg class="span" width="100%" height="10" aria-hidden="true" focusable="false">'
        f'<line x1="{low:.1f}%" x2="{high:.1f}%" y1="5" y2="5"/>{dot}</svg>'
    )


def _clamped(axis: Scale, value: float) -> float:
    return 100.0 * min(max(axis.share(value), 0.0), 1.0)


def _axis(candidates: list[CandidateRecord]) -> Scale:
    """Return an axis for the intervals on which those near the best one are told apart."""
    if not candidates:
        return scale_over([])
    first = candidates[0]
    ends = [v for c in candidates for v in (c["estimate"], c["lower"], c["upper"]) if v is not None]
    centre, reach = first["estimate"], 3.0 * first["sd"]
    if reach <= 0.0:
        return scale_over(ends, 0.05)
    near = [min(max(v, centre - reach), centre + reach) for v in [*ends, centre]]
    return scale_over(near, 0.05)


def _legend(record: Record, decimals: int) -> str:
    """Return what the words of the table mean, for who asks."""
    question = record["question"]
    met = {c["standing"] for c in record["candidates"]}
    shares = f"{100 * level_of(record):g} %"
    status = record["answer"]["status"]
    pairs = [(standing_words(n, status), words) for n, words in STANDINGS.items() if n in met]
    pairs += [
        ("Model", "one way the world may work that agrees with the log and the prior"),
        ("Performance", "the expected discounted return of a policy if a model is true"),
        ("VaR", f"all but the worst {shares} of the models do at least this well"),
        ("CVaR", f"the mean of the worst {shares} of the models"),
        ("Mean", "the mean over all models"),
        ("Interval", f"where the value lies, wrong with probability {question['alpha']:g} at most"),
        ("Models", "how many models a policy was judged on; one that is clearly worse needs few"),
        ("In thin data", "the share of its time in states and actions that the log hardly shows"),
    ]
    notes = []
    if question["eps"] is not None:
        eps = at_most(question["eps"], decimals)
        notes.append(f"The race ends when none can be better than the best by more than {eps}.")
    models = record["provenance"]["distribution_models"]
    notes.append(
        f"VaR, CVaR and mean are taken on the same {count(models, 'model')} for all policies; "
        "the estimate with its interval is that of the race, on other models, and differs a little."
    )
    return folded("What the columns mean", facts(pairs, "terms") + bullets(notes, "notes"))
