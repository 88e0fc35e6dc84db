"""From options to a problem and its candidates."""

import sys
from dataclasses import replace
from pathlib import Path

from tailsafe.candidate import Candidate
from tailsafe.cli.clock import Clock
from tailsafe.cli.groups import DISCOUNT
from tailsafe.cli.options import Options
from tailsafe.cli.portfolios import portfolio
from tailsafe.cli.progress import Watchers
from tailsafe.data import Caution, Columns, Posed, Setting, pose, read_log, read_policies
from tailsafe.engine import Engine
from tailsafe.errors import InvalidData
from tailsafe.propose import Proposal, propose
from tailsafe.race.distinct import distinct
from tailsafe.record.laws import level_of


def watched(options: Options) -> bool:
    """Return whether somebody sees a progress bar."""
    return sys.stderr.isatty() and not options.quiet


def posed_problem(options: Options, clock: Clock) -> Posed:
    """Return the problem that the log and the options pose."""
    _check_named("--support", options.support, ("all", "seen"))
    _check_named("--reward", options.reward, ("log", "mean"))
    with clock.timing("read"):
        columns = Columns.parsed(options.column)
        log = read_log(options.log, columns, options.states, options.actions)
        setting = Setting(
            discount=DISCOUNT if options.discount is None else options.discount,
            prior=options.prior,
            support=options.support,
            reward=options.reward,
            unseen_reward=options.unseen_reward,
            terminal=options.terminal,
            behaviour=options.behaviour,
        )
        posed = pose(log, setting)
    return posed if options.discount is not None else _warned(posed)


def _check_named(option: str, given: str, words: tuple[str, str]) -> None:
    """Raise InvalidData where a mistyped word would be looked for as a file."""
    if given not in words and not Path(given).exists():
        raise InvalidData(
            f"cannot read {given}: No such file or directory; {option} takes {words[0]}, "
            f"{words[1]} or a file"
        )


def _warned(posed: Posed) -> Posed:
    words = (
        f"No discount was given: a reward one step later was taken to be worth {DISCOUNT} of one "
        "now. Another value (--discount) may lead to another choice."
    )
    return replace(posed, warnings=(Caution("discount", words), *posed.warnings))


def proposed(options: Options, posed: Posed, watchers: Watchers, clock: Clock) -> Proposal:
    """Return the user's own policies and those of the portfolio, each once."""
    own = given(options, posed)
    methods = portfolio(options.portfolio, level_of(options.risk))
    with clock.timing("propose"):
        engine = Engine(workers=options.threads)
        found = propose(
            posed.problem, methods, options.seed, engine, watchers.proposed, risk=options.risk
        )
    clock.seconds.update({f"propose {name}": taken for name, taken in found.seconds.items()})
    return replace(found, candidates=distinct(posed.problem, (*own, *found.candidates)))


def given(options: Options, posed: Posed) -> tuple[Candidate, ...]:
    """Return the user's own policies; they come first, so that their names stand for them."""
    if options.policies is None:
        return ()
    return read_policies(options.policies, posed.log.labels, posed.problem.task.terminal)
