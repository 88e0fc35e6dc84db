"""The options that commands share, in groups."""

from argparse import ArgumentParser, _ActionsContainer

from tailsafe.cli import texts
from tailsafe.cli.portfolios import NAMES

BUDGET = 2**19
"""The default of the largest number of models."""

DISCOUNT = 0.95
"""Assumed if none is given, and the user is told: a log cannot say what the future is worth."""


def add_log(parser: ArgumentParser) -> None:
    """Add the log and what has to be known besides it."""
    parser.add_argument("log", metavar="LOG", help="the log of transitions")
    group = parser.add_argument_group("the log and the model")
    group.add_argument(
        "--column", metavar="ROLE=NAME", action="append", default=[],
        help="which column is which, e.g. state=ward; may be repeated",
    )  # fmt: skip
    group.add_argument(
        "--discount", metavar="G", type=texts.discount,
        help=f"what a reward one step later is worth, 0 to 1 (default {DISCOUNT}, with a warning); "
        "1 asks for episodes that terminate",
    )  # fmt: skip
    group.add_argument(
        "--prior", metavar="C", type=texts.positive, default=1.0,
        help="Dirichlet concentration of each possible next state before the log "
        "(default %(default)s: flat)",
    )  # fmt: skip
    group.add_argument(
        "--support", metavar="WHICH", default="all",
        help="which next states are possible: all (default), seen (those in the log), or a FILE "
        "with columns state, action, next_state",
    )  # fmt: skip
    add_rewards(group)
    for name in ("states", "actions"):
        group.add_argument(
            f"--{name}", metavar="N|A,B,...", type=texts.names,
            help=f"all {name}, or how many (0, 1, ...), if the log may not show them all",
        )  # fmt: skip
    group.add_argument(
        "--terminal", metavar="A,B,...", type=texts.labels,
        help="states that end an episode (default: those that end one in the log)",
    )  # fmt: skip
    group.add_argument(
        "--behaviour", metavar="FILE",
        help="the policy that made the log, if it is known (default: estimated from the log)",
    )  # fmt: skip


def add_rewards(group: _ActionsContainer) -> None:
    """Add where rewards come from."""
    group.add_argument(
        "--reward", metavar="SOURCE", default="log",
        help="log (default: what the log shows, which must be a function of state, action and "
        "next state), mean (of each pair in the log), or a FILE with columns state, action, "
        "next_state (any of them) and reward",
    )  # fmt: skip
    group.add_argument(
        "--unseen-reward", metavar="R", type=texts.finite,
        help="the reward of what the source does not show (default: the lowest it shows)",
    )  # fmt: skip


def add_question(parser: ArgumentParser) -> None:
    """Add what is to be large, and how sure one wants to be."""
    group = parser.add_argument_group("the question")
    add_risk(group)
    group.add_argument(
        "--alpha", metavar="A", type=texts.proper_share, default=0.01,
        help="error probability of the choice and of the intervals (default %(default)s)",
    )  # fmt: skip
    group.add_argument(
        "--alpha-certificate", metavar="A", type=texts.proper_share, default=0.01,
        help="error probability of the certificate (default %(default)s)",
    )  # fmt: skip


def add_risk(group: _ActionsContainer) -> None:
    """Add the measure."""
    group.add_argument(
        "--risk", metavar="RISK", type=texts.risk_of, default="cvar:0.25",
        help="cvar:0.25 (default: mean of the worst quarter of what may be true), var:0.1 "
        "(reached in nine models of ten), mean",
    )  # fmt: skip


def add_precision(parser: ArgumentParser) -> None:
    """Add how close to the best is close enough, and at what cost."""
    group = parser.add_argument_group("the choice")
    either = group.add_mutually_exclusive_group()
    either.add_argument(
        "--eps", metavar="E", type=texts.positive,
        help="policies within E of the best count as equally good, in units of performance",
    )  # fmt: skip
    either.add_argument(
        "--eps-rel", metavar="R", type=texts.positive, default=0.01,
        help="the same as a share of the favourite's standard deviation (default %(default)s)",
    )  # fmt: skip
    group.add_argument(
        "--budget", metavar="N", type=texts.count, default=BUDGET,
        help="look at no more than N models (default %(default)s)",
    )  # fmt: skip


