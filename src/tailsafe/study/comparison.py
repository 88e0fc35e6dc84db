"""What the paper does not report: regret, coverage, evaluations spent; and choices log by log.

Intervals of paired differences are percentile bootstrap intervals over logs, sizes together.
"""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from tailsafe.arrays import FloatArray
from tailsafe.study.rows import Row
from tailsafe.study.tables import RESAMPLES, interval

SAME = 1e-9
"""Differences of dU below this are none."""


@dataclass(frozen=True, slots=True)
class Summary:
    """What one selector made of all logs of a domain.

    Parameters
    ----------
    domain, profile, method
        Which.
    n_logs
        How many logs.
    gain_mean, gain_median, gain_min
        Of dU.
    regret
        Mean regret against the best candidate in hindsight; None where a profile gives none.
    covered, promised
        The share of logs whose truth kept the bound, and the share promised; None without a bound.
    decided
        The share of logs on which it ended as it should, not with its models spent.
    evaluations
        Mean number of policies times models solved.
    """

    domain: str
    profile: str
    method: str
    n_logs: int
    gain_mean: float
    gain_median: float
    gain_min: float
    regret: float | None
    covered: float | None
    promised: float | None
    decided: float
    evaluations: float


@dataclass(frozen=True, slots=True)
class Duel:
    """One choice against another on the same logs.

    Parameters
    ----------
    domain
        Which logs.
    ours, theirs
        (profile, method) of both.
    n_logs
        How many logs both have.
    difference, low, high
        Mean of dU ours minus theirs, with its bootstrap interval.
    better, worse
        Shares of logs; the rest is equal.
    """

    domain: str
    ours: tuple[str, str]
    theirs: tuple[str, str]
    n_logs: int
    difference: float
    low: float
    high: float
    better: float
    worse: float


def summaries(rows: Iterable[Row]) -> list[Summary]:
    """Return a summary of each selector on each domain."""
    groups: dict[tuple[str, str, str], list[Row]] = {}
    for row in rows:
        if row.role == "selector" and row.gain is not None:
            groups.setdefault((row.domain, row.profile, row.method), []).append(row)
    return [_summary(key, group) for key, group in groups.items()]


def duel(rows: Iterable[Row], ours: tuple[str, str], theirs: tuple[str, str]) -> list[Duel]:
    """Return how one (profile, method) fares against another, domain by domain."""
    logs: dict[str, dict[tuple[int, int], dict[tuple[str, str], float]]] = {}
    for row in rows:
        who = (row.profile, row.method)
        if who in (ours, theirs) and row.gain is not None:
            log = logs.setdefault(row.domain, {}).setdefault((row.size, row.trial), {})
            log[who] = row.gain
    found = []
    for domain, by_log in logs.items():
        pairs = [(log[ours], log[theirs]) for log in by_log.values() if len(log) == 2]
        if pairs:
            found.append(_duel(domain, ours, theirs, np.array(pairs)))
    return found


def _summary(key: tuple[str, str, str], group: list[Row]) -> Summary:
    gains = np.array([row.gain for row in group])
    return Summary(
        *key,
        n_logs=len(group),
        gain_mean=float(gains.mean()),
        gain_median=float(np.median(gains)),
        gain_min=float(gains.min()),
        regret=_mean([row.regret for row in group]),
        covered=_mean([row.covered for row in group]),
        promised=_mean([row.confidence for row in group]),
        decided=float(np.mean([row.status in ("ok", "selected") for row in group])),
        evaluations=float(np.mean([row.evaluations for row in group])),
    )


def _mean(values: Iterable[float | None]) -> float | None:
    """Return the mean of those that are there."""
    there = [value for value in values if value is not None]
    return float(np.mean(there)) if there else None


def _duel(domain: str, ours: tuple[str, str], theirs: tuple[str, str], pairs: FloatArray) -> Duel:
    d = pairs[:, 0] - pairs[:, 1]
    rng = np.random.default_rng(0)
    drawn = d[rng.integers(0, len(d), (RESAMPLES, len(d)))].mean(axis=1)
    low, high = interval(drawn)
    return Duel(
        domain,
        ours,
        theirs,
        len(d),
        float(d.mean()),
        low,
        high,
        float((d > SAME).mean()),
        float((d < -SAME).mean()),
    )
