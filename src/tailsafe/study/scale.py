"""What findings are measured by: the truth, and the policies of one unit.

dU = (u - u of the trivial policy) / abs(u of the optimal policy)
regret = (u of the best candidate in hindsight - u) / abs(u of the optimal policy)

The paper's optima are positive. Where all rewards are costs, the sign must not turn round, so it is
the size of the optimum that counts; where that is 0, there is no unit, and neither is given.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from time import perf_counter

import numpy as np

from tailsafe.arrays import FloatArray
from tailsafe.candidate import Candidate
from tailsafe.policy import Policy
from tailsafe.propose import Proposal
from tailsafe.solvers.planning import solve
from tailsafe.study.profile import Case
from tailsafe.study.rows import Finding, Outcome
from tailsafe.values import performance


@dataclass(frozen=True, slots=True, eq=False)
class Judge:
    """Scores the policies of one unit on its true model.

    Parameters
    ----------
    case
        The log and the truth.
    candidates
        What selectors choose from, each distinct policy once.
    u_star, u_trivial
        What the optimal and the trivial policy are worth.
    u_best
        What the best candidate is worth.
    policies
        All policies that findings speak of, in the order of their first mention.
    """

    case: Case
    candidates: tuple[Candidate, ...]
    u_star: float
    u_trivial: float
    u_best: float
    policies: dict[Policy, int] = field(default_factory=dict)

    def finding(self, method: str, role: str, policy: Policy, **facts: object) -> Finding:
        """Return what a method's policy is worth.

        Parameters
        ----------
        method, role, policy
            Whose, and which.
        facts
            Other fields of the finding; ``u`` where a program scores otherwise.
        """
        exact = performance(self.case.domain.truth, policy)
        u = float(facts.pop("u", exact))  # type: ignore[arg-type]
        known = {
            "u": u,
            "u_exact": exact,
            "gain": self._in_optima(u - self.u_trivial),
            "regret": self._in_optima(self.u_best - exact),
            "policy": self.policies.setdefault(policy, len(self.policies)),
            "chosen": " + ".join(self.origins(policy)),
            "stochastic": int(not policy.deterministic),
        }
        return Finding(method=method, role=role, **{**known, **facts})  # type: ignore[arg-type]

    def _in_optima(self, difference: float) -> float | None:
        return difference / abs(self.u_star) if self.u_star else None

    def origins(self, policy: Policy) -> tuple[str, ...]:
        """Return who proposed a policy."""
        return next((c.origins for c in self.candidates if c.policy == policy), ())

    def outcome(self, findings: Sequence[Finding]) -> Outcome:
        """Return the outcome of the unit."""
        return Outcome(
            findings=tuple(findings),
            policies=policies_array(self.policies),
            u_trivial=self.u_trivial,
            u_star=self.u_star,
        )


def judge_of(case: Case, candidates: tuple[Candidate, ...], trivial: Policy) -> Judge:
    """Return the judge of a unit."""
    truth = case.domain.truth
    u_star = performance(truth, solve(truth)[0])
    worth = [performance(truth, candidate.policy) for candidate in candidates]
    return Judge(case, candidates, u_star, performance(truth, trivial), max(worth))


def policies_array(policies: dict[Policy, int]) -> FloatArray:
    """Return probs[p, s, a]."""
    return np.stack([policy.probs for policy in policies]) if policies else np.empty((0, 0, 0))


def timed(judge: Callable[[], Finding]) -> Finding:
    """Return the finding with what it took."""
    began = perf_counter()
    found = judge()
    return replace(found, seconds=perf_counter() - began)


def skips(proposal: Proposal) -> list[Finding]:
    """Return a finding for each method that could not propose a policy."""
    return [
        Finding(method=name, role="baseline", status=f"refused: {reason}")
        for name, reason in proposal.skipped
    ]
