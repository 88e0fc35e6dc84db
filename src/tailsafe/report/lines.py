"""Curves with bands, named at their ends."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import accumulate
from math import isfinite

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

HEIGHT, LEFT, TOP, BOTTOM = 380, 64, 34, 332
NAME = 28
Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Series:
    """A curve, with a band around it if low and high are given; missing values are NaN."""

    name: str
    x: Sequence[float]
    y: Sequence[float]
    low: Sequence[float] | None = None
    high: Sequence[float] | None = None


def lines(
    series: Sequence[Series], x_label: str, y_label: str, title: str, description: str
) -> str:
    """Return curves with their bands, each named at its right end."""
    longest = max((len(shortened(s.name, NAME)) for s in series), default=0)
    right = WIDTH - 28 - CHARACTER * longest
    x = scale_over([u for s in series for u in s.x], 0.02)
    y = scale_over([v for s in series for part in (s.y, s.low, s.high) for v in part or ()])

    def place(u: float, v: float) -> Point:
        return LEFT + x.share(u) * (right - LEFT), BOTTOM - y.share(v) * (BOTTOM - TOP)

    curves = [[place(u, v) for u, v in zip(s.x, s.y, strict=True)] for s in series]
    parts = [_axes(x, y, right), words(LEFT, 16, y_label, "soft")]
    parts.append(words((LEFT + right) / 2, BOTTOM + 38, x_label, "soft mid"))
    parts += [_band(s, k, place) for k, s in enumerate(series)]
    parts += [_curve(s, k, curves[k]) for k, s in enumerate(series)]
    ends = [_end(curve, right) for curve in curves]
    for k, at in enumerate(spread([v for _, v in ends], 15.0, TOP, BOTTOM)):
        name = shortened(series[k].name, NAME)
        parts.append(words(ends[k][0] + 10, at + 4, name, "bold", colour(k)))
    return chart("".join(parts), view_box(HEIGHT), title, description)


def _axes(x: Scale, y: Scale, right: float) -> str:
    parts = []
    for tick, label in labelled_ticks(y):
        at = BOTTOM - y.share(tick) * (BOTTOM - TOP)
        parts.append(f'<path class="rule" d="M{LEFT} {at:.1f}H{right:.1f}"/>')
        parts.append(words(LEFT - 8, at + 4, label, "soft end"))
    parts.append(f'<path class="axis" d="M{LEFT} {BOTTOM}H{right:.1f}"/>')
    for tick, label in labelled_ticks(x):
        at = LEFT + x.share(tick) * (right - LEFT)
        parts.append(words(at, BOTTOM + 18, label, "soft mid"))
    return "".join(parts)


def _band(series: Series, k: int, place: Callable[[float, float], Point]) -> str:
    if series.low is None or series.high is None:
        return ""
    edges = [
        (place(u, low), place(u, high))
        for u, low, high in zip(series.x, series.low, series.high, strict=True)
        if isfinite(low) and isfinite(high)
    ]
    around = [low for low, _ in edges] + [high for _, high in reversed(edges)]
    return f'<path class="band" style="fill:{colour(k)}" d="{_path(around)}z"/>' if edges else ""


def _curve(series: Series, k: int, points: Sequence[Point]) -> str:
    # A second round through the colours is dashed.
    dashed = ";stroke-dasharray:6 4" if k // COLOURS % 2 else ""
    parts = [
        f'<path class="line" style="stroke:{colour(k)}{dashed}" d="{_path(run)}"/>'
        for run in _runs(points)
    ]
    for u, v, (px, py) in zip(series.x, series.y, points, strict=True):
        if isfinite(v):
            label = printable(f"{series.name}: {v:.5g} at {u:g}")
            parts.append(
                f'<circle cx="{px:.1f}" cy="{py:.1f}" r="3" style="fill:{colour(k)}">'
                f"<title>{label}</title></circle>"
            )
    return "".join(parts)


def _runs(points: Sequence[Point]) -> list[list[Point]]:
    """Return the stretches of a curve between its missing values."""
    runs: list[list[Point]] = [[]]
    for point in points:
        if isfinite(point[1]):
            runs[-1].append(point)
        elif runs[-1]:
            runs.append([])
    return [run for run in runs if run]


def _path(points: Sequence[Point]) -> str:
    return "M" + "L".join(f"{u:.1f} {v:.1f}" for u, v in points)


def _end(points: Sequence[Point], right: float) -> Point:
    return next((p for p in reversed(points) if isfinite(p[1])), (right, float(BOTTOM)))


def spread(wanted: Sequence[float], gap: float, top: float, bottom: float) -> list[float]:
    """Return the places, moved so that neighbours are a gap apart and none is below the bottom.

    More than fit between top and bottom come closer together than the gap.
    """
    gap = min(gap, (bottom - top) / max(1, len(wanted) - 1))
    order = sorted(range(len(wanted)), key=lambda k: (wanted[k], k))
    down = accumulate((wanted[k] for k in order), lambda last, at: max(at, last + gap))
    up = accumulate(reversed(list(down)), lambda last, at: min(at, last - gap))
    lowered = [min(at, bottom - gap * i) for i, at in enumerate(up)]
    places = dict(zip(reversed(order), lowered, strict=True))
    return [places[k] for k in range(len(wanted))]
