"""Values from JSON against typed dictionaries: what fits, and which place is named if not."""

from typing import TypedDict

import pytest

from tailsafe.errors import InvalidData
from tailsafe.record.check import check


class Part(TypedDict):
    share: float
    pairs: list[tuple[int, float]]


class Whole(TypedDict):
    name: str
    flag: bool
    count: int
    bound: float | None
    part: Part | None
    seconds: dict[str, float]


FITS = {
    "name": "x",
    "flag": True,
    "count": 3,
    "bound": 1,
    "part": {"share": 0.5, "pairs": [[1, 0.5]]},
    "seconds": {"read": 1.0},
}


def test_a_value_of_the_type_passes():
    check(FITS, Whole, "file")


def test_none_passes_where_it_may_and_unknown_keys_are_ignored():
    check(FITS | {"bound": None, "part": None, "new": [1]}, Whole, "file")


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"name": 3}, "file.name is 3, expected text"),
        ({"flag": 1}, "file.flag is 1, expected true or false"),
        ({"count": 1.5}, "file.count is 1.5, expected a whole number"),
        ({"count": True}, "file.count is True, expected a whole number"),
        ({"count": None}, "file.count is None, expected a whole number"),
        ({"bound": "1"}, "file.bound is '1', expected a number"),
        ({"part": []}, "file.part is [], expected an object"),
        ({"part": {"share": 1.0}}, "file.part has no 'pairs'"),
        ({"part": {"share": 1.0, "pairs": 2}}, "file.part.pairs is 2, expected a list"),
        ({"part": {"share": 1.0, "pairs": [[1]]}}, "file.part.pairs[0] has 1 items, expected 2"),
        (
            {"part": {"share": 1.0, "pairs": [[1, 0.1], ["a", 1.0]]}},
            "file.part.pairs[1][0] is 'a', expected a whole number",
        ),
        ({"seconds": {"read": "fast"}}, "file.seconds.read is 'fast', expected a number"),
        ({"name": ["long"] * 30}, "..., expected text"),
    ],
)
def test_the_place_of_a_misfit_is_named(change, words):
    with pytest.raises(InvalidData) as refused:
        check(FITS | change, Whole, "file")
    assert words in str(refused.value)
