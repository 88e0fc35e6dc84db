"""What (I - discount P_pi) V = r_pi needs of a table, a task and some policies, packed.

A choice is what one or more policies do in one state: a row of the table, or a mixture of rows.
Policies are sorted by their choices, and states by how much the policies differ there, so that
policies next to each other begin with the same choices: what was eliminated is used again.
"""

from dataclasses import dataclass

import numpy as np

from tailsafe.arrays import BoolArray, FloatArray, IntArray
from tailsafe.kernels import Setting


@dataclass(frozen=True, slots=True, eq=False)
class System:
    """The equations of several policies.

    Parameters
    ----------
    rows
        The rows of the table that are used; tiles hold the entries of these, one after the other.
    entries, start
        The entries of these rows, and where each row begins among them.
    target, reward
        Of each such entry: the unknown that its successor is (-1 if terminal), and R.
    mix_start, mix_row, mix_weight
        Choice c mixes rows[mix_row[i]] with mix_weight[i], i from mix_start[c] on.
    choice
        choice[p, i] of unknown i, policies sorted.
    order, shared
        order[i] is the policy that is i-th, and how many first choices it shares with the one
        before.
    initial
        mu of each unknown.
    discount
        In [0, 1].
    """

    rows: IntArray
    entries: IntArray
    start: IntArray
    target: IntArray
    reward: FloatArray
    mix_start: IntArray
    mix_row: IntArray
    mix_weight: FloatArray
    choice: IntArray
    order: IntArray
    shared: IntArray
    initial: FloatArray
    discount: float


def assemble(known: Setting, most_sorted: int) -> System:
    """Return the equations of the policies of a setting; more states than that stay in place.

    An iteration must not depend, through the order of states, on the other policies.
    """
    probs = known.probs
    code = choice_codes(probs, known.used)
    live = np.nonzero(~known.terminal)[0]
    codes, first, choice = np.unique(code[:, live], return_index=True, return_inverse=True)
    choice = choice.reshape(len(probs), len(live))
    policy, at = np.divmod(first, max(len(live), 1))
    weights = np.where((codes >= 0)[:, None], probs[policy, live[at]], 0.0)
    if len(live) > most_sorted:
        states = live
    else:
        sorting = elimination_order(np.bincount(at, minlength=len(live)), known.initial[live])
        states, choice = live[sorting], choice[:, sorting]
    order = np.lexsort(choice[:, ::-1].T) if len(live) else np.arange(len(probs))
    choice = np.ascontiguousarray(choice[order])
    mix_choice, action = np.nonzero(weights)
    rows, mix_row = np.unique(live[at[mix_choice]] * probs.shape[2] + action, return_inverse=True)
    lengths = known.indptr[rows + 1] - known.indptr[rows]
    start = np.concatenate([[0], np.cumsum(lengths)])
    entries = np.repeat(known.indptr[rows] - start[:-1], lengths) + np.arange(start[-1])
    position = np.full(len(known.terminal), -1)
    position[states] = np.arange(len(states))
    return System(
        rows=rows,
        entries=entries,
        start=start,
        target=position[known.successor[entries]],
        reward=known.reward[entries],
        mix_start=np.searchsorted(mix_choice, np.arange(len(codes) + 1)),
        mix_row=mix_row,
        mix_weight=weights[mix_choice, action],
        choice=choice,
        order=order,
        shared=shared_prefix(choice),
        initial=known.initial[states],
        discount=known.discount,
    )


def choice_codes(probs: FloatArray, used: BoolArray) -> IntArray:
    """Return a number for each choice[p, s], equal where the same is done; -1 where not used."""
    n_states, n_actions = probs.shape[1:]
    code: IntArray = np.arange(n_states) * n_actions + probs.argmax(axis=2)
    policy, state = np.nonzero((probs.max(axis=2) < 1.0) & used)
    if len(policy):
        mixed = np.column_stack([state, probs[policy, state]])
        code[policy, state] = (
            n_states * n_actions + np.unique(mixed, axis=0, return_inverse=True)[1].ravel()
        )
    code[~used] = -1
    return code


def elimination_order(n_choices: IntArray, initial: FloatArray) -> IntArray:
    """Return the states as they are eliminated: first where policies agree, last where it starts.

    What is not a start state need not be substituted back, if few are.
    """
    start = (initial > 0.0) & (np.count_nonzero(initial) * 4 <= len(initial))
    return np.lexsort((n_choices, start))


def shared_prefix(choice: IntArray) -> IntArray:
    """Return how many first choices each policy shares with the one before it."""
    shared = np.zeros(len(choice), np.int64)
    if choice.shape[1]:
        differs = choice[1:] != choice[:-1]
        shared[1:] = np.where(differs.any(axis=1), differs.argmax(axis=1), choice.shape[1])
    return shared


def departures(system: System, tame: float) -> tuple[IntArray, IntArray, IntArray, IntArray]:
    """Return a base policy, and where each policy departs from it: base, start, state, choice.

    The base does in each state what most policies do. Without one (an empty base) each policy
    lists all it does: that is less work where policies are few or have little in common, and
    the only way above the discount ``tame``.
    """
    n_policies, n = system.choice.shape
    base = np.array([np.bincount(column).argmax() for column in system.choice.T], np.int64)
    differs = system.choice != base
    n_choices, sizes = len(system.mix_start) - 1, differs.sum(axis=1)
    with_base = n**3 / 3 + n_choices * n * n + (sizes**3 / 3.0 + sizes**2).sum()
    if system.discount > tame or with_base > n_policies * n**3 / 3:
        base, differs = base[:0], np.ones_like(differs)
    policy, state = np.nonzero(differs)
    start = np.searchsorted(policy, np.arange(n_policies + 1))
    return base, start, state, system.choice[policy, state]
