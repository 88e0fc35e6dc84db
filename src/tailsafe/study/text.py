"""The profile ``paper``: the method of the paper's text, with the package's own methods.

Candidates: the plans of P_hat and of l posterior models at the discounts G, SPIBB at all its
thresholds, BOPAH, BCR and NORBU at the level of the risk; stochastic ones included. EvC chooses by
``mc2ps``; UnO by the importance-sampled law of returns, where a policy whose weights are all 0
scores 0 and the first, the trivial one, wins ties.
"""

from dataclasses import dataclass
from functools import partial

import numpy as np

from tailsafe.arrays import check_count
from tailsafe.engine import Engine
from tailsafe.estimators.uno import UnO
from tailsafe.mc2ps import PrintedRule, mc2ps
from tailsafe.portfolio import PAPER_DISCOUNTS, PAPER_MODELS, paper_portfolio
from tailsafe.propose import Proposal, propose
from tailsafe.ranks import check_probability
from tailsafe.risk import CVaR, VaR
from tailsafe.solvers.nominal import Nominal
from tailsafe.study.profile import Case
from tailsafe.study.rows import Finding, Outcome
from tailsafe.study.scale import Judge, judge_of, skips, timed

BASELINES = {"SPIBB": "SPIBB(1)", "BOPAH": "BOPAH(20)", "BCR": "BCR(", "NORBU": "NORBU("}
"""The columns of Tables 2 and 3, and how the names of their origins begin."""


@dataclass(frozen=True, slots=True)
class Text:
    """The paper as it is written.

    Parameters
    ----------
    n_models
        Posterior models that are solved, the paper's l.
    level
        q, of the risk measures and of the robust methods.
    rule
        Of ``mc2ps``.
    """

    n_models: int = PAPER_MODELS
    level: float = 0.25
    rule: PrintedRule = PrintedRule()

    def __post_init__(self) -> None:
        check_count(self.n_models, "n_models")
        check_probability(self.level, "level")

    @property
    def name(self) -> str:
        """How rows and the command line call it."""
        return "paper"

    def judge(self, case: Case) -> Outcome:
        """Return the rows of Tables 2 and 3 and of Figures 4 to 6 for one log."""
        trivial = Nominal().solve(case.problem)
        portfolio = paper_portfolio(self.n_models, PAPER_DISCOUNTS, self.level)
        # The units of a study run side by side, so each of them is one thread.
        proposal = propose(case.problem, portfolio, case.seed, Engine(workers=1))
        judge = judge_of(case, proposal.candidates, trivial)
        findings = [judge.finding("trivial", "reference", trivial), *skips(proposal)]
        findings += baselines(judge, proposal)
        for risk in (VaR(self.level), CVaR(self.level)):
            findings.append(timed(partial(_chosen_by_evc, self, judge, risk)))
            findings.append(timed(partial(_chosen_by_uno, judge, risk)))
        return judge.outcome(findings)


def baselines(judge: Judge, proposal: Proposal) -> list[Finding]:
    """Return what the methods of the paper's columns are worth."""
    return [
        judge.finding(column, "baseline", candidate.policy)
        for column, beginning in BASELINES.items()
        for candidate in proposal
        if any(origin.startswith(beginning) for origin in candidate.origins)
    ]


def _chosen_by_evc(profile: Text, judge: Judge, risk: VaR | CVaR) -> Finding:
    problem, seed = judge.case.problem, judge.case.seed
    choice = mc2ps(problem, judge.candidates, risk, profile.rule, seed, Engine(workers=1))
    estimate = next(e for candidate, e in choice.estimates if candidate == choice.best)
    return judge.finding(
        f"EvC {risk.name}",
        "selector",
        choice.best.policy,
        status=choice.status,
        estimate=estimate.value,
        n_candidates=len(judge.candidates),
        n_models=max(e.n_models for _, e in choice.estimates),
        evaluations=choice.evaluations,
    )


def _chosen_by_uno(judge: Judge, risk: VaR | CVaR) -> Finding:
    policies = [candidate.policy for candidate in judge.candidates]
    scores = np.nan_to_num(UnO(risk, min_effective=0.0).score(judge.case.problem, policies))
    best = int(np.argmax(scores))
    facts = {"estimate": float(scores[best]), "n_candidates": len(policies)}
    return judge.finding(f"UnO {risk.name}", "selector", policies[best], **facts)
