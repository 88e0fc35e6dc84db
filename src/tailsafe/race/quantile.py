"""Race rules of VaR: exact for a finite sample, whatever the laws.

With the ranks lo and hi (``ranks``) and J looks, alpha is split .1 / .2 / .7 into

    U_i    = X_i,(hi(n, q, .1 alpha / J))                      a_i <= U_i
    [L, U] = X_b,(lo(n, q, .2 alpha w_b / 2J)) .. X_b,(hi(..))   the leader's a_b lies in between
    pair(i, b, e): rejects "a_i > a_b + e" iff for EVERY c in [L + e, U + e] a sign test does:
        P(Binomial(n10 + n01, 1/2) >= n10) <= .7 alpha w_b / J,
        n10 = #{X_i <= c < X_b + e},  n01 = #{X_b + e <= c < X_i}.

At c = a_b + e the test is exact, and the unknown c is a nuisance parameter that [L, U] covers.
R. L. Berger and D. D. Boos, P values maximized over a confidence set for the nuisance parameter
(1994).
"""

from dataclasses import dataclass

import numpy as np

from tailsafe.arrays import BoolArray, FloatArray, IntArray
from tailsafe.race.look import Look
from tailsafe.ranks import hi, lo, quantile_rank, sign_test_table

UPPER_SHARE, LEADER_SHARE, PAIR_SHARE = 0.1, 0.2, 0.7
HALVINGS = 20


