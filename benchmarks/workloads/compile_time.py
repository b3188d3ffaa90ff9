"""How long it takes until an LSTM's value and gradient can run: nothing kept from before, and everything.

The steps differ a hundredfold between the cases and the times should not: nothing is unrolled along a size.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from benchmarks.with_polyad import placeholders
from benchmarks.workload import Case, Ready, Workload
from benchmarks.workloads.lstm import inputs, jax_loss, polyad_loss, wrt

__all__ = ["WORKLOAD"]

DONE = np.zeros(())
"""There is no result to compare: `lstm` does that."""


def compile_gradient(case: Case) -> None:
    import polyad as pa

    tensors = placeholders(inputs(case))
    value = polyad_loss(case, **tensors)
    pa.compile([value, *pa.grad(value, [tensors[n] for n in wrt(case)])], list(tensors.values()), name="lstm_grad")


def done_after(work: Callable[[], Any]) -> Ready:
    def call() -> Any:
        work()
        return DONE

    return Ready(call)


def with_polyad_cold(case: Case) -> Ready:
    import polyad as pa

    def work() -> None:
        pa.clear_cache()
        compile_gradient(case)

    return done_after(work)


def with_polyad_warm(case: Case) -> Ready:
    return done_after(lambda: compile_gradient(case))


def with_jax(case: Case) -> Ready:
    import jax

    arrays = inputs(case)
    variables = {n: arrays.pop(n) for n in wrt(case)}

    def work() -> None:
        jax.clear_caches()
        jax.jit(jax.value_and_grad(lambda v, rest: jax_loss(case, **v, **rest))).lower(variables, arrays).compile()

    return done_after(work)


WORKLOAD = Workload(
    about="from Python to a kernel: value and gradient of an LSTM layer",
    cases=(Case({"T": 10, "B": 16, "H": 64}), Case({"T": 1000, "B": 16, "H": 64}, quick=True)),
    contenders={"polyad cold": with_polyad_cold, "polyad warm": with_polyad_warm, "jax cold": with_jax},
    tiny={"T": 2, "B": 2, "H": 2},
)
