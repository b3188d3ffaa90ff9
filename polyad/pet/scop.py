"""The loop nest in C as pet sees it: arrays, statements with their domains, and the order in which they run.

    Scop      ::= context, arrays, statements, schedule
    Statement ::= name, domain { S[i] }, body, guards
    Node      ::= Access | Affine | Number | Call | Cast | Operation

A static control part holds each assignment of the C text once, with the set of its instances. Everything is frozen, and
is only what the text says: who wrote a value that is read is found out in `dataflow.py`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import islpy as isl

__all__ = [
    "Access",
    "Affine",
    "Call",
    "Cast",
    "Node",
    "Number",
    "Operation",
    "Scop",
    "ScopArray",
    "ScopStatement",
    "nodes",
]


@dataclass(frozen=True, slots=True, eq=False)
class Access:
    """An element of an array, or a scalar, that is read, written, or both (`x += 1`).

    Attributes:
        array: the array's name; a scalar is an array of no dimensions.
        index: { S[i] -> x[f(i)] }; with `arguments`, { [S[i] -> [a0, a1]] -> x[f(i, a0, a1)] }.
        reads: whether the element is read.
        writes: whether the element is written.
        arguments: the values that the index depends on beside the iteration: `p[i]` of `x[p[i]]`.
    """

    array: str
    index: isl.MultiPwAff
    reads: bool
    writes: bool
    arguments: tuple[Node, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Affine:
    """An integer that is an affine function of iterators and sizes, or a condition on them (0 or 1).

    Attributes:
        value: { S[i] -> [(2i + n)] }, in pieces if need be.
        bits: width of its C type; negative if signed.
    """

    value: isl.PwAff
    bits: int


@dataclass(frozen=True, slots=True)
class Number:
    """A literal, as it is written: `2.5f`, `1e-3`, `3`.

    Attributes:
        text: the literal.
        bits: width of an integer's C type, negative if signed; 0 for a floating-point number.
    """

    text: str
    bits: int


@dataclass(frozen=True, slots=True, eq=False)
class Call:
    """A function's value: `exp(x)`."""

    name: str
    arguments: tuple[Node, ...]
    bits: int = 0


@dataclass(frozen=True, slots=True, eq=False)
class Cast:
    """A conversion that the text asks for: `(double)i`; `type` is spelt as in C."""

    type: str
    argument: Node
    bits: int


@dataclass(frozen=True, slots=True, eq=False)
class Operation:
    """An operator of C.

    Attributes:
        op: pet's word for it: add sub mul div mod minus eq ne le ge lt gt land lor lnot cond, assign, add_assign
            sub_assign mul_assign div_assign, and those that are refused later; and `wrap`, the remainder by 2^32.
        arguments: its operands; of an assignment, the element written and the value.
        bits: width of the value's integer type, negative if signed; 0 if it is no integer.
    """

    op: str
    arguments: tuple[Node, ...]
    bits: int


Node = Access | Affine | Number | Call | Cast | Operation


@dataclass(frozen=True, slots=True, eq=False)
class ScopArray:
    """An array or a scalar that the loop nest touches.

    Attributes:
        name: as in C; names that begin with `__pet_` are pet's: conditions, arguments and results of inlined functions.
        extent: { x[a0, a1] : 0 <= a0 < n and ... }.
        type: element type, spelt as in C: `double`.
        size: bytes of an element.
        declared: whether it is declared inside of the loop nest.
        exposed: whether it is declared inside of the loop nest and visible after it.
    """

    name: str
    extent: isl.Set
    type: str
    size: int
    declared: bool
    exposed: bool


@dataclass(frozen=True, slots=True, eq=False)
class ScopStatement:
    """One assignment, or one condition that data decide.

    Attributes:
        name: pet's, `S_0`, or the C text's label.
        domain: { S[i] }: all instances, also those that data may leave out.
        body: the expression: an `Operation` that assigns.
        guards: (condition, value): it runs only where each condition's value is this.
        line: of the C file; 0 if pet does not know it (the body of an inlined function).
        kills: whether it only says that an array's content is of no use any more.
    """

    name: str
    domain: isl.Set
    body: Node
    guards: tuple[tuple[Node, int], ...] = ()
    line: int = 0
    kills: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Scop:
    """A static control part: everything between `#pragma scop` and `#pragma endscop`.

    Attributes:
        context: [n] -> { : ... }: what is assumed of sizes.
        arrays: all that are touched, by name.
        statements: in the order of the text.
        schedule: the order in which instances run in C.
        path: the C file.
        lines: its first and its last line.
    """

    context: isl.Set
    arrays: dict[str, ScopArray]
    statements: tuple[ScopStatement, ...]
    schedule: isl.Schedule
    path: str
    lines: tuple[int, int]


def nodes(node: Node) -> Iterator[Node]:
    """The node and all below it, those in subscripts included."""
    yield node
    match node:
        case Access(arguments=below) | Call(arguments=below) | Operation(arguments=below):
            for argument in below:
                yield from nodes(argument)
        case Cast(argument=argument):
            yield from nodes(argument)
        case _:
            pass
