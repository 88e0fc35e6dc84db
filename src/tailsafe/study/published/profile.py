"""The profile ``published``: what the program behind the paper's tables does with a log.

Where it departs from the text: ``quantile``, ``uno``, ``scoring``, and here:

- NORBU looks at the lower .99 of the models, which is nearly their mean; two further variants of it
  (CVaR and VaR, weight 1) are candidates too (``program_rivals``);
- BCR's region holds the closest 1 % of the models, scaled by 1/4 (``program_rivals``);
- the models that these two see, 900, are drawn apart from the candidates' (``APART``);
- the first candidate, which wins all ties, is the plan on the first posterior model at the largest
  discount, not the trivial policy (``program_candidates``);
- SPIBB and BOPAH are scored on the lazy chain, are learnt from plain mean rewards, and are not
  among EvC's candidates, but last among UnO's (``stochastic_rivals``);
- a policy whose weights are all 0 loses by CVaR to any other, while by VaR it ties with the largest
  return (``_tail_scores``; not read from the program but inferred: without it the column UnO CVaR
  would be that of UnO VaR, and its median is not);
- with one trajectory BOPAH learns from none in one fold (``program_bopah``).
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tailsafe.arrays import FloatArray, check_count
from tailsafe.candidate import Candidate, merged
from tailsafe.evaluate import performances
from tailsafe.keys import Key, Stream
from tailsafe.policy import Policy
from tailsafe.problem import Problem
from tailsafe.ranks import check_probability
from tailsafe.solvers.bcr import BCR
from tailsafe.solvers.nominal import Nominal
from tailsafe.solvers.norbu import NORBU, NORBUVaR
from tailsafe.solvers.sampled_model import SampledModel
from tailsafe.solvers.solver import Solver
from tailsafe.solvers.spibb import SPIBB
from tailsafe.study.profile import Case
from tailsafe.study.published.bopah import program_bopah
from tailsafe.study.published.quantile import BLOCK, Draw, ProgramEstimate, estimate
from tailsafe.study.published.scoring import lazy_performance, with_mean_reward
from tailsafe.study.published.uno import ProgramLaw, program_law
from tailsafe.study.rows import Finding, Outcome
from tailsafe.study.scale import Judge, judge_of
from tailsafe.values import performance

DISCOUNTS = (0.9, 0.8, 0.6, 0.4, 0.2)
N_OUTCOMES = 900
APART = 2**31
"""Added to the seed (modulo 2**32) of the models that BCR and NORBU see."""


@dataclass(frozen=True, slots=True)
class Published:
    """What the program does.

    Parameters
    ----------
    n_models
        Posterior models that are solved, the paper's l.
    norbu_weight
        Of NORBU's tail.
    level, alpha
        q and the significance level.
    """

    n_models: int = 3
    norbu_weight: float = 0.75
    level: float = 0.25
    alpha: float = 0.01

    def __post_init__(self) -> None:
        check_count(self.n_models, "n_models")
        check_probability(self.level, "level")
        check_probability(self.alpha, "alpha")
        program_rivals(self)  # refuses a weight that is none

    @property
    def name(self) -> str:
        """How rows and the command line call it."""
        return "published"

    def judge(self, case: Case) -> Outcome:
        """Return the rows of Tables 2 and 3 and of Figures 4 to 6 for one log."""
        problem = case.problem
        trivial = Nominal().solve(problem)
        candidates = program_candidates(self, problem, case.seed)
        judge = judge_of(case, candidates, trivial)
        rivals = stochastic_rivals(problem)
        findings = [judge.finding("trivial", "reference", trivial)]
        findings += _baselines(self, judge, rivals)
        findings += _chosen_by_evc(self, judge)
        findings += _chosen_by_uno(self, judge, rivals)
        return judge.outcome(findings)


def program_candidates(profile: Published, problem: Problem, seed: int) -> tuple[Candidate, ...]:
    """Return EvC's candidates in the program's order: discounts, then models, P_hat last."""
    planners: list[Solver] = []
    for discount in DISCOUNTS:
        planners += [SampledModel(index, discount) for index in range(profile.n_models)]
        planners += [Nominal(discount)]
    plans = [Candidate(solver.solve(problem, seed), (solver.name,)) for solver in planners]
    rivals = [
        Candidate(solver.solve(problem, (seed + APART) % 2**32), (name,))
        for name, solver in program_rivals(profile)
    ]
    return merged([*plans, *rivals])


def program_rivals(profile: Published) -> list[tuple[str, BCR | NORBU | NORBUVaR]]:
    """Return BCR and the three variants of NORBU with the program's parameters."""
    return [
        ("BCR", BCR(0.01, 0.25, N_OUTCOMES)),
        ("NORBU", NORBU(0.99, profile.norbu_weight, N_OUTCOMES)),
        ("NORBU CVaR", NORBU(0.99, 1.0, N_OUTCOMES)),
        ("NORBU VaR", NORBUVaR(0.99, 1.0, N_OUTCOMES)),
    ]


