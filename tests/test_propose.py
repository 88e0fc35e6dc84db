"""Proposals: each policy once with all its origins, skips with their reasons, any workers."""

from dataclasses import dataclass
from threading import Event

import numpy as np
import pytest

import tailsafe as ts
from tailsafe.domains import chain, ring
from tailsafe.engine import Engine
from tailsafe.errors import NotSupported
from tailsafe.solvers.given import Given
from tailsafe.solvers.improve import Improvement
from tailsafe.solvers.nominal import Nominal
from tailsafe.solvers.sampled_model import SampledModel
from tailsafe.solvers.uniform import Uniform


def problem_of(domain, episodes=6, seed=0):
    task = domain.task
    batch = ts.simulate(domain, ts.Policy.uniform(task.n_states, task.n_actions), episodes, 8, seed)
    return ts.Problem(task, batch, ts.Dirichlet.from_batch(batch))


@dataclass(frozen=True)
class Refusing:
    """A method that is not made for any problem."""

    name: str = "Refusing"

    def solve(self, problem, seed=0, engine=None):
        del problem, seed, engine
        raise NotSupported("this is no problem for it: use another")


@dataclass(frozen=True)
class Breaking:
    """A method with a fault."""

    name: str = "Breaking"

    def solve(self, problem, seed=0, engine=None):
        del seed, engine
        return problem.no_such_thing


@dataclass(frozen=True)
class Trespassing:
    """A method that takes an action that is not admissible."""

    name: str = "Trespassing"

    def solve(self, problem, seed=0, engine=None):
        del seed, engine
        return ts.Policy.from_actions(np.zeros(problem.n_states, int), problem.n_actions)


@dataclass(frozen=True)
class Waiting:
    """A method that is done when another one is."""

    other: Event
    name: str = "Waiting"

    def solve(self, problem, seed=0, engine=None):
        del seed, engine
        assert self.other.wait(timeout=30)
        return ts.Policy.from_actions(np.ones(problem.n_states, int), problem.n_actions)


@dataclass(frozen=True)
class Signalling:
    """A method that tells when it is done."""

    done: Event
    name: str = "Signalling"

    def solve(self, problem, seed=0, engine=None):
        del seed, engine
        self.done.set()
        return ts.Policy.from_actions(np.zeros(problem.n_states, int), problem.n_actions)


def test_equal_policies_are_merged_with_all_their_origins_in_the_order_of_the_portfolio():
    problem = problem_of(chain())
    portfolio = [Nominal(), Uniform(), Given(np.full((5, 2), 0.5), "half"), Nominal(0.9)]
    proposal = ts.propose(problem, portfolio)
    assert [c.origins for c in proposal] == [
        ("Nominal", "Nominal(discount 0.9)"),
        ("Uniform", "half"),
    ]
    assert len(proposal) == 2


def test_the_order_is_that_of_the_portfolio_whoever_is_done_first():
    done = Event()
    portfolio = [Waiting(done), Uniform(), Signalling(done)]
    proposal = ts.propose(problem_of(chain()), portfolio, engine=Engine(workers=2))
    assert [c.name for c in proposal] == ["Waiting", "Uniform", "Signalling"]
    assert list(proposal.seconds) == ["Waiting", "Uniform", "Signalling"]


def test_policies_that_differ_by_rounding_or_after_the_end_only_are_the_same():
    batch = ts.Batch([0], [0], [0], [1.0], [1], [True], 2, 2)
    task = ts.Task(np.ones((2, 2)), [1, 0], 0.9, terminal=[1])
    problem = ts.Problem(task, batch, ts.Dirichlet.from_batch(batch))
    given = [
        Given(ts.Policy([[0.3, 0.7], [1.0, 0.0]]), "a"),
        Given(ts.Policy([[0.3 + 1e-14, 0.7 - 1e-14], [0.0, 1.0]]), "b"),
        Given(ts.Policy([[0.3 + 1e-9, 0.7 - 1e-9], [1.0, 0.0]]), "c"),
    ]
    assert [c.origins for c in ts.propose(problem, given)] == [("a", "b"), ("c",)]


