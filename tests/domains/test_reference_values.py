"""The cases that ship with the package have the values that were published for them."""

import numpy as np
import pytest

from tailsafe import domains
from tailsafe.mdp import MDP
from tailsafe.policy import Policy
from tailsafe.simulate import simulate
from tailsafe.solvers.planning import solve
from tailsafe.values import performance

# What they are: METHODS, sections 1 and 4; published to five decimals.
OPTIMA = {
    "ring": 5.30137,
    "ring_published": 5.51233,
    "chain": 25.49908,
    "chain_published": 23.85820,
    "machine_replacement": -5.33830,
    "riverswim": 133.34015,
    "inventory": 449.70313,
    "wet_chicken": 43.08002,
}
ALL = {
    **{name: getattr(domains, name) for name in OPTIMA},
    "ring, b moves": lambda: domains.ring("move"),
    "frozen lake": domains.frozen_lake,
    "random lake": lambda: domains.random_lake(1),
    "random lake (published)": lambda: domains.random_lake_published(1),
    "garnet": lambda: domains.garnet(7, 3, 2, seed=4),
}


@pytest.mark.parametrize(("name", "optimum"), OPTIMA.items())
def test_the_optimum_is_the_published_one(name, optimum):
    domain = getattr(domains, name)()
    policy, value = solve(domain.truth)
    assert domain.task.initial @ value == pytest.approx(optimum, abs=5e-6)
    assert performance(domain.truth, policy) == pytest.approx(optimum, abs=5e-6)


def test_the_uniform_policy_of_wet_chicken_has_its_published_value():
    world = domains.wet_chicken()
    assert performance(world.truth, Policy.uniform(25, 5)) == pytest.approx(20.65978, abs=5e-6)


def test_the_optimal_policies_are_the_published_ones():
    replace, _ = solve(domains.machine_replacement().truth)
    assert replace.actions.tolist() == [0, 0, 0, 0, 1, 1, 1, 1, 1, 0]
    assert solve(domains.chain_published().truth)[0].actions.tolist() == [1, 0, 0, 0, 0]


def test_always_back_is_worth_20_in_every_model_of_the_published_chain():
    task = domains.chain_published().task
    T = np.random.default_rng(0).dirichlet(np.ones(5), size=(5, 2))
    back = Policy.from_actions([1] * 5, 2)
    assert performance(MDP.dense(task, T), back) == pytest.approx(20.0)


@pytest.mark.parametrize("name", ["ring", "chain"])
def test_the_published_profile_is_that_of_the_golden_case(golden_case, name):
    case, domain = golden_case(name), getattr(domains, f"{name}_published")()
    assert np.array_equal(domain.task.reward, case["R"])
    assert np.allclose(domain.truth.transition, case["T"], rtol=0, atol=1e-15)
    assert np.array_equal(domain.task.initial, case["mu0"])


def test_b_may_drift_or_stay_where_the_text_of_ring_is_unclear():
    stays, moves = (domains.ring(reading).truth.transition for reading in ("stay", "move"))
    assert stays[2, 1].tolist() == [0, 0, 1, 0, 0]
    assert moves[2, 1].tolist() == [0, 0.5, 0, 0.5, 0]
    assert moves[4, 1].tolist() == [0.5, 0, 0, 0.5, 0]
    assert np.array_equal(stays[[0, 1, 3]], moves[[0, 1, 3]])
    assert np.array_equal(stays[:, [0, 2]], moves[:, [0, 2]])


@pytest.mark.parametrize("make", ALL.values(), ids=ALL)
def test_every_domain_is_a_model_that_can_be_simulated(make):
    domain = make()
    assert domain.name
    assert domain.source
    assert domain.truth.table.sum_rows(domain.truth.probability) == pytest.approx(1.0)
    behaviour = Policy.uniform(domain.task.n_states, domain.task.n_actions)
    assert len(simulate(domain, behaviour, episodes=3, length=5, seed=1)) > 0
