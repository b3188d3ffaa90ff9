"""The CUDA C++ of a prefix scan over a grid, as trees: what stands between the macros of polyad_cuda_scans.h.

The macros are trusted to run the first block for each step of each row, and the last one with the states around it, as
the factors and terms of the first block and the state of the second one say. That these are the ones of the program is
looked at in the loops (certify/formulas.py).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from polyad.codegen.certify.read_back.c_tokens import NotReadError
from polyad.codegen.certify.read_back.c_tree import (
    Assign,
    Binary,
    Call,
    Compound,
    Declare,
    Expr,
    If,
    Known,
    Macro,
    Name,
    Number,
    Statement,
)
from polyad.codegen.certify.read_back.contraction_trees import place_of, product_of
from polyad.codegen.certify.read_back.expected_nodes import Nodes
from polyad.codegen.certify.read_back.expected_scans import expected_term
from polyad.codegen.certify.read_back.expected_values import SUFFIXES
from polyad.codegen.certify.read_back.terms import number
from polyad.codegen.cuda.scans import scan_rows
from polyad.codegen.loops.nodes import Block, Instance, LinearState, Loop, PrefixScan

__all__ = ["launched_scan"]


def launched_scan(nest: Loop | PrefixScan, trees: Nodes) -> Statement:
    """Return what the blocks of a grid run.

    Raises:
        NotReadError: it is no scan.
    """
    rows, scan = scan_rows(nest)
    if scan is None:
        raise NotReadError("a grid of scans has something else in it", 1)
    state, part = scan.state, scan.part
    suffix, lanes = Name(SUFFIXES[state.dtype]), Number(str(scan.lanes))
    kind = Name("affine" if scan.kind == "decay" else scan.kind)
    lengths = [f"pa_n{n}" for n in range(len(rows))]
    steps = _count(state.loop, trees)
    cut = Call("pa_scan_segments", (Name("pa_rows"), steps, lanes))
    step = _iterator(state.loop, Name("pa_at"), trees)
    terms = tuple(expected_term(t, state, trees.values) for t in (state.update.mul, state.update.add))
    at_first = {state.loop.iterator: state.loop.first}
    first = trees.values.element(state.array, [i.substitute(at_first) for i in state.before])  # type: ignore[arg-type]
    found: list[Statement] = [
        *(Declare("const int64_t", name, (), _count(o, trees)) for name, o in zip(lengths, rows, strict=True)),
        Declare("const int64_t", "pa_rows", (), product_of(lengths)),
        Declare("const int64_t", "pa_segments", (), Number("1") if part == "all" else cut),
        Macro("PA_SCANS", (lanes,)),
        *(_iterator(o, place_of("pa_row", lengths, n), trees) for n, o in enumerate(rows)),
        Declare("const int64_t", "pa_steps", (), steps),
        Macro("PA_SCAN_TERMS", (suffix,)),
        Compound((step, *trees.block(Block(state.first)), Macro("PA_SCAN_TERM", terms))),
        Macro("PA_SCAN_START", (suffix,)),
        Compound((Macro("PA_SCAN_FROM", (first,)),)),
    ]
    if part != "totals":
        found += [Macro("PA_SCAN_RESULTS", (suffix,)), Compound((step, *_results(state, trees)))]
    memory = () if part == "all" else (Name("pa_totals"),)
    found += [Macro(f"PA_SCAN_{part.upper()}", (kind, suffix, lanes, *memory)), Macro("PA_SCANS_END", ())]
    return Compound(tuple(found))


def _count(loop: Loop, trees: Nodes) -> Expr:
    return Call("pa_count", (trees.value(loop.first), trees.value(loop.last), Known(number(loop.step), "int64_t")))


def _iterator(loop: Loop, place: Expr, trees: Nodes) -> Statement:
    """An iterator, from the number of its iteration."""
    moved = Binary("*", Known(number(loop.step), "int64_t"), place)
    return Declare(f"const {trees.values.index_type}", loop.iterator, (), Binary("+", trees.value(loop.first), moved))


def _results(state: LinearState, trees: Nodes) -> Iterator[Statement]:
    """The use of the states around a step."""
    before, after = (Name(f"pa_{which}_{SUFFIXES[state.dtype]}") for which in ("before", "after"))
    values = trees.values
    for instance in state.second:
        if instance.number != state.writer.number:
            place = before if instance.number in state.carried else after if _reads(instance, state, trees) else None
            yield from replace(values, places={state.array: place} if place else {}).instance(instance)
        elif not state.in_turn:
            write = values.statements[instance.statement].write
            yield Assign("=", values.accessed(state.array, write, instance), after)
    if state.in_turn:
        places = (values.element(state.array, index) for index in (state.before, state.after))
        both = tuple(Assign("=", place, s) for place, s in zip(places, (before, after), strict=True))
        yield If(Binary("==", Name("pa_at"), Binary("-", Name("pa_steps"), Number("1"))), both, ())


def _reads(instance: Instance, state: LinearState, trees: Nodes) -> bool:
    """Whether an instance reads a state, other than the one before its step."""
    return any(r.array == state.array for r in trees.values.statements[instance.statement].reads())
