"""Local search for policies of high sampled risk: by switches of actions, by mirror steps.

Switches (deterministic policies): with all exact responses at hand, try the best switch of each
state, alone and with the next best ones, and keep the best trial. It stops where no switch of a
single state raises the objective.

Mirror steps (stochastic policies): with the weight w_m that the risk gives to each model, the
gradient is G(s, a) = sum_m w_m d_m(s) (Q_m(s, a) - V_m(s)), and

    pi(a | s) <- pi(a | s) exp(eta G(s, a)) / norm,

with a line search over eta, also for G divided by the mean occupancy d(s) (the natural gradient:
S. Kakade. A natural policy gradient. NeurIPS 2001). A. Beck, M. Teboulle. Mirror descent and
nonlinear projected subgradient methods. Operations Research Letters 31, 2003.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from tailsafe.arrays import FloatArray
from tailsafe.errors import NotSupported
from tailsafe.policy import Policy
from tailsafe.problem import Problem
from tailsafe.solvers.sampled_objective import Objective
from tailsafe.termination import check_terminates

LEAST_RISE = 1e-9
"""Rises below this share of the objective's size are rounding."""

STEPS = (0.1, 0.3, 1.0, 3.0, 10.0, 30.0)
"""Lengths tried in a line search: the largest change of a log probability."""

FINEST = 1e-3
"""Steps that do not rise are made shorter, down to this share of them."""

GONE = 1e-6
"""Probabilities below are set to 0."""

LEAST_VISITS = 1e-9
"""States visited less do not count as visited."""


class Judge(Protocol):
    """What is to be raised."""

    @property
    def problem(self) -> Problem:
        """What the policies are for."""

    def __call__(self, policies: Sequence[Policy]) -> FloatArray:
        """Return the value of each policy, rho[p]."""

    def switch_values(self, policy: Policy) -> FloatArray:
        """Return the value after switching one state of a deterministic policy, rho[s, a].

        -infinity where that must not be done.
        """


@dataclass(frozen=True, slots=True)
class Peak:
    """A policy and the value of the objective there."""

    policy: Policy
    value: float


def best_of(objective: Judge, policies: Sequence[Policy]) -> Peak:
    """Return the policy of the highest objective, the first of equals."""
    values = objective(policies)
    at = int(np.argmax(values))
    return Peak(policies[at], float(values[at]))


def by_switches(objective: Judge, start: Policy, max_steps: int) -> Peak:
    """Return where switches of actions lead from a deterministic policy."""
    now = best_of(objective, [start])
    for _ in range(max_steps):
        trials = _switched(objective, now)
        if not trials:
            break
        best = best_of(objective, trials)
        if not _rises(best.value, now.value):
            break
        now = best
    return now


def by_mirror_steps(objective: Objective, start: Policy, max_steps: int) -> Peak:
    """Return where mirror steps lead from a stochastic policy."""
    now, scale = best_of(objective, [start]), 1.0
    for _ in range(max_steps):
        trials = _tilted(objective, now.policy, scale)
        best = best_of(objective, trials) if trials else now
        if _rises(best.value, now.value):
            now = best
        elif scale > FINEST:
            scale /= 10.0
        else:
            break
    return now


def softened(problem: Problem, policy: Policy, share: float) -> Policy:
    """Return the policy with a share of its probability spread over all admissible actions."""
    task = problem.task
    spread = Policy.uniform(task.n_states, task.n_actions, task.admissible)
    return Policy((1.0 - share) * policy.probs + share * spread.probs)


def usable(problem: Problem, policies: Sequence[Policy]) -> list[Policy]:
    """Return those that can be judged: at discount 1, those that end."""
    task, table = problem.task, problem.posterior.table
    if task.discount < 1.0:
        return list(policies)
    kept = []
    for policy in policies:
        try:
            check_terminates(table, task, policy.probs, "the policy")
        except NotSupported:
            continue
        kept.append(policy)
    return kept


def _rises(value: float, before: float) -> bool:
    return value > before + LEAST_RISE * max(abs(value), abs(before))


def _switched(objective: Judge, now: Peak) -> list[Policy]:
    """Return trials: the best switch, and the best 2, 4, 8 ... states switched together."""
    values = objective.switch_values(now.policy)
    actions, best = now.policy.actions.copy(), values.argmax(axis=1)
    order = np.argsort(-values.max(axis=1), kind="stable")
    rising = [s for s in order if _rises(float(values[s, best[s]]), now.value)]
    trials, done = [], 0
    sizes = [1 << k for k in range(len(rising).bit_length())]
    for size in sorted({*sizes, len(rising)} if rising else ()):
        actions[rising[done:size]] = best[rising[done:size]]
        done = size
        trials.append(Policy.from_actions(actions, now.policy.n_actions))
    return usable(objective.problem, trials)


def _tilted(objective: Objective, policy: Policy, scale: float) -> list[Policy]:
    """Return trials along the gradient and the natural gradient."""
    answer = objective.responses(policy)
    w = objective.model_weights(answer.performance)
    G, visits = np.tensordot(w, answer.slope, axes=1), (w @ answer.visits)[:, None]
    natural = np.divide(G, visits, out=np.zeros_like(G), where=visits > LEAST_VISITS)
    directions = [g / np.abs(g).max() for g in (G, natural) if np.abs(g).max() > 0.0]
    trials = [_stepped(policy.probs, scale * eta * g) for g in directions for eta in STEPS]
    return usable(objective.problem, trials)


def _stepped(probs: FloatArray, step: FloatArray) -> Policy:
    tilted = probs * np.exp(step - np.where(probs > 0.0, step, -np.inf).max(axis=1, keepdims=True))
    tilted /= tilted.sum(axis=1, keepdims=True)
    tilted[tilted < GONE] = 0.0
    return Policy(tilted / tilted.sum(axis=1, keepdims=True))
