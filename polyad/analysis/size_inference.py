"""Sizes from the shapes of arguments, for those who call a program once; kernels keep a `SizeSolver`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import islpy as isl

from polyad.ir.array import Array
from polyad.semantics.sizes import SizeSolver

__all__ = ["SizeSolver", "solve_sizes"]


def solve_sizes(
    arrays: Sequence[Array],
    shapes: Mapping[str, tuple[int, ...]],
    params: Sequence[str],
    known: Mapping[str, int] | None = None,
    context: isl.Set | None = None,
) -> dict[str, int]:
    """Parameter -> value, from the shapes of arguments.

    Args:
        arrays: the arguments; their shapes are quasi-affine in the parameters.
        shapes: argument name -> its shape.
        params: the parameters to find.
        known: sizes given by name.
        context: [params] -> { : ... }, what the sizes must satisfy.

    Raises:
        CallError: a shape does not fit, a size cannot be found or violates the context; names the argument, what was
            expected and what came.
    """
    return SizeSolver(arrays, params, context).solve(shapes, known)
