"""What a study records: one row for each method and log. Rows say everything."""

from dataclasses import dataclass, fields

import numpy as np

from tailsafe.arrays import FloatArray
from tailsafe.errors import InvalidData

Value = str | int | float | None
"""What a cell of the store holds."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """What one method made of one log.

    Parameters
    ----------
    method
        Its name; of a selector with its risk measure.
    role
        ``baseline``: a method's own policy; ``selector``: the choice among candidates;
        ``reference``: the optimum, the best candidate in hindsight, ...
    status
        ``ok``, or how it ended: ``selected``, ``budget``, ``refused: why``.
    u
        What the policy is worth in truth, as the profile scores it.
    u_exact
        The same by exact evaluation; they differ where a published program scores otherwise.
    gain
        dU = (u - u of the trivial policy) / abs(u of the optimal policy).
    regret
        (u of the best candidate in hindsight - u_exact) / abs(u of the optimal policy).
    policy
        Which of the unit's policies (the array of the unit); -1 if there is none.
    chosen
        Who proposed that policy, joined by " + ".
    stochastic
        Whether the policy is.
    estimate, bound, confidence
        What a selector says of its choice: the risk measure's estimate, the certificate's bound,
        and the probability with which a draw exceeds the bound.
    covered
        1 if the truth exceeds the bound.
    n_candidates, n_models, evaluations
        Policies compared, models drawn, policy-on-model evaluations.
    seconds
        What it took, without the work that methods share.
    """

    method: str
    role: str
    status: str = "ok"
    u: float | None = None
    u_exact: float | None = None
    gain: float | None = None
    regret: float | None = None
    policy: int = -1
    chosen: str = ""
    stochastic: int = 0
    estimate: float | None = None
    bound: float | None = None
    confidence: float | None = None
    covered: int | None = None
    n_candidates: int = 0
    n_models: int = 0
    evaluations: int = 0
    seconds: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What one unit gives: findings, and all its policies, probs[p, s, a]."""

    findings: tuple[Finding, ...]
    policies: FloatArray
    u_trivial: float
    u_star: float
    seconds: float = 0.0

    def __post_init__(self) -> None:
        for finding in self.findings:
            _check_cells(finding)
        methods = [finding.method for finding in self.findings]
        for method in methods:
            if methods.count(method) > 1:
                raise InvalidData(
                    f"{methods.count(method)} findings of one log are called {method}: a profile "
                    "gives each its own name"
                )


def _check_cells(finding: Finding) -> None:
    for field in fields(finding):
        value = getattr(finding, field.name)
        if not isinstance(value, str | int | float | np.generic | None):
            raise InvalidData(
                f"{field.name} of {finding.method} must be a text or a number, got {value!r}"
            )


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One row of the store: the key of the unit, the truth, versions, and a finding."""

    study: str
    domain: str
    profile: str
    size: int
    trial: int
    method: str
    seed: int
    u_trivial: float
    u_star: float
    role: str
    status: str
    u: float | None
    u_exact: float | None
    gain: float | None
    regret: float | None
    policy: int
    chosen: str
    stochastic: int
    estimate: float | None
    bound: float | None
    confidence: float | None
    covered: int | None
    n_candidates: int
    n_models: int
    evaluations: int
    tailsafe: str
    numpy: str
    python: str
    seconds: float


KEY = ("study", "domain", "profile", "size", "trial")
"""The columns that name a unit; with the method they name a row."""

TIMES = ("seconds",)
"""Columns that differ from run to run."""

COLUMNS = tuple(field.name for field in fields(Row))


def cells(row: Row) -> tuple[Value, ...]:
    """Return the values of a row in the order of the columns."""
    values = (getattr(row, name) for name in COLUMNS)
    return tuple(value.item() if isinstance(value, np.generic) else value for value in values)
