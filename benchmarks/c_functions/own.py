"""polyad's value and gradient of the C function."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.c_functions.function import Function

__all__ = ["Own"]


class Own:
    """A kernel, called with nothing; what it writes stays where it is, as that of C does.

    Attributes:
        results: name -> what it writes: what C writes, and derivatives by their names.
        workspace_bytes: what it needs besides.
    """

    def __init__(self, function: Function, folder: Path, threads: int, gradient: bool) -> None:
        import polyad as pa

        case = function.case
        path = folder / f"{function.name}.c"
        path.write_text(function.text)
        program = pa.from_c(path, function.name)
        if gradient:
            program = program.grad(case.of, case.wrt)
        self._kernel = pa.compile(program, target=pa.Target("openmp" if threads > 1 else "c"))
        self._given = {n: function.given[n] for n in (*program.inputs, *program.sizes) if n in function.given}
        cotangent = f"{case.of}_bar"
        if cotangent in program.inputs:
            self._given[cotangent] = function.seed()
        sizes = {n: function.sizes[n] for n in program.sizes}
        self.workspace_bytes = self._kernel.memory_plan(**sizes).total_bytes
        self.results: dict[str, Any] = self._kernel(**self._given)
        self._out = [np.empty_like(array) for array in self.results.values()]
        self.results = dict(zip(self.results, self._out, strict=True))
        self()

    def __call__(self) -> None:
        self._kernel(**self._given, out=self._out)
