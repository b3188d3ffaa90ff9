"""Cost of a call when there is next to nothing to compute: a * x + y on N numbers."""

from typing import Any

import numpy as np

from benchmarks.workload import Case, Ready, Workload

__all__ = ["WORKLOAD"]


def inputs(case: Case) -> tuple[Any, Any, Any]:
    """a (N,), x (N,), y (N,)."""
    rng = np.random.default_rng(0)
    a, x, y = rng.normal(size=(3, case["N"])).astype(np.float32)
    return a, x, y


def with_polyad_kernel(case: Case) -> Ready:
    import polyad as pa

    N = pa.sizes("N")
    a, x, y = (pa.placeholder((N,), name=n) for n in "axy")
    kernel = pa.compile(a * x + y, [a, x, y], name="axpy", target="c")
    values = inputs(case)
    return Ready(lambda: kernel(*values))


def with_polyad_function(case: Case) -> Ready:
    import polyad as pa

    run = pa.jit(lambda a, x, y: a * x + y, target="c")
    values = inputs(case)
    return Ready(lambda: run(*values))


def with_numpy(case: Case) -> Ready:
    a, x, y = inputs(case)
    return Ready(lambda: a * x + y)


def with_torch(case: Case) -> Ready:
    import torch

    a, x, y = map(torch.from_numpy, inputs(case))
    return Ready(lambda: a * x + y)


def with_jax(case: Case) -> Ready:
    import jax

    values = [jax.numpy.asarray(v) for v in inputs(case)]
    run = jax.jit(lambda a, x, y: a * x + y)
    return Ready(lambda: jax.block_until_ready(run(*values)))


WORKLOAD = Workload(
    about="one call of a kernel that has nothing to do",
    cases=(Case({"N": 8}, quick=True), Case({"N": 1000})),
    contenders={
        "polyad kernel": with_polyad_kernel,
        "polyad jit": with_polyad_function,
        "numpy": with_numpy,
        "torch": with_torch,
        "jax": with_jax,
    },
)
