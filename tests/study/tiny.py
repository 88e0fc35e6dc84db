"""A study whose units take no time, as a module for tests and as a driver that may be killed.

python tiny.py STORE EXECUTOR TRIALS PAUSE [MARKER]
"""

import os
import signal
import sys
import time
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from tailsafe.engine import Engine
from tailsafe.study.design import Grid, Study
from tailsafe.study.rows import Finding, Outcome
from tailsafe.study.run import run_study
from tailsafe.study.sources import Source


@dataclass(frozen=True, slots=True)
class Tiny:
    """Rows that depend on the log and on the seed.

    Parameters
    ----------
    pause
        Seconds that each unit takes.
    fails
        Trials that raise an error.
    marker
        While this file is not there, trial 1 makes it and kills its process.
    """

    name: str = "tiny"
    pause: float = 0.0
    fails: tuple[int, ...] = ()
    marker: str = ""

    def judge(self, case):
        time.sleep(self.pause)
        if case.trial in self.fails:
            raise ZeroDivisionError(f"trial {case.trial} is bad")
        if case.trial == 1 and self.marker and not Path(self.marker).exists():
            Path(self.marker).touch()
            os.kill(os.getpid(), signal.SIGKILL)
        drawn = np.random.default_rng(case.seed).random((2, 5, 3))
        mean = float(case.problem.batch.reward.mean())
        findings = (
            Finding(method="drawn", role="selector", u=float(drawn[0, 0, 0]), policy=0),
            Finding(method="logged", role="baseline", u=mean, evaluations=np.int64(case.size)),
        )
        return Outcome(findings=findings, policies=drawn, u_trivial=mean, u_star=1.0)


def study(trials=4, sizes=(8, 16), profiles=(Tiny(),), seed=0, label="ring"):
    """Return the study: 2 units for each trial."""
    return Study("tiny", seed, (Grid(label, Source("ring"), 8, sizes, trials, tuple(profiles)),))


if __name__ == "__main__":
    store, executor, trials, pause, *marker = sys.argv[1:]
    profile = Tiny(pause=float(pause), marker="".join(marker))
    engine = Engine(executor=executor, workers=2)
    ended = run_study(
        study(int(trials), profiles=(profile,)),
        Path(store),
        engine,
        watch=lambda progress: print(progress.done, flush=True),
    )
    sys.exit(0 if ended.complete else 3)
