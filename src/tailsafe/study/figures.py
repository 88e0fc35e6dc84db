"""The figures of a study as SVG (``svg_``) and with matplotlib (``plot_``, extra ``plots``)."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from tailsafe.errors import MissingDependency
from tailsafe.report.svg import Dot, dots, stacked_bars
from tailsafe.study.paper_numbers import COLUMNS, ORIGINS
from tailsafe.study.tables import Cell, Rates

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def svg_selection_rates(rates: Sequence[Rates], title: str) -> str:
    """Return the bars of Figures 4 to 6: ours, and the paper's below where it has one."""
    labels, shares = _bars(rates)
    series = {origin: [share[k] / 100.0 for share in shares] for k, origin in enumerate(ORIGINS)}
    said = "Each bar splits the choices of one selector at one log size by who proposed the policy."
    return stacked_bars(labels, series, title, said)


def svg_gains(cells: Sequence[Cell], title: str, what: str = "dU") -> str:
    """Return the mean gain (or another metric) of each method with its interval."""
    rows = [Dot(c.method, c.value, c.low, c.high) for c in cells if c.statistic == "mean"]
    said = f"A dot for each method: the mean of {what} over all logs, with its 95 % interval."
    return dots(rows, f"mean of {what}", title, said)


def plot_selection_rates(rates: Sequence[Rates], title: str) -> "Figure":
    """Return Figures 4 to 6 as a matplotlib figure."""
    labels, shares = _bars(rates)
    figure = _figure(0.35 * len(labels) + 1.2)
    axes = figure.subplots()
    left = [0.0] * len(labels)
    for k, origin in enumerate(ORIGINS):
        widths = [share[k] for share in shares]
        axes.barh(labels, widths, left=left, label=origin)
        left = [a + b for a, b in zip(left, widths, strict=True)]
    axes.invert_yaxis()
    axes.set(xlabel="choices, per cent", xlim=(0, 100), title=title)
    axes.legend(ncols=len(ORIGINS), loc="upper center", bbox_to_anchor=(0.5, -0.12), fontsize=8)
    return figure


def plot_gains(cells: Sequence[Cell], title: str) -> "Figure":
    """Return the mean gains, ours with intervals and the paper's as crosses."""
    means = [cell for cell in cells if cell.statistic == "mean"]
    figure = _figure(0.3 * len(means) + 1.2)
    axes = figure.subplots()
    names = [cell.method for cell in means]
    values = [cell.value for cell in means]
    spread = [
        [cell.value - cell.low for cell in means],
        [cell.high - cell.value for cell in means],
    ]
    axes.errorbar(values, names, xerr=spread, fmt="o", label="here")
    printed = [(c.paper, c.method) for c in means if c.paper is not None]
    if printed:
        axes.plot(*zip(*printed, strict=True), "x", label="paper")
    axes.invert_yaxis()
    axes.axvline(0.0, linewidth=0.5, color="0.5")
    axes.set(xlabel="mean of dU", title=title)
    axes.legend()
    return figure


def in_table_order(cells: Sequence[Cell]) -> list[Cell]:
    """Return the cells of the paper's columns in their order, then the others by name."""

    def place(cell: Cell) -> tuple[int, str]:
        known = cell.method in COLUMNS
        return (COLUMNS.index(cell.method) if known else len(COLUMNS), cell.method)

    return sorted(cells, key=place)


def _bars(rates: Sequence[Rates]) -> tuple[list[str], list[tuple[float, ...]]]:
    labels, shares = [], []
    for rate in rates:
        name = f"{rate.risk}, N = {rate.size}"
        labels.append(f"{name} (here)" if rate.paper else name)
        shares.append(rate.ours)
        if rate.paper is not None:
            labels.append(f"{name} (paper)")
            shares.append(rate.paper)
    return labels, shares


def _figure(height: float) -> "Figure":
    try:
        from matplotlib.figure import Figure
    except ImportError:
        raise MissingDependency(
            "figures with matplotlib need the extra plots: pip install 'tailsafe[plots]'"
        ) from None
    return Figure(figsize=(7.0, height), layout="constrained")
