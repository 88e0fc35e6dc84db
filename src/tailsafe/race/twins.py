"""Candidates that perform equally on every model: one of them races for all.

As analytic functions of the model, performances over Dirichlet rows agree on all models or, with
probability 1, on none. Rounded they may seem to agree on most models and differ on rare ones (a
disaster behind a row whose concentration is tiny). Therefore twins must agree on the models of
the first look, and on models that are spread evenly over all that is possible.
"""

from collections import Counter

import numpy as np

from tailsafe.arrays import IntArray
from tailsafe.race.look import Look
from tailsafe.race.sheet import Sheet

SPREAD_MODELS = 64


def twins(look: Look, sheet: Sheet, favourite: int) -> IntArray:
    """Return whose performances each candidate shares: the favourite's, else the first one's."""
    # Adding zero turns -0.0 into 0.0.
    seen = {int(i): (x + 0.0).tobytes() for i, x in zip(look.members, look.X, strict=True)}
    often = Counter(seen.values())
    alike = np.array([i for i, content in seen.items() if often[content] > 1], np.int64)
    if len(alike) and sheet.spread is not None:
        for i, x in zip(alike.tolist(), sheet.spread_rows(alike, SPREAD_MODELS), strict=True):
            seen[i] += (x + 0.0).tobytes()
    twin, first = np.arange(sheet.n_candidates), dict[bytes, int]()
    for i in sorted(seen, key=lambda i: i != favourite):
        twin[i] = first.setdefault(seen[i], i)
    return twin
