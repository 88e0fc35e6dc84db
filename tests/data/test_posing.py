"""Posing a problem: each part as given or as the log shows, every assumption in words."""

from math import inf

import numpy as np
import pytest

import tailsafe as ts
from tailsafe.data import Setting, log_of_batch, pose, read_log
from tailsafe.data.coverage import sufficiency

NAMES = [
    *("discount", "reward", "unseen reward", "prior", "support", "initial", "terminal"),
    *("behaviour", "states"),
]
TEXT = """episode,state,action,reward,next_state,terminated
1,ok,run,3,ok,0
1,ok,run,3,worn,0
1,worn,run,3,broken,1
2,ok,run,3,ok,0
2,ok,fix,-1,ok,0
3,worn,fix,-1,ok,0
"""


@pytest.fixture
def log(tmp_path):
    path = tmp_path / "log.csv"
    path.write_text(TEXT)
    return read_log(path)  # states: broken 0, ok 1, worn 2; actions: fix 0, run 1


def said(posed, name):
    return next(a for a in posed.assumptions if a.name == name)


def test_everything_that_is_assumed_is_said_in_order(log):
    posed = pose(log, Setting(0.9))
    assert [a.name for a in posed.assumptions] == NAMES
    assert all(a.value and a.words.endswith(".") for a in posed.assumptions)
    assert "what comes within about 10 steps decides" in said(posed, "discount").words


def test_by_default_the_log_decides(log):
    posed = pose(log, Setting(0.9))
    task, posterior = posed.problem.task, posed.problem.posterior
    assert task.terminal.tolist() == [True, False, False]
    np.testing.assert_allclose(task.initial, [0, 2 / 3, 1 / 3])
    np.testing.assert_array_equal(task.reward[1:], [[-1, 3], [-1, 3]])
    assert said(posed, "initial").value == "ok: 0.667, worn: 0.333"
    assert said(posed, "terminal").value == "broken"
    counts = posterior.table.dense(posterior.concentration)
    np.testing.assert_array_equal(counts[1, 1], [1, 1 + 2, 1 + 1])
    np.testing.assert_array_equal(counts[0], [[1, 0, 0], [1, 0, 0]])
    np.testing.assert_allclose(posed.problem.behaviour.probs[1:], [[1 / 4, 3 / 4], [1 / 2, 1 / 2]])
    assert posed.behaviour.value == "estimated"


def test_the_support_is_that_of_the_log_if_asked_for(log):
    posed = pose(log, Setting(0.9, prior=0.5, support="seen"))
    table = posed.problem.posterior.table
    assert table.mask()[2].tolist() == [[False, True, False], [True, False, False]]
    assert said(posed, "support").value == "seen"
    assert said(posed, "prior").value == "Dirichlet(0.5)"


@pytest.mark.parametrize("support", ["all", "seen"])
def test_states_that_are_measurements_are_refused_before_they_fill_the_memory(support):
    n = 5_000
    columns = {"state": [f"{1.37 * i:.3f}" for i in range(n)], "action": [i % 2 for i in range(n)]}
    log = read_log({**columns, "reward": [0.0] * n})
    with pytest.raises(ts.errors.InvalidData) as refused:
        pose(log, Setting(0.9, support=support))
    assert "possible transitions are more than 20,000,000" in str(refused.value)
    assert "if the state is a measurement, group it into classes" in str(refused.value)


def test_the_support_may_come_from_a_file_which_leaves_other_pairs_open(log, tmp_path):
    path = tmp_path / "support.csv"
    path.write_text("state,action,next_state\nok,run,ok\nok,run,worn\nworn,run,broken\n")
    posed = pose(log, Setting(0.9, support=path))
    mask = posed.problem.posterior.table.mask()
    assert mask[1, 1].tolist() == [False, True, True]
    assert mask[2].tolist() == [[True, True, True], [True, False, False]]
    assert "after the 2 pairs" in said(posed, "support").words


