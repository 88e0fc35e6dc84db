"""Batch policies regularised towards the behaviour by weights that the log itself chooses.

B.-J. Lee, J. Lee, P. Vrancx, D. Kim, K.-E. Kim. Batch Reinforcement Learning with Hyperparameter
Gradients. ICML 2020. https://proceedings.mlr.press/v119/lee20d.html -- With weights alpha(s) that
states share in D classes (state mod D), the policy of a model is optimal for

    V(s) = max_pi sum_a pi Q - alpha(s) KL(pi, pi_b) = alpha lse(ln pi_b + Q / alpha)

The episodes are cut into folds. alpha climbs the gradient of the mean over folds of U: the value,
on the other folds, of the policy learnt on the fold. The result is the mean of the folds' policies.
"""

from dataclasses import dataclass

import numpy as np

from tailsafe.arrays import BoolArray, FloatArray, check_count
from tailsafe.engine import Engine
from tailsafe.errors import InvalidData, NotSupported
from tailsafe.policy import Policy
from tailsafe.problem import Problem
from tailsafe.solvers.altered import restricted
from tailsafe.solvers.regularised import estimated, regularised, setting_of
from tailsafe.unseen import Unseen, Zero

RATE, CLIP, FLOOR = 0.01, 10.0, 1e-3
"""Step size, largest gradient of a fold, and the weight that counts as 0, as published."""

NOTHING = Zero()


@dataclass(frozen=True, slots=True)
class BOPAH:
    """Regularise as strongly as what was held out says.

    Parameters
    ----------
    classes
        How many weights there are, the paper's D.
    folds
        Into how many parts the episodes are cut.
    unseen
        What the models say of pairs that were never tried. The published program moves to its last
        state, which is absorbing and pays nothing: ``Zero`` says so in any problem.
    max_steps
        Gradient steps.
    """

    classes: int = 20
    folds: int = 2
    unseen: Unseen = NOTHING
    max_steps: int = 3_000

    def __post_init__(self) -> None:
        for name in ("classes", "folds", "max_steps"):
            check_count(getattr(self, name), name)
        if self.folds == 1:
            raise InvalidData("folds must be at least 2: what is not learnt from validates")

    @property
    def name(self) -> str:
        return f"BOPAH({self.classes}{'' if self.folds == 2 else f', {self.folds} folds'})"

    def weights(self, problem: Problem) -> FloatArray:
        """Return the weight of each class, psi[d], after the ascent."""
        return learnt_weights(self, problem, fold_counts(problem, self.folds))

    def alpha(self, problem: Problem) -> FloatArray:
        """Return alpha[s]; a weight at its floor counts as 0."""
        return of_states(self.weights(problem), problem.n_states)

    def solve(self, problem: Problem, seed: int = 0, engine: Engine = Engine()) -> Policy:
        del seed, engine
        return learnt_policy(self, problem, fold_counts(problem, self.folds))


def learnt_policy(method: BOPAH, problem: Problem, counts: FloatArray) -> Policy:
    """Return the mean of the policies of the folds that N[f, e] describes."""
    alpha = of_states(learnt_weights(method, problem, counts), problem.n_states)
    policies = [regularised(problem, N, method.unseen, alpha)[0] for N in counts]
    return Policy(np.mean(policies, axis=0))


def learnt_weights(method: BOPAH, problem: Problem, counts: FloatArray) -> FloatArray:
    """Return the weight of each class, psi[d], after the ascent on the folds N[f, e]."""
    from tailsafe.kernels import bopah

    learnt = [estimated(problem, N, method.unseen) for N in counts]
    held_out = [estimated(problem, N, method.unseen) for N in problem.counts() - counts]
    P, reward = map(np.array, zip(*learnt, strict=True))
    P_valid, reward_valid = map(np.array, zip(*held_out, strict=True))
    kept: BoolArray = (np.maximum(P, P_valid) > 0.0).any(axis=0)
    setting = setting_of(problem, restricted(problem.posterior.table, kept))
    P, P_valid = np.ascontiguousarray(P[:, kept]), np.ascontiguousarray(P_valid[:, kept])
    models = bopah.Folds(P, P_valid, reward, reward_valid)
    start = np.full(method.classes, 1.0 / problem.batch.n_episodes)
    psi: FloatArray = bopah.ascend(setting, models, start, (RATE, CLIP, FLOOR), method.max_steps)
    return psi


def of_states(psi: FloatArray, n_states: int) -> FloatArray:
    """Return alpha[s] of the weights of classes; a weight at its floor counts as 0."""
    shared: FloatArray = psi[np.arange(n_states) % len(psi)]
    return np.where(shared <= FLOOR, 0.0, shared)


def fold_counts(problem: Problem, folds: int) -> FloatArray:
    """Return how often each transition was seen in each part of the episodes, N[f, e]."""
    batch, table = problem.batch, problem.posterior.table
    if batch.n_episodes < folds:
        raise NotSupported(
            f"{folds} folds need at least as many trajectories, but the log has "
            f"{batch.n_episodes}: use BRAC, whose weight is fixed"
        )
    ends = np.append(batch.starts, len(batch))[
        [batch.n_episodes * f // folds for f in range(1, folds)]
    ]
    fold = np.searchsorted(ends, np.arange(len(batch)), side="right")
    counts = np.zeros((folds, table.n_entries))
    np.add.at(counts, (fold, table.lookup(batch.row, batch.next_state)), 1.0)
    return counts
