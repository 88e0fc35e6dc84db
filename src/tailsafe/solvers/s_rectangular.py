"""Robust against a region for each state, whose budget nature may spend on any of its actions.

W. Wiesemann, D. Kuhn, B. Rustem. Robust Markov decision processes. Mathematics of Operations
Research 38(1), 2013; C. P. Ho, M. Petrik, W. Wiesemann. Fast Bellman updates for robust MDPs. ICML
2018. -- With q_a(x) = min p . z over |p - c(s, a)|_1 <= x,

    V(s) = max_pi min { sum_a pi(a) q_a(x_a) : sum_a x_a <= psi(s) }
         = min { u : sum_a x_a(u) <= psi(s) },    x_a(u) = min { x : q_a(x) <= u }

Nature brings all good actions down to the same u, so mixing them pays: pi(a) is in inverse
proportion to how fast q_a falls. c is the posterior mean, and psi the 1 - (1 - confidence) / n
quantile of sum_a |P_m - c|_1 over the posterior's models, for n states in use.
"""

from dataclasses import dataclass
from functools import partial

import numpy as np

from tailsafe.arrays import BoolArray, FloatArray, IntArray, check_count
from tailsafe.engine import Engine
from tailsafe.errors import InvalidData
from tailsafe.policy import Policy
from tailsafe.problem import Problem
from tailsafe.ranks import check_probability
from tailsafe.solvers.bcr import distances, quantile_over_models, used_pairs
from tailsafe.solvers.natures import by_value, lowest, worst_l1
from tailsafe.solvers.robust import Answer, Respond, settled, usable_actions
from tailsafe.table import Table
from tailsafe.task import Task

HALVINGS = 100
"""Of the interval that u is sought in."""


@dataclass(frozen=True, slots=True)
class SRectangularL1:
    """Robust against credible regions of whole states; the policy may be stochastic.

    Parameters
    ----------
    confidence
        That all states are inside their regions, by the union bound.
    weight
        Scales the regions; 1 is the method, less is bolder.
    n_models
        Posterior samples that estimate the regions.
    """

    confidence: float = 0.75
    weight: float = 1.0
    n_models: int = 1_000

    def __post_init__(self) -> None:
        check_probability(self.confidence, "confidence")
        check_count(self.n_models, "n_models")
        if not 0.0 < self.weight < np.inf:
            raise InvalidData(f"weight must be positive, got {self.weight}")

    @property
    def name(self) -> str:
        part = "" if self.weight == 1.0 else f", weight {self.weight:g}"
        return f"SRectangularL1({self.confidence:g}{part})"

    def budgets(self, problem: Problem, seed: int = 0) -> FloatArray:
        """Return psi[s]."""
        used = used_pairs(problem)
        total = np.where(used, distances(problem, self.n_models, seed), 0.0).sum(axis=2)
        level = 1.0 - (1.0 - self.confidence) / max(int(used.any(axis=1).sum()), 1)
        weights = problem.weights(self.n_models)
        return self.weight * quantile_over_models(total, level, weights)

    def respond(self, problem: Problem, seed: int = 0) -> Respond:
        """Return the Bellman operator of the regions."""
        region = (problem.posterior.table, problem.posterior.mean())
        return partial(state_answer, problem.task, *region, self.budgets(problem, seed))

    def solve(self, problem: Problem, seed: int = 0, engine: Engine = Engine()) -> Policy:
        del engine
        respond = self.respond(problem, seed)
        return settled(problem.task, problem.posterior.table, respond).policy


