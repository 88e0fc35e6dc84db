"""What the log shows and what it hardly shows."""

from tailsafe.record.schema import Record
from tailsafe.report.drawing import printable
from tailsafe.report.markup import bullets, facts, folded, heading, section, table
from tailsafe.report.prose import count, label, named, number, percent, tenths, unfolded

LIMIT = 10
GRID_STATES, GRID_ACTIONS = 64, 16
STEPS = ((0, 0), (1, 4), (5, 19), (20, 99), (100, None))
"""Visits are counted in these classes."""


def evidence_section(record: Record, decimals: int) -> str:
    """Return the size of the log, how it covers states and actions, and where it is thin."""
    found = record["sufficiency"]
    body = bullets([printable(text) for text in found["words"]], "sentences")
    body += facts(_log(record, decimals), "facts figures")
    body += '<div class="pair">' + _classes(record) + "</div>" + _thin(record)
    body += _grid(record)
    notes = record["log"]["notes"]
    if notes:
        body += folded("How the log was read", bullets([printable(n) for n in notes], "notes"))
    return section("data", "What the log shows", body)


def _log(record: Record, decimals: int) -> list[tuple[str, str]]:
    log, found = record["log"], record["sufficiency"]
    share = found["tried_pairs"] / found["pairs"] if found["pairs"] else None
    return [
        ("Source", label(log["source"], 48)),
        ("Transitions", f"{log['transitions']:,}"),
        ("Episodes", f"{log['episodes']:,}"),
        ("Ended / cut off", f"{log['terminated']:,} / {log['truncated']:,}"),
        ("Steps an episode", _range(log["shortest"], log["longest"])),
        (_return(log["truncated"]), number(log["mean_return"], decimals)),
        ("Pairs of state and action tried", f"{percent(share)} of {found['pairs']:,}"),
        ("States never seen", f"{len(found['unseen_states']):,}"),
    ]


def _return(truncated: int) -> str:
    """Return what the mean is of: not of what a run earns where episodes were cut off."""
    return "Mean discounted return in the log" + (", as far as recorded" if truncated else "")


def _range(low: int, high: int) -> str:
    return f"{low:,}" if low == high else f"{low:,} to {high:,}"


def _classes(record: Record) -> str:
    """Return how many pairs of state and action were tried how often, as bars."""
    ended = set(record["task"]["terminal"])
    rows = [r for s, r in enumerate(record["sufficiency"]["visits"]) if s not in ended]
    visits = [v for row in rows for v in row]
    if not visits:
        return ""
    sizes = [sum(low <= v and (high is None or v <= high) for v in visits) for low, high in STEPS]
    body = "".join(
        f'<tr><th scope="row">{_class(low, high)}</th><td class="num">{size:,}</td>'
        f'<td class="bar"><span style="width:{100 * size / max(sizes):.1f}%"></span></td></tr>'
        for (low, high), size in zip(STEPS, sizes, strict=True)
    )
    return (
        '<table class="bars"><caption>How often the pairs of state and action were tried</caption>'
        '<thead class="hidden"><tr><th scope="col">Times tried</th><th scope="col">Pairs</th>'
        f"<td></td></tr></thead><tbody>{body}</tbody></table>"
    )


def _class(low: int, high: int | None) -> str:
    if high == 0:
        return "never"
    return f"{low} times or more" if high is None else f"{low} to {high} times"


def _thin(record: Record) -> str:
    found, labels = record["sufficiency"], record["labels"]
    if not found["thin"]:
        return ""
    rows = []
    for pair in found["thin"]:
        users = [
            record["candidates"][i]["name"]
            for i in pair["candidates"]
            if i < len(record["candidates"])
        ]
        rows.append(
            f'<tr><th scope="row" class="name" data-v="{pair["state"]}">'
            f"{label(named(labels['states'], pair['state']))}</th>"
            f'<td class="does">{label(named(labels["actions"], pair["action"]))}</td>'
            f'<td class="num" data-v="{pair["visits"]}">{pair["visits"]:,}</td>'
            f'<td class="num" data-v="{pair["share"]:.9g}">{tenths(pair["share"])}</td>'
            f'<td class="users" data-v="{len(users)}">{unfolded(users, 2)}</td></tr>'
        )
    heads = [
        heading("State", "name"),
        heading("Action", "does"),
        heading("Times tried", "num"),
        heading("Time spent there", "num", order="descending"),
        heading("Policies that rely on it", "users"),
    ]
    caption = "Thin places that policies rely on"
    below = count(found["thin_below"], "time")
    intro = f"<h3>{caption}</h3><p>The log shows each of these fewer than {below}.</p>"
    return intro + table("thin-table", caption, heads, rows, LIMIT)


def _grid(record: Record) -> str:
    """Return the number of visits of every state and action, where this is not too much."""
    labels, visits = record["labels"], record["sufficiency"]["visits"]
    if not visits or len(visits) > GRID_STATES or len(visits[0]) > GRID_ACTIONS:
        return ""
    most = max((v for row in visits for v in row), default=0) or 1
    heads = "".join(
        f'<th scope="col" class="num">{label(named(labels["actions"], a))}</th>'
        for a in range(len(visits[0]))
    )
    body = "".join(
        f'<tr><th scope="row" class="name">{label(named(labels["states"], s))}</th>'
        + "".join(_visited(v, most) for v in row)
        + "</tr>"
        for s, row in enumerate(visits)
    )
    inner = (
        '<div class="scroll" role="region" aria-label="Visits of every state and action" '
        f'tabindex="0"><table class="grid"><thead><tr><th scope="col" class="name">State</th>'
        f"{heads}</tr></thead><tbody>{body}</tbody></table></div>"
    )
    return folded("Visits of every state and action", inner)


def _visited(visits: int, most: int) -> str:
    depth = 0.3 * (visits / most) ** 0.5
    return f'<td class="num" style="--depth:{depth:.2f}">{visits:,}</td>'
