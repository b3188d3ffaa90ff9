"""NumPy's broadcasting, with symbolic extents."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from polyad.errors import ShapeError
from polyad.frontend.definition import TensorBase
from polyad.frontend.scalar import IndexExpr
from polyad.frontend.symbols import merge_symbols
from polyad.ir.affine import Affine

__all__ = ["broadcast_index", "broadcast_shapes"]

_ONE = Affine.of(1)


def broadcast_shapes(what: str, tensors: Sequence[TensorBase]) -> tuple[IndexExpr, ...]:
    """The common shape.

    Raises:
        ShapeError: two extents differ and neither is 1; two different expressions of sizes count as different.
    """
    rank = max(t.ndim for t in tensors)
    result: list[IndexExpr] = []
    for d in range(-rank, 0):
        chosen: tuple[Affine, TensorBase] | None = None
        for t in tensors:
            if t.ndim < -d:
                continue
            extent = t.shape_affine[d]
            if chosen is None or chosen[0] == _ONE:
                chosen = (extent, t)
            elif extent not in (_ONE, chosen[0]):
                shapes = " and ".join(f"{t.name} ({', '.join(map(str, t.shape_affine))})" for t in tensors)
                raise ShapeError(
                    f"{what}: shapes of {shapes} do not broadcast: extent {chosen[0]} against {extent} in dimension {d}"
                )
        assert chosen is not None
        result.append(IndexExpr(chosen[0], merge_symbols(chosen[1].size_symbols())))
    return tuple(result)


def broadcast_index(tensor: TensorBase, index: Sequence[IndexExpr], rank: int) -> list[Any]:
    """The index into one operand for an index into the common shape."""
    aligned = index[rank - tensor.ndim :]
    return [0 if extent == _ONE else i for extent, i in zip(tensor.shape_affine, aligned, strict=True)]
