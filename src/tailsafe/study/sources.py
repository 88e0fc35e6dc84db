"""Where the domains of a study come from: what travels to a worker instead of their arrays."""

from dataclasses import dataclass
from typing import Protocol

import numpy as np

from tailsafe.arrays import check_type
from tailsafe.domains.domain import Domain
from tailsafe.keys import Key, Stream
from tailsafe.mdp import MDP
from tailsafe.posterior import Dirichlet
from tailsafe.study.named import called
from tailsafe.table import Table

Argument = int | float | str | bool
"""What a domain may be parametrised with."""


class Origin(Protocol):
    """A frozen dataclass of plain values; its repr says all that decides the domain."""

    def domain(self, trial: int) -> Domain:
        """Return the domain of a trial."""


@dataclass(frozen=True, slots=True)
class Source:
    """A domain by its name, the same for every trial.

    Parameters
    ----------
    function
        Of ``tailsafe.domains``; or ``module.function``, one of your own that returns a Domain.
    arguments
        Its keyword arguments.
    """

    function: str
    arguments: tuple[tuple[str, Argument], ...] = ()

    def domain(self, trial: int) -> Domain:
        """Return the domain."""
        del trial
        made = called(self.function, "tailsafe.domains", **dict(self.arguments))
        check_type(made, Domain, f"what {self.function} returns")
        assert isinstance(made, Domain)
        return made


@dataclass(frozen=True, slots=True)
class FromPrior:
    """The task of a domain with another truth in each trial, drawn from the flat prior.

    The posterior is right on average over such truths: what the certificate promises can be
    checked against them.
    """

    source: Source

    def domain(self, trial: int) -> Domain:
        """Return the domain with truth number ``trial``."""
        given = self.source.domain(trial)
        task = given.task
        table = Table.full(task.n_states, task.n_actions)
        prior = Dirichlet(table, np.ones(table.n_entries), np.zeros(table.n_rows, bool))
        drawn = prior.models(trial, trial + 1, Key(0, Stream.STUDY))[0]
        return Domain(given.name, task, MDP(task, table, drawn), given.source)
