"""What improvement adds: ./run python -m benchmarks.improvement [DOMAIN ...] [--batches N]

On each batch the standard portfolio proposes; then the CVaR(.25) of the best policy that it
improved is compared, on fresh models of the posterior, with that of the best of all others (both
chosen on one sample of models, judged on another), and so is the performance on the true model.
A difference counts beyond Monte Carlo error if it exceeds 2.6 standard errors (one-sided .005) of
the paired difference. Differences are in per cent of the optimum of the true model.
"""

import argparse
import sys

import numpy as np

import tailsafe as ts
from tailsafe import domains
from tailsafe.keys import Stream, stream_key

RISK = ts.CVaR(0.25)
CHOICE, FRESH = 4_000, 20_000
"""Models that choose the best, and models that compare."""

CASES = {
    "ring": (domains.ring_published, 4, 8),
    "chain": (domains.chain_published, 4, 8),
    "lake": (lambda: domains.random_lake_published(0), 8, 15),
    "garnet10": (lambda: domains.garnet(10, 3, 4, 1), 10, 8),
    "garnet20": (lambda: domains.garnet(20, 4, 3, 2), 20, 10),
}
"""Domain, episodes and steps of a batch."""


def risk_of(u):
    """Return the CVaR of performances u[m]."""
    return RISK.value(np.sort(u))


def error_of_difference(u, v):
    """Return the standard error of CVaR(u) - CVaR(v) on the same models (first order)."""
    q = RISK.level

    def influence(x):
        a = np.quantile(x, q)
        return a - np.maximum(a - x, 0.0) / q

    return float((influence(u) - influence(v)).std() / np.sqrt(len(u)))


def best(problem, candidates, seed):
    """Return the candidate with the highest CVaR on the models of a study's stream."""
    policies, key = [c.policy for c in candidates], stream_key(seed, Stream.STUDY)
    U = ts.performances(problem.posterior, problem.task, policies, 0, CHOICE, key)
    return candidates[int(np.argmax([risk_of(u) for u in U]))]


def compared(domain, episodes, length, seed):
    """Return the differences on one batch: posterior CVaR, its error, true performance."""
    task = domain.task
    uniform = ts.Policy.uniform(task.n_states, task.n_actions)
    batch = ts.simulate(domain, uniform, episodes, length, seed)
    problem = ts.Problem(task, batch, ts.Dirichlet.from_batch(batch))
    proposal = ts.propose(problem, seed=seed, risk=RISK)
    ours = [c for c in proposal if any("Improvement" in origin for origin in c.origins)]
    others = [c for c in proposal if any("Improvement" not in origin for origin in c.origins)]
    pair = [best(problem, some, seed).policy for some in (ours, others)]
    key = stream_key(seed, Stream.STUDY)
    u, v = ts.performances(problem.posterior, task, pair, CHOICE, CHOICE + FRESH, key)
    true = [ts.performance(domain.truth, policy) for policy in pair]
    return risk_of(u) - risk_of(v), error_of_difference(u, v), true[0] - true[1]


def row(name, batches):
    """Print one line of the table."""
    make, episodes, length = CASES[name]
    domain = make()
    policy, _ = ts.solve(domain.truth)
    unit = 100.0 / ts.performance(domain.truth, policy)
    found = []
    for seed in range(batches):
        found.append(compared(domain, episodes, length, seed))
        print(f"{name} {seed}: {unit * np.array(found[-1])}", file=sys.stderr, flush=True)
    gain, error, true = unit * np.array(found).T
    worse, better = (gain < -2.6 * error - 1e-9).sum(), (gain > 2.6 * error + 1e-9).sum()
    print(
        f"{name:10}{batches:8}{worse:7}{better:8}{gain.min():9.2f}{np.median(gain):9.2f}"
        f"{gain.mean():9.2f}{gain.max():9.2f}   {true.min():9.2f}{np.median(true):9.2f}"
        f"{true.mean():9.2f}{true.max():9.2f}",
        flush=True,
    )


def main():
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("domain", nargs="*", default=list(CASES))
    parser.add_argument("--batches", type=int, default=20)
    arguments = parser.parse_args()
    head = "".join(f"{word:>9}" for word in ("min", "median", "mean", "max"))
    print(f"{'':33}CVaR(.25) on fresh models, % of optimum{'':>0}   true performance, %")
    print(f"{'domain':10}{'batches':>8}{'worse':>7}{'better':>8}{head}   {head}")
    for name in arguments.domain:
        row(name, arguments.batches)


if __name__ == "__main__":
    main()
