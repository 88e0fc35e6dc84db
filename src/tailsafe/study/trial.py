"""One unit of a study: its log is simulated, its profile judges it, rows come back."""

import platform
import time
from dataclasses import asdict, replace

import numpy as np

from tailsafe import __version__
from tailsafe.domains.domain import Domain
from tailsafe.policy import Policy
from tailsafe.posterior import Dirichlet
from tailsafe.problem import Problem
from tailsafe.study.design import Study, Unit, unit_seed
from tailsafe.study.profile import Case
from tailsafe.study.rows import Outcome, Row


def conduct(study: Study, unit: Unit) -> Outcome:
    """Return what the unit's profile makes of the unit's log."""
    began = time.perf_counter()
    grid = study.grid(unit.domain)
    seed = unit_seed(study.seed, unit)
    domain = grid.source.domain(unit.trial)
    problem = logged_problem(domain, unit.size // grid.steps, grid.steps, seed)
    case = Case(domain, problem, unit.size, unit.trial, seed)
    outcome = study.profile(unit).judge(case)
    return replace(outcome, seconds=time.perf_counter() - began)


def logged_problem(domain: Domain, episodes: int, steps: int, seed: int) -> Problem:
    """Return the problem after a log of the uniform policy, with the paper's flat prior."""
    from tailsafe.simulate import simulate

    task = domain.task
    behaviour = Policy.uniform(task.n_states, task.n_actions, task.admissible)
    batch = simulate(domain, behaviour, episodes, steps, seed)
    return Problem(task, batch, Dirichlet.from_batch(batch), behaviour)


def rows(study: Study, unit: Unit, outcome: Outcome) -> tuple[Row, ...]:
    """Return the rows of a unit, one for each finding."""
    return tuple(
        Row(
            **unit._asdict(),
            **asdict(finding),
            seed=unit_seed(study.seed, unit),
            u_trivial=outcome.u_trivial,
            u_star=outcome.u_star,
            tailsafe=__version__,
            numpy=np.__version__,
            python=platform.python_version(),
        )
        for finding in outcome.findings
    )
