"""The C of a loop in parts, as a tree."""

from __future__ import annotations

from polyad.codegen.certify.read_back.c_tree import (
    Assign,
    Binary,
    Compound,
    Declare,
    Element,
    Expr,
    For,
    Macro,
    Name,
    Number,
    Statement,
    Ternary,
)
from polyad.codegen.certify.read_back.expected_values import TYPES, Trees, constant
from polyad.codegen.loops.contractions import trip_count
from polyad.codegen.loops.nodes import Parts
from polyad.ops import identity

__all__ = ["parts"]


def parts(node: Parts, nodes: Trees) -> Statement:
    """The block in which parts are reduced, and then put together in order."""
    part, count, some = node.names
    values, first, k = nodes.values, nodes.value(node.loop.first), node.loop.iterator
    zero, one, most = Number("0"), Number("1"), Name("PA_PARTS")
    step = Number(str(node.loop.step))

    def bound(number: Expr) -> Expr:
        return Binary("+", first, Binary("*", Binary("/", Binary("*", Name(some), number), Name(count)), step))

    def every(body: list[Statement]) -> For:
        return For(part, zero, Binary("<", Name(part), Name(count)), one, tuple(body))

    dtypes = {s.array: s.dtype or values.plan.program.arrays[s.array].dtype for s in node.sums}
    kinds = {a: TYPES[dtype] for a, dtype in dtypes.items()}
    inner = For(
        k,
        bound(Name(part)),
        Binary("<", Name(k), bound(Binary("+", Name(part), one))),
        step,
        nodes.block(node.loop.body),
        type=values.index_type,
    )
    own: list[Statement] = [
        *(
            Declare(kinds[s.array], s.part, (), constant(identity(s.reduction, dtypes[s.array]), dtypes[s.array]))
            for s in node.sums
        ),
        *nodes.pragmas(node.loop.how),
        inner,
        *(Assign("=", Element(Name(s.parts), Name(part)), Name(s.part)) for s in node.sums),
    ]
    taken = [
        values.update(s.reduction, dtypes[s.array], Name(s.local), Element(Name(s.parts), Name(part)))
        for s in node.sums
    ]
    return Compound(
        (
            Declare("const int64_t", count, (), Ternary(nodes.work(node.work), most, one)),
            Declare("const int64_t", some, (), nodes.value(trip_count(node.loop))),
            *(Declare(kinds[s.array], s.parts, (most,), None) for s in node.sums),
            *([Macro("PA_PARALLEL_FOR_IF", (Binary(">", Name(count), one),))] if node.threads else []),
            every(own),
            every(taken),
        )
    )
