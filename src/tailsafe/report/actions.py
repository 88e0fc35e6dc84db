"""What a policy does in each state, and where it departs from the policy that made the log."""

from collections.abc import Sequence

from tailsafe.record.schema import CandidateRecord, Choices, Record
from tailsafe.report.drawing import printable
from tailsafe.report.markup import heading, section, table
from tailsafe.report.prose import actions_in_words, count, label, named

LIMIT = 20
MANY = 30
"""With more states than this, a reader is first shown those where the policies differ."""
BUDGET = 200_000
"""So many (state, action) choices travel with the page, for whoever looks at other policies."""


def actions_section(record: Record) -> str:
    """Return the policy by state: the best one, or the first where none was chosen."""
    if not record["candidates"]:
        return ""
    shown = shown_first(record)
    candidate = record["candidates"][shown]
    rows = [_row(record, candidate, state) for state in _states(record)]
    caption = "What the policy does in each state"
    body = _controls(record, shown) + f'<p id="departures">{departures(record, candidate)}</p>'
    body += table("policy-table", caption, _heads(), rows, LIMIT)
    lead = (
        f"Beside it the policy that made the log ({printable(record['behaviour']['words'])}), "
        "and how often the log shows the action."
    )
    return section("policy", "What the policy does, state by state", body, lead)


def shown_first(record: Record) -> int:
    """Return the index of the policy that is shown at first."""
    best = record["answer"]["best"]
    return best if best is not None and 0 <= best < len(record["candidates"]) else 0


def departures(record: Record, candidate: CandidateRecord) -> str:
    """Return in how many states a policy departs from the log, and where on thin evidence."""
    states = _states(record)
    differing = set(candidate["differs"]) & set(states)
    below = record["sufficiency"]["thin_below"]
    thin = sum(0 < below > tried(record, candidate["policy"], state) for state in differing)
    if not differing:
        return f"It does what the log did in all {count(len(states), 'state')}."
    text = f"It differs from the policy of the log in {len(differing):,} of {count(len(states), 'state')}"
    if thin:
        text += f"; in {thin:,} of them the log shows its action fewer than {count(below, 'time')}"
    return text + "."


def tried(record: Record, choices: Choices, state: int) -> int:
    """Return how often the log shows the policy's most probable action in a state."""
    visits = record["sufficiency"]["visits"]
    if state >= len(choices) or not choices[state] or state >= len(visits):
        return 0
    action = choices[state][0][0]
    return visits[state][action] if action < len(visits[state]) else 0


def page_data(record: Record) -> dict[str, object]:
    """Return what the script needs to show another policy: all of it, as far as it fits.

    A policy is a list with one item a state: an action, or [action, probability, action, ...].
    """
    kept, left = {}, BUDGET
    for i in _order(record):
        choices = record["candidates"][i]["policy"]
        left -= sum(len(pairs) for pairs in choices)
        if left < 0:
            break
        candidate = record["candidates"][i]
        kept[str(i)] = {
            "does": [_compact(pairs) for pairs in choices],
            "differs": candidate["differs"],
            "words": departures(record, candidate),
        }
    return {
        "states": record["labels"]["states"],
        "actions": record["labels"]["actions"],
        "shown": _states(record),
        "thin": record["sufficiency"]["thin_below"],
        "visits": record["sufficiency"]["visits"],
        "policies": kept,
    }


def _order(record: Record) -> Sequence[int]:
    first = [shown_first(record), *record["answer"]["ties"]]
    inside = [i for i in first if i < len(record["candidates"])]
    return list(dict.fromkeys([*inside, *range(len(record["candidates"]))]))


def _compact(pairs: list[tuple[int, float]]) -> int | list[float]:
    if len(pairs) == 1:
        return pairs[0][0]
    return [v for action, share in pairs for v in (action, float(f"{share:.4g}"))]


def _states(record: Record) -> list[int]:
    ended = set(record["task"]["terminal"])
    return [state for state in range(record["task"]["n_states"]) if state not in ended]


def _heads() -> list[str]:
    return [
        heading("State", "name", order="ascending"),
        heading("The log", "does"),
        heading("This policy", "does"),
        heading("Times tried", "num"),
        heading("Changed", "change"),
    ]


def _row(record: Record, candidate: CandidateRecord, state: int) -> str:
    labels, behaviour = record["labels"], record["behaviour"]["policy"]
    changed = state in candidate["differs"]
    times = tried(record, candidate["policy"], state)
    thin = times < record["sufficiency"]["thin_below"]
    return (
        f'<tr data-state="{state}"{" class=changed" if changed else ""}>'
        f'<th scope="row" class="name" data-v="{state}">{label(named(labels["states"], state))}</th>'
        f'<td class="does">{actions_in_words(behaviour, state, labels["actions"])}</td>'
        f'<td class="does now">{actions_in_words(candidate["policy"], state, labels["actions"])}</td>'
        f'<td class="num" data-v="{times}">{times:,}{" <span class=thin>thin</span>" if thin else ""}</td>'
        f'<td class="change" data-v="{0 if changed else 1}">{"changed" if changed else "same"}</td></tr>'
    )


def _controls(record: Record, shown: int) -> str:
    """Return the choice of a policy and of states; only the script shows it."""
    kept = page_data(record)["policies"]
    options = "".join(
        f'<option value="{i}"{" selected" if i == shown else ""}>{i + 1}. {label_text(c["name"])}</option>'
        for i, c in enumerate(record["candidates"])
        if isinstance(kept, dict) and str(i) in kept
    )
    many = " checked" if len(_states(record)) > MANY else ""
    return (
        '<div class="controls" hidden>'
        f'<label>Policy <select id="shown-policy">{options}</select></label>'
        '<label>Find a state <input type="search" id="find-state" autocomplete="off"></label>'
        f'<label class="tick"><input type="checkbox" id="only-changed"{many}> '
        "only where it differs from the log</label></div>"
    )


def label_text(name: str) -> str:
    """Return a name for an option of a menu, which cannot hold markup."""
    return printable(name if len(name) <= 60 else name[:59].rstrip() + "…")
