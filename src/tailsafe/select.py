"""Select: the policy of the best risk among candidates, with a certificate on fresh models.

    merge equal policies  ->  what is known beforehand  ->  race  ->  certificate

With probability at least 1 - alpha over the models drawn, the truly best candidate is among the
ties, and the chosen one is within the regret bound of it. Over a ``Samples`` posterior there is no
chance in it: every measure is computed on the whole list.
"""

from collections.abc import Callable, Iterable

import numpy as np

from tailsafe.arrays import check_count
from tailsafe.candidate import Candidate
from tailsafe.certificate import Certificate, certified, exact, worst_case
from tailsafe.certificate.certify import PILOT_MODELS, PLANNING_MODELS, evaluator, judge_of
from tailsafe.engine import Engine
from tailsafe.keys import as_key
from tailsafe.moments import pilot_models
from tailsafe.policy import Policy
from tailsafe.posterior import Dirichlet
from tailsafe.problem import Problem
from tailsafe.race.distinct import distinct
from tailsafe.race.look import Outcome, Progress, Rules
from tailsafe.race.loop import looks_up_to, race
from tailsafe.race.outlook import LEAST_PRECISION, Outlook, outlook, rules_of
from tailsafe.race.question import Question
from tailsafe.race.sheet import Sheet
from tailsafe.race.verdict import exact_verdict, verdict
from tailsafe.risk import CVaR, RiskMeasure
from tailsafe.samples import Samples
from tailsafe.selection import RaceState, Selection
from tailsafe.selection.assembly import selection
from tailsafe.selection.provenance import prior_in_words


def select(  # noqa: PLR0913 - the public door: what, how sure, how close, how fast
    problem: Problem,
    candidates: Iterable[Candidate | Policy],
    risk: RiskMeasure = CVaR(0.25),
    eps: float | None = None,
    eps_rel: float = 0.01,
    alpha: float = 0.01,
    seed: int = 0,
    *,
    alpha_certificate: float = 0.01,
    max_models: int = 2**19,
    floor: float | None = None,
    engine: Engine = Engine(),
    watch: Callable[[RaceState], None] | None = None,
) -> Selection:
    """Return the candidate of the best risk, what is proved of the others, and a certificate.

    An interrupt (Ctrl-C) ends the race: the result holds what was proved so far, and is certified
    as any other. A second one, while certifying, leaves the bound that the worst case gives.

    Parameters
    ----------
    problem, candidates, risk
        What to choose for, from what (a ``Proposal``, candidates or policies), and by what.
    eps, eps_rel
        Policies within eps of the best count as equally good; in units of performance, or of the
        standard deviation of the favourite's performance (or a tenth of what is usual among the
        candidates, where that is more: a favourite may be worth the same in every model).
    alpha, alpha_certificate
        Error probabilities of the choice and of the certificate.
    seed
        Of all models drawn.
    max_models
        The budget: the largest number of models to judge on.
    floor
        Of a CVaR or mean: performances below count as it. By default 8 standard deviations below
        each mean; minus infinity asks for the least possible performance.
    engine
        How fast; nothing that is returned depends on it.
    watch
        Told after each look at the race.
    """
    check_count(max_models, "max_models")
    asked = Question(
        problem, distinct(problem, candidates), risk, eps, eps_rel, alpha, alpha_certificate,
        as_key(seed).seed, engine,
    )  # fmt: skip
    if isinstance(problem.posterior, Samples):
        return _computed(asked, problem.posterior)
    known = outlook(problem.posterior, problem.task, asked.policies, risk, floor, seed, engine)
    precision = known.eps(eps, eps_rel)
    rules = rules_of(risk, known, precision, alpha, sizes := looks_up_to(max_models))
    sheet = asked.sheet(known)
    outcome = _raced(asked, sheet, rules, known.favourite, sizes, watch)
    result = verdict(outcome, sheet, rules, known)
    certificate, planned = _certified(asked, sheet, known, result.leader, precision)
    drawn, raced = certificate.n_models, int(result.judged.max())
    guessed = pilot_models(problem.posterior)
    models = (
        ("race", 0, max(raced, planned)), ("certificate", 0, drawn), ("candidates", 0, guessed)
    )  # fmt: skip
    spent = sheet.evaluations + max(0, planned - len(sheet.columns[result.leader])) + drawn
    spent += guessed * len(asked.candidates)
    return selection(asked, result, certificate, precision, known, spent, models)


def _computed(asked: Question, posterior: Samples) -> Selection:
    """Return the selection over a finite list of models."""
    sheet = asked.sheet()
    everyone = np.arange(len(asked.candidates))
    sheet.bring(everyone, len(posterior))
    X = sheet.rows(everyone, len(posterior))
    result = exact_verdict(X, posterior.weights, asked.risk)
    best = X[result.leader]
    sd = np.sqrt(posterior.weights @ (best - posterior.weights @ best) ** 2)
    wanted = asked.eps_rel * float(sd) if asked.eps is None else asked.eps
    precision = max(wanted, LEAST_PRECISION * float(np.abs(X).max()))
    certificate = exact(best, posterior.weights, asked.risk)
    models = (("race", 0, len(posterior)),)
    return selection(asked, result, certificate, precision, None, sheet.evaluations, models)


def _raced(
    asked: Question,
    sheet: Sheet,
    rules: Rules,
    favourite: int,
    sizes: tuple[int, ...],
    watch: Callable[[RaceState], None] | None,
) -> Outcome:
    if len(asked.candidates) == 1:
        # Nothing to choose; these models only plan the certificate.
        sizes = (min(PILOT_MODELS, sizes[-1]),)

    def tell(progress: Progress) -> None:
        if watch is not None:
            watch(_state(asked, progress))

    analytic = isinstance(asked.problem.posterior, Dirichlet)
    return race(sheet, rules, favourite, sizes, tell if watch else None, merge_equal=analytic)


def _state(asked: Question, progress: Progress) -> RaceState:
    others = max(len(asked.candidates) - 1, 1)
    undecided = progress.alive - progress.parked - 1
    leader = asked.candidates[progress.leader].name
    counts = progress.n_models, progress.alive, progress.parked
    return RaceState(*counts, leader, progress.lower, 1.0 - undecided / others)


def _certified(
    asked: Question, sheet: Sheet, known: Outlook, leader: int, eps: float
) -> tuple[Certificate, int]:
    """Return the certificate of the leader, and the number of models that it was planned on."""
    problem, pilot = asked.problem, sheet.columns[leader]
    policy = asked.candidates[leader].policy
    evaluate = evaluator(problem.posterior, problem.task, policy, asked.seed, asked.engine)
    try:
        if len(pilot) < PLANNING_MODELS:
            more = asked.utilities(len(pilot), PLANNING_MODELS, np.array([leader]))[0]
            pilot = np.concatenate([pilot, more])
        judge = judge_of(evaluate, pilot, known, leader, eps, prior_in_words(problem))
        return certified(judge, asked.risk, asked.alpha_certificate), len(pilot)
    except KeyboardInterrupt:
        return worst_case(asked.risk, float(known.lowest[leader])), len(pilot)
