"""tailsafe evaluate, data and report; the parser's help."""

import json

import pytest

import tailsafe as ts
from tailsafe.certificate import estimate
from tailsafe.cli import main
from tailsafe.record.files import as_json, read_record


@pytest.fixture
def rules(tmp_path, machine_log):
    states = sorted({line.split(",")[2] for line in machine_log.read_text().splitlines()[1:]})
    states += ["new"]
    path = tmp_path / "rules.csv"
    rows = [
        f"{name},{state},{'repair' if state in repaired else 'wait'}"
        for name, repaired in (
            ("late", {"broken", "long repair"}),
            ("early", {"broken", "long repair", "worn 5", "worn 6"}),
        )
        for state in sorted(set(states))
    ]
    path.write_text("policy,state,action\n" + "\n".join(rows) + "\n")
    return path


def test_given_policies_are_judged_each_on_its_own(machine_log, rules, run):
    done = run("evaluate", machine_log, "--policies", rules, "--discount", "0.9")
    record = read_record(done.folder / "tailsafe-machine-policies" / "selection.json")
    assert done.code == 0
    assert record["answer"] == {
        "status": "evaluated",
        "words": "Each policy was judged on its own; none was chosen.",
        "best": None,
        "ties": [],
        "regret_bound": None,
        "floor": None,
        "certificate": None,
        "n_models": record["candidates"][0]["n_models"],
        "evaluations": sum(
            c["n_models"] + c["certificate"]["n_models"] for c in record["candidates"]
        ),
    }
    race, fresh, _ = record["provenance"]["streams"]
    assert race == {"stream": "race", "first": 0, "last": record["answer"]["n_models"]}
    drawn = max(c["certificate"]["n_models"] for c in record["candidates"])
    assert fresh == {"stream": "certificate", "first": 0, "last": drawn}
    assert [c["name"] for c in record["candidates"]] == ["early", "late"]
    for candidate in record["candidates"]:
        assert candidate["standing"] == "evaluated"
        assert candidate["lower"] <= candidate["estimate"] <= candidate["upper"]
        assert candidate["certificate"]["bound"] <= candidate["upper"]
        assert candidate["certificate"]["sentence"] in " ".join(done.out.split())
    assert not (done.folder / "tailsafe-machine-policies" / "policy.csv").exists()


def test_every_option_reaches_what_it_is_for(machine_log, rules, run):
    done = run(
        *("evaluate", machine_log, "--policies", rules, "--discount", "0.8", "--risk", "var:0.3"),
        *("--alpha", "0.2", "--alpha-certificate", "0.05", "--seed", "9", "--output", "out"),
    )
    log = ts.read_log(machine_log)
    problem = ts.data.pose(log, ts.data.Setting(0.8)).problem
    given = {c.name: c.policy for c in ts.data.read_policies(rules, log.labels)}
    for candidate in read_record(done.folder / "out" / "selection.json")["candidates"]:
        asked = (problem.posterior, problem.task, given[candidate["name"]], ts.VaR(0.3))
        found = estimate(*asked, alpha=0.2, seed=9)
        promise = ts.certify(*asked, alpha=0.05, seed=9)
        assert (candidate["lower"], candidate["upper"]) == (found.lower, found.upper)
        assert candidate["estimate"] == found.value
        assert candidate["certificate"]["bound"] == promise.bound
        assert candidate["certificate"]["confidence"] == 0.95


def test_an_evaluation_removes_the_policy_of_an_earlier_choice(machine_log, rules, run, tmp_path):
    quick = ("--output", "out", "--quiet", "--risk", "var:0.25")
    run("select", machine_log, "--portfolio", "paper", "--eps-rel", "0.5", *quick)
    assert (tmp_path / "out" / "policy.csv").exists()
    (tmp_path / "out" / "notes.txt").write_text("mine")
    done = run("evaluate", machine_log, "--policies", rules, *quick)
    assert (done.code, done.out, done.err) == (0, "", "")
    names = sorted(path.name for path in (tmp_path / "out").iterdir())
    assert names == ["notes.txt", "report.html", "selection.json"]


def test_the_data_report_shows_visits_and_thin_pairs(machine_log, run):
    done = run("data", machine_log, "--portfolio", "paper")
    assert (done.code, done.err) == (0, "")
    assert done.out.startswith("machine.csv: 500 transitions in 25 episodes of 20 to 20 steps;")
    assert "tried fewer than 10 times" in " ".join(done.out.split())
    assert list(done.folder.glob("tailsafe*")) == []


def test_the_data_report_is_also_json(machine_log, rules, run):
    done = run("data", machine_log, "--policies", rules, "--portfolio", "paper", "--json")
    found = json.loads(done.out)
    assert found["candidates"][:2] == ["late", "early"]
    assert sum(map(sum, found["sufficiency"]["visits"])) == found["log"]["transitions"] == 500
    assert {a["name"] for a in found["assumptions"]} >= {"discount", "prior", "reward"}


def test_the_report_lies_beside_the_selection_unless_told_otherwise(selected, run, tmp_path):
    (tmp_path / "selection.json").write_text(selected.text("selection.json"))
    assert run("report", "selection.json", "--quiet").out == ""
    assert (tmp_path / "report.html").read_text() == selected.text("report.html")


def test_a_record_that_is_read_and_written_is_the_same(selected):
    record = read_record(selected.folder / "selection.json")
    assert as_json(record) == selected.text("selection.json")


@pytest.mark.parametrize("command", ["select", "evaluate", "data", "report", "demo"])
def test_every_command_explains_itself(command, capsys):
    with pytest.raises(SystemExit) as left:
        main([command, "--help"])
    shown = capsys.readouterr().out
    assert left.value.code == 0
    assert shown.startswith(f"usage: tailsafe {command}")
    assert "demo" in command or "examples:" in shown


def test_the_version_is_printed(capsys):
    with pytest.raises(SystemExit):
        main(["--version"])
    assert capsys.readouterr().out.startswith("tailsafe 0.")
