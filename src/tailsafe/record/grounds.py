"""What the answer rests on, and what to know before acting on it, most serious first."""

from collections.abc import Iterator

from tailsafe.certificate.words import rounded_down
from tailsafe.data.posing import Posed
from tailsafe.record.schema import AssumptionRecord, Record, WarningRecord

THIN_SHARE = 0.1
"""A policy that spends more of its time than this in thin data is warned of."""

FEW = 3
"""Fewer candidates than this are hardly a choice."""

URGENCY = (
    *("interrupted", "budget", "flat prior", "thin data", "open ends", "unseen states"),
    *("unseen reward", "discount", "floor", "few candidates", "short episodes", "data"),
    "skipped methods",
)


def assumption_records(posed: Posed) -> list[AssumptionRecord]:
    """Return everything that is assumed and not proved."""
    return [{"name": a.name, "value": a.value, "words": a.words} for a in posed.assumptions]


def warning_records(posed: Posed, record: Record) -> list[WarningRecord]:
    """Return the cautions of the data and those of the answer, most serious first."""
    found = [WarningRecord(code=w.code, words=w.words) for w in posed.warnings]
    found += [WarningRecord(code=code, words=words) for code, words in _of_answer(record)]
    return sorted(found, key=lambda w: _urgency(w["code"]))


def _urgency(code: str) -> int:
    return URGENCY.index(code) if code in URGENCY else len(URGENCY)


def _of_answer(record: Record) -> Iterator[tuple[str, str]]:
    answer, n_ties = record["answer"], len(record["answer"]["ties"])
    if answer["status"] == "budget":
        yield (
            "budget",
            f"{n_ties} candidates are not told apart: more models (--budget), a larger tolerance "
            "(--eps), or more data would.",
        )
    if answer["status"] == "interrupted":
        yield "interrupted", f"The race was stopped by hand with {n_ties} candidates left."
    yield from _thin(record)
    yield from _floor(record)
    yield from _candidates(record)


def _thin(record: Record) -> Iterator[tuple[str, str]]:
    best = record["answer"]["best"]
    least = record["sufficiency"]["thin_below"]
    for index, candidate in enumerate(record["candidates"]):
        share = candidate["thin_share"]
        if best in (None, index) and share > THIN_SHARE:
            yield (
                "thin data",
                f"{candidate['name']} spends {100.0 * share:.3g} % of its time where the log shows "
                f"its action fewer than {least} times: there the prior speaks, not the data.",
            )


def _floor(record: Record) -> Iterator[tuple[str, str]]:
    """Yield a warning only where some performance lies below: far out the floor moves nothing."""
    floor, best = record["answer"]["floor"], record["answer"]["best"]
    if floor is None or best is None or record["candidates"][best]["quantiles"][0] >= floor:
        return
    least = rounded_down(floor)
    yield (
        "floor",
        f"Performances below {least} counted as {least}, and there are some: the guarantee "
        "does not speak of how much worse they are.",
    )


def _candidates(record: Record) -> Iterator[tuple[str, str]]:
    n, skipped = len(record["candidates"]), record["skipped"]
    if record["question"]["kind"] == "select" and n < FEW:
        counted = "1 policy was" if n == 1 else f"{n} distinct policies were"
        yield "few candidates", f"Only {counted} to choose from."
    if skipped:
        names = ", ".join(s["name"] for s in skipped[:4])
        more = f" and {len(skipped) - 4} more" if len(skipped) > 4 else ""
        yield "skipped methods", f"Methods that could not propose a policy: {names}{more}."
