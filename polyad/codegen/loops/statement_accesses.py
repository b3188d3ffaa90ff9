"""The accesses of statements as plain index expressions, read once per program."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

import islpy as isl

from polyad.codegen.loops.nodes import Instance
from polyad.ir.affine import Affine
from polyad.ir.expr import Access, Apply, Expr, Index, Indirect, Read, Select, children, reads
from polyad.ir.program import Program
from polyad.ir.statement import Statement

__all__ = [
    "Indices",
    "Touch",
    "Touches",
    "always_read",
    "cell_of",
    "element_of",
    "index_at",
    "index_of",
    "maybe_read",
    "reads_early",
    "touches",
]

Indices = Mapping[int, tuple[Affine | None, ...]]
"""An access, by identity -> its index expressions in terms of the statement's dims."""


@dataclass(frozen=True, slots=True, eq=False)
class Touch:
    """One access of a statement.

    Attributes:
        statement: who accesses.
        array: what.
        kind: the access defines the element, contributes to it, or reads it.
        index: per array dimension the index in terms of the statement's dims, None where it depends on data.
        access: the access itself.
    """

    statement: Statement
    array: str
    kind: Literal["define", "contribute", "read"]
    index: tuple[Affine | None, ...]
    access: Access


Touches = Mapping[str, tuple[Touch, ...]]
"""Statement name -> its accesses, the write first."""


def index_of(access: Access, dims: tuple[str, ...]) -> tuple[Affine | None, ...]:
    """The index expressions of an access { S[dims] -> a[...] }, None where they depend on data."""
    if isinstance(access, Indirect):
        return tuple(Affine.from_aff(i.value, dims) if isinstance(i, Index) else None for i in access.index)
    return tuple(Affine.from_aff(access.get_aff(i), dims) for i in range(access.dim(isl.dim_type.out)))


def touches(program: Program) -> Touches:
    """The accesses of all statements."""
    result = {}
    for s in program.statements:
        write = Touch(s, s.array, "contribute" if s.reduction else "define", index_of(s.write, s.dims), s.write)
        reads = [Touch(s, r.array, "read", index_of(r.access, s.dims), r.access) for r in s.reads()]
        result[s.name] = (write, *reads)
    return result


def index_at(touch: Touch, instance: Instance) -> tuple[Affine | None, ...]:
    """The index expressions of a touch at an instance, None where they depend on data."""
    values: Mapping[str, Affine] = dict(zip(touch.statement.dims, instance.args, strict=True))
    return tuple(None if i is None else i.substitute(values) for i in touch.index)


def cell_of(touch: Touch, instance: Instance) -> tuple[Affine, ...] | None:
    """The element that a touch accesses at an instance, None when it depends on data."""
    cell = tuple(i for i in index_at(touch, instance) if i is not None)
    return cell if len(cell) == len(touch.index) else None


def element_of(read: Read, instance: Instance, index: tuple[Affine | None, ...]) -> Hashable:
    """Return a key of the element that an instance reads; two that data choose are never taken for one.

    Args:
        read: of the statement.
        instance: of it.
        index: of the element at this instance.
    """
    if read.array in instance.locals:
        return instance.locals[read.array]
    return (read.array, id(read.access) if isinstance(read.access, Indirect) else index)


def maybe_read(node: Expr, element: Callable[[Read], Hashable]) -> list[Read]:
    """The reads of a node that C makes under a condition, but for elements that are read in any case.

    C evaluates the sides of `?:` under a condition, and the right side of `&&` and `||`.
    """
    match node:
        case Select(first, a, b, _):
            others: tuple[Expr, ...] = a, b
        case Apply("and" | "or", (first, right), _):
            others = (right,)
        case _:
            return []
    known = {*always_read(first, element)}
    return [read for other in others for read in reads(other) if element(read) not in known]


def reads_early(node: Expr, element: Callable[[Read], Hashable]) -> bool:
    """Whether a node has reads under its condition that are to be made before it is known (expression_text.py).

    Elements at data-dependent indices may not exist: they are read under the condition.
    """
    found = maybe_read(node, element)
    return bool(found) and not any(isinstance(r.access, Indirect) for r in found)


def always_read(node: Expr, element: Callable[[Read], Hashable]) -> Iterator[Hashable]:
    """The elements that C reads whenever it evaluates a node."""
    if isinstance(node, Read):
        yield element(node)
    match node:
        case Select(first) | Apply("and" | "or", (first, _)) if not reads_early(node, element):
            yield from always_read(first, element)
        case _:
            for inner in children(node):
                yield from always_read(inner, element)
