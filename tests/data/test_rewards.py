"""The reward: the simplest function that the log agrees with, what is given, and conventions."""

import numpy as np
import pytest

import tailsafe as ts
from tailsafe.data import read_log, reward_law
from tailsafe.data.rewards import logged_by

NO_ENDS = np.zeros(3, bool)
FULL = ts.Table.full(3, 2)


def log_of(*transitions, **more):
    """Return the log of (state, action, reward, next state) on 3 states and 2 actions."""
    state, action, reward, next_state = zip(*transitions, strict=True)
    columns = {"state": state, "action": action, "reward": reward, "next_state": next_state}
    return read_log(columns | more, states=["a", "b", "c"], actions=["x", "y"])


def dense(law):
    """Return R[s, a, t] of a law."""
    if law.table is not None:
        return law.table.dense(law.value)
    return np.broadcast_to(law.value.reshape(3, 2, -1), (3, 2, 3))


BY_PAIR = log_of(("a", "x", 1, "b"), ("a", "x", 1, "c"), ("b", "y", 5, "b"), ("c", "x", -2, "b"))
BY_NEXT = log_of(("a", "x", 1, "b"), ("a", "x", 7, "c"), ("b", "y", 1, "b"))
BY_TRANSITION = log_of(
    *[("a", "x", 1, "b"), ("a", "x", 7, "c")],
    *[("b", "y", 3, "b"), ("b", "y", 5, "c")],
)
RANDOM = log_of(("b", "x", 1, "b"), ("a", "x", 1, "b"), ("a", "x", 2, "b"), ("a", "x", 2, "b"))


def test_a_reward_of_state_and_action_is_found_and_unseen_pairs_pay_the_lowest():
    law = reward_law(BY_PAIR, FULL, NO_ENDS)
    assert (law.kind, law.table, law.n_unseen) == ("state-action", None, 3)
    np.testing.assert_array_equal(law.value, [[1, -2], [-2, 5], [-2, -2]])
    assert law.unseen == "the lowest reward in the log, -2"


def test_a_reward_of_the_next_state_is_found():
    law = reward_law(BY_NEXT, FULL, NO_ENDS)
    assert (law.kind, law.n_unseen) == ("next-state", 6)
    np.testing.assert_array_equal(dense(law), np.broadcast_to([1, 1, 7], (3, 2, 3)))


def test_a_reward_of_the_transition_is_found_and_unseen_ones_pay_the_lowest_of_the_pair():
    law = reward_law(BY_TRANSITION, FULL, NO_ENDS)
    assert law.kind == "transition"
    expected = np.full((3, 2, 3), 1.0)  # never tried: the lowest of all
    expected[0, 0] = [1, 1, 7]
    expected[1, 1] = [3, 3, 5]
    np.testing.assert_array_equal(dense(law), expected)
    assert law.n_unseen == 18 - 4


def test_a_narrower_support_leaves_nothing_unseen():
    law = reward_law(BY_TRANSITION, FULL, NO_ENDS)
    seen = np.zeros((3, 2, 3), bool)
    seen[[0, 1], [0, 1], 1:] = True
    narrow = reward_law(BY_TRANSITION, ts.Table.from_mask(seen), NO_ENDS)
    assert narrow.n_unseen == 0
    np.testing.assert_array_equal(dense(narrow)[seen], dense(law)[seen])


def test_a_number_is_paid_for_what_is_unseen_if_asked_for():
    law = reward_law(BY_PAIR, FULL, NO_ENDS, unseen=0.5)
    np.testing.assert_array_equal(law.value, [[1, 0.5], [0.5, 5], [-2, 0.5]])
    assert law.unseen == "0.5, as asked for"


def test_terminal_states_need_no_reward():
    law = reward_law(BY_PAIR, FULL, np.array([False, False, True]))
    assert law.n_unseen == 2
    assert law.value[2].tolist() == [-2, 0]


def test_a_random_reward_is_refused_with_the_rows_that_disagree():
    with pytest.raises(ts.InvalidData) as caught:
        reward_law(RANDOM, FULL, NO_ENDS)
    said = str(caught.value)
    assert "state a, action x, next state b pays 1 in row 1 of arrays but 2 in row 2" in said
    assert "1 of the 2 transitions that occur" in said
    assert '--reward mean, or reward="mean"' in said


def test_the_mean_of_each_pair_is_taken_if_asked_for():
    law = reward_law(RANDOM, FULL, NO_ENDS, "mean")
    assert law.kind == "mean"
    np.testing.assert_allclose(law.value, [[5 / 3, 1], [1, 1], [1, 1]])


def test_rounding_is_no_disagreement():
    law = reward_law(log_of(("a", "x", 0.3, "b"), ("a", "x", 0.1 + 0.2, "b")), FULL, NO_ENDS)
    assert law.kind == "state-action"


def test_small_rewards_that_differ_are_not_taken_for_rounding():
    small = [("a", "x", 1e-10, "b"), ("a", "x", 3e-10, "c"), ("b", "x", 3e-10, "b")]
    assert reward_law(log_of(*small), FULL, NO_ENDS).kind == "transition"


def test_without_a_reward_column_a_table_is_asked_for():
    log = read_log({"state": ["a"], "action": ["x"], "next_state": ["b"]})
    with pytest.raises(ts.InvalidData, match="has no column for the reward"):
        reward_law(log, ts.Table.full(2, 1), np.zeros(2, bool))


