"""The plans of a kernel: one for each combination of shapes that it is called with, some of them kept."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from polyad.codegen.source import Argument, Source
from polyad.errors import CallError
from polyad.ir.array import Array
from polyad.runtime.direct_call import CallPlan
from polyad.runtime.given_sizes import refuse_unaddressable, refuse_uncountable
from polyad.runtime.workspace import FFI
from polyad.semantics.sizes import SizeSolver

__all__ = ["NegativeExtentError", "Plans"]

_KEPT = 64

Shapes = tuple[tuple[int, ...], ...]
"""One an input."""


class NegativeExtentError(Exception):
    """Sizes at which an output would have fewer than no elements; the program says which of them it excludes."""

    def __init__(self, sizes: Mapping[str, int]):
        super().__init__(sizes)
        self.sizes = sizes


class Plans:
    """Makes plans and keeps them.

    Attributes:
        kept: by the key of `direct_call`.
    """

    def __init__(self, code: Source, inputs: Sequence[Argument], outputs: Sequence[Argument]):
        self._code, self._inputs, self._outputs = code, inputs, outputs
        self._solver = SizeSolver([Array(a.name, a.shape, a.dtype, "input") for a in inputs], code.sizes)
        self.kept: dict[Any, CallPlan] = {}

    def get(self, shapes: Shapes, known: Mapping[str, int], threads: int) -> CallPlan:
        """The plan for inputs of these shapes.

        Args:
            shapes: of the inputs.
            known: sizes given by name.
            threads: how many may run, where the workspace depends on it.

        Raises:
            CallError: the shapes do not fit together, or the sizes are too large for any machine.
            NegativeExtentError: the sizes are outside of what the program allows.
        """
        key: Any = (shapes, tuple(sorted(known.items()))) if known else shapes
        if self._code.memory.by_threads:
            key = (key, threads)
        plan = self.kept.get(key)
        if plan is None:
            plan = self._make(key, shapes, known, threads)
            if len(self.kept) >= _KEPT:
                self.kept.clear()
            self.kept[key] = plan
        return plan

    def sizes(self, shapes: Shapes, known: Mapping[str, int]) -> dict[str, int]:
        """The values of the parameters at these shapes."""
        by_name = {a.name: shape for a, shape in zip(self._inputs, shapes, strict=True)}
        try:
            return self._solver.solve(by_name, known)
        except CallError as problem:
            raise CallError(f"{self._code.name}: {problem}", problem.argument) from None

    def _make(self, key: Any, shapes: Shapes, known: Mapping[str, int], threads: int) -> CallPlan:
        sizes = self.sizes(shapes, known)
        outputs = tuple(tuple(extent.evaluate(sizes) for extent in a.shape) for a in self._outputs)
        if any(min(shape, default=0) < 0 for shape in outputs):
            raise NegativeExtentError(sizes)
        workspace_bytes = self._code.host_bytes(sizes, threads)
        refuse_uncountable(self._code.name, self._code.limits, sizes)
        refuse_unaddressable(self._code.name, self._outputs, outputs, workspace_bytes)
        values = [sizes[name] for name in self._code.sizes] or [0]  # without sizes the struct has one unused member
        return CallPlan(
            key=key,
            sizes=FFI.new("int64_t[]", values),
            shapes=outputs,
            workspace_bytes=workspace_bytes,
            empty=tuple(i for i, shape in enumerate(shapes) if 0 in shape),
        )
