"""``python -m tailsafe`` is the command line."""

import sys

from tailsafe.cli import main

if __name__ == "__main__":
    sys.exit(main())
