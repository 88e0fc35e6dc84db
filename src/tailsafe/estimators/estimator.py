"""What every estimator is, and the choice that one makes among candidates.

An estimator sees the log and the behaviour policy, not the posterior. Where its weights leave too
few effective episodes it refuses: the score is NaN, which ``choose`` reports and never chooses.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from tailsafe.arrays import FloatArray
from tailsafe.candidate import Candidate, merged
from tailsafe.errors import InvalidData
from tailsafe.policy import Policy, check_admissible
from tailsafe.problem import Problem

MIN_EFFECTIVE = 5.0
"""Estimators refuse below this many effective episodes (or visits), unless told otherwise."""


class Estimator(Protocol):
    """A method that scores policies on a log; the largest score is the best policy."""

    @property
    def name(self) -> str:
        """The method, with the parameters that tell it from its siblings."""

    @property
    def min_effective(self) -> float:
        """The effective sample size below which it refuses."""

    def score(self, problem: Problem, policies: Sequence[Policy]) -> FloatArray:
        """Return the score of each policy, score[p]; NaN where it refuses."""

    def effective_sizes(self, problem: Problem, policies: Sequence[Policy]) -> FloatArray:
        """Return how many episodes (or visits) each score really rests on, n[p]."""


@dataclass(frozen=True, slots=True, eq=False)
class Choice:
    """What an estimator chooses.

    Parameters
    ----------
    best
        The candidate with the largest score, the first of equals; None if all were refused.
    candidates
        All of them, each distinct policy once.
    scores, effective_sizes
        Of each; NaN where it was refused.
    refused
        (name, why) of each candidate without a score.
    """

    best: Candidate | None
    candidates: tuple[Candidate, ...]
    scores: FloatArray
    effective_sizes: FloatArray
    refused: tuple[tuple[str, str], ...]


def choose(
    estimator: Estimator, problem: Problem, candidates: Iterable[Candidate | Policy]
) -> Choice:
    """Return the choice of an estimator among some policies."""
    pool = merged(candidates)
    if not pool:
        raise InvalidData("there is no candidate to choose from")
    policies = [candidate.policy for candidate in pool]
    scores = estimator.score(problem, policies)
    sizes = estimator.effective_sizes(problem, policies)
    known = np.isfinite(scores)
    best = pool[int(np.argmax(np.where(known, scores, -np.inf)))] if known.any() else None
    refused = tuple((pool[i].name, _why(estimator, float(sizes[i]))) for i in np.nonzero(~known)[0])
    return Choice(best, pool, scores, sizes, refused)


def checked(problem: Problem, policies: Sequence[Policy]) -> Sequence[Policy]:
    """Return the policies, if the task admits them."""
    for policy in policies:
        check_admissible(policy, problem.task.admissible, problem.task.terminal)
    return policies


def _why(estimator: Estimator, size: float) -> str:
    if size < estimator.min_effective or size == 0.0:
        return (
            f"the log amounts to {size:.3g} effective samples for this policy; {estimator.name} "
            f"asks for {estimator.min_effective:g}"
        )
    return f"{estimator.name} is not defined: the reweighted log does not reach the risk level"
