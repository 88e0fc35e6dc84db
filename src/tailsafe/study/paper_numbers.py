"""The numbers that the paper prints, and how near a reproduction should come to them.

``DELTA_U``: Table 2 (Ring, Chain: 7 sizes x 100 logs) and Table 3 (RFL: 9 sizes x 50 logs), the
normalised performance difference dU over all logs, by environment, statistic and column.
``SELECTION_RATES``: Figures 4 to 6, in per cent, by environment, measure and size: how often EvC's
policy was that of a method. ``tolerance``: of a ``published`` run of 700 logs; what is None there
is not reproducible (the seeds are unknown), or is no target.
"""

COLUMNS = (
    *("SPIBB", "BOPAH", "BCR", "NORBU"),
    *("EvC VaR(0.25)", "EvC CVaR(0.25)", "UnO VaR(0.25)", "UnO CVaR(0.25)"),
)

STATISTICS = ("max", "mean", "median", "min")

DELTA_U: dict[tuple[str, str], tuple[float, ...]] = {
    ("ring", "max"): (0.61, 0.48, 0.74, 0.84, 0.82, 0.71, 0.82, 0.72),
    ("ring", "mean"): (-0.29, -0.28, -0.01, 0.03, 0.01, -0.04, -0.26, -0.27),
    ("ring", "median"): (-0.31, -0.34, 0.0, 0.0, 0.0, 0.0, -0.27, -0.33),
    ("ring", "min"): (-0.78, -0.68, -0.82, -0.71, -0.82, -0.82, -0.96, -0.96),
    ("chain", "max"): (0.55, 0.54, 0.55, 0.55, 0.55, 0.55, 0.54, 0.54),
    ("chain", "mean"): (0.0, 0.01, 0.01, 0.02, 0.01, 0.01, 0.01, 0.01),
    ("chain", "median"): (-0.01, -0.01, -0.01, -0.01, -0.01, -0.01, -0.01, -0.01),
    ("chain", "min"): (-0.38, -0.16, -0.15, -0.15, -0.16, -0.16, -0.16, -0.16),
    ("lake 1", "max"): (0.32, 0.31, 0.31, 0.32, 0.30, 0.32, 0.37, 0.32),
    ("lake 1", "mean"): (0.05, -0.04, -0.04, 0.05, 0.05, 0.05, -0.02, -0.05),
    ("lake 1", "median"): (0.04, -0.07, -0.04, 0.04, 0.04, 0.04, -0.01, -0.08),
    ("lake 1", "min"): (-0.25, -0.22, -0.39, -0.33, -0.33, -0.33, -0.31, -0.22),
    ("lake 2", "max"): (0.33, 0.22, 0.30, 0.34, 0.34, 0.34, 0.28, 0.18),
    ("lake 2", "mean"): (0.02, -0.07, -0.05, 0.06, 0.06, 0.06, 0.0, -0.07),
    ("lake 2", "median"): (0.01, -0.08, -0.06, 0.06, 0.06, 0.06, -0.01, -0.08),
    ("lake 2", "min"): (-0.21, -0.22, -0.29, -0.12, -0.12, -0.12, -0.28, -0.26),
    ("lake 3", "max"): (0.30, 0.23, 0.43, 0.36, 0.36, 0.36, 0.35, 0.18),
    ("lake 3", "mean"): (0.01, -0.08, 0.0, 0.04, 0.04, 0.04, -0.03, -0.08),
    ("lake 3", "median"): (-0.0, -0.09, 0.01, 0.02, 0.02, 0.02, -0.03, -0.09),
    ("lake 3", "min"): (-0.16, -0.30, -0.36, -0.27, -0.27, -0.27, -0.29, -0.26),
    ("lake 4", "max"): (0.32, 0.22, 0.36, 0.31, 0.31, 0.31, 0.27, 0.22),
    ("lake 4", "mean"): (0.02, -0.06, 0.01, 0.05, 0.05, 0.05, -0.05, -0.06),
    ("lake 4", "median"): (0.02, -0.06, 0.01, 0.05, 0.05, 0.05, -0.05, -0.06),
    ("lake 4", "min"): (-0.32, -0.30, -0.40, -0.29, -0.29, -0.29, -0.39, -0.30),
}

TEXT = " (text)"
"""Ends the names of domains as the text has them; their rows stand beside the same cells."""

ORIGINS = ("Trivial", "BCR", "SPIBB", "BOPAH", "NORBU", "Gamma")
"""Columns of the figures; Gamma: a plan on a posterior model, or at a smaller discount."""

