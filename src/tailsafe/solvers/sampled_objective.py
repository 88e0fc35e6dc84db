"""The risk of a policy on sampled models, and how it responds to changes of the policy.

For any risk measure rho of ascending values x_1 .. x_n the weight of the ranks from k on is

    D_k = (rho(x + h 1{rank >= k}) - rho(x)) / h,

exact for distortion measures (VaR, CVaR, spectral) and a derivative for others; the weights of
models are the differences of D, shared equally within blocks of neighbouring ranks, without which
VaR would listen to a single model.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from tailsafe.arrays import FloatArray
from tailsafe.engine import Engine
from tailsafe.evaluate import performances
from tailsafe.keys import Key
from tailsafe.policy import Policy
from tailsafe.problem import Problem
from tailsafe.risk import RiskMeasure
from tailsafe.samples import Samples

BLOCKS = 40
"""Ranks are looked at in this many blocks; the usual levels (.05, .1, .25) are edges of them."""

ELEMENTS_AT_ONCE = 1_000_000
"""Models are inverted in chunks of about this many matrix elements or transitions."""


@dataclass(frozen=True, slots=True, eq=False)
class Responses:
    """How performances respond to a policy's changes, exactly.

    Moving a share x of state s to action a makes u + x slope / (1 - x bend) of u.

    Parameters
    ----------
    performance
        u[m] of the policy.
    visits
        Expected discounted visits of each state, d[m, s].
    slope, bend
        Each [m, s, a].
    """

    performance: FloatArray
    visits: FloatArray
    slope: FloatArray
    bend: FloatArray


@dataclass(frozen=True, slots=True, eq=False)
class Objective:
    """A risk measure on a list of models.

    Parameters
    ----------
    problem
        The task, and what the models are of.
    risk
        What is to be large.
    sample
        The models.
    engine
        How fast.
    """

    problem: Problem
    risk: RiskMeasure
    sample: Samples
    engine: Engine

    @property
    def weights(self) -> FloatArray | None:
        """How likely each model is, w[m]; None if equally."""
        weights = self.sample.weights
        return None if (weights == weights[0]).all() else weights

    def of_values(self, values: FloatArray) -> float:
        """Return the risk of performances u[m], in any order."""
        order = np.argsort(values, kind="stable")
        weights = self.weights
        return self.risk.value(values[order], None if weights is None else weights[order])

    def __call__(self, policies: Sequence[Policy]) -> FloatArray:
        """Return the risk of each policy, rho[p]."""
        task, span = self.problem.task, (0, len(self.sample), 0)
        U = performances(self.sample, task, policies, *span, self.engine)
        return self.of_each(U)

    def of_each(self, U: FloatArray) -> FloatArray:
        """Return the risk of performances U[p, m], rho[p]; models in the order of the weights."""
        return np.array([self.of_values(u) for u in U])

    def responses(self, policy: Policy) -> Responses:
        """Return how performances respond to changes of a policy."""
        step = max(
            1, ELEMENTS_AT_ONCE // max(self.sample.table.n_entries, self.problem.n_states**2)
        )
        starts = range(0, len(self.sample), step)
        parts = dict(self.engine.map_keyed(partial(_responses, self, policy, step), starts))
        columns = zip(*(parts[start] for start in starts), strict=True)
        return Responses(*(np.concatenate(column) for column in columns))

    def switch_values(self, policy: Policy) -> FloatArray:
        """Return the objective after each switch of one state to one action, rho[s, a]."""
        answer, task = self.responses(policy), self.problem.task
        with np.errstate(divide="ignore", invalid="ignore"):
            U = answer.performance[:, None, None] + answer.slope / (1.0 - answer.bend)
        values = np.full(policy.probs.shape, -np.inf)
        for s, a in zip(*np.nonzero(task.admissible & ~task.terminal[:, None]), strict=True):
            # At discount 1 a switch may keep an episode from ending.
            if np.isfinite(U[:, s, a]).all():
                values[s, a] = self.of_values(U[:, s, a])
        return values

    def model_weights(self, values: FloatArray) -> FloatArray:
        """Return how much the risk listens to each model, w[m], given its u[m]."""
        order = np.argsort(values, kind="stable")
        x, n, given = values[order], len(values), self.weights
        w = None if given is None else given[order]
        edges = np.unique(np.linspace(0, n, min(BLOCKS, n) + 1).astype(np.int64))
        h = 1e-6 * (float(np.ptp(x)) + float(np.abs(x).max()) + 1e-12)
        now, rank = self.risk.value(x, w), np.arange(n)
        raised = [self.risk.value(x + h * (rank >= edge), w) for edge in edges[:-1]]
        block = -np.diff((np.array([*raised, now]) - now) / h)
        within = np.ones(n) if w is None else w
        share = within / np.repeat(np.add.reduceat(within, edges[:-1]), np.diff(edges))
        weights = np.empty(n)
        weights[order] = share * np.repeat(block, np.diff(edges))
        return weights


def drawn(problem: Problem, span: tuple[int, int], key: Key, engine: Engine) -> Samples:
    """Return models span[0] .. span[1] - 1 of a key as a list; of an explicit list, all of it."""
    posterior = problem.posterior
    if isinstance(posterior, Samples):
        return posterior
    step = max(1, ELEMENTS_AT_ONCE // max(posterior.table.n_entries, 1))
    parts = dict(engine.map_keyed(partial(_drawn, problem, span[1], step, key), range(*span, step)))
    models = np.concatenate([parts[start] for start in sorted(parts)])
    return Samples.on_table(posterior.table, models)


def _drawn(problem: Problem, last: int, step: int, key: Key, start: int) -> FloatArray:
    return problem.posterior.models(start, min(start + step, last), key)


def _responses(
    objective: Objective, policy: Policy, step: int, start: int
) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
    from tailsafe.kernels import improvement

    task, table = objective.problem.task, objective.sample.table
    rules = improvement.Rules(
        table.indptr,
        table.successor,
        task.entry_reward(table),
        ~task.terminal,
        task.initial,
        policy.probs,
        task.discount,
    )
    models = objective.sample.probability[start : start + step]
    A, r = improvement.systems(models, rules)
    inverse = np.asarray(np.linalg.inv(A), np.float64)
    answer: tuple[FloatArray, FloatArray, FloatArray, FloatArray]
    answer = improvement.responses(models, rules, inverse, r)
    return answer
