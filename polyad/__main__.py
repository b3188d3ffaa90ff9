"""`python -m polyad`: the command line."""

import sys

from polyad.cli import main

if __name__ == "__main__":
    sys.exit(main())
