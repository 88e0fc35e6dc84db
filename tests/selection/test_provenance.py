"""Hashes change with everything that they are of; the prior in words is the one that was used."""

from dataclasses import replace

import numpy as np
import pytest

from tailsafe.batch import Batch
from tailsafe.known import absorbing
from tailsafe.posterior import Dirichlet
from tailsafe.problem import Problem
from tailsafe.samples import Samples
from tailsafe.selection.provenance import batch_hash, posterior_hash, prior_in_words
from tailsafe.table import Table
from tailsafe.task import Task

LOG = Batch([0, 0, 1], [0, 1, 0], [0, 1, 0], [1, 0, 2], [1, 0, 2], [False, False, True], 3, 2)
TASK = Task(np.zeros((3, 2)), [1, 0, 0], 0.9, terminal=[2])


def problem(**options):
    return Problem(TASK, LOG, Dirichlet.from_batch(LOG, **options))


@pytest.mark.parametrize(
    "change",
    [
        {"episode": [0, 1, 2]},
        {"state": [0, 0, 0]},
        {"action": [0, 0, 0]},
        {"reward": [1, 0, 3]},
        {"next_state": [1, 0, 1]},
        {"terminated": [False, False, False]},
        {"n_states": 4},
        {"n_actions": 3},
    ],
    ids=lambda change: next(iter(change)),
)
def test_a_log_that_differs_anywhere_has_another_hash(change):
    assert batch_hash(LOG) == batch_hash(replace(LOG))
    assert batch_hash(LOG) != batch_hash(replace(LOG, **change))


def test_a_posterior_that_differs_anywhere_has_another_hash():
    table = Table.full(2, 1)
    probability = np.array([[0.5, 0.5, 0.5, 0.5], [1.0, 0.0, 0.5, 0.5]])
    free, known = np.zeros(2, bool), np.array([True, False])
    rows = Table.from_rows(2, 1, [[0], [0, 1]])
    posteriors = [
        Dirichlet(table, np.full(4, 0.5), free),
        Dirichlet(table, np.full(4, 0.5), known),
        Dirichlet(table, np.full(4, 2.0), free),
        Dirichlet(rows, np.full(3, 0.5), free),
        Samples.on_table(table, probability),
        Samples.on_table(table, probability, [0.25, 0.75]),
        Samples.on_table(table, probability[::-1]),
    ]
    hashes = [posterior_hash(posterior) for posterior in posteriors]
    assert len(set(hashes)) == len(posteriors)
    assert posterior_hash(Dirichlet(table, np.full(4, 0.5), free)) == hashes[0]


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({}, "a flat Dirichlet, concentration 1, on all 3 next states"),
        ({"prior": 0.5}, "Dirichlet, concentration 0.5, on all 3 next states"),
        (
            {"prior": [[1.0, 2.0], [1.0, 1.0], [1.0, 4.0]]},
            "Dirichlet with concentrations 1 to 4, on all 3 next states",
        ),
        (
            {"known": absorbing([2], 2)},
            "a flat Dirichlet, concentration 1, on all 3 next states",
        ),
        (
            {"support": Table.from_rows(3, 2, [[1, 2], [0], [0], [0], [], []])},
            "a flat Dirichlet, concentration 1, on 1.25 of the 3 next states on average",
        ),
        (
            {"known": {(s, a): [0.4, 0.3, 0.3] for s in range(3) for a in range(2)}},
            "no row is uncertain, 4 pairs of state and action held known",
        ),
    ],
)
def test_the_prior_is_what_was_believed_before_the_log(options, words):
    assert prior_in_words(problem(**options)) == words


def test_a_row_that_ends_the_episode_is_not_called_known():
    table = Table.from_rows(3, 2, [[0, 1, 2], [0], [0], [0], [], []])
    known = np.array([False, True, False, False, True, True])
    posed = Problem(TASK, LOG, Dirichlet(table, [2.0, 2.0, 2.0, 1.0, 1.0, 2.0], known))
    assert prior_in_words(posed).endswith(", 1 pair of state and action held known")


def test_given_models_are_counted():
    models = np.random.default_rng(0).dirichlet(np.ones(3), size=(4, 3, 2))
    assert prior_in_words(Problem(TASK, LOG, Samples(models))) == "4 given models"
