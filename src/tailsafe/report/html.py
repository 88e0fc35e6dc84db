"""The report: one HTML file that holds its style, its script and its drawings, and asks no network.

A pure function of the record (docs/reference/selection-json.md). Whatever the record says is
escaped, and the page forbids itself every connection and every script but its own.
"""

import json
from base64 import b64encode
from hashlib import sha256
from pathlib import Path
from re import findall
from string import Template

from tailsafe.record.schema import Record
from tailsafe.report.actions import actions_section
from tailsafe.report.answer import answer_section, masthead, warnings_section
from tailsafe.report.drawing import printable
from tailsafe.report.evidence import evidence_section
from tailsafe.report.grounds import assumptions_section, provenance_section, skipped_section
from tailsafe.report.laws import laws_section
from tailsafe.report.payload import page_data
from tailsafe.report.prose import decimals_of
from tailsafe.report.ranking import ranking_section

NAVIGATION = {
    "answer": "Answer",
    "warnings": "Before you act",
    "ranking": "Ranking",
    "performance": "Performance",
    "policy": "Policy",
    "data": "Data",
    "assumptions": "Assumptions",
    "skipped": "Left out",
    "provenance": "Provenance",
}


def render(record: Record) -> str:
    """Return the report of a record, a complete HTML page."""
    decimals = decimals_of(record)
    body = "".join(
        (
            answer_section(record, decimals),
            warnings_section(record),
            ranking_section(record, decimals),
            laws_section(record, decimals),
            actions_section(record),
            evidence_section(record, decimals),
            assumptions_section(record),
            skipped_section(record),
            provenance_section(record),
        )
    )
    script = _part("script.js")
    return Template(_part("template.html")).substitute(
        title=printable(record["question"]["title"]),
        digest=b64encode(sha256(script.encode()).digest()).decode(),
        style=_part("style.css"),
        script=script,
        masthead=masthead(record),
        navigation=_navigation(body),
        body=body,
        data=_data(record),
        version=printable(record["provenance"]["tailsafe"]),
        created=printable(record["provenance"]["created"]),
    )


def _part(name: str) -> str:
    return Path(__file__).with_name(name).read_text("utf-8").strip()


def _navigation(body: str) -> str:
    present = findall(r'<section id="(\w+)"', body)
    links = "".join(f'<li><a href="#{key}">{NAVIGATION[key]}</a></li>' for key in present)
    return f"<ul>{links}</ul>"


def _data(record: Record) -> str:
    """Return the data of the script; no text in it can end the element that holds it."""
    text = json.dumps(page_data(record), separators=(",", ":"), ensure_ascii=False)
    return text.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")
