"""The policy that made the log, as given or as its actions suggest: the least risky candidate.

pi_b(a | s) = (N(s, a) + smoothing) / sum over admissible actions of the same
"""

from dataclasses import dataclass

from tailsafe.engine import Engine
from tailsafe.errors import InvalidData
from tailsafe.policy import Policy
from tailsafe.problem import Problem, estimated_behaviour


@dataclass(frozen=True, slots=True)
class Behaviour:
    """Go on as before.

    Parameters
    ----------
    smoothing
        None: the problem's behaviour policy. A number: estimate it from the log, with this added
        to the count of each admissible action.
    """

    smoothing: float | None = None

    def __post_init__(self) -> None:
        if self.smoothing is not None and not 0.0 <= self.smoothing < float("inf"):
            raise InvalidData(f"smoothing must be a number of at least 0, got {self.smoothing}")

    @property
    def name(self) -> str:
        part = "" if self.smoothing is None else f"(smoothing {self.smoothing:g})"
        return f"Behaviour{part}"

    def solve(self, problem: Problem, seed: int = 0, engine: Engine = Engine()) -> Policy:
        del seed, engine
        if self.smoothing is None:
            return problem.behaviour
        return estimated_behaviour(problem.task, problem.batch, self.smoothing)
