"""Safe policy improvement with baseline bootstrapping.

R. Laroche, P. Trichelair, R. Tachet des Combes. Safe Policy Improvement with Baseline
Bootstrapping. ICML 2019. https://arxiv.org/abs/1712.06924 -- Pairs tried too rarely are
bootstrapped. The best policy on the most likely model among those that give a bootstrapped pair

    exactly the behaviour's probability (Pi_b, Algorithm 1), or
    at most the behaviour's probability (Pi_<=b, Algorithm 2: fill by falling Q).
"""

from dataclasses import dataclass
from functools import partial

import numpy as np

from tailsafe.arrays import BoolArray, FloatArray, check_count
from tailsafe.engine import Engine
from tailsafe.policy import Policy
from tailsafe.problem import Problem
from tailsafe.solvers.planning import greedy
from tailsafe.solvers.policy_iteration import by_value, iterate
from tailsafe.unseen import Uniform, Unseen


@dataclass(frozen=True, slots=True)
class SPIBB:
    """Improve the behaviour policy only where the data allow it.

    Parameters
    ----------
    min_visits
        The paper's N_wedge: pairs tried fewer times keep the behaviour's probability.
    strict
        Free are only pairs tried more than ``min_visits`` times, as in the authors' program.
    unseen
        What the model says of pairs that were never tried; the authors' says ``Zero``.
    """

    min_visits: int = 5
    strict: bool = False
    unseen: Unseen = Uniform()

    def __post_init__(self) -> None:
        check_count(self.min_visits, "min_visits")

    @property
    def name(self) -> str:
        return f"SPIBB({_parameters(self)})"

    def solve(self, problem: Problem, seed: int = 0, engine: Engine = Engine()) -> Policy:
        del seed, engine
        step = partial(improve, problem.behaviour.probs, free_pairs(problem, self))
        return iterate(problem.nominal(self.unseen), problem.behaviour, step)


@dataclass(frozen=True, slots=True)
class LowerSPIBB:
    """As SPIBB, but pairs tried too rarely may also be left out.

    Parameters
    ----------
    min_visits
        The paper's N_wedge: pairs tried fewer times get at most the behaviour's probability.
    strict
        Free are only pairs tried more than ``min_visits`` times, as in the authors' program.
    unseen
        What the model says of pairs that were never tried; the authors' says ``Zero``.
    """

    min_visits: int = 5
    strict: bool = False
    unseen: Unseen = Uniform()

    def __post_init__(self) -> None:
        check_count(self.min_visits, "min_visits")

    @property
    def name(self) -> str:
        return f"LowerSPIBB({_parameters(self)})"

    def solve(self, problem: Problem, seed: int = 0, engine: Engine = Engine()) -> Policy:
        del seed, engine
        step = partial(improve_below, problem.behaviour.probs, free_pairs(problem, self))
        return iterate(problem.nominal(self.unseen), problem.behaviour, step)


def free_pairs(problem: Problem, solver: SPIBB | LowerSPIBB) -> BoolArray:
    """Return mask[s, a] of the pairs that the log says enough about."""
    visits = problem.visits()
    often = visits > solver.min_visits if solver.strict else visits >= solver.min_visits
    return often & problem.task.admissible


def improve(behaviour: FloatArray, free: BoolArray, Q: FloatArray, probs: FloatArray) -> FloatArray:
    """Return pi[s, a]: the probability of the free actions goes to the best of them."""
    del probs
    improved = np.where(free, 0.0, behaviour)
    some = free.any(axis=1)
    best = greedy(Q, free)
    improved[some, best[some]] = np.where(free, behaviour, 0.0).sum(axis=1)[some]
    return improved


def improve_below(
    behaviour: FloatArray, free: BoolArray, Q: FloatArray, probs: FloatArray
) -> FloatArray:
    """Return pi[s, a]: actions by falling Q, each up to its cap, until the probability is spent."""
    del probs
    order = by_value(Q)
    cap = np.take_along_axis(np.where(free, 1.0, behaviour), order, axis=1)
    spent = np.cumsum(cap, axis=1) - cap
    improved = np.zeros_like(behaviour)
    np.put_along_axis(improved, order, np.clip(1.0 - spent, 0.0, cap), axis=1)
    return improved


def _parameters(solver: SPIBB | LowerSPIBB) -> str:
    parts = [f"{solver.min_visits}"]
    parts += ["strict"] if solver.strict else []
    parts += [] if solver.unseen == Uniform() else [f"unseen {solver.unseen}"]
    return ", ".join(parts)
