"""Generated text, with what a caller needs to know of it."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from polyad.codegen.index_limits import Total
from polyad.codegen.launch_shape import LaunchShape
from polyad.codegen.record_json import as_json, from_json
from polyad.codegen.storage.memory_plan import MemoryPlan
from polyad.ir.affine import Affine
from polyad.ir.element_types import item_bytes, numpy_type

__all__ = ["Argument", "IndexCheck", "Source"]


@dataclass(frozen=True, slots=True)
class Argument:
    """An array argument of the kernel.

    Attributes:
        name: as in the program.
        c_name: as in the C text.
        dtype: element type.
        shape: extents in the sizes.
        is_output: the kernel writes it.
        over: of an output, the input in whose place it lies: the C function has one parameter for both.
        overwritten: of an input, whether an output lies in its place.
    """

    name: str
    c_name: str
    dtype: str
    shape: tuple[Affine, ...]
    is_output: bool
    over: str = ""
    overwritten: bool = False

    def bytes(self, sizes: Mapping[str, int]) -> int:
        """The bytes of its elements at given sizes."""
        return math.prod(max(0, e.evaluate(sizes)) for e in self.shape) * item_bytes(self.dtype)

    @property
    def numpy_type(self) -> np.dtype[Any]:
        """NumPy's type of the array; DTypeError for bfloat16 without the package ml_dtypes."""
        return numpy_type(self.dtype)

    @property
    def way(self) -> str:
        """`in`, `out` or `in,out`, as Doxygen says it."""
        return "out" if self.is_output else "in,out" if self.overwritten else "in"

    @property
    def const(self) -> str:
        """`const ` of a parameter that is not written."""
        return "const " if self.way == "in" else ""


@dataclass(frozen=True, slots=True)
class IndexCheck:
    """A data-dependent index that the kernel checks.

    Attributes:
        array: the array accessed.
        dimension: which of its dimensions.
        extent: its extent there; the index must be at least 0 and less.
        index: the index as readable text, `ids[t]`.
        before: checked before anything is computed; else where the index is used, and the results are void when the
            check fails.
    """

    array: str
    dimension: int
    extent: Affine
    index: str
    before: bool


@dataclass(frozen=True, slots=True)
class Source:
    """A kernel in C, or in CUDA C++.

    Attributes:
        name: the C name of the kernel function.
        c: the file; includes a header of polyad and nothing else of it.
        header: the header file; of CUDA, that of `host`.
        cdef: the declarations of the header without preprocessor lines, as cffi takes them; none of CUDA.
        sizes: the size parameters.
        size_members: their names as members of `<name>_sizes`, in the same order; ("unused",) when there are none.
        arguments: the array arguments in the order of the call, inputs before outputs.
        memory: the workspace.
        checks: the data-dependent indices that are checked.
        in_order: sums are added up as a given schedule says (codegen/options.py).
        suffix: of the file.
        launches: what a GPU is told to run, in order.
        host: of CUDA, the C file of the function that launches the kernels; "" of C.
        requires: the condition that sizes fulfil, where no C function tests it (loops/value_text.py); "" for none.
        limits: what sizes may not make larger than an integer of 32 bits holds, where loops count with those.
    """

    name: str
    c: str
    header: str
    cdef: str
    sizes: tuple[str, ...]
    size_members: tuple[str, ...]
    arguments: tuple[Argument, ...]
    memory: MemoryPlan
    checks: tuple[IndexCheck, ...]
    in_order: bool = False
    suffix: str = ".c"
    launches: tuple[LaunchShape, ...] = ()
    host: str = ""
    requires: str = ""
    limits: tuple[Total, ...] = ()

    @property
    def parameters(self) -> tuple[Argument, ...]:
        """The arguments that are parameters of the C function: an output in the place of an input is none."""
        return tuple(a for a in self.arguments if not a.over)

    def workspace_bytes(self, sizes: Mapping[str, int], threads: int = 1) -> int:
        """The bytes of workspace at given sizes, as the generated function `<name>_workspace` computes them.

        Args:
            sizes: by name.
            threads: as many as may run.
        """
        return self.memory.workspace_bytes(sizes, threads)

    def host_bytes(self, sizes: Mapping[str, int], threads: int = 1) -> int:
        """The bytes of workspace that a caller on the CPU provides: none for a GPU, which has its own."""
        return 0 if self.suffix == ".cu" else self.workspace_bytes(sizes, threads)

    def to_dict(self) -> dict[str, Any]:
        """As JSON values, for a cache on disk."""
        found: dict[str, Any] = as_json(self)
        return found

    @staticmethod
    def from_dict(data: Mapping[str, Any]) -> Source:
        """The inverse of `to_dict`."""
        found: Source = from_json(Source, data)
        return found
