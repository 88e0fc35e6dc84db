"""One candidate in the record: its standing, its law, its actions, what is new in them."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tailsafe.arrays import BoolArray
from tailsafe.candidate import Candidate
from tailsafe.certificate import Certificate
from tailsafe.policy import Policy
from tailsafe.problem import Problem
from tailsafe.record.laws import Law, level_of
from tailsafe.record.schema import CandidateRecord, CertificateRecord, Choices
from tailsafe.risk import CVaR, RiskMeasure, VaR


@dataclass(frozen=True, slots=True)
class Judged:
    """A candidate and what was found of it; bounds are infinite where there is none."""

    candidate: Candidate
    standing: str
    estimate: float
    lower: float
    upper: float
    n_models: int
    certificate: Certificate | None = None

    @property
    def evaluations(self) -> int:
        """On how many models it was solved, its certificate's included."""
        return self.n_models + (0 if self.certificate is None else self.certificate.n_models)


def candidate_record(
    problem: Problem, judged: Judged, law: Law, risk: RiskMeasure, thin_share: float
) -> CandidateRecord:
    """Return the record of a candidate."""
    policy, level = judged.candidate.policy, level_of(risk)
    return {
        "name": judged.candidate.name,
        "origins": list(judged.candidate.origins),
        "standing": judged.standing,
        "estimate": judged.estimate,
        "lower": finite_or_none(judged.lower),
        "upper": finite_or_none(judged.upper),
        "n_models": int(judged.n_models),
        "mean": law.mean,
        "sd": law.sd,
        "var": law.of(VaR(level)),
        "cvar": law.of(CVaR(level)),
        "quantiles": law.quantiles(),
        "certificate": certificate_record(judged.certificate),
        "policy": choices(policy),
        "deterministic": policy.deterministic,
        "differs": np.nonzero(differs(problem, policy))[0].tolist(),
        "thin_share": float(thin_share),
    }


def certificate_record(certificate: Certificate | None) -> CertificateRecord | None:
    """Return the record of a certificate."""
    if certificate is None:
        return None
    return {
        "risk": certificate.risk.name,
        "bound": float(certificate.bound),
        "probability": certificate.probability,
        "confidence": float(certificate.confidence),
        "marginal_bound": finite_or_none(certificate.marginal_bound),
        "n_models": int(certificate.n_models),
        "floor": certificate.floor,
        "sentence": certificate.sentence,
    }


def choices(policy: Policy) -> Choices:
    """Return the (action, probability) pairs of each state, most probable first."""
    return [_of_state(row.tolist()) for row in policy.probs]


def _of_state(row: Sequence[float]) -> list[tuple[int, float]]:
    taken = [(action, p) for action, p in enumerate(row) if p > 0.0]
    return sorted(taken, key=lambda pair: (-pair[1], pair[0]))


def differs(problem: Problem, policy: Policy) -> BoolArray:
    """Return mask[s]: takes what the behaviour never takes, or mostly something else."""
    ours, theirs = policy.probs, problem.behaviour.probs
    never = ((ours > 0.0) & (theirs == 0.0)).any(axis=1)
    mostly = ours.argmax(axis=1) != theirs.argmax(axis=1)
    mask: BoolArray = (never | mostly) & ~problem.task.terminal
    return mask


def finite_or_none(value: float | None) -> float | None:
    """Return the number, None in place of an infinite one."""
    return float(value) if value is not None and np.isfinite(value) else None
