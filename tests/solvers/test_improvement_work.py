"""How much an improvement may do."""

import numpy as np
import pytest

import tailsafe as ts
from tailsafe.domains import chain
from tailsafe.engine import Engine
from tailsafe.errors import NotSupported
from tailsafe.keys import Stream, stream_key
from tailsafe.policy import Policy
from tailsafe.solvers.improvement_work import check_size, judges_after, mirror_steps, spans_of
from tailsafe.solvers.sampled_objective import drawn

KEY = stream_key(0, Stream.IMPROVEMENT)


def problem_of(domain):
    task = domain.task
    batch = ts.simulate(domain, Policy.uniform(task.n_states, task.n_actions), 6, 8, 0)
    return ts.Problem(task, batch, ts.Dirichlet.from_batch(batch))


def test_samples_are_disjoint_and_smaller_where_models_are_large():
    problem = problem_of(chain())
    assert spans_of(problem, (60, 120)) == [(0, 60), (60, 180)]
    sample = drawn(problem, (60, 180), KEY, Engine(workers=2)).probability
    assert np.array_equal(sample, problem.posterior.models(60, 180, KEY))
    table = ts.Table.full(100, 10)
    batch = ts.Batch([0], [0], [0], [0.0], [0], [False], 100, 10)
    task = ts.Task(np.zeros((100, 10)), np.eye(100)[0], 0.9)
    large = ts.Problem(task, batch, ts.Dirichlet.from_batch(batch, support=table))
    assert spans_of(large, (50, 1_000, 5_000)) == [(0, 50), (50, 237), (237, 424)]


def test_the_judges_are_other_models_and_fewer_of_many_states():
    problem = problem_of(chain())
    assert judges_after(problem, (60, 180)) == (180, 10_180)
    table = ts.Table.from_rows(100, 1, [[0]] * 100)
    batch = ts.Batch([0], [0], [0], [0.0], [0], [False], 100, 1)
    task = ts.Task(np.zeros((100, 1)), np.eye(100)[0], 0.9)
    large = ts.Problem(task, batch, ts.Dirichlet.from_batch(batch, support=table))
    assert judges_after(large, (60, 180)) == (180, 2_180)
    assert judges_after(large, (0, 5_000)) == (5_000, 10_000)


def test_an_explicit_list_is_sample_and_judge():
    models = np.random.default_rng(0).dirichlet(np.ones(2), size=(7, 2, 1))
    batch = ts.Batch([0], [0], [0], [0.0], [1], [False], 2, 1)
    problem = ts.Problem(ts.Task(np.zeros((2, 1)), [1, 0], 0.9), batch, ts.Samples(models))
    assert spans_of(problem, (200, 1_000)) == [(0, 7)]
    assert judges_after(problem, (0, 7)) == (0, 7)


def test_climbs_are_shorter_on_more_models_and_states():
    assert [mirror_steps(m, 5) for m in (200, 1_000, 5_000)] == [50, 10, 2]
    assert [mirror_steps(200, n) for n in (64, 500)] == [9, 2]


def test_too_many_transitions_are_refused_with_the_limit(monkeypatch):
    monkeypatch.setattr("tailsafe.solvers.improvement_work.KEPT_BYTES", 10_000)
    problem = problem_of(chain())
    with pytest.raises(NotSupported, match="too much for 50 possible transitions"):
        check_size(problem)


def test_too_many_states_are_refused_with_the_limit():
    def problem(n):
        table = ts.Table.from_rows(n, 1, [[0]] * n)
        task = ts.Task(np.zeros((n, 1)), np.eye(n)[0], 0.9)
        batch = ts.Batch([0], [0], [0], [0.0], [0], [False], n, 1)
        return ts.Problem(task, batch, ts.Dirichlet.from_batch(batch, support=table))

    check_size(problem(512))
    with pytest.raises(NotSupported, match="use it up to 512"):
        check_size(problem(513))
