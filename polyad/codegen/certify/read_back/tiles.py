"""The CUDA C++ of a contraction in tiles, as trees: what stands between the macros of polyad_cuda_tiles.h.

The macros are trusted to add up, for each row and column, the products of what two blocks say over all terms, and to
run the last block once for each result. So it has to hold, and is looked at here: the first operand does not move along
columns, nor the second along rows; a term is their product; nothing else happens in the nest; and elements that are
read at once lie beside each other, at a multiple of their size.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import cast

import islpy as isl
import numpy as np

from polyad.codegen.certify.read_back.c_tokens import NotReadError
from polyad.codegen.certify.read_back.c_tree import (
    Assign,
    Binary,
    Call,
    Cast,
    Compound,
    Declare,
    Element,
    Expr,
    Known,
    Macro,
    Name,
    Number,
    Statement,
    Text,
)
from polyad.codegen.certify.read_back.expected_nodes import Nodes
from polyad.codegen.certify.read_back.expected_values import SUFFIXES
from polyad.codegen.certify.read_back.terms import Integer, affine, constant, number, plus, times
from polyad.codegen.cuda.tiles import Tile, tile_of, tile_shape
from polyad.codegen.loops.nodes import AddUp, Instance, Loop, Node, Subtotal
from polyad.codegen.loops.statement_accesses import Touch
from polyad.ir.affine import Affine
from polyad.ir.expr import Apply, Read

__all__ = ["LENGTHS", "NUMBERS", "ONE", "check_tile", "iterators_of", "place_of", "product_of", "tiles"]

ONE = Known(number(1), "int64_t")
NUMBERS = {"rows": "pa_m", "columns": "pa_n", "batch": "pa_batch", "sums": "pa_k"}
LENGTHS = {"rows": "pa_r", "columns": "pa_c", "batch": "pa_b", "sums": "pa_s"}


def tiles(grid: Sequence[Loop], trees: Nodes) -> Statement:
    """The block of a grid in tiles.

    Raises:
        NotReadError: it is no contraction.
    """
    plan = trees.values.plan
    body = grid[-1].body
    tile = tile_of(grid, body, plan.known.touches)
    if tile is None:
        raise NotReadError("a grid in tiles is no contraction", 1)
    check_tile(tile, grid, body.children, plan.known.touches[tile.instance.statement])
    groups = {"rows": tile.rows, "columns": tile.columns, "batch": tile.batch, "sums": tile.sums}
    lengths = {g: [f"{LENGTHS[g]}{n}" for n in range(len(own))] for g, own in groups.items()}
    found: list[Statement] = []
    for group, own in groups.items():
        for name, o in zip(lengths[group], own, strict=True):
            count = Call("pa_count", (trees.value(o.first), trees.value(o.last), ONE))
            found.append(Declare("const int64_t", name, (), count))
    totals = {"rows": "pa_rows", "columns": "pa_columns", "batch": "pa_batches", "sums": "pa_terms"}
    for group, name in totals.items():
        found.append(Declare("const int64_t", name, (), product_of(lengths[group])))

    def iterators(named: set[str] | None, *chosen: str) -> Iterator[Statement]:
        for group in chosen:
            for n, o in enumerate(groups[group]):
                if named is None or o.iterator in named:
                    place = place_of(NUMBERS[group], lengths[group], n)
                    value = Binary("+", trees.value(o.first), place)
                    yield Declare("const int64_t", o.iterator, (), value)

    def operand(read: Read, group: str) -> list[Statement]:
        own = iterators_of(read, tile.instance)
        value = trees.values.read(read, tile.instance)
        inside = (*iterators(own, "batch", group, "sums"), Macro("PA_TILE_OF", (value,)))
        return [Macro(f"PA_TILE_{group.upper()}", ()), Compound(inside)]

    def packs(read: Read, group: str) -> str:
        by = "TERMS" if not _last(read, tile.instance) & {o.iterator for o in groups[group]} else group.upper()
        along = groups["sums" if by == "TERMS" else group]
        value = trees.values.read(read, tile.instance)
        assert isinstance(value, Element)
        pack = 16 // np.dtype(read.dtype).itemsize
        lie = _lie_together(value.index, along[-1], pack)
        return f"{by} , {pack if lie else 1}"

    local, total = Name(tile.local), Name("PA_TILE_SUM")
    added: Expr = Binary("+", local, total)
    if tile.first.dtype == "float32":
        added = Cast("float", Binary("+", Cast("double", local), total))
    results: tuple[Statement, ...] = (
        *iterators(None, "batch", "rows", "columns"),
        *trees.node(tile.start),
        Assign("=", local, added),
        *(s for node in tile.rest for s in trees.node(node)),
    )
    shape = tile_shape(tile)
    numbers = (shape.rows, shape.columns, shape.terms, shape.own_rows, shape.own_columns)
    words = (SUFFIXES[tile.first.dtype], *numbers, packs(tile.first, "rows"), packs(tile.second, "columns"))
    how = (Text(" , ".join(map(str, words))),)
    middle: list[Statement] = [*operand(tile.first, "rows"), *operand(tile.second, "columns")]
    ends: list[Statement] = [Macro("PA_TILE_RESULTS", ()), Compound(results), Macro("PA_TILES", how)]
    return Compound((*found, *middle, *ends))


def _lie_together(position: Expr, fast: Loop, pack: int) -> bool:
    """Whether elements of neighbouring iterations of a loop are neighbours in memory, and packs of them whole ones."""
    first, last = fast.limits
    whole = _polynomial(position)
    if whole is None or not isinstance(first, Affine) or not isinstance(last, Affine):
        return False
    terms = dict(whole[1])
    moved = ((("v", fast.iterator),), terms.pop((("v", fast.iterator),), 0))
    begin, end = (constant(affine(v, str)) for v in (first, last))
    if moved[1] != 1 or begin is None or end is None or (end - begin + 1) % pack:
        return False
    start = terms.pop((), 0) + begin
    return not start % pack and all(c % pack == 0 and ("v", fast.iterator) not in m for m, c in terms.items())


def _polynomial(value: Expr) -> Integer | None:
    """A position as a polynomial, None where it is none."""
    match value:
        case Known(term):
            return cast("Integer", term)
        case Binary("+" | "*" as op, a, b):
            one, other = _polynomial(a), _polynomial(b)
            return None if one is None or other is None else {"+": plus, "*": times}[op](one, other)
        case _:
            return None


def check_tile(tile: Tile, grid: Sequence[Loop], children: Sequence[Node], touched: Sequence[Touch]) -> None:
    """Refuse what the macros do not take for granted."""
    kept = [n for n in children if not isinstance(n, Subtotal | AddUp)]
    whole = [tile.start, kept[1] if len(kept) > 1 else None, *tile.rest]
    own = {o.iterator for o in (*tile.rows, *tile.columns, *tile.batch)}
    statement = touched[0].statement
    product = statement.body
    factors = product.args if isinstance(product, Apply) and product.op == "mul" else ()
    apart = (
        iterators_of(tile.first, tile.instance).isdisjoint(o.iterator for o in tile.columns)
        and iterators_of(tile.second, tile.instance).isdisjoint(o.iterator for o in tile.rows)
    )  # fmt: skip
    if (
        kept != whole
        or own != {o.iterator for o in grid}
        or len(own) != len(grid)
        or {id(f) for f in factors} != {id(tile.first), id(tile.second)}
        or statement.reduction != "sum"
        or not apart
    ):
        raise NotReadError("a grid in tiles is no contraction of two operands", 1)


def iterators_of(read: Read, instance: Instance) -> set[str]:
    """The iterators along which an operand moves."""
    assert isinstance(read.access, isl.MultiAff)
    used = [d for d in range(len(instance.args)) if read.access.involves_dims(isl.dim_type.in_, d, 1)]
    return {n for d in used for n in instance.args[d].names()}


def _last(read: Read, instance: Instance) -> set[str]:
    """Those of its last dimension."""
    assert isinstance(read.access, isl.MultiAff)
    last = read.access.get_aff(read.access.dim(isl.dim_type.out) - 1)
    used = [d for d in range(len(instance.args)) if last.involves_dims(isl.dim_type.in_, d, 1)]
    return {n for d in used for n in instance.args[d].names()}


def product_of(names: Sequence[str]) -> Expr:
    """The product of named lengths."""
    total: Expr = Name(names[0]) if names else Number("1")
    for name in names[1:]:
        total = Binary("*", total, Name(name))
    return total


def place_of(flat: str, lengths: Sequence[str], number_: int) -> Expr:
    """The iteration of one of several loops, from the number of one of them all."""
    place: Expr = Name(flat)
    if inner := lengths[number_ + 1 :]:
        place = Binary("/", place, product_of(inner))
    return Binary("%", place, Name(lengths[number_])) if number_ else place