def stochastic_rivals(problem: Problem) -> tuple[Candidate, ...]:
    """Return SPIBB and BOPAH as the program learns them."""
    plain = with_mean_reward(problem)
    return (
        Candidate(SPIBB(1).solve(plain), ("SPIBB",)),
        Candidate(program_bopah(plain), ("BOPAH",)),
    )


def program_estimates(
    profile: Published, problem: Problem, policies: Sequence[Policy], seed: int
) -> list[ProgramEstimate]:
    """Return the program's estimates for each policy, on common models."""
    key = Key(seed, Stream.RACE)
    nominal = problem.nominal()
    # Nearly every policy takes two blocks; the rest is drawn for those that take more.
    common = _evaluated(problem, policies, 0, 2 * BLOCK, key)

    def draws(i: int) -> Draw:
        def draw(first: int, last: int) -> FloatArray:
            if last <= common.shape[1]:
                part: FloatArray = common[i, first:last]
            else:
                part = _evaluated(problem, policies[i : i + 1], first, last, key)[0]
            return part

        return draw

    worth = [performance(nominal, policy) for policy in policies]
    return [
        estimate(draws(i), worth[i], profile.level, profile.alpha) for i in range(len(policies))
    ]


def _evaluated(
    problem: Problem, policies: Sequence[Policy], first: int, last: int, key: Key
) -> FloatArray:
    return performances(problem.posterior, problem.task, policies, first, last, key)


def _baselines(profile: Published, judge: Judge, rivals: tuple[Candidate, ...]) -> list[Finding]:
    truth = judge.case.domain.truth
    lazy = [
        judge.finding(c.name, "baseline", c.policy, u=lazy_performance(truth, c.policy))
        for c in rivals
    ]
    own = {name for name, _ in program_rivals(profile)}
    return lazy + [
        judge.finding(origin, "baseline", candidate.policy)
        for candidate in judge.candidates
        for origin in candidate.origins
        if origin in own
    ]


def _chosen_by_evc(profile: Published, judge: Judge) -> list[Finding]:
    policies = [candidate.policy for candidate in judge.candidates]
    estimates = program_estimates(profile, judge.case.problem, policies, judge.case.seed)
    spent = sum(e.n_models for e in estimates)
    findings = []
    for risk, scores in (
        ("VaR", [e.var for e in estimates]),
        ("CVaR", [e.cvar for e in estimates]),
    ):
        best = int(np.argmax(scores))
        facts = {
            "estimate": scores[best],
            "n_candidates": len(policies),
            "n_models": max(e.n_models for e in estimates),
            "evaluations": spent,
        }
        method = f"EvC {risk}({profile.level:g})"
        findings.append(judge.finding(method, "selector", policies[best], **facts))
    return findings


def _chosen_by_uno(
    profile: Published, judge: Judge, rivals: tuple[Candidate, ...]
) -> list[Finding]:
    pool = [*judge.candidates, *rivals]
    laws = [program_law(judge.case.problem, candidate.policy) for candidate in pool]
    findings = []
    for risk, scores in (
        ("VaR", [law.value_at_risk(profile.level) for law in laws]),
        ("CVaR", _tail_scores(laws, profile.level)),
    ):
        place = int(np.argmax(scores))
        best = pool[place]
        facts: dict[str, object] = {"estimate": scores[place], "n_candidates": len(pool)}
        if best in rivals:
            facts |= {
                "u": lazy_performance(judge.case.domain.truth, best.policy),
                "chosen": best.name,
            }
        method = f"UnO {risk}({profile.level:g})"
        findings.append(judge.finding(method, "selector", best.policy, **facts))
    return findings


def _tail_scores(laws: Sequence[ProgramLaw], level: float) -> list[float]:
    return [law.tail_mean(level) if law.F.any() else -np.inf for law in laws]
