"""Prefix scans of a grid (scans.py) in CUDA C++: what stands between the macros of polyad_cuda_scans.h.

const int64_t pa_n0 = pa_count(0, B - 1, 1);
const int64_t pa_rows = pa_n0;
const int64_t pa_segments = pa_scan_segments(pa_rows, pa_count(0, T - 1, 1), 1);
PA_SCANS(1)
const int64_t b = pa_row;
const int64_t pa_steps = pa_count(0, T - 1, 1);
PA_SCAN_TERMS(f32)
{
  const int64_t t = pa_at;
  PA_SCAN_TERM(a[b * T + t], x[b * T + t])
}
PA_SCAN_START(f32)
{ PA_SCAN_FROM(h[b * (T + 1)]) }
PA_SCAN_RESULTS(f32)
{
  const int64_t t = pa_at;
  h[b * (T + 1) + t + 1] = pa_after_f32;
}
PA_SCAN_STATES(affine, f32, 1, pa_totals)
PA_SCANS_END
"""

from __future__ import annotations

from dataclasses import replace

from polyad.codegen.cuda.contraction_text import flat_iterators
from polyad.codegen.cuda.scans import scan_kind, scan_rows
from polyad.codegen.loops.nodes import Block, Instance, LinearState, Loop, PrefixScan
from polyad.codegen.storage.beside_scans import TOTALS
from polyad.codegen.text.code import Code, assign, call, code, declare, infix, word
from polyad.codegen.text.expression_text import SUFFIXES
from polyad.codegen.text.integer_text import ONE, integer_code, value_code
from polyad.codegen.text.line_text import Lines
from polyad.codegen.text.loop_text import LoopText
from polyad.codegen.text.prefix_text import term_code

__all__ = ["scan_lines"]


def scan_lines(nest: Loop | PrefixScan, printer: LoopText) -> Lines:
    """Return what the blocks of a grid run."""
    rows, scan = scan_rows(nest)
    assert scan is not None, "the pass has looked (scans.py)"
    state, part = scan.state, scan.part
    suffix, lanes = SUFFIXES[state.dtype], str(scan.lanes)
    lengths = [f"pa_n{n}" for n in range(len(rows))]
    steps = _count(state.loop, printer)
    segments = call("pa_scan_segments", "pa_rows", steps, lanes)
    terms = [term_code(t, state, printer.statements) for t in (state.update.mul, state.update.add)]
    at_first = {state.loop.iterator: state.loop.first}
    first = [i.substitute(at_first) for i in state.before]  # type: ignore[arg-type]
    last = [scan_kind(scan), suffix, lanes, *([] if part == "all" else [TOTALS])]
    lines: Lines = [
        *([declare("const int64_t", *zip(lengths, (_count(o, printer) for o in rows), strict=True))] if rows else []),
        declare("const int64_t", ("pa_rows", infix("*", *map(word, lengths)) if rows else ONE)),
        declare("const int64_t", ("pa_segments", ONE if part == "all" else segments)),
        f"PA_SCANS({lanes})",
        *([declare(f"const {printer.spell.index}", *flat_iterators(rows, "pa_row", lengths, printer))] if rows else []),
        declare("const int64_t", ("pa_steps", steps)),
        f"PA_SCAN_TERMS({suffix})",
        "{",
        [_step(state, printer), *printer.block(Block(state.first)), code("PA_SCAN_TERM({}, {})", *terms)],
        "}",
        f"PA_SCAN_START({suffix})",
        "{",
        [code("PA_SCAN_FROM({})", printer.statements.text.element(state.array, first))],
        "}",
    ]
    if part != "totals":
        results = [line for i in state.second for line in _result(i, state, printer)]
        states = _states_in_turn(state, printer) if state.in_turn else []
        lines += [f"PA_SCAN_RESULTS({suffix})", "{", [_step(state, printer), *results, *states], "}"]
    lines += [f"PA_SCAN_{part.upper()}({', '.join(last)})", "PA_SCANS_END"]
    return ["{", lines, "}"]


def _count(loop: Loop, printer: LoopText) -> Code:
    bounds = (value_code(v, printer.spell) for v in (loop.first, loop.last))
    return call("pa_count", *bounds, integer_code(loop.step))


def _step(state: LinearState, printer: LoopText) -> Code:
    """The iterator of a step, from its number."""
    return declare(f"const {printer.spell.index}", *flat_iterators((state.loop,), "pa_at", ("pa_steps",), printer))


def _result(instance: Instance, state: LinearState, printer: LoopText) -> Lines:
    """An instance that finds the states around its step."""
    text = printer.statements
    if instance.number == state.writer.number:
        if state.in_turn:
            return []
        element = text.element(state.array, text.statements[instance.statement].write, instance)
        return [*printer.comment(instance), assign(element, _around("after", state))]
    places: dict[str, Code] = {}
    if instance.number in state.carried:
        places = {state.array: _around("before", state)}
    elif any(r.array == state.array for r in text.statements[instance.statement].reads()):
        places = {state.array: _around("after", state)}
    return [*printer.comment(instance), replace(text, places=places).line(instance)]


def _states_in_turn(state: LinearState, printer: LoopText) -> Lines:
    """Behind the last step, its states are in their places."""
    element = printer.statements.text.element
    is_last = infix("==", word("pa_at"), infix("-", word("pa_steps"), ONE))
    both: Lines = [
        assign(element(state.array, index), _around(which, state))
        for which, index in (("before", state.before), ("after", state.after))
    ]
    return [code("if ({}) {{", is_last), both, "}"]


def _around(which: str, state: LinearState) -> Code:
    """The state before a step, or after it."""
    return word(f"pa_{which}_{SUFFIXES[state.dtype]}")
