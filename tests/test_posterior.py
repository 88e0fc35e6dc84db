"""The Dirichlet posterior: conjugate, structured, addressed."""

import numpy as np
import pytest
from scipy.stats import dirichlet as scipy_dirichlet

from tailsafe.batch import Batch
from tailsafe.keys import Key, Stream
from tailsafe.known import absorbing
from tailsafe.posterior import Dirichlet
from tailsafe.table import Table
from tailsafe.unseen import Self


@pytest.fixture
def batch():
    rng = np.random.default_rng(4)
    s, a, t = rng.integers(3, size=30), rng.integers(2, size=30), rng.integers(3, size=30)
    s[(s == 2) & (a == 1)] = 0  # one pair is never tried
    return Batch(np.zeros(30), s, a, np.zeros(30), t, np.zeros(30, bool), 3, 2)


def test_concentrations_are_prior_plus_counts(batch):
    posterior = Dirichlet.from_batch(batch, prior=0.5)
    assert np.array_equal(posterior.concentration, batch.counts().ravel() + 0.5)
    assert posterior.table.equals(Table.full(3, 2))


@pytest.mark.parametrize("shape", [(3, 2), (3, 2, 3), (18,)])
def test_a_prior_may_differ_by_row_and_by_entry(batch, shape):
    prior = np.random.default_rng(0).uniform(0.1, 2.0, size=shape)
    expected = np.broadcast_to(
        prior[..., None] if shape == (3, 2) else prior.reshape(3, 2, 3), (3, 2, 3)
    )
    got = Dirichlet.from_batch(batch, prior=prior).concentration
    assert got == pytest.approx((expected + batch.counts()).ravel())


def test_the_mean_is_the_dirichlet_mean(batch):
    posterior = Dirichlet.from_batch(batch, prior=1.0)
    alpha = batch.counts() + 1.0
    expected = alpha / alpha.sum(axis=2, keepdims=True)
    assert posterior.table.dense(posterior.mean()) == pytest.approx(expected)


def test_the_mode_under_a_flat_prior_is_the_frequency_and_untried_pairs_follow_a_convention(batch):
    posterior = Dirichlet.from_batch(batch)
    counts = batch.counts()
    mode = posterior.table.dense(posterior.mode())
    tried = batch.visits() > 0
    assert mode[tried] == pytest.approx(counts[tried] / batch.visits()[tried][:, None])
    assert mode[2, 1].tolist() == [1 / 3] * 3
    assert posterior.table.dense(posterior.mode(Self()))[2, 1].tolist() == [0, 0, 1]


def test_known_rows_are_the_same_in_every_model_and_in_the_mean():
    kept = Batch([0], [0], [1], [0.0], [2], [False], 3, 2)
    posterior = Dirichlet.from_batch(kept, known={(1, 0): [0.25, 0.25, 0.5], **absorbing([2], 2)})
    models = posterior.table.dense(posterior.models(0, 5, 1))
    assert (models[:, 1, 0] == [0.25, 0.25, 0.5]).all()
    assert (models[:, 2] == [0, 0, 1]).all()
    assert posterior.table.dense(posterior.mean())[1, 0].tolist() == [0.25, 0.25, 0.5]


def test_known_rows_off_by_little_are_renormalised_and_that_is_said():
    kept = Batch([0], [0], [1], [0.0], [2], [False], 3, 2)
    posterior = Dirichlet.from_batch(kept, known={(1, 0): [0.25, 0.25, 0.5 + 4e-10]})
    assert posterior.table.dense(posterior.models(0, 1, 1))[0, 1, 0].sum() == pytest.approx(
        1.0, abs=1e-15
    )
    assert "transition: 1 distribution(s) renormalised" in posterior.notes[0]
    assert Dirichlet.from_batch(kept, known={(1, 0): 2}).notes == ()


def test_every_model_is_a_model(batch):
    posterior = Dirichlet.from_batch(batch, prior=0.3, support=batch.seen())
    models = posterior.models(0, 200, 3)
    assert (models >= 0.0).all()
    assert posterior.table.sum_rows(models) == pytest.approx(1.0, abs=1e-12)


def test_a_model_is_the_same_whoever_draws_it(batch):
    posterior = Dirichlet.from_batch(batch)
    whole = posterior.models(0, 40, 5)
    assert np.array_equal(whole[17:23], posterior.models(17, 23, 5))
    rows = np.array([4, 1])
    entries = np.concatenate([np.arange(12, 15), np.arange(3, 6)])
    assert np.array_equal(whole[:, entries], posterior.models(0, 40, 5, rows=rows))


def test_seeds_and_streams_give_other_models(batch):
    posterior = Dirichlet.from_batch(batch)
    drawn = [
        posterior.models(0, 3, key)
        for key in (0, 1, Key(0, Stream.CERTIFICATE), Key(0, Stream.STUDY))
    ]
    for i, one in enumerate(drawn):
        for other in drawn[:i]:
            assert not (one == other).any()


def test_the_log_density_is_the_product_of_the_rows(batch):
    posterior = Dirichlet.from_batch(batch, prior=0.7)
    model = posterior.table.dense(posterior.models(0, 1, 0)[0])
    alpha = batch.counts() + 0.7
    expected = sum(
        scipy_dirichlet(alpha[s, a]).logpdf(model[s, a] / model[s, a].sum())
        for s in range(3)
        for a in range(2)
    )
    assert posterior.log_density(posterior.table.entries(model)) == pytest.approx(expected)


def test_a_known_row_stays_what_it_is_however_often_it_was_seen():
    batch = Batch([0, 0, 0], [0, 0, 0], [0, 0, 0], [0, 0, 0], [0, 0, 1], [0, 0, 0], 2, 1)
    posterior = Dirichlet.from_batch(batch, known={(0, 0): [0.25, 0.75]})
    assert posterior.concentration.tolist() == [0.25, 0.75, 1.0, 1.0]
    assert posterior.mean().tolist() == [0.25, 0.75, 0.5, 0.5]
