"""What the log shows: counts, unseen states, and time spent, against closed forms."""

import numpy as np
import pytest

import tailsafe as ts
from tailsafe.data import sufficiency
from tailsafe.data.coverage import occupancy
from tailsafe.data.labels import Labels


def problem(terminal=(), discount=0.9, **columns):
    given = {
        "episode": [0, 0, 0, 1],
        "state": [0, 1, 0, 0],
        "action": [0, 1, 0, 1],
        "reward": [0.0] * 4,
        "next_state": [1, 0, 2, 1],
        "terminated": [False] * 4,
        "n_states": 5,
        "n_actions": 2,
    }
    batch = ts.Batch(**(given | columns))
    task = ts.Task(np.zeros((5, 2)), [1.0, 0, 0, 0, 0], discount, terminal)
    known = ts.known.absorbing(list(terminal), 2)
    return ts.Problem(task, batch, ts.Dirichlet.from_batch(batch, 0.5, known=known))


def test_counts_and_states_that_the_log_lacks():
    found = sufficiency(problem())
    assert found.visits.tolist() == [[2, 1], [0, 1], [0, 0], [0, 0], [0, 0]]
    assert found.unseen_states == (3, 4)
    assert found.untried_states == (2,)
    assert (found.n_pairs, found.n_tried) == (10, 3)
    assert found.words[0] == "The log tries 30 % of the 10 pairs of state and action."
    assert "2 states never appear: 3, 4." in found.words


def test_terminal_states_need_no_visits():
    found = sufficiency(problem(terminal=[2]))
    assert found.untried_states == ()
    assert found.n_pairs == 8


@pytest.mark.parametrize("discount", [0.0, 0.5, 0.99])
def test_time_is_spent_as_the_occupancy_measure_says(discount):
    rng = np.random.default_rng(1)
    posed = problem(discount=discount)
    policy = ts.Policy(rng.dirichlet([1.0, 1.0], size=5))
    T = posed.mean().transition
    P = np.einsum("sa,sat->st", policy.probs, T)
    d = np.linalg.solve((np.eye(5) - discount * P).T, posed.task.initial) * (1 - discount)
    expected = d[:, None] * policy.probs
    np.testing.assert_allclose(occupancy(posed.mean(), policy), expected, atol=1e-12)


def test_time_in_terminal_states_does_not_count():
    share = occupancy(problem(terminal=[2, 3, 4]).mean(), ts.Policy.uniform(5, 2))
    assert share[:2].sum() == pytest.approx(1.0)
    assert share[2:].sum() == 0.0


def test_a_policy_that_may_never_end_has_shares_at_discount_1():
    batch = ts.Batch([0, 1], [0, 0], [0, 1], [0, 0], [0, 1], [False, True], 2, 2)
    task = ts.Task(np.zeros((2, 2)), [1.0, 0], 1.0, [1])
    law = ts.Dirichlet.from_batch(batch, support=batch.seen(), known=ts.known.absorbing([1], 2))
    share = occupancy(ts.Problem(task, batch, law).mean(), ts.Policy.from_actions([0, 0], 2))
    np.testing.assert_allclose(share[0], [1.0, 0.0])


def test_thin_pairs_are_those_that_candidates_use_most_first():
    posed = problem()
    stay, go = (ts.Policy.from_actions([a] * 5, 2) for a in (0, 1))
    found = sufficiency(posed, [stay, ts.Candidate(go, ("go",))], thin_below=2)
    shares = [occupancy(posed.mean(), policy) for policy in (stay, go)]
    assert [pair.share for pair in found.thin] == sorted(
        (p.share for p in found.thin), reverse=True
    )
    users = {(pair.state, pair.action): pair.candidates for pair in found.thin}
    assert (0, 0) not in users  # tried twice
    assert users[0, 1] == (1,)
    assert users[1, 0] == (0,)
    is_thin = found.visits < 2
    np.testing.assert_allclose(found.thin_shares, [share[is_thin].sum() for share in shares])


def test_the_words_use_labels_and_say_when_all_is_well():
    labels = Labels(("home", "road", "inn", "hill", "sea"), ("rest", "walk"))
    policy = ts.Policy.from_actions([0] * 5, 2)
    words = sufficiency(problem(), [policy], labels).words
    assert any("state home, action rest: tried 2 times" in text for text in words)
    assert "Every pair" in sufficiency(problem(), [policy], labels, thin_below=0).words[-1]


def test_many_states_are_solved_sparsely_to_the_same_shares(monkeypatch):
    posed, policy = problem(), ts.Policy.uniform(5, 2)
    expected = occupancy(posed.mean(), policy)
    monkeypatch.setattr("tailsafe.data.coverage.DENSE_STATES", 0)
    np.testing.assert_allclose(occupancy(posed.mean(), policy), expected, rtol=1e-12)
