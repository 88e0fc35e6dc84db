"""What the answer rests on, which methods were left out, and how to compute it again."""

from tailsafe.record.schema import Record
from tailsafe.report.drawing import printable
from tailsafe.report.markup import bullets, facts, folded, section
from tailsafe.report.prose import count, label

LIMIT = 12
SHORTEST = 48
"""Names of more characters may have been cut somewhere."""


def assumptions_section(record: Record) -> str:
    """Return everything that is assumed and not proved, in plain words."""
    rows = "".join(
        f"<div><dt>{printable(a['name'].capitalize())}</dt>"
        f"<dd><strong>{label(a['value'], 120)}</strong> {printable(a['words'])}</dd></div>"
        for a in record["assumptions"]
    )
    if not rows:
        return ""
    lead = "The answer is as good as these. If one of them is wrong, the promise does not hold."
    return section("assumptions", "What this rests on", f'<dl class="terms">{rows}</dl>', lead)


def skipped_section(record: Record) -> str:
    """Return the methods that could not propose a policy, with their reasons."""
    rows = [
        f"<strong>{label(s['name'])}.</strong> {printable(s['reason'])}" for s in record["skipped"]
    ]
    if not rows:
        return ""
    body = bullets(rows[:LIMIT], "plain")
    if len(rows) > LIMIT:
        body += folded(f"{len(rows) - LIMIT:,} more methods", bullets(rows[LIMIT:], "plain"))
    lead = "These methods could not propose a policy for this problem, so they were not compared."
    return section("skipped", "Methods left out", body, lead)


def provenance_section(record: Record) -> str:
    """Return versions, seeds, hashes, models and times."""
    made = record["provenance"]
    command = " ".join(made["command"]) if made["command"] else None
    pairs = [
        ("Made", printable(made["created"])),
        ("Command", f"<code>{printable(command)}</code>" if command else "from Python"),
        ("tailsafe", printable(made["tailsafe"])),
        ("NumPy, Python", f"{printable(made['numpy'])}, {printable(made['python'])}"),
        ("Seed", f"{made['seed']}"),
        ("Prior", printable(made["prior"])),
        ("Log (SHA-256)", f"<code>{printable(made['batch_hash'])}</code>"),
        ("Posterior (SHA-256)", f"<code>{printable(made['posterior_hash'])}</code>"),
        ("Error probability of the choice", f"{record['question']['alpha']:g}"),
        ("Error probability of the certificate", f"{record['question']['alpha_certificate']:g}"),
        ("Largest number of models", f"{record['question']['max_models']:,}"),
        ("Evaluations", count(record["answer"]["evaluations"], "policy-on-model solve")),
        ("Format", printable(record["schema"])),
    ]
    body = facts(pairs, "terms provenance") + _models(record) + _seconds(record) + _cut(record)
    lead = "The same log, options and versions give the same numbers, bit for bit."
    return section("provenance", "How to compute it again", body, lead)


def _models(record: Record) -> str:
    rows = "".join(
        f'<tr><th scope="row">{printable(s["stream"].lower())}</th>'
        f'<td class="num">{s["first"]:,}</td><td class="num">{s["last"]:,}</td></tr>'
        for s in record["provenance"]["streams"]
    )
    heads = "".join(f'<th scope="col" class="num">{name}</th>' for name in ("First", "Last"))
    heads = f'<th scope="col">Stream</th>{heads}'
    body = f"<table><thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table>"
    return folded("Which models were used for what", body) if rows else ""


def _seconds(record: Record) -> str:
    rows = "".join(
        f'<tr><th scope="row">{label(name)}</th><td class="num">{seconds:,.2f} s</td></tr>'
        for name, seconds in record["provenance"]["seconds"].items()
    )
    heads = '<th scope="col">Step</th><th scope="col" class="num">Time</th>'
    body = f"<table><thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table>"
    return folded("How long it took", body) if rows else ""


def _cut(record: Record) -> str:
    """Return the names that are too long for the tables, in full."""
    names = [origin for c in record["candidates"] for origin in (c["name"], *c["origins"])]
    names += [*record["labels"]["states"], *record["labels"]["actions"], record["log"]["source"]]
    long = list(dict.fromkeys(name for name in names if len(name) > SHORTEST))
    return folded("Long names in full", bullets(map(printable, long), "plain")) if long else ""
