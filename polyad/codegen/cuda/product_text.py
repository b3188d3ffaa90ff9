"""Products of steps (step_products.py) in CUDA C++: what stands between the macros of polyad_cuda_teams.h.

PA_STEP_ROWS(f32) {
  const int64_t i = i_first + pa_m, k = pa_k;
  PA_STEP_IS(h[(t * B + i) * H + k])
}
PA_STEP_COLUMNS(f32) {
  const int64_t j = pa_n, k = pa_k;
  PA_STEP_IS(U[k * N + j])
}
PA_STEP_STARTS(f32) {
  const int64_t i = i_first + pa_m, j = pa_n;
  float s = z[(t * B + i) * N + j];
  PA_STEP_IS(s)
}
PA_STEP_RESULTS(f32) {
  const int64_t i = i_first + pa_m, j = pa_n;
  float s = PA_STEP_START;
  s = (float)((double)s + PA_STEP_SUM);
  z[(t * B + i) * N + j] = s;
}
PA_TEAM_PRODUCT(f32, PA_KEPT(0))
"""

from __future__ import annotations

from polyad.codegen.cuda.contraction_text import ContractionText
from polyad.codegen.cuda.step_products import product_of
from polyad.codegen.loops.nodes import Loop
from polyad.codegen.loops.statement_accesses import Touches
from polyad.codegen.text.code import code, declare, word
from polyad.codegen.text.expression_text import C_TYPES, SUFFIXES
from polyad.codegen.text.line_text import Lines
from polyad.codegen.text.loop_text import LoopText

__all__ = ["product_lines"]

_TOTALS = {"rows": "pa_rows", "columns": "pa_columns", "sums": "pa_terms"}


def product_lines(loop: Loop, printer: LoopText, touches: Touches, room: int | None, whose: str) -> Lines:
    """The block of a product.

    Args:
        loop: the outermost of its loops.
        printer: of what else stands in it.
        touches: the accesses of all statements.
        room: the number of that where its second operand stays; None where it is read in each step.
        whose: threads share it: those of a "TEAM", or of a "BLOCK".
    """
    tile = product_of(loop, touches)
    assert tile is not None, "the pass has looked (launches.py)"
    suffix, text = SUFFIXES[tile.first.dtype], ContractionText(tile, printer, touches, _TOTALS)
    iterators = text.iterators("rows", "columns")
    start = declare(C_TYPES[tile.first.dtype], (tile.local, "PA_STEP_START"))
    return [
        "{",
        [
            *printer.comment(tile.instance),
            *text.counts(),
            f"PA_STEP_ROWS({suffix})",
            *text.operand(tile.first, ("rows", "sums"), "PA_STEP_IS"),
            f"PA_STEP_COLUMNS({suffix})",
            *text.operand(tile.second, ("columns", "sums"), "PA_STEP_IS"),
            f"PA_STEP_STARTS({suffix})",
            "{",
            [*iterators, *printer.node(tile.start), code("PA_STEP_IS({})", word(tile.local))],
            "}",
            f"PA_STEP_RESULTS({suffix})",
            "{",
            [*iterators, start, *text.results("PA_STEP_SUM")],
            "}",
            f"PA_{whose}_PRODUCT({suffix}, {'PA_PASSING' if room is None else f'PA_KEPT({room})'})",
        ],
        "}",
    ]
