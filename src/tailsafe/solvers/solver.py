"""What every solver is: frozen parameters and one verb."""

from typing import Protocol

from tailsafe.engine import Engine
from tailsafe.policy import Policy
from tailsafe.problem import Problem


class Solver(Protocol):
    """A method with all its parameters fixed, which proposes one policy for a problem."""

    @property
    def name(self) -> str:
        """The method and the parameters that tell it from its siblings, as in ``SPIBB(5)``."""

    def solve(self, problem: Problem, seed: int = 0, engine: Engine = Engine()) -> Policy:
        """Return the method's policy.

        Raises NotSupported if the method is not defined for this problem.

        Parameters
        ----------
        problem
            The task, the log, the posterior and the behaviour policy; never the truth.
        seed
            Of the models that the method draws, if it draws any.
        engine
            How fast; the policy does not depend on it.
        """
