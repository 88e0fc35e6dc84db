"""selection.json: written whole, read back the same, and foreign files refused by their place."""

import json
from copy import deepcopy

import pytest

from tailsafe.errors import InvalidData
from tailsafe.record.files import as_json, as_policy_csv, is_record, parse_record, write


@pytest.fixture
def given(record):
    return json.loads(as_json(record))


def test_what_is_written_is_read_back_the_same(record):
    again = parse_record(as_json(record), "file")
    assert as_json(again) == as_json(record)
    assert as_json(record).count("\n") == len(record) + 2


def test_any_label_survives_in_plain_ascii(record):
    odd = deepcopy(record)
    odd["labels"]["states"] = ["m\u00e4\u00dfig", "\U0001f6e0 \u2028", "<b>"]
    assert as_json(odd).isascii()
    assert parse_record(as_json(odd), "file")["labels"] == odd["labels"]


def test_keys_that_are_not_known_are_ignored(given):
    given["answer"]["later"] = 1
    parse_record(json.dumps(given), "file")


def test_the_policy_has_labels_and_no_row_where_episodes_end(record):
    names = [c["name"] for c in record["candidates"]]
    assert as_policy_csv(record, names.index("flee")) == (
        "state,action,probability\ncalm,stay,1.0\nrough,go,1.0\n"
    )


def test_labels_with_commas_and_quotes_are_quoted(record):
    odd = deepcopy(record)
    odd["labels"]["actions"] = ["go", 'stay, "please"']
    names = [c["name"] for c in odd["candidates"]]
    assert 'calm,"stay, ""please""",1.0' in as_policy_csv(odd, names.index("stay"))


CHANGES = {
    "best of nothing": (("answer", "best", 4), "file.answer points to a candidate beyond the 4"),
    "a tie of nothing": (("answer", "ties", [-1]), "file.answer points to a candidate"),
    "too few labels": (("labels", "states", ["a"]), "file.labels does not name 3 states and 2"),
    "no number": (("answer", "n_models", "many"), "file.answer.n_models is 'many', expected"),
    "a short policy": (("behaviour", "policy", [[]]), "file.behaviour.policy has 1 states"),
    "an unknown action": (
        ("behaviour", "policy", [[[2, 1.0]], [], []]),
        "file.behaviour.policy takes an action beyond the 2 there are",
    ),
}


@pytest.mark.parametrize("change", CHANGES)
def test_a_record_that_contradicts_itself_is_refused_by_its_place(given, change):
    (part, key, value), words = CHANGES[change]
    given[part][key] = value
    with pytest.raises(InvalidData) as refused:
        parse_record(json.dumps(given), "file")
    assert words in str(refused.value)


def test_a_law_with_too_few_quantiles_is_refused(given):
    given["candidates"][1]["quantiles"].pop()
    with pytest.raises(InvalidData, match=r"candidates\[1\].quantiles has not 201 items"):
        parse_record(json.dumps(given), "file")


def test_nesting_without_end_is_refused():
    with pytest.raises(InvalidData, match=r"nested too deeply|not JSON"):
        parse_record("[" * 200_000, "file")


def test_a_file_is_replaced_whole_or_not_at_all(tmp_path):
    path = tmp_path / "policy.csv"
    path.write_text("old")
    with pytest.raises(UnicodeEncodeError):
        write(path, "half of \udc80 it")
    assert path.read_text() == "old"
    write(path, "new\n")
    assert path.read_bytes() == b"new\n"
    assert [p.name for p in tmp_path.iterdir()] == ["policy.csv"]


@pytest.mark.parametrize(
    ("text", "ours"),
    [
        ('{"schema": "tailsafe.selection/9"}', True),
        ('{"schema": 3}', False),
        ("[]", False),
        ("{", False),
    ],
)
def test_our_files_are_told_from_others(tmp_path, text, ours):
    path = tmp_path / "selection.json"
    path.write_text(text)
    assert is_record(path) is ours
    assert not is_record(tmp_path / "none")
