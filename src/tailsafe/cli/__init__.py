"""The command line: ``tailsafe select | evaluate | data | report | study | demo``."""

import os
import sys
from collections.abc import Sequence

from tailsafe.errors import TailsafeError

SELECTED, BAD_INPUT, UNDECIDED, STOPPED = 0, 2, 3, 130


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code.

    0: done. 2: bad input, with one line on standard error. 3: the models of the budget were spent,
    or the race was interrupted, and ties remain; or units of a study remain. 130: interrupted
    before the race had begun.
    """
    from tailsafe.cli.interrupts import interrupts_restored
    from tailsafe.cli.parser import parsed

    try:
        with interrupts_restored():
            options = parsed(sys.argv[1:] if arguments is None else arguments)
            return options.run(options)
    except TailsafeError as error:
        return _failed(str(error))
    except BrokenPipeError:
        # Whoever read our output has gone. Python would complain again when it flushes at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return SELECTED
    except OSError as error:
        named = f"{error.filename}: " if error.filename else ""
        return _failed(f"{named}{error.strerror or error}")
    except KeyboardInterrupt:
        print("tailsafe: interrupted before anything was decided", file=sys.stderr)
        return STOPPED


def _failed(message: str) -> int:
    print(f"tailsafe: error: {message}", file=sys.stderr)
    return BAD_INPUT
