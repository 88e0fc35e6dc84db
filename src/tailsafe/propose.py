"""Candidates: run the solvers of a portfolio side by side and merge what is the same policy.

Every solver sees the same problem and seed, so that those that need posterior models share them.
A solver that is not made for the problem is reported with its reason; it stops nothing.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from time import perf_counter
from typing import TypeAlias

import numpy as np

from tailsafe.candidate import Candidate, merged
from tailsafe.engine import Engine
from tailsafe.errors import TailsafeError
from tailsafe.policy import Policy, check_admissible
from tailsafe.portfolio import Portfolio, standard_portfolio
from tailsafe.problem import Problem
from tailsafe.risk import CVaR, RiskMeasure, TailMean, VaR
from tailsafe.solvers.improve import Improvement
from tailsafe.solvers.solver import Solver
from tailsafe.termination import check_terminates

Progress: TypeAlias = Callable[[str, int, int], None]
"""Told the name of what is done, how many are done, and of how many."""

SAME = 12
"""Probabilities are the same if they agree to this many decimals."""


@dataclass(frozen=True, slots=True)
class Proposal:
    """Policies to choose from, each once.

    Parameters
    ----------
    candidates
        Distinct policies, in the order of the portfolio, with the names of all that proposed them.
    skipped
        (name, reason) of each method that could not run on this problem.
    seconds
        What each method took.
    """

    candidates: tuple[Candidate, ...]
    skipped: tuple[tuple[str, str], ...]
    seconds: dict[str, float]

    def __iter__(self) -> Iterator[Candidate]:
        """Go through the candidates."""
        return iter(self.candidates)

    def __len__(self) -> int:
        """Return the number of candidates."""
        return len(self.candidates)


@dataclass(frozen=True, slots=True)
class _Outcome:
    """What became of one method."""

    name: str
    candidates: tuple[Candidate, ...]
    reason: str | None
    seconds: float


def propose(
    problem: Problem,
    portfolio: Portfolio | None = None,
    seed: int = 0,
    engine: Engine = Engine(),
    progress: Progress | None = None,
    *,
    risk: RiskMeasure = CVaR(0.25),
) -> Proposal:
    """Return the distinct policies that the methods of a portfolio propose.

    Parameters
    ----------
    problem
        What the methods see.
    portfolio
        Solvers, and improvements of what they propose; by default ``standard_portfolio()`` at the
        level of the risk measure.
    seed
        Of the models that the methods draw.
    engine
        How fast; the candidates do not depend on it.
    progress
        Called each time that a method is done.
    risk
        What improvements improve.
    """
    methods = standard_portfolio(_level(risk)) if portfolio is None else tuple(portfolio)
    solvers = [m for m in methods if not isinstance(m, Improvement)]
    improvements = [m for m in methods if isinstance(m, Improvement)]
    outcomes: dict[int, _Outcome] = {}

    def note(key: int, outcome: _Outcome) -> None:
        outcomes[key] = outcome
        if progress is not None:
            progress(outcome.name, len(outcomes), len(methods))

    run = partial(_solved, problem, solvers, seed, engine)
    for key, outcome in engine.map_keyed(run, range(len(solvers))):
        note(key, outcome)
    proposed = _distinct(problem, (outcomes[key] for key in range(len(solvers))))
    for key, improvement in enumerate(improvements, start=len(solvers)):
        note(key, _improved(problem, improvement, proposed, (risk, seed, engine)))
    return _proposal(problem, [outcomes[key] for key in range(len(methods))])


def _level(risk: RiskMeasure) -> float:
    """Return the share of bad outcomes that a measure looks at; a quarter if it has none."""
    return risk.level if isinstance(risk, VaR | CVaR | TailMean) else 0.25


def _solved(
    problem: Problem, solvers: Sequence[Solver], seed: int, engine: Engine, key: int
) -> _Outcome:
    """Return what solver number ``key`` proposes, or why it does not."""
    solver = solvers[key]

    def solve() -> tuple[Candidate, ...]:
        policy = solver.solve(problem, seed=seed, engine=engine)
        _check_usable(problem, policy)
        return (Candidate(policy, (solver.name,)),)

    return _timed(solver.name, solve)


def _improved(
    problem: Problem,
    improvement: Improvement,
    proposed: tuple[Candidate, ...],
    rest: tuple[RiskMeasure, int, Engine],
) -> _Outcome:
    """Return what an improvement makes of the proposed policies."""
    risk, seed, engine = rest
    return _timed(
        improvement.name,
        lambda: improvement.improve(problem, proposed, risk, seed=seed, engine=engine),
    )


def _timed(name: str, method: Callable[[], tuple[Candidate, ...]]) -> _Outcome:
    begun, reason = perf_counter(), None
    found: tuple[Candidate, ...] = ()
    try:
        found = method()
    except (TailsafeError, np.linalg.LinAlgError) as error:
        reason = str(error)
    return _Outcome(name, found, reason, perf_counter() - begun)


def _check_usable(problem: Problem, policy: Policy) -> None:
    """Raise unless the policy can be judged: it is admissible and, at discount 1, ends."""
    task = problem.task
    check_admissible(policy, task.admissible, task.terminal)
    if task.discount == 1.0:
        check_terminates(problem.posterior.table, task, policy.probs, "its policy")


def _proposal(problem: Problem, outcomes: Sequence[_Outcome]) -> Proposal:
    skipped = tuple((o.name, o.reason) for o in outcomes if o.reason is not None)
    seconds: dict[str, float] = {}
    for outcome in outcomes:
        seconds[outcome.name] = seconds.get(outcome.name, 0.0) + outcome.seconds
    return Proposal(_distinct(problem, iter(outcomes)), skipped, seconds)


def _distinct(problem: Problem, outcomes: Iterator[_Outcome]) -> tuple[Candidate, ...]:
    """Return each policy once; what it would do after the end does not count."""
    first: dict[bytes, Policy] = {}
    found = []
    for outcome in outcomes:
        for candidate in outcome.candidates:
            alive = candidate.policy.probs[~problem.task.terminal]
            content = np.round(alive, SAME).tobytes()
            policy = first.setdefault(content, candidate.policy)
            found.append(Candidate(policy, candidate.origins))
    return merged(found)
