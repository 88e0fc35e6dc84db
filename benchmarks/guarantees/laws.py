"""What is simulated: laws of performances of which the truth is known exactly.

A law is a long list of models, U[m, p], each equally likely: models of a posterior, drawn once, or
made up to be hard. A repetition draws rows of the list with replacement. That is as valid as fresh
models, since every claim is made for whatever law, this one too; its quantiles and tail means are
sums over the list, without an error of their own; and a row costs a hundred times less than a
model. That fresh addresses behave alike is measured as well (``doors``).
"""

import hashlib
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from tempfile import gettempdir

import numpy as np

import tailsafe as ts
from benchmarks.guarantees.stress import CROWDS, STRESS
from tailsafe.domains import Domain, chain_published, random_lake_published, ring_published
from tailsafe.keys import Key, Stream
from tailsafe.portfolio import paper_portfolio, standard_portfolio
from tailsafe.race.outlook import Outlook, outlook
from tailsafe.risk import CVaR, Mean, RiskMeasure, TailMean, VaR
from tailsafe.solvers import Improvement

LISTS = Path(gettempdir()) / "tailsafe-coverage"
"""Lists of models are kept here from one run to the next; nothing depends on it."""


@dataclass(frozen=True, eq=False)
class Law:
    """A list of equally likely models.

    Parameters
    ----------
    name
        What the tables call it.
    U
        The performances U[m, p].
    known
        What is known of the policies before the race, for a risk measure.
    analytic
        Whether policies equal on all models of the first look may be merged.
    """

    name: str
    U: np.ndarray
    known: Callable[[RiskMeasure], Outlook]
    analytic: bool = False


@dataclass(frozen=True)
class Source:
    """A posterior: the log of the uniform policy in a domain, and the candidates it gives.

    Parameters
    ----------
    domain
        Where, a function.
    episodes, length
        Of the log.
    models
        How long the list is; divisible by 20, so that levels fall on whole ranks.
    supported
        Whether the possible next states are known.
    portfolio
        What proposes candidates, a function.
    """

    domain: Callable[[], Domain]
    episodes: int
    length: int
    models: int
    supported: bool = False
    portfolio: Callable[[], tuple] = paper_portfolio


def lake() -> Domain:
    """Return the lake of 64 states."""
    return random_lake_published(0)


def small_portfolio() -> tuple:
    """Return the paper's methods at fewer discounts."""
    return paper_portfolio(3, (0.4, 0.8))


def rich_portfolio() -> tuple:
    """Return the default methods, except that nothing is improved."""
    return tuple(m for m in standard_portfolio() if not isinstance(m, Improvement))


POSTERIORS = {
    "ring, 5 states": Source(ring_published, 2, 12, 400_000),
    "lake, 64 states, flat prior": Source(lake, 20, 20, 60_000, False, small_portfolio),
    "lake, 64 states, known support": Source(lake, 20, 20, 60_000, True, small_portfolio),
}

RIVALS = {
    "ring, 24 transitions": Source(ring_published, 2, 12, 200_000, False, rich_portfolio),
    "ring, 400 transitions": Source(ring_published, 20, 20, 200_000, False, rich_portfolio),
    "chain, 24 transitions": Source(chain_published, 2, 12, 200_000, False, rich_portfolio),
    "lake, 64 states, flat prior": POSTERIORS["lake, 64 states, flat prior"],
    "lake, 64 states, known support": POSTERIORS["lake, 64 states, known support"],
}
"""Where the spending of the race is compared: there with the candidates of the default methods."""


def posed(source: Source) -> ts.Problem:
    """Return the problem that a source poses."""
    domain = source.domain()
    task = domain.task
    uniform = ts.Policy.uniform(task.n_states, task.n_actions)
    log = ts.simulate(domain, uniform, source.episodes, source.length, seed=0)
    support = domain.truth.table if source.supported else None
    return ts.Problem(task, log, ts.Dirichlet.from_batch(log, support=support))


def listed(problem: ts.Problem, policies: list[ts.Policy], n_models: int) -> np.ndarray:
    """Return U[m, p] of a posterior's models, from the list of an earlier run if there is one."""
    digest = hashlib.sha256(problem.posterior.concentration.tobytes())
    digest.update(problem.task.reward.tobytes())
    digest.update(np.stack([policy.probs for policy in policies]).tobytes())
    path = LISTS / f"{ts.__version__}-{digest.hexdigest()[:20]}-{n_models}.npy"
    if not path.exists():
        key = Key(0, Stream.STUDY)
        U = ts.performances(problem.posterior, problem.task, policies, 0, n_models, key)
        LISTS.mkdir(exist_ok=True)
        part = path.with_suffix(".part.npy")
        np.save(part, U.T.copy())
        part.rename(path)
    return np.load(path, mmap_mode="r", allow_pickle=False)


@cache
def posterior_law(name: str, source: Source, models: int | None = None) -> Law:
    """Return the law of a posterior's candidates."""
    problem = posed(source)
    policies = [c.policy for c in ts.propose(problem, source.portfolio()).candidates]
    U = listed(problem, policies, models or source.models)

    @cache
    def known(risk: RiskMeasure) -> Outlook:
        return outlook(problem.posterior, problem.task, policies, risk)

    return Law(name, U, known, analytic=True)


LAWS = (*POSTERIORS, *STRESS)
"""What most claims are measured on."""


@cache
def stress_law(name: str) -> Law:
    """Return a law that was made up to be hard; its favourite is the worst of all."""
    U = np.ascontiguousarray((STRESS | CROWDS)[name]().T)
    lowest, highest = U.min(axis=0) - 1.0, U.max(axis=0) + 1.0

    @cache
    def known(risk: RiskMeasure) -> Outlook:
        misled = -truths(U, risk)
        ends = (lowest, highest, lowest, highest)
        return Outlook(misled, U.std(axis=0), np.median(U, axis=0), *ends, float(np.abs(U).max()))

    return Law(name, U, known)


def law_of(name: str, *, quick: bool = False) -> Law:
    """Return a law by its name; in the reduced form lists are shorter."""
    if name in STRESS or name in CROWDS:
        return stress_law(name)
    return posterior_law(name, POSTERIORS[name], 8_000 if quick else None)


@cache
def truth_of(law: Law, risk: RiskMeasure) -> np.ndarray:
    """Return the measure of each policy, exactly; of a tail measure what the floors leave."""
    U = np.asarray(law.U)
    if isinstance(risk, VaR | TailMean):
        return truths(U, risk)
    known = law.known(risk)
    return truths(np.clip(U, known.floors, known.ceilings), risk)


def truths(U: np.ndarray, risk: RiskMeasure) -> np.ndarray:
    """Return the measure of each column of U[m, p], written anew: ranks are whole numbers here."""
    ordered = np.sort(U, axis=0)
    if isinstance(risk, Mean):
        return ordered.mean(axis=0)
    rank = round(risk.level * len(ordered))
    if isinstance(risk, VaR):
        return ordered[rank - 1]
    if isinstance(risk, CVaR):
        return ordered[:rank].mean(axis=0)
    return np.array([x[x <= x[rank - 1]].mean() for x in ordered.T])


def only(known: Outlook, p: int) -> Outlook:
    """Return what is known of one policy."""
    names = ("risk", "sd", "quantile", "lowest", "highest", "floors", "ceilings")
    return replace(known, **{name: getattr(known, name)[p : p + 1] for name in names})
