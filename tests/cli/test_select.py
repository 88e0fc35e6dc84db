"""tailsafe select, end to end: what it prints and writes, and that it can be done again."""

import csv
import json
from typing import get_type_hints

import numpy as np
import pytest

import tailsafe as ts
from tailsafe.record.check import check
from tailsafe.record.files import read_record
from tailsafe.record.schema import Record

STATES = ["new", *(f"worn {i}" for i in range(1, 7)), "broken", "long repair", "short repair"]


@pytest.fixture(scope="module")
def record(selected):
    return read_record(selected.folder / "selection.json")


def untimed(record):
    """Return what must not depend on when, where and how fast it was made."""
    timed = {"created", "seconds", "command"}
    made = {key: value for key, value in record["provenance"].items() if key not in timed}
    return {**record, "provenance": made}


def test_a_choice_prints_its_ranking_its_sentence_and_its_files(selected, record):
    assert (selected.code, selected.err) == (0, "")
    assert record["answer"]["certificate"]["sentence"] in " ".join(selected.out.split())
    for name in ("selection.json", "report.html", "policy.csv"):
        assert str(selected.folder / name) in selected.out
        assert (selected.folder / name).stat().st_size > 100
    for candidate in record["candidates"]:
        assert f"  {candidate['name']}" in selected.out
    assert sorted(path.name for path in selected.folder.iterdir()) == [
        "policy.csv",
        "report.html",
        "selection.json",
    ]


def test_the_record_is_of_the_types_of_the_schema(record):
    check(record, Record, "selection.json")
    assert list(record) == list(get_type_hints(Record))


def test_a_discount_that_was_given_is_not_warned_of(record):
    assert "discount" not in [warning["code"] for warning in record["warnings"]]
    assert record["task"]["discount"] == 0.9


def test_what_is_not_asked_for_is_as_documented(record):
    question = record["question"]
    assert (question["alpha"], question["alpha_certificate"], question["eps_rel"]) == (0.01,) * 3
    assert question["max_models"] == 2**19
    assert question["risk"]["name"] == "CVaR(0.25)"


def test_the_policy_has_the_labels_of_the_log_and_is_that_of_the_record(selected, record):
    rows = list(csv.DictReader(selected.text("policy.csv").splitlines()))
    best = record["candidates"][record["answer"]["best"]]
    labels = record["labels"]
    said = {(row["state"], row["action"]): float(row["probability"]) for row in rows}
    assert said == {
        (labels["states"][state], labels["actions"][action]): probability
        for state, choices in enumerate(best["policy"])
        for action, probability in choices
    }
    assert {"new", "broken", "worn 3"} <= {row["state"] for row in rows}


def test_the_same_selection_is_computed_again_from_what_the_record_says(machine_log, record):
    made, question = record["provenance"], record["question"]
    posed = ts.data.pose(ts.read_log(machine_log), ts.data.Setting(record["task"]["discount"]))
    proposal = ts.propose(
        posed.problem, ts.paper_portfolio(), made["seed"], risk=ts.CVaR(question["risk"]["level"])
    )
    again = ts.select(
        *(posed.problem, proposal, ts.CVaR(question["risk"]["level"])),
        eps_rel=question["eps_rel"],
        alpha=question["alpha"],
        seed=made["seed"],
        alpha_certificate=question["alpha_certificate"],
        max_models=question["max_models"],
    )
    answer = record["answer"]
    assert again.status == answer["status"]
    assert [r.candidate.name for r in again.ranking] == [c["name"] for c in record["candidates"]]
    assert [r.estimate for r in again.ranking] == [c["estimate"] for c in record["candidates"]]
    assert again.certificate.bound == answer["certificate"]["bound"]
    assert again.provenance.batch_hash == made["batch_hash"]
    assert again.provenance.posterior_hash == made["posterior_hash"]
    assert [list(m) for m in again.provenance.models] == [
        [s["stream"], s["first"], s["last"]] for s in made["streams"] if s["stream"] != "explain"
    ]


