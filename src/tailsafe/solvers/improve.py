"""Posterior policy optimisation: raise the sampled risk itself, from the best candidates.

On sampled models, of a stream of their own, the objective is the risk of the performance u_m. Its
gradient goes through the exact linear solves, and so does the exact effect of switching the action
of one state (``sampled_objective``). Deterministic policies climb by switches, stochastic ones by
mirror steps (``ascent``). Good policies are crossed, each state taking after one of the parents,
and climb again. Then a larger, fresh sample: what fitted the last one by chance does not survive.
The mean was optimised so by G. Valdettaro, A. A. Faisal (2024); the tail is this package's own.

At last, models that nobody has climbed on choose between what was found and what was there. What
comes out is a candidate like any other, judged on models that it has never seen.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tailsafe.arrays import FloatArray, check_count
from tailsafe.candidate import Candidate
from tailsafe.engine import Engine
from tailsafe.errors import InvalidData
from tailsafe.evaluate import performances
from tailsafe.keys import Stream, stream_key
from tailsafe.policy import Policy
from tailsafe.problem import Problem
from tailsafe.risk import RiskMeasure
from tailsafe.solvers.ascent import Peak, by_mirror_steps, by_switches, softened, usable
from tailsafe.solvers.crossing import best_child, distinct, rounded
from tailsafe.solvers.improvement_work import check_size, judges_after, mirror_steps, spans_of
from tailsafe.solvers.sampled_objective import Objective, drawn

SOFT = 0.2
"""The share of exploration with which a deterministic policy starts its mirror steps."""


@dataclass(frozen=True, slots=True)
class Improvement:
    """What a portfolio holds to have its candidates improved.

    Parameters
    ----------
    sizes
        Models of each sample, one after the other.
    starts
        How many policies climb on the first sample; one less on each later one.
    children
        How many crossings are tried on each sample.
    max_steps
        Of one climb by switches.
    """

    sizes: tuple[int, ...] = (200, 1_000, 5_000)
    starts: int = 4
    children: int = 32
    max_steps: int = 50

    def __post_init__(self) -> None:
        object.__setattr__(self, "sizes", tuple(self.sizes))
        if not self.sizes:
            raise InvalidData("sizes of an improvement must name at least one sample")
        for size in self.sizes:
            check_count(size, "size of a sample")
        for name in ("starts", "children", "max_steps"):
            check_count(getattr(self, name), name)

    @property
    def name(self) -> str:
        """The name of the method."""
        return "Improvement"

    def improve(
        self,
        problem: Problem,
        candidates: Sequence[Candidate],
        risk: RiskMeasure,
        seed: int = 0,
        engine: Engine = Engine(),
    ) -> tuple[Candidate, ...]:
        """Return the best deterministic policy found, and a stochastic one if it is better still.

        Parameters
        ----------
        problem
            Whose posterior the models are drawn from.
        candidates
            Where to start.
        risk
            What to raise.
        seed
            Of the models, in the stream of improvements.
        engine
            How fast; the policies do not depend on it.
        """
        check_size(problem)
        given = usable(problem, [candidate.policy for candidate in candidates])
        if not given:
            return ()
        key, spans = stream_key(seed, Stream.IMPROVEMENT), spans_of(problem, self.sizes)
        rng = np.random.default_rng(list(key))
        pool, objective = given, None
        for stage, span in enumerate(spans):
            objective = Objective(problem, risk, drawn(problem, span, key, engine), engine)
            pool = self._climbed(objective, pool, max(1, self.starts - stage), rng)
        assert objective is not None  # there is at least one sample
        finalists = [*pool, *(peak.policy for peak in _ranked(objective, given)[: self.starts])]
        judges = judges_after(problem, spans[-1])
        U = performances(problem.posterior, problem.task, finalists, *judges, key, engine)
        return _results(finalists, objective.of_each(U))

    def _climbed(
        self, objective: Objective, pool: list[Policy], starts: int, rng: np.random.Generator
    ) -> list[Policy]:
        """Return policies to go on with, the best first."""
        ranked = _ranked(objective, [*pool, *(rounded(objective.problem, p) for p in pool)])
        fixed = [peak.policy for peak in ranked if peak.policy.deterministic][:starts]
        climbed = [by_switches(objective, policy, self.max_steps) for policy in fixed]
        parents = distinct([*(peak.policy for peak in climbed), *fixed])
        child = best_child(objective, parents, self.children, rng)
        climbed.append(by_switches(objective, child, self.max_steps))
        best = max(climbed, key=lambda peak: peak.value)
        steps = min(self.max_steps, mirror_steps(len(objective.sample), objective.problem.n_states))
        mixed = [peak.policy for peak in ranked if not peak.policy.deterministic][:1]
        soft = usable(objective.problem, [softened(objective.problem, best.policy, SOFT), *mixed])
        climbed += [by_mirror_steps(objective, policy, steps) for policy in soft]
        climbed += ranked[:starts]
        climbed.sort(key=lambda peak: -peak.value)
        kept = distinct([peak.policy for peak in climbed])[: 2 * starts]
        return distinct([*kept, best.policy])


def _ranked(objective: Objective, policies: Sequence[Policy]) -> list[Peak]:
    """Return each usable policy once with its objective, the best first."""
    judged = usable(objective.problem, distinct(policies))
    peaks = [Peak(*pair) for pair in zip(judged, objective(judged).tolist(), strict=True)]
    return sorted(peaks, key=lambda peak: -peak.value)


def _results(policies: Sequence[Policy], values: FloatArray) -> tuple[Candidate, ...]:
    """Return the best deterministic policy, and the best one if it is another."""
    ranked = [policies[i] for i in np.argsort(-values, kind="stable")]
    found = [Candidate(policy, ("Improvement",)) for policy in ranked if policy.deterministic][:1]
    if not ranked[0].deterministic:
        found.append(Candidate(ranked[0], ("Improvement(stochastic)",)))
    return tuple(found)
