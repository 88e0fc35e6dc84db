"""What findings are measured by: signs and units of gain and regret, the numbers of policies."""

from dataclasses import replace

import numpy as np
import pytest

import tailsafe as ts
from tailsafe.candidate import merged
from tailsafe.policy import Policy
from tailsafe.study.profile import Case
from tailsafe.study.scale import judge_of
from tailsafe.study.trial import logged_problem


def judged(domain, *actions):
    """Return the judge of policies on a domain; the first is the trivial one."""
    case = Case(domain, logged_problem(domain, 2, 8, 0), 16, 0, 0)
    policies = [Policy.from_actions(a, domain.task.n_actions) for a in actions]
    return judge_of(case, merged(policies), policies[0]), policies


def test_gain_is_against_the_trivial_policy_and_regret_against_the_best_candidate():
    domain = ts.domains.ring()
    best = ts.solve(domain.truth)[0].probs.argmax(axis=1)
    judge, (trivial, middle, optimum) = judged(domain, [0] * 5, [1] * 5, best)
    found = [judge.finding("m", "baseline", policy) for policy in (trivial, middle, optimum)]
    u = [ts.performance(domain.truth, policy) for policy in (trivial, middle, optimum)]
    assert [one.u for one in found] == u
    assert [one.gain for one in found] == pytest.approx([(x - u[0]) / u[2] for x in u])
    assert [one.regret for one in found] == pytest.approx([(u[2] - x) / u[2] for x in u])
    assert found[0].regret > found[2].regret == 0.0
    assert (judge.u_trivial, judge.u_star) == (u[0], pytest.approx(u[2]))


def test_where_all_rewards_are_costs_the_better_policy_still_gains():
    domain = ts.domains.machine_replacement()
    best = ts.solve(domain.truth)[0].probs.argmax(axis=1)
    judge, (trivial, optimum) = judged(domain, [0] * 10, best)
    assert judge.u_star < 0.0
    found, worse = (judge.finding("m", "baseline", policy) for policy in (optimum, trivial))
    assert found.gain == pytest.approx((found.u - judge.u_trivial) / -judge.u_star)
    assert found.gain > 0.0
    assert worse.regret > 0.0


def test_where_the_optimum_is_worth_nothing_there_is_no_unit_to_measure_by():
    ring = ts.domains.ring()
    task = ts.Task(np.zeros((5, 3)), ring.task.initial, ring.task.discount)
    idle = replace(ring, task=task, truth=ts.MDP(task, ring.truth.table, ring.truth.probability))
    judge, (policy,) = judged(idle, [0] * 5)
    found = judge.finding("m", "baseline", policy)
    assert (found.u, found.gain, found.regret) == (0.0, None, None)


def test_a_program_that_scores_otherwise_changes_u_and_gain_and_nothing_else():
    judge, (_, policy) = judged(ts.domains.ring(), [0] * 5, [1] * 5)
    plain = judge.finding("m", "baseline", policy)
    other = judge.finding("m", "baseline", policy, u=judge.u_trivial)
    assert (other.u, other.gain) == (judge.u_trivial, 0.0)
    assert (other.u_exact, other.regret) == (plain.u_exact, plain.regret)


def test_policies_are_numbered_by_their_first_mention():
    judge, (first, second) = judged(ts.domains.ring(), [0] * 5, [1] * 5)
    uniform = Policy.uniform(5, 3)
    numbers = [judge.finding("m", "b", p).policy for p in (second, uniform, second, first)]
    assert numbers == [0, 1, 0, 2]
    found = [judge.finding(name, "b", p) for name, p in (("x", second), ("y", uniform))]
    assert [one.stochastic for one in found] == [0, 1]
    assert [one.chosen for one in found] == ["policy 1", ""]
    kept = judge.outcome(found).policies
    assert np.array_equal(kept, np.stack([p.probs for p in (second, uniform, first)]))
