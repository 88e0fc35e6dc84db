"""Draws from a listed law, in the shapes that the package evaluates: a sheet, a judge."""

import numpy as np

from benchmarks.guarantees.laws import Law
from tailsafe.certificate import Judge
from tailsafe.keys import Stream
from tailsafe.race.sheet import Sheet
from tailsafe.risk import RiskMeasure, VaR

ROUNDING = 1e-9
"""Of the scale: performances are equal up to it, as they are to the package."""
PILOT = 500


def drawn_sheet(law: Law, risk: RiskMeasure, rng: np.random.Generator, most: int) -> Sheet:
    """Return a sheet whose model t is row t of what is drawn from the list."""
    known, U = law.known(risk), law.U
    drawn = rng.integers(len(U), size=most)

    def utilities(first: int, last: int, who: np.ndarray) -> np.ndarray:
        return U[drawn[first:last]].T[who]

    ends = () if isinstance(risk, VaR) else (known.floors, known.ceilings)
    return Sheet(utilities, U.shape[1], *ends, quantum=known.quantum)


def drawn_judge(law: Law, risk: RiskMeasure, p: int, rng: np.random.Generator, eps: float) -> Judge:
    """Return the judge of one policy of a law; whatever it evaluates is drawn anew."""
    known, U = law.known(risk), law.U

    def evaluate(n_models: int, _: Stream) -> np.ndarray:
        return U[rng.integers(len(U), size=n_models), p]

    pilot = evaluate(PILOT, Stream.RACE)
    return Judge(evaluate, pilot, (known.floors[p], known.ceilings[p]), known.lowest[p], eps)


def inside(interval: tuple[float, float], value: float, rounding: float) -> bool:
    """Return whether a value lies in an interval, up to rounding."""
    return interval[0] - rounding <= value <= interval[1] + rounding
