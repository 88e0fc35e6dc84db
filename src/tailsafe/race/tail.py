"""Race rules of CVaR, the mean and mixtures of both: bets, valid at any time.

With w, h_c as in ``wealth``, a lattice of cells [c, c + D), D = eps / 4, and a_i in one of them,
phi_i <= w (c + D) + E h_c(X_i) and phi_b >= w c + E h_c(X_b). Hence two hypotheses that bets may
refute in each cell that meets [X_i,(lo(n, q, .15 alpha / 2J)), X_i,(hi(n, q, .15 alpha / 2J))]:

    phi_i - phi_b >= e:    gain = e - w D - h_c(X_i) + h_c(X_b),     wealth 1 / (.4 alpha w_b)
    phi_i >= m:            gain = m - w (c + D) - h_c(X_i),          wealth 1 / (.2 alpha)

and the bound phi_b >= m of ``wealth.lower_bound`` at .25 alpha w_b, where c is the quantile of the
look before. Only the best candidate needs protection and its cell is fixed, so there is no union
over candidates, cells or looks. With w = 1, D P(X_b < c + D) / q in the place of D would do, too;
this one keeps its size at an atom and vanishes from the difference of equal performances.
"""

from collections.abc import Callable
from dataclasses import dataclass
from math import floor, log, sqrt

import numpy as np

from tailsafe.arrays import BoolArray, FloatArray
from tailsafe.race.cells import GROUP, Excluded, excluded_everywhere, least_excluded, smallest_above
from tailsafe.race.look import Look
from tailsafe.race.wealth import Shape, lower_bound, predictable_levels
from tailsafe.ranks import hi, lo, quantile_rank

BAND_SHARE, PAIR_SHARE, UPPER_SHARE, LOWER_SHARE = 0.15, 0.4, 0.2, 0.25
CELLS_PER_EPS = 4
CLOSENESS = 128
"""Bounds are searched for up to this part of eps."""

FINE = 0.1
"""Intervals are searched for up to this part of a standard error."""

LEAST_SCALE = 1e-200
"""Gains that cannot be negative have no scale; this one keeps them finite."""


