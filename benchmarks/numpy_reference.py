"""The same work in vectorised numpy: standard_gamma, then a batched solve per policy."""

import numpy as np

CHUNK_NUMBERS = 2_000_000


def performances(concentration, reward, actions, discount, models, seed):
    """Return U[p, m] of deterministic policies actions[p, s] on that many models."""
    chunk = max(1, CHUNK_NUMBERS // concentration.size)
    rng = np.random.default_rng(seed)
    parts = []
    for start in range(0, models, chunk):
        count = min(chunk, models - start)
        P = rng.standard_gamma(concentration, size=(count, *concentration.shape))
        P /= P.sum(axis=-1, keepdims=True)
        r = np.einsum("msat,sat->msa", P, reward)
        parts.append([solved(P, r, chosen, discount) for chosen in actions])
    return np.concatenate(parts, axis=1)


def solved(P, r, actions, discount):
    """Return u[m] of one policy that starts in state 0."""
    states = np.arange(len(actions))
    matrix = np.eye(len(actions)) - discount * P[:, states, actions]
    return np.linalg.solve(matrix, r[:, states, actions][..., None])[:, 0, 0]
