"""Fixtures that several test files share."""

from collections.abc import Mapping
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from hypothesis import settings

# The first example may compile a kernel, and the machines are shared: time says nothing.
settings.register_profile("tailsafe", deadline=None)
settings.load_profile("tailsafe")

GOLDEN = Path(__file__).parent / "golden"


class GoldenCase(Mapping):
    """The arrays of one golden case by name, loaded when asked for, and what they describe."""

    def __init__(self, name):
        self.name = name
        self._file = np.load(GOLDEN / f"case_{name}.npz", allow_pickle=False)
        alias, target = self._file["alias"].tolist(), self._file["alias_of"].tolist()
        self._alias = dict(zip(alias, target, strict=True))
        self._loaded = {}

    def __getitem__(self, key):
        place = self._alias.get(key, key)
        if place not in self._loaded:
            self._loaded[place] = self._file[place]
            self._loaded[place].flags.writeable = False
        return self._loaded[place]

    def __iter__(self):
        return iter(name for name in [*self._file.files, *self._alias] if "alias" not in name)

    def __len__(self):
        return len(list(iter(self)))

    def task(self, reward=None):
        """Return the task; its reward is R[s, a, t] unless another is given."""
        from tailsafe.task import Task

        return Task(self["R"] if reward is None else reward, self["mu0"], float(self["gamma"]))

    def truth(self):
        """Return the true model."""
        from tailsafe.mdp import MDP

        return MDP.dense(self.task(), self["T"])

    def batch(self, name="episodes"):
        """Return the log; name="episodes_short" is the second one."""
        from tailsafe.batch import Batch

        episode, _, state, action, reward, next_state = self[name].T
        ended = np.zeros(len(episode), bool)
        sizes = int(self["S"]), int(self["A"])
        return Batch(episode, state, action, reward, next_state, ended, *sizes)

    def problem(self, *, samples=False, reward=None, name="episodes", behaviour="pi_b"):
        """Return the problem; samples=True: the models P as posterior, else Dirichlet(N + 1)."""
        from tailsafe.policy import Policy
        from tailsafe.posterior import Dirichlet
        from tailsafe.problem import Problem
        from tailsafe.samples import Samples

        batch = self.batch(name)
        posterior = Samples(self["P"]) if samples else Dirichlet.from_batch(batch)
        return Problem(self.task(reward), batch, posterior, Policy(self[behaviour]))


@cache
def _golden_case(name):
    return GoldenCase(name)


@pytest.fixture(scope="session")
def golden_case():
    """Return the function name -> GoldenCase; golden/README.md says what the arrays are."""
    return _golden_case
