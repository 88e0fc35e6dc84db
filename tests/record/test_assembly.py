"""The record of a choice says what was posed and found, and nothing else."""

import numpy as np
import pytest

import tailsafe as ts
from tailsafe.data.coverage import occupancy
from tailsafe.record.assembly import Asked, Made, evaluation_record, selection_record
from tailsafe.record.check import check
from tailsafe.record.policies import Judged
from tailsafe.record.schema import Record
from tailsafe.selection.provenance import provenance


def test_the_record_is_of_the_types_of_the_schema(record):
    check(record, Record, "record")


def test_the_answer_is_that_of_the_selection(record, selection):
    answer, names = record["answer"], [c["name"] for c in record["candidates"]]
    assert answer["status"] == selection.status
    assert names == [ranked.candidate.name for ranked in selection.ranking]
    assert names[answer["best"]] == selection.best.name
    assert [names[i] for i in answer["ties"]] == [c.name for c in selection.ties]
    assert answer["certificate"]["bound"] == selection.certificate.bound
    assert (answer["n_models"], answer["evaluations"]) == (
        selection.n_models,
        selection.evaluations,
    )
    assert answer["regret_bound"] == selection.regret_bound
    assert record["question"]["eps"] == selection.eps
    assert record["question"]["risk"]["level"] == 0.2


def test_only_the_chosen_policy_has_a_certificate(record):
    certified = [i for i, c in enumerate(record["candidates"]) if c["certificate"]]
    assert certified == [record["answer"]["best"]]


def test_policies_are_listed_by_state_most_probable_action_first(record):
    listed = {c["name"]: c["policy"] for c in record["candidates"]}
    assert listed["flee"] == [[(1, 1.0)], [(1, 1.0)], [(0, 1.0)]]
    assert listed["mix"] == [[(0, 0.5), (1, 0.5)]] * 3
    # As likely actions stand in their own order, whatever the order of the array.
    assert [c["deterministic"] for c in record["candidates"] if c["name"] == "mix"] == [False]


def test_a_policy_differs_where_it_mostly_does_something_else_but_not_past_the_end(posed, record):
    # The behaviour mostly stays; state 1 is the end.
    assert posed.problem.behaviour.probs[[0, 2]].argmax(axis=1).tolist() == [1, 1]
    differs = {c["name"]: c["differs"] for c in record["candidates"]}
    assert (differs["stay"], differs["go"], differs["flee"]) == ([], [0, 2], [2])


def test_the_thin_share_is_the_time_spent_in_thin_pairs(posed, record):
    visits, least = posed.problem.visits(), record["sufficiency"]["thin_below"]
    for candidate in record["candidates"]:
        probs = np.zeros((3, 2))
        for state, choices in enumerate(candidate["policy"]):
            for action, probability in choices:
                probs[state, action] = probability
        time = occupancy(posed.problem.mean(), ts.Policy(probs))
        assert candidate["thin_share"] == pytest.approx(time[visits < least].sum())


def test_the_log_and_the_task_are_described(posed, record):
    batch = posed.problem.batch
    assert record["log"]["transitions"] == len(batch)
    assert record["log"]["terminated"] == record["log"]["episodes"] == 40
    assert record["log"]["truncated"] == 0
    lengths = np.bincount(batch.episode)
    assert (record["log"]["shortest"], record["log"]["longest"]) == (lengths.min(), lengths.max())
    assert record["log"]["mean_return"] == pytest.approx(batch.reward.sum() / 40)
    assert record["task"]["terminal"] == [1]
    assert record["task"]["initial"] == [(0, 1.0)]
    assert record["sufficiency"]["visits"] == posed.problem.visits().tolist()
    assert record["behaviour"]["source"] == "estimated"


def test_where_it_comes_from_is_told(record, selection):
    made = record["provenance"]
    assert made["posterior_hash"] == selection.provenance.posterior_hash
    assert [s["stream"] for s in made["streams"]] == ["race", "certificate", "explain"]
    assert made["seed"] == 5
    assert made["command"] == ["tailsafe"]
    assert record["skipped"] == [{"name": "X", "reason": "no reason"}]


def test_a_thing_made_in_python_has_no_command_and_is_dated(posed, selection):
    made = selection_record(posed, Asked("test", ts.CVaR(0.2)), selection, Made())["provenance"]
    assert made["command"] is None
    assert made["created"].endswith("+00:00")


def test_policies_judged_on_their_own_are_ranked_and_none_is_best(posed, candidates):
    judged = [
        Judged(candidate, "evaluated", estimate, estimate - 1.0, np.inf, 100)
        for candidate, estimate in zip(candidates, (1.0, 3.0, 2.0, 0.0), strict=True)
    ]
    source = provenance(posed.problem, 7, (("race", 0, 100),))
    record = evaluation_record(posed, Asked("test", ts.VaR(0.2)), judged, source, Made())
    check(record, Record, "record")
    assert [c["name"] for c in record["candidates"]] == ["go", "flee", "stay", "mix"]
    assert record["answer"]["best"] is None
    assert record["answer"]["evaluations"] == 400
    assert record["candidates"][0]["upper"] is None
    assert record["candidates"][0]["lower"] == 2.0


def test_each_error_probability_is_in_its_place(posed, selection):
    asked = Asked("test", ts.CVaR(0.2), 0.03, 0.04, eps_rel=0.5, max_models=77)
    question = selection_record(posed, asked, selection, Made())["question"]
    assert (question["alpha"], question["alpha_certificate"]) == (0.03, 0.04)
    assert (question["eps_rel"], question["max_models"]) == (0.5, 77)


def test_each_candidate_has_its_own_thin_share(candidates):
    columns = {"state": ["calm", "rough"] * 15 + ["calm"], "action": ["stay"] * 30 + ["go"]}
    columns |= {"next_state": ["rough", "calm"] * 15 + ["over"], "reward": [0.0] * 31}
    posed = ts.data.pose(ts.read_log({**columns, "episode": [0] * 31}), ts.data.Setting(0.9))
    judged = [Judged(c, "evaluated", 1.0, 0.0, 2.0, 10) for c in candidates]
    source = provenance(posed.problem, 7, (("race", 0, 10),))
    record = evaluation_record(posed, Asked("test", ts.VaR(0.2)), judged, source, Made())
    shares = {c["name"]: c["thin_share"] for c in record["candidates"]}
    assert 0.0 < shares["stay"] < shares["mix"] < shares["go"] == pytest.approx(1.0)
    assert list(shares) == ["stay", "go", "flee", "mix"]
    assert (record["log"]["shortest"], record["log"]["longest"]) == (31, 31)
