"""Candidates: equal policies are one, with all their origins."""

import pytest

from tailsafe.candidate import Candidate, merged
from tailsafe.errors import InvalidData
from tailsafe.policy import Policy

STAY, GO = Policy.from_actions([0, 0], 2), Policy.from_actions([1, 1], 2)


def test_equal_policies_are_merged_and_keep_all_origins_in_order():
    given = [Candidate(STAY, ("a",)), Candidate(GO, ("b",)), Candidate(STAY, ("c", "a"))]
    assert merged(given) == (Candidate(STAY, ("a", "c")), Candidate(GO, ("b",)))


def test_a_bare_policy_is_named_after_its_place():
    assert [c.name for c in merged([STAY, GO])] == ["policy 0", "policy 1"]


def test_a_candidate_needs_a_policy():
    with pytest.raises(InvalidData, match="needs a Policy, got list"):
        Candidate([[1, 0]])
