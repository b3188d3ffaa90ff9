"""A statement without a dimension, of which data say the value: x[k, j] becomes x[ids[i], j].

The value is data and an offset, so that it leaves what it came from: with k = 2 i + arg[i] is x[k - 2 i] x[arg[i]]. An
index that data decide is brought inside of its array where it is not by itself; a condition beside it has to say
whether the element is meant.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import islpy as isl

from polyad import islx
from polyad.ir.affine import Affine
from polyad.ir.array import Array
from polyad.ir.expr import Access, Expr, Index, Indirect, Read
from polyad.ir.indirect import indirect_access
from polyad.ir.statement import Statement
from polyad.ops.registry import apply, const
from polyad.transforms.rewrite.fold import rebuild
from polyad.transforms.rewrite.projection import without_dims

__all__ = ["DataValue", "data_value", "depends_on", "with_data_dimension"]


@dataclass(frozen=True, slots=True, eq=False)
class DataValue:
    """The value that data give to a dimension: data + offset, where lows <= data <= highs.

    Attributes:
        data: an int64 over the instances that does not change along the dimension.
        offset: an expression of the other dimensions and sizes.
        lows: all of them are lower bounds that the domain has, in the other dimensions.
        highs: upper bounds, likewise.
    """

    data: Expr
    offset: Affine
    lows: tuple[Affine, ...]
    highs: tuple[Affine, ...]

    def inside(self, s: Statement) -> Expr:
        """Whether the domain has the value."""
        return apply("eq", self.data, self.clipped(s).data)

    def clipped(self, s: Statement) -> DataValue:
        """The same where the domain has the value, and data that are inside of their bounds elsewhere."""
        data = self.data
        for high in self.highs:
            data = apply("minimum", data, _value(high, s))
        for low in self.lows:
            data = apply("maximum", data, _value(low, s))
        return replace(self, data=data)

    def is_inside(self, extent: Affine) -> bool:
        """Whether data within the bounds are an index of an axis of this extent."""
        zero = any(low.is_constant and low.constant >= 0 for low in self.lows)
        rest = [extent - 1 - high for high in self.highs]
        return zero and any(r.is_constant and r.constant >= 0 for r in rest)


def data_value(s: Statement, dim: int, data: Expr, offset: Affine, context: isl.Set) -> DataValue | None:
    """The bounds of a dimension that has all values between them, for the value of data; None where there are none.

    Args:
        s: any statement.
        dim: the dimension.
        data: an int64 over the instances.
        offset: the dimension is data + offset.
        context: [params] -> { : ... }, what is assumed of the sizes.
    """
    domain = s.domain.intersect_params(context).remove_redundancies()
    if domain.n_basic_set() != 1:
        return None
    name, lows, highs, simple = s.dims[dim], set[Affine](), set[Affine](), True

    def note(constraint: isl.Constraint) -> None:
        nonlocal simple
        if not constraint.involves_dims(isl.dim_type.set, dim, 1):
            return
        affine = Affine.from_aff(constraint.get_aff(), s.dims)
        factor = next((c for atom, c in affine.terms if atom == name), 0)
        rest = affine - Affine.of(name) * factor + offset * factor
        if constraint.is_equality() or factor not in (1, -1) or name in rest.names():
            simple = False
        elif factor > 0:
            lows.add(-rest)
        else:
            highs.add(rest)

    for piece in islx.basic_sets(domain):
        if piece.dim(isl.dim_type.div):
            return None
        piece.foreach_constraint(note)
    if not simple or not lows or not highs:
        return None
    return DataValue(data, offset, _sorted(lows), _sorted(highs))


def _sorted(bounds: set[Affine]) -> tuple[Affine, ...]:
    return tuple(sorted(bounds, key=str))


def _value(affine: Affine, s: Statement) -> Expr:
    return rebuild(Index(affine.to_aff(s.space(), islx.positions(s.params(), s.dims))))


def depends_on(access: Access, dim: int) -> bool:
    """Whether the elements of an access change along a dimension, apart from what its data are."""
    return any(i.value.involves_dims(isl.dim_type.in_, dim, 1) for i in _columns(access) if isinstance(i, Index))


def _columns(access: Access) -> Sequence[Expr]:
    if isinstance(access, Indirect):
        return access.index
    return [Index(access.get_aff(i)) for i in range(access.dim(isl.dim_type.out))]


def with_data_dimension(s: Statement, dim: int, value: DataValue, arrays: Mapping[str, Array]) -> Statement | None:
    """The statement over its other dimensions, with a value of data for this one.

    Args:
        s: a contribution.
        dim: the dimension.
        value: its value, whose data are inside of the bounds.
        arrays: those of the program.

    Returns:
        None where an index divides the dimension.
    """
    name, params = s.dims[dim], s.params()
    divided = False

    def index(aff: isl.Aff) -> Expr:
        nonlocal divided
        affine = Affine.from_aff(aff, s.dims)
        factor = next((c for atom, c in affine.terms if atom == name), 0)
        divided |= name in (affine - Affine.of(name) * factor).names()
        rest = affine + (value.offset - Affine.of(name)) * factor
        scaled = value.data if factor == 1 else apply("mul", const(factor, "int64"), value.data)
        return scaled if rest == Affine() else apply("add", scaled, _value(rest, s))

    def visit(node: Expr) -> Expr | None:
        match node:
            case Index(aff) if aff.involves_dims(isl.dim_type.in_, dim, 1):
                return index(aff)
            case Read(array, old, _) if isinstance(old, Indirect) or depends_on(old, dim):
                return replace(node, access=access(array, old))
            case _:
                return None

    def access(array: str, old: Access) -> Access:
        if not isinstance(old, Indirect) and not depends_on(old, dim):
            return old
        new = []
        for column, extent in zip(_columns(old), arrays[array].shape, strict=True):
            rewritten = rebuild(column, visit)
            decided = isinstance(column, Index) and rewritten is not column
            if decided and not (rewritten is value.data and value.is_inside(extent)):
                rewritten = apply("minimum", rewritten, _value(extent - 1, s))
                rewritten = apply("maximum", rewritten, const(0, "int64"))
            new.append(rewritten)
        return indirect_access(arrays[array], new, s.space(), params)

    new = replace(s, body=rebuild(s.body, visit), write=access(s.array, s.write))
    if divided:
        return None
    kept = [i for i in range(len(s.dims)) if i != dim]
    domain, change = without_dims(new, s.name, kept)
    return new.change_space(s.name, tuple(s.dims[i] for i in kept), domain, change)
