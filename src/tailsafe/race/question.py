"""What is asked of a selection, checked, and how its candidates are evaluated."""

from dataclasses import dataclass

import numpy as np

from tailsafe.arrays import FloatArray, IntArray
from tailsafe.candidate import Candidate
from tailsafe.engine import Engine
from tailsafe.errors import InvalidData
from tailsafe.evaluate import performances
from tailsafe.keys import Stream, stream_key
from tailsafe.policy import Policy
from tailsafe.posterior import Dirichlet, Posterior
from tailsafe.problem import Problem
from tailsafe.race.outlook import Outlook
from tailsafe.race.sheet import Sheet
from tailsafe.ranks import check_probability
from tailsafe.risk import RiskMeasure, VaR


@dataclass(frozen=True, slots=True, eq=False)
class Question:
    """What was asked, checked."""

    problem: Problem
    candidates: tuple[Candidate, ...]
    risk: RiskMeasure
    eps: float | None
    eps_rel: float
    alpha: float
    alpha_certificate: float
    seed: int
    engine: Engine

    def __post_init__(self) -> None:
        check_probability(self.alpha, "alpha")
        check_probability(self.alpha_certificate, "alpha_certificate")
        for name, value in (("eps", self.eps), ("eps_rel", self.eps_rel)):
            if value is not None and not 0.0 < value < np.inf:
                raise InvalidData(f"{name} must be a positive number, got {value}")

    @property
    def policies(self) -> list[Policy]:
        """The policies of the candidates."""
        return [candidate.policy for candidate in self.candidates]

    def utilities(self, first: int, last: int, who: IntArray) -> FloatArray:
        """Return the performances of some candidates on models of the race, X[i, m]."""
        posterior, task = self.problem.posterior, self.problem.task
        key, policies = stream_key(self.seed, Stream.RACE), [self.policies[i] for i in who]
        return performances(posterior, task, policies, first, last, key, self.engine)

    def spread(self, first: int, last: int, who: IntArray) -> FloatArray:
        """Return the performances of some candidates on models spread over all that is possible."""
        even = evenly_spread(self.problem.posterior)
        key, policies = stream_key(self.seed, Stream.CANDIDATES), [self.policies[i] for i in who]
        return performances(even, self.problem.task, policies, first, last, key, self.engine)

    def sheet(self, known: Outlook | None = None) -> Sheet:
        """Return an empty sheet; the floors of a tail measure are those of the outlook."""
        names = [candidate.name for candidate in self.candidates]
        if known is None:
            return Sheet(self.utilities, len(names), names=names)
        # A quantile needs no bounds: nothing is moved.
        low, high = (None,) * 2 if isinstance(self.risk, VaR) else (known.floors, known.ceilings)
        spread = self.spread if isinstance(self.problem.posterior, Dirichlet) else None
        return Sheet(self.utilities, len(names), low, high, known.quantum, names, spread)


def evenly_spread(posterior: Posterior) -> Posterior:
    """Return the flat posterior over the same models, where concentrations are all there is."""
    if not isinstance(posterior, Dirichlet):
        return posterior
    known = posterior.known[posterior.table.row_of_entry]
    flat = np.where(known, posterior.concentration, 1.0)
    return Dirichlet(posterior.table, flat, posterior.known)
