"""One density a policy: where its performance may lie, with its bad tail shaded.

Laid out in per cent of the width, so that it is as legible on a telephone as on a page: the text
keeps its size, only the axis stretches.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from tailsafe.report.drawing import chart, labelled_ticks, middle_cut, printable
from tailsafe.report.scale import Scale, density, scale_over

ROW, PEAK, TOP = 62, 34, 26
UNITS = 2000
"""The density is drawn in so many units along the axis."""
POINTS = 64
HINTS = 41
"""So many of the quantiles travel along for whoever points at the ridge."""
NAME = 48
EXTREMES = (1.0, 99.0)
"""The axis is made for these percentiles."""
REACH = 3.0
"""It goes on beyond those of the first policy by so many times their distance at most."""
MARKS = ("VaR", "CVaR", "mean")


@dataclass(frozen=True, slots=True)
class Ridge:
    """The distribution of one policy's performance.

    Parameters
    ----------
    name, value
        What stands above the ridge: left and right.
    quantiles
        Equally spaced in level, from 0 to 1.
    marks
        Values to mark: "VaR" (the tail up to it is shaded), "CVaR", "mean".
    n_models
        Models behind the quantiles.
    """

    name: str
    quantiles: Sequence[float]
    marks: Mapping[str, float] = field(default_factory=dict)
    value: str = ""
    n_models: int = 2000


def common_scale(rows: Sequence[Ridge]) -> Scale:
    """Return an axis for all rows on which the first one is still well seen.

    The most extreme models, and what is much worse or much better than the first, lie off it.
    """
    ends = [float(v) for row in rows for v in np.percentile(row.quantiles, EXTREMES)]
    own = [*ends[:2], *rows[0].marks.values()]
    low, high = min(own), max(own)
    reach = REACH * (high - low)
    if reach <= 0.0:
        return scale_over(ends)
    return scale_over([*own, *(min(max(v, low - reach), high + reach) for v in ends)], 0.04)


def ridges(
    rows: Sequence[Ridge],
    x_label: str,
    title: str,
    description: str,
    scale: Scale | None = None,
) -> str:
    """Return one ridge a row above a common axis, each scaled to the same height."""
    axis = common_scale(rows) if scale is None else scale
    bottom = TOP + ROW * len(rows)
    parts = [_axis(axis, bottom, x_label)]
    parts += [_ridge(row, axis, TOP + ROW * i) for i, row in enumerate(rows)]
    # Where the script draws what the reader points at.
    parts.append(f'<line class="probe" y1="{TOP - 6}" y2="{bottom + 4}" visibility="hidden"/>')
    size = f'width="100%" height="{bottom + 44}"'
    return chart("".join(parts), size, title, description)


def _percent(scale: Scale, value: float) -> str:
    return f"{100.0 * scale.share(value):.2f}%"


def _axis(scale: Scale, bottom: int, x_label: str) -> str:
    parts = []
    for tick, label in labelled_ticks(scale, 7):
        share = scale.share(tick)
        kind = "soft" if share < 0.06 else "soft end" if share > 0.94 else "soft mid"
        x = _percent(scale, tick)
        parts.append(f'<line class="rule" x1="{x}" x2="{x}" y1="{TOP - 6}" y2="{bottom + 4}"/>')
        for y in (14, bottom + 19):
            parts.append(f'<text x="{x}" y="{y}" class="{kind}">{label}</text>')
    parts.append(f'<text x="50%" y="{bottom + 38}" class="soft mid">{printable(x_label)}</text>')
    return "".join(parts)


def _ridge(row: Ridge, scale: Scale, y: int) -> str:
    base = y + ROW - 6
    hints = np.quantile(row.quantiles, np.linspace(0.0, 1.0, HINTS), method="linear")
    data = " ".join(f"{v:.4g}" for v in hints)
    name = middle_cut(row.name, NAME) if row.name.strip() else "(blank)"
    full = f"<title>{printable(row.name)}</title>" if name != row.name else ""
    parts = [
        f'<g class="ridge" data-q="{data}"><rect y="{y}" width="100%" height="{ROW}" fill="none" '
        f'pointer-events="all"/><text y="{y + 14}" class="bold">{printable(name)}{full}</text>',
        f'<text x="100%" y="{y + 14}" class="soft end value">{printable(row.value)}</text>',
        _shape(row, scale, base),
        f'<line class="axis" x1="0" x2="100%" y1="{base}" y2="{base}"/>',
        *(_mark(kind, row.marks[kind], scale, base) for kind in MARKS if kind in row.marks),
        _beyond(row, scale, base),
        "</g>",
    ]
    return "".join(parts)


def _shape(row: Ridge, scale: Scale, base: int) -> str:
    quantiles = np.asarray(row.quantiles, dtype=np.float64)
    low, high = float(quantiles[0]), float(quantiles[-1])
    reach = 0.1 * (high - low)
    start, stop = max(low - reach, scale.low), min(high + reach, scale.high)
    if not start < stop:
        at = _percent(scale, low)
        here = f'<line class="spike" x1="{at}" x2="{at}" y1="{base - PEAK}" y2="{base}"/>'
        return here if scale.holds(low) else ""
    edge = row.marks.get("VaR", start)
    grid = np.unique(np.append(np.linspace(start, stop, POINTS), np.clip(edge, start, stop)))
    height = density(quantiles, grid, row.n_models)
    if not height.any():
        return _shape(Ridge(row.name, [(low + high) / 2]), scale, base)
    tail = grid <= edge
    sides = (("tail", tail), ("hill", grid >= edge))
    paths = "".join(_area(grid[s], height[s], scale, kind) for kind, s in sides if s.sum() > 1)
    return (
        f'<svg y="{base - PEAK}" width="100%" height="{PEAK}" '
        f'viewBox="0 0 {UNITS} {PEAK * 10}" preserveAspectRatio="none">{paths}</svg>'
    )


def _area(grid: np.ndarray, height: np.ndarray, scale: Scale, kind: str) -> str:
    x = np.rint([UNITS * scale.share(v) for v in grid]).astype(int)
    y = np.rint(PEAK * 10 * (1.0 - height)).astype(int)
    steps = "".join(f"{dx} {dy} " for dx, dy in zip(np.diff(x), np.diff(y), strict=True))
    floor = PEAK * 10
    return f'<path class="{kind}" d="M{x[0]} {floor}V{y[0]}l{steps.strip()}V{floor}z"/>'


def _mark(kind: str, value: float, scale: Scale, base: int) -> str:
    if not scale.holds(value):
        return ""
    at = _percent(scale, value)
    hint = f"<title>{kind} {value:.5g}</title>"
    if kind == "VaR":
        ends = f'x1="{at}" x2="{at}" y1="{base - PEAK}" y2="{base + 3}"'
        return f'<line class="var" {ends}>{hint}</line>'
    if kind == "mean":
        return f'<circle class="mean" cx="{at}" cy="{base}" r="3.5">{hint}</circle>'
    shape = f'<path class="cvar" d="M0-6L5 0L0 6L-5 0z">{hint}</path>'
    return f'<svg x="{at}" y="{base}" overflow="visible">{shape}</svg>'


def _beyond(row: Ridge, scale: Scale, base: int) -> str:
    """Return what to say of a ridge that lies off the axis."""
    middle = float(np.median(row.quantiles))
    if scale.holds(middle):
        return ""
    x, kind, arrow = ("1.5%", "soft", "◂ ") if middle < scale.low else ("98.5%", "soft end", "▸ ")
    text = f"{arrow}median off this axis: {middle:.5g}".replace("-", "−")
    return f'<text x="{x}" y="{base - 8}" class="{kind}">{text}</text>'
