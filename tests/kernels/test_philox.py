"""The generator gives the published words."""

import numpy as np
import pytest

from tailsafe.kernels import gamma, philox
from tailsafe.keys import Stream, stream_key

# Random123, known-answer vectors of philox4x32 with 10 rounds: counter, key, words.
PUBLISHED = [
    ((0, 0, 0, 0), (0, 0), (0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8)),
    (
        (0xFFFFFFFF,) * 4,
        (0xFFFFFFFF,) * 2,
        (0x408F276D, 0x41C83B0E, 0xA20BC7C6, 0x6D5451FD),
    ),
    (
        (0x243F6A88, 0x85A308D3, 0x13198A2E, 0x03707344),
        (0xA4093822, 0x299F31D0),
        (0xD16CFE09, 0x94FDCCEB, 0x5001E420, 0x24126EA1),
    ),
]


@pytest.mark.parametrize(("counter", "key", "words"), PUBLISHED)
def test_the_reference_gives_the_published_words(counter, key, words):
    assert tuple(int(w) for w in philox.words(counter, key)) == words


@pytest.mark.parametrize(("counter", "key", "words"), PUBLISHED)
def test_the_compiled_generator_gives_the_published_words(counter, key, words):
    model, row, column, attempt = counter
    place = gamma.Place(np.array([7, model]), row, key)
    assert tuple(int(w) for w in gamma.block(place, 1, column, attempt)) == words


def test_uniforms_are_inside_the_open_unit_interval_and_the_same_in_both():
    words = np.array([0, 1, 2**32 - 1], np.uint64)
    low, high = (grid.ravel() for grid in np.meshgrid(words, words))
    expected = philox.uniform(low, high)
    assert expected.min() == 2.0**-53
    assert expected.max() == 1.0 - 2.0**-53
    assert [gamma.uniform(a, b) for a, b in zip(low, high, strict=True)] == expected.tolist()


def test_no_two_streams_share_a_key():
    keys = [stream_key(seed, stream) for seed in range(50) for stream in Stream]
    assert len(set(keys)) == len(keys)


def test_under_one_key_different_counters_give_different_words():
    axes = np.meshgrid(*([np.arange(6)] * 4))
    words = np.stack(philox.words(tuple(axis.ravel() for axis in axes), (3, 1)), axis=1)
    assert len(np.unique(words, axis=0)) == 6**4
