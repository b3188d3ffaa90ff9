"""The libraries polyad is compared with, and how each is told its number of threads."""

import importlib.util
import os

__all__ = ["OWN", "PEERS", "announce_threads", "installed", "keep_to_cores"]

OWN = ("polyad", "numpy")
"""Always there."""

PEERS = ("torch", "jax")


def installed(library: str) -> bool:
    return importlib.util.find_spec(library) is not None


def announce_threads(threads: int) -> None:
    """Set the variables that libraries read when they are loaded, for the processes that are started from here."""
    for variable in ("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
        os.environ[variable] = str(threads)
    os.environ["JAX_PLATFORMS"] = "cpu"


def keep_to_cores(threads: int) -> None:
    """Let this process use that many cores: XLA has no variable and makes as many threads as it finds cores."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:threads])