@dataclass(frozen=True, slots=True, eq=False)
class QuantileRules:
    """The tests of a race for the largest q-quantile.

    Parameters
    ----------
    level
        q.
    eps, alpha
        Precision and error probability of the choice.
    n_looks
        J, how often the race may look.
    weights
        w[i], the share of alpha kept for i as leader; they sum to 1.
    lowest, highest
        Bounds xi[i] and zeta[i] of the performances, for while ranks give none.
    """

    level: float
    eps: float
    alpha: float
    n_looks: int
    weights: FloatArray
    lowest: FloatArray
    highest: FloatArray

    def estimates(self, S: FloatArray) -> FloatArray:
        """Return the sample quantile of each ascending row."""
        quantile: FloatArray = S[:, quantile_rank(S.shape[1], self.level) - 1]
        return quantile

    def judge(self, look: Look) -> tuple[BoolArray, BoolArray]:
        """Return masks[i]: proved not better than the leader; proved better by eps at most."""
        band = self._band(look)
        nobody = np.zeros(len(look.members), bool)
        if band is None:
            return nobody, nobody
        upper = self._upper(look)
        out = self._not_better(look, band, upper, 0.0, ~nobody)
        near = self._not_better(look, band, upper, self.eps, ~out)
        return out, near

    def regret(self, look: Look, open_: BoolArray) -> float:
        """Return by how much the open members may be better than the leader."""
        band, upper = self._band(look), self._upper(look)
        leader = look.members[look.leader]
        if band is None:
            return float(upper[open_].max() - self.lowest[leader])
        places = np.nonzero(open_)[0].tolist()
        regrets = [self._regret_of(look, i, band, float(upper[i])) for i in places]
        return max(regrets)

    def lower(self, look: Look) -> float | None:
        """Return the lower confidence bound of the leader's quantile."""
        band = self._band(look)
        return None if band is None else band[0]

    def below(self, x: FloatArray, candidate: int, value: float) -> bool:
        """Return whether the candidate, left behind at the look of x, is proved less than value."""
        h = hi(len(x), self.level, UPPER_SHARE * self.alpha / self.n_looks)
        upper = np.partition(x, h - 1)[h - 1] if h <= len(x) else self.highest[candidate]
        return bool(upper < value)

    def interval(self, x: FloatArray, candidate: int) -> tuple[float, float]:
        """Return a (1 - alpha) interval of one candidate's quantile, valid at every look."""
        n, share = len(x), self.alpha / (2.0 * self.n_looks)
        g, h = lo(n, self.level, share), hi(n, self.level, share)
        ordered = np.sort(x)
        lower = ordered[g - 1] if g >= 1 else self.lowest[candidate]
        upper = ordered[h - 1] if h <= n else self.highest[candidate]
        return float(lower), float(upper)

    def _band(self, look: Look) -> tuple[float, float] | None:
        share = LEADER_SHARE * self.alpha * self._weight(look) / (2.0 * self.n_looks)
        g, h = lo(look.n, self.level, share), hi(look.n, self.level, share)
        if g < 1 or h > look.n:
            return None
        row = look.S[look.leader]
        return float(row[g - 1]), float(row[h - 1])

    def _upper(self, look: Look) -> FloatArray:
        h = hi(look.n, self.level, UPPER_SHARE * self.alpha / self.n_looks)
        upper: FloatArray = look.S[:, h - 1] if h <= look.n else self.highest[look.members]
        return upper

    def _weight(self, look: Look) -> float:
        return float(self.weights[look.members[look.leader]])

    def _pair_share(self, look: Look) -> float:
        return PAIR_SHARE * self.alpha * self._weight(look) / self.n_looks

    def _not_better(
        self,
        look: Look,
        band: tuple[float, float],
        upper: FloatArray,
        shift: float,
        asked: BoolArray,
    ) -> BoolArray:
        """Return mask[i] of the asked members proved to be better by ``shift`` at most."""
        # Without a shift the bound must be beaten strictly: an equal one is a tie, not a loser.
        proved = asked & (upper < band[0] if shift == 0.0 else upper <= band[0] + shift)
        maybe = asked & ~proved
        maybe[look.leader] = False
        for edge in band:
            maybe = self._edge_rejects(look, edge, shift, maybe)
        share = self._pair_share(look)
        for i in np.nonzero(maybe)[0]:
            proved[i] = pair_rejects(look, int(i), shift, band, share)
        return proved

    def _edge_rejects(self, look: Look, edge: float, shift: float, maybe: BoolArray) -> BoolArray:
        """Return who passes the sign test at one end of the band; the whole band costs more."""
        places = np.nonzero(maybe)[0]
        if len(places) == 0:
            return maybe
        below = look.X[places] <= edge + shift
        rival = look.X[look.leader] + shift <= edge + shift
        n10 = np.count_nonzero(below & ~rival, axis=1)
        n01 = np.count_nonzero(rival & ~below, axis=1)
        passed = np.zeros_like(maybe)
        passed[places] = sign_test_rejects(n10, n01, self._pair_share(look))
        return passed

    def _regret_of(self, look: Look, i: int, band: tuple[float, float], upper: float) -> float:
        """Return the smallest e, to 20 halvings, for which "a_i > a_b + e" is ruled out."""
        share = self._pair_share(look)
        safe, open_ = upper - band[0], 0.0
        if safe <= 0.0 or not pair_rejects(look, i, safe, band, share):
            return max(safe, 0.0)
        for _ in range(HALVINGS):
            middle = 0.5 * (safe + open_)
            if pair_rejects(look, i, middle, band, share):
                safe = middle
            else:
                open_ = middle
        return safe


def pair_rejects(look: Look, i: int, shift: float, band: tuple[float, float], share: float) -> bool:
    """Return whether "member i is better than the leader by more than shift" is ruled out."""
    first, last = band[0] + shift, band[1] + shift
    x, y = look.X[i], look.X[look.leader] + shift
    later = np.maximum(x, y)
    points = np.concatenate([[first], _between(x, first, last), _between(y, first, last)])
    n_x, n_y = _at_or_below(x, first, last, points), _at_or_below(y, first, last, points)
    both = _at_or_below(later, first, last, points)
    return bool(sign_test_rejects(n_x - both, n_y - both, share).all())


def sign_test_rejects(n10: IntArray, n01: IntArray, share: float) -> BoolArray:
    """Return whether n10 successes among n10 + n01 fair signs are too many to be chance."""
    pairs = n10 + n01
    size = 1 << int(pairs.max(initial=0)).bit_length()
    rejected: BoolArray = n10 >= sign_test_table(size, share)[pairs]
    return rejected


def _between(values: FloatArray, first: float, last: float) -> FloatArray:
    return values[(values > first) & (values <= last)]


def _at_or_below(values: FloatArray, first: float, last: float, points: FloatArray) -> IntArray:
    inside = np.sort(_between(values, first, last))
    base = int(np.count_nonzero(values <= first))
    return base + np.searchsorted(inside, points, side="right")
