"""The policy that made the log: given, recorded with its probabilities, or estimated."""

from pathlib import Path
from typing import TypeAlias

import numpy as np

from tailsafe.data.assumptions import Assumption
from tailsafe.data.log import Log
from tailsafe.data.policies import read_policies
from tailsafe.data.words import counted
from tailsafe.errors import InvalidData
from tailsafe.policy import Policy
from tailsafe.problem import estimated_behaviour
from tailsafe.task import Task

BehaviourSource: TypeAlias = Policy | str | Path | None
"""A policy, a file with one, or None: as recorded, else estimated."""

SLACK = 1e-6
"""By how much recorded probabilities may contradict each other without a note."""


def behaviour_of(log: Log, task: Task, source: BehaviourSource) -> tuple[Policy, Assumption]:
    """Return the behaviour policy and where it comes from; its value is given or estimated."""
    if isinstance(source, Policy):
        return source, _given("The policy that made the log is the one that was given.")
    if source is not None:
        candidates = read_policies(source, log.labels, task.terminal)
        if len(candidates) > 1:
            raise InvalidData(f"{Path(source).name} has {len(candidates)} policies, expected one")
        return candidates[0].policy, _given(
            f"The policy that made the log is the one in {Path(source).name}."
        )
    if log.batch.propensity is not None:
        return _recorded(log)
    words = (
        "The policy that made the log is taken to choose each action as often as the log shows "
        "it; in states that were never left, all actions equally often."
    )
    return estimated_behaviour(task, log.batch), Assumption("behaviour", "estimated", words)


def _given(words: str) -> Assumption:
    return Assumption("behaviour", "given", words)


def _recorded(log: Log) -> tuple[Policy, Assumption]:
    """Return the mean recorded probability of each pair; the rest goes to actions never seen."""
    batch = log.batch
    propensity = batch.propensity
    assert propensity is not None
    visits = batch.visits()
    totals = np.bincount(batch.row, propensity, minlength=visits.size).reshape(visits.shape)
    mean = totals / np.maximum(visits, 1)
    untried = (visits == 0).sum(axis=1, keepdims=True)
    rest = 1.0 - mean.sum(axis=1, keepdims=True)
    rest = np.where(rest > SLACK, rest, 0.0)
    probs = np.where(visits == 0, rest / np.maximum(untried, 1), mean)
    sums = probs.sum(axis=1, keepdims=True)
    words = "The policy that made the log is as the recorded probabilities of its actions say"
    varied = np.abs(propensity - mean.ravel()[batch.row]) > SLACK
    if varied.any():
        pairs = counted(len(np.unique(batch.row[varied])), "pair")
        words += f"; they differ from time to time for {pairs}, of which the mean was taken"
    off = int((np.abs(sums - 1.0) > SLACK).sum())
    if off:
        words += f"; in {counted(off, 'state')} they did not sum to 1 and were scaled"
    return Policy(probs / sums), _given(f"{words}.")
