"""How much an improvement may do: which models it uses, how far it climbs, what is too large."""

from collections.abc import Sequence

import numpy as np

from tailsafe.errors import NotSupported
from tailsafe.problem import Problem
from tailsafe.samples import Samples

MOST_STATES = 512
"""Beyond, an inverse for each model takes too long."""

KEPT_BYTES = 150_000_000
"""A sample is kept in memory; where models are large it is smaller than asked for."""

LEAST_MODELS = 50
"""Fewer are no sample."""

JUDGES, JUDGES_WORK = 10_000, 2_000_000_000
"""Models that choose between what was found and what was there; fewer of very many states."""

MIRROR_MODELS = 10_000
"""Mirror steps times models of one climb, at most."""

MIRROR_WORK = 5_000_000_000
"""And of their arithmetic: a step takes about 10 n^3 operations a model of n states."""


def check_size(problem: Problem) -> None:
    """Raise NotSupported for problems that improvement would take too long for."""
    n_states, n_entries = problem.n_states, problem.posterior.table.n_entries
    if n_states > MOST_STATES:
        raise NotSupported(
            "improvement inverts a matrix of all states for each model, too slow for "
            f"{n_states} states: use it up to {MOST_STATES}"
        )
    if LEAST_MODELS * n_entries * 8 > KEPT_BYTES:
        raise NotSupported(
            f"improvement keeps at least {LEAST_MODELS} models in memory, too much for "
            f"{n_entries} possible transitions: use a support with fewer"
        )


def spans_of(problem: Problem, sizes: Sequence[int]) -> list[tuple[int, int]]:
    """Return which models each sample holds, first .. last - 1; no two share one."""
    if isinstance(problem.posterior, Samples):
        return [(0, len(problem.posterior))]
    most = KEPT_BYTES // (8 * problem.posterior.table.n_entries)
    ends = np.cumsum([min(size, most) for size in sizes]).tolist()
    return list(zip([0, *ends[:-1]], ends, strict=True))


def judges_after(problem: Problem, last_span: tuple[int, int]) -> tuple[int, int]:
    """Return which models have the last word: many that nobody has climbed on.

    Of an explicit list there are no others. Climbing fits its sample a little; without this a
    policy that was good already could lose to one that only looks better.
    """
    if isinstance(problem.posterior, Samples):
        return last_span
    first, climbed = last_span[1], last_span[1] - last_span[0]
    return first, first + max(climbed, min(JUDGES, JUDGES_WORK // problem.n_states**3))


def mirror_steps(n_models: int, n_states: int) -> int:
    """Return how many mirror steps one climb on so many models may take."""
    return max(2, min(MIRROR_MODELS // n_models, MIRROR_WORK // (10 * n_states**3 * n_models)))
