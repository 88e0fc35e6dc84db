"""How candidates compare: after a race on random models, or exactly on a finite list."""

from dataclasses import dataclass

import numpy as np

from tailsafe.arrays import BoolArray, FloatArray, IntArray
from tailsafe.race.look import Outcome, RaceEnd, Rules, unless_interrupted
from tailsafe.race.outlook import ROUNDING, Outlook
from tailsafe.race.sheet import Sheet
from tailsafe.risk import RiskMeasure


@dataclass(frozen=True, slots=True, eq=False)
class Verdict:
    """How the candidates compare, each array [i].

    Parameters
    ----------
    end, leader
        How it ended, and the choice.
    alive, within
        Not ruled out; of these, proved better than the leader by eps at most.
    estimate, lower, upper
        Of the risk.
    judged
        On how many models.
    regret_bound
        How much better than the leader another one may be.
    """

    end: RaceEnd
    leader: int
    alive: BoolArray
    within: BoolArray
    estimate: FloatArray
    lower: FloatArray
    upper: FloatArray
    judged: IntArray
    regret_bound: float

    def order(self) -> IntArray:
        """Return the candidates best first: by standing, then by estimate."""
        standing = np.where(~self.alive, 3, np.where(self.within, 1, 2))
        standing[self.leader] = 0
        return np.lexsort((-self.estimate, standing))


def verdict(outcome: Outcome, sheet: Sheet, rules: Rules, known: Outlook) -> Verdict:
    """Return how the candidates compare after a race."""
    parts = [_judged(i, outcome, sheet, rules, known) for i in range(sheet.n_candidates)]
    estimate, lower, upper, judged = np.array(parts).T
    return Verdict(
        end=outcome.end,
        leader=outcome.leader,
        alive=outcome.alive,
        within=outcome.alive & outcome.parked,
        estimate=estimate,
        lower=lower,
        upper=upper,
        judged=judged.astype(np.int64),
        regret_bound=outcome.regret_bound,
    )


def _judged(
    i: int, outcome: Outcome, sheet: Sheet, rules: Rules, known: Outlook
) -> tuple[float, float, float, int]:
    """Return estimate, bounds and number of models of one candidate."""
    judged = int(outcome.twin[i])
    x, ends = sheet.columns[judged], (float(known.lowest[i]), float(known.highest[i]))
    if len(x) == 0:
        return float(known.risk[i]), *ends, 0
    value = float(rules.estimates(np.sort(x)[None])[0])
    return value, *unless_interrupted(lambda: rules.interval(x, judged), ends), len(x)


def exact_verdict(X: FloatArray, weights: FloatArray, risk: RiskMeasure) -> Verdict:
    """Return how the rows of X[i, m] compare when these are all the models there are."""
    order = np.argsort(X, axis=1, kind="stable")
    rows = zip(np.take_along_axis(X, order, axis=1), weights[order], strict=True)
    value = np.array([risk.value(row, weight) for row, weight in rows])
    leader = int(np.argmax(value))
    alive = value >= value[leader] - ROUNDING * float(np.abs(X).max())
    within = alive & (np.arange(len(X)) != leader)
    judged = np.full(len(X), X.shape[1])
    return Verdict("selected", leader, alive, within, value, value, value, judged, 0.0)
