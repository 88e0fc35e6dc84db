"""The compiled solvers give what a dense solve of the same models gives, whatever the size."""

from itertools import pairwise

import numpy as np
import pytest

from tailsafe.engine import Engine
from tailsafe.evaluate import performances
from tailsafe.kernels import cpu
from tailsafe.mdp import MDP
from tailsafe.policy import Policy
from tailsafe.posterior import Dirichlet
from tailsafe.samples import Samples
from tailsafe.table import Table
from tailsafe.task import Task
from tailsafe.values import performance

FEW, TENS, MANY = 5, 41, 300
assert FEW <= cpu.FEW_STATES < TENS <= cpu.MANY_STATES < MANY


def world(n_states, discount=0.9, *, n_terminal=0, successors=None, n_actions=2):
    """Return a posterior with known rows and a task; few successors where that is asked for."""
    rng = np.random.default_rng(n_states)
    size = n_states if successors is None else successors
    rows = [rng.choice(n_states, size, replace=False) for _ in range(n_states * n_actions)]
    # The last state, which is the first terminal one, can be reached from everywhere.
    table = Table.from_rows(
        n_states, n_actions, ([*row, n_states - 1] if n_terminal else row for row in rows)
    )
    known = rng.random(table.n_rows) < 0.2
    concentration = rng.choice([0.5, 1.0, 2.0, 5.5], size=table.n_entries)
    uniform = (1.0 / table.lengths)[table.row_of_entry]
    posterior = Dirichlet(table, np.where(known[table.row_of_entry], uniform, concentration), known)
    terminal = np.arange(n_states - n_terminal, n_states)
    start = rng.dirichlet(np.ones(n_states))
    return posterior, Task(
        rng.normal(size=(n_states, n_actions, n_states)), start, discount, terminal
    )


def portfolio(task, count):
    """Return policies that differ a little from each other, deterministic and stochastic ones."""
    rng = np.random.default_rng(count)
    base = rng.integers(task.n_actions, size=task.n_states)
    policies = []
    for index in range(count):
        actions = np.where(rng.random(task.n_states) < 0.2, 1 - base, base)
        probs = np.eye(task.n_actions)[actions]
        if index % 3 == 2:
            mixed = rng.choice(task.n_states, 3, replace=False)
            probs[mixed] = rng.dirichlet(np.ones(task.n_actions), size=3)
        policies.append(Policy(probs))
    return policies


def solved(posterior, task, policies, models):
    exact = np.empty((len(policies), len(models)))
    for m, model in enumerate(models):
        mdp = MDP(task, posterior.table, model)
        exact[:, m] = [performance(mdp, policy) for policy in policies]
    return exact


CASES = {
    "few": (FEW, 0.9, {}),
    "few, terminal": (FEW, 0.9, {"n_terminal": 2}),
    "few, discount 1": (FEW, 1.0, {"n_terminal": 1}),
    "few, discount 0": (FEW, 0.0, {}),
    "as few as solved side by side": (cpu.FEW_STATES, 0.9, {}),
    "tens": (TENS, 0.9, {}),
    "tens, terminal": (TENS, 0.95, {"n_terminal": 3}),
    "tens, discount near 1": (TENS, 0.999, {}),
    "tens, discount 1": (TENS, 1.0, {"n_terminal": 1}),
}


@pytest.mark.parametrize("count", [1, 13])
@pytest.mark.parametrize("name", CASES)
def test_values_are_those_of_a_dense_solve_to_1e_10(name, count):
    n_states, discount, more = CASES[name]
    posterior, task = world(n_states, discount, **more)
    policies = portfolio(task, count)
    got = performances(posterior, task, policies, 3, 15, 7)
    expected = solved(posterior, task, policies, posterior.models(3, 15, 7))
    assert got == pytest.approx(expected, rel=1e-10, abs=1e-10 * np.abs(expected).max())


@pytest.mark.parametrize(("discount", "n_terminal"), [(0.9, 0), (0.9, 5), (1.0, 5)])
def test_iterated_values_are_within_their_proved_error(discount, n_terminal):
    posterior, task = world(MANY, discount, n_terminal=n_terminal, successors=4)
    policies = portfolio(task, 3)
    got = performances(posterior, task, policies, 0, 11, 7)
    models = posterior.models(0, 11, 7)
    expected = solved(posterior, task, policies, models)
    largest = 1.0 / (1.0 - discount) if discount < 1.0 else 1_000.0
    assert np.abs(got - expected).max() <= cpu.TOLERANCE * largest * np.abs(task.reward).max()
    # Not solved directly after all: an iteration leaves a trace.
    assert np.abs(got / expected - 1.0).max() > 1e-14


