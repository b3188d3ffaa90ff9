"""Value and gradient by polyad: one kernel."""

import inspect
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from benchmarks.workload import Case, Ready

__all__ = ["Polyad", "placeholders"]


def placeholders(arrays: Mapping[str, Any], shapes: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """Tensors for arrays.

    Args:
        arrays: by name.
        shapes: theirs in symbols; by default their extents are constants, as with a user who knows the sizes.
    """
    import polyad as pa

    found = {n: a.shape if shapes is None else shapes[n] for n, a in arrays.items()}
    return {n: pa.placeholder(found[n], name=n, dtype=str(a.dtype)) for n, a in arrays.items()}


@dataclass(frozen=True, slots=True)
class Polyad:
    """The contender that compiles the loss and its gradient together and calls the kernel with arrays to fill.

    Attributes:
        inputs: the arrays of a case, by name.
        loss: loss(case, **tensors), a tensor without dimensions.
        wrt: the inputs to differentiate with respect to.
        shapes: shapes(case, **symbols), the shapes of the inputs where sizes are symbols; its parameters after the
            first say which of the sizes may be.
    """

    inputs: Callable[[Case], Mapping[str, Any]]
    loss: Callable[..., Any]
    wrt: Callable[[Case], Sequence[str]]
    shapes: Callable[..., Mapping[str, Any]]

    def kernel(self, case: Case, **options: Any) -> Any:
        """The kernel of a case; options are those of `polyad.compile`."""
        import polyad as pa

        tensors = placeholders(self.inputs(case), self._symbolic_shapes(case) if case.symbolic else None)
        value = self.loss(case, **tensors)
        gradients = pa.grad(value, [tensors[n] for n in self.wrt(case)])
        return pa.compile([value, *gradients], list(tensors.values()), name="gradient", **options)

    def _symbols(self, case: Case) -> list[str]:
        return [n for n in inspect.signature(self.shapes).parameters if n in case.sizes]

    def _symbolic_shapes(self, case: Case) -> Mapping[str, Any]:
        import polyad as pa

        missing = {n: None for n in list(inspect.signature(self.shapes).parameters)[1:] if n not in case.sizes}
        return self.shapes(case, **{n: pa.sizes(n) for n in self._symbols(case)}, **missing)

    def __call__(self, case: Case) -> Ready:
        start = time.perf_counter()
        kernel = self.kernel(case)
        seconds = time.perf_counter() - start
        values = self.inputs(case)
        arguments = list(values.values())
        sizes = {n: case[n] for n in self._symbols(case)} if case.symbolic else {}
        out = [np.empty((), case.dtype), *(np.empty_like(values[n]) for n in self.wrt(case))]
        return Ready(
            lambda: kernel(*arguments, out=out),
            lambda _: [a.copy() for a in out],
            compile_seconds=seconds,
            workspace_bytes=kernel.memory_plan(**sizes).total_bytes,
        )
