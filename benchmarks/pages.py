"""Writes what was measured into the pages of the documentation, between two marks.

    <!-- measured: NAME -->  ...  <!-- end -->

Everything between them is made by a command, which is named there; the words around them are not.
"""

import re
from collections.abc import Mapping
from pathlib import Path

PAGES = Path(__file__).parents[1] / "docs" / "explanation"


def write(places: Mapping[str, str], made: str) -> None:
    """Write each text wherever a page has a place of its name, and how it was made."""
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
