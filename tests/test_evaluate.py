"""Performances on posterior models: published values, any worker, any posterior."""

import os
import signal

import numpy as np
import pytest

from tailsafe.batch import Batch
from tailsafe.engine import Engine
from tailsafe.errors import InvalidData, NotSupported
from tailsafe.evaluate import performances
from tailsafe.keys import Key, Stream
from tailsafe.policy import Policy
from tailsafe.posterior import Dirichlet
from tailsafe.samples import Samples
from tailsafe.table import Table
from tailsafe.task import Task

CASES = ["ring", "chain", "garnet1", "garnet2", "garnet3", "lake4"]
WITH_MODELS = ["ring", "chain", "garnet1", "garnet2"]


@pytest.fixture
def problem():
    rng = np.random.default_rng(1)
    s, a, t = rng.integers(4, size=40), rng.integers(2, size=40), rng.integers(4, size=40)
    batch = Batch(np.zeros(40), s, a, np.zeros(40), t, np.zeros(40, bool), 4, 2)
    task = Task(rng.random((4, 2)), [1.0, 0.0, 0.0, 0.0], 0.9)
    policies = [Policy(rng.dirichlet(np.ones(2), size=4)) for _ in range(3)]
    return Dirichlet.from_batch(batch), task, policies


@pytest.mark.parametrize("name", WITH_MODELS)
def test_performances_on_given_models_are_the_published_ones(golden_case, name):
    case = golden_case(name)
    policies = [Policy(pi) for pi in case["perf_policies"]]
    got = performances(Samples(case["P"]), case.task(), policies, 0, len(case["P"]), 0)
    assert got == pytest.approx(case["perf_u"], rel=1e-9, abs=1e-12)
    assert np.sort(got, axis=1) == pytest.approx(case["perf_sorted"], rel=1e-9, abs=1e-12)


@pytest.mark.parametrize("name", CASES)
def test_performances_on_the_truth_and_the_likeliest_model_are_the_published_ones(
    golden_case, name
):
    case = golden_case(name)
    policies = [Policy(pi) for pi in case["perf_policies"]]
    models = Samples(np.stack([case["T"], case["T_hat"]]), weights=[0.3, 0.7])
    got = performances(models, case.task(), policies, 0, 2, 0)
    expected = np.stack([case["perf_u_true"], case["perf_u_mle"]], axis=1)
    assert got == pytest.approx(expected, rel=1e-9, abs=1e-12)


@pytest.mark.parametrize("executor", ["threads", pytest.param("processes", marks=pytest.mark.slow)])
def test_workers_and_executors_give_the_same_bits(problem, executor):
    alone = performances(*problem, 5, 5_000, 3, Engine(workers=1))
    shared = performances(*problem, 5, 5_000, 3, Engine(executor=executor, workers=2))
    assert np.array_equal(alone, shared)


class KilledOnce:
    """A posterior whose models kill the first process that asks for them."""

    def __init__(self, posterior, marker):
        self.posterior, self.marker = posterior, marker

    def __call__(self, span):
        if not self.marker.exists():
            self.marker.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        posterior, task, policies = self.posterior
        return performances(posterior, task, policies, *span, 3, Engine(workers=1))


@pytest.mark.slow
def test_processes_give_the_same_bits_after_one_was_killed(problem, tmp_path):
    spans = [(start, start + 50) for start in range(0, 400, 50)]
    function = KilledOnce(problem, tmp_path / "killed")
    parts = dict(Engine(executor="processes", workers=2).map_keyed(function, spans))
    whole = performances(*problem, 0, 400, 3)
    assert (tmp_path / "killed").exists()
    assert np.array_equal(np.concatenate([parts[span] for span in spans], axis=1), whole)


def test_a_posterior_of_ones_own_needs_a_table_and_models_only(problem, monkeypatch):
    posterior, task, policies = problem

    class Mine:
        table = posterior.table

        def models(self, first, last, seed, rows=None):
            return posterior.models(first, last, seed, rows)

    # Several chunks of models, the last one smaller.
    monkeypatch.setattr("tailsafe.evaluate.BYTES_AT_ONCE", 8 * posterior.table.n_entries * 17)
    expected = performances(posterior, task, policies, 3, 60, 5)
    assert performances(Mine(), task, policies, 3, 60, 5) == pytest.approx(expected, rel=1e-13)


def test_seeds_and_streams_judge_on_other_models(problem):
    keys = [1, 2, Key(1, Stream.CERTIFICATE)]
    one, two, three = (performances(*problem, 0, 20, key) for key in keys)
    assert not (one == two).any()
    assert not (one == three).any()
    assert np.array_equal(one, performances(*problem, 0, 20, Key(1, Stream.RACE)))


def test_no_policies_and_no_models_are_answered_with_empty_arrays(problem):
    posterior, task, policies = problem
    assert performances(posterior, task, [], 0, 5, 0).shape == (0, 5)
    assert performances(posterior, task, policies, 5, 5, 0).shape == (3, 0)


def test_what_does_not_fit_together_is_refused(problem):
    posterior, task, policies = problem
    with pytest.raises(InvalidData, match="policy has shape"):
        performances(posterior, task, [Policy.uniform(3, 2)], 0, 5, 0)
    with pytest.raises(InvalidData, match="posterior has shape"):
        performances(Samples(np.ones((1, 2, 2, 2)) / 2), task, policies, 0, 1, 0)
    with pytest.raises(InvalidData, match="not a range"):
        performances(posterior, task, policies, 5, 4, 0)


def test_discount_1_without_a_certain_end_is_refused():
    stay = np.eye(3)[None, :, None, :]
    task = Task(np.ones((3, 1)), [1.0, 0.0, 0.0], 1.0, [2])
    with pytest.raises(NotSupported, match="policy 0 may never end from state 0"):
        performances(Samples(stay), task, [Policy(np.ones((3, 1)))], 0, 1, 0)


def test_discount_1_counts_the_steps_of_a_long_way_to_the_end_and_nothing_else():
    # 0 -> 1 -> ... -> 5, the end; 6 stays for ever, but no policy comes there.
    T = np.zeros((1, 7, 1, 7))
    T[0, np.arange(7), 0, [1, 2, 3, 4, 5, 5, 6]] = 1.0
    task = Task(np.ones((7, 1)), np.eye(7)[0], 1.0, [5])
    assert performances(Samples(T), task, [Policy(np.ones((7, 1)))], 0, 1, 0).tolist() == [[5.0]]


def test_addresses_may_be_numbers_of_numpy():
    table = Table.full(3, 2)
    posterior = Dirichlet(table, np.ones(table.n_entries), np.zeros(table.n_rows, bool))
    task = Task(np.ones((3, 2)), [1.0, 0.0, 0.0], 0.9)
    policies = [Policy.uniform(3, 2)]
    some = performances(posterior, task, policies, np.int64(2), np.int64(20), np.uint32(5))
    assert np.array_equal(some, performances(posterior, task, policies, 2, 20, 5))
    assert np.array_equal(posterior.models(np.int64(0), np.int64(3), 1), posterior.models(0, 3, 1))
