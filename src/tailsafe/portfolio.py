"""Which methods to run: hyper-parameters are candidates too, so that nothing needs tuning."""

from collections.abc import Sequence
from typing import TypeAlias

from tailsafe.solvers.bcr import BCR, BCRLocal
from tailsafe.solvers.improve import Improvement
from tailsafe.solvers.norbu import NORBU, NORBUVaR
from tailsafe.solvers.solver import Solver

Method: TypeAlias = Solver | Improvement
"""What proposes candidates: a solver, or an improvement of what solvers proposed."""

Portfolio: TypeAlias = Sequence[Method]


def paper_portfolio() -> tuple[Method, ...]:
    """Return the methods of the paper (Alg. 2)."""
    return (BCR(), NORBU())


def standard_portfolio() -> tuple[Method, ...]:
    """Return the methods to run by default."""
    return (BCR(), BCRLocal(), NORBU(), NORBUVaR())


def full_portfolio() -> tuple[Method, ...]:
    """Return every method there is."""
    return standard_portfolio()
