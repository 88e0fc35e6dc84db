"""One model in the form that planning needs: a matrix of rows, dense or sparse by size.

Terminal states have empty rows and no reward, so that their value is 0. All their actions count
as admissible: nothing is ever chosen there.
"""

from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

from tailsafe.arrays import BoolArray, FloatArray, IntArray
from tailsafe.errors import InvalidData, NotSupported
from tailsafe.mdp import MDP

DENSE_ELEMENTS = 1_000_000
"""Up to this many elements [s, a, t] the rows are a dense matrix."""

DENSE_STATES = 2_000
"""Up to here a dense solve is the faster one, whatever the rows are."""

Matrix: TypeAlias = Any
"""A numpy array or a scipy csr_array: the same operators, but scipy has no types."""


@dataclass(frozen=True, slots=True, eq=False)
class Model:
    """Arrays of one model; use ``model_of`` to make one.

    Parameters
    ----------
    rows
        P[(s, a), t], dense or sparse.
    reward
        r[s, a].
    discount
        In [0, 1].
    admissible
        mask[s, a]; all true in terminal states.
    leaks
        Whether some probability is missing from a row: the episode may end.
    """

    rows: Matrix
    reward: FloatArray
    discount: float
    admissible: BoolArray
    leaks: bool

    @property
    def n_actions(self) -> int:
        """The number of actions."""
        return int(self.reward.shape[1])

    def backup(self, V: FloatArray) -> FloatArray:
        """Return Q[s, a] = r(s, a) + discount sum_t P(t | s, a) V[t]."""
        Q: FloatArray = self.reward + self.discount * (self.rows @ V).reshape(self.reward.shape)
        return Q

    def followed(self, actions: IntArray) -> tuple[Matrix, FloatArray]:
        """Return discount P[s, t] and r[s] under actions[s]."""
        states = np.arange(len(actions))
        return (
            self.discount * self.rows[states * self.n_actions + actions],
            self.reward[states, actions],
        )

    def follow(self, actions: IntArray, V: FloatArray, sweeps: int) -> FloatArray:
        """Return V[s] after some sweeps of V <- r + discount P V under actions[s]."""
        flow, reward = self.followed(actions)
        for _ in range(sweeps):
            V = reward + flow @ V
        return V

    def evaluate(self, actions: IntArray) -> FloatArray:
        """Return the exact values V[s] of actions[s]."""
        flow, reward = self.followed(actions)
        if isinstance(flow, np.ndarray):
            return _dense_solve(flow, reward)
        if len(reward) <= DENSE_STATES:
            return _dense_solve(flow.toarray(), reward)
        return _sparse_solve(flow, reward)

    def ends(self, actions: IntArray) -> bool:
        """Return whether actions[s] end with certainty from every state."""
        flow, _ = self.followed(actions)
        done = _leaking(flow)
        while True:
            # Every state must be able to reach an end.
            more = done | (flow @ done.astype(float) > 0.0)
            if (more == done).all():
                return bool(done.all())
            done = more


def model_of(mdp: MDP, discount: float) -> Model:
    """Return the model of an MDP at some discount."""
    task, table = mdp.task, mdp.table
    if not 0.0 <= discount <= 1.0:
        raise InvalidData(f"discount must be in [0, 1], got {discount}")
    reward = task.expected_reward(table, mdp.probability)
    small = table.n_rows * table.n_states <= DENSE_ELEMENTS
    rows = _dense_rows(mdp) if small else _sparse_rows(mdp)
    admissible = task.admissible
    if task.terminal.any():
        admissible = task.admissible | task.terminal[:, None]
    leaks = bool(_leaking(rows).any())
    if discount == 1.0 and not leaks:
        raise NotSupported("discount 1 needs states where episodes end: use a discount below 1")
    return Model(rows, reward, float(discount), admissible, leaks)


def terminating_actions(model: Model) -> IntArray:
    """Return actions[s] that end with certainty: each may lead to a state nearer to an end."""
    shape = model.reward.shape
    may_end = _leaking(model.rows).reshape(shape) & model.admissible
    actions: IntArray = may_end.argmax(axis=1)
    done = may_end.any(axis=1)
    while not done.all():
        nearer = (model.rows @ done.astype(float)).reshape(shape) * model.admissible > 0.0
        fresh = nearer.any(axis=1) & ~done
        if not fresh.any():
            raise NotSupported(
                f"no policy can reach an end from state {int(np.argmin(done))} "
                f"({int((~done).sum())} such states): use a discount below 1"
            )
        actions[fresh] = nearer[fresh].argmax(axis=1)
        done |= fresh
    return actions


def _leaking(rows: Matrix) -> BoolArray:
    # Sums off by rounding are whole; a row is either a distribution or empty.
    leaking: BoolArray = np.asarray(rows.sum(axis=1)) < 0.5
    return leaking


def _dense_rows(mdp: MDP) -> FloatArray:
    T = mdp.transition
    T[mdp.task.terminal] = 0.0
    return T.reshape(mdp.table.n_rows, -1)


def _sparse_rows(mdp: MDP) -> Matrix:
    from scipy.sparse import csr_array

    table = mdp.table
    alive = ~np.repeat(mdp.task.terminal, table.n_actions)[table.row_of_entry]
    shape = (table.n_rows, table.n_states)
    return csr_array((mdp.probability * alive, table.successor, table.indptr), shape)


def _dense_solve(flow: FloatArray, reward: FloatArray) -> FloatArray:
    return np.asarray(np.linalg.solve(np.eye(len(reward)) - flow, reward), np.float64)


def _sparse_solve(flow: Matrix, reward: FloatArray) -> FloatArray:
    from scipy.sparse import eye_array
    from scipy.sparse.linalg import spsolve

    value: FloatArray = spsolve((eye_array(len(reward)) - flow).tocsc(), reward)
    return value
