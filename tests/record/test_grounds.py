"""What to know before acting: which warnings an answer gives rise to, most serious first."""

from copy import deepcopy

import pytest

from tailsafe.record.grounds import warning_records


def codes(posed, record):
    return [warning["code"] for warning in warning_records(posed, record)]


@pytest.fixture
def calm(record):
    """Return a record that gives no warning."""
    copy = deepcopy(record)
    copy["skipped"], copy["answer"]["floor"] = [], None
    copy["answer"]["status"] = "selected"
    for candidate in copy["candidates"]:
        candidate["thin_share"] = 0.05
    return copy


def test_nothing_to_say_is_said_by_nothing(posed, calm):
    assert codes(posed, calm) == [w.code for w in posed.warnings]


def test_ties_thin_data_and_skipped_methods_are_told_in_this_order(posed, calm):
    calm["answer"]["status"] = "budget"
    calm["skipped"] = [{"name": name, "reason": "-"} for name in "ABCDE"]
    calm["candidates"][calm["answer"]["best"]]["thin_share"] = 0.3
    found = warning_records(posed, calm)
    ours = [w for w in found if w["code"] not in {c.code for c in posed.warnings}]
    assert [w["code"] for w in ours] == ["budget", "thin data", "skipped methods"]
    assert "spends 30 % of its time" in ours[1]["words"]
    assert "A, B, C, D and 1 more" in ours[2]["words"]


def test_thin_data_of_a_policy_that_was_not_chosen_is_no_warning(posed, calm):
    calm["candidates"][1 + calm["answer"]["best"]]["thin_share"] = 0.9
    assert "thin data" not in codes(posed, calm)
    calm["answer"]["best"] = None
    assert "thin data" in codes(posed, calm)


def test_an_interrupt_comes_first(posed, calm):
    calm["answer"]["status"] = "interrupted"
    assert codes(posed, calm)[0] == "interrupted"


def test_a_floor_is_told_of_only_where_some_performance_lies_below(posed, calm):
    lowest = calm["candidates"][calm["answer"]["best"]]["quantiles"][0]
    calm["answer"]["floor"] = lowest - 1.0
    assert "floor" not in codes(posed, calm)
    calm["answer"]["floor"] = lowest + 1.0
    assert "floor" in codes(posed, calm)


def test_a_choice_among_two_is_hardly_one(posed, calm):
    calm["candidates"] = calm["candidates"][:2]
    assert "few candidates" in codes(posed, calm)
    calm["question"]["kind"] = "evaluate"
    assert "few candidates" not in codes(posed, calm)
