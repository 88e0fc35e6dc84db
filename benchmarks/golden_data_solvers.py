"""Golden numbers of the solvers that regularise towards the data; see ``golden``.

A check compares policies in states whose actions differ in Q by more than 1e-9, and Q everywhere:
the published one, or where none was kept that of the published policy on the same model.
"""

from functools import partial

import numpy as np

import tailsafe as ts
from tailsafe import solvers
from tailsafe.mdp import MDP
from tailsafe.solvers import duipi
from tailsafe.solvers.bopah import fold_counts
from tailsafe.solvers.count_errors import hoeffding, per_root
from tailsafe.solvers.natures import worst_l1
from tailsafe.solvers.planning import optimal
from tailsafe.solvers.regularised import regularised
from tailsafe.solvers.robust import robust_values
from tailsafe.unseen import Absorb, Uniform, Zero
from tailsafe.values import action_values, state_values

GAP = 1e-9
BEHAVIOURS = {"u": "pi_b", "b2": "pi_b2"}
SOFT = {
    "exact": solvers.SoftSPIBB,
    "approx": solvers.ApproximateSoftSPIBB,
    "adv": solvers.AdvantageousSoftSPIBB,
    "lower": solvers.LowerSoftSPIBB,
}
NOT_COMPARED = float("nan")
WITHOUT_Q = {("robust_bopah", "Q"), ("ramdp_bopah", "Q")}


def distinct(Q):
    """Return mask[s] of the states in which no two actions are worth the same."""
    gaps = np.diff(np.sort(Q, axis=1), axis=1)
    return (gaps > GAP).all(axis=1)


def compared(Q, policy):
    """Return mask[s] of the states where Q decides: of a deterministic policy, its best action."""
    if not policy.deterministic:
        return distinct(Q)
    top = np.sort(Q, axis=1)
    return top[:, -1] - top[:, -2] > GAP


def policy_deviation(pairs, case):
    """Return the largest difference of probabilities where there are no ties."""
    found = [
        np.abs(ours.probs - theirs)[compared(Q, ours)].max(initial=0.0)
        for ours, theirs, Q, _ in pairs(case)
    ]
    return max(found, default=NOT_COMPARED)


def value_deviation(pairs, case):
    """Return the largest difference of Q."""
    found = [np.abs(Q - published).max() for _, _, Q, published in pairs(case)]
    return max(found, default=NOT_COMPARED)


def on_model(case, array, problem, unseen, made):
    """Yield (policy, golden policy, Q, golden Q) of policies that are valued on P_hat."""
    model: MDP = problem.nominal(unseen)

    def Q(policy):
        return action_values(model, state_values(model, policy))

    for k, solver in enumerate(made):
        policy, golden = solver.solve(problem), case[array][k]
        published = case[f"{array}_q"][k] if f"{array}_q" in set(case) else Q(ts.Policy(golden))
        yield policy, golden, Q(policy), published


def spibb(array, reward, behaviour, case):
    made = [solvers.SPIBB(int(n)) for n in case["spibb_n_wedge"]]
    problem = case.problem(reward=case[reward], behaviour=behaviour)
    return on_model(case, array, problem, Uniform(), made)


def spibb_of_the_authors(array, kind, behaviour, case):
    made = [kind(int(n), strict=True, unseen=Zero()) for n in case["spibb_n_wedge"]]
    return on_model(case, array, case.problem(behaviour=behaviour), Zero(), made)


def soft_spibb(array, kind, behaviour, case):
    made = [kind(float(e), unseen=Zero()) for e in case["softspibb_epsilon"]]
    return on_model(case, array, case.problem(behaviour=behaviour), Zero(), made)


def on_altered_model(array, parameter, make, case):
    """Yield the same of methods that plan on an altered model."""
    problem = case.problem()
    for k, value in enumerate(case[parameter]):
        solver, golden = make(value.item()), case[array][k]
        model = solver.model(problem)
        Q = model.backup(optimal(model)[1])
        published = case[f"{array}_q"][k] if f"{array}_q" in set(case) else Q
        yield solver.solve(problem), golden, Q, published


def mbie(case):
    problem = case.problem(reward=np.broadcast_to(case["R_next"], case["R"].shape))
    for k, delta in enumerate(case["mbie_param"]):
        solver = solvers.MBIE(float(delta), unseen=Zero())
        found = robust_values(problem.task, problem.posterior.table, solver.nature(problem))
        yield solver.solve(problem), case["mbie"][k], found.action_value, case["mbie_q"][k]


def settled_duipi(array, kind, case):
    problem = case.problem()
    for k, xi in enumerate(case["duipi_bayes_param"]):
        if case[f"{array}_it"][k] < 5_000:
            solver = kind(float(xi))
            _, Q, _ = duipi.averaged(problem, solver.estimate(problem), solver.xi, 5_000)
            yield solver.solve(problem), case[array][k], Q, case[f"{array}_q"][k]


def greedy(case):
    problem = case.problem()
    policy = solvers.Nominal(unseen=Zero()).solve(problem)
    model = problem.nominal(Zero())
    yield (
        policy,
        case["basicrl"],
        action_values(model, state_values(model, policy)),
        case["basicrl_q"],
    )


