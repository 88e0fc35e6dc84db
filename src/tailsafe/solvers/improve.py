"""Posterior policy optimisation: improve the sampled risk itself, from the best candidates."""

from collections.abc import Sequence
from dataclasses import dataclass

from tailsafe.candidate import Candidate
from tailsafe.engine import Engine
from tailsafe.problem import Problem
from tailsafe.risk import RiskMeasure


@dataclass(frozen=True, slots=True)
class Improvement:
    """What a portfolio holds to have its candidates improved."""

    @property
    def name(self) -> str:
        """The name of the method."""
        return "improved"

    def improve(
        self,
        problem: Problem,
        candidates: Sequence[Candidate],
        risk: RiskMeasure,
        seed: int = 0,
        engine: Engine = Engine(),
    ) -> tuple[Candidate, ...]:
        """Return improved candidates."""
        del problem, candidates, risk, seed, engine
        return ()
