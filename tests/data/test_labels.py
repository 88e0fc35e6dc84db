"""Labels: every name finds its number, in an order that depends on the names alone."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tailsafe as ts
from tailsafe.data.labels import END, Labels, gaps, listed, names_of, numbered

TEXTS = st.lists(st.text(alphabet="019ab.-e_ é", min_size=1, max_size=6), min_size=1, unique=True)


@settings(max_examples=100, deadline=None)
@given(TEXTS, st.randoms(use_true_random=False))
def test_every_text_finds_its_label_whatever_the_order(texts, random):
    names = names_of(texts, None, "state")
    shuffled = random.sample(texts, len(texts))
    assert names_of(shuffled, None, "state") == names
    assert (numbered(names, texts) >= 0).all()
    assert len(set(names)) == len(names)
    labels = Labels(names, ("x",))
    assert [labels.state(name) for name in names] == list(range(len(names)))


@pytest.mark.parametrize(
    ("texts", "expected"),
    [
        (["10", "9", "-1", "2.5", "3.0"], ("-1", "2.5", "3", "9", "10")),
        (["s10", "s9", "S2", "t"], ("S2", "s9", "s10", "t")),
        (["b", "10", "9"], ("9", "10", "b")),
        (["01", "1"], ("01", "1")),
        (["zebra", END, "ant"], ("ant", "zebra", END)),
    ],
)
def test_numbers_are_ordered_by_value_and_names_by_alphabet(texts, expected):
    assert names_of(texts, None, "state") == expected


def test_an_unknown_label_is_refused_with_those_that_there_are():
    labels = Labels.plain(3, 2)
    assert (labels.state("2"), labels.action("1.0")) == (2, 1)
    with pytest.raises(ts.InvalidData, match="there is no action 'jump'; the actions are 0, 1"):
        labels.action("jump")


def test_gaps_are_the_numbers_between():
    assert gaps(["0", "1", "3"]) == ["2"]
    assert gaps(["1", "2", "3"]) == []
    assert gaps(["1", "2", "b"]) == []


def test_long_lists_are_cut():
    assert listed(["a", "b", "c"], 2) == "a, b and 1 more"
    assert listed(["a", "b"], 2) == "a, b"
