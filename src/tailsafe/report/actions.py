"""What a policy does in each state, and where it departs from the policy that made the log."""

from collections.abc import Sequence

from tailsafe.record.schema import CandidateRecord, Choices, Record
from tailsafe.report.drawing import printable, shortened
from tailsafe.report.markup import heading, section, table
from tailsafe.report.prose import actions_in_words, count, label, named

LIMIT = 20
MENU = 48
MANY = 30
"""With more states than this, a reader is first shown those where the policies differ."""
BUDGET = 60_000
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
    many = count(len(states), "state")
    text = f"It differs from the policy of the log in {len(differing):,} of {many}"
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
    """Return what the script needs to show another policy, as far as it fits.

    A policy is a list with one item a state: an action, or [action, probability, action, ...].
    """
    return {
        "states": record["labels"]["states"],
        "actions": record["labels"]["actions"],
        "thin": record["sufficiency"]["thin_below"],
        "visits": record["sufficiency"]["visits"],
        "policies": {str(i): _policy(record, record["candidates"][i]) for i in _kept(record)},
    }


def _policy(record: Record, candidate: CandidateRecord) -> dict[str, object]:
    return {
        "does": [_compact(pairs) for pairs in candidate["policy"]],
        "differs": candidate["differs"],
        "words": departures(record, candidate),
    }


def _kept(record: Record) -> list[int]:
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
    thin = ' <span class="thin">thin</span>' if times < record["sufficiency"]["thin_below"] else ""
    name = label(named(labels["states"], state))
    before, now = (
        actions_in_words(choices, state, labels["actions"])
        for choices in (behaviour, candidate["policy"])
    )
    kind, key, word = (' class="changed"', 0, "changed") if changed else ("", 1, "same")
    return (
        f'<tr data-state="{state}"{kind}><th scope="row" class="name" data-v="{state}">{name}</th>'
        f'<td class="does">{before}</td><td class="does now">{now}</td>'
        f'<td class="num" data-v="{times}">{times:,}{thin}</td>'
        f'<td class="change" data-v="{key}">{word}</td></tr>'
    )


def _controls(record: Record, shown: int) -> str:
    """Return the choice of a policy and of states; only the script shows it."""
    kept, names = _kept(record), [c["name"] for c in record["candidates"]]
    options = "".join(
        f'<option value="{i}"{" selected" if i == shown else ""}>'
        f"{i + 1}. {printable(shortened(names[i], MENU))}</option>"
        for i in sorted(kept)
    )
    left = len(names) - len(kept)
    note = f"{count(left, 'policy', 'policies')} too large to show here: see selection.json."
    many = " checked" if len(_states(record)) > MANY else ""
    return (
        '<div class="controls" hidden>'
        f'<label>Policy <select id="shown-policy">{options}</select></label>'
        '<label>Find a state <input type="search" id="find-state" autocomplete="off"></label>'
        f'<label class="tick"><input type="checkbox" id="only-changed"{many}> '
        "only where it differs from the log</label>"
        f'{f"<p>{note}</p>" if left else ""}<p id="none-found" hidden>No such state.</p></div>'
    )
