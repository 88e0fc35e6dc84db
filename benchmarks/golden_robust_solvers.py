"""Robust methods against golden numbers: what ``golden.py`` runs on every case.

CHECKS holds (name, function), a function of the arrays of a case (tests/golden/README.md) that
returns the largest deviation; a case without the arrays it needs raises KeyError. Without the
posterior models P, BCR starts from the budgets and the mean model; all else needs the models.
"""

from functools import partial

import numpy as np

import tailsafe as ts
from tailsafe.solvers import natures
from tailsafe.solvers.bcr import BCR, BCRLocal
from tailsafe.solvers.norbu import NORBU, NORBUVaR
from tailsafe.solvers.robust import robust_values
from tailsafe.solvers.rsvf import RSVF
from tailsafe.solvers.var_value_iteration import VaRValueIteration

CLEAR = 1e-9
"""Policies are compared where the best action is better than the next by more than this."""


def problem_of(case):
    """Return the problem whose posterior is the list of models P."""
    episode, _, state, action, reward, after = case["episodes"].T
    ended = np.zeros(len(episode), bool)
    batch = ts.Batch(episode, state, action, reward, after, ended, int(case["S"]), int(case["A"]))
    return ts.Problem(task_of(case), batch, ts.Samples(case["P"]))


def task_of(case):
    """Return the task."""
    return ts.Task(case["R"], case["mu0"], float(case["gamma"]))


def grid(case, first, second):
    """Yield the index and the two parameters of each setting."""
    for i, one in enumerate(case[first].tolist()):
        for j, other in enumerate(case[second].tolist()):
            yield (i, j), one, other


def bcr_budgets(kind, prefix, case):
    """Return the largest deviation of a budget."""
    problem = problem_of(case)
    return max(
        np.abs(kind(c, w).budgets(problem) - case[f"{prefix}_budget"][at]).max()
        for at, c, w in grid(case, "bcr_confidence", "bcr_risk_weight")
    )


def solved_bcr(kind, prefix, case):
    """Yield the index and the robust solution of each setting."""
    task, table = task_of(case), ts.Table.full(int(case["S"]), int(case["A"]))
    center = table.entries(case["bcr_meanP"])
    problem = problem_of(case) if "P" in set(case) else None
    for at, confidence, weight in grid(case, "bcr_confidence", "bcr_risk_weight"):
        budget = case[f"{prefix}_budget"][at].ravel()
        nature = partial(natures.worst_l1, table, center, budget)
        if problem is not None:
            nature = kind(confidence, weight).nature(problem)
        yield at, robust_values(task, table, nature)


def bcr_values(kind, prefix, case):
    """Return the largest deviation of a robust value."""
    deviations = [
        np.abs(found.value - case[f"{prefix}_value"][at]).max()
        for at, found in solved_bcr(kind, prefix, case)
    ]
    return max(deviations)


def bcr_policies(kind, prefix, case):
    """Return in how many states with a clear best action another one is taken."""
    return sum(
        differing(found, case[f"{prefix}_policy"][at])
        for at, found in solved_bcr(kind, prefix, case)
    )


def norbu_values(kind, prefix, case):
    """Return the largest deviation of a robust value."""
    return max(
        np.abs(found.value - case[f"{prefix}_value"][at]).max()
        for at, found in solved_norbu(kind, case)
    )


def norbu_policies(case):
    """Return in how many states with a clear best action another one is taken."""
    return sum(
        differing(found, case["norbu_cvar_policy"][at]) for at, found in solved_norbu(NORBU, case)
    )


def solved_norbu(kind, case):
    """Yield the index and the robust solution of each setting."""
    problem = problem_of(case)
    for at, level, weight in grid(case, "norbu_alpha", "norbu_beta"):
        nature = kind(level, weight).nature(problem)
        yield at, robust_values(problem.task, problem.posterior.table, nature)


def nested_var(case):
    """Return how far VaR value iteration and RSVF are from fixed points, in plain numpy."""
    problem, n_pairs = problem_of(case), int(case["S"] * case["A"])
    size, deviations = len(case["P"]), []
    for solver, level in (
        *((VaRValueIteration(q), q) for q in case["norbu_alpha"].tolist()),
        (RSVF(0.75), 0.25 / n_pairs),
    ):
        found = robust_values(problem.task, problem.posterior.table, solver.nature(problem))
        z = case["R"] + case["gamma"] * found.value
        Z = np.sort((case["P"] * z).sum(axis=-1), axis=0)
        rank = max(1, int(np.ceil(level * size - 1e-9)))
        deviations.append(np.abs(found.value - Z[rank - 1].max(axis=1)).max())
    return max(deviations)


def differing(found, actions):
    """Return the number of clear states where the actions are others."""
    ordered = np.sort(found.action_value, axis=1)
    clear = ordered[:, -1] - ordered[:, -2] > CLEAR
    return int((found.policy.actions != actions)[clear].sum())


CHECKS = [
    ("BCR budgets", partial(bcr_budgets, BCR, "bcr_global")),
    ("BCR values", partial(bcr_values, BCR, "bcr_global")),
    ("BCR policies (states)", partial(bcr_policies, BCR, "bcr_global")),
    ("BCRLocal budgets", partial(bcr_budgets, BCRLocal, "bcr_local")),
    ("BCRLocal values", partial(bcr_values, BCRLocal, "bcr_local")),
    ("BCRLocal policies (states)", partial(bcr_policies, BCRLocal, "bcr_local")),
    ("NORBU values", partial(norbu_values, NORBU, "norbu_cvar")),
    ("NORBU policies (states)", norbu_policies),
    ("NORBUVaR values", partial(norbu_values, NORBUVaR, "norbu_var")),
    ("VaRValueIteration, RSVF fixed points", nested_var),
]
