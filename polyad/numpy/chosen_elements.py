"""`where=` and `initial=` of reductions: which elements count, and what is there before the first of them.

    chosen[i...] = x[i...] where mask[i...] holds, else what changes nothing: 0 in a sum, 1 in a product

Derivatives pass through the elements that count only: an element that does not may be nan or infinite.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from polyad.errors import CallError, DTypeError, ShapeError
from polyad.frontend.constants import as_tensor
from polyad.frontend.scalar import Applied, Number, Scalar, Selected, as_scalar
from polyad.frontend.tensor import Tensor, define
from polyad.ir.element_types import limits
from polyad.numpy.dimensions import aligned, broadcast_extents, extents, shape_text

__all__ = ["chosen", "combined", "lowest_or_highest", "mask_of", "need_initial"]


def mask_of(where: Any, x: Tensor, what: str) -> Tensor | None:
    """Return a tensor of truth values, of the shape of x, that says which elements count; None where all do.

    Raises:
        DTypeError: no truth values.
        ShapeError: the shape does not broadcast to that of x.
    """
    if where is True:
        return None
    mask = as_tensor(where, f"{what}: where")
    if mask.dtype != "bool":
        raise DTypeError(f"{what}: where is of type {mask.dtype}; it takes truth values (compare first: mask != 0)")
    shape = extents(x)
    common = broadcast_extents(f"{what}: where", [extents(mask), shape])
    if [e.affine for e in common] != [e.affine for e in shape]:
        raise ShapeError(
            f"{what}: where of shape {shape_text(extents(mask))} does not broadcast to {shape_text(shape)}"
        )
    return define(shape, lambda *i: mask.element(aligned(extents(mask), i)), "mask")


def chosen(x: Tensor, mask: Tensor | None, neutral: float | int | bool) -> Tensor:
    """The elements that count, `neutral` in the place of the others."""
    if mask is None:
        return x

    def body(*index: Any) -> Scalar:
        return Selected(mask.element(index), x.element(index), Number(neutral))

    return define(extents(x), body, "chosen")


def lowest_or_highest(kind: str, dtype: str) -> float | int | bool:
    """Return the number that changes no maximum (minimum) of elements of this type."""
    if dtype == "bool":
        return kind == "min"
    if "float" in dtype:
        return float("-inf") if kind == "max" else float("inf")
    return limits(dtype)[kind == "min"]


def combined(op: str, initial: Any) -> Callable[[Scalar], Scalar]:
    """Return a function that puts a reduction together with `initial`, a number or a scalar tensor.

    Raises:
        ShapeError, DTypeError: no number.
    """
    if initial is None:
        return lambda value: value
    start = as_scalar(initial)
    return lambda value: Applied(op, (value, start))


def need_initial(what: str) -> CallError:
    """A maximum of chosen elements, of which there may be none."""
    return CallError(
        f"{what} with where= needs initial=, its value where no element is chosen; in floats "
        f"initial={'-' if what == 'max' else ''}float('inf') changes none",
        "initial",
    )
