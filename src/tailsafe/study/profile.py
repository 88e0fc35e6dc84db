"""What is done with the log of a unit: a profile judges a case."""

from dataclasses import dataclass
from typing import Protocol

from tailsafe.domains.domain import Domain
from tailsafe.problem import Problem
from tailsafe.study.rows import Outcome


@dataclass(frozen=True, slots=True, eq=False)
class Case:
    """One log of a domain whose truth is known.

    Parameters
    ----------
    domain
        The task and the true model.
    problem
        What methods may see of it.
    size, trial
        Of the unit.
    seed
        Of everything random in this unit, the log included.
    """

    domain: Domain
    problem: Problem
    size: int
    trial: int
    seed: int


class Profile(Protocol):
    """A frozen dataclass of plain values with one verb; its repr says all that decides a row."""

    @property
    def name(self) -> str:
        """How rows and the command line call it."""

    def judge(self, case: Case) -> Outcome:
        """Return what the methods made of the log; everything random comes from its seed."""
