"""What the command line asks for, typed; each command sets what it has options for."""

from argparse import Namespace
from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tailsafe.risk import RiskMeasure


class Options(Namespace):
    """The options of one run; argparse fills them in."""

    run: Callable[["Options"], int]
    arguments: list[str]
    # The log and what is known besides.
    log: str
    column: list[str]
    discount: float | None
    prior: float
    support: str
    states: int | list[str] | None
    actions: int | list[str] | None
    terminal: list[str] | None
    behaviour: str | None
    reward: str
    unseen_reward: float | None
    # The question.
    risk: "RiskMeasure"
    alpha: float
    alpha_certificate: float
    eps: float | None
    eps_rel: float
    # The candidates.
    portfolio: str
    policies: str | None
    # The computation.
    seed: int
    threads: int | None
    budget: int
    # What comes out.
    output: str | None
    json: bool
    quiet: bool
    # The report.
    selection: str
    # A study.
    study: str
    profile: list[str]
    domain: list[str]
    trials: int | None
    quick: bool
    jobs: int | None
    executor: str
    scheduler: str | None
    part: tuple[int, int] | None
    gather: list[str]
    export: list[str]
