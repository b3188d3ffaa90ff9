"""A tensor with some elements written anew: pieces of its domain at affine places, scatters at places of data.

out[p(i)] = f(i);        out[j] = x[j] elsewhere                where p is affine: the pieces are disjoint
out[j] = x[j];           out[ids[i]] += v(i)                    where it depends on data: repeated places add up
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from polyad.errors import bounded_depth
from polyad.frontend.axis_hints import axis_hints
from polyad.frontend.finish import finish
from polyad.frontend.lower import Lowering, symbols_of
from polyad.frontend.naming.local_names import look_at_names
from polyad.frontend.scalar import IndexExpr, Scalar, as_scalar
from polyad.frontend.symbols import Axis, fresh, merge_symbols
from polyad.frontend.tensor import Tensor, ambient_axes, as_shape, user_line
from polyad.ir.affine import Affine
from polyad.ir.array import Array
from polyad.ir.statement import Reduction
from polyad.islx import LOCK

__all__ = ["Index", "Places", "scattered", "written"]

Index = Sequence[Any]
"""Values of axes."""


@dataclass(frozen=True, slots=True)
class Places:
    """Elements of a tensor, numbered by the axes of a shape.

    Attributes:
        shape: extents of the axes.
        index: axes -> one index per dimension of the tensor.
    """

    shape: Sequence[Any]
    index: Callable[[Index], Index]


def written(x: Tensor, places: Places, value: Callable[[Index], Any], dtype: str, hint: str) -> Tensor:
    """out[places(i)] = value(i), and x elsewhere.

    Args:
        x: the tensor, of whose shape the result is.
        places: no two of them are the same, and all are affine.
        value: axes of the places -> scalar.
        dtype: element type of the result.
        hint: its name.
    """

    def write(
        lowering: Lowering, name: str, ambient: Sequence[Axis], own: Sequence[Axis], rest: Sequence[Axis]
    ) -> None:
        inner = _index(own)
        at = [*_index(ambient), *(as_scalar(k) for k in places.index(inner))]
        placed = lowering.place(name, [*ambient, *own], at, as_scalar(value(inner)), None)
        whole = lowering.scope([*ambient, *rest], name)
        left = whole.domain.reset_tuple_id().subtract(placed.write_relation().range().reset_tuple_id())
        if placed.domain.is_empty():
            lowering.statements.remove(placed)
        if not left.is_empty():
            lowering.define(name, [*ambient, *rest], x.element(_index(rest)), dtype, assumed=left)

    return _made(x, places, value, dtype, hint, write)


def scattered(
    x: Tensor, start: Callable[[Index], Any], places: Places, value: Callable[[Index], Any], kind: Reduction, hint: str
) -> Tensor:
    """out[j] = start(j), then out[places(i)] op= value(i) for each i; repeated places each contribute.

    Args:
        x: the tensor whose shape and element type the result has.
        start: index of x -> scalar.
        places: any.
        value: axes of the places -> scalar.
        kind: the operation.
        hint: the name of the result.
    """

    def write(
        lowering: Lowering, name: str, ambient: Sequence[Axis], own: Sequence[Axis], rest: Sequence[Axis]
    ) -> None:
        lowering.define(name, [*ambient, *rest], as_scalar(start(_index(rest))), x.dtype)
        inner = _index(own)
        at = [*_index(ambient), *(as_scalar(k) for k in places.index(inner))]
        lowering.place(name, [*ambient, *own], at, as_scalar(value(inner)), kind)

    return _made(x, places, value, x.dtype, hint, write, start)


def _index(axes: Sequence[Axis]) -> list[IndexExpr]:
    return [IndexExpr(Affine.of(a.name), {a.name: a, **a.symbols}) for a in axes]


def _axes(shape: Sequence[Any]) -> list[Axis]:
    extents = as_shape(tuple(shape))
    return [
        Axis(fresh(n), Affine.of(0), e.affine, "compute", e.symbols)
        for n, e in zip(axis_hints(extents, ()), extents, strict=True)
    ]


def _made(
    x: Tensor,
    places: Places,
    value: Callable[[Index], Any],
    dtype: str,
    hint: str,
    write: Callable[[Lowering, str, Sequence[Axis], Sequence[Axis], Sequence[Axis]], None],
    start: Callable[[Index], Any] | None = None,
) -> Tensor:
    """The tensor that `write` defines, one for each step of the scans around what it mentions."""
    where = user_line()
    look_at_names()
    with LOCK, bounded_depth(f"{where}: {hint!r}"):
        own, rest = _axes(places.shape), _axes(x.shape)
        inner, outer = _index(own), _index(rest)
        mentioned: list[Scalar] = [as_scalar(k) for k in places.index(inner)]
        mentioned += [as_scalar(value(inner)), x.element(outer)] + ([as_scalar(start(outer))] if start else [])
        symbols = merge_symbols(*map(symbols_of, mentioned), {a.name: a for a in (*own, *rest)})
        symbols = merge_symbols(symbols, *(a.symbols for a in (*own, *rest)))
        ambient = ambient_axes(symbols, where)
        lowering = Lowering(hint, where, merge_symbols(symbols, *(a.symbols for a in ambient)))
        name = fresh(hint)
        stored = "int32" if dtype == "bool" else dtype
        lowering.arrays[name] = Array(name, (*(a.upper for a in ambient), *x.shape_affine), stored)
        write(lowering, name, ambient, own, rest)
        definition = finish(lowering, [name])
        definition.nameable = frozenset((name,))
        for axis in ambient:
            axis.made.append(definition)
        around = merge_symbols(definition.symbols, {a.name: a for a in ambient})
        prefix = tuple(Affine.of(a.name) for a in ambient)
        return Tensor(definition, name, x.shape_affine, dtype, prefix, around)