def bopah_problem(case, reward):
    """Return the problem as the published program sees it: it starts in state 0."""
    batch, start = case.batch(), np.eye(int(case["S"]))[0]
    task = ts.Task(reward, start, float(case["gamma"]))
    return ts.Problem(task, batch, ts.Dirichlet.from_batch(batch), ts.Policy(case["pi_b"]))


def bopah(array, reward, case):
    """Yield (alpha, golden alpha, policy, golden policy, mask[s] without ties) where it is stable.

    The ascent takes thousands of steps on a function with kinks. Where a reward that is larger by
    one part in 10^12 leads elsewhere, no two programs agree, and nothing is compared.
    """
    problem = bopah_problem(case, case[reward])
    nudged = bopah_problem(case, case[reward] * (1.0 + 1e-12))
    for k, classes in enumerate(case["bopah_rmean_dof"]):
        solver = solvers.BOPAH(int(classes), unseen=Absorb(problem.n_states - 1))
        alpha = solver.alpha(problem)
        if np.abs(alpha - solver.alpha(nudged)).max() > 1e-3:
            continue
        tied = np.zeros(len(alpha), bool)
        for counts in fold_counts(problem, solver.folds):
            tied |= ~distinct(regularised(problem, counts, solver.unseen, alpha)[1])
        policy = solver.solve(problem).probs
        sure = ~(tied & (alpha == 0.0))
        yield alpha, case[f"{array}_alpha"][k], policy, case[array][k], sure


def bopah_alpha(array, reward, case):
    found = [np.abs(a - golden).max() for a, golden, *_ in bopah(array, reward, case)]
    return max(found, default=NOT_COMPARED)


def bopah_policy(array, reward, case):
    found = [
        np.abs(policy - golden)[sure].max(initial=0.0)
        for _, _, policy, golden, sure in bopah(array, reward, case)
    ]
    return max(found, default=NOT_COMPARED)


def robust_l1(case):
    """Yield the same of the BOPAH repository's robust policies: L1 balls of radius c / sqrt(N)."""
    problem = case.problem(reward=case["r_hat_sa"])
    nominal = problem.nominal()
    for k, c in enumerate(case["robust_bopah_param"]):
        radius = (c * per_root(problem)).ravel()
        nature = partial(worst_l1, nominal.table, nominal.probability, radius)
        found = robust_values(problem.task, nominal.table, nature)
        Q = found.action_value
        yield found.policy, case["robust_bopah"][k], Q, Q


def errors(case):
    """Return how far Hoeffding's errors are off."""
    ours, theirs = hoeffding(case.problem(), 1.0), case["softspibb_errors"]
    tried = np.isfinite(theirs)
    if (tried != np.isfinite(ours)).any():
        return np.inf
    return np.abs(ours[tried] - theirs[tried]).max()


def _pairs():
    for part, reward in (("rhat", "r_hat_sa"), ("rmean", "R_mean")):
        for short, behaviour in BEHAVIOURS.items():
            array = f"spibb_bopah_{part}_{short}"
            yield array, partial(spibb, array, reward, behaviour)
    for short, behaviour in BEHAVIOURS.items():
        for kind, solver in (("pib", solvers.SPIBB), ("leqb", solvers.LowerSPIBB)):
            for who in ("auth", "suite"):
                array = f"spibb_{who}_{kind}_{short}"
                yield array, partial(spibb_of_the_authors, array, solver, behaviour)
        for kind, solver in SOFT.items():
            array = f"softspibb_{kind}_{short}"
            yield array, partial(soft_spibb, array, solver, behaviour)
    yield (
        "ramdp_suite",
        partial(on_altered_model, "ramdp_suite", "ramdp_suite_param", solvers.RaMDP),
    )
    with_offset = partial(solvers.RaMDP, offset=1e-5)
    yield "ramdp_bopah", partial(on_altered_model, "ramdp_bopah", "ramdp_bopah_param", with_offset)
    strict = partial(solvers.RMin, strict=True)
    yield "rmin", partial(on_altered_model, "rmin", "rmin_param", strict)
    yield "mbie", mbie
    yield "duipi_bayes", partial(settled_duipi, "duipi_bayes", solvers.DUIPI)
    yield "duipi_freq", partial(settled_duipi, "duipi_freq", solvers.FrequentistDUIPI)
    yield "basicrl", greedy
    yield "robust_bopah", robust_l1


CHECKS = [
    (f"{array} {what}", partial(compare, pairs))
    for array, pairs in _pairs()
    for what, compare in (("policy", policy_deviation), ("Q", value_deviation))
    if (array, what) not in WITHOUT_Q
]
CHECKS += [("softspibb_errors", errors)]
CHECKS += [
    (f"{array} {what}", partial(compare, array, reward))
    for array, reward in (("bopah_rtrue", "r_sa"), ("bopah_rmean", "R_mean"))
    for what, compare in (("alpha", bopah_alpha), ("policy", bopah_policy))
]
TOLERANCES = {name: 1e-3 for name, _ in CHECKS if name.startswith("bopah_")}
TOLERANCES |= {
    name: GAP for name, _ in CHECKS if name.endswith("policy") and not name.startswith("bopah_")
}
