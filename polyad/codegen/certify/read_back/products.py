"""The CUDA C++ of a contraction in steps, as trees: what stands between the macros of polyad_cuda_teams.h.

The header is trusted to add up, for each row and column, the products of what two blocks say over all terms, and to run
the last block once for each result. What it takes for granted is looked at here: the first operand does not move along
columns, nor the second along rows; a term is their product; nothing else happens in the nest; and where the second
operand stays from step to step, it moves along columns and terms alone, the same ones in each step, in memory that
nothing in the launch writes.
"""

from __future__ import annotations

from polyad.codegen.certify.read_back.c_tokens import NotReadError
from polyad.codegen.certify.read_back.c_tree import Call, Compound, Declare, Expr, Macro, Name, Number, Statement
from polyad.codegen.certify.read_back.contraction_trees import ContractionTrees, check_contraction, iterators_of
from polyad.codegen.certify.read_back.expected_nodes import Nodes
from polyad.codegen.certify.read_back.expected_values import SUFFIXES, TYPES
from polyad.codegen.cuda import step_products
from polyad.codegen.cuda.loop_chains import merged_loops
from polyad.codegen.cuda.tiles import Tile
from polyad.codegen.loops.loop_values import mentioned
from polyad.codegen.loops.nodes import Instance, Launch, Loop, Store
from polyad.codegen.loops.traversal import nodes
from polyad.codegen.plan import Plan

__all__ = ["check_room", "product"]

_TOTALS = {"rows": "pa_rows", "columns": "pa_columns", "sums": "pa_terms"}


def product(loop: Loop, trees: Nodes, room: int | None, in_team: bool) -> Statement:
    """The block of a divided loop that is a product.

    Args:
        loop: the loop.
        trees: of what else stands in it.
        room: the number of that where the second operand stays; None where it is read in each step.
        in_team: the threads of a team share it, else those of a block.

    Raises:
        NotReadError: it is no contraction.
    """
    tile = _tile(loop, trees.values.plan)
    parts, suffix, local = ContractionTrees(tile, trees, _TOTALS), Name(SUFFIXES[tile.first.dtype]), Name(tile.local)
    iterators = (*parts.iterators("rows", "columns"),)
    start = Declare(TYPES[tile.first.dtype], tile.local, (), Name("PA_STEP_START"))
    kept: Expr = Name("PA_PASSING") if room is None else Call("PA_KEPT", (Number(str(room)),))
    return Compound(
        (
            *parts.counts(),
            Macro("PA_STEP_ROWS", (suffix,)),
            parts.operand(tile.first, ("rows", "sums"), "PA_STEP_IS"),
            Macro("PA_STEP_COLUMNS", (suffix,)),
            parts.operand(tile.second, ("columns", "sums"), "PA_STEP_IS"),
            Macro("PA_STEP_STARTS", (suffix,)),
            Compound((*iterators, *trees.node(tile.start), Macro("PA_STEP_IS", (local,)))),
            Macro("PA_STEP_RESULTS", (suffix,)),
            Compound((*iterators, start, *parts.results("PA_STEP_SUM"))),
            Macro("PA_TEAM_PRODUCT" if in_team else "PA_BLOCK_PRODUCT", (suffix, kept)),
        )
    )


def check_room(loop: Loop, launch: Launch, plan: Plan) -> None:
    """Refuse that an operand stays which changes from step to step.

    Raises:
        NotReadError: it does.
    """
    known, tile = plan.known, _tile(loop, plan)
    place = known.place(tile.second.array)
    written = [n.cell.array for n in nodes(launch) if isinstance(n, Store)]
    for instance in (n for n in nodes(launch) if isinstance(n, Instance)):
        written += [t.array for t in known.touches[instance.statement] if t.kind != "read"]
    loops = (*tile.columns, *tile.sums)
    own = {o.iterator for o in loops}
    for one in loops:
        if not mentioned(one.first) | mentioned(one.last) <= {*plan.program.params}:
            raise NotReadError(f"{tile.second.array} stays from step to step, where {one.iterator} has other bounds", 1)
    if not iterators_of(tile.second, tile.instance) <= own or place in map(known.place, written):
        raise NotReadError(f"{tile.second.array} stays from step to step, and changes", 1)


def _tile(loop: Loop, plan: Plan) -> Tile:
    tile = step_products.product_of(loop, plan.known.touches)
    if tile is None:
        raise NotReadError("a product is no contraction", 1)
    loops = merged_loops(loop)
    check_contraction(tile, loops, loops[-1].body.children, plan.known.touches[tile.instance.statement])
    return tile
