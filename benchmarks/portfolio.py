"""Prints how long robust methods and whole portfolios take: ./run python benchmarks/portfolio.py"""

from time import perf_counter, process_time

import numpy as np

import tailsafe as ts
from tailsafe.domains import garnet, ring
from tailsafe.solvers import BCR, NORBU, Improvement
from tailsafe.solvers.natures import worst_l1


def problem_of(domain, episodes, length):
    """Return the problem that a log of the uniform policy leaves, with a flat prior."""
    task = domain.task
    uniform = ts.Policy.uniform(task.n_states, task.n_actions)
    batch = ts.simulate(domain, uniform, episodes, length, seed=0)
    return ts.Problem(task, batch, ts.Dirichlet.from_batch(batch))


def seconds(function):
    """Return what a call takes, and its result."""
    begun = perf_counter()
    result = function()
    return perf_counter() - begun, result


def inner_problem():
    """Print how the time of the inner L1 problem grows with the number of next states."""
    print("inner L1 problem, all rows at once")
    rng = np.random.default_rng(0)
    for n in (64, 256, 1024, 4096):
        rows = min(256, n)
        table = ts.Table.from_rows(n, 1, [range(n)] * rows + [[]] * (n - rows))
        center = np.full(table.n_entries, 1.0 / n)
        z, budget = rng.normal(size=table.n_entries), np.full(n, 0.5)
        took, _ = seconds(lambda t=table, c=center, b=budget, z=z: worst_l1(t, c, b, z))
        each = 1e9 * took / table.n_entries
        print(f"  {n:5} next states, {rows} rows: {1e3 * took:8.1f} ms, {each:5.0f} ns an entry")


def robust_methods():
    """Print what BCR and NORBU take with 1,000 models on 64 states and 4 actions."""
    print("1,000 models on 64 x 4, all next states possible")
    for solver in (BCR(0.75), NORBU(0.25, 0.5)):
        problem = problem_of(garnet(64, 4, 5, 0), 60, 15)
        drawing, _ = seconds(lambda p=problem: p.models(1_000))
        took, _ = seconds(lambda p=problem, s=solver: s.solve(p))
        print(f"  {solver.name:24} {took:6.2f} s, after {drawing:.2f} s of drawing")


def portfolio(title, problem, methods):
    """Print what a portfolio takes, and its slowest methods."""
    begun = process_time()
    took, proposal = seconds(lambda: ts.propose(problem, methods))
    used = process_time() - begun
    counts = f"{len(proposal)} candidates, {len(proposal.skipped)} skipped"
    print(f"{title}: {took:.2f} s ({used:.2f} s of CPU), {counts}")
    slowest = sorted(proposal.seconds.items(), key=lambda pair: -pair[1])[:6]
    print("  slowest: " + ", ".join(f"{name} {time:.2f} s" for name, time in slowest))


def main():
    """Print the tables."""
    portfolio("compiling", problem_of(ring(), 4, 8), ts.standard_portfolio())
    portfolio("standard portfolio, 5 x 3", problem_of(ring(), 4, 8), ts.standard_portfolio())
    inner_problem()
    robust_methods()
    large = problem_of(garnet(64, 4, 5, 0), 60, 15)
    solvers = [m for m in ts.standard_portfolio() if not isinstance(m, Improvement)]
    portfolio("standard portfolio without improvement, 64 x 4", large, solvers)
    portfolio("standard portfolio, 64 x 4", large, ts.standard_portfolio())


if __name__ == "__main__":
    main()