@dataclass(frozen=True, slots=True, eq=False)
class TailRules:
    """The tests of a race for the largest (1 - w) Mean + w CVaR(q).

    Parameters
    ----------
    shape
        The measure.
    eps, alpha
        Precision and error probability of the choice.
    sizes
        After how many models the race looks.
    weights
        w[i], the share of alpha kept for i as leader; they sum to 1.
    lowest, highest
        Bounds of the (floored) performances.
    guesses
        A first guess of each quantile.
    """

    shape: Shape
    eps: float
    alpha: float
    sizes: tuple[int, ...]
    weights: FloatArray
    lowest: FloatArray
    highest: FloatArray
    guesses: FloatArray

    def estimates(self, S: FloatArray) -> FloatArray:
        """Return the measure of each ascending row."""
        return self.shape.value(S)

    def judge(self, look: Look) -> tuple[BoolArray, BoolArray]:
        """Return masks[i]: proved not better than the leader; proved better by eps at most."""
        out, near = np.zeros((2, len(look.members)), bool)
        lower = self.lower(look)
        for i in range(len(look.members)):
            # What is not proved within eps is not proved worse: the tests are nested.
            near[i] = i != look.leader and self._ruled_out(look, i, self.eps, lower)
            out[i] = near[i] and self._ruled_out(look, i, 0.0, lower)
        return out, near

    def regret(self, look: Look, open_: BoolArray) -> float:
        """Return by how much the open members may be better than the leader."""
        lower, regret = self.lower(look), 0.0
        for i in np.nonzero(open_)[0].tolist():
            if self._ruled_out(look, i, regret, lower):
                continue
            most = max(float(self.highest[look.members[i]]) - lower, regret)
            regret = smallest_above(
                lambda e, i=i: self._ruled_out(look, i, e, lower),  # type: ignore[misc]
                regret,
                most,
                self.eps / CELLS_PER_EPS,
            )
        return regret

    def lower(self, look: Look) -> float:
        """Return the lower confidence bound of the leader."""
        b = int(look.members[look.leader])
        share = LOWER_SHARE * self.alpha * float(self.weights[b])
        return self._lower(look.X[look.leader], b, share, self.eps / CLOSENESS)

    def below(self, x: FloatArray, candidate: int, value: float) -> bool:
        """Return whether the candidate, left behind at the look of x, is proved less than value."""
        if self.highest[candidate] < value:
            return True
        cells, likely = self._cells(np.sort(x), candidate, BAND_SHARE * self.alpha)
        excluded = self._upper_test(x, candidate, value, UPPER_SHARE * self.alpha)
        return excluded_everywhere(excluded, cells, likely)

    def interval(self, x: FloatArray, candidate: int) -> tuple[float, float]:
        """Return a (1 - alpha) interval of one candidate's measure, valid at every look."""
        share = self.alpha / 4.0
        close = max(self.eps / CELLS_PER_EPS, FINE * float(x.std()) / sqrt(len(x)))
        lower = self._lower(x, candidate, 2.0 * share, close)
        upper = least_excluded(
            lambda m: self._upper_test(x, candidate, m, share),
            *self._cells(np.sort(x), candidate, share),
            (lower, float(self.highest[candidate])),
            close,
        )
        return lower, upper

    def _lower(self, x: FloatArray, candidate: int, share: float, close: float) -> float:
        guess, level = float(self.guesses[candidate]), self.shape.level
        c = predictable_levels(x, level, guess, self.sizes)
        ends = float(self.lowest[candidate]), float(self.highest[candidate])
        return lower_bound(x, self.shape, c, ends, share, close)

    def _cells(self, ordered: FloatArray, i: int, share: float) -> tuple[tuple[int, int], int]:
        """Return the first and the last cell that a_i may lie in, and the likeliest one."""
        if self.shape.tail == 0.0:
            return (0, 0), 0
        n, level, width = len(ordered), self.shape.level, self.eps / CELLS_PER_EPS
        each = share / (2.0 * len(self.sizes))
        g, h = lo(n, level, each), hi(n, level, each)
        first = ordered[g - 1] if g >= 1 else self.lowest[i]
        last = ordered[h - 1] if h <= n else self.highest[i]
        likely = ordered[quantile_rank(n, level) - 1]
        return (floor(first / width), floor(last / width)), floor(likely / width)

    def _ruled_out(self, look: Look, place: int, e: float, lower: float) -> bool:
        """Return whether "the member is better than the leader by more than e" is refuted."""
        i = int(look.members[place])
        surplus = float(self.highest[i]) - lower - e
        # Without a shift a bound must be beaten strictly: an equal one is a tie, not a loser.
        if surplus < 0.0 or (surplus == 0.0 and e > 0.0):
            return True
        cells, likely = self._cells(look.S[place], i, BAND_SHARE * self.alpha)
        pair = self._pair_test(look, place, e)
        upper = self._upper_test(look.X[place], i, lower + e, UPPER_SHARE * self.alpha)
        return excluded_everywhere(lambda a, b: pair(a, b) or upper(a, b), cells, likely)

    def _pair_test(self, look: Look, place: int, e: float) -> Excluded:
        """Return the test of phi_i - phi_b >= e."""
        x, y = look.X[place], look.X[look.leader]
        i, b = look.members[place], look.members[look.leader]
        shape, width = self.shape, self.eps / CELLS_PER_EPS
        room = shape.tail * width
        outgrows = _bettor(PAIR_SHARE * self.alpha * float(self.weights[b]))

        def excluded(first: int, last: int) -> bool:
            top = (first // GROUP + 1) * GROUP * width
            scale = room + float(shape.spread(top, float(self.lowest[b]), float(self.highest[i])))
            gains = e - room - shape.h(x, first * width) + shape.h(y, last * width)
            return outgrows(gains, scale)

        return excluded

    def _upper_test(self, x: FloatArray, i: int, m: float, share: float) -> Excluded:
        """Return the test of phi_i >= m."""
        shape, width = self.shape, self.eps / CELLS_PER_EPS
        worst, best = float(self.lowest[i]), float(self.highest[i])
        outgrows = _bettor(share)

        def excluded(first: int, last: int) -> bool:
            if m <= worst:
                return False
            top = (first // GROUP + 1) * GROUP * width
            scale = shape.tail * top + (1.0 - shape.tail) * best - worst
            gains = m - shape.tail * (last + 1) * width - shape.h(x, first * width)
            return outgrows(gains, scale)

        return excluded


def _bettor(share: float) -> Callable[[FloatArray, float], bool]:
    """Return the test of gains >= -scale at the error probability ``share``."""
    from tailsafe.kernels.eprocess import outgrows

    threshold = log(1.0 / share)

    def refutes(gains: FloatArray, scale: float) -> bool:
        return bool(outgrows(gains / max(scale, LEAST_SCALE), threshold))

    return refutes
