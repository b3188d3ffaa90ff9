"""How long threads spin before they sleep, where they wait for each other."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager

__all__ = ["SPINS", "short_waits"]

SPINS = "2000"
"""Looks at a barrier before a thread sleeps, some 70 us: others that have a share of the same step come before."""


@contextmanager
def short_waits() -> Iterator[None]:
    """Tell GNU's OpenMP library, which reads its environment as it is loaded, that threads soon sleep while they wait.

    As it comes, they spin for some ten milliseconds, on the cores that those need that they wait for: beside eleven
    processes on two cores, a kernel that meets in each step took a hundred times as long as on one thread. What the
    user has set stays.
    """
    asked = None if os.environ.keys() & {"OMP_WAIT_POLICY", "GOMP_SPINCOUNT"} else SPINS
    if asked is not None:
        os.environ["GOMP_SPINCOUNT"] = asked
    try:
        yield
    finally:
        if asked is not None:
            del os.environ["GOMP_SPINCOUNT"]
