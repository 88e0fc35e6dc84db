"""Garnets: random, but the same for ever."""

import numpy as np
import pytest

from tailsafe import domains
from tailsafe.domains.draws import uniforms
from tailsafe.errors import InvalidData

PINNED = [0.3035680343067586, 0.8487087496857769, 0.1561347780434731]


def test_every_pair_has_as_many_different_next_states_as_asked():
    table = domains.garnet(9, 4, 3, seed=1).truth.table
    assert (table.lengths == 3).all()
    assert len(np.unique(table.mask().reshape(36, 9), axis=0)) > 20


def test_probabilities_are_the_pieces_between_uniform_cuts():
    truth = domains.garnet(500, 4, 3, seed=1).truth
    pieces = truth.probability.reshape(-1, 3)
    assert pieces.sum(axis=1) == pytest.approx(1.0, abs=1e-15)
    # Dirichlet(1, 1, 1): mean 1/3, variance 1/18
    assert pieces.mean(axis=0) == pytest.approx(1 / 3, abs=4 * np.sqrt(1 / 18 / 2_000))
    assert pieces.var(axis=0) == pytest.approx(1 / 18, rel=0.1)


def test_all_states_follow_alike_often():
    successor = domains.garnet(10, 1_000, 2, seed=1).truth.table.successor
    counts = np.bincount(successor, minlength=10)
    expected = len(successor) / 10
    assert ((counts - expected) ** 2 / expected).sum() < 9 + 4 * np.sqrt(18)


def test_one_next_state_is_a_certain_one():
    assert (domains.garnet(5, 2, 1, seed=0).truth.probability == 1.0).all()


def test_rewards_are_of_the_kind_asked_for_and_leave_the_dynamics_alone():
    pair, transition, sparse = (
        domains.garnet(20, 5, 4, seed=3, rewards=kind)
        for kind in (domains.pair_rewards, domains.transition_rewards, domains.sparse_rewards)
    )
    assert pair.task.reward.shape == (20, 5)
    assert transition.task.reward.shape == sparse.task.reward.shape == (20, 5, 20)
    paid = sparse.task.reward > 0.0
    assert paid.mean() == pytest.approx(0.1, abs=4 * np.sqrt(0.09 / 2_000))
    assert 9.0 < sparse.task.reward.max() < 10.0
    assert transition.task.reward.max() < 1.0
    for other in (transition, sparse):
        assert np.array_equal(other.truth.transition, pair.truth.transition)


def test_a_seed_is_a_garnet():
    one, same, other = (domains.garnet(6, 2, 3, seed=seed) for seed in (5, 5, 6))
    assert np.array_equal(one.truth.transition, same.truth.transition)
    assert not np.array_equal(one.truth.transition, other.truth.transition)
    assert not np.array_equal(one.task.reward, other.task.reward)


def test_the_numbers_behind_seeded_domains_never_change():
    # The raw words of numpy's Philox4x64, which numpy promises to keep, as 53-bit fractions.
    assert uniforms(1, 0, (3,)).tolist() == PINNED
    words = np.random.Philox(key=np.array([1, 0], np.uint64)).random_raw(3)
    assert uniforms(1, 0, (3,)).tolist() == [(int(word) >> 11) / 2**53 for word in words]
    assert not np.isin(uniforms(1, 1, (3,)), PINNED).any()


def test_what_is_no_garnet_is_refused():
    with pytest.raises(InvalidData, match="n_successors is 4, but n_states is 3"):
        domains.garnet(3, 2, 4, seed=0)
    with pytest.raises(InvalidData, match="n_actions must be a positive whole number, got 0"):
        domains.garnet(3, 0, 1, seed=0)
