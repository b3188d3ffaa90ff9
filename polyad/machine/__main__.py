"""`python -m polyad.machine`: measure this machine (polyad/measure)."""

import sys

from polyad.measure.report import main

if __name__ == "__main__":
    sys.exit(main())
