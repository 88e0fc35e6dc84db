"""Commands, their options and their help."""

from argparse import ArgumentParser, RawDescriptionHelpFormatter, _SubParsersAction
from collections.abc import Sequence
from typing import NoReturn, TypeAlias

import tailsafe
from tailsafe.cli import commands, groups, manual
from tailsafe.cli.options import Options
from tailsafe.errors import InvalidData

PROG = "tailsafe"
Commands: TypeAlias = "_SubParsersAction[Parser]"


class Parser(ArgumentParser):
    """A parser whose complaints look like all others; argparse wants it overridden."""

    def error(self, message: str) -> NoReturn:
        """Raise InvalidData that says what is wrong, and where to read on."""
        raise InvalidData(f"{message} (see {self.prog} --help)")


def parsed(arguments: Sequence[str]) -> Options:
    """Return the options; --help and --version print and leave with exit code 0."""
    options = _parser().parse_args(arguments, namespace=Options())
    options.arguments = [PROG, *(_writable(text) for text in arguments)]
    return options


def _parser() -> Parser:
    parser = Parser(
        prog=PROG,
        description=manual.ABOUT,
        epilog=manual.CODES,
        formatter_class=RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"{PROG} {tailsafe.__version__}")
    found = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    # A further command is a further line: its parser, its options, and the verb that runs it.
    _add_select(found)
    _add_evaluate(found)
    _add_data(found)
    _add_report(found)
    _add_study(found)
    _add_demo(found)
    return parser


def _add_select(found: Commands) -> None:
    parser = _command(found, "select", "choose a policy, certify it, write a report", manual.SELECT)
    groups.add_log(parser)
    groups.add_question(parser)
    groups.add_precision(parser)
    groups.add_candidates(parser)
    groups.add_computation(parser)
    groups.add_outputs(parser)
    parser.set_defaults(run=commands.select)


def _add_evaluate(found: Commands) -> None:
    parser = _command(found, "evaluate", "judge given policies, each on its own", manual.EVALUATE)
    groups.add_log(parser)
    parser.add_argument("--policies", metavar="FILE", required=True, help="the policies")
    groups.add_question(parser)
    groups.add_computation(parser)
    groups.add_outputs(parser)
    parser.set_defaults(run=commands.evaluate, eps=None, eps_rel=None, budget=0)


def _add_data(found: Commands) -> None:
    parser = _command(found, "data", "say what a log shows, and what it hardly shows", manual.DATA)
    groups.add_log(parser)
    groups.add_candidates(parser)
    groups.add_risk(parser)
    groups.add_computation(parser)
    groups.add_silence(parser, "print what was found as JSON")
    parser.set_defaults(run=commands.data)


def _add_report(found: Commands) -> None:
    parser = _command(found, "report", "write report.html of a selection again", manual.REPORT)
    parser.add_argument("selection", metavar="SELECTION.JSON", help='written by "tailsafe select"')
    parser.add_argument("--output", metavar="FILE", help="default: report.html beside it")
    parser.add_argument("--quiet", action="store_true", help="print nothing but errors")
    parser.set_defaults(run=commands.report)


def _add_study(found: Commands) -> None:
    parser = _command(found, "study", "try methods on many logs of known domains", manual.STUDY)
    groups.add_study(parser)
    groups.add_workers(parser)
    groups.add_tables(parser)
    parser.set_defaults(run=commands.study)


def _add_demo(found: Commands) -> None:
    parser = _command(found, "demo", "the whole way on a log that ships", manual.DEMO)
    groups.add_threads(parser)
    groups.add_outputs(parser)
    parser.set_defaults(run=commands.demo)


def _command(found: Commands, name: str, does: str, epilog: str) -> Parser:
    return found.add_parser(
        name,
        help=does,
        description=does[0].upper() + does[1:] + ".",
        epilog=epilog,
        # A mistyped option must not be taken for another one.
        allow_abbrev=False,
        formatter_class=RawDescriptionHelpFormatter,
    )


def _writable(text: str) -> str:
    """Return an argument as UTF-8 can write it: file names may be any bytes."""
    return text.encode("utf-8", "replace").decode("utf-8")
