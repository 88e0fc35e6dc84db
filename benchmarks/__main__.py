"""Speeds of the numeric core, against vectorised numpy in the same run: `./run bench`.

Both sides do the same work (draw the models, evaluate every policy on each) on two threads.
"""

import os

# Two threads of ours each solve alone: BLAS must not start more of its own.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import resource
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from time import perf_counter

import numpy as np
from rich.console import Console
from rich.table import Table as Printed

import tailsafe as ts
from benchmarks.numpy_reference import performances as numpy_performances
from tailsafe.engine import Engine
from tailsafe.kernels import RowsLaw, cpu

THREADS, DISCOUNT = 2, 0.9
SIZES = ((5, 3), (16, 4), (64, 4), (256, 4))
POLICIES = (1, 20, 50)
SECONDS = 0.4
FIRST_CALL = """
from time import perf_counter
import tailsafe as ts
import numpy as np
log = ts.Batch([0], [0], [0], [0.0], [1], [False], {n}, 3)
task = ts.Task(np.ones(({n}, 3)), np.eye({n})[0], 0.9)
policies, posterior = [ts.Policy.uniform({n}, 3)] * 2, ts.Dirichlet.from_batch(log)
ts.performances
start = perf_counter()
ts.performances(posterior, task, policies, 0, 100, 0)
print(perf_counter() - start)
"""


def problem(n_states, n_actions, n_policies, departures):
    """Return concentrations, reward and actions[p, s] that depart from a base in some states."""
    rng = np.random.default_rng(0)
    shape = (n_states, n_actions, n_states)
    concentration = 1.0 + rng.multinomial(
        10 * n_states, np.full(np.prod(shape), 1 / np.prod(shape))
    )
    base = rng.integers(n_actions, size=n_states)
    actions = np.tile(base, (n_policies, 1))
    for chosen in actions:
        where = rng.choice(n_states, departures, replace=False)
        chosen[where] = rng.integers(n_actions, size=departures)
    return concentration.reshape(shape), rng.random(shape), actions


def ours(concentration, reward, actions, models):
    """Evaluate the policies with tailsafe."""
    n_states, n_actions, _ = concentration.shape
    table = ts.Table.full(n_states, n_actions)
    known = np.zeros(table.n_rows, bool)
    posterior = ts.Dirichlet(table, concentration.ravel(), known)
    task = ts.Task(reward, np.eye(n_states)[0], DISCOUNT)
    policies = [ts.Policy.from_actions(chosen, n_actions) for chosen in actions]
    ts.performances(posterior, task, policies, 0, models, 0, Engine(workers=THREADS))


def theirs(concentration, reward, actions, models):
    """Evaluate the policies with numpy, half of the models on each thread."""
    work = partial(numpy_performances, concentration, reward, actions, DISCOUNT)
    with ThreadPoolExecutor(THREADS) as pool:
        list(pool.map(work, [models // THREADS] * THREADS, range(THREADS)))


def rate(work, n_policies):
    """Return evaluations a second, of the best of three runs that take a while."""
    models, best = 2, 0.0
    work(models)  # compiles what is not compiled yet
    while models < 2**22:
        start = perf_counter()
        work(models)
        if perf_counter() - start > SECONDS / 4:
            break
        models *= 2
    for _ in range(3):
        start = perf_counter()
        work(models)
        best = max(best, n_policies * models / (perf_counter() - start))
    return best


def compare(printed):
    """Add a row for each size, number of policies, and how much these differ."""
    for n_states, n_actions in SIZES:
        for count in POLICIES:
            for departures in sorted(
                {n_states, max(2, n_states // 5)} if count > 1 else {n_states}
            ):
                arguments = problem(n_states, n_actions, count, departures)
                mine = rate(lambda models: ours(*arguments, models), count)  # noqa: B023
                other = rate(lambda models: theirs(*arguments, models), count)  # noqa: B023
                row = (f"{n_states} x {n_actions}", f"{count}", f"{departures}")
                printed.add_row(*row, f"{mine:,.0f}", f"{other:,.0f}", f"{mine / other:.1f}")


def nanoseconds_a_draw(concentration):
    """Return the time of one draw on one core, in long rows, normalised."""
    from tailsafe.kernels import gamma

    law = RowsLaw(
        np.arange(65) * 64, np.zeros(4096, int), np.full(4096, concentration), np.zeros(64, bool)
    )
    tile, best = np.ones((4096, 128)), np.inf
    for _ in range(15):
        start = perf_counter()
        gamma.fill(tile, cpu.compiled(law), np.arange(64), 0, (0, 0))
        best = min(best, perf_counter() - start)
    return 1e9 * best / tile.size


def sparse():
    """Return seconds and peak MB above the import: one policy, 1,000 models of 716 x 25."""
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    rng = np.random.default_rng(0)
    rows = [rng.choice(716, size, replace=False) for size in rng.integers(1, 10, size=17_900)]
    table = ts.Table.from_rows(716, 25, rows)
    counts = rng.integers(1, 4, size=table.n_entries)
    posterior = ts.Dirichlet(table, counts.astype(float), np.zeros(table.n_rows, bool))
    task = ts.Task(rng.random((716, 25)), np.eye(716)[0], DISCOUNT)
    policies = [ts.Policy.from_actions(rng.integers(25, size=716), 25)]
    ts.performances(posterior, task, policies, 0, 8, 0)
    start = perf_counter()
    ts.performances(posterior, task, policies, 0, 1_000, 0, Engine(workers=THREADS))
    seconds = perf_counter() - start
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return table.n_entries, seconds, (peak - before) / 1024


def first_calls(n_states):
    """Return the seconds of the first call, compiling and from the cache."""
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "NUMBA_CACHE_DIR": folder}
        command = [sys.executable, "-c", FIRST_CALL.format(n=n_states)]
        return [
            float(subprocess.run(command, env=environment, capture_output=True, check=True).stdout)
            for _ in range(2)
        ]


def main():
    console = Console()
    # First, while nothing else has used memory.
    entries, seconds, megabytes = sparse()
    console.print(
        f"716 x 25, {entries:,} entries, 1 policy, 1,000 models: {seconds:.2f} s, "
        f"peak {megabytes:.0f} MB above the import"
    )
    for concentration in (1.0, 2.0, 2.5, 0.5):
        speed = nanoseconds_a_draw(concentration)
        console.print(f"draw of concentration {concentration}: {speed:.2f} ns a core")
    for n_states in (5, 64, 300):
        cold, warm = first_calls(n_states)
        console.print(
            f"first call, {n_states} states: {cold:.2f} s cold, {warm:.2f} s from the cache"
        )
    printed = Printed(title=f"evaluations a second, {THREADS} threads each")
    for name in ("states x actions", "policies", "differ in", "tailsafe", "numpy", "ratio"):
        printed.add_column(name, justify="right")
    compare(printed)
    console.print(printed)


if __name__ == "__main__":
    main()
