"""Text for a terminal, a pipe or a file."""

import shutil
import sys
from collections.abc import Sequence
from textwrap import fill

WIDTH = 100
NAMED = 34
"""Names of more characters are cut."""


def say(text: str) -> None:
    """Print a text."""
    print(encodable(text))


def encodable(text: str) -> str:
    """Return the text as standard output can show it, with question marks for the rest."""
    encoding = sys.stdout.encoding or "utf-8"
    return text.encode(encoding, "replace").decode(encoding)


def aligned(rows: Sequence[Sequence[str]], left: set[int]) -> list[str]:
    """Return the lines of a table; the columns ``left`` stand left, numbers right."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        "  ".join(
            cell.ljust(width) if place in left else cell.rjust(width)
            for place, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]


def folded(text: str) -> str:
    """Return a paragraph, broken into lines that a terminal shows whole."""
    return fill(text, min(shutil.get_terminal_size((WIDTH, 24)).columns, WIDTH))


def listed(names: Sequence[str], most: int) -> str:
    """Return the first names, and how many more there are."""
    rest = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(names[:most]) + rest


def fixed(value: float, digits: int) -> str:
    """Return a number with so many decimals, and no minus before a zero."""
    return f"{value:z.{digits}f}"


def short(name: str) -> str:
    """Return a name that fits into a table."""
    return name if len(name) <= NAMED else name[: NAMED - 1] + "…"


def cut(line: str) -> str:
    """Return the line as it fits on the terminal; what goes to a file or a pipe stays whole."""
    width = shutil.get_terminal_size().columns if sys.stdout.isatty() else len(line)
    return line if len(line) <= width else line[: width - 1] + "…"
