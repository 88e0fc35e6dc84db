"""A policy that may be chosen, and where it came from."""

from collections.abc import Iterable
from dataclasses import dataclass

from tailsafe.errors import InvalidData
from tailsafe.policy import Policy


@dataclass(frozen=True, slots=True)
class Candidate:
    """A policy and the names of all methods that proposed it.

    Parameters
    ----------
    policy
        What would be deployed.
    origins
        Who proposed it, in the order of the portfolio.
    """

    policy: Policy
    origins: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if not isinstance(self.policy, Policy):
            raise InvalidData(f"a candidate needs a Policy, got {type(self.policy).__name__}")
        object.__setattr__(self, "origins", tuple(self.origins))

    @property
    def name(self) -> str:
        """The first origin."""
        return self.origins[0] if self.origins else "unnamed policy"


def merged(candidates: Iterable[Candidate | Policy]) -> tuple[Candidate, ...]:
    """Return one candidate for each distinct policy, first come first; all origins are kept.

    A bare policy is named after its place in the list.
    """
    origins: dict[Policy, dict[str, None]] = {}
    for place, given in enumerate(candidates):
        candidate = (
            given if isinstance(given, Candidate) else Candidate(given, (f"policy {place}",))
        )
        names = candidate.origins or (f"policy {place}",)
        origins.setdefault(candidate.policy, {}).update(dict.fromkeys(names))
    return tuple(Candidate(policy, tuple(names)) for policy, names in origins.items())
