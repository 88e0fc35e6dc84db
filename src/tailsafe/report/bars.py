"""Bars split into shares, and values with their intervals."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tailsafe.report.drawing import (
    CHARACTER,
    COLOURS,
    WIDTH,
    chart,
    colour,
    labelled_ticks,
    printable,
    shortened,
    view_box,
    words,
)
from tailsafe.report.scale import Scale, scale_over

NAME = 32
ROW = 26


@dataclass(frozen=True, slots=True)
class Dot:
    """A value with its interval; an end that is None is unbounded."""

    name: str
    value: float
    low: float | None = None
    high: float | None = None


def stacked_bars(
    labels: Sequence[str], series: Mapping[str, Sequence[float]], title: str, description: str
) -> str:
    """Return one horizontal bar a label, split into the values of the series.

    All bars share one scale; that of the largest sum spans the width. Values between 0 and 1 are
    printed in per cent.
    """
    left = _gutter(labels)
    legend, top = _legend(list(series))
    totals = [sum(values[i] for values in series.values()) for i in range(len(labels))]
    full = max([*totals, 0.0]) or 1.0
    share = all(0.0 <= v <= 1.0 for values in series.values() for v in values)
    parts = [legend]
    for i, label in enumerate(labels):
        y = top + ROW * i
        parts.append(words(left - 10, y + 17, shortened(label, NAME), "end"))
        at = float(left)
        for k, (name, values) in enumerate(series.items()):
            width = (WIDTH - 8 - left) * values[i] / full
            text = f"{values[i]:.0%}" if share else f"{values[i]:.3g}"
            parts.append(_segment(k, f"{label}, {name}: {text}", text, (at, y + 2, width)))
            at += width
    return chart("".join(parts), view_box(top + ROW * len(labels) + 8), title, description)


def _gutter(labels: Sequence[str]) -> int:
    return int(18 + CHARACTER * max((len(shortened(label, NAME)) for label in labels), default=0))


def _legend(names: Sequence[str]) -> tuple[str, int]:
    """Return the key of the colours in as many lines as it needs, and where the bars begin."""
    parts, x, y = [], 8.0, 8
    for k, name in enumerate(names):
        text = shortened(name, NAME)
        # Capitals are wider than most letters.
        width = 34 + CHARACTER * (len(text) + 0.35 * sum(sign.isupper() for sign in text))
        if x + width > WIDTH and x > 8.0:
            x, y = 8.0, y + 20
        parts.append(_box(k, x, y, 12, 12) + words(x + 18, y + 11, text))
        x += width
    return "".join(parts), y + 26


def _box(k: int, x: float, y: float, width: float, height: float, inside: str = "") -> str:
    # A second round through the colours is pale with an outline.
    look = f"fill:{colour(k)}"
    if k // COLOURS % 2:
        look += f";fill-opacity:.35;stroke:{colour(k)}"
    box = f'<rect x="{x:.1f}" y="{y}" width="{width:.1f}" height="{height}" style="{look}"'
    return f"{box}>{inside}</rect>" if inside else f"{box}/>"


def _segment(k: int, hint: str, text: str, place: tuple[float, float, float]) -> str:
    x, y, width = place
    if width <= 0.0:
        return ""
    drawn = _box(k, x, y, max(width - 1.0, 0.5), ROW - 4, f"<title>{printable(hint)}</title>")
    if width > CHARACTER * len(text) + 8 and not k // COLOURS % 2:
        drawn += words(x + width / 2, y + 15, text, "in mid")
    return drawn


def dots(rows: Sequence[Dot], x_label: str, title: str, description: str) -> str:
    """Return one line a value: its name, its interval, the value itself and as a number."""
    left, right, top = _gutter([row.name for row in rows]), WIDTH - 92, 12
    ends = [v for row in rows for v in (row.value, row.low, row.high) if v is not None]
    scale = scale_over(ends)
    bottom = top + ROW * len(rows)
    parts = [_ticks(scale, left, right, bottom), words(left, bottom + 38, x_label, "soft")]
    for i, row in enumerate(rows):
        y = top + ROW * i + ROW / 2
        low, at, high = (
            left + scale.share(v) * (right - left)
            for v in (
                scale.low if row.low is None else row.low,
                row.value,
                scale.high if row.high is None else row.high,
            )
        )
        parts.append(words(left - 10, y + 4, shortened(row.name, NAME), "end"))
        parts.append(f'<path class="axis" d="M{low:.1f} {y}H{high:.1f}"/>')
        parts.append(f'<circle cx="{at:.1f}" cy="{y}" r="4" style="fill:{colour(0)}"/>')
        parts.append(words(right + 12, y + 4, f"{row.value:.5g}".replace("-", "−")))
    return chart("".join(parts), view_box(bottom + 48), title, description)


def _ticks(scale: Scale, left: float, right: float, bottom: float) -> str:
    parts = []
    for tick, label in labelled_ticks(scale):
        x = left + scale.share(tick) * (right - left)
        parts.append(f'<path class="rule" d="M{x:.1f} 8V{bottom}"/>')
        parts.append(words(x, bottom + 18, label, "soft mid"))
    return "".join(parts)
