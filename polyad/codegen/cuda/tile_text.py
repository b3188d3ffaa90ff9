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

from polyad.codegen.cuda.contraction_text import ContractionText
from polyad.codegen.cuda.loop_chains import merged_loops
from polyad.codegen.cuda.operand_packs import packs_of
from polyad.codegen.cuda.tiles import tile_of, tile_shape
from polyad.codegen.loops.nodes import Loop
from polyad.codegen.loops.statement_accesses import Touches
from polyad.codegen.text.expression_text import SUFFIXES
from polyad.codegen.text.line_text import Lines
from polyad.codegen.text.loop_text import LoopText
from polyad.ir.expr import Read

__all__ = ["tile_lines"]

_TOTALS = {"rows": "pa_rows", "columns": "pa_columns", "batch": "pa_batches", "sums": "pa_terms"}


def tile_lines(loop: Loop, printer: LoopText, touches: Touches) -> Lines:
    """The block of a grid that is computed by tiles."""
    loops = merged_loops(loop)
    tile = tile_of(loops, loops[-1].body, touches)
    assert tile is not None, "the pass has looked (launches.py)"
    text, shape = ContractionText(tile, printer, touches, _TOTALS), tile_shape(tile)
    numbers = f"{shape.rows}, {shape.columns}, {shape.terms}, {shape.own_rows}, {shape.own_columns}"

    def packs(read: Read, group: str) -> str:
        found = packs_of(read, tile, printer.statements.text, touches)
        return f"{'TERMS' if found.by_terms else group}, {found.width}"

    ways = f"{packs(tile.first, 'ROWS')}, {packs(tile.second, 'COLUMNS')}"
    return [
        *printer.comment(tile.instance),
        *text.counts(),
        "PA_TILE_ROWS",
        *text.operand(tile.first, ("batch", "rows", "sums"), "PA_TILE_OF"),
        "PA_TILE_COLUMNS",
        *text.operand(tile.second, ("batch", "columns", "sums"), "PA_TILE_OF"),
        "PA_TILE_RESULTS",
        "{",
        [
            *text.iterators("batch", "rows", "columns"),
            *printer.node(tile.start),
            *text.results("PA_TILE_SUM"),
        ],
        "}",
        f"PA_TILES({SUFFIXES[tile.first.dtype]}, {numbers}, {ways})",
    ]
