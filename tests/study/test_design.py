"""What a study consists of: its units, their seeds, what decides its rows."""

from collections import Counter
from dataclasses import replace

import pytest

from tailsafe.errors import InvalidData
from tailsafe.study.design import Grid, Study, Unit, unit_seed
from tailsafe.study.sources import Source


def grid(tiny, label="ring", steps=8, trials=2, sizes=(8, 16)):
    return Grid(label, Source("ring"), steps, sizes, trials, (tiny.Tiny(),))


def test_the_seed_of_a_unit_is_what_it_always_was():
    # Stores are extended by later versions, whose logs must be the same.
    assert unit_seed(2022, Unit("paper", "ring", "published", 8, 0)) == 2598008380
    assert unit_seed(0, Unit("x", "lake 1 (text)", "p", 135, 7)) == 1190991867


def test_each_domain_has_its_own_number_of_trials(tiny):
    study = Study("s", 0, (grid(tiny, "a", trials=1), grid(tiny, "b", trials=3)))
    units = study.units()
    assert Counter(unit.domain for unit in units) == {"a": 2, "b": 6}
    assert len(set(units)) == len(units)
    assert [unit.trial for unit in units] == sorted(unit.trial for unit in units)


@pytest.mark.parametrize(
    "other",
    [
        {"steps": 4},
        {"source": Source("ring_published")},
        {"source": Source("ring", (("b_in_24", "move"),))},
    ],
)
def test_whatever_decides_a_log_is_part_of_the_identity(other, tiny):
    one = grid(tiny)
    assert replace(one, **other).identity() != one.identity()
    assert replace(one, sizes=(8, 24), trials=9).identity() == one.identity()


@pytest.mark.parametrize("name", ["", " ", "a\nb", "x" * 61])
def test_a_name_that_cannot_be_read_is_refused(name, tiny):
    with pytest.raises(InvalidData, match="a name has 1 to 60 printable characters"):
        Study("s", 0, (grid(tiny, name),))
