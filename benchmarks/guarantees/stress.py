"""Laws that were made up to be hard, by their quantile functions at equally spaced levels.

``STRESS[name]()`` is U[p, m]; the level that they aim at is q = .25.
"""

from statistics import NormalDist

import numpy as np

Q = 0.25
N = 100_000
LEVELS = (np.arange(N) + 0.5) / N
NORMAL = np.array([NormalDist().inv_cdf(u) for u in LEVELS[:: N // 10_000]]).repeat(N // 10_000)
"""A normal law of 10,000 values."""


def shuffled(*quantiles: np.ndarray) -> np.ndarray:
    """Return the laws side by side, independent of each other."""
    rng = np.random.default_rng(0)
    return np.stack([rng.permutation(values) for values in quantiles])


def atom_above() -> np.ndarray:
    """Return laws with an atom of .3 just above a_q: the bound that misses pays at once."""
    hit = (LEVELS > Q) & (LEVELS < Q + 0.3)
    law = np.where(hit, Q + 0.001, LEVELS)
    return shuffled(law, law - 0.002, law - 0.05)


def atom_at() -> np.ndarray:
    """Return laws with an atom of .2 around a_q."""
    law = np.where(np.abs(LEVELS - Q) < 0.1, Q, LEVELS)
    return shuffled(law, law - 0.01, law - 0.1)


def density_jump() -> np.ndarray:
    """Return laws whose density jumps at a_q by a factor of 16, up and down."""
    below, above = np.minimum(LEVELS - Q, 0.0), np.maximum(LEVELS - Q, 0.0)
    return shuffled(8 * below + above / 2, below / 2 + 8 * above - 0.01, LEVELS - Q - 0.2)


def identical() -> np.ndarray:
    """Return five policies that are equal in law and independent."""
    return shuffled(*[NORMAL] * 5)


def near_copies() -> np.ndarray:
    """Return policies of correlation .99 that differ by little."""
    common, *own = shuffled(*[NORMAL] * 6)
    gaps = np.array([0.0, -0.01, -0.02, -0.05, -0.3])
    return gaps[:, None] + np.sqrt(0.99) * common + 0.1 * np.array(own)


def constants() -> np.ndarray:
    """Return two constant policies, one that is a little better, and one that is worse."""
    still, quantile = np.zeros(N), NORMAL[round(Q * N) - 1]
    return shuffled(still, still, NORMAL - quantile + 0.02, NORMAL - quantile - 0.5)


STRESS = {
    "atom just above the quantile": atom_above,
    "atom at the quantile": atom_at,
    "density jumps at the quantile": density_jump,
    "five identical policies": identical,
    "near copies, correlation .99": near_copies,
    "constant policies": constants,
}


def sixty_equal() -> np.ndarray:
    """Return sixty policies that are equal in law and independent."""
    return shuffled(*[NORMAL] * 60)


def twenty_near() -> np.ndarray:
    """Return twenty policies a hundredth of a deviation apart."""
    return shuffled(*[NORMAL] * 20) - 0.01 * np.arange(20)[:, None]


CROWDS = {
    "atom just above the quantile": atom_above,
    "sixty equal policies": sixty_equal,
    "twenty policies, .01 sd apart": twenty_near,
}
"""Where the printed rule is compared with the race."""
