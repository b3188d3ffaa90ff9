"""Common subexpressions across statements: arrays that are defined alike are one array.

What must hold: shape, type, domains, accesses and bodies are the same text, once arrays found equal have one name.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

import islpy as isl

from polyad import islx
from polyad.ir.array import Array
from polyad.ir.expr import Access, Apply, Const, Expr, Index, Indirect, Read, Select, walk
from polyad.ir.program import Program
from polyad.ir.statement import Statement
from polyad.transforms.rewrite.array_graph import array_components
from polyad.transforms.rewrite.rename import rename_arrays

__all__ = ["merge_equal"]


def merge_equal(program: Program, keep: Collection[str] = ()) -> Program:
    """Keep one of the temporaries whose equations are the same up to the names of statements and dimensions.

    Makes smaller: the number of arrays and statements. Equality is that of the text of domains, accesses and bodies:
    cheap, and blind to a + b = b + a.

    Args:
        program: any program.
        keep: arrays that must stay.
    """
    writers = program.writers()
    same_shape: dict[str, list[str]] = {}
    for name, group in writers.items():
        same_shape.setdefault(_outline(program.arrays[name], group), []).append(name)
    suspects = {n for names in same_shape.values() if len(names) > 1 for n in names}
    merged: dict[str, str] = {}  # array -> the equal array that stays
    first: dict[str, str] = {}  # equation -> the array that stays
    # Sources first, so that equal arrays computed from equal arrays are found in the same sweep.
    for component in array_components(program):
        for name in component.arrays:
            if name not in suspects:
                continue
            equation = _equation(program.arrays[name], writers[name], merged)
            other = first.setdefault(equation, name)
            if other != name and program.arrays[name].is_movable and name not in keep:
                merged[name] = other
    if not merged:
        return program
    return program.with_statements(rename_arrays(s, merged) for s in program.statements if s.array not in merged)


def _outline(array: Array, writers: list[Statement]) -> str:
    """Return a key that equal arrays share and that costs nothing to print: shape, types and operators."""
    shapes = sorted(f"{len(s.dims)} {s.reduction} {' '.join(map(_operator, walk(s.body)))}" for s in writers)
    return f"{array.dtype}{[str(e) for e in array.shape]} {shapes}"


def _operator(expr: Expr) -> str:
    return f"{expr.op}.{expr.dtype}" if isinstance(expr, Apply) else type(expr).__name__


def _equation(array: Array, writers: list[Statement], merged: Mapping[str, str]) -> str:
    """The defining equations as text without the names of array, statements and dimensions."""
    texts = []
    for s in writers:
        domain = islx.name_dims(s.domain.reset_tuple_id(), [f"i{i}" for i in range(len(s.dims))])
        write, body = _access_text(s.write, merged), _text(s.body, merged)
        texts.append(f"{s.reduction} {domain} {write} {body}")
    return f"{array.dtype}{[str(e) for e in array.shape]} {sorted(texts)}"


def _access_text(access: Access, merged: Mapping[str, str]) -> str:
    if isinstance(access, Indirect):
        return ", ".join(_text(i, merged) for i in access.index)
    # The array is said by the equation, under the name that stays.
    return _positional(access.set_tuple_name(isl.dim_type.in_, "S").reset_tuple_id(isl.dim_type.out))


def _positional(function: isl.Aff | isl.MultiAff) -> str:
    """{ S[i0, i1, ...] -> ... } whatever the dimensions are called."""
    for i in range(function.dim(isl.dim_type.in_)):
        function = function.set_dim_name(isl.dim_type.in_, i, f"i{i}")
    return str(function)


def _text(expr: Expr, merged: Mapping[str, str]) -> str:
    """The expression as text, arrays already merged under the name that stays."""
    match expr:
        case Const(value, dtype):
            return f"{dtype}({value!r})"
        case Index(value):
            return f"index({_positional(value.set_tuple_id(isl.dim_type.in_, isl.Id('S')))})"
        case Read(array, access, _):
            return f"{merged.get(array, array)}[{_access_text(access, merged)}]"
        case Apply(op, args, dtype):
            return f"{op}.{dtype}({', '.join(_text(a, merged) for a in args)})"
        case Select(cond, a, b, _):
            return f"select({_text(cond, merged)}, {_text(a, merged)}, {_text(b, merged)})"
