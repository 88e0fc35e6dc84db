"""The user's own policies, in every form that is understood."""

import numpy as np
import pytest

import tailsafe as ts
from tailsafe.errors import InvalidData
from tailsafe.solvers.given import Given

PROBS = np.array([[0.2, 0.8], [1.0, 0.0], [0.5, 0.5]])
ACTIONS = [1, 0, 1]


@pytest.fixture
def problem():
    batch = ts.Batch([0], [0], [1], [0.0], [2], [1], 3, 2)
    task = ts.Task(np.zeros((3, 2)), [1, 0, 0], 0.9, terminal=[2])
    return ts.Problem(task, batch, ts.Dirichlet.from_batch(batch))


class Regressor:
    """Answers as scikit-learn does: one action a row of observations."""

    def __init__(self, answers):
        self.answers, self.seen = answers, None

    def predict(self, observations):
        self.seen = observations
        return self.answers


@pytest.mark.parametrize(
    "given",
    [
        ts.Policy.from_actions(ACTIONS, 2),
        ACTIONS,
        tuple(ACTIONS),
        np.array(ACTIONS),
        np.eye(2)[ACTIONS],
        {0: 1, 1: 0},
        {0: [0.0, 1.0], 1: 0},
        lambda state: ACTIONS[state],
        lambda state: np.eye(2)[ACTIONS[state]],
        Regressor(np.array([1, 0])),
        Regressor((np.array([1, 0]), None)),
        Regressor(np.array([[1], [0]])),
        Regressor(np.eye(2)[[1, 0]]),
    ],
    ids=lambda given: type(given).__name__,
)
def test_every_form_gives_the_same_policy(problem, given):
    policy = Given(given).solve(problem)
    assert np.array_equal(policy.probs[:2], np.eye(2)[[1, 0]])


def test_a_pair_is_a_policy_of_two_states_not_an_answer_with_a_hidden_state():
    batch = ts.Batch([0], [0], [0], [0.0], [1], [0], 2, 2)
    two = ts.Problem(ts.Task(np.zeros((2, 2)), [1, 0], 0.9), batch, ts.Dirichlet.from_batch(batch))
    for given in ((0, 1), ([1.0, 0.0], [0.0, 1.0])):
        assert Given(given).solve(two).actions.tolist() == [0, 1]


def test_probabilities_are_kept(problem):
    assert np.array_equal(Given(PROBS).solve(problem).probs[:2], PROBS[:2])
    policy = Given({s: PROBS[s] for s in range(2)}).solve(problem)
    assert np.array_equal(policy.probs[:2], PROBS[:2])


def test_predict_sees_the_states_as_a_column_or_as_is_said(problem):
    regressor = Regressor([1, 0])
    Given(regressor).solve(problem)
    assert regressor.seen.tolist() == [[0], [1]]
    Given(regressor, observe=lambda states: np.eye(3)[states]).solve(problem)
    assert regressor.seen.tolist() == [[1, 0, 0], [0, 1, 0]]


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({0: 1}, "says nothing about state 1"),
        ([0, 1], r"the policy has shape \(2,\), expected \(3,\) actions or \(3, A\)"),
        ([0, 5, 0], "state 1: action 5, but n_actions is 2"),
        ([0, 2, 0], "state 1: action 2, but n_actions is 2"),
        ([0, -1, 0], "state 1: action -1, but n_actions is 2"),
        ([0, 0.5, 0], "state 1: action 0.5"),
        ({0: "left", 1: 0}, "state 0: 'left' is neither an action nor probabilities"),
        (np.full((3, 3), 1 / 3), "state 0: 3 probabilities were given for 2 actions"),
        (np.array([[0.5, 0.4], [1, 0], [1, 0]]), "is not a distribution"),
        (Regressor([0, 1, 0]), r"predict gave shape \(3,\)"),
        (ts.Policy.uniform(2, 2), r"policy has shape \(2, 2\), expected \(3, 2\)"),
    ],
)
def test_what_cannot_be_understood_is_refused_with_its_place(problem, given, message):
    with pytest.raises(InvalidData, match=message):
        Given(given).solve(problem)


def test_actions_that_must_not_be_taken_are_refused(problem):
    allowed = np.array([[True, False], [True, True], [True, True]])
    task = ts.Task(problem.task.reward, problem.task.initial, 0.9, [2], allowed)
    batch = ts.Batch([0], [0], [0], [0.0], [2], [1], 3, 2)
    narrow = ts.Problem(task, batch, problem.posterior)
    with pytest.raises(InvalidData, match=r"policy\[0, 1\] is 1, but action 1 is not admissible"):
        Given(ACTIONS).solve(narrow)


def test_of_a_single_action_its_number_is_understood():
    batch = ts.Batch([0], [0], [0], [0.0], [1], [0], 2, 1)
    task = ts.Task(np.zeros((2, 1)), [1, 0], 0.9)
    problem = ts.Problem(task, batch, ts.Dirichlet.from_batch(batch))
    assert Given([0, 0]).solve(problem) == ts.Policy.from_actions([0, 0], 1)
