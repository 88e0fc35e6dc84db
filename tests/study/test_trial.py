"""One unit: its truth is that of its trial, its log as long as its size says."""

from dataclasses import dataclass

import numpy as np

from tailsafe.study.design import Grid, Study, unit_seed
from tailsafe.study.rows import Finding, Outcome
from tailsafe.study.sources import FromPrior, Source
from tailsafe.study.trial import conduct, rows


@dataclass(frozen=True)
class Witness:
    """Records the truth and the shape of the log."""

    name: str = "witness"

    def judge(self, case):
        log = case.problem.batch
        finding = Finding(
            method="log", role="baseline", n_models=log.n_episodes, evaluations=len(log)
        )
        return Outcome(
            findings=(finding,), policies=case.domain.truth.transition, u_trivial=0.0, u_star=1.0
        )


STUDY = Study("w", 5, (Grid("drawn", FromPrior(Source("ring")), 8, (8, 24), 3, (Witness(),)),))


def test_each_trial_has_its_own_truth_which_all_sizes_share():
    for unit in STUDY.units():
        expected = FromPrior(Source("ring")).domain(unit.trial).truth.transition
        assert np.array_equal(conduct(STUDY, unit).policies, expected)


def test_a_log_has_as_many_transitions_as_its_size_in_episodes_of_the_steps():
    for unit in STUDY.units():
        (row,) = rows(STUDY, unit, conduct(STUDY, unit))
        assert (row.evaluations, row.n_models) == (unit.size, unit.size // 8)
        assert row.seed == unit_seed(5, unit)
