"""How candidates are evaluated: which models, which bounds, which models that are spread evenly."""

import numpy as np
import pytest

from tailsafe.batch import Batch
from tailsafe.candidate import Candidate
from tailsafe.engine import Engine
from tailsafe.evaluate import performances
from tailsafe.keys import Key, Stream
from tailsafe.policy import Policy
from tailsafe.posterior import Dirichlet
from tailsafe.problem import Problem
from tailsafe.race.outlook import outlook
from tailsafe.race.question import Question, evenly_spread
from tailsafe.risk import CVaR, VaR
from tailsafe.samples import Samples
from tailsafe.table import Table
from tailsafe.task import Task

TABLE = Table.full(2, 2)
KNOWN = np.array([True, False, False, False])
SHARES = np.array([0.3, 0.7, 5.0, 0.5, 2.0, 2.0, 1.0, 9.0])
POSTERIOR = Dirichlet(TABLE, SHARES, KNOWN)
TASK = Task([[0.0, 1.0], [2.0, 5.0]], [1.0, 0.0], 0.9)
LOG = Batch([0], [0], [0], [0.0], [1], [False], 2, 2)
POLICIES = [Policy.from_actions(actions, 2) for actions in ([0, 1], [1, 0], [1, 1])]


def asked(risk):
    candidates = tuple(Candidate(policy, (str(i),)) for i, policy in enumerate(POLICIES))
    problem = Problem(TASK, LOG, POSTERIOR)
    return Question(problem, candidates, risk, None, 0.01, 0.01, 0.01, 7, Engine())


def test_the_race_and_the_spread_models_have_streams_of_their_own():
    question, who = asked(CVaR(0.25)), np.array([2, 0])
    policies = [POLICIES[2], POLICIES[0]]
    raced = performances(POSTERIOR, TASK, policies, 3, 9, Key(7, Stream.RACE))
    assert np.array_equal(question.utilities(3, 9, who), raced)
    even = evenly_spread(POSTERIOR)
    spread = performances(even, TASK, policies, 0, 9, Key(7, Stream.CANDIDATES))
    assert np.array_equal(question.spread(0, 9, who), spread)


def test_evenly_spread_models_keep_what_is_known():
    even = evenly_spread(POSTERIOR)
    assert even.concentration.tolist() == [0.3, 0.7, 1, 1, 1, 1, 1, 1]
    assert np.array_equal(even.known, KNOWN)
    listed = Samples(np.full((3, 2, 2, 2), 0.5))
    assert evenly_spread(listed) is listed


@pytest.mark.parametrize("risk", [VaR(0.25), CVaR(0.25)], ids=lambda m: m.name)
def test_performances_are_moved_between_their_ends_for_a_tail_measure_only(risk):
    known = outlook(POSTERIOR, TASK, POLICIES, risk, floor=20.0)
    sheet = asked(risk).sheet(known)
    sheet.bring(np.arange(3), 50)
    U = performances(POSTERIOR, TASK, POLICIES, 0, 50, 7)
    expected = U if risk == VaR(0.25) else np.maximum(U, known.floors[:, None])
    assert np.stack(sheet.columns) == pytest.approx(expected, rel=1e-9)
    assert (known.floors[:, None] > U).any()
