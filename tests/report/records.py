"""Records as `tailsafe select` and `evaluate` write them, computed on small made-up machines."""

from copy import deepcopy
from functools import cache

import numpy as np

CONDITIONS = ("as new", "run in", "slightly worn", "worn", "noisy", "vibrating", "leaking", "hot")
ACTIONS = ["run", "inspect", "repair", "replace"]
MODELS = 400
Q = 0.25


def transitions(n_states):
    """Return T[s, a, t] of a machine that wears out; the last state is a failure."""
    T = np.zeros((n_states, 4, n_states))
    for s in range(n_states):
        worse, worst = min(s + 1, n_states - 1), n_states - 1
        T[s, 0, [s, worse, worst]] += np.array([0.6, 0.35, 0.05])
        T[s, 1, [s, worse]] += np.array([0.75, 0.25])
        T[s, 2, [max(s - 2, 0), s]] += np.array([0.8, 0.2])
        T[s, 3, 0] += 1.0
    return T


def rewards(n_states):
    """Return R[s, a]: production falls as the machine wears; work on it costs."""
    wear = np.linspace(0.0, 1.0, n_states)
    return np.stack([10 - 14 * wear**2, 8 - 12 * wear**2, 4 - 4 * wear, -5 - 0 * wear], axis=1)


def performances(models, R, policy, discount=0.95):
    P, r = np.einsum("sa,msat->mst", policy, models), (policy * R).sum(axis=1)
    system = np.eye(len(R)) - discount * P
    return np.linalg.solve(system, np.broadcast_to(r, (len(models), len(R)))[..., None])[:, 0, 0]


def threshold_policy(n_states, repair_from, replace_from):
    s = np.arange(n_states)
    actions = np.where(s >= replace_from, 3, np.where(s >= repair_from, 2, 0))
    return np.eye(4)[actions]


def choices(policy):
    return [
        sorted([(a, round(float(p), 4)) for a, p in enumerate(row) if p > 0], key=lambda c: -c[1])
        for row in policy
    ]


