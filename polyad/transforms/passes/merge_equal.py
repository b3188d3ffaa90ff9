"""Common subexpressions across statements: arrays that are defined alike are one array.

What must hold: shape, type, domains, accesses and bodies are the same text, once arrays found equal have one name. That
holds for recurrences, too, of one array or of several, on their own or within the steps of a scan.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

import islpy as isl

from polyad import islx
from polyad.ir.array import Array
from polyad.ir.expr import Access, Apply, Const, Expr, Index, Indirect, Read, Select, walk
from polyad.ir.program import Program
from polyad.ir.statement import Statement
from polyad.transforms.rewrite.array_graph import array_components
from polyad.transforms.rewrite.rename import rename_arrays

__all__ = ["merge_equal"]

_NAME = "\0"
"""Stands around the name of what is read."""


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
    alike = {n: shape for shape, names in same_shape.items() if len(names) > 1 for n in names}
    # Sources first, so that equal arrays computed from equal arrays are found in the same sweep.
    suspects = [n for component in array_components(program) for n in component.arrays if n in alike]
    classes = _classes({n: _equation(writers[n]) for n in suspects}, alike)
    first: dict[str, str] = {}  # class -> the array that stays
    merged: dict[str, str] = {}  # array -> the equal array that stays
    for name in suspects:
        other = first.setdefault(classes[name], name)
        if other != name and program.arrays[name].is_movable and name not in keep:
            merged[name] = other
    if not merged:
        return program
    return program.with_statements(rename_arrays(s, merged) for s in program.statements if s.array not in merged)


def _classes(equations: Mapping[str, Sequence[str]], alike: Mapping[str, str]) -> dict[str, str]:
    """The arrays that satisfy the same equations: array -> its class.

    All that look alike are taken for equal, and parted while their equations say that they are not. Each element is
    computed from others that come before it, so what is not parted is equal, recurrences that read themselves included.
    """
    classes = dict(alike)
    while True:
        found: dict[tuple[str, ...], str] = {}
        now = dict(classes)
        for name, texts in equations.items():
            told = sorted("".join(now.get(part, part) for part in text.split(_NAME)) for text in texts)
            now[name] = found.setdefault((classes[name], *told), f"={len(found)}")
        if len(found) == len(set(classes.values())):
            return now
        classes = now


def _outline(array: Array, writers: list[Statement]) -> str:
    """Return a key that equal arrays share and that costs nothing to print: shape, types and operators."""
    shapes = sorted(f"{len(s.dims)} {s.reduction} {' '.join(map(_operator, walk(s.body)))}" for s in writers)
    return f"{array.dtype}{[str(e) for e in array.shape]} {shapes}"


def _operator(expr: Expr) -> str:
    return f"{expr.op}.{expr.dtype}" if isinstance(expr, Apply) else type(expr).__name__


def _equation(writers: list[Statement]) -> list[str]:
    """The defining equations as text without the names of array, statements and dimensions.

    `_NAME` stands around the names of what is read.
    """
    texts = []
    for s in writers:
        domain = islx.name_dims(s.domain.reset_tuple_id(), [f"i{i}" for i in range(len(s.dims))])
        texts.append(f"{s.reduction} {domain} {_access_text(s.write)} {_text(s.body)}")
    return texts


def _access_text(access: Access) -> str:
    if isinstance(access, Indirect):
        return ", ".join(_text(i) for i in access.index)
    # The array is said by the equation.
    return _positional(access.set_tuple_name(isl.dim_type.in_, "S").reset_tuple_id(isl.dim_type.out))


def _positional(function: isl.Aff | isl.MultiAff) -> str:
    """{ S[i0, i1, ...] -> ... } whatever the dimensions are called."""
    for i in range(function.dim(isl.dim_type.in_)):
        function = function.set_dim_name(isl.dim_type.in_, i, f"i{i}")
    return str(function)


def _text(expr: Expr) -> str:
    """The expression as text."""
    match expr:
        case Const(value, dtype):
            return f"{dtype}({value!r})"
        case Index(value):
            return f"index({_positional(value.set_tuple_id(isl.dim_type.in_, isl.Id('S')))})"
        case Read(array, access, _):
            return f"\0{array}\0[{_access_text(access)}]"
        case Apply(op, args, dtype):
            return f"{op}.{dtype}({', '.join(_text(a) for a in args)})"
        case Select(cond, a, b, _):
            return f"select({_text(cond)}, {_text(a)}, {_text(b)})"
