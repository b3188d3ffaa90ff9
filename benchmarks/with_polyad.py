"""Value and gradient by polyad: one kernel."""

import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from benchmarks.workload import Case, Contender, Ready

__all__ = ["placeholders", "with_polyad"]

Inputs = Callable[[Case], Mapping[str, Any]]
Loss = Callable[..., Any]
Wrt = Callable[[Case], Sequence[str]]


def placeholders(arrays: Mapping[str, Any]) -> dict[str, Any]:
    """Tensors for arrays, with their extents as constants: what a user does who knows the sizes."""
    import polyad as pa

    return {n: pa.placeholder(a.shape, name=n, dtype=str(a.dtype)) for n, a in arrays.items()}


def with_polyad(inputs: Inputs, loss: Loss, wrt: Wrt) -> Contender:
    """The contender that compiles the loss and its gradient together and calls the kernel with arrays to fill.

    Args:
        inputs: the arrays of a case, by name.
        loss: loss(case, **tensors), a tensor without dimensions.
        wrt: the inputs to differentiate with respect to.
    """

    def set_up(case: Case) -> Ready:
        import polyad as pa

        values = inputs(case)
        start = time.perf_counter()
        tensors = placeholders(values)
        value = loss(case, **tensors)
        gradients = pa.grad(value, [tensors[n] for n in wrt(case)])
        kernel = pa.compile([value, *gradients], list(tensors.values()), name="gradient")
        seconds = time.perf_counter() - start
        arguments = list(values.values())
        out = [np.empty((), case.dtype), *(np.empty_like(values[n]) for n in wrt(case))]
        plan = kernel.memory_plan()
        return Ready(
            lambda: kernel(*arguments, out=out),
            lambda _: [a.copy() for a in out],
            compile_seconds=seconds,
            workspace_bytes=plan.total_bytes,
        )

    return set_up
