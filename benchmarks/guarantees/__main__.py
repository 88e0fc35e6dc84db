"""Measures every probability that is printed, and writes the tables of the documentation:

./run coverage [--quick] [--only NAME ...] [--workers N] [--repetitions N]

Exit code 1 if a claim was broken. The reduced form (--quick) takes fewer repetitions and shorter
lists of models, and writes nothing; it is among the tests.
"""

import argparse
import sys
from collections.abc import Callable
from time import perf_counter

from benchmarks import pages
from benchmarks.guarantees.certificates import certify_all, estimate_all
from benchmarks.guarantees.claims import SEED, Report, Row, Setting, table
from benchmarks.guarantees.doors import doors_all
from benchmarks.guarantees.printed import printed_all
from benchmarks.guarantees.races import budget_all, race_all
from benchmarks.guarantees.spent import spent_all
from benchmarks.guarantees.worlds import fixed_all, worlds_all
from tailsafe.engine import Engine

BLOCKS: dict[str, Callable[[Setting], Report]] = {
    "certificate": certify_all,
    "estimate": estimate_all,
    "race": race_all,
    "budget": budget_all,
    "doors": doors_all,
    "worlds": worlds_all,
    "fixed": fixed_all,
    "printed": printed_all,
    "spent": spent_all,
}

QUICK, FULL = 100, 2_000


def main() -> int:
    """Return the exit code."""
    asked = _parser().parse_args()
    repetitions = asked.repetitions or (QUICK if asked.quick else FULL)
    setting = Setting(repetitions, asked.workers, asked.quick)
    rows: list[Row] = []
    for name in asked.only or BLOCKS:
        begun = perf_counter()
        report = BLOCKS[name](setting)
        broken = sum(not row.kept for row in report.rows)
        took = perf_counter() - begun
        print(f"{name}: {len(report.rows)} rows, {broken} broken, {took:.0f} s", flush=True)
        rows += report.rows
        if asked.quick:
            print(table(report.rows), *report.tables.values(), sep="\n\n")
        else:
            write(name, report, setting)
    broken_rows = [row for row in rows if not row.kept]
    if broken_rows:
        print(table(broken_rows))
    return 1 if broken_rows else 0


def write(block: str, report: Report, setting: Setting) -> None:
    """Write the rows of a block, and its other tables, wherever a page has a place for them."""
    places = dict(report.tables)
    if report.rows:
        places[block] = table(report.rows)
    made = f"Made by `./run coverage --only {block}`: seed {SEED}, "
    pages.write(places, made + f"{setting.repetitions:,} repetitions.")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="./run coverage", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="the reduced form; writes nothing")
    parser.add_argument("--only", nargs="+", choices=list(BLOCKS), metavar="NAME",
                        help=f"of {', '.join(BLOCKS)}")  # fmt: skip
    parser.add_argument("--workers", type=int, default=Engine().n_workers)
    parser.add_argument("--repetitions", type=int, help=f"{FULL:,} if not given")
    return parser


if __name__ == "__main__":
    sys.exit(main())
