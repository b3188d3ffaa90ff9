"""Value and gradient by polyad: one kernel."""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from benchmarks.workload import Case, Ready

__all__ = ["Polyad", "placeholders"]


def placeholders(arrays: Mapping[str, Any]) -> dict[str, Any]:
    """Tensors for arrays, with their extents as constants: what a user does who knows the sizes."""
    import polyad as pa

    return {n: pa.placeholder(a.shape, name=n, dtype=str(a.dtype)) for n, a in arrays.items()}


@dataclass(frozen=True, slots=True)
class Polyad:
    """The contender that compiles the loss and its gradient together and calls the kernel with arrays to fill.

    Attributes:
        inputs: the arrays of a case, by name.
        loss: loss(case, **tensors), a tensor without dimensions.
        wrt: the inputs to differentiate with respect to.
    """

    inputs: Callable[[Case], Mapping[str, Any]]
    loss: Callable[..., Any]
    wrt: Callable[[Case], Sequence[str]]

    def kernel(self, case: Case, **options: Any) -> Any:
        """The kernel of a case; options are those of `polyad.compile`."""
        import polyad as pa

        tensors = placeholders(self.inputs(case))
        value = self.loss(case, **tensors)
        gradients = pa.grad(value, [tensors[n] for n in self.wrt(case)])
        return pa.compile([value, *gradients], list(tensors.values()), name="gradient", **options)

    def __call__(self, case: Case) -> Ready:
        start = time.perf_counter()
        kernel = self.kernel(case)
        seconds = time.perf_counter() - start
        values = self.inputs(case)
        arguments = list(values.values())
        out = [np.empty((), case.dtype), *(np.empty_like(values[n]) for n in self.wrt(case))]
        return Ready(
            lambda: kernel(*arguments, out=out),
            lambda _: [a.copy() for a in out],
            compile_seconds=seconds,
            workspace_bytes=kernel.memory_plan().total_bytes,
        )
