"""The CUDA C++ of a contraction in tiles, as trees: what stands between the macros of polyad_cuda_tiles.h.

The macros are trusted to add up, for each row and column, the products of what two blocks say over all terms, and to
run the last block once for each result. So it has to hold, and is looked at here: the first operand does not move along
columns, nor the second along rows; a term is their product; nothing else happens in the nest; and elements that are
read at once lie beside each other, at a multiple of their size.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

import islpy as isl

from polyad.codegen.certify.read_back.c_tokens import NotReadError
from polyad.codegen.certify.read_back.c_tree import Binary, Compound, Element, Expr, Known, Macro, Statement, Text
from polyad.codegen.certify.read_back.contraction_trees import ContractionTrees, check_contraction
from polyad.codegen.certify.read_back.expected_nodes import Nodes
from polyad.codegen.certify.read_back.expected_values import SUFFIXES
from polyad.codegen.certify.read_back.terms import Integer, affine, constant, plus, times
from polyad.codegen.cuda.tiles import tile_of, tile_shape
from polyad.codegen.loops.nodes import Instance, Loop
from polyad.ir.affine import Affine
from polyad.ir.element_types import item_bytes
from polyad.ir.expr import Read

__all__ = ["tiles"]

_TOTALS = {"rows": "pa_rows", "columns": "pa_columns", "batch": "pa_batches", "sums": "pa_terms"}


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
    check_contraction(tile, grid, body.children, plan.known.touches[tile.instance.statement])
    parts, shape = ContractionTrees(tile, trees, _TOTALS), tile_shape(tile)

    def packs(read: Read, group: str) -> str:
        by = "TERMS" if not _last(read, tile.instance) & {o.iterator for o in parts.loops(group)} else group.upper()
        along = parts.loops("sums" if by == "TERMS" else group)
        value = trees.values.read(read, tile.instance)
        assert isinstance(value, Element)
        pack = 16 // item_bytes(read.dtype)
        lie = _lie_together(value.index, along[-1], pack)
        return f"{by} , {pack if lie else 1}"

    results = (*parts.iterators("batch", "rows", "columns"), *trees.node(tile.start), *parts.results("PA_TILE_SUM"))
    numbers = (shape.rows, shape.columns, shape.terms, shape.own_rows, shape.own_columns)
    words = (SUFFIXES[tile.first.dtype], *numbers, packs(tile.first, "rows"), packs(tile.second, "columns"))
    return Compound(
        (
            *parts.counts(),
            Macro("PA_TILE_ROWS", ()),
            parts.operand(tile.first, ("batch", "rows", "sums"), "PA_TILE_OF"),
            Macro("PA_TILE_COLUMNS", ()),
            parts.operand(tile.second, ("batch", "columns", "sums"), "PA_TILE_OF"),
            Macro("PA_TILE_RESULTS", ()),
            Compound(results),
            Macro("PA_TILES", (Text(" , ".join(map(str, words))),)),
        )
    )


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


def _last(read: Read, instance: Instance) -> set[str]:
    """Those of its last dimension."""
    assert isinstance(read.access, isl.MultiAff)
    last = read.access.get_aff(read.access.dim(isl.dim_type.out) - 1)
    used = [d for d in range(len(instance.args)) if last.involves_dims(isl.dim_type.in_, d, 1)]
    return {n for d in used for n in instance.args[d].names()}
