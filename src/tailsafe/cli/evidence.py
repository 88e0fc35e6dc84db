"""What a log shows and what it hardly shows, for ``tailsafe data``."""

from typing import TypedDict

from tailsafe.cli.clock import Clock
from tailsafe.cli.options import Options
from tailsafe.cli.printing import aligned, folded, listed, short
from tailsafe.cli.problems import posed_problem, proposed, watched
from tailsafe.cli.progress import progress
from tailsafe.data.coverage import sufficiency
from tailsafe.record.grounds import assumption_records
from tailsafe.record.log import labels_record, log_record
from tailsafe.record.schema import (
    AssumptionRecord,
    LabelsRecord,
    LogRecord,
    SufficiencyRecord,
    WarningRecord,
)
from tailsafe.record.sufficiency import sufficiency_record

ROWS, COLUMNS = 12, 8
"""So many states and actions are listed; --json has them all."""


class Evidence(TypedDict):
    """What ``tailsafe data --json`` prints."""

    log: LogRecord
    labels: LabelsRecord
    candidates: list[str]
    sufficiency: SufficiencyRecord
    assumptions: list[AssumptionRecord]
    warnings: list[WarningRecord]


def evidence(options: Options) -> Evidence:
    """Return what a log shows, and what candidates would rely on that it hardly shows."""
    clock = Clock()
    with progress(shown=watched(options)) as watchers:
        posed = posed_problem(options, clock)
        proposal = proposed(options, posed, watchers, clock)
    found = sufficiency(posed.problem, proposal.candidates, posed.log.labels)
    return {
        "log": log_record(posed),
        "labels": labels_record(posed.log.labels),
        "candidates": [candidate.name for candidate in proposal],
        "sufficiency": sufficiency_record(found),
        "assumptions": assumption_records(posed),
        "warnings": [{"code": w.code, "words": w.words} for w in posed.warnings],
    }


def text_of(found: Evidence) -> str:
    """Return what a log shows as it is printed."""
    log, shown, labels = found["log"], found["sufficiency"], found["labels"]
    head = (
        f"{log['source']}: {log['transitions']:,} transitions in {log['episodes']:,} episodes of "
        f"{log['shortest']} to {log['longest']} steps; {len(labels['states'])} states, "
        f"{len(labels['actions'])} actions."
    )
    table = aligned(_visits(found), left={0})
    parts = [*map(folded, [head, *log["notes"]]), "", *table, "", *map(folded, shown["words"])]
    if shown["thin"]:
        parts += ["", *aligned(_thin(found), left={0, 1, 4})]
    parts += ["", *(folded(f"Warning: {w['words']}") for w in found["warnings"])]
    return "\n".join(parts).rstrip()


def _visits(found: Evidence) -> list[list[str]]:
    """Return the table of visits, the states that were left least often first."""
    labels, visits = found["labels"], found["sufficiency"]["visits"]
    rarest = sorted(range(len(visits)), key=lambda s: (sum(visits[s]), s))
    rows = [["times tried", *map(short, labels["actions"][:COLUMNS])]]
    for s in rarest[:ROWS]:
        rows.append([short(labels["states"][s]), *(f"{n:,}" for n in visits[s][:COLUMNS])])
    if len(rarest) > ROWS:
        rows.append(
            [f"and {len(rarest) - ROWS} states tried more often", *[""] * (len(rows[0]) - 1)]
        )
    return rows


def _thin(found: Evidence) -> list[list[str]]:
    labels = found["labels"]
    rows = [["state", "action", "tried", "time spent there", "by"]]
    for pair in found["sufficiency"]["thin"][:ROWS]:
        users = [found["candidates"][i] for i in pair["candidates"]]
        named = labels["states"][pair["state"]], labels["actions"][pair["action"]]
        shares = [f"{pair['visits']}", f"up to {100.0 * pair['share']:.3g} %"]
        rows.append([*map(short, named), *shares, listed(users, 2)])
    return rows
