"""Planning on one given model: policy iteration, and iterations with a proved error bound.

M. L. Puterman. Markov Decision Processes. Wiley, 1994. Policy iteration is Theorem 6.4.2, modified
policy iteration section 6.5. With B the Bellman operator, g the discount and D = BV - V,

    BV + g / (1 - g) min D  <=  V of the greedy policy  <=  V*  <=  BV + g / (1 - g) max D

(Theorem 6.6.3), where min D and max D include 0 if some probability is missing from a row, as at
terminal states. Ties go to the lowest index, after rounding to 1e-9 of the scale of the values.
"""

from dataclasses import dataclass

import numpy as np

from tailsafe.arrays import BoolArray, FloatArray, IntArray, check_count, check_type
from tailsafe.errors import InvalidData, NotSupported
from tailsafe.mdp import MDP
from tailsafe.policy import Policy
from tailsafe.solvers.model import Model, model_of, terminating_actions

TIE = 1e-9
"""Values closer than this share of the largest one count as equal."""


@dataclass(frozen=True, slots=True, eq=False)
class Approximation:
    """Where an iteration stopped.

    Parameters
    ----------
    policy
        The greedy policy; its own values are within 2 ``error`` of the optimal ones.
    value
        V[s], within ``error`` of the optimal values.
    error
        The proved bound, not counting rounding.
    converged
        Whether the error is as small as was asked.
    sweeps
        How many times all actions were compared.
    """

    policy: Policy
    value: FloatArray
    error: float
    converged: bool
    sweeps: int


def solve(mdp: MDP) -> tuple[Policy, FloatArray]:
    """Return an optimal policy and its values V[s], by policy iteration."""
    check_type(mdp, MDP, "mdp")
    return solve_discounted(mdp, mdp.task.discount)


def solve_discounted(mdp: MDP, discount: float) -> tuple[Policy, FloatArray]:
    """Return the optimal policy and values V[s] for another discount than the task's."""
    model = model_of(mdp, discount)
    actions, V = optimal(model)
    return Policy.from_actions(actions, mdp.task.n_actions), V


def optimal(model: Model) -> tuple[IntArray, FloatArray]:
    """Return optimal actions[s] and their exact values V[s]."""
    undiscounted = model.discount == 1.0
    actions = terminating_actions(model) if undiscounted else greedy(model.reward, model.admissible)
    V = model.evaluate(actions)
    while True:
        Q = model.backup(V)
        better = improved(Q, actions, model.admissible)
        if np.array_equal(better, actions):
            break
        if undiscounted and not model.ends(better):
            raise NotSupported(
                "going round without an end pays for ever, so that values are infinite at "
                "discount 1: use a discount below 1"
            )
        V_better = model.evaluate(better)
        # Each step raises the values; where rounding is all that moves them, stop.
        if (V_better - V).max() <= 1e-12 * np.abs(Q[model.admissible]).max():
            break
        actions, V = better, V_better
    lowest = greedy(Q, model.admissible)
    # Among equal actions the lowest may be the one that never ends: going round for free.
    if np.array_equal(lowest, actions) or (undiscounted and not model.ends(lowest)):
        return actions, V
    return lowest, model.evaluate(lowest)


def greedy(Q: FloatArray, admissible: BoolArray) -> IntArray:
    """Return the best action of each state, the lowest index of equals; 0 where none may be taken.

    Equal means within 1e-9 of the largest admissible |Q|. The axes of Q are [..., s, a].
    """
    allowed = Q if admissible.all() else np.where(admissible, Q, -np.inf)
    top = allowed.max(axis=-1, keepdims=True)
    actions: IntArray = (allowed >= top - TIE * value_scale(Q, admissible)).argmax(axis=-1)
    return actions


def improved(Q: FloatArray, actions: IntArray, admissible: BoolArray) -> IntArray:
    """Return the actions, replaced by the greedy ones where these are better, not merely equal."""
    best = greedy(Q, admissible)
    states = np.arange(len(actions))
    gain = Q[states, best] - Q[states, actions]
    return np.where(gain > TIE * value_scale(Q, admissible), best, actions)


def value_scale(Q: FloatArray, admissible: BoolArray) -> float:
    """Return the largest |Q[..., s, a]| of admissible actions, infinite ones left out."""
    size = np.abs(Q)
    if not admissible.all():
        size = np.where(admissible, size, 0.0)
    largest = float(size.max())
    return largest if np.isfinite(largest) else float(size[np.isfinite(size)].max(initial=0.0))


def value_iteration(
    mdp: MDP, precision: float = 1e-9, max_sweeps: int = 1_000_000
) -> Approximation:
    """Return values within ``precision`` of the optimal ones, by V <- BV."""
    return modified_policy_iteration(mdp, precision, 0, max_sweeps)


def modified_policy_iteration(
    mdp: MDP, precision: float = 1e-9, evaluations: int = 20, max_sweeps: int = 1_000_000
) -> Approximation:
    """Return values within ``precision`` of the optimal ones; the method for large sparse problems.

    Parameters
    ----------
    mdp
        Its discount must be below 1.
    precision
        In units of value; met unless the budget of sweeps is spent first.
    evaluations
        Sweeps of the greedy policy alone between two comparisons of all actions.
    max_sweeps
        How many comparisons of all actions at most.
    """
    check_type(mdp, MDP, "mdp")
    check_count(max_sweeps, "max_sweeps")
    if not precision > 0.0:
        raise InvalidData(f"precision must be positive, got {precision}")
    if mdp.task.discount == 1.0:
        raise NotSupported("iteration has no error bound at discount 1: use solve")
    model = model_of(mdp, mdp.task.discount)
    V, sweeps = np.zeros(mdp.task.n_states), 0
    while True:
        Q = model.backup(V)
        best, sweeps = best_values(Q, model), sweeps + 1
        middle, error = bracket(model, V, best)
        if error <= precision or sweeps == max_sweeps:
            break
        V = best
        if evaluations:
            V = model.follow(greedy(Q, model.admissible), V, evaluations)
    policy = Policy.from_actions(greedy(Q, model.admissible), mdp.task.n_actions)
    return Approximation(policy, middle, error, error <= precision, sweeps)


def best_values(Q: FloatArray, model: Model) -> FloatArray:
    """Return max_a Q[s, a] over admissible actions."""
    values: FloatArray = np.where(model.admissible, Q, -np.inf).max(axis=1)
    return values


def bracket(model: Model, V: FloatArray, BV: FloatArray) -> tuple[FloatArray, float]:
    """Return the middle of the bounds on the optimal values, V[s], and how far off it can be."""
    step = BV - V
    low, high = float(step.min()), float(step.max())
    if model.leaks:
        low, high = min(low, 0.0), max(high, 0.0)
    factor = model.discount / (1.0 - model.discount)
    return BV + factor * (low + high) / 2.0, factor * (high - low) / 2.0