def policies(n_states):
    """Return policies by name; some are equally good."""
    n = n_states
    habit = np.full((n, 4), 0.02) + np.array([0.92, 0, 0, 0])
    habit[n // 2 :] = [0.5, 0.1, 0.3, 0.1]
    mixed = 0.5 * threshold_policy(n, n // 2, n - 1) + 0.5 * habit
    thresholds = {
        "SPIBB(5)": (n // 2, n - 1), "NORBU(0.25)": (n // 2 - 1, n - 2), "BCR(0.25)": (n // 2, n),
        "RobustL1(0.05)": (n // 3, n - 1), "Nominal": (n - 3, n - 1), "PosteriorMean": (2, n - 2),
        "MBIE": (n - 2, n), "R-min": (1, 3), "Replace at once when worn": (n, n // 3),
    }  # fmt: skip
    named = {name: threshold_policy(n, *at) for name, at in thresholds.items()}
    return named | {"SoftSPIBB(0.5)": mixed, "Behaviour": habit, "Uniform": np.full((n, 4), 0.25)}


def candidate(name, policy, u, behaviour, standing):
    values = np.sort(u)
    tail = values[: int(np.ceil(Q * len(values)))]
    cvar, wide = float(tail.mean()), float(values.std()) * 0.04
    top = [c[0][0] for c in choices(behaviour)]
    return {
        "name": name, "origins": [name], "standing": standing, "estimate": cvar + 0.001,
        "lower": cvar - wide, "upper": cvar + wide, "n_models": 4096, "mean": float(u.mean()),
        "sd": float(u.std()), "var": float(tail[-1]), "cvar": cvar,
        "quantiles": [float(v) for v in np.quantile(u, np.linspace(0, 1, 201))],
        "certificate": None, "policy": choices(policy),
        "deterministic": bool((policy.max(axis=1) == 1).all()),
        "differs": [s for s, c in enumerate(choices(policy)) if c[0][0] != top[s]],
        "thin_share": float(np.round((policy[:, 3] + policy[:, 2]).mean() / 3, 4)),
    }  # fmt: skip


def certificate(bound, kind="CVaR(0.25)"):
    return {
        "risk": kind, "bound": bound, "probability": 0.75, "confidence": 0.99,
        "marginal_bound": bound + 0.8 if kind.startswith("VaR") else None,
        "n_models": 8192, "floor": None,
        "sentence": "With Monte Carlo probability at least 0.99, at least 75 % of the models that "
        f"the log and the prior allow give this policy a performance of at least {bound:.2f}.",
    }  # fmt: skip


@cache
def made(n_states, seed=0):
    """Return the candidates of a machine with so many conditions, best first, and its visits."""
    rng = np.random.default_rng(seed)
    T, R = transitions(n_states), rewards(n_states)
    every = policies(n_states)
    habit = every["Behaviour"]
    visits = rng.poisson(60 * habit * np.linspace(1, 0.3, n_states)[:, None])
    seen = np.stack([[rng.multinomial(visits[s, a], T[s, a]) for a in range(4)]
                     for s in range(n_states)])  # fmt: skip
    # Steps lead back to the start, one or two on, or into the failure: the rest is ruled out.
    prior = np.where(T > 0, 1.0, 1e-3)
    models = rng.gamma(seen + prior, size=(MODELS, *T.shape))
    models /= models.sum(axis=-1, keepdims=True)
    found = [
        candidate(name, policy, performances(models, R, policy), habit, "not better")
        for name, policy in every.items()
    ]
    return sorted(found, key=lambda c: -c["estimate"]), visits, choices(habit)


def machine():
    """Return a choice that the budget did not settle: all standings, many warnings."""
    candidates, visits, behaviour = deepcopy(made(12))
    for c, standing in zip(candidates, ["best", "within eps", "undecided"], strict=False):
        c["standing"] = standing
    candidates[0]["origins"].append("NORBUVaR(0.25)")
    candidates[0]["certificate"] = certificate(candidates[0]["cvar"] - 0.4)
    for c in candidates[3:]:
        c["n_models"], c["lower"] = 96, None
    names = [*CONDITIONS, "smoking", "stopped twice", "cracked housing", "failed"]
    return record(candidates, visits, behaviour, names) | {"warnings": WARNINGS}


def settled():
    """Return a machine whose choice is settled by VaR, without any warning."""
    done = machine()
    done["candidates"][2]["standing"] = "not better"
    done["question"]["risk"] = {
        "kind": "var", "level": 0.25, "name": "VaR(0.25)",
        "words": "what all but the worst 25 % of what may be true reach",
    }  # fmt: skip
    for c in done["candidates"]:
        shift = c["var"] - c["cvar"]
        c["estimate"] += shift
        c["upper"] += shift
        c["lower"] = c["lower"] and c["lower"] + shift
    words = "Every other policy is shown not to be better, or to be as good within 0.4."
    best = done["candidates"][0]
    best["certificate"] = certificate(best["var"], "VaR(0.25)")
    done["answer"] |= {
        "status": "selected", "ties": [0, 1], "words": words, "certificate": best["certificate"],
        "floor": None, "regret_bound": 0.31,
    }  # fmt: skip
    return done | {"warnings": [], "skipped": []}


def evaluated():
    """Return three policies judged on their own, as by `tailsafe evaluate`."""
    judged = machine()
    judged["candidates"] = judged["candidates"][:3]
    for c in judged["candidates"]:
        c |= {"standing": "evaluated", "certificate": certificate(c["cvar"] - 0.5)}
    words = "How well does each of three policies do in the worst 25 % of what may be true?"
    judged["question"] |= {"kind": "evaluate", "words": words, "eps": None, "eps_rel": None}
    judged["answer"] |= {
        "status": "evaluated", "best": None, "ties": [], "regret_bound": None, "floor": None,
        "certificate": None, "words": "Each policy was judged on its own.",
    }  # fmt: skip
    for pair in judged["sufficiency"]["thin"]:
        pair["candidates"] = [0]
    return judged


def grid():
    """Return 64 states without names and 36 candidates: more than a page shows at first."""
    candidates, visits, behaviour = made(64, seed=1)
    twins = [deepcopy(c) | {"name": f"{c['name']} at discount {g}"}
             for g in (0.8, 0.9) for c in candidates]  # fmt: skip
    every = sorted(candidates + twins, key=lambda c: -c["estimate"])
    every[0]["standing"], every[1]["standing"] = "best", "within eps"
    every[0]["certificate"] = certificate(every[0]["cvar"] - 0.3)
    return record(every, visits, behaviour, [str(s) for s in range(64)])


HOSTILE = (
    "<script>alert(1)</script>", "</script><img src=x onerror=alert(2)>", "\"quoted\" & 'single'",
    "a very long name " * 60, "تشغيل الآلة", "\u202ereversed", "naïve 机器 🛠",
    "bell \x07 and \x1b[31m", "unbroken" * 30, "", "${title}", "$digest",
)  # fmt: skip


def hostile():
    """Return a machine whose every name tries to break the page."""
    bad = machine()
    for c, name in zip(bad["candidates"], HOSTILE, strict=True):
        c["name"], c["origins"] = name, [name, *HOSTILE[:2]]
    bad["labels"] = {"states": list(HOSTILE), "actions": list(HOSTILE[:4])}
    bad["question"] |= {"title": HOSTILE[1], "words": HOSTILE[0]}
    bad["answer"] |= {"words": HOSTILE[0]}
    bad["log"] |= {"source": HOSTILE[3], "notes": [HOSTILE[1]]}
    bad["warnings"] = [{"code": HOSTILE[0], "words": HOSTILE[1]}]
    bad["provenance"] |= {"command": ["tailsafe", HOSTILE[0]], "seconds": {HOSTILE[1]: 1.0}}
    return bad


WARNINGS = [
    {"code": "budget", "words": "The models were spent before the choice was settled: three "
     "policies remain. More models (--budget) would tell them apart."},
    {"code": "thin data", "words": "The best policy spends 14 % of its time where the log shows "
     "its action fewer than 5 times. There the prior speaks, not the log."},
    {"code": "floor", "words": "Outcomes below -120.00 counted as -120.00."},
]  # fmt: skip


def record(candidates, visits, behaviour, names):
    """Return a whole record around candidates that are ranked."""
    n = len(names)
    thin = [{"state": s, "action": a, "visits": int(visits[s, a]), "share": 0.08 / (1 + s + a),
             "candidates": [0, 1, 2][: 1 + s % 3]} for s in range(n) for a in (2, 3)
            if visits[s, a] < 5]  # fmt: skip
    tried = int((visits > 0).sum())
    return {
        "schema": "tailsafe.selection/1",
        "question": {
            "kind": "select", "title": "Maintenance of a press (press-4.csv)",
            "words": f"Which of {len(candidates)} policies does best in the worst 25 % of what may "
            "be true of the machine, given 1,204 logged steps?",
            "risk": {"kind": "cvar", "level": Q, "name": "CVaR(0.25)",
                     "words": "the mean of the worst 25 % of what may be true"},
            "alpha": 0.01, "alpha_certificate": 0.01, "eps": 0.4, "eps_rel": 0.01,
            "max_models": 524_288,
        },
        "answer": {
            "status": "budget", "best": 0, "ties": [0, 1, 2], "regret_bound": 0.61, "floor": -120.0,
            "words": "Ties remain: the models were spent before the choice was settled. With "
            "probability 0.99 the best of all policies is among these three.",
            "certificate": candidates[0]["certificate"], "n_models": 4096, "evaluations": 23_112,
        },
        "candidates": candidates,
        "labels": {"states": names, "actions": list(ACTIONS)},
        "log": {"source": "press-4.csv", "transitions": int(visits.sum()), "episodes": 31,
                "terminated": 0, "truncated": 31, "shortest": 12, "longest": 60,
                "mean_return": 41.2371, "notes": ["2 empty rows were left out.",
                "Next states were taken from the following row of the same episode."]},
        "task": {"n_states": n, "n_actions": 4, "discount": 0.95, "terminal": [],
                 "initial": [(0, 1.0)],
                 "reward": {"kind": "state-action", "words": "read from the log"}},
        "behaviour": {"source": "estimated", "words": "estimated from the log",
                      "policy": behaviour},
        "sufficiency": {
            "visits": visits.tolist(), "unseen_states": [], "untried_states": [],
            "pairs": 4 * n, "tried_pairs": tried, "thin_below": 5, "thin": thin,
            "words": [f"The log tries {tried} of {4 * n} pairs of state and action.",
                      f"{len(thin)} pairs that policies rely on were tried fewer than 5 times."],
        },
        "skipped": [{"name": "RaMDP(1)", "reason": "it needs a reward for every pair, and 3 of "
                     "them were never tried"}],
        "assumptions": [
            {"name": "discount", "value": "0.95", "words": "A reward is worth 5 % less each step."},
            {"name": "prior", "value": "flat", "words": "Before the log, every next state was held "
             "to be equally likely, as if each had been seen once."},
            {"name": "reward", "value": "from the log", "words": "The reward of a state and action "
             "is what the log shows; it is held to be known exactly."},
        ],
        "warnings": [],
        "provenance": {
            "tailsafe": "0.1.0", "numpy": "2.3.4", "python": "3.13.0",
            "command": ["tailsafe", "select", "press-4.csv", "--risk", "cvar:0.25"],
            "created": "2026-01-15T09:30:00Z", "seed": 0, "batch_hash": "3b" * 32,
            "posterior_hash": "a7" * 32, "prior": "flat, one pseudo-visit for each next state",
            "streams": [{"stream": "race", "first": 0, "last": 4096},
                        {"stream": "certificate", "first": 0, "last": 8192}],
            "distribution_models": MODELS,
            "seconds": {"read": 0.02, "propose": 0.31, "race": 0.18, "propose SPIBB(5)": 0.01},
        },
    }  # fmt: skip


def cached(make):
    """Return a maker that computes its record once and hands out copies."""
    once = cache(make)
    return lambda: deepcopy(once())


EVERY = {f.__name__: cached(f) for f in (machine, settled, evaluated, grid, hostile)}