def state_answer(
    task: Task, table: Table, center: FloatArray, budget: FloatArray, V: FloatArray
) -> Answer:
    """Return the backup of V[s] where nature spends budget[s] in each state."""
    z = task.entry_reward(table) + task.discount * V[table.successor]
    allowed = usable_actions(task)
    falls = _falls(table, center, z)
    worst = np.where(allowed, falls.floor, -np.inf).max(axis=1)
    u = np.where(allowed, falls.top, -np.inf).max(axis=1)
    low = np.minimum(worst, u)
    for _ in range(HALVINGS):
        middle = 0.5 * (low + u)
        fits = np.where(allowed, falls.spent(middle), 0.0).sum(axis=1) <= budget
        u, low = np.where(fits, middle, u), np.where(fits, low, middle)
    p = worst_l1(table, center, np.where(allowed, falls.spent(u), 0.0).ravel(), z)
    Q, probs = table.sum_rows(p * z), _mixed(falls, u, allowed)
    Q[task.terminal], u[task.terminal] = 0.0, 0.0
    probs[task.terminal] = np.eye(task.n_actions)[0]
    return Answer(Q, p, probs, u)


@dataclass(frozen=True, slots=True, eq=False)
class _Falls:
    """How q_a falls as nature spends: best outcomes first, all to the worst one.

    top, floor: q_a without and with all spending, [s, a]. Per outcome, in the order in which they
    are given up: its row, what it has, its height above the worst, the fall before it.
    """

    top: FloatArray
    floor: FloatArray
    row: IntArray
    mass: FloatArray
    height: FloatArray
    before: FloatArray

    def taken(self, u: FloatArray) -> FloatArray:
        """Return what is taken from each outcome to bring its pair down to u[s]."""
        need = (self.top - u[:, None]).ravel()[self.row] - self.before
        safe = np.where(self.height > 0.0, self.height, 1.0)
        return np.where(self.height > 0.0, np.clip(need / safe, 0.0, self.mass), 0.0)

    def spent(self, u: FloatArray) -> FloatArray:
        """Return x_a(u), [s, a]."""
        moved = np.bincount(self.row, weights=self.taken(u), minlength=self.top.size)
        return np.asarray(2.0 * moved.reshape(self.top.shape), np.float64)

    def slope(self, u: FloatArray) -> FloatArray:
        """Return how fast each pair falls there, [s, a]: the height of the outcome being taken."""
        taking = self.taken(u) > 0.0
        slope = np.full(self.top.size, np.inf)
        np.minimum.at(slope, self.row[taking], self.height[taking])
        return slope.reshape(self.top.shape)


def _falls(table: Table, center: FloatArray, z: FloatArray) -> _Falls:
    shape = (table.n_states, table.n_actions)
    # Backwards, so that the best outcomes come first; so do the last rows.
    order = by_value(table, z)[::-1]
    row, floor = table.row_of_entry[order], lowest(table, z)
    mass, height = center[order], z[order] - floor[row]
    drop = mass * height
    of_rows = np.bincount(row, weights=drop, minlength=table.n_rows)
    of_later_rows = np.cumsum(of_rows[::-1])[::-1] - of_rows
    before = np.cumsum(drop) - drop - of_later_rows[row]
    return _Falls(table.sum_rows(center * z), floor.reshape(shape), row, mass, height, before)


def _mixed(falls: _Falls, u: FloatArray, allowed: BoolArray) -> FloatArray:
    """Return pi[s, a] in inverse proportion to the slopes of the actions brought down to u."""
    scale = 1e-12 * (np.abs(falls.top).max() + np.abs(u).max())
    out_of_reach = allowed & (falls.floor >= u[:, None] - scale)
    share = np.where(allowed, 1.0 / falls.slope(u), 0.0)
    # An action that nature cannot bring lower is the one to take; likewise if it need not spend.
    certain = out_of_reach.any(axis=1)
    share = np.where(certain[:, None], _first(out_of_reach), share)
    idle = share.sum(axis=1) <= 0.0
    best = _first(allowed & (falls.top >= u[:, None] - scale))
    share = np.where(idle[:, None], best, share)
    return np.asarray(share / share.sum(axis=1, keepdims=True), np.float64)


def _first(mask: BoolArray) -> FloatArray:
    """Return one for the first marked action of each state, and zeros."""
    first: BoolArray = mask & (np.cumsum(mask, axis=1) == 1)
    return first.astype(np.float64)