SELECTION_RATES: dict[tuple[str, str, int], tuple[float, ...]] = {
    ("ring", "VaR", 8): (17.9, 23.2, 0.0, 0.0, 25.5, 33.4),
    ("ring", "VaR", 24): (13.9, 27.4, 0.0, 0.0, 28.7, 30.1),
    ("ring", "VaR", 40): (16.0, 27.0, 0.0, 0.0, 25.7, 31.4),
    ("ring", "VaR", 56): (16.4, 27.0, 0.0, 0.0, 26.5, 30.2),
    ("ring", "VaR", 72): (17.7, 27.3, 0.0, 0.0, 25.3, 29.7),
    ("ring", "VaR", 88): (20.1, 27.0, 0.0, 0.0, 24.5, 28.5),
    ("ring", "CVaR", 8): (19.5, 25.6, 0.0, 0.0, 17.5, 37.5),
    ("ring", "CVaR", 24): (15.3, 28.1, 0.0, 0.0, 24.0, 32.6),
    ("ring", "CVaR", 40): (18.3, 25.1, 0.0, 0.0, 22.8, 33.9),
    ("ring", "CVaR", 56): (17.3, 26.7, 0.0, 0.0, 24.3, 31.7),
    ("ring", "CVaR", 72): (19.5, 25.9, 0.0, 0.0, 23.8, 30.8),
    ("ring", "CVaR", 88): (20.5, 26.4, 0.0, 0.0, 23.4, 29.7),
    ("chain", "VaR", 8): (1.3, 37.3, 0.0, 0.0, 25.8, 35.7),
    ("chain", "VaR", 24): (4.8, 36.1, 0.0, 0.0, 22.3, 36.8),
    ("chain", "VaR", 40): (4.6, 35.4, 0.0, 0.0, 23.8, 36.3),
    ("chain", "VaR", 56): (6.8, 32.5, 0.0, 0.0, 25.1, 35.6),
    ("chain", "VaR", 72): (5.5, 31.8, 0.0, 0.0, 25.2, 37.5),
    ("chain", "VaR", 88): (6.6, 32.0, 0.0, 0.0, 24.5, 36.8),
    ("chain", "CVaR", 8): (1.3, 37.3, 0.0, 0.0, 25.8, 35.7),
    ("chain", "CVaR", 24): (4.8, 35.9, 0.0, 0.0, 22.1, 37.1),
    ("chain", "CVaR", 40): (4.5, 35.2, 0.0, 0.0, 23.4, 36.8),
    ("chain", "CVaR", 56): (6.9, 31.9, 0.0, 0.0, 24.2, 37.0),
    ("chain", "CVaR", 72): (5.7, 31.2, 0.0, 0.0, 24.2, 38.9),
    ("chain", "CVaR", 88): (6.8, 31.7, 0.0, 0.0, 24.1, 37.5),
    ("lake", "VaR", 15): (0.0, 0.0, 0.0, 0.0, 40.0, 60.0),
    ("lake", "VaR", 45): (0.0, 0.0, 0.0, 0.0, 62.7, 37.3),
    ("lake", "VaR", 75): (0.0, 0.0, 0.0, 0.0, 78.3, 21.7),
    ("lake", "VaR", 105): (0.0, 0.0, 0.0, 0.0, 90.1, 9.9),
    ("lake", "VaR", 135): (0.0, 0.0, 0.0, 0.0, 93.9, 6.1),
    ("lake", "CVaR", 15): (0.0, 0.0, 0.0, 0.0, 40.0, 60.0),
    ("lake", "CVaR", 45): (0.0, 0.0, 0.0, 0.0, 60.0, 40.0),
    ("lake", "CVaR", 75): (0.0, 0.0, 0.0, 0.0, 75.2, 24.8),
    ("lake", "CVaR", 105): (0.0, 0.0, 0.0, 0.0, 88.6, 11.4),
    ("lake", "CVaR", 135): (0.0, 0.0, 0.0, 0.0, 97.6, 2.4),
}

RATE_TOLERANCE = 5.0
"""Percentage points of a cell of Figures 4 and 5; Figure 6 is not reproducible."""


def tolerance(domain: str, statistic: str, column: str) -> float | None:
    """Return how near to a cell of Table 2 or 3 a reproduction should come, None if it need not."""
    domain = domain.removesuffix(TEXT)
    if domain == "ring":
        wide = statistic == "median" and column == "UnO VaR(0.25)"
        return 0.12 if wide else {"mean": 0.04, "median": 0.05, "min": 0.12, "max": 0.15}[statistic]
    if domain == "chain":
        if column.startswith("UnO") and statistic in ("median", "min"):
            return None
        wide = statistic == "min" and column == "SPIBB"
        return (
            0.06 if wide else {"mean": 0.015, "median": 0.005, "min": 0.03, "max": 0.02}[statistic]
        )
    if domain == "lake" and statistic == "mean":
        return 0.06 if column == "BCR" else 0.04
    return None


def delta_u(domain: str, statistic: str, column: str) -> float:
    """Return a cell of Table 2 or 3; ``lake`` is the mean over its four environments."""
    place, domain = COLUMNS.index(column), domain.removesuffix(TEXT)
    if domain != "lake":
        return DELTA_U[domain, statistic][place]
    cells = [DELTA_U[f"lake {i}", statistic][place] for i in range(1, 5)]
    return sum(cells) / len(cells)


def is_printed(domain: str, statistic: str, column: str) -> bool:
    """Return whether the paper has such a cell.

    For the lakes together only the mean follows from what is printed of each: the largest of all
    logs is not the mean of the four largest.
    """
    printed = {*DELTA_U, ("lake", "mean")}
    return (domain.removesuffix(TEXT), statistic) in printed and column in COLUMNS
