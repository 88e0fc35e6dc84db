"""Random addresses: a seed and a stream make the key of a counter-based generator.

Streams are disjoint by key, so models drawn to propose a policy are never those that judge it,
and models that judge are never those that certify.
"""

from enum import IntEnum
from typing import NamedTuple

import numpy as np

from tailsafe.errors import InvalidData

MAX_WORD = 2**32


class Stream(IntEnum):
    """What random models are drawn for."""

    RACE = 0
    CERTIFICATE = 1
    CANDIDATES = 2
    STUDY = 3
    IMPROVEMENT = 4
    EXPLAIN = 5
    SIMULATION = 6


class Key(NamedTuple):
    """The two words that key the generator."""

    seed: int
    stream: int


def as_key(seed: int | Key) -> Key:
    """Return the key of a seed; a bare number means the stream of the race."""
    key = seed if isinstance(seed, Key) else Key(seed, Stream.RACE)
    for word, name in zip(key, ("seed", "stream"), strict=True):
        if isinstance(word, bool) or not isinstance(word, int | np.integer):
            raise InvalidData(f"{name} must be a whole number, got {word!r}")
        if not 0 <= word < MAX_WORD:
            raise InvalidData(f"{name} must be in 0 .. 2**32 - 1, got {word}")
    return Key(int(key.seed), int(key.stream))


def stream_key(seed: int | Key, stream: Stream) -> Key:
    """Return the key of the same seed in another stream."""
    return Key(as_key(seed).seed, int(stream))


def as_model_range(first: int, last: int) -> tuple[int, int]:
    """Return first and last, if first .. last - 1 are addresses of models."""
    for index, name in ((first, "first"), (last, "last")):
        if isinstance(index, bool) or not isinstance(index, int | np.integer):
            raise InvalidData(f"{name} must be a whole number, got {index!r}")
    if not 0 <= first <= last <= MAX_WORD:
        raise InvalidData(f"models {first} .. {last} are not a range within 0 .. 2**32")
    return int(first), int(last)
