"""The libraries polyad is compared with, and how each is told its number of threads."""

import importlib.util
import os

__all__ = ["OWN", "PEERS", "installed", "limit_threads"]

OWN = ("polyad", "numpy")
"""Always there."""

PEERS = ("torch", "jax")


def installed(library: str) -> bool:
    return importlib.util.find_spec(library) is not None


def limit_threads(threads: int) -> None:
    """Let this process use that many cores. To be called before any library is imported: most read it once."""
    for variable in ("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
        os.environ[variable] = str(threads)
    os.environ["JAX_PLATFORMS"] = "cpu"
    # XLA has no variable for it: it makes as many threads as the process has cores.
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:threads])