SETTINGS = {
    "support that the log leaves": (
        {"support": "ok,run,ok"},
        "row 3 of log.csv: state ok, action run leads to state worn, which the support rules out "
        "(1 such transition)",
    ),
    "support with an unknown state": (
        {"support": "ok,run,lost"},
        "row 2 of support.csv: next_state 'lost' is none of the states of the log",
    ),
    "support of another size": (
        {"support": np.ones((2, 2, 2), bool)},
        "support is for 2 states and 2 actions, the log has 3 and 2",
    ),
    "support file not there": ({"support": "nowhere.csv"}, "cannot read nowhere.csv: No such file"),
    "unknown terminal state": ({"terminal": ["dead"]}, "there is no state 'dead'; the states are"),
    "terminal state is left": (
        {"terminal": ["worn", "broken"]},
        "row 4 of log.csv: state worn is left for broken, but it is a terminal state "
        "(2 such transitions)",
    ),
    "end in another state": (
        {"terminal": []},
        "row 4 of log.csv: the episode terminates in state broken, which is not one of the",
    ),
    "initial sums to .9": ({"initial": {"ok": 0.9}}, "initial is not a distribution: sums to 0.9"),
    "initial unknown state": ({"initial": {"new": 1.0}}, "there is no state 'new'"),
    "discount above 1": ({"discount": 1.5}, "discount must be in [0, 1], got 1.5"),
    "prior negative": ({"prior": -1.0}, "prior is -1.0, must be positive"),
    "prior infinite": ({"prior": inf}, "prior is inf, not a finite number"),
    "behaviour of another size": (
        {"behaviour": ts.Policy.uniform(2, 2)},
        "policy has shape (2, 2)",
    ),
}


@pytest.mark.parametrize("case", SETTINGS)
def test_a_setting_that_contradicts_the_log_is_refused(case, log, tmp_path):
    changes, expected = SETTINGS[case]
    if isinstance(changes.get("support"), str) and "," in changes["support"]:
        path = tmp_path / "support.csv"
        path.write_text(f"state,action,next_state\n{changes['support']}\n")
        changes = {"support": path}
    with pytest.raises(ts.InvalidData) as caught:
        pose(log, Setting(**{"discount": 0.9, **changes}))
    assert expected in str(caught.value)


def test_discount_1_asks_for_an_end(log):
    assert pose(log, Setting(1.0)).problem.task.discount == 1.0
    endless = read_log({"s": ["a"], "a": ["x"], "r": [1], "next_s": ["a"]})
    with pytest.raises(ts.InvalidData, match="discount 1 needs terminal states"):
        pose(endless, Setting(1.0))


def test_the_start_may_be_given(log):
    posed = pose(log, Setting(0.9, initial={"ok": 0.25, "worn": 0.75}))
    np.testing.assert_array_equal(posed.problem.task.initial, [0, 0.25, 0.75])


def test_recorded_probabilities_make_the_behaviour():
    log = read_log(
        {
            "s": ["a", "a", "b", "a"],
            "a": ["x", "y", "x", "x"],
            "r": [0, 0, 0, 0],
            "next_s": ["a", "b", "a", "b"],
            "propensity": [0.5, 0.25, 0.9, 0.5],
        },
        actions=["x", "y", "z"],
    )
    posed = pose(log, Setting(0.9))
    np.testing.assert_allclose(
        posed.problem.behaviour.probs, [[0.5, 0.25, 0.25], [0.9, 0.05, 0.05]]
    )
    assert posed.behaviour.value == "given"


def test_recorded_probabilities_that_vary_are_averaged_and_that_is_said():
    log = read_log({"s": [0, 0, 0], "a": [0, 0, 1], "r": [0, 0, 0], "next_s": [0, 0, 0],
                    "propensity": [0.8, 0.6, 0.9]})  # fmt: skip
    posed = pose(log, Setting(0.9))
    np.testing.assert_allclose(posed.problem.behaviour.probs, [[0.7 / 1.6, 0.9 / 1.6]])
    assert "for 1 pair" in posed.behaviour.words
    assert "in 1 state they did not sum to 1" in posed.behaviour.words


