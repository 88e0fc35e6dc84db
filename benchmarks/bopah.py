"""How much faster BOPAH is than its definition in plain numpy: `./run python -m benchmarks.bopah`.

Both take the same gradient steps on the same problems, in one process. The plain version solves for
the regularised values by policy iteration from the uniform policy, and carries the derivatives with
respect to all weights forward, one array operation a formula. Both run on one thread, and what is
counted is the processor time of that thread: a busy machine does not change the ratio. Results are
compared after a few steps: the objective has kinks, where rounding decides on which side one goes.
"""

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

from dataclasses import replace
from time import thread_time

import numpy as np

import tailsafe as ts
from tailsafe.solvers.bopah import CLIP, FLOOR, RATE, fold_counts
from tailsafe.solvers.regularised import estimated

STEPS, CLASSES, REPEATS, FEW = 300, 20, 5, 20
SIZES = ((5, 3, 12), (20, 4, 60), (64, 4, 100))


def followed(T, pi, discount):
    """Return (I - discount P_pi)^-1."""
    P = np.einsum("sa,sat->st", pi, T)
    return np.linalg.inv(np.eye(len(P)) - discount * P)


def regularised(T, r, behaviour, alpha, discount):
    """Return pi, V and Q = r + alpha ln pi_b + discount P V of the regularised problem."""
    reward = r + alpha[:, None] * np.log(behaviour)
    pi = np.full(r.shape, 1.0 / r.shape[1])
    while True:
        entropy = -alpha[:, None] * np.log(pi + 1e-300)
        V = followed(T, pi, discount) @ ((reward + entropy) * pi).sum(axis=1)
        Q = reward + discount * T @ V
        odds = np.exp((Q - Q.max(axis=1, keepdims=True)) / alpha[:, None])
        better = odds / odds.sum(axis=1, keepdims=True)
        if np.abs(better - pi).max() < 1e-8:
            return pi, V, Q
        pi = better


def gradient(train, valid, behaviour, psi, start, discount):
    """Return dU / dpsi[d]: derivatives of Q, of the policy, and of its value, in this order."""
    (T, r), (T_valid, r_valid) = train, valid
    n_states, n = len(r), len(psi)
    one = (np.arange(n_states) % n == np.arange(n)[:, None]) * 1.0
    alpha = psi @ one
    pi, V, Q = regularised(T, r, behaviour, alpha, discount)
    of_value = one * (V - (pi * Q).sum(axis=1)) / alpha
    dr = one[:, :, None] * np.log(behaviour) + discount * np.einsum("sat,dt->dsa", T, of_value)
    dV = (dr * pi).sum(axis=2) @ followed(T, pi, discount).T
    dQ = dr + discount * np.einsum("sat,dt->dsa", T, dV)
    slope = (dQ * alpha[:, None] - one[:, :, None] * Q) / (alpha**2 + 1e-10)[:, None]
    dpi = pi * (slope - (slope * pi).sum(axis=2, keepdims=True))
    inverse = followed(T_valid, pi, discount)
    Q_valid = r_valid + discount * T_valid @ (inverse @ (pi * r_valid).sum(axis=1))
    gain = dpi / (pi + 1e-10) * Q_valid
    return (gain * pi).sum(axis=2) @ (start @ inverse)


def ascend(folds, behaviour, psi, start, discount, steps):
    """Return psi[d] after all steps."""
    for _ in range(steps):
        slopes = [gradient(*fold, behaviour, psi, start, discount) for fold in folds]
        mean = np.mean(np.clip(slopes, -CLIP, CLIP), axis=0)
        if np.abs(mean).max() < 1e-6:
            break
        psi = np.maximum(psi + RATE * mean, FLOOR)
    return psi


def problem(n_states, n_actions, episodes):
    """Return a problem with three successors a pair, and a log of the uniform policy."""
    rng = np.random.default_rng(n_states)
    T = np.zeros((n_states, n_actions, n_states))
    for row in T.reshape(-1, n_states):
        row[rng.choice(n_states, 3, replace=False)] = rng.dirichlet(np.ones(3))
    task = ts.Task(rng.random((n_states, n_actions)), np.eye(n_states)[0], 0.9)
    behaviour, steps = ts.Policy.uniform(n_states, n_actions), []
    for episode in range(episodes):
        s = 0
        for _ in range(15):
            a = int(rng.integers(n_actions))
            t = int(rng.choice(n_states, p=T[s, a]))
            steps.append((episode, s, a, task.reward[s, a], t, 0))
            s = t
    batch = ts.Batch(*np.array(steps).T, n_states, n_actions)
    return ts.Problem(task, batch, ts.Dirichlet.from_batch(batch), behaviour)


def plain(one, steps):
    """Return psi[d] of the plain version."""
    table = one.posterior.table
    models = [estimated(one, N, ENDS) for N in fold_counts(one, 2)]
    first, second = [(table.dense(P), r) for P, r in models]
    start = np.full(CLASSES, max(1.0 / one.batch.n_episodes, FLOOR))
    rest = (one.behaviour.probs, start, one.task.initial, one.task.discount, steps)
    return ascend([(first, second), (second, first)], *rest)


def seconds(function):
    """Return the time of the fastest of some calls."""
    taken = []
    for _ in range(REPEATS):
        begun = thread_time()
        function()
        taken.append(thread_time() - begun)
    return min(taken)


def main():
    print(f"{STEPS} gradient steps, {CLASSES} weights, 2 folds; fastest of {REPEATS} calls")
    print(f"{'S x A':>8}{'plain, s':>12}{'BOPAH, s':>12}{'ratio':>8}{'difference':>12}")
    for n_states, n_actions, episodes in SIZES:
        one = problem(n_states, n_actions, episodes)
        solver = ts.solvers.BOPAH(CLASSES, unseen=ENDS, max_steps=STEPS)
        few = replace(solver, max_steps=FEW)
        apart = np.abs(few.weights(one) - plain(one, FEW)).max()
        fast = seconds(lambda solver=solver, one=one: solver.weights(one))
        slow = seconds(lambda one=one: plain(one, STEPS))
        size = f"{n_states} x {n_actions}"
        print(f"{size:>8}{slow:>12.4f}{fast:>12.4f}{slow / fast:>8.1f}{apart:>12.1e}", flush=True)


ENDS = ts.solvers.BOPAH().unseen

if __name__ == "__main__":
    main()
