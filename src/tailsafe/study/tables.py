"""Tables 2 and 3 and Figures 4 to 6 from the rows of a study, beside what the paper prints.

A cell is a statistic of dU over all logs of a domain, with a percentile bootstrap interval over the
logs (B. Efron, Bootstrap methods, 1979). Selection rates count a choice once for each method that
proposed the chosen policy, and are then scaled to 100 %.
"""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass

import numpy as np

from tailsafe.arrays import FloatArray
from tailsafe.study.paper_numbers import (
    ORIGINS,
    RATE_TOLERANCE,
    SELECTION_RATES,
    STATISTICS,
    TEXT,
    delta_u,
    is_printed,
    tolerance,
)
from tailsafe.study.rows import Row

RESAMPLES = 1_000
CONFIDENCE = 0.95

Statistic = Callable[[FloatArray], FloatArray]
_OF: dict[str, Statistic] = {
    "max": lambda x: x.max(axis=-1),
    "mean": lambda x: x.mean(axis=-1),
    "median": lambda x: np.median(x, axis=-1),
    "min": lambda x: x.min(axis=-1),
}


@dataclass(frozen=True, slots=True)
class Cell:
    """One number of ours, beside the paper's if it prints one.

    Parameters
    ----------
    domain, statistic, method
        Which.
    value, low, high
        Ours, with its bootstrap interval.
    n_logs
        Over how many.
    paper, tolerance
        What the paper prints, and how near we should come; None where there is no such number, or
        no such aim.
    """

    domain: str
    statistic: str
    method: str
    value: float
    low: float
    high: float
    n_logs: int
    paper: float | None = None
    tolerance: float | None = None

    @property
    def inside(self) -> bool | None:
        """Whether it is as near as it should be; None where there is no aim."""
        if self.paper is None or self.tolerance is None:
            return None
        # Printed numbers are rounded to two decimals.
        return abs(self.value - self.paper) <= self.tolerance + 0.005


@dataclass(frozen=True, slots=True)
class Rates:
    """How often a selector chose what a method proposed, in per cent, by origin.

    Parameters
    ----------
    domain, risk, size
        Which logs and which selector.
    n_logs
        Over how many.
    ours, paper
        In the order of ``ORIGINS``; None where the paper has no such bar.
    """

    domain: str
    risk: str
    size: int
    n_logs: int
    ours: tuple[float, ...]
    paper: tuple[float, ...] | None

    @property
    def inside(self) -> bool | None:
        """Whether every share is within 5 points; None where there is no aim."""
        if self.paper is None or self.domain.startswith("lake"):
            return None
        return all(abs(a - b) <= RATE_TOLERANCE for a, b in zip(self.ours, self.paper, strict=True))


def gain_cells(rows: Iterable[Row], seed: int = 0, metric: str = "gain") -> list[Cell]:
    """Return the statistics of dU of each domain and method; lakes also together, as ``lake``.

    Parameters
    ----------
    rows, seed
        Of which logs; of the bootstrap.
    metric
        Another column instead of dU, of ``design.METRICS``.
    """
    gains: dict[tuple[str, str], list[float]] = {}
    for row in rows:
        value = getattr(row, metric)
        if value is not None and row.role in ("baseline", "selector") and row.policy >= 0:
            gains.setdefault((row.domain, row.method), []).append(value)
    together: dict[tuple[str, str], list[float]] = {}
    for (domain, method), values in gains.items():
        if _together(domain) != domain:
            together.setdefault((_together(domain), method), []).extend(values)
    rng = np.random.default_rng(seed)
    return [
        _cell(domain, statistic, method, np.array(values), rng, printed=metric == "gain")
        for (domain, method), values in {**gains, **together}.items()
        for statistic in STATISTICS
    ]


def _cell(
    domain: str,
    statistic: str,
    method: str,
    gains: FloatArray,
    rng: np.random.Generator,
    *,
    printed: bool,
) -> Cell:
    of = _OF[statistic]
    drawn = of(gains[rng.integers(0, len(gains), (RESAMPLES, len(gains)))])
    low, high = interval(drawn)
    known = printed and is_printed(domain, statistic, method)
    return Cell(
        domain,
        statistic,
        method,
        float(of(gains)),
        low,
        high,
        len(gains),
        delta_u(domain, statistic, method) if known else None,
        tolerance(domain, statistic, method) if known else None,
    )


def interval(drawn: FloatArray) -> tuple[float, float]:
    """Return the percentile bootstrap interval of a statistic, given that of each resample."""
    low, high = np.quantile(drawn, [(1 - CONFIDENCE) / 2, (1 + CONFIDENCE) / 2])
    return float(low), float(high)


def selection_rates(rows: Iterable[Row], selector: str = "EvC") -> list[Rates]:
    """Return the selection rates of EvC (or another selector), as the paper counts them."""
    return [
        Rates(
            *(domain, risk, size, len(picks), _shares(picks)),
            SELECTION_RATES.get((domain.removesuffix(TEXT), risk, size)),
        )
        for (domain, risk, size), picks in sorted(_picks(rows, selector).items())
    ]


def split_rates(rows: Iterable[Row], selector: str = "EvC") -> list[Rates]:
    """Return selection rates in which a policy of several methods counts once, split evenly."""
    return [
        Rates(*key, len(picks), _split(picks), None)
        for key, picks in sorted(_picks(rows, selector).items())
    ]


def _picks(rows: Iterable[Row], selector: str) -> dict[tuple[str, str, int], list[str]]:
    """Return who proposed what was chosen, by domain (lakes together), measure and size."""
    chosen: dict[tuple[str, str, int], list[str]] = {}
    for row in rows:
        found = re.fullmatch(rf"{re.escape(selector)} (VaR|CVaR)\(.*\)", row.method)
        if found and row.role == "selector":
            chosen.setdefault((_together(row.domain), found[1], row.size), []).append(row.chosen)
    return chosen


def _together(domain: str) -> str:
    """Return the name under which the lakes are taken together; other domains keep theirs."""
    return re.sub(r"^lake \d+", "lake", domain)


def origin_of(name: str) -> str | None:
    """Return the column of the figures that a method's name belongs to."""
    if re.fullmatch(r"Nominal(\(discount 0\.9\))?", name):
        return "Trivial"
    if name.startswith(("Nominal(", "SampledModel(")):
        return "Gamma"
    return next((column for column in ORIGINS if name.startswith(column)), None)


def _shares(picks: list[str]) -> tuple[float, ...]:
    counts = dict.fromkeys(ORIGINS, 0)
    for pick in picks:
        for column in _columns(pick):
            counts[column] += 1
    total = max(sum(counts.values()), 1)
    return tuple(100.0 * counts[column] / total for column in ORIGINS)


def _split(picks: list[str]) -> tuple[float, ...]:
    shares = dict.fromkeys(ORIGINS, 0.0)
    for pick in picks:
        columns = _columns(pick)
        for column in columns:
            shares[column] += 100.0 / (len(columns) * len(picks))
    return tuple(shares.values())


def _columns(pick: str) -> list[str]:
    """Return the columns of the figures that proposed a policy."""
    found = {origin_of(name) for name in pick.split(" + ")}
    return [column for column in ORIGINS if column in found]
