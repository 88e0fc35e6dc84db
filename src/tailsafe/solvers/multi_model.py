"""One policy for several models at once: the mean model, weight-select-update, and its CVaR form.

L. N. Steimle, D. L. Kaufman, B. T. Denton. Multi-model Markov decision processes. IISE
Transactions 53(10), 2021. -- Models m have weights w_m; the best policy for their weighted
performance is NP-hard to find. Two approximations:

    mean value              solve the model sum_m w_m P_m
    weight-select-update    V_m <- Q_m(s, pi(s)) with pi(s) = argmax_a sum_m w_m Q_m(s, a),
                            Q_m(s, a) = sum_t P_m(t | s, a) (R(s, a, t) + discount V_m(t))

The second is backward induction over a horizon; what it does first is the stationary policy here.
The CVaR form gives the weight to the tail: w is mixed with the weights that CVaR puts on the models
under the policy found (fictitious play against the dual of CVaR), and the best policy is kept.
"""

from dataclasses import dataclass
from math import ceil, log

import numpy as np

from tailsafe.arrays import FloatArray, check_count
from tailsafe.engine import Engine
from tailsafe.evaluate import performances
from tailsafe.keys import Stream, stream_key
from tailsafe.mdp import MDP
from tailsafe.policy import Policy
from tailsafe.problem import Problem
from tailsafe.ranks import check_probability
from tailsafe.risk import CVaR
from tailsafe.solvers.planning import greedy, solve
from tailsafe.solvers.sampled_natures import Sampled, sampled_models, tail_weights
from tailsafe.termination import check_terminates

FORGOTTEN = 1e-4
"""The horizon is so long that its end is discounted by this."""

SETTLED = 1e-12
"""Values that change by a smaller share have settled: a longer horizon would change nothing."""

LONGEST = 5_000
"""And no longer than this, with a discount of 1 or next to it."""


@dataclass(frozen=True, slots=True)
class MultiModelMean:
    """Solve the mean of some sampled models.

    Parameters
    ----------
    n_models
        Posterior samples.
    """

    n_models: int = 100

    def __post_init__(self) -> None:
        check_count(self.n_models, "n_models")

    @property
    def name(self) -> str:
        return f"MultiModelMean({self.n_models})"

    def solve(self, problem: Problem, seed: int = 0, engine: Engine = Engine()) -> Policy:
        del engine
        models = sampled_models(problem, self.n_models, seed)
        return solve(MDP(problem.task, models.table, models.mean))[0]


@dataclass(frozen=True, slots=True)
class MultiModel:
    """Weight-select-update for the mean performance over some sampled models.

    Parameters
    ----------
    n_models
        Posterior samples.
    """

    n_models: int = 100

    def __post_init__(self) -> None:
        check_count(self.n_models, "n_models")

    @property
    def name(self) -> str:
        return f"MultiModel({self.n_models})"

    def solve(self, problem: Problem, seed: int = 0, engine: Engine = Engine()) -> Policy:
        del engine
        models = sampled_models(problem, self.n_models, seed)
        return selected(problem, models, models.weights)


@dataclass(frozen=True, slots=True)
class MultiModelCVaR:
    """Weight-select-update with the weights of the tail.

    Parameters
    ----------
    level
        The share of bad models looked at.
    n_models
        Posterior samples.
    rounds
        How often models are weighted anew.
    """

    level: float = 0.25
    n_models: int = 100
    rounds: int = 10

    def __post_init__(self) -> None:
        check_probability(self.level, "level")
        check_count(self.n_models, "n_models")
        check_count(self.rounds, "rounds")

    @property
    def name(self) -> str:
        return f"MultiModelCVaR({self.level:g}, {self.n_models})"

    def solve(self, problem: Problem, seed: int = 0, engine: Engine = Engine()) -> Policy:
        models = sampled_models(problem, self.n_models, seed)
        span = (0, len(models.weights), stream_key(seed, Stream.CANDIDATES))
        played, risk = models.weights, CVaR(self.level)
        best, highest = None, -np.inf
        for count in range(1, self.rounds + 1):
            policy = selected(problem, models, played)
            u = performances(problem.posterior, problem.task, [policy], *span, engine)[0]
            order = np.argsort(u, kind="stable")
            value = risk.value(u[order], models.weights[order])
            if value > highest:
                best, highest = policy, value
            answer = np.empty_like(played)
            answer[order] = tail_weights(self.level, models.weights[None, order])[0]
            played = played + (answer - played) / (count + 1)
        assert best is not None
        return best


def selected(problem: Problem, models: Sampled, weights: FloatArray) -> Policy:
    """Return the first actions that weight-select-update chooses over a long horizon."""
    from tailsafe.kernels.tails import model_backups

    task, table = problem.task, models.table
    admissible = task.admissible | task.terminal[:, None]
    reward, V = task.entry_reward(table), np.zeros((len(weights), task.n_states))
    actions = np.zeros(task.n_states, np.int64)
    for _ in range(_horizon(task.discount)):
        rows = model_backups(
            models.probability, (table.indptr, table.successor), reward, task.discount * V
        )
        Q = rows.reshape(len(weights), *admissible.shape)
        Q[:, task.terminal] = 0.0
        actions = greedy(np.tensordot(weights, Q, axes=1), admissible)
        before, V = V, Q[:, np.arange(task.n_states), actions]
        if np.abs(V - before).max() <= SETTLED * np.abs(V).max():
            break
    policy = Policy.from_actions(actions, task.n_actions)
    if task.discount == 1.0:
        check_terminates(table, task, policy.probs, "the policy of weight-select-update")
    return policy


def _horizon(discount: float) -> int:
    if discount == 0.0:
        return 1
    return LONGEST if discount == 1.0 else min(LONGEST, ceil(log(FORGOTTEN) / log(discount)))
