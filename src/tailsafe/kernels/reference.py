"""The numpy backend: slow, clear, the definition of what every backend computes.

The draws are those that ``gamma`` describes, the values those of a dense solve per model.
"""

import numpy as np

from tailsafe.arrays import FloatArray, IntArray
from tailsafe.kernels import Drawn, Given, RowsLaw, Setting, philox
from tailsafe.kernels.philox import uniform

MODELS_AT_ONCE = 256
"""Models are drawn together only to save time."""


def draw(law: RowsLaw, rows: IntArray, first: int, last: int, seed: int, stream: int) -> FloatArray:
    """Return the entries of these rows in models first .. last - 1, probability[m, e]."""
    models, key = np.arange(first, last), (seed, stream)
    drawn = [draw_row(law, int(row), models, key) for row in rows]
    return np.concatenate([np.empty((last - first, 0)), *drawn], axis=1)


def draw_row(law: RowsLaw, row: int, models: IntArray, key: tuple[int, int]) -> FloatArray:
    """Return one row of each model, probability[m, column]."""
    a = law.concentration[law.indptr[row] : law.indptr[row + 1]]
    if law.known[row] or len(a) == 0:
        return np.broadcast_to(a, (len(models), len(a)))
    logs = np.stack([log_gamma(models, row, c, a[c], key) for c in range(len(a))], axis=1)
    weights = np.exp(logs - logs.max(axis=1, keepdims=True))
    probability: FloatArray = weights / weights.sum(axis=1, keepdims=True)
    return probability


def log_gamma(
    models: IntArray, row: int, column: int, a: float, key: tuple[int, int]
) -> FloatArray:
    """Return the logarithm of the gamma variate of one entry of each model, [m]."""
    words = philox.words((models, row, column // 2, 0), key)
    first = uniform(*words[2:]) if column % 2 else uniform(*words[:2])
    if a == 1.0:
        return np.log(-np.log(first))
    if a in (2.0, 3.0, 4.0):
        return np.log(-np.log(product(models, row, column, int(a), key)))
    if a > 1.0:
        return np.log(marsaglia_tsang(models, row, column, a, key))
    return np.log(marsaglia_tsang(models, row, column, a + 1.0, key)) + np.log(first) / a


def product(
    models: IntArray, row: int, column: int, factors: int, key: tuple[int, int]
) -> FloatArray:
    """Return the product of that many uniforms, [m]."""
    blocks = [philox.words((models, row, column, attempt), key) for attempt in (1, 2)]
    uniforms = [uniform(*half) for words in blocks for half in (words[:2], words[2:])]
    result: FloatArray = np.prod(uniforms[:factors], axis=0)
    return result


def marsaglia_tsang(
    models: IntArray, row: int, column: int, a: float, key: tuple[int, int]
) -> FloatArray:
    """Return gamma(a), a >= 1, of the first attempt that is accepted, [m]."""
    values, waiting, attempt = np.empty(len(models)), np.arange(len(models)), 0
    d = a - 1.0 / 3.0
    while len(waiting):
        attempt += 1
        w = philox.words((models[waiting], row, column, attempt), key)
        angle, accept = ((word + 0.5) / 2.0**32 for word in w[2:])
        # The angle is measured from the middle of the circle.
        x = np.sqrt(-2.0 * np.log(uniform(*w[:2]))) * np.cos(2.0 * np.pi * (angle - 0.5))
        v = np.maximum(1.0 + x / np.sqrt(9.0 * d), 0.0) ** 3
        with np.errstate(divide="ignore"):
            accepted = np.log(accept) < 0.5 * x * x + d * (1.0 - v + np.log(v))
        values[waiting[accepted]] = d * v[accepted]
        waiting = waiting[~accepted]
    return values


def performances(source: Drawn | Given, setting: Setting, first: int, last: int) -> FloatArray:
    """Return the performance of each policy on models first .. last - 1, U[p, m]."""
    U = np.empty((len(setting.probs), last - first))
    for start in range(first, last, MODELS_AT_ONCE):
        for m, P in enumerate(models_of(source, setting, start, min(start + MODELS_AT_ONCE, last))):
            U[:, start - first + m] = [performance(setting, P, p) for p in range(len(U))]
    return U


def models_of(source: Drawn | Given, setting: Setting, first: int, last: int) -> FloatArray:
    """Return models first .. last - 1, probability[m, e]."""
    if isinstance(source, Given):
        return source.probability[first - source.first : last - source.first]
    every = np.arange(len(setting.indptr) - 1)
    return draw(source.law, every, first, last, source.seed, source.stream)


def performance(setting: Setting, P: FloatArray, policy: int) -> float:
    """Return mu V of one policy on one model."""
    n, n_actions = setting.probs.shape[1:]
    row = np.repeat(np.arange(n * n_actions), np.diff(setting.indptr))
    live = ~setting.terminal & setting.used[policy]
    weight = (setting.probs[policy] * live[:, None]).ravel()[row] * P
    flow, r = np.zeros((n, n)), np.zeros(n)
    np.add.at(flow, (row // n_actions, setting.successor), weight)
    np.add.at(r, row // n_actions, weight * setting.reward)
    return float(setting.initial @ np.linalg.solve(np.eye(n) - setting.discount * flow, r))
