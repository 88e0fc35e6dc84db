"""What a log shows, what it hardly shows, and which of that the candidates rely on.

A candidate relies on a pair as far as it spends time there: the share
    d(s, a) = c pi(a | s) sum_k discount^k P(s_k = s),   sum over pairs outside terminal states = 1,
on the posterior mean model. Shares add up over pairs, so a threshold on them is a share of time.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from tailsafe.arrays import BoolArray, FloatArray, IntArray
from tailsafe.candidate import Candidate
from tailsafe.data.labels import Labels, listed
from tailsafe.data.words import counted, percent
from tailsafe.mdp import MDP
from tailsafe.policy import Policy
from tailsafe.problem import Problem

THIN_BELOW = 10
"""Pairs tried fewer times are thin."""

RELIED_ON = 0.01
"""A candidate relies on a pair in which it spends at least this share of its time."""

DENSE_STATES = 2_000


@dataclass(frozen=True, slots=True)
class ThinPair:
    """A pair that the log hardly shows, and the candidates (by place) that rely on it."""

    state: int
    action: int
    visits: int
    share: float
    candidates: tuple[int, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Sufficiency:
    """How far a log carries.

    Parameters
    ----------
    visits
        How often each pair was tried, N[s, a].
    unseen_states
        Neither left nor entered anywhere in the log.
    untried_states
        Entered or known, but no action was ever tried there; terminal states left out.
    n_pairs, n_tried
        Admissible pairs outside terminal states, and how many of them were tried.
    thin_below
        Fewer visits than this are thin.
    thin
        Thin pairs that a candidate relies on, the most relied-on first.
    thin_shares
        The share of its time that each candidate spends in thin pairs.
    words
        The same in sentences.
    """

    visits: IntArray
    unseen_states: tuple[int, ...]
    untried_states: tuple[int, ...]
    n_pairs: int
    n_tried: int
    thin_below: int
    thin: tuple[ThinPair, ...]
    thin_shares: FloatArray
    words: tuple[str, ...]


def sufficiency(
    problem: Problem,
    candidates: Sequence[Candidate | Policy] = (),
    labels: Labels | None = None,
    thin_below: int = THIN_BELOW,
) -> Sufficiency:
    """Return what the log shows and what it hardly shows.

    Parameters
    ----------
    problem
        The log and the model made of it.
    candidates
        The policies that may be chosen.
    labels
        What states and actions are called; numbers by default.
    thin_below
        Fewer visits than this are thin.
    """
    task, batch, visits = problem.task, problem.batch, problem.visits()
    usable = task.admissible & ~task.terminal[:, None]
    entered = np.zeros(batch.n_states, bool)
    entered[batch.next_state] = entered[batch.state] = True
    tried = visits.sum(axis=1) > 0
    mean = problem.mean()
    policies = [c.policy if isinstance(c, Candidate) else c for c in candidates]
    shares = np.array([occupancy(mean, policy) for policy in policies])
    shares = shares.reshape(len(policies), *visits.shape)
    is_thin = usable & (visits < thin_below)
    found = Sufficiency(
        visits,
        _places(~entered),
        _places(entered & ~tried & ~task.terminal),
        int(usable.sum()),
        int((usable & (visits > 0)).sum()),
        thin_below,
        _thin(is_thin, visits, shares),
        (shares * is_thin).sum(axis=(1, 2)),
        (),
    )
    return _worded(found, labels or Labels.plain(*visits.shape))


def occupancy(mdp: MDP, policy: Policy) -> FloatArray:
    """Return the share of its discounted time that a policy spends in each pair, d[s, a]."""
    task, table = mdp.task, mdp.table
    state, action = np.divmod(table.row_of_entry, table.n_actions)
    # Below 1, so that a policy that may never end has a finite stay everywhere.
    flow = min(task.discount, 1.0 - 1e-9) * policy.probs[state, action] * mdp.probability
    flow[task.terminal[state] | task.terminal[table.successor]] = 0.0
    start = np.where(task.terminal, 0.0, task.initial)
    visits = _solved(state, table.successor, flow, start)
    total = visits.sum()
    share: FloatArray = visits[:, None] * policy.probs / (total if total > 0.0 else 1.0)
    return share


def _solved(
    state: IntArray, successor: IntArray, flow: FloatArray, start: FloatArray
) -> FloatArray:
    """Return the expected discounted visits x = start + flow' x."""
    n = len(start)
    if n <= DENSE_STATES:
        into = np.bincount(successor * n + state, weights=flow, minlength=n * n)
        return np.asarray(np.linalg.solve(np.eye(n) - into.reshape(n, n), start), np.float64)
    from scipy.sparse import csc_array, eye_array
    from scipy.sparse.linalg import spsolve

    matrix = eye_array(n) - csc_array((flow, (successor, state)), shape=(n, n))
    visits: FloatArray = spsolve(matrix.tocsc(), start)
    return visits


def _places(mask: BoolArray) -> tuple[int, ...]:
    return tuple(np.nonzero(mask)[0].tolist())


def _thin(is_thin: BoolArray, visits: IntArray, shares: FloatArray) -> tuple[ThinPair, ...]:
    relied = is_thin & (shares >= RELIED_ON)
    pairs = [
        ThinPair(
            *(int(s), int(a), int(visits[s, a])),
            float(shares[:, s, a].max()),
            _places(relied[:, s, a]),
        )
        for s, a in np.argwhere(relied.any(axis=0))
    ]
    return tuple(sorted(pairs, key=lambda pair: -pair.share))


def _worded(found: Sufficiency, labels: Labels) -> Sufficiency:
    tried = percent(found.n_tried / found.n_pairs) if found.n_pairs else "none"
    words = [f"The log tries {tried} of the {found.n_pairs:,} pairs of state and action."]
    for places, what in (
        (found.unseen_states, "never appear"),
        (found.untried_states, "are entered, but no action was tried there"),
    ):
        if places:
            names = listed([labels.states[s] for s in places])
            words.append(f"{counted(len(places), 'state')} {what}: {names}.")
    if len(found.thin_shares):
        words.append(_thin_words(found, labels))
    return replace(found, words=tuple(words))


def _thin_words(found: Sufficiency, labels: Labels) -> str:
    if not found.thin:
        return (
            "Every pair in which a policy spends 1 % of its time or more was tried "
            f"{found.thin_below} times or more."
        )
    worst = found.thin[0]
    return (
        f"{counted(len(found.thin), 'pair')} that some policy relies on were tried fewer than "
        f"{found.thin_below} times; most of all state {labels.states[worst.state]}, action "
        f"{labels.actions[worst.action]}: tried {counted(worst.visits, 'time')}, up to "
        f"{percent(worst.share)} of the time spent there."
    )
