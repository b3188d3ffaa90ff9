"""The element type of a scalar expression, from its tree alone.

A branch that no instance takes is not lowered: its reads may lie anywhere. Its type counts all the same, because the
type of a definition must not depend on which conditions happen to hold everywhere: `triu(x, 9)` of a small float
matrix, all zeros, is a float matrix.
"""

from __future__ import annotations

from collections.abc import Mapping

from polyad.frontend.scalar import Applied, Element, IndexExpr, Number, Reduced, Scalar, Selected
from polyad.frontend.weak import Kind, common_kind, reduced_kind, result_kind
from polyad.ir.array import Array

__all__ = ["kind_of"]


def kind_of(node: Scalar, arrays: Mapping[str, Array]) -> Kind:
    """The element type and how it meets others, as lowering the expression finds it.

    Args:
        node: a scalar expression.
        arrays: arrays that are being defined, which a tensor may stand for.
    """
    match node:
        case Number(value):
            dtype = "bool" if isinstance(value, bool) else "int64" if isinstance(value, int) else "float64"
            return Kind(dtype, "strong" if dtype == "bool" else "weak")
        case IndexExpr():
            return Kind("int64", "weak")
        case Element(tensor, _):
            own = arrays.get(tensor.array)
            return Kind(tensor.dtype if own is None or tensor.dtype == "bool" else own.dtype, tensor.strength)
        case Applied("cast", _, dtype):
            assert dtype is not None
            return Kind(dtype, "strong")
        case Applied(op, args, _):
            return result_kind(op, [kind_of(a, arrays) for a in args])
        case Selected(_, a, b):
            return common_kind([kind_of(a, arrays), kind_of(b, arrays)])
        case Reduced(kind, _, body):
            return reduced_kind(kind, kind_of(body, arrays))
        case _:
            raise AssertionError(f"{node!r} is not a scalar expression")
