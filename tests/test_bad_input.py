"""The door: each malformed input gets a message that says what, where and how much.

`./run python tests/test_bad_input.py` prints the table of inputs and messages.
"""

import contextlib

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

import tailsafe as ts
from tailsafe.known import absorbing
from tailsafe.problem import estimated_behaviour

NAN = float("nan")


def task(**changes):
    given = {"reward": np.zeros((2, 2)), "initial": [1.0, 0.0], "discount": 0.9}
    return ts.Task(**(given | changes))


def batch(**changes):
    columns = {
        "episode": [0, 0, 1],
        "state": [0, 1, 0],
        "action": [0, 1, 0],
        "reward": [0.0, 1.0, 0.0],
        "next_state": [1, 0, 1],
        "terminated": [False, False, False],
        "n_states": 2,
        "n_actions": 2,
    }
    return ts.Batch(**(columns | changes))


def dirichlet(**changes):
    return ts.Dirichlet.from_batch(batch(), **changes)


def problem(**changes):
    given = {"task": task(), "batch": batch(), "posterior": dirichlet()}
    return ts.Problem(**(given | changes))


def transition(row):
    T = np.full((2, 2, 2), 0.5)
    T[1, 0] = row
    return ts.MDP.dense(task(), T)


CASES = {
    # tasks
    "reward has NaN": (lambda: task(reward=[[0, 1], [NAN, 0]]), "reward[1, 0] is nan"),
    "reward is text": (lambda: task(reward="high"), "reward is not an array of numbers"),
    "reward is ragged": (lambda: task(reward=[[1], [1, 2]]), "reward is not an array of numbers"),
    "reward of too few states": (
        lambda: task(reward=np.zeros((1, 2))),
        "reward has shape (1, 2), expected (2, 2)",
    ),
    "reward in one axis": (lambda: task(reward=[0.0, 1.0]), "needs reward_table"),
    "reward with a wrong successor axis": (
        lambda: task(reward=np.zeros((2, 2, 3))),
        "expected (2, 2, 2)",
    ),
    "initial sums to .97": (lambda: task(initial=[0.5, 0.47]), "initial is not a distribution"),
    "initial is negative": (lambda: task(initial=[1.5, -0.5]), "initial[1] is -0.5, negative"),
    "initial is empty": (lambda: task(initial=[]), "initial has shape (0,)"),
    "discount above 1": (lambda: task(discount=1.1), "discount must be in [0, 1], got 1.1"),
    "discount NaN": (lambda: task(discount=NAN), "discount is nan"),
    "discount 1 without an end": (lambda: task(discount=1.0), "discount 1 needs terminal states"),
    "terminal state too large": (lambda: task(terminal=[5]), "terminal[0] is 5, but n_states is 2"),
    "terminal mask too long": (
        lambda: task(terminal=np.zeros(3, bool)),
        "terminal has shape (3,), expected (2,)",
    ),
    "reward table is a mask": (
        lambda: task(reward=np.zeros(8), reward_table=np.ones((2, 2, 2))),
        "reward_table must be a Table, got ndarray",
    ),
    "initial overflows": (lambda: task(initial=[1e308, 1e308]), "not a distribution: sums to inf"),
    "reward is a date": (
        lambda: task(reward=np.zeros((2, 2), "M8[s]")),
        "reward is not an array of numbers: its elements are of type datetime64",
    ),
    "reward is complex": (lambda: task(reward=np.zeros((2, 2), complex)), "of type complex128"),
    "discount of each state": (lambda: task(discount=[0.9, 0.9]), "discount has shape (2,)"),
    "no admissible action": (
        lambda: task(admissible=[[True, True], [False, False]]),
        "admissible allows no action in state 1",
    ),
    # models
    "row sums to .97": (
        lambda: transition([0.5, 0.47]),
        "transition[1, 0] is not a distribution: sums to 0.97",
    ),
    "row is negative": (lambda: transition([1.2, -0.2]), "transition[1, 0, 1] is -0.2, negative"),
    "model of another size": (
        lambda: ts.MDP.dense(task(), np.ones((3, 2, 3)) / 3),
        "transition has shape (3, 2, 3), expected (2, 2, 2)",
    ),
    "table of another size": (
        lambda: ts.MDP(task(), ts.Table.full(3, 2), np.full(18, 1 / 3)),
        "the task has 2 states and 2 actions, the table 3 and 2",
    ),
    "model of no task": (lambda: ts.MDP.dense(None, np.ones((2, 2, 2))), "task must be a Task"),
    # tables
    "successor too large": (
        lambda: ts.Table(2, 1, [0, 1, 2], [0, 7]),
        "successor[1] is 7, but n_states is 2",
    ),
    "successor twice": (
        lambda: ts.Table(2, 1, [0, 2, 2], [1, 1]),
        "successors of state 0, action 0 must ascend without repeats, got [1, 1]",
    ),
    "indptr falls": (lambda: ts.Table(2, 1, [0, 2, 1], [0]), "indptr must ascend from 0 to 1"),
    "rows missing": (
        lambda: ts.Table.from_rows(2, 2, [[0], [1]]),
        "rows has 2 lists, expected one for each of 2 states and 2 actions",
    ),
    "rows are no lists": (lambda: ts.Table.from_rows(2, 1, [0, 1]), "rows are not lists"),
    "no states": (lambda: ts.Table.full(0, 2), "n_states must be a positive whole number, got 0"),
    "mask of a wrong shape": (
        lambda: ts.Table.from_mask(np.ones((2, 2), bool)),
        "mask has shape (2, 2), expected (S, A, S)",
    ),
    # policies
    "policy sums to 1.1": (
        lambda: ts.Policy([[0.5, 0.6], [1, 0]]),
        "policy[0] is not a distribution: sums to 1.1",
    ),
    "policy in one axis": (lambda: ts.Policy([0, 1]), "policy has shape (2,), expected (S, A)"),
    "action too large": (
        lambda: ts.Policy.from_actions([0, 2], 2),
        "actions[1] is 2, but n_actions is 2",
    ),
    "action is a fraction": (
        lambda: ts.Policy.from_actions([0, 0.5], 2),
        "actions[1] is 0.5, not a whole number",
    ),
    "actions of a stochastic policy": (
        lambda: ts.Policy.uniform(2, 2).actions,
        "the policy is stochastic in state 0",
    ),
    "admissible mask of another size": (
        lambda: ts.Policy.uniform(2, 2, np.ones((3, 2), bool)),
        "admissible has shape (3, 2), expected (2, 2)",
    ),
    # logs
    "action outside": (lambda: batch(action=[0, 5, 0]), "action[1] is 5, but n_actions is 2"),
    "state negative": (lambda: batch(state=[0, -1, 0]), "state[1] is -1, but n_states is 2"),
    "column too short": (lambda: batch(reward=[0.0]), "reward has shape (1,), expected (3,)"),
    "reward infinite": (lambda: batch(reward=[0, 0, np.inf]), "reward[2] is inf"),
    "terminated is a number": (lambda: batch(terminated=[0, 2, 0]), "terminated is not a mask"),
    "episode comes back": (
        lambda: batch(episode=[0, 1, 0]),
        "episode 0 goes on at transition 2 after another episode",
    ),
    "episode goes on after its end": (
        lambda: batch(terminated=[True, False, False]),
        "transition 1 follows in episode 0, which terminated before it",
    ),
    "propensity 0": (
        lambda: batch(propensity=[0.5, 0.0, 0.5]),
        "propensity[1] is 0.0, not in (0, 1]",
    ),
    "counts on a table of another size": (
        lambda: batch().count_entries(ts.Table.full(3, 2)),
        "the table has 3 states and 2 actions, the log 2 and 2",
    ),
    # priors
    "prior 0": (
        lambda: dirichlet(prior=0.0),
        "concentration of state 0, action 0, next state 0 is 0, must be positive (6 such entries)",
    ),
    "prior negative": (lambda: dirichlet(prior=-1.0), "prior is -1.0, must be positive"),
    "prior of a wrong shape": (lambda: dirichlet(prior=np.ones((3, 2))), "prior has shape (3, 2)"),
    "log shows what the support rules out": (
        lambda: dirichlet(support=np.eye(2, dtype=bool)[:, None, :].repeat(2, axis=1)),
        "transition 0 goes from state 0 by action 0 to state 1, which the support or a known row "
        "rules out (3 such transitions)",
    ),
    "known row outside": (
        lambda: dirichlet(known={(5, 0): 1}),
        "known row (state 5, action 0) is outside 2 states and 2 actions",
    ),
    "known row of a fraction": (
        lambda: dirichlet(known={(0, 0.5): 1}),
        "known row (state 0, action 0.5) is outside 2 states and 2 actions",
    ),
    "known rows in a list": (lambda: dirichlet(known=[1]), "known must be a Mapping, got list"),
    "posterior of no log": (
        lambda: ts.Dirichlet.from_batch(None),
        "batch must be a Batch, got NoneType",
    ),
    "known row sums to .9": (
        lambda: dirichlet(known={(0, 1): [0.4, 0.5]}),
        "known row (0, 1) is not a distribution: sums to 0.9",
    ),
    "weights of samples": (
        lambda: ts.Samples(np.full((2, 2, 2, 2), 0.5), weights=[0.5, 0.6]),
        "weights is not a distribution: sums to 1.1",
    ),
    "samples in three axes": (
        lambda: ts.Samples(np.full((2, 2, 2), 0.5)),
        "models have shape (2, 2, 2), expected (M, S, A, S)",
    ),
    "model beyond the samples": (
        lambda: ts.Samples(np.full((2, 2, 2, 2), 0.5)).models(0, 3),
        "model 2 was asked for, but there are 2 samples",
    ),
    # addresses
    "seed too large": (
        lambda: dirichlet().models(0, 1, 2**32),
        "seed must be in 0 .. 2**32 - 1, got 4294967296",
    ),
    "seed a fraction": (lambda: dirichlet().models(0, 1, 0.5), "seed must be a whole number"),
    "range runs backwards": (
        lambda: dirichlet().models(3, 1, 0),
        "models 3 .. 1 are not a range within 0 .. 2**32",
    ),
    # problems
    "sizes disagree": (
        lambda: problem(batch=batch(n_states=3)),
        "numbers of states and actions disagree: task 2 and 2, batch 3 and 2, posterior 2 and 2",
    ),
    "log ends where the task does not": (
        lambda: problem(task=task(terminal=[0]), batch=batch(terminated=[0, 0, 1])),
        "transition 2 terminates in state 1, which is not a terminal state",
    ),
    "log ends where the task never does": (
        lambda: problem(batch=batch(terminated=[0, 1, 0])),
        "transition 1 terminates in state 0, which is not a terminal state of the task (1 such",
    ),
    "problem without a task": (lambda: problem(task=None), "task must be a Task, got NoneType"),
    "problem without a posterior": (
        lambda: problem(posterior=None),
        "the table of the posterior must be a Table, got NoneType",
    ),
    "plan without a model": (lambda: ts.solve(task()), "mdp must be a MDP, got Task"),
    "value without a model": (
        lambda: ts.performance(task(), ts.Policy.uniform(2, 2)),
        "mdp must be a MDP, got Task",
    ),
    "behaviour is an array": (
        lambda: problem(behaviour=np.ones((2, 2)) / 2),
        "policy must be a Policy, got ndarray",
    ),
    "log leaves a terminal state": (
        lambda: problem(task=task(terminal=[1])),
        "transition 1 leaves state 1, which the task calls terminal",
    ),
    "log takes an inadmissible action": (
        lambda: problem(task=task(admissible=[[False, True], [True, True]])),
        "the log takes action 0 in state 0 2 times, but the task says that it is not admissible",
    ),
    "policy takes an inadmissible action": (
        lambda: ts.performances(
            dirichlet(),
            task(admissible=[[True, False], [True, True]]),
            [ts.Policy.uniform(2, 2)],
            0,
            1,
            0,
        ),
        "policy[0, 1] is 0.5, but action 1 is not admissible in state 0",
    ),
    "a policy that is an array": (
        lambda: ts.performances(dirichlet(), task(), [np.ones((2, 2)) / 2], 0, 1, 0),
        "policies must be Policy objects, got ndarray",
    ),
    "negative smoothing": (
        lambda: estimated_behaviour(task(), batch(), smoothing=-1.0),
        "smoothing must be a number of at least 0, got -1.0",
    ),
    "unknown backend": (lambda: ts.Engine(backend="abacus"), "backend must be one of cpu,"),
    "no workers": (
        lambda: ts.Engine(workers=0),
        "workers must be a positive whole number, got 0",
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_bad_input_gets_a_message_that_says_what_and_where(name):
    make, message = CASES[name]
    with pytest.raises(ts.TailsafeError) as caught:
        make()
    assert message in str(caught.value)


NUMBERS = st.one_of(
    st.floats(),
    st.integers(-3, 3),
    st.integers(),
    st.booleans(),
    st.none(),
    st.text(max_size=2),
    st.complex_numbers(),
    st.dates(),
)
ARRAYS = st.one_of(
    NUMBERS,
    st.lists(NUMBERS, max_size=4),
    st.lists(st.lists(NUMBERS, max_size=3), max_size=3),
    st.dictionaries(st.integers(0, 2), NUMBERS, max_size=2),
    hnp.arrays(bool, hnp.array_shapes(max_dims=3, max_side=3)),
    hnp.arrays(complex, hnp.array_shapes(max_dims=2, max_side=2)),
    hnp.arrays("M8[s]", hnp.array_shapes(max_dims=2, max_side=2)),
    hnp.arrays("U2", hnp.array_shapes(max_dims=2, max_side=2)),
    hnp.arrays(float, hnp.array_shapes(max_dims=4, max_side=3), elements=st.floats(-2, 2)),
    hnp.arrays(int, hnp.array_shapes(max_dims=3, max_side=3), elements=st.integers(-1, 3)),
)


def survives(make, *arguments, **named):
    with contextlib.suppress(ts.TailsafeError):
        make(*arguments, **named)


TASK = ("reward", "initial", "discount", "terminal", "admissible")
COLUMNS = ("episode", "state", "action", "reward", "next_state", "terminated", "propensity")
SIZES = ("n_states", "n_actions")


@given(ARRAYS, ARRAYS, NUMBERS, ARRAYS, ARRAYS)
def test_a_task_is_made_or_refused(reward, initial, discount, terminal, admissible):
    survives(ts.Task, reward, initial, discount, terminal, admissible)


@given(st.sampled_from(TASK), ARRAYS)
def test_a_task_with_one_odd_part_is_made_or_refused(part, value):
    survives(task, **{part: value})


@given(st.sampled_from([*COLUMNS, *SIZES]), ARRAYS)
def test_a_batch_with_one_odd_part_is_made_or_refused(part, value):
    survives(batch, **{part: value})


@given(ARRAYS)
def test_a_policy_is_made_or_refused(probs):
    survives(ts.Policy, probs)
    survives(ts.Policy.from_actions, probs, 2)


@given(st.lists(ARRAYS, min_size=6, max_size=6), NUMBERS, NUMBERS)
def test_a_batch_is_made_or_refused(columns, n_states, n_actions):
    survives(ts.Batch, *columns, n_states, n_actions)


@given(ARRAYS, ARRAYS)
def test_a_posterior_is_made_or_refused(prior, support):
    survives(dirichlet, prior=prior, support=support)
    survives(dirichlet, prior=prior)
    survives(dirichlet, support=support)
    survives(ts.Samples, prior, support)
    survives(ts.Samples, np.full((2, 2, 2, 2), 0.5), support)


@given(NUMBERS, NUMBERS, ARRAYS, ARRAYS)
def test_a_table_is_made_or_refused(n_states, n_actions, indptr, successor):
    survives(ts.Table, n_states, n_actions, indptr, successor)
    survives(ts.Table, 2, 1, indptr, successor)
    survives(ts.Table.from_mask, successor)


@given(ARRAYS, ARRAYS)
def test_a_model_is_made_or_refused(transition, probability):
    survives(ts.MDP.dense, task(), transition)
    survives(ts.MDP, task(), ts.Table.full(2, 2), probability)


@given(ARRAYS, ARRAYS)
def test_rows_of_a_table_are_taken_or_refused(row, rows):
    survives(ts.Table.from_rows, 2, 1, [row, [0]])
    survives(ts.Table.from_rows, 2, 1, rows)


@settings(deadline=None)  # the first example compiles
@given(st.sampled_from(["first", "last", "seed"]), NUMBERS)
def test_an_odd_address_names_models_or_is_refused(word, value):
    if isinstance(value, int) and value > 9:
        value = 9 if word == "last" else 2**32 + value  # not so many models
    survives(dirichlet().models, **({"first": 0, "last": 2, "seed": 1} | {word: value}))
    survives(ts.Samples(np.full((2, 2, 2, 2), 0.5)).models, **{"first": 0, "last": 1, word: value})


@given(st.dictionaries(st.tuples(st.integers(-1, 3), st.integers(-1, 3)), ARRAYS, max_size=3))
def test_known_rows_are_taken_or_refused(known):
    survives(dirichlet, known=known)


@given(ARRAYS)
def test_absorbing_states_are_taken_or_refused(states):
    survives(lambda: dirichlet(known=absorbing(states, 2)))


if __name__ == "__main__":
    for case, (make, _) in CASES.items():
        try:
            make()
        except ts.TailsafeError as error:
            print(f"{case:40s} {type(error).__name__}: {error}")
