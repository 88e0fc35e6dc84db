"""The result of a selection: what was chosen, how sure that is, and how to compute it again."""

from dataclasses import dataclass
from typing import Literal, TypeAlias

from tailsafe.candidate import Candidate
from tailsafe.certificate import Certificate
from tailsafe.risk import RiskMeasure

Status: TypeAlias = Literal["selected", "budget", "interrupted"]
"""Selected: the best is proved within eps. Budget, interrupted: only the tie set is proved."""

Standing: TypeAlias = Literal["best", "within eps", "not better", "undecided"]
"""Within eps: proved to be better than the best by eps at most, and left there; it may be worse.
Not better: proved not to be better than a leader of the race. Either holds with probability
1 - alpha for each single candidate; for all together, what ``Selection`` says of the best does."""


@dataclass(frozen=True, slots=True)
class Ranked:
    """A candidate and where it stands.

    Parameters
    ----------
    candidate
        The policy and its origins.
    standing
        What was proved of it.
    estimate
        The risk measure on the models it was judged on.
    lower, upper
        A (1 - alpha) interval for the risk measure of this one candidate, valid at whatever
        moment the race stopped.
    n_models
        On how many models it was judged.
    floor, ceiling
        Estimate and interval count worse and better performances as these; None: none was moved.
    """

    candidate: Candidate
    standing: Standing
    estimate: float
    lower: float
    upper: float
    n_models: int
    floor: float | None = None
    ceiling: float | None = None


@dataclass(frozen=True, slots=True)
class Provenance:
    """All that is needed to compute a selection again.

    Parameters
    ----------
    tailsafe, numpy, python
        Versions.
    seed
        Of all random models.
    batch_hash, posterior_hash
        SHA-256 of the log and of the posterior's table and parameters.
    prior
        The prior in words.
    models
        (stream, first, last) of the models that were used: to race and to plan the certificate,
        to certify, and to guess moments that have no formula.
    """

    tailsafe: str
    numpy: str
    python: str
    seed: int
    batch_hash: str
    posterior_hash: str
    prior: str
    models: tuple[tuple[str, int, int], ...]


@dataclass(frozen=True, slots=True)
class RaceState:
    """Where a race stands after a look at the data.

    Parameters
    ----------
    n_models
        On how many models the remaining candidates have been judged.
    alive, parked
        How many are not ruled out, and how many of these are proved within eps.
    leader
        The name of the present leader.
    lower
        A lower confidence bound of its risk measure, if there is one yet.
    done
        The share of the other candidates that are decided.
    """

    n_models: int
    alive: int
    parked: int
    leader: str
    lower: float | None
    done: float


@dataclass(frozen=True, slots=True)
class Selection:
    """The chosen policy, the ranking, the tie set and the certificate.

    With probability at least 1 - alpha over the models drawn: the truly best candidate is among
    ``ties``, and ``best`` is worse than it by no more than ``regret_bound`` (which is at most
    ``eps`` when the status is "selected").

    Parameters
    ----------
    status
        "selected"; or "budget" or "interrupted", when ties remain.
    risk
        The measure that was selected by.
    best
        The leader of the race.
    ranking
        All candidates, best first: by standing, then by estimate.
    ties
        The candidates that are not ruled out, best first.
    regret_bound
        How much better than ``best`` another candidate may be.
    certificate
        What holds for ``best``, on models that played no part in choosing it.
    eps, alpha
        Precision (in units of performance) and error probability of the choice.
    floor
        The guarantee counts worse performances of ``best`` as this one; None: none was moved.
        (Those of others may only make them look better.)
    evaluations
        Policies times models solved, race and certificate.
    n_models
        The largest number of models on which candidates were judged.
    provenance
        Versions, seed, hashes, models used.
    ceiling
        Where performances have no upper bound (discount 1), those of each candidate beyond its
        ceiling count as that; the lowest of these ceilings. None: nothing was capped.
    """

    status: Status
    risk: RiskMeasure
    best: Candidate
    ranking: tuple[Ranked, ...]
    ties: tuple[Candidate, ...]
    regret_bound: float
    certificate: Certificate
    eps: float
    alpha: float
    floor: float | None
    evaluations: int
    n_models: int
    provenance: Provenance
    ceiling: float | None = None
