"""One candidate for each policy that differs where it matters: in states it can come to."""

from collections.abc import Iterable

import numpy as np

from tailsafe.candidate import Candidate, merged
from tailsafe.errors import InvalidData
from tailsafe.policy import Policy, check_admissible
from tailsafe.problem import Problem
from tailsafe.termination import reachable

SAME = 12
"""Probabilities are the same if they agree to this many decimals."""


def distinct(problem: Problem, given: Iterable[Candidate | Policy]) -> tuple[Candidate, ...]:
    """Return the candidates, those that act alike merged into the first; origins are kept."""
    task, table = problem.task, problem.posterior.table
    first: dict[bytes, Policy] = {}
    found = []
    for candidate in merged(given):
        probs = candidate.policy.probs
        check_admissible(candidate.policy, task.admissible, task.terminal)
        lives = reachable(table, task, probs) & ~task.terminal
        content = np.where(lives[:, None], np.round(probs, SAME), 0.0).tobytes()
        found.append(Candidate(first.setdefault(content, candidate.policy), candidate.origins))
    if not found:
        raise InvalidData("there is no candidate to select from")
    return merged(found)
