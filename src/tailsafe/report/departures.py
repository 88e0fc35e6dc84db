"""Where a policy departs from the one that made the log, and on how much evidence."""

from tailsafe.record.schema import CandidateRecord, Choices, Record
from tailsafe.report.prose import count


def states_of(record: Record) -> list[int]:
    """Return the states in which there is something to do."""
    ended = set(record["task"]["terminal"])
    return [state for state in range(record["task"]["n_states"]) if state not in ended]


def departures(record: Record, candidate: CandidateRecord) -> str:
    """Return in how many states a policy departs from the log, and where on thin evidence."""
    states = states_of(record)
    differing = set(candidate["differs"]) & set(states)
    below = record["sufficiency"]["thin_below"]
    thin = sum(0 < below > tried(record, candidate["policy"], state) for state in differing)
    if not differing:
        return f"Its first choice is that of the log in all {count(len(states), 'state')}."
    many = count(len(states), "state")
    text = f"It changes what is done in {len(differing):,} of {many}"
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


def otherwise(record: Record, choices: Choices, state: int) -> int:
    """Return in how many of 1,000 decisions a policy does something else than the log did.

    The total variation between both: 1 - sum over a of min(pi(a|s), b(a|s)).
    """
    log = record["behaviour"]["policy"]
    if state >= len(choices) or state >= len(log):
        return 1000
    before = dict(log[state])
    shared = sum(min(share, before.get(action, 0.0)) for action, share in choices[state])
    return round(1000 * (1.0 - min(shared, 1.0)))
