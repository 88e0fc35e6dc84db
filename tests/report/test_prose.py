"""Numbers and names as a reader meets them."""

import pytest

from tailsafe.report.prose import (
    actions_in_words,
    at_least,
    at_most,
    count,
    decimals_of,
    interval,
    label,
    listed,
    number,
    percent,
    tenths,
    unfolded,
)


def one_candidate(lower, upper, sd=1.0, mean=5.0):
    return {"candidates": [{"lower": lower, "upper": upper, "sd": sd, "mean": mean}]}


@pytest.mark.parametrize(
    ("width", "decimals"), [(250.0, 0), (25.0, 0), (2.5, 1), (0.25, 2), (0.025, 3), (1e-20, 8)]
)
def test_two_digits_of_the_interval_are_shown(width, decimals):
    assert decimals_of(one_candidate(0.0, width)) == decimals


def test_without_an_interval_a_hundredth_of_the_deviation_is_shown():
    assert decimals_of(one_candidate(None, 3.0, sd=1.0)) == 2
    assert decimals_of(one_candidate(None, None, sd=20.0)) == 1
    assert decimals_of(one_candidate(4.0, 4.0, sd=0.0, mean=4.0)) == 3


def test_nothing_at_all_gets_two_decimals():
    assert decimals_of({"candidates": []}) == 2
    assert decimals_of(one_candidate(None, None, sd=0.0, mean=0.0)) == 2


@pytest.mark.parametrize(
    ("value", "decimals", "shown"),
    [(1234.567, 1, "1,234.6"), (-2.5, 2, "−2.50"), (-0.001, 2, "0.00"), (0.0, 0, "0"),
     (1.23456e12, 2, "1.23456e+12"), (-4e10, 0, "−4e+10")],
)  # fmt: skip
def test_numbers_have_a_true_minus_and_no_negative_zero(value, decimals, shown):
    assert number(value, decimals) == shown


@pytest.mark.parametrize(
    ("value", "decimals", "least", "most"),
    [(-8.42838, 1, "−8.5", "−8.4"), (1.419, 1, "1.4", "1.5"), (0.3, 1, "0.3", "0.3"),
     (-0.004, 2, "−0.01", "0.00"), (1234567891234, 0, "1.23456e+12", "1.23457e+12"),
     (2.0, 0, "2", "2"), (1e-12, 3, "0.000", "0.001")],
)  # fmt: skip
def test_a_bound_is_never_rounded_to_promise_more(value, decimals, least, most):
    assert at_least(value, decimals) == least
    assert at_most(value, decimals) == most


@pytest.mark.parametrize("value", [None, float("nan"), float("inf")])
def test_what_is_not_a_number_is_called_unknown(value):
    assert "unknown" in number(value, 2)
    assert "unknown" in at_least(value, 2)
    assert "unknown" in percent(value)


@pytest.mark.parametrize(
    ("share", "shown"),
    [(0.0, "0 %"), (1.0, "100 %"), (0.25, "25 %"), (0.12345, "12.3 %"), (1e-5, "below 0.1 %"),
     (0.9995, "99.95 %"), (0.9999999, "above 99.99 %")],
)  # fmt: skip
def test_a_share_is_told_from_none_and_from_all(share, shown):
    assert percent(share) == shown


def test_shares_of_a_column_have_one_decimal():
    assert [tenths(s) for s in (0.0, 1e-5, 0.0833, 0.12, 1.0)] == [
        "0.0 %", "&lt; 0.1 %", "8.3 %", "12.0 %", "100.0 %"
    ]  # fmt: skip


def test_an_open_interval_says_which_end_is_known():
    assert interval(-1.0, 2.0, 1) == "−1.0 to 2.0"
    assert interval(None, 2.0, 1) == "at most 2.0"
    assert interval(1.0, None, 1) == "at least 1.0"
    assert interval(None, None, 1) == "no bounds yet"


def test_one_thing_is_singular():
    assert count(1, "policy", "policies") == "1 policy"
    assert count(1024, "policy", "policies") == "1,024 policies"
    assert count(0, "state") == "0 states"


def test_names_are_escaped_everywhere():
    assert label('<b> & "c"') == "&lt;b&gt; &amp; &quot;c&quot;"
    assert "<b>" not in listed(["<b>"] * 3)
    assert "<b>" not in actions_in_words([[(0, 0.5), (1, 0.5)]], 0, ["<b>", "c"])


def test_a_long_name_is_cut_but_kept_for_whoever_points_at_it():
    name = "long " * 40 + "<end>"
    shown = label(name)
    assert shown.startswith('<span title="long long')
    assert "&lt;end&gt;" in shown
    assert len(shown.split(">")[1]) <= 72 + len("…</span")


def test_writing_from_right_to_left_is_kept_apart():
    assert label("תור") == "<bdi>תור</bdi>"
    assert label("\u202eabc").startswith("<bdi>")
    assert label("naïve 机器") == "naïve 机器"


def test_a_blank_name_is_said_to_be_blank():
    assert "(blank)" in label("  ")


def test_lists_end_with_and_or_with_the_number_left_out():
    assert listed([]) == ""
    assert listed(["a"]) == "a"
    assert listed(["a", "b", "c"]) == "a, b and c"
    assert listed(["a", "b", "c"], 2) == "a, b and c"
    assert listed(["a", "b", "c", "d"], 2) == "a, b and 2 more"


def test_the_names_left_out_stand_behind_a_fold():
    assert unfolded(["a", "b", "c"], 2) == "a, b and c"
    folded = "a, b <details><summary>and 2 more</summary>c and <b></details>"
    assert unfolded(["a", "b", "c", "<b>"], 2) == folded.replace("<b>", "&lt;b&gt;")


def text(choices):
    words = actions_in_words([choices], 0, ["run", "stop", "wait", "call"])
    return (
        words.replace('<span class="act">', "")
        .replace('<span class="soft">', "")
        .replace("</span>", "")
    )


def test_actions_carry_their_shares_unless_there_is_but_one():
    assert text([(1, 1.0)]) == "stop"
    assert text([(1, 0.75), (0, 0.25)]) == "stop 75 %, run 25 %"
    assert text([(7, 1.0)]) == "7"


def test_many_actions_are_counted_but_a_single_one_is_not_left_out():
    assert text([(a, 0.25) for a in range(4)]).endswith("call 25 %")
    assert text([(a % 4, 0.2) for a in range(5)]).endswith("wait 20 % and 2 more")


def test_a_state_beyond_the_policy_is_unknown():
    assert "unknown" in actions_in_words([], 3, [])
