"""The compiled generator gives the words of the reference; impossible things never happen."""

import numpy as np
import pytest

from tailsafe.kernels import philox, walks


@pytest.mark.parametrize("episode", [0, 1, 2**32 - 1])
@pytest.mark.parametrize("purpose", [0, 1])
@pytest.mark.parametrize("key", [(0, 6), (2**32 - 1, 6), (77, 3)])
def test_the_compiled_uniforms_are_those_of_the_reference(episode, purpose, key):
    steps = np.arange(5)
    a, b, c, d = philox.words((episode, steps, purpose, 0), key)
    compiled = [walks.two_uniforms(episode, int(s), np.uint64(purpose), key) for s in steps]
    expected = np.stack([philox.uniform(a, b), philox.uniform(c, d)], axis=1)
    assert np.array_equal(compiled, expected)


def test_a_choice_is_the_inverse_of_the_cumulated_probabilities():
    probability = np.array([0.0, 0.25, 0.0, 0.75, 0.0])
    picks = {0.0: 1, 0.2499: 1, 0.25: 3, 0.9999: 3, 1.0: 3}
    assert {u: walks.chosen(probability, u) for u in picks} == picks


def test_what_rounding_leaves_goes_to_the_last_possible_choice():
    assert walks.chosen(np.array([0.5, 0.5 - 1e-12, 0.0]), 1.0 - 1e-16) == 1
