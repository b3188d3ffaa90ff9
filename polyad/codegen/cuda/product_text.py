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

from collections.abc import Sequence

from polyad.codegen.cuda.step_products import product_of
from polyad.codegen.cuda.tile_text import GROUPS, flat_iterators
from polyad.codegen.cuda.tiles import along
from polyad.codegen.loops.nodes import Loop
from polyad.codegen.loops.statement_accesses import Touches
from polyad.codegen.text.code import Code, assign, call, cast, code, declare, infix, word
from polyad.codegen.text.expression_text import C_TYPES, SUFFIXES
from polyad.codegen.text.integer_text import ONE, integer_code, value_code
from polyad.codegen.text.line_text import Lines
from polyad.codegen.text.loop_text import LoopText
from polyad.ir.expr import Read

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
    suffix = SUFFIXES[tile.first.dtype]
    lengths = {group: [f"{GROUPS[group][1]}{n}" for n in range(len(getattr(tile, group)))] for group in _TOTALS}
    counts = [
        (name, call("pa_count", value_code(o.first, printer.spell), value_code(o.last, printer.spell), integer_code(1)))
        for group, own in lengths.items()
        for name, o in zip(own, getattr(tile, group), strict=True)
    ]
    totals = [(_TOTALS[g], infix("*", *map(word, own)) if own else ONE) for g, own in lengths.items()]

    def iterators(groups: Sequence[str], among: set[str] | None = None) -> Lines:
        found = [
            pair
            for g in groups
            for pair in flat_iterators(getattr(tile, g), GROUPS[g][0], lengths[g], printer)
            if among is None or pair[0] in among
        ]
        return [declare("const int64_t", *found)] if found else []

    def operand(read: Read, group: str) -> Lines:
        moved = along(read, tile.instance, touches)
        value = printer.statements.read(read, tile.instance)
        return ["{", [*iterators((group, "sums"), moved), code("PA_STEP_IS({})", value)], "}"]

    added: Code = word("PA_STEP_SUM")
    if tile.first.dtype == "float32":
        added = cast("float", infix("+", cast("double", word(tile.local)), added))
    else:
        added = infix("+", word(tile.local), added)
    return [
        "{",
        [
            *printer.comment(tile.instance),
            declare("const int64_t", *counts),
            declare("const int64_t", *totals),
            f"PA_STEP_ROWS({suffix})",
            *operand(tile.first, "rows"),
            f"PA_STEP_COLUMNS({suffix})",
            *operand(tile.second, "columns"),
            f"PA_STEP_STARTS({suffix})",
            "{",
            [
                *iterators(("rows", "columns")),
                *printer.node(tile.start),
                code("PA_STEP_IS({})", word(tile.local)),
            ],
            "}",
            f"PA_STEP_RESULTS({suffix})",
            "{",
            [
                *iterators(("rows", "columns")),
                declare(C_TYPES[tile.first.dtype], (tile.local, "PA_STEP_START")),
                assign(tile.local, added),
                *(line for node in tile.rest for line in printer.node(node)),
            ],
            "}",
            f"PA_{whose}_PRODUCT({suffix}, {'PA_PASSING' if room is None else f'PA_KEPT({room})'})",
        ],
        "}",
    ]
