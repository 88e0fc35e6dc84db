"""Writes what was measured into the pages of the documentation, between two marks.

    <!-- measured: NAME -->  ...  <!-- end -->

Everything between them is made by ``./run coverage``; the words around them are not.
"""

import re
from pathlib import Path

from benchmarks.guarantees.claims import SEED, Report, Setting, table

PAGES = Path(__file__).parents[2] / "docs" / "explanation"


def write(block: str, report: Report, setting: Setting) -> None:
    """Write the rows of a block, and its other tables, wherever a page has a place for them."""
    places = dict(report.tables)
    if report.rows:
        places[block] = table(report.rows)
    made = (
        f"Made by `./run coverage --only {block}`: seed {SEED}, "
        f"{setting.repetitions:,} repetitions."
    )
    written: set[str] = set()
    for page in sorted(PAGES.glob("*.md")):
        text = page.read_text(encoding="utf-8")
        for name, body in places.items():
            text, count = _replaced(text, name, f"{body}\n\n{made}")
            written |= {name} if count else set()
        page.write_text(text, encoding="utf-8")
    missing = set(places) - written
    if missing:
        raise SystemExit(f"no page has a place for what was measured: {sorted(missing)}")


def _replaced(text: str, name: str, body: str) -> tuple[str, int]:
    pattern = rf"(<!-- measured: {re.escape(name)} -->\n).*?(<!-- end -->)"
    return re.subn(pattern, lambda m: f"{m[1]}\n{body}\n\n{m[2]}", text, flags=re.DOTALL)
