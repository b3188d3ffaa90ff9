"""Padding: a border around a tensor."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from polyad.errors import ShapeError
from polyad.frontend.argument_checks import choice
from polyad.frontend.complex_numbers.rules import each_part
from polyad.frontend.constants import as_tensor
from polyad.frontend.scalar import Applied, IndexExpr, Scalar, as_index, as_scalar
from polyad.frontend.tensor import Tensor, define
from polyad.numpy.dimensions import TensorLike, extents, one_index
from polyad.numpy.piecewise import Piece, Pieces, in_pieces, whole

__all__ = ["pad"]

Border = Callable[[IndexExpr, IndexExpr], tuple[tuple[IndexExpr, ...] | None, tuple[IndexExpr, ...] | None]]
"""(position relative to the tensor, extent) -> index for positions before it, index for positions behind it."""

_MODES: dict[str, Border] = {
    "constant": lambda p, n: (None, None),
    "edge": lambda p, n: ((one_index(0),), (n - 1,)),
    "reflect": lambda p, n: ((-p,), (n * 2 - 2 - p,)),
    "symmetric": lambda p, n: ((-p - 1,), (n * 2 - 1 - p,)),
    "wrap": lambda p, n: ((p + n,), (p - n,)),
}


@each_part("x", "constant_values")
def pad(x: TensorLike, pad_width: Any, mode: str = "constant", constant_values: Any = 0) -> Tensor:
    """Add a border.

    Args:
        x: tensor.
        pad_width: elements to add: one number, (before, after) for all dimensions, or one such pair per dimension;
            integers or expressions of sizes.
        mode: constant; edge (repeats the outermost element); reflect (mirrors without it); symmetric (mirrors with it);
            wrap (continues with the other end). A border of the last three must be provably no wider than the tensor.
        constant_values: what the border holds in mode constant: one number, (before, behind) for all dimensions, or one
            such pair for each.

    Raises:
        ShapeError: `pad_width` does not fit the dimensions, or is negative.
        DefinitionError: an unknown mode.
        BoundsError: a mirrored border is wider than the tensor for some sizes.
    """
    t = as_tensor(x, "x")
    mode = choice(mode, tuple(_MODES), "pad: mode")
    widths = _widths(pad_width, t.ndim)
    shape = extents(t)
    if isinstance(constant_values, list | tuple | np.ndarray):
        for d, (width, values) in enumerate(zip(widths, _pairs(constant_values, t.ndim), strict=True)):
            for side, value in enumerate(values):
                only = [tuple(w if (n, s) == (d, side) else 0 for s, w in enumerate(width)) for n in range(t.ndim)]
                t = pad(t, only, mode, value)
        return t
    outside = as_scalar(constant_values)

    def body(*index: IndexExpr) -> Scalar:
        groups = [_bordered(i - lo, n, lo, hi, mode) for i, n, (lo, hi) in zip(index, shape, widths, strict=True)]
        return in_pieces(t, groups, Applied("cast", (outside,), t.dtype))

    return define([lo + n + hi for n, (lo, hi) in zip(shape, widths, strict=True)], body, f"{t.name}_padded")


def _pairs(values: Any, ndim: int) -> list[tuple[Any, Any]]:
    """The value before and behind each dimension."""
    items = list(values)
    if not any(isinstance(i, list | tuple | np.ndarray) for i in items):
        items = [tuple(items)] if len(items) != 1 else [(items[0], items[0])]
    pairs = [tuple(i) * (2 if len(i) == 1 else 1) for i in items] * (ndim if len(items) == 1 else 1)
    if len(pairs) != ndim or any(len(p) != 2 for p in pairs):
        raise ShapeError(f"pad: constant_values are one number, a pair, or a pair for each of {ndim} dimensions")
    return [(p[0], p[1]) for p in pairs]


def _bordered(p: IndexExpr, n: IndexExpr, lo: IndexExpr, hi: IndexExpr, mode: str) -> Pieces:
    """The index map of one dimension, at position p relative to the tensor."""
    before, behind = _MODES[mode](p, n)
    pieces: list[Piece] = []
    if not _is_zero(lo):
        pieces.append(Piece(Applied("lt", (p, one_index(0))), before))
    if not _is_zero(hi):
        pieces.append(Piece(Applied("ge", (p, n)), behind))
    return (*pieces, *whole(p))


def _is_zero(width: IndexExpr) -> bool:
    return width.affine.is_constant and width.affine.constant == 0


def _widths(pad_width: Any, ndim: int) -> list[tuple[IndexExpr, IndexExpr]]:
    items = list(pad_width) if isinstance(pad_width, tuple | list) else [(pad_width, pad_width)]
    if len(items) == 2 and not any(isinstance(i, tuple | list) for i in items):
        items = [tuple(items)]
    if len(items) == 1:
        items = items * ndim
    if len(items) != ndim:
        raise ShapeError(f"pad: {len(items)} pairs of widths for {ndim} dimensions")
    result = []
    for item in items:
        pair = tuple(item) if isinstance(item, tuple | list) else (item,)
        if len(pair) not in (1, 2):
            raise ShapeError(f"pad: a width is one number or a pair (before, after), not {item!r}")
        lo, hi = as_index(pair[0], "a width"), as_index(pair[-1], "a width")
        if any(w.affine.is_constant and w.affine.constant < 0 for w in (lo, hi)):
            raise ShapeError(f"pad: negative width in {item!r}; slice the tensor to make it smaller")
        result.append((lo, hi))
    return result
