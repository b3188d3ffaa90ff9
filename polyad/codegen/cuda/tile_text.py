"""Contractions in tiles (tiles.py) in CUDA C++: what stands between the macros of polyad_cuda_tiles.h.

PA_TILE_ROWS
{
  const int64_t i = pa_m, k = pa_k;
  PA_TILE_OF(a[i * K + k])
}
PA_TILE_COLUMNS
{
  const int64_t k = pa_k, j = pa_n;
  PA_TILE_OF(b[k * N + j])
}
PA_TILE_RESULTS
{
  const int64_t i = pa_m, j = pa_n;
  float s = 0.0f;
  s = (float)((double)s + PA_TILE_SUM);
  c[i * N + j] = s;
}
PA_TILES(f32, 128, 64, 16, 8, 4, TERMS, 4, COLUMNS, 4)
"""

from __future__ import annotations

from collections.abc import Sequence

from polyad.codegen.cuda.loop_chains import merged_loops
from polyad.codegen.cuda.operand_packs import packs_of
from polyad.codegen.cuda.tiles import along, tile_of, tile_shape
from polyad.codegen.loops.nodes import Loop
from polyad.codegen.loops.statement_accesses import Touches
from polyad.codegen.text.code import Code, assign, call, cast, code, declare, infix, integer_sum, word
from polyad.codegen.text.expression_text import SUFFIXES
from polyad.codegen.text.integer_text import ONE, ZERO, integer_code, value_code
from polyad.codegen.text.line_text import Lines
from polyad.codegen.text.loop_text import LoopText
from polyad.ir.expr import Read

__all__ = ["flat_iterators", "tile_lines"]

GROUPS = {
    "rows": ("pa_m", "pa_r"),
    "columns": ("pa_n", "pa_c"),
    "batch": ("pa_batch", "pa_b"),
    "sums": ("pa_k", "pa_s"),
}
"""Group of loops -> the number of an iteration of them all, and the beginning of the names of their lengths."""


def tile_lines(loop: Loop, printer: LoopText, touches: Touches) -> Lines:
    """The block of a grid that is computed by tiles."""
    loops = merged_loops(loop)
    tile = tile_of(loops, loops[-1].body, touches)
    assert tile is not None, "the pass has looked (launches.py)"
    suffix, shape = SUFFIXES[tile.first.dtype], tile_shape(tile)
    numbers = f"{shape.rows}, {shape.columns}, {shape.terms}, {shape.own_rows}, {shape.own_columns}"
    lengths = {name: [f"{GROUPS[name][1]}{n}" for n in range(len(getattr(tile, name)))] for name in GROUPS}
    counts = [
        (
            length,
            call("pa_count", value_code(o.first, printer.spell), value_code(o.last, printer.spell), integer_code(1)),
        )
        for name, own in lengths.items()
        for length, o in zip(own, getattr(tile, name), strict=True)
    ]
    totals = {"rows": "pa_rows", "columns": "pa_columns", "batch": "pa_batches", "sums": "pa_terms"}
    sizes = [(totals[name], infix("*", *map(word, own)) if own else ONE) for name, own in lengths.items()]

    def iterators(*groups: str, among: set[str] | None = None) -> Code:
        found = [
            pair
            for g in groups
            for pair in flat_iterators(getattr(tile, g), GROUPS[g][0], lengths[g], printer)
            if among is None or pair[0] in among
        ]
        return declare("const int64_t", *found)

    def operand(read: Read, group: str) -> Lines:
        moved = along(read, tile.instance, touches)
        value = printer.statements.read(read, tile.instance)
        return ["{", [iterators("batch", group, "sums", among=moved), code("PA_TILE_OF({})", value)], "}"]

    def packs(read: Read, group: str) -> str:
        found = packs_of(read, tile, printer.statements.text, touches)
        return f"{'TERMS' if found.by_terms else group}, {found.width}"

    added: Code = word("PA_TILE_SUM")
    if tile.first.dtype == "float32":
        added = cast("float", infix("+", cast("double", word(tile.local)), added))
    else:
        added = infix("+", word(tile.local), added)
    return [
        *printer.comment(tile.instance),
        declare("const int64_t", *counts),
        declare("const int64_t", *sizes),
        "PA_TILE_ROWS",
        *operand(tile.first, "rows"),
        "PA_TILE_COLUMNS",
        *operand(tile.second, "columns"),
        "PA_TILE_RESULTS",
        "{",
        [
            iterators("batch", "rows", "columns"),
            *printer.node(tile.start),
            assign(tile.local, added),
            *(line for node in tile.rest for line in printer.node(node)),
        ],
        "}",
        f"PA_TILES({suffix}, {numbers}, {packs(tile.first, 'ROWS')}, {packs(tile.second, 'COLUMNS')})",
    ]


def flat_iterators(
    loops: Sequence[Loop], number: str, lengths: Sequence[str], printer: LoopText
) -> list[tuple[str, Code]]:
    """Each iterator of loops that are merged, from the number of an iteration of them all."""
    found = []
    for n, o in enumerate(loops):
        place: Code = word(number)
        if inner := lengths[n + 1 :]:
            place = infix("/", place, infix("*", *map(word, inner)))
        if n:
            place = infix("%", place, word(lengths[n]))
        first = value_code(o.first, printer.spell)
        if abs(o.step) != 1:
            place = infix("*", integer_code(abs(o.step)), place)
        if o.step < 0:
            place = infix("-", first, place)
        elif first != ZERO:
            place = integer_sum(first, place)
        found.append((o.iterator, place))
    return found
