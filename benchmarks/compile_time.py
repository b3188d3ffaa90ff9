"""How long it takes until an LSTM's value and gradient can run: nothing kept from before, and everything.

The steps differ a hundredfold between the cases and the times should not: nothing is unrolled along a size.
"""

import atexit
import os
import shutil
import tempfile
from collections.abc import Callable
from typing import Any

import numpy as np

from benchmarks.lstm import inputs, jax_loss, polyad_loss
from benchmarks.workload import Case, Workload

__all__ = ["WORKLOAD"]

DONE = np.zeros(())
"""There is no result to compare: `lstm` does that."""


def compile_gradient(case: Case) -> None:
    import polyad as pa

    T, B, H = case["T"], case["B"], case["H"]
    x, target = pa.placeholder((T, B, H), name="x"), pa.placeholder((T, B, H), name="target")
    shapes = {"W_ih": (4 * H, H), "W_hh": (4 * H, H), "b": (4 * H,)}
    weights = [pa.placeholder(shape, name=n) for n, shape in shapes.items()]
    value = polyad_loss(weights, x, target)
    pa.compile([value, *pa.grad(value, weights)], [*weights, x, target], name="lstm_grad")


def own_cache() -> None:
    """A cache for this process alone, so that no earlier run helps."""
    folder = tempfile.mkdtemp(prefix="polyad-benchmark-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    os.environ["POLYAD_CACHE_DIR"] = folder


def with_polyad_cold(case: Case) -> Callable[[], Any]:
    import polyad as pa

    own_cache()

    def call() -> Any:
        pa.clear_cache()
        compile_gradient(case)
        return DONE

    return call


def with_polyad_warm(case: Case) -> Callable[[], Any]:
    own_cache()

    def call() -> Any:
        compile_gradient(case)
        return DONE

    return call


def with_jax(case: Case) -> Callable[[], Any]:
    import jax

    a = inputs(case)

    def call() -> Any:
        jax.clear_caches()
        jax.jit(jax.value_and_grad(jax_loss)).lower([a["W_ih"], a["W_hh"], a["b"]], a["x"], a["target"]).compile()
        return DONE

    return call


WORKLOAD = Workload(
    about="from Python to a kernel: value and gradient of an LSTM layer, float32",
    cases=({"T": 10, "B": 16, "H": 64}, {"T": 1000, "B": 16, "H": 64}),
    contenders={"polyad cold": with_polyad_cold, "polyad warm": with_polyad_warm, "jax cold": with_jax},
)
