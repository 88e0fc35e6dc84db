"""The profile ``tailsafe``: what the package does by default with a log, and what it promises.

The standard portfolio, its improvements, the race, the certificate; beside it the printed rule and
the off-policy estimators on the same candidates. ``covered`` says whether the truth kept the bound.
"""

from dataclasses import dataclass
from functools import partial
from math import inf

from tailsafe.arrays import check_count
from tailsafe.engine import Engine
from tailsafe.errors import InvalidData
from tailsafe.estimators.estimator import Estimator, choose
from tailsafe.mc2ps import PrintedRule, mc2ps
from tailsafe.portfolio import Portfolio
from tailsafe.propose import Proposal, propose
from tailsafe.risk import CVaR, RiskMeasure, VaR
from tailsafe.select import select
from tailsafe.solvers.nominal import Nominal
from tailsafe.study.profile import Case
from tailsafe.study.rows import Finding, Outcome
from tailsafe.study.scale import Judge, judge_of, skips, timed
from tailsafe.values import performance


@dataclass(frozen=True, slots=True)
class Default:
    """The package's own choice.

    Parameters
    ----------
    risks
        The measures to choose by; candidates are improved for the last.
    portfolio
        What proposes; empty means ``standard_portfolio``, at the level of the last measure.
    estimators
        Off-policy estimators that choose among the same candidates.
    printed
        The rule of ``mc2ps`` beside the race, or None to leave it out.
    eps_rel, max_models
        Of the race.
    label
        How rows and the command line call it.
    """

    risks: tuple[RiskMeasure, ...] = (VaR(0.25), CVaR(0.25))
    portfolio: Portfolio = ()
    estimators: tuple[Estimator, ...] = ()
    printed: PrintedRule | None = None
    eps_rel: float = 0.01
    max_models: int = 2**17
    label: str = "tailsafe"

    def __post_init__(self) -> None:
        names = [risk.name for risk in self.risks]
        if not names:
            raise InvalidData("there must be at least one risk measure to choose by")
        if len(set(names)) < len(names):
            raise InvalidData(f"risk measures must differ, got {', '.join(names)}")
        if not 0.0 < self.eps_rel < inf:
            raise InvalidData(f"eps_rel must be a positive number, got {self.eps_rel}")
        check_count(self.max_models, "max_models")

    @property
    def name(self) -> str:
        """How rows and the command line call it."""
        return self.label

    def judge(self, case: Case) -> Outcome:
        """Return what is chosen, proposed and promised for one log."""
        trivial = Nominal().solve(case.problem)
        methods, risk = self.portfolio or None, self.risks[-1]
        proposal = propose(case.problem, methods, case.seed, Engine(workers=1), risk=risk)
        judge = judge_of(case, proposal.candidates, trivial)
        findings = [judge.finding("trivial", "reference", trivial), *skips(proposal)]
        findings += _proposed(judge, proposal)
        for risk in self.risks:
            findings.append(timed(partial(_raced, self, judge, risk)))
            if self.printed is not None and isinstance(risk, VaR | CVaR):
                findings.append(timed(partial(_printed, self.printed, judge, risk)))
        findings += [timed(partial(_estimated, judge, one)) for one in self.estimators]
        return judge.outcome(findings)


def _proposed(judge: Judge, proposal: Proposal) -> list[Finding]:
    """Return what each method's own policy is worth."""
    return [
        judge.finding(
            *(origin, "baseline", candidate.policy), seconds=proposal.seconds.get(origin, 0.0)
        )
        for candidate in judge.candidates
        for origin in candidate.origins
    ]


def _raced(profile: Default, judge: Judge, risk: RiskMeasure) -> Finding:
    case = judge.case
    selection = select(
        case.problem,
        judge.candidates,
        risk,
        eps_rel=profile.eps_rel,
        seed=case.seed,
        max_models=profile.max_models,
        engine=Engine(workers=1),
    )
    policy, certificate = selection.best.policy, selection.certificate
    truth = performance(case.domain.truth, policy)
    return judge.finding(
        f"race {risk.name}",
        "selector",
        policy,
        status=selection.status,
        estimate=selection.ranking[0].estimate,
        bound=certificate.bound,
        confidence=certificate.probability,
        covered=int(truth >= certificate.bound),
        n_candidates=len(judge.candidates),
        n_models=selection.n_models,
        evaluations=selection.evaluations,
    )


def _printed(rule: PrintedRule, judge: Judge, risk: VaR | CVaR) -> Finding:
    problem, seed = judge.case.problem, judge.case.seed
    choice = mc2ps(problem, judge.candidates, risk, rule, seed, Engine(workers=1))
    return judge.finding(
        f"printed rule {risk.name}",
        "selector",
        choice.best.policy,
        status=choice.status,
        n_candidates=len(judge.candidates),
        evaluations=choice.evaluations,
    )


def _estimated(judge: Judge, estimator: Estimator) -> Finding:
    choice = choose(estimator, judge.case.problem, judge.candidates)
    if choice.best is None:
        refusal = f"refused: {choice.refused[0][1]}"
        return Finding(method=estimator.name, role="selector", status=refusal)
    n = len(judge.candidates)
    return judge.finding(estimator.name, "selector", choice.best.policy, n_candidates=n)