def test_a_method_that_cannot_run_is_reported_with_its_reason_and_stops_nothing():
    problem = problem_of(ring())
    proposal = ts.propose(problem, [Refusing(), Nominal(0.95), Uniform()])
    assert [c.name for c in proposal] == ["Uniform"]
    assert proposal.skipped == (
        ("Refusing", "this is no problem for it: use another"),
        ("Nominal(discount 0.95)", "discount 0.95 is above the task's, 0.9: use that or less"),
    )


def test_a_policy_that_must_not_be_followed_is_a_skip():
    admissible = np.array([[True, True], [False, True]])
    batch = ts.Batch([0], [0], [0], [1.0], [1], [False], 2, 2)
    task = ts.Task(np.ones((2, 2)), [1, 0], 0.9, admissible=admissible)
    problem = ts.Problem(task, batch, ts.Dirichlet.from_batch(batch))
    proposal = ts.propose(problem, [Trespassing(), Uniform()])
    assert [name for name, _ in proposal.skipped] == ["Trespassing"]
    assert "action 0 is not admissible in state 1" in proposal.skipped[0][1]


def test_at_discount_1_a_policy_that_may_never_end_is_a_skip():
    table = ts.Table.from_rows(2, 2, [[0], [0, 1], [1], [1]])
    batch = ts.Batch([0], [0], [1], [1.0], [1], [True], 2, 2)
    task = ts.Task(np.zeros((2, 2)), [1, 0], 1.0, terminal=[1])
    problem = ts.Problem(task, batch, ts.Dirichlet.from_batch(batch, support=table))
    proposal = ts.propose(problem, [Trespassing(), Uniform()])
    assert [c.name for c in proposal] == ["Uniform"]
    assert "may never end from state 0" in proposal.skipped[0][1]


def test_a_fault_in_a_method_is_not_hidden():
    with pytest.raises(AttributeError, match="no_such_thing"):
        ts.propose(problem_of(chain()), [Breaking(), Uniform()])


def test_each_method_is_timed_and_told():
    told = []
    portfolio = [Uniform(), Nominal(), Refusing(), Improvement()]
    proposal = ts.propose(problem_of(chain()), portfolio, progress=lambda *news: told.append(news))
    assert set(proposal.seconds) == {method.name for method in portfolio}
    assert min(proposal.seconds.values()) >= 0.0
    assert {name for name, _, _ in told} == set(proposal.seconds)
    assert [(done, of) for _, done, of in told] == [(i, 4) for i in (1, 2, 3, 4)]


def test_another_seed_draws_other_models():
    problem = problem_of(ring(), episodes=2)
    portfolio = [SampledModel(index) for index in range(8)]
    one, same, other = (ts.propose(problem, portfolio, seed) for seed in (0, 0, 1))
    assert one.candidates == same.candidates
    assert one.candidates != other.candidates


@pytest.mark.parametrize("engine", [Engine(workers=1), Engine(workers=4)], ids=["1", "4"])
def test_candidates_are_the_same_for_any_number_of_workers(engine):
    portfolio = [*ts.standard_portfolio()[:-1], Improvement(sizes=(60,), starts=1)]
    expected = ts.propose(problem_of(ring()), portfolio, seed=3)
    found = ts.propose(problem_of(ring()), portfolio, seed=3, engine=engine)
    assert found.candidates == expected.candidates
    assert found.skipped == expected.skipped


def test_without_a_portfolio_the_standard_one_at_the_level_of_the_risk_runs():
    told = []
    ts.propose(problem_of(chain()), risk=ts.VaR(0.1), progress=lambda name, *_: told.append(name))
    assert set(told) == {method.name for method in ts.standard_portfolio(0.1)}
