"""Candidates that are one: equal up to rounding where they can come to, with all their origins."""

import numpy as np
import pytest

from tailsafe.batch import Batch
from tailsafe.candidate import Candidate
from tailsafe.errors import InvalidData
from tailsafe.policy import Policy
from tailsafe.posterior import Dirichlet
from tailsafe.problem import Problem
from tailsafe.race.distinct import distinct
from tailsafe.table import Table
from tailsafe.task import Task


@pytest.fixture
def problem():
    # Nothing leads to state 2.
    table = Table.from_rows(3, 2, [[0, 1], [0, 1], [0, 1], [0, 1], [2], [2]])
    log = Batch([0], [0], [0], [1.0], [1], [False], 3, 2)
    mask = [[True, True], [True, False], [True, True]]
    task = Task(np.ones((3, 2)), [1.0, 0.0, 0.0], 0.9, [], mask)
    return Problem(task, log, Dirichlet.from_batch(log, support=table))


def mixed(share, beyond=1.0):
    return Policy([[share, 1.0 - share], [1.0, 0.0], [beyond, 1.0 - beyond]])


def test_probabilities_that_differ_by_more_than_rounding_make_two_candidates(problem):
    assert len(distinct(problem, [mixed(0.5), mixed(0.5 + 1e-9)])) == 2
    (one,) = distinct(problem, [mixed(0.5), mixed(0.5 + 1e-14)])
    assert one.policy == mixed(0.5)


def test_what_is_done_where_nothing_leads_makes_no_difference_and_origins_are_all_kept(problem):
    given = [
        Candidate(mixed(0.5), ("A", "B")),
        Candidate(mixed(0.3), ("C",)),
        Candidate(mixed(0.5, 0.0), ("D", "E")),
    ]
    found = distinct(problem, given)
    assert [candidate.origins for candidate in found] == [("A", "B", "D", "E"), ("C",)]
    assert [candidate.policy for candidate in found] == [mixed(0.5), mixed(0.3)]


def test_candidates_that_are_not_admissible_are_refused(problem):
    with pytest.raises(InvalidData, match="action 1 is not admissible in state 1"):
        distinct(problem, [Policy.uniform(3, 2)])
