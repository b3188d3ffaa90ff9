"""The CUDA C++ of a contraction in steps, as trees: what stands between the macros of polyad_cuda_teams.h.

The header is trusted to add up, for each row and column, the products of what two blocks say over all terms, and to run
the last block once for each result. What it takes for granted is looked at here: the first operand does not move along
columns, nor the second along rows; a term is their product; nothing else happens in the nest; and where the second
operand stays from step to step, it moves along columns and terms alone, in memory that nothing in the launch writes.
"""

from __future__ import annotations

from collections.abc import Iterator

from polyad.codegen.certify.read_back.c_tokens import NotReadError
from polyad.codegen.certify.read_back.c_tree import (
    Assign,
    Binary,
    Call,
    Cast,
    Compound,
    Declare,
    Expr,
    Macro,
    Name,
    Number,
    Statement,
)
from polyad.codegen.certify.read_back.expected_nodes import Nodes
from polyad.codegen.certify.read_back.expected_values import SUFFIXES, TYPES
from polyad.codegen.certify.read_back.tiles import LENGTHS, NUMBERS, ONE, check_tile, iterators_of, place_of, product_of
from polyad.codegen.cuda import step_products
from polyad.codegen.cuda.loop_chains import merged_loops
from polyad.codegen.cuda.tiles import Tile
from polyad.codegen.loops.nodes import Instance, Launch, Loop, Store
from polyad.codegen.loops.traversal import nodes
from polyad.codegen.plan import Plan
from polyad.ir.expr import Read

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
    plan = trees.values.plan
    tile = _tile(loop, plan)
    groups = {"rows": tile.rows, "columns": tile.columns, "sums": tile.sums}
    lengths = {g: [f"{LENGTHS[g]}{n}" for n in range(len(own))] for g, own in groups.items()}
    found: list[Statement] = []
    for group, own in groups.items():
        for name, o in zip(lengths[group], own, strict=True):
            count = Call("pa_count", (trees.value(o.first), trees.value(o.last), ONE))
            found.append(Declare("const int64_t", name, (), count))
    found += [Declare("const int64_t", name, (), product_of(lengths[group])) for group, name in _TOTALS.items()]
    suffix = Name(SUFFIXES[tile.first.dtype])

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
        inside = (*iterators(own, group, "sums"), Macro("PA_STEP_IS", (value,)))
        return [Macro(f"PA_STEP_{group.upper()}", (suffix,)), Compound(inside)]

    local, total = Name(tile.local), Name("PA_STEP_SUM")
    added: Expr = Binary("+", local, total)
    if tile.first.dtype == "float32":
        added = Cast("float", Binary("+", Cast("double", local), total))
    starts = (*iterators(None, "rows", "columns"), *trees.node(tile.start), Macro("PA_STEP_IS", (local,)))
    results = (
        *iterators(None, "rows", "columns"),
        Declare(TYPES[tile.first.dtype], tile.local, (), Name("PA_STEP_START")),
        Assign("=", local, added),
        *(s for node in tile.rest for s in trees.node(node)),
    )
    kept: Expr = Name("PA_PASSING") if room is None else Call("PA_KEPT", (Number(str(room)),))
    middle = [*operand(tile.first, "rows"), *operand(tile.second, "columns")]
    ends: list[Statement] = [
        Macro("PA_STEP_STARTS", (suffix,)),
        Compound(starts),
        Macro("PA_STEP_RESULTS", (suffix,)),
        Compound(results),
        Macro("PA_TEAM_PRODUCT" if in_team else "PA_BLOCK_PRODUCT", (suffix, kept)),
    ]
    return Compound((*found, *middle, *ends))


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
    own = {o.iterator for o in (*tile.columns, *tile.sums)}
    if not iterators_of(tile.second, tile.instance) <= own or place in map(known.place, written):
        raise NotReadError(f"{tile.second.array} stays from step to step, and changes", 1)


def _tile(loop: Loop, plan: Plan) -> Tile:
    tile = step_products.product_of(loop, plan.known.touches)
    if tile is None:
        raise NotReadError("a product is no contraction", 1)
    loops = merged_loops(loop)
    check_tile(tile, loops, loops[-1].body.children, plan.known.touches[tile.instance.statement])
    return tile