def test_the_behaviour_may_come_from_a_file(log, tmp_path):
    path = tmp_path / "ours.csv"
    path.write_text("state,action,probability\nok,run,0.75\nok,fix,.25\nworn,fix,1\n")
    posed = pose(log, Setting(0.9, behaviour=path))
    assert posed.problem.behaviour.probs[1:].tolist() == [[0.25, 0.75], [1.0, 0.0]]
    path.write_text("policy,state,action\np,ok,run\np,worn,run\nq,ok,fix\nq,worn,fix\n")
    with pytest.raises(ts.InvalidData, match=r"ours\.csv has 2 policies, expected one"):
        pose(log, Setting(0.9, behaviour=path))


def test_a_given_reward_is_also_that_of_the_problem_s_log(log):
    R = np.array([[0, 0], [5, 6], [7, 8.0]])
    posed = pose(log, Setting(0.9, reward=R))
    assert posed.problem.batch.reward.tolist() == [6, 6, 8, 6, 5, 7]
    assert [w.code for w in posed.warnings].count("data") == 1


def codes(log, **changes):
    return [w.code for w in pose(log, Setting(**{"discount": 0.9, **changes})).warnings]


def test_warnings_come_when_they_are_due(log):
    assert codes(log) == ["flat prior"]
    assert codes(log, prior=0.1) == []
    more = read_log({"s": [0, 0], "a": [0, 1], "r": [1, 2], "next_s": [0, 0]}, states=3)
    assert codes(more, prior=0.01) == ["unseen reward", "unseen states", "short episodes"]
    assert codes(more, prior=0.01, discount=0.1, unseen_reward=1.0) == [
        "unseen reward",
        "unseen states",
    ]


def test_states_that_look_like_ends_and_are_not_said_to_be_are_warned_of():
    rows = {"s": ["ward", "ward", "icu"], "a": [0, 0, 0], "r": [0, -9, -9]}
    ends = read_log({**rows, "next_s": ["icu", "dead", "dead"]})
    words = {w.code: w.words for w in pose(ends, Setting(0.9)).warnings}["open ends"]
    assert "1 state (dead) and never shows what follows there (2 times)" in words
    assert "open ends" not in codes(ends, terminal=["dead"])
    assert "open ends" not in codes(read_log({**rows, "next_s": ["icu", "ward", "ward"]}))


def test_the_problem_of_a_simulated_log_is_that_of_its_batch():
    ring = ts.domains.ring_published()
    batch = ts.simulate(ring, ts.Policy.uniform(5, 3), episodes=40, length=8, seed=1)
    posed = pose(
        log_of_batch(batch), Setting(0.9, reward=ring.task.reward, initial=ring.task.initial)
    )
    expected = ts.Dirichlet.from_batch(batch)
    np.testing.assert_array_equal(posed.problem.posterior.concentration, expected.concentration)
    policy = ts.Policy.uniform(5, 3)
    ours = ts.performances(posed.problem.posterior, posed.problem.task, [policy], 0, 50, 3)
    theirs = ts.performances(expected, ring.task, [policy], 0, 50, 3)
    np.testing.assert_array_equal(ours, theirs)


def test_an_empty_log_poses_no_problem():
    empty = ts.Batch([], [], [], [], [], [], 2, 2)
    with pytest.raises(ts.InvalidData, match="batch shows no transition"):
        pose(log_of_batch(empty), Setting(0.9))


def test_what_was_posed_can_be_judged_sufficient(log):
    posed = pose(log, Setting(0.9))
    found = sufficiency(posed.problem, [posed.problem.behaviour], log.labels)
    assert found.n_pairs == 4


def test_a_run_starts_where_episodes_started_not_where_they_passed():
    text = {"episode": [1, 1, 1, 2], "s": ["a", "b", "b", "a"], "a": ["x"] * 4, "r": [0] * 4}
    posed = pose(read_log({**text, "next_s": ["b", "b", "b", "a"]}), Setting(0.9))
    assert posed.problem.task.initial.tolist() == [1.0, 0.0]


def test_what_is_not_known_pays_what_was_asked_for():
    log = read_log({"s": [0, 0], "a": [0, 1], "r": [1, 2], "next_s": [0, 0]}, states=2)
    posed = pose(log, Setting(0.9, unseen_reward=-7.0))
    assert posed.problem.task.reward.tolist() == [[1.0, 2.0], [-7.0, -7.0]]
    assert said(posed, "unseen reward").value == "-7, as asked for"
