"""Wall time by step."""

import pytest

from tailsafe.cli.clock import Clock


def test_a_step_is_timed_even_if_it_fails():
    clock = Clock()
    with pytest.raises(ValueError, match="no"), clock.timing("read"):
        raise ValueError("no")
    assert 0.0 <= clock.seconds["read"] < 1.0