def test_an_array_and_a_function_say_the_same_as_the_log_would(tmp_path):
    R = np.arange(18.0).reshape(3, 2, 3)
    of_array = reward_law(BY_PAIR, FULL, NO_ENDS, R)
    names = {"a": 0, "b": 1, "c": 2, "x": 0, "y": 1}
    of_function = reward_law(
        BY_PAIR, FULL, NO_ENDS, lambda s, a, t: R[names[s], names[a], names[t]]
    )
    path = tmp_path / "rewards.csv"
    lines = [
        f"{s},{a},{t},{R[names[s], names[a], names[t]]}" for s in "cba" for a in "xy" for t in "abc"
    ]
    path.write_text("state,action,next_state,reward\n" + "\n".join([*lines, "z,x,a,99"]))
    of_file = reward_law(BY_PAIR, FULL, NO_ENDS, path)
    for law in (of_function, of_file):
        np.testing.assert_array_equal(dense(law), R)
        assert law.kind == "table"
    np.testing.assert_array_equal(of_array.value, R)
    assert "as rewards.csv (1 row on states that the log does not name left out)" in of_file.words


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("state,reward\na,1\nb,2\nc,3\n", [[1, 1], [2, 2], [3, 3]]),
        ("action,reward\nx,1\ny,2\n", [[1, 2], [1, 2], [1, 2]]),
        ("s,a,r\na,x,1\na,y,2\nb,x,3\nb,y,4\nc,x,5\nc,y,6\nc,y,6\n", [[1, 2], [3, 4], [5, 6]]),
    ],
)
def test_a_reward_file_may_leave_out_what_the_reward_does_not_depend_on(text, expected, tmp_path):
    path = tmp_path / "rewards.csv"
    path.write_text(text)
    law = reward_law(BY_PAIR, FULL, NO_ENDS, str(path))
    np.testing.assert_array_equal(law.value, expected)


FILES = {
    "incomplete": ("s,a,r\na,x,1\n", "no reward for state a, action y (5 gaps in all)"),
    "incomplete transitions": (
        "s,a,next_s,r\na,x,b,1\n",
        "no reward for state a, action x, next state a (17 gaps in all)",
    ),
    "contradiction": (
        "s,a,r\na,x,1\na,x,2\n",
        "row 3 of rewards.csv: the reward is 2, but 1 in row 2, for the same state, action",
    ),
    "unknown action": (
        "s,a,r\na,jump,1\n",
        "row 2 of rewards.csv: a 'jump' is none of the actions of the log (x, y)",
    ),
    "no reward": ("s,a\na,x\n", "rewards.csv has no column for the reward"),
    "no state": ("r\n1\n", "says rewards, but not of which states"),
    "other states": ("s,r\nq,1\n", "rewards.csv says nothing of the states in the log"),
}


@pytest.mark.parametrize("case", FILES)
def test_a_broken_reward_file_is_refused(case, tmp_path):
    text, expected = FILES[case]
    path = tmp_path / "rewards.csv"
    path.write_text(text)
    with pytest.raises(ts.InvalidData) as caught:
        reward_law(BY_PAIR, FULL, NO_ENDS, path)
    assert expected in str(caught.value)


def test_a_given_reward_that_the_log_contradicts_is_warned_of():
    law = reward_law(BY_PAIR, FULL, NO_ENDS, np.array([[1.0, 0], [0, 5], [8, 0]]))
    assert len(law.warnings) == 1
    assert "In 1 transition the log shows another reward" in law.warnings[0]
    assert "(first: row 3 of arrays, -2 instead of 8)" in law.warnings[0]
    assert reward_law(BY_PAIR, FULL, NO_ENDS).warnings == ()


@pytest.mark.parametrize("log", [BY_PAIR, BY_NEXT, BY_TRANSITION])
def test_what_the_law_pays_in_the_log_is_what_was_logged(log):
    law = reward_law(log, FULL, NO_ENDS)
    np.testing.assert_array_equal(logged_by(law, log.batch), log.batch.reward)


def test_an_array_of_transitions_pays_for_the_way_from_state_to_next_state():
    log, R = log_of(("a", "x", 1, "b"), ("b", "y", 2, "c")), np.arange(18.0).reshape(3, 2, 3)
    law = reward_law(log, FULL, NO_ENDS, R)
    assert logged_by(law, log.batch).tolist() == [R[0, 0, 1], R[1, 1, 2]]


def test_a_reward_file_tells_many_states_apart(tmp_path):
    names = [f"s{i}" for i in range(23)]
    log = read_log({"s": names, "a": ["x"] * 23, "r": [0] * 23, "next_s": names})
    paid = {(s, t): float(100 * s + t) for s in range(23) for t in range(23)}
    path = tmp_path / "rewards.csv"
    lines = [f"s{s},s{t},{reward}" for (s, t), reward in paid.items()]
    path.write_text("\n".join(["state,next_state,reward", *lines]))
    table = ts.Table.full(23, 1)
    law = reward_law(log, table, np.zeros(23, bool), path)
    assert law.value.tolist() == list(paid.values())


def test_an_unseen_way_into_an_end_pays_as_any_other_and_what_follows_nothing():
    law = reward_law(BY_TRANSITION, FULL, np.array([False, False, True]))
    R = dense(law)
    assert R[0, 1].tolist() == [1.0, 1.0, 1.0]
    assert not R[2].any()
    assert law.n_unseen == 12 - 4