def add_candidates(parser: ArgumentParser) -> None:
    """Add where candidates come from."""
    group = parser.add_argument_group("the candidates")
    group.add_argument(
        "--portfolio", choices=NAMES, default="standard",
        help="methods that propose policies (default %(default)s)",
    )  # fmt: skip
    group.add_argument(
        "--policies", metavar="FILE", help="policies of your own, judged with the others"
    )


def add_computation(parser: ArgumentParser) -> None:
    """Add the seed, and how fast."""
    group = parser.add_argument_group("the computation")
    group.add_argument(
        "--seed", metavar="N", type=texts.seed, default=0,
        help="of all random models (default %(default)s); the same seed gives the same result",
    )  # fmt: skip
    add_threads(group)


def add_threads(group: _ActionsContainer) -> None:
    """Add how many threads."""
    group.add_argument(
        "--threads", metavar="N", type=texts.count,
        help="how many (default: all cores); the result does not depend on it",
    )  # fmt: skip


def add_outputs(parser: ArgumentParser) -> None:
    """Add where results go."""
    group = parser.add_argument_group("the outputs")
    group.add_argument("--output", metavar="DIR", help="folder of the files; made if need be")
    add_silence(group, "print selection.json instead of the table")


def add_silence(group: _ActionsContainer, json: str) -> None:
    """Add what is printed."""
    group.add_argument("--json", action="store_true", help=json)
    group.add_argument("--quiet", action="store_true", help="print nothing but errors (and --json)")


def add_study(parser: ArgumentParser) -> None:
    """Add which study, and which part of it."""
    parser.add_argument("study", metavar="STUDY", help='"paper", or a TOML file that describes one')
    group = parser.add_argument_group("what is done")
    group.add_argument(
        "--profile", metavar="A,B,...", type=texts.labels, default=[],
        help="only these profiles; of the paper: published, paper, tailsafe (default: all)",
    )  # fmt: skip
    group.add_argument(
        "--domain", metavar="A,B,...", type=texts.labels, default=[],
        help="only these domains; of the paper: ring, chain, lake, garnet (default: all)",
    )  # fmt: skip
    group.add_argument(
        "--trials", metavar="N", type=texts.count,
        help="logs of each size; more than before extends a study",
    )  # fmt: skip
    group.add_argument(
        "--quick", action="store_true",
        help="the smallest and the largest logs only, three of each: to see what comes out",
    )  # fmt: skip
    group.add_argument(
        "--seed", metavar="N", type=texts.seed, help="of everything (default: that of the study)"
    )


def add_workers(parser: ArgumentParser) -> None:
    """Add who does the units of a study."""
    group = parser.add_argument_group("who does it (what comes out does not depend on it)")
    group.add_argument(
        "--jobs", metavar="N", type=texts.count, help="units side by side (default: all cores)"
    )
    group.add_argument(
        "--executor", choices=("processes", "threads", "dask"), default="processes",
        help="workers on this machine (default %(default)s)",
    )  # fmt: skip
    group.add_argument(
        "--scheduler", metavar="ADDRESS",
        help="of a Dask cluster, whose workers do the units: tcp://host:8786",
    )  # fmt: skip
    group.add_argument(
        "--part", metavar="K/N", type=texts.part,
        help="only part K of N, each in a folder of its own: for job arrays",
    )  # fmt: skip
    group.add_argument(
        "--gather", metavar="DIR", action="append", default=[],
        help="take over what other folders hold of this study; may be repeated",
    )  # fmt: skip


def add_tables(parser: ArgumentParser) -> None:
    """Add what is written."""
    group = parser.add_argument_group("the outputs")
    group.add_argument(
        "--output", metavar="DIR", help="folder of the files (default: tailsafe-study-NAME)"
    )
    group.add_argument(
        "--export", metavar="FILE", action="append", default=[],
        help="also write all rows, as .csv or .parquet; may be repeated",
    )  # fmt: skip
    group.add_argument("--quiet", action="store_true", help="print nothing but errors")
