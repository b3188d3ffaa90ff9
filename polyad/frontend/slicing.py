"""NumPy subscripts: integers, slices, None, Ellipsis, and integer tensors."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from polyad.errors import BoundsError, DTypeError, ShapeError
from polyad.frontend.broadcast import broadcast_index, broadcast_shapes
from polyad.frontend.constant_index import FromEnd, constant_slice, slice_step
from polyad.frontend.definition import TensorBase
from polyad.frontend.scalar import Element, IndexExpr, Scalar, as_index, as_scalar
from polyad.ir.affine import Affine
from polyad.ir.element_types import is_integer

__all__ = ["SlicePlan", "plan_slice"]

Extent = int | IndexExpr


@dataclass(frozen=True, slots=True)
class SlicePlan:
    """The meaning of a subscript.

    Attributes:
        shape: the shape of the result.
        index: index of the result -> index into the sliced tensor.
        hint: a name for the result.
        gathered: (first, count) of the dimensions of the result that subscripts by tensors have made.
    """

    shape: tuple[Extent, ...]
    index: Callable[[Sequence[Any]], list[Any]]
    hint: str
    gathered: tuple[int, int]


def _position(value: Any, extent: Affine, tensor: TensorBase) -> IndexExpr:
    """A bound of a slice or an integer index; negative integers count from the end."""
    if isinstance(value, TensorBase):
        raise DTypeError(
            f"a bound of a slice of {tensor.name} is the tensor {value.name}, whose value is not known while tracing; "
            f"read n elements from there on as {tensor.name}[{value.name} + arange(n)]"
        )
    index = as_index(value, f"a subscript of {tensor.name}")
    if index.affine.is_constant and index.affine.constant < 0:
        return IndexExpr(extent + index.affine.constant, tensor.size_symbols())
    return index


def _clip(position: IndexExpr, extent: Affine, tensor: TensorBase) -> IndexExpr:
    """Slices never reach outside; where the extent is symbolic the proof at the definition decides."""
    if extent.is_constant and position.affine.is_constant:
        inside = min(max(position.affine.constant, 0), extent.constant)
        return IndexExpr(Affine.of(inside), {})
    return position


def _slice(key: slice, extent: Affine, tensor: TensorBase) -> tuple[IndexExpr, int, IndexExpr]:
    """(start, step, count) of one slice."""
    sizes = tensor.size_symbols()
    if (known := constant_slice(key, extent, tensor.name)) is not None:
        first, step, length = known
        return IndexExpr(Affine.of(first), {}), step, IndexExpr(Affine.of(length), {})
    step = slice_step(key, tensor.name)
    zero, whole = IndexExpr(Affine.of(0), {}), IndexExpr(extent, sizes)
    if step > 0:
        start = zero if key.start is None else _clip(_position(key.start, extent, tensor), extent, tensor)
        stop = whole if key.stop is None else _clip(_position(key.stop, extent, tensor), extent, tensor)
        count = (stop - start + (step - 1)) // step
    else:
        start = whole - 1 if key.start is None else _position(key.start, extent, tensor)
        stop = IndexExpr(Affine.of(-1), {}) if key.stop is None else _position(key.stop, extent, tensor)
        count = (start - stop + (-step - 1)) // -step
    if count.affine.is_constant and count.affine.constant < 0:
        count = zero
    return start, step, count


def plan_slice(tensor: TensorBase, items: Sequence[Any]) -> SlicePlan:
    """Understand `tensor[items]` for whole-tensor subscripts.

    Raises:
        ShapeError: too many subscripts, or tensors that do not broadcast together.
        BoundsError: an integer outside of a constant extent.
        DTypeError: something that is not a subscript, a truth-value mask for example.
    """
    consumed = sum(1 for k in items if k is not None and k is not Ellipsis)
    if consumed > tensor.ndim:
        raise ShapeError(f"{tensor.name} has {tensor.ndim} dimensions and is subscripted with {consumed} indices")
    keys = list(items)
    if not any(k is Ellipsis for k in keys):
        keys.append(Ellipsis)
    at = next(i for i, k in enumerate(keys) if k is Ellipsis)
    keys[at : at + 1] = [slice(None)] * (tensor.ndim - consumed)
    gathers = [k.ids if isinstance(k, FromEnd) else k for k in keys if isinstance(k, TensorBase | FromEnd)]
    for g in gathers:
        if not is_integer(g.dtype):
            cure = (
                "how many elements a condition selects is not known while tracing: use where(condition, x, 0)"
                if g.dtype == "bool"
                else "index tensors are integers (astype converts)"
            )
            raise DTypeError(f"{tensor.name} is subscripted by {g.name} of type {g.dtype}; {cure}")
    gathered = broadcast_shapes("subscript", gathers) if gathers else ()
    # As in NumPy: in place of the subscripts by tensors and integers, in front where others stand between them.
    front = bool(gathers) and _apart(keys)
    shape: list[Extent] = list(gathered) if front else []
    makers: list[Callable[[Sequence[Any]], Any]] = []
    first: int | None = 0 if front else None
    dim = 0
    for key in keys:
        if key is None:
            shape.append(1)
            continue
        extent = tensor.shape_affine[dim]
        dim += 1
        if isinstance(key, slice):
            start, step, count = _slice(key, extent, tensor)
            makers.append(_strided(len(shape), start, step))
            shape.append(count.affine.constant if count.affine.is_constant else count)
        elif isinstance(key, TensorBase | FromEnd):
            if first is None:
                first = len(shape)
                shape.extend(gathered)
            makers.append(_gather(key, first, len(gathered)))
        else:
            position = _position(key, extent, tensor)
            inside = position.affine
            if inside.is_constant and extent.is_constant and not 0 <= inside.constant < extent.constant:
                raise BoundsError(f"index {key} is outside of {tensor.name}, which has extent {extent} there")
            makers.append(_fixed(position))
    return SlicePlan(tuple(shape), lambda i: [m(i) for m in makers], f"{tensor.name}_part", (first or 0, len(gathered)))


def _apart(keys: Sequence[Any]) -> bool:
    """Whether slices or new dimensions stand between subscripts by tensors and integers."""
    advanced = [n for n, k in enumerate(keys) if k is not None and not isinstance(k, slice)]
    return advanced[-1] - advanced[0] + 1 != len(advanced)


def _fixed(position: IndexExpr) -> Callable[[Sequence[Any]], Any]:
    return lambda _: position


def _strided(axis: int, start: IndexExpr, step: int) -> Callable[[Sequence[Any]], Any]:
    return lambda i: i[axis] * step + start


def _gather(key: TensorBase | FromEnd, first: int, rank: int) -> Callable[[Sequence[Any]], Scalar]:
    ids = key.ids if isinstance(key, FromEnd) else key

    def index(i: Sequence[Any]) -> Scalar:
        inside = broadcast_index(ids, i[first : first + rank], rank)
        at = tuple(as_index(k, "index") if isinstance(k, int) else as_scalar(k) for k in inside)
        return key.position(at) if isinstance(key, FromEnd) else Element(ids, at)

    return index
