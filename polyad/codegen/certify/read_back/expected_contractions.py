"""The C that tells the macro-kernel of a contraction, as trees."""

from __future__ import annotations

from collections.abc import Sequence

from polyad.codegen.certify.read_back.c_tree import (
    Binary,
    Braces,
    Call,
    Compound,
    Declare,
    Do,
    Expr,
    Known,
    Name,
    Number,
    Statement,
    Unary,
)
from polyad.codegen.certify.read_back.expected_values import SUFFIXES, Values, constant
from polyad.codegen.certify.read_back.terms import Integer, affine, number, plus, times, value
from polyad.codegen.loops.contractions import is_share
from polyad.codegen.loops.nodes import Contraction, ContractionAxis, Operand, Pack, Shape
from polyad.codegen.loops.traversal import instances
from polyad.codegen.storage.room import ROOM
from polyad.ir.affine import Affine
from polyad.ir.polynomials import Polynomial

__all__ = ["contraction", "packing"]


def contraction(node: Contraction, values: Values) -> Statement:
    """The block that computes it."""
    shape = node.shape
    assert shape is not None, "nests without a shape are loops"
    names = values.plan.names.value
    loops = [loop for axis in (*shape.rows, *shape.columns, *shape.sums) for loop in axis.loops]
    lets = [
        Declare(f"const {values.index_type}", loop.iterator, (), Known(value(loop.first, names), "int64_t"))
        for loop in loops
        if not isinstance(loop.first, Affine)
    ]
    variables = next(instances(node)).locals
    weights: list[Expr] = [
        values.local(variables[w.array]) if w.array in variables else values.element(w.array, w.index)
        for w in shape.weights
    ]
    factors = weights if weights and shape.scale == 1 else [constant(shape.scale, shape.dtype), *weights]
    scale = factors[0]
    for factor in factors[1:]:
        scale = Binary("*", scale, factor)
    a, b, c = (_begin(o, shape, values) for o in (shape.a, shape.b, shape.c))
    kind = "packed_" if node.packed else "share_" if is_share(shape, values.plan.names.params) else ""
    function = f"pa_contract_{kind}{SUFFIXES[shape.dtype]}"
    second = Name(node.packed) if node.packed else b
    add = Number("0" if node.fresh else "1")
    told = (Unary("&", Name("pa_shape")), a, second, c, scale, add, Unary("&", Name(ROOM)))
    return Compound((*lets, _shape(shape, shape.rows, values), Do(Call(function, told))))


def packing(node: Pack, values: Values) -> Statement:
    """The block that packs the second operand."""
    shape = node.contraction.shape
    assert shape is not None, "nests without a shape are loops"
    told = (Unary("&", Name("pa_shape")), _begin(shape.b, shape, values), Name(node.name))
    return Compound((_shape(shape, (), values), Do(Call(f"pa_pack_{SUFFIXES[shape.dtype]}", told))))


def _begin(operand: Operand, shape: Shape, values: Values) -> Expr:
    """The address of the first element of an operand."""
    loops = [loop for axis in (*shape.rows, *shape.columns, *shape.sums) for loop in axis.loops]
    first = {loop.iterator: loop.first for loop in loops if isinstance(loop.first, Affine)}
    return Unary("&", values.element(operand.array, [i.substitute(first) for i in operand.index]))


def _shape(shape: Shape, rows: Sequence[ContractionAxis], values: Values) -> Statement:
    """The declaration of its extents and strides."""
    names = values.plan.names.value

    def group(axes: Sequence[ContractionAxis]) -> Expr:
        counts: list[Expr] = [Known(value(x.count, names), "int64_t") for x in axes] or [Number("1")]
        return Braces((Number(str(len(counts))), Braces(tuple(counts))))

    def strides(axes: Sequence[ContractionAxis], operand: int) -> Expr:
        return Braces(tuple(Known(_distance(x.strides[operand], values), "int64_t") for x in axes) or (Number("0"),))

    told = Braces(
        (
            group(rows),
            group(shape.columns),
            group(shape.sums),
            Braces((strides(rows, 1), strides(shape.sums, 1))),
            Braces((strides(shape.sums, 2), strides(shape.columns, 2))),
            Braces((strides(rows, 0), strides(shape.columns, 0))),
        )
    )
    return Declare("const pa_contraction", "pa_shape", (), told)


def _distance(found: Polynomial, values: Values) -> Integer:
    result = number(0)
    for monomial, coefficient in found.items():
        term = number(coefficient)
        for factor in monomial:
            term = times(term, affine(Affine(((factor, 1),)), values.plan.names.value))
        result = plus(result, term)
    return result
