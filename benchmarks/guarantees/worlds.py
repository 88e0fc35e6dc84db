"""What is true outside of the posterior: worlds drawn from the prior, and worlds that are fixed."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, partial

import numpy as np

import tailsafe as ts
from benchmarks.guarantees.claims import SEED, Report, Row, Setting, Unit, frequency, simulated
from benchmarks.guarantees.drawing import ROUNDING
from benchmarks.guarantees.laws import lake
from tailsafe.domains import LAKE_8, Domain, chain_published, frozen_lake, garnet, ring_published
from tailsafe.engine import Engine
from tailsafe.keys import Key, Stream
from tailsafe.solvers import SPIBB, Nominal, PosteriorMean, SampledModel

RISK = ts.VaR(0.25)
METHODS = (Nominal(), PosteriorMean(), SPIBB(3), SampledModel(0), SampledModel(1))
EPS_REL = 0.1


@dataclass(frozen=True)
class Place:
    """A domain, the length of its logs, and what is known of its support.

    Parameters
    ----------
    domain
        The task and, where the world is fixed, the truth.
    episodes, length
        Of a log of the uniform policy.
    supported
        Whether the possible next states are known.
    share
        Of the repetitions of a run: large problems get fewer.
    """

    domain: Callable[[], Domain]
    episodes: int
    length: int
    supported: bool = False
    share: float = 1.0


def small_garnet() -> Domain:
    """Return a garnet: its uniform cuts are a flat prior on the known next states."""
    return garnet(8, 3, 3, seed=0)


def frozen() -> Domain:
    """Return the standard lake: only the goal pays."""
    return frozen_lake(LAKE_8)


DRAWN = {
    "ring, drawn from the prior": Place(ring_published, 2, 12),
    "chain, drawn from the prior": Place(chain_published, 2, 12),
    "garnet, drawn from the prior": Place(small_garnet, 2, 20, supported=True),
}
FIXED = {
    "ring, fixed": Place(ring_published, 2, 12),
    "chain, fixed": Place(chain_published, 2, 12),
    "frozen lake, 64 states, fixed, flat prior": Place(frozen, 20, 20, share=0.1),
    "frozen lake, 64 states, fixed, known support": Place(frozen, 20, 20, True, share=0.1),
    "random lake, 64 states, fixed, flat prior": Place(lake, 20, 20, share=0.1),
    "random lake, 64 states, fixed, known support": Place(lake, 20, 20, True, share=0.1),
}


def worlds_all(setting: Setting) -> Report:
    """Return how often the true performance of the selected policy reaches its bounds."""
    run = partial(_outcomes, places=DRAWN, drawn=True)
    cases = [(name, RISK) for name in DRAWN]
    found = simulated(run, cases, setting.repetitions, setting.workers)
    rows = []
    for (name, _), outcome in found.items():
        nominal = 1.0 - RISK.level
        rows.append(frequency("truth reaches the VaR bound", name, nominal, outcome[:, 0]))
        rows.append(frequency("truth reaches the marginal bound", name, nominal, outcome[:, 1]))
    return Report(sorted(rows, key=lambda row: row.claim), {})


def fixed_all(setting: Setting) -> Report:
    """Return the same where the world is one fixed world: nothing is promised there."""
    run = partial(_outcomes, places=FIXED, drawn=False)
    rows, lines = [], []
    for name, place in FIXED.items():
        repetitions = round(place.share * setting.repetitions)
        outcome = simulated(run, [(name, RISK)], repetitions, setting.workers)[name, RISK]
        rows.append(frequency("truth reaches the VaR bound", name, None, outcome[:, 0]))
        bound, truth, best = outcome[:, 2:].mean(axis=0)
        lines.append(_line(rows[-1], bound, truth, best))
    head = "| world | logs | truth reaches the bound | mean bound | mean truth | best possible |"
    table = "\n".join([head, "|---|--:|--:|--:|--:|--:|", *lines])
    return Report(rows, {"fixed worlds": table})


def _line(row: Row, bound: float, truth: float, best: float) -> str:
    cells = (row.law, f"{row.repetitions:,}", f"{row.measured:.3f}")
    return f"| {' | '.join(cells)} | {bound:.3f} | {truth:.3f} | {best:.3f} |"


def _outcomes(unit: Unit, *, places: dict[str, Place], drawn: bool) -> np.ndarray:
    """Return whether truth reaches the bound and the marginal bound; bound, truth, optimum."""
    place = places[unit.law]
    return np.array([_outcome(place, i, drawn=drawn) for i in range(unit.first, unit.last)])


def _outcome(place: Place, number: int, *, drawn: bool) -> tuple[float, ...]:
    domain = _home(place)
    world = _world(domain, number, supported=place.supported) if drawn else domain
    task = world.task
    support = world.truth.table if place.supported else None
    uniform = ts.Policy.uniform(task.n_states, task.n_actions)
    log = ts.simulate(world, uniform, place.episodes, place.length, seed=number)
    problem = ts.Problem(task, log, ts.Dirichlet.from_batch(log, support=support))
    engine = Engine(workers=1)
    options = ts.propose(problem, METHODS, seed=number, engine=engine).candidates
    chosen = ts.select(problem, options, RISK, eps_rel=EPS_REL, seed=number, engine=engine)
    truth = ts.performance(world.truth, chosen.best.policy)
    bound, marginal = chosen.certificate.bound, chosen.certificate.marginal_bound
    slack = ROUNDING * (1.0 + abs(truth))
    best = 0.0 if drawn else _optimum(place)
    return truth >= bound - slack, truth >= marginal - slack, bound, truth, best


@cache
def _home(place: Place) -> Domain:
    return place.domain()


@cache
def _optimum(place: Place) -> float:
    """Return what the best policy of a fixed world earns in it."""
    domain = _home(place)
    _, value = ts.solve(domain.truth)
    return float(domain.task.initial @ value)


def _world(domain: Domain, number: int, *, supported: bool) -> Domain:
    """Return the domain with another truth, drawn from the prior that the method believes."""
    task = domain.task
    table = domain.truth.table if supported else ts.Table.full(task.n_states, task.n_actions)
    flat = ts.Dirichlet(table, np.ones(table.n_entries), np.zeros(table.n_rows, bool))
    drawn = flat.models(number, number + 1, Key(SEED, Stream.STUDY))[0]
    return Domain(domain.name, task, ts.MDP(task, table, drawn), domain.source)
