"""Moving probability from bad actions to good ones, as far as a budget of errors allows.

The greedy procedure of Soft-SPIBB: actions give their probability in the order of rising Q, each to
the actions that gain most a unit of error. Moving mass m costs m e(to), and m e(from) as well where
both ends count. Where a second estimate Q_b is given, the sum of m (Q_b(to) - Q_b(from)) must not
fall below 0 on the way. As published, what an action may give is fixed before it gives: where both
ends count, the budget can be overspent a little (1.6 % was seen).
"""

from dataclasses import dataclass

import numpy as np

from tailsafe.arrays import FloatArray, IntArray
from tailsafe.solvers.planning import TIE


@dataclass(frozen=True, slots=True, eq=False)
class Constraint:
    """What the moved mass may cost.

    Parameters
    ----------
    behaviour
        pi_b[s, a], where the mass starts.
    errors
        e[s, a]; infinite: nothing moves.
    budget
        Of a state.
    both_ends
        Whether giving costs as well as getting.
    advantage
        Q_b[s, a], whose expectation must not fall; None: any policy will do.
    """

    behaviour: FloatArray
    errors: FloatArray
    budget: float
    both_ends: bool = True
    advantage: FloatArray | None = None


@dataclass(slots=True, eq=False)
class _Moving:
    """What is where, and what is left."""

    probs: FloatArray
    left: FloatArray
    surplus: FloatArray


def transferred(Q: FloatArray, constraint: Constraint) -> FloatArray:
    """Return pi[s, a] after all moves, states side by side."""
    n_states, n_actions = Q.shape
    states, tie = np.arange(n_states), TIE * float(np.abs(Q).max())
    now = _Moving(
        constraint.behaviour.copy(), np.full(n_states, float(constraint.budget)), np.zeros(n_states)
    )
    for giver in np.argsort(Q, axis=1, kind="stable").T:
        ends = 2.0 if constraint.both_ends else 1.0
        gain = Q - Q[states, giver][:, None]
        worth = np.where(gain > tie, gain / constraint.errors, -1.0)
        mass = now.probs[states, giver]
        if constraint.both_ends:
            mass = np.minimum(mass, now.left / (2.0 * constraint.errors[states, giver]))
        for taker in np.argsort(-worth, axis=1, kind="stable").T[: n_actions - 1]:
            most = np.minimum(mass, now.left / (ends * constraint.errors[states, taker]))
            moved = np.where(gain[states, taker] > tie, np.maximum(most, 0.0), 0.0)
            mass = mass - _move(now, constraint, (giver, taker), moved)
    return now.probs


def _move(
    now: _Moving, constraint: Constraint, ends: tuple[IntArray, IntArray], mass: FloatArray
) -> FloatArray:
    """Move up to mass[s] from one action to another, and return what was moved."""
    states, (giver, taker) = np.arange(len(mass)), ends
    if constraint.advantage is not None:
        loss = constraint.advantage[states, giver] - constraint.advantage[states, taker]
        most = np.divide(now.surplus, loss, out=np.full_like(mass, np.inf), where=loss > 0.0)
        mass = np.minimum(mass, most)
        # Rounding must not leave a debt: less than nothing would be moved next.
        now.surplus = np.maximum(now.surplus - loss * mass, 0.0)
    cost = constraint.errors[states, taker]
    if constraint.both_ends:
        cost = cost + constraint.errors[states, giver]
    now.left -= mass * np.where(mass > 0.0, cost, 0.0)
    now.probs[states, giver] -= mass
    now.probs[states, taker] += mass
    return mass
