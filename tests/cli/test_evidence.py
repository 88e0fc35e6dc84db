"""What tailsafe data prints: the states left least often first, thin pairs with their users."""

import json

from tailsafe.cli.evidence import ROWS, text_of

LOG = {
    "source": "log.csv", "transitions": 30, "episodes": 2, "terminated": 0, "truncated": 2,
    "shortest": 10, "longest": 20, "mean_return": 1.0, "notes": [],
}  # fmt: skip


def found(visits, thin=()):
    states = [f"s{i}" for i in range(len(visits))]
    return {
        "log": LOG,
        "labels": {"states": states, "actions": ["x", "y"]},
        "candidates": ["A", "B", "C"],
        "sufficiency": {"visits": visits, "thin": list(thin), "words": ["So many."]},
        "assumptions": [],
        "warnings": [{"code": "data", "words": "look out"}],
    }


def test_states_that_were_left_least_often_come_first():
    lines = text_of(found([[9, 9], [0, 3], [5, 5]])).splitlines()
    at = next(i for i, line in enumerate(lines) if line.startswith("times tried"))
    assert [line.split() for line in lines[at + 1 : at + 4]] == [
        ["s1", "0", "3"],
        ["s2", "5", "5"],
        ["s0", "9", "9"],
    ]
    many = text_of(found([[k, 0] for k in range(ROWS + 3)]))
    assert "and 3 states tried more often" in many
    assert f"s{ROWS - 1} " in many
    assert f"s{ROWS} " not in many


def test_a_thin_pair_is_listed_with_those_who_rely_on_it():
    thin = {"state": 1, "action": 0, "visits": 4, "share": 0.125, "candidates": [0, 2]}
    text = text_of(found([[9, 9], [4, 3]], [thin]))
    (line,) = (line for line in text.splitlines() if "%" in line)
    assert line.split() == ["s1", "x", "4", "up", "to", "12.5", "%", "A,", "C"]
    assert text.endswith("Warning: look out")


def test_a_discount_of_0_and_an_unseen_reward_are_taken_as_they_are_given(tmp_path, run):
    (tmp_path / "tiny.csv").write_text("s,a,r,next_s\n0,0,1,0\n0,1,2,0\n")
    done = run(
        *("data", "tiny.csv", "--discount", "0", "--states", "2", "--unseen-reward", "-7"),
        *("--portfolio", "paper", "--json"),
    )
    said = {a["name"]: a["value"] for a in json.loads(done.out)["assumptions"]}
    assert (said["discount"], said["unseen reward"]) == ("0", "-7, as asked for")
