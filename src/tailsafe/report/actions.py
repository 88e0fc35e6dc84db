"""What a policy does in each state, and where it departs from the policy that made the log."""

from tailsafe.record.schema import CandidateRecord, Record
from tailsafe.report.departures import departures, otherwise, states_of, tried
from tailsafe.report.drawing import printable, shortened
from tailsafe.report.markup import heading, section, table
from tailsafe.report.payload import kept, shown_first
from tailsafe.report.prose import actions_in_words, count, label, named

LIMIT = 20
MENU = 48
MANY = 30
"""With more states than this, a reader is first shown those where the policies differ."""


def actions_section(record: Record) -> str:
    """Return the policy by state: the best one, or the first where none was chosen."""
    if not record["candidates"]:
        return ""
    shown = shown_first(record)
    candidate = record["candidates"][shown]
    rows = [_row(record, candidate, state) for state in states_of(record)]
    caption = "What the policy does in each state"
    body = _controls(record, shown) + f'<p id="departures">{departures(record, candidate)}</p>'
    body += table("policy-table", caption, _heads(), rows, LIMIT)
    lead = (
        "Beside it what was done in the log, and how often the log tried the policy's first "
        "choice. "
        "<em>Otherwise</em>: in which share of decisions it does something else than the log. "
        "<em>Changed</em>: its first choice is another one, or it may do what the log never did."
    )
    return section("policy", "What the policy does, state by state", body, lead)


def _heads() -> list[str]:
    return [
        heading("State", "name", order="ascending"),
        heading("The log", "does"),
        heading("This policy", "does"),
        heading("Times tried", "num"),
        heading("Otherwise", "num"),
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
    apart = otherwise(record, candidate["policy"], state)
    kind, key, word = (' class="changed"', 0, "changed") if changed else ("", 1, "same")
    return (
        f'<tr data-state="{state}"{kind}><th scope="row" class="name" data-v="{state}">{name}</th>'
        f'<td class="does">{before}</td><td class="does now">{now}</td>'
        f'<td class="num" data-v="{times}">{times:,}{thin}</td>'
        f'<td class="num" data-v="{apart}">{apart / 10:.1f} %</td>'
        f'<td class="change" data-v="{key}">{word}</td></tr>'
    )


def _controls(record: Record, shown: int) -> str:
    """Return the choice of a policy and of states; only the script shows it."""
    fit, names = kept(record), [c["name"] for c in record["candidates"]]
    options = "".join(
        f'<option value="{i}"{" selected" if i == shown else ""}>'
        f"{i + 1}. {printable(shortened(names[i], MENU))}</option>"
        for i in sorted(fit)
    )
    left = len(names) - len(fit)
    note = f"{count(left, 'policy', 'policies')} too large to show here: see selection.json."
    many = " checked" if len(states_of(record)) > MANY else ""
    return (
        '<div class="controls" hidden>'
        f'<label>Policy <select id="shown-policy">{options}</select></label>'
        '<label>Find a state <input type="search" id="find-state" autocomplete="off"></label>'
        f'<label class="tick"><input type="checkbox" id="only-changed"{many}> '
        "only where it differs from the log</label>"
        f'{f"<p>{note}</p>" if left else ""}<p id="none-found" hidden>No such state.</p></div>'
    )