def test_what_does_not_settle_is_solved_directly(monkeypatch):
    posterior, task = world(MANY, 0.9, successors=4)
    policies = portfolio(task, 2)
    monkeypatch.setattr(cpu, "MOST_SWEEPS", 9)
    got = performances(posterior, task, policies, 0, 9, 7, Engine(workers=1))
    expected = solved(posterior, task, policies, posterior.models(0, 9, 7))
    assert got == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("name", CASES)
def test_the_reference_agrees(name):
    n_states, discount, more = CASES[name]
    posterior, task = world(n_states, discount, **more)
    policies = portfolio(task, 4)
    got, expected = (
        performances(posterior, task, policies, 2, 5, 1, Engine(backend))
        for backend in ("cpu", "reference")
    )
    assert got == pytest.approx(expected, rel=1e-10, abs=1e-10 * np.abs(expected).max())


@pytest.mark.parametrize("n_states", [FEW, TENS, MANY])
def test_values_do_not_depend_on_how_a_range_of_models_is_cut(n_states):
    posterior, task = world(n_states, successors=min(n_states, 12))
    policies = portfolio(task, 7)
    whole = performances(posterior, task, policies, 10, 110, 3)
    for cuts in ([10, 110], [10, 11, 19, 50, 110], [10, 74, 75, 76, 110]):
        parts = [
            performances(posterior, task, policies, first, last, 3, Engine(workers=workers))
            for (first, last), workers in zip(pairwise(cuts), [1, 2, 3, 1], strict=False)
        ]
        assert np.array_equal(np.concatenate(parts, axis=1), whole)


@pytest.mark.parametrize("n_states", [FEW, TENS, MANY])
def test_values_do_not_depend_on_the_other_policies(n_states):
    posterior, task = world(n_states, successors=min(n_states, 12))
    policies = portfolio(task, 9)
    got = performances(posterior, task, policies, 0, 20, 3)
    backwards = performances(posterior, task, policies[::-1], 0, 20, 3)[::-1]
    alone = np.concatenate([performances(posterior, task, [p], 0, 20, 3) for p in policies])
    twice = performances(posterior, task, policies[:4] * 2, 0, 20, 3)
    scale = np.abs(got).max()
    assert backwards == pytest.approx(got, rel=1e-12, abs=1e-12 * scale)
    assert alone == pytest.approx(got, rel=1e-12, abs=1e-12 * scale)
    assert twice == pytest.approx(np.tile(got[:4], (2, 1)), rel=1e-12, abs=1e-12 * scale)


@pytest.mark.parametrize("n_states", [FEW, TENS, MANY])
def test_given_models_go_the_same_way_as_drawn_ones(n_states):
    posterior, task = world(n_states, successors=min(n_states, 12))
    policies = portfolio(task, 5)
    drawn = performances(posterior, task, policies, 0, 30, 3)
    samples = Samples.on_table(posterior.table, posterior.models(0, 30, 3))
    assert performances(samples, task, policies, 0, 30, 0) == pytest.approx(drawn, rel=1e-13)
    assert np.array_equal(
        performances(samples, task, policies, 4, 9, 0),
        performances(samples, task, policies, 0, 30, 0)[:, 4:9],
    )


def test_only_terminal_states_are_worth_nothing():
    posterior, _ = world(FEW)
    task = Task(np.ones((FEW, 2)), np.ones(FEW) / FEW, 0.9, np.arange(FEW))
    assert (performances(posterior, task, portfolio(task, 3), 0, 10, 0) == 0.0).all()


def test_with_discount_1_states_that_are_never_reached_may_never_end():
    table = Table.from_rows(4, 1, [[1], [3], [2], [3]])
    posterior = Dirichlet(table, np.ones(4), np.zeros(4, bool))
    task = Task(np.array([[1.0], [2.0], [5.0], [7.0]]), [1.0, 0.0, 0.0, 0.0], 1.0, [3])
    for backend in ("cpu", "reference"):
        got = performances(posterior, task, [Policy(np.ones((4, 1)))], 0, 3, 0, Engine(backend))
        assert got.tolist() == [[3.0, 3.0, 3.0]]
