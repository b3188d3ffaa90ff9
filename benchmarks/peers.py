"""The libraries polyad is compared with, and how each is told its number of threads."""

import importlib.util
import os

__all__ = ["BEFORE", "OWN", "PEERS", "environment", "installed", "keep_to_cores", "library_of", "load"]

OWN = ("polyad", "numpy")
"""Always there."""

PEERS = ("torch", "jax")

BEFORE = "before"
"""polyad as it is in another checkout: the contender `before` is given the definition that is first in a workload."""


def library_of(contender: str) -> str:
    return contender.split()[0]


def installed(library: str) -> bool:
    return importlib.util.find_spec(library) is not None


def environment(contender: str, threads: int) -> dict[str, str]:
    """The variables that libraries read when they are loaded."""
    variables = dict.fromkeys(("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS"), str(threads))
    variables |= {"JAX_PLATFORMS": "cpu", "TF_CPP_MIN_LOG_LEVEL": "2"}
    if library_of(contender) in ("polyad", BEFORE) and threads > 1:
        variables["OMP_PROC_BIND"] = "true"  # else both threads may stay on one core for a while
    return variables


def keep_to_cores(threads: int) -> None:
    """Let this process use that many cores, the last ones: XLA has no variable and makes as many threads as cores."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[-threads:])


def load(contender: str) -> None:
    """Import the library, so that it is not part of what a contender's set-up and first call take."""
    library = "polyad" if contender == BEFORE else library_of(contender)
    importlib.import_module(library)
    if library == "jax":
        import jax

        jax.numpy.zeros(3).block_until_ready()
