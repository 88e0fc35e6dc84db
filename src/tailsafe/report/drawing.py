"""The elements of a chart: its frame, text, colours, ticks."""

from collections.abc import Iterator
from html import escape
from pathlib import Path
from zlib import crc32

from tailsafe.report.scale import Scale, round_step, tick_label

COLOURS = 8
WIDTH = 720
CHARACTER = 6.6
"""About the width of a character of the 13 px text, for what is placed beside it."""


def printable(text: str) -> str:
    """Return text for HTML and XML: markup escaped, forbidden control characters replaced."""
    allowed = (c if c >= " " or c in "\t\n" else "�" for c in str(text))
    return escape("".join(allowed).replace("\x7f", "�"))


def shortened(text: str, length: int) -> str:
    """Return the text, cut with an ellipsis if it is longer."""
    return text if len(text) <= length else text[: length - 1].rstrip() + "…"


def middle_cut(text: str, length: int) -> str:
    """Return the text, cut in its middle if it is longer: what tells names apart is at the ends."""
    if len(text) <= length:
        return text
    head, tail = length // 2, length - length // 2 - 1
    return f"{text[:head].rstrip()}…{text[-tail:].lstrip()}"


def chart(body: str, size: str, title: str, description: str) -> str:
    """Return the svg element around a drawing; ``size`` holds its width, height or viewBox."""
    key = f"c{crc32((title + description).encode()):08x}"
    style = Path(__file__).with_name("chart.css").read_text("utf-8").replace("\n", "")
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="chart" role="img" {size} '
        f'aria-labelledby="{key}t" aria-describedby="{key}d"><title id="{key}t">{printable(title)}'
        f'</title><desc id="{key}d">{printable(description)}</desc><style>{style}</style>'
        f'<rect class="paper" width="100%" height="100%"/>{body}</svg>'
    )


def view_box(height: float) -> str:
    """Return the size of a chart that scales as a whole."""
    return f'viewBox="0 0 {WIDTH} {height:g}" width="{WIDTH}" height="{height:g}"'


def words(x: float, y: float, text: str, kind: str = "", fill: str = "") -> str:
    """Return a text element; ``kind`` is its classes, ``fill`` its colour if not that of ink."""
    look = f' style="fill:{fill}"' if fill else ""
    return f'<text x="{x:.1f}" y="{y:.1f}" class="{kind}"{look}>{printable(text)}</text>'


def colour(k: int) -> str:
    """Return the colour of the k-th series, as CSS."""
    return f"var(--c{k % COLOURS + 1})"


def labelled_ticks(scale: Scale, count: int = 6) -> Iterator[tuple[float, str]]:
    """Yield the ticks of an axis with what is printed at them."""
    step = round_step((scale.high - scale.low) / count)
    for tick in scale.ticks(count):
        yield tick, tick_label(tick, step)
