"""Claims, how often they were kept, and the tables that say so."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from zlib import crc32

import numpy as np

from tailsafe.engine import Engine
from tailsafe.risk import RiskMeasure

SEED = 2010
ERRORS = 3.0
"""Standard errors that a frequency may fall short by."""


ALPHA = 0.1
"""Error probability in most blocks: large, so that a promise that is broken shows."""


@dataclass(frozen=True)
class Setting:
    """How much is simulated, by how many processes, and whether on short lists."""

    repetitions: int = 2_000
    workers: int = 2
    quick: bool = False


@dataclass(frozen=True)
class Unit:
    """Repetitions first .. last - 1 of what is simulated with one law and measure."""

    law: str
    risk: RiskMeasure
    first: int
    last: int

    def rngs(self, block: str) -> Iterable[np.random.Generator]:
        """Yield a random generator for each repetition, the same on every machine."""
        words = [SEED, crc32(f"{block}, {self.law}, {self.risk.name}".encode())]
        for repetition in range(self.first, self.last):
            yield np.random.default_rng([*words, repetition])


@dataclass(frozen=True)
class Row:
    """A claim and how often it was kept.

    Parameters
    ----------
    claim, law
        What is claimed, and of which law.
    nominal
        The probability that is promised; None if nothing is.
    measured
        The share of repetitions, or the mean of shares, in which it was kept.
    repetitions
        How many.
    error
        Standard error of the measured value where it is no frequency; by default that of a
        frequency of the nominal probability.
    slack
        What else the measured value may fall short by: the error of the truth itself.
    """

    claim: str
    law: str
    nominal: float | None
    measured: float
    repetitions: int
    error: float | None = None
    slack: float = 0.0

    @property
    def allowance(self) -> float:
        """How far the measured value may fall short by chance."""
        if self.nominal is None:
            return 0.0
        of_frequency = np.sqrt(self.nominal * (1.0 - self.nominal) / self.repetitions)
        return ERRORS * float(of_frequency if self.error is None else self.error) + self.slack

    @property
    def kept(self) -> bool:
        """Whether the claim stands."""
        return self.nominal is None or self.measured >= self.nominal - self.allowance


def frequency(claim: str, law: str, nominal: float | None, held: np.ndarray) -> Row:
    """Return the row of a claim that was kept, or not, in each repetition."""
    return Row(claim, law, nominal, float(np.mean(held)), len(held))


def mean_share(claim: str, law: str, nominal: float, shares: np.ndarray) -> Row:
    """Return the row of a claim from its probability in each repetition."""
    error = float(shares.std() / np.sqrt(len(shares)))
    return Row(claim, law, nominal, float(shares.mean()), len(shares), error)


def simulated(
    function: Callable[[Unit], np.ndarray],
    cases: Iterable[tuple[str, RiskMeasure]],
    repetitions: int,
    workers: int,
) -> dict[tuple[str, RiskMeasure], np.ndarray]:
    """Return the outcomes [repetition, what] of each case; the work is cut in small units."""
    wanted = list(cases)
    size = max(1, min(250, repetitions // workers))
    starts = range(0, repetitions, size)
    units = [Unit(*case, k, min(k + size, repetitions)) for case in wanted for k in starts]
    if workers == 1:
        parts = {unit: function(unit) for unit in units}
    else:
        engine = Engine(executor="processes", workers=workers)
        parts = dict(engine.map_keyed(function, units))
    return {
        case: np.concatenate([parts[unit] for unit in units if (unit.law, unit.risk) == case])
        for case in wanted
    }


def table(rows: list[Row]) -> str:
    """Return the rows as a table in Markdown."""
    head = ("claim", "law", "repetitions", "nominal", "measured", "allowance", "verdict")
    lines = [f"| {' | '.join(head)} |", "|---|---|--:|--:|--:|--:|---|"]
    for row in rows:
        nominal, allowance, verdict = "–", "–", "reported"
        if row.nominal is not None:
            nominal, allowance = f"{row.nominal:.4g}", f"{row.allowance:.4f}"
            verdict = "kept" if row.kept else "**BROKEN**"
        cells = (row.claim, row.law, f"{row.repetitions:,}", nominal, f"{row.measured:.4f}")
        lines.append(f"| {' | '.join((*cells, allowance, verdict))} |")
    return "\n".join(lines)


@dataclass(frozen=True)
class Report:
    """What a block found: its rows, and other tables by the name of their place in the pages."""

    rows: list[Row]
    tables: dict[str, str]


def grouped(rows: list[Row]) -> list[Row]:
    """Return the rows ordered by claim, laws in their order."""
    claims = list(dict.fromkeys(row.claim for row in rows))
    return sorted(rows, key=lambda row: claims.index(row.claim))