def test_the_laws_are_those_of_the_models_that_the_record_names(machine_log, record):
    posed = ts.data.pose(ts.read_log(machine_log), ts.data.Setting(record["task"]["discount"]))
    stream = record["provenance"]["streams"][-1]
    assert stream["stream"] == "explain"
    assert stream["last"] == record["provenance"]["distribution_models"]
    key = ts.Key(record["provenance"]["seed"], ts.Stream.EXPLAIN)
    policies = [_policy(c["policy"]) for c in record["candidates"]]
    problem = posed.problem
    U = ts.performances(problem.posterior, problem.task, policies, 0, stream["last"], key)
    for candidate, u in zip(record["candidates"], np.sort(U, axis=1), strict=True):
        assert candidate["mean"] == pytest.approx(u.mean())
        assert candidate["sd"] == pytest.approx(u.std())
        assert candidate["var"] == u[len(u) // 4 - 1]
        assert candidate["cvar"] == pytest.approx(u[: len(u) // 4].mean())
        assert candidate["quantiles"][::50] == [u[0], *u[len(u) // 4 - 1 :: len(u) // 4]]


def _policy(choices):
    probs = np.zeros((len(choices), 2))
    for state, row in enumerate(choices):
        for action, probability in row:
            probs[state, action] = probability
    return ts.Policy(probs)


def test_the_ranking_is_by_standing_then_by_estimate(record):
    standings = [c["standing"] for c in record["candidates"]]
    order = ["best", "within eps", "undecided", "not better"]
    assert standings == sorted(standings, key=order.index)
    assert standings[0] == "best"
    assert record["answer"]["best"] == 0
    assert record["answer"]["ties"] == [
        i for i, standing in enumerate(standings) if standing != "not better"
    ]


@pytest.mark.slow
def test_one_thread_and_two_write_the_same(machine_log, selected, record, run):
    for threads in (1, 2):
        done = run(
            *("select", machine_log, "--discount", "0.9", "--portfolio", "paper", "--seed", "3"),
            *("--threads", threads, "--output", f"out{threads}"),
        )
        again = read_record(done.folder / f"out{threads}" / "selection.json")
        assert untimed(again) == untimed(record)
        assert done.text(f"out{threads}/policy.csv") == selected.text("policy.csv")


def test_the_report_is_rendered_again_byte_for_byte(selected, run):
    done = run("report", selected.folder / "selection.json", "--output", "again.html")
    assert (done.code, done.out, done.err) == (0, "again.html\n", "")
    assert done.text("again.html") == selected.text("report.html")


def test_a_report_replaces_reports_only_and_says_where_it_could_not_be_written(selected, run):
    source = selected.folder / "selection.json"
    run("report", source, "--output", "again.html")
    assert run("report", source, "--output", "again.html").code == 0
    notes = run("report", source, "--output", "again.html").folder / "notes.txt"
    notes.write_text("mine")
    refused = run("report", source, "--output", "notes.txt")
    assert (refused.code, notes.read_text()) == (2, "mine")
    assert "--output notes.txt exists, and is no report of tailsafe" in refused.err
    nowhere = run("report", source, "--output", "none/out.html")
    assert nowhere.code == 2
    assert "cannot write none/out.html: No such file or directory" in nowhere.err


def test_json_prints_what_is_written_and_quiet_nothing(machine_log, run):
    asked = ("select", machine_log, "--portfolio", "paper", "--eps-rel", "0.1", "--output", "out")
    done = run(*asked, "--json")
    assert done.code == 0
    assert json.loads(done.out) == json.loads(done.text("out/selection.json"))
    silent = run(*asked, "--quiet")
    assert (silent.code, silent.out, silent.err) == (0, "", "")


def test_own_policies_compete_and_keep_their_name(machine_log, selected, run):
    done = run(
        *("select", machine_log, "--discount", "0.9", "--portfolio", "paper", "--seed", "3"),
        *("--policies", selected.folder / "policy.csv", "--output", "out"),
    )
    best = read_record(done.folder / "out" / "selection.json")["candidates"][0]
    assert best["name"] == "policy"
    assert len(best["origins"]) > 1


def test_a_spent_budget_ends_with_ties_and_code_3(machine_log, run):
    done = run(
        *("select", machine_log, "--eps", "1e-7", "--budget", "64", "--portfolio", "paper"),
        *("--risk", "var:0.3", "--output", "out"),
    )
    record = read_record(done.folder / "out" / "selection.json")
    assert done.code == 3
    assert record["answer"]["status"] == "budget"
    assert len(record["answer"]["ties"]) > 1
    assert record["answer"]["certificate"]["probability"] == pytest.approx(0.7)
    assert record["warnings"][0]["code"] == "budget"
    assert "budget of 64 models was spent" in " ".join(done.out.split())


def test_every_option_reaches_what_it_is_for(machine_log, selected, run):
    done = run(
        *("select", machine_log, "--discount", "0.8", "--prior", "0.5", "--support", "seen"),
        *("--risk", "var:0.3", "--alpha", "0.2", "--alpha-certificate", "0.05", "--eps", "0.7"),
        *("--seed", "9", "--budget", "3000", "--portfolio", "paper", "--output", "out"),
        *("--states", ",".join(STATES), "--unseen-reward", "-7"),
        *("--policies", selected.folder / "policy.csv"),
    )
    record = read_record(done.folder / "out" / "selection.json")
    log = ts.read_log(machine_log, states=STATES)
    setting = ts.data.Setting(0.8, prior=0.5, support="seen", unseen_reward=-7)
    problem = ts.data.pose(log, setting).problem
    own = ts.data.read_policies(selected.folder / "policy.csv", log.labels, problem.task.terminal)
    found = ts.propose(problem, ts.paper_portfolio(), 9, risk=ts.VaR(0.3))
    again = ts.select(
        *(problem, [*own, *found], ts.VaR(0.3)),
        eps=0.7,
        alpha=0.2,
        seed=9,
        alpha_certificate=0.05,
        max_models=3000,
    )
    assert record["labels"]["states"] == STATES
    assert record["question"]["eps"] == again.eps == 0.7
    assert (record["question"]["eps_rel"], record["question"]["max_models"]) == (None, 3000)
    assert (record["question"]["alpha"], record["question"]["alpha_certificate"]) == (0.2, 0.05)
    assert record["answer"]["certificate"]["confidence"] == again.certificate.confidence == 0.95
    assert record["answer"]["certificate"]["bound"] == again.certificate.bound
    assert record["provenance"]["posterior_hash"] == again.provenance.posterior_hash
    for mine, theirs in zip(again.ranking, record["candidates"], strict=True):
        assert mine.candidate.name == theirs["name"]
        assert (mine.estimate, mine.lower, mine.upper) == pytest.approx(
            (theirs["estimate"], theirs["lower"], theirs["upper"])
        )


def test_the_mean_has_no_level(machine_log, run):
    done = run(
        *("select", machine_log, "--risk", "mean", "--eps-rel", "0.2", "--portfolio", "paper"),
        *("--output", "out"),
    )
    record = read_record(done.folder / "out" / "selection.json")
    assert record["question"]["risk"]["level"] is None
    # No discount was given, and the log cannot know it.
    assert "discount" in [warning["code"] for warning in record["warnings"]]
    assert record["task"]["discount"] == 0.95
    assert "VaR(0.25)" in done.out
