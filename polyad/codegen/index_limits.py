"""Up to which sizes loop variables and subscripts of 32 bits compute what those of 64 bits compute.

Whatever C computes of them lies within bounds that are formulas of the sizes: an iterator never leaves its loop's
limits by more than a step, a sum of terms is no larger than all of their magnitudes together, and the position of an
element is less than the number of elements. The largest of them are tested before anything runs:

    for t = 0 .. T - 1, reads x[t + 1, b]:     (T + 1) * B + T + 3 <= 2^31 - 1
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass
from typing import Any

from polyad.codegen.loops.contractions import trip_count
from polyad.codegen.loops.instance import Instance
from polyad.codegen.loops.loop_values import Value
from polyad.codegen.loops.nodes import (
    Block,
    Contraction,
    ContractionAxis,
    Let,
    Loop,
    Node,
    Pack,
    Parts,
    PrefixScan,
    Shape,
    Share,
)
from polyad.codegen.loops.statement_accesses import index_of
from polyad.codegen.loops.traversal import children
from polyad.codegen.lower.index_checks import IndexChecks
from polyad.codegen.lower.lowering import StoredProgram
from polyad.codegen.storage.room import BYTE
from polyad.errors import CompileError
from polyad.ir.affine import Affine, FloorDiv
from polyad.ir.expr import Index, walk
from polyad.ir.polynomials import Polynomial
from polyad.ir.statement import Statement

__all__ = ["MOST", "Total", "index_limits", "refused"]

MOST = 2**31 - 1
"""The largest number of 32 bits with a sign."""

_Magnitude = dict[str, int]  # size -> coefficient, "" -> constant: what an expression is at most, and its negative


@dataclass(frozen=True, slots=True)
class Total:
    """A number that must be `MOST` at most: a sum of products of sizes, none of whose factors counts for less than 1.

    Attributes:
        terms: of the sum, each a number and the factors, whose signs do not matter.
    """

    terms: tuple[tuple[int, tuple[Affine, ...]], ...]

    def at(self, sizes: Mapping[str, int]) -> int:
        """The number at given sizes."""
        found = 0
        for term, factors in self.terms:
            for factor in factors:
                term *= max(1, abs(factor.evaluate(sizes)))
            found += term
        return found

    def __str__(self) -> str:
        spelled = (
            " * ".join([*([str(n)] if n != 1 or not f else []), *(_factor(x) for x in f)]) for n, f in self.terms
        )
        return " + ".join(spelled)


def _factor(value: Affine) -> str:
    return str(value) if len(value.terms) + bool(value.constant) < 2 else f"({value})"


def refused(limits: Sequence[Total], sizes: Mapping[str, int]) -> Total | None:
    """The first limit that sizes do not keep, None where they keep all."""
    return next((limit for limit in limits if limit.at(sizes) > MOST), None)


def index_limits(loops: Block, known: StoredProgram, checks: IndexChecks) -> tuple[Total, ...]:
    """The limits of a kernel.

    Args:
        loops: as they are printed.
        known: of the program whose storage is decided.
        checks: of its data-dependent indices.

    Raises:
        CompileError: a limit without sizes is not kept.
    """
    statements = {**known.statements, **{c.statement.name: c.statement for c in checks.before}}
    finder = _Finder(known, statements, {name: {name: 1} for name in known.program.params}, {}, [])
    for block in (*(check.loops for check in checks.before), loops):
        finder.walk(block)
    for array in known.program.arrays.values():
        finder.integers(array.shape)
    finder.integers([slot.extents for slot in known.storage.memory.slots if slot.dtype != BYTE])
    limits = finder.limits()
    for limit in limits:
        if limit.at(dict.fromkeys(known.program.params, 1)) > MOST:
            raise CompileError(
                f"{known.program.name}: Target(index='int32') counts to {MOST}, and this kernel up to {limit}; leave "
                "out index=, or compile it for smaller sizes"
            )
    return tuple(limit for limit in limits if any(factors for _, factors in limit.terms))


@dataclass(frozen=True, slots=True, eq=False)
class _Finder:
    """Collects what is computed.

    Attributes:
        known: of the program.
        statements: by name, tests of indices among them.
        names: size, iterator or named integer -> its magnitude.
        largest: coefficient by coefficient the largest magnitude of anything that is computed.
        distances: between elements in memory, which operands of contractions are moved by.
    """

    known: StoredProgram
    statements: Mapping[str, Statement]
    names: dict[str, _Magnitude]
    largest: _Magnitude
    distances: list[Polynomial]

    def walk(self, node: Node) -> None:
        """All nodes in the order of the text, so that names are known where they are mentioned."""
        match node:
            case Loop(iterator=name, first=first, last=last, step=step):
                self.declare(name, (first, last), abs(step))
            case Share(first=name, last=other, low=low, high=high):
                self.declare(name, (low, high), 1)
                self.declare(other, (low, high), 1)
            case Let(name=name, value=value):
                self.declare(name, (value,), 0)
            case Parts(loop=loop):
                self.walk(loop)
                self.integers(trip_count(loop))
            case PrefixScan(state=state, steps=steps):
                self.walk(state.loop)
                _enlarge(self.largest, _plus(self.names[state.loop.iterator], {"": steps}))
            case Contraction(nest=nest, shape=shape):
                self.walk(nest)
                self.integers(shape)
                return
            case Pack(contraction=Contraction(shape=Shape(columns=columns, sums=sums, b=operand))):
                self.integers((columns, sums, operand))  # what varies in the loops inside is not there yet
                return
            case _:
                pass
        self.integers(node)
        for child in children(node) if not isinstance(node, Parts | PrefixScan) else ():
            self.walk(child)

    def declare(self, name: str, values: tuple[Value, ...], more: int) -> None:
        """A variable between some values, which may be left by so much."""
        found = dict(self.names.get(name, {}))
        for value in values:
            for one in _affine(value):
                _enlarge(found, _plus(self.magnitude(one), {"": more}))
        self.names[name] = found
        _enlarge(self.largest, found)

    def integers(self, part: Any) -> None:
        """All expressions of integers in a node, or in a part of it, but for the nodes inside."""
        match part:
            case Affine():
                _enlarge(self.largest, self.magnitude(part))
            case Instance():
                self.instance(part)
            case ContractionAxis():
                for loop in part.loops:
                    self.declare(loop.iterator, (loop.first, loop.last), abs(loop.step))
                self.distances.extend(part.strides)
                self.integers(part.count)
            case tuple() | list():
                for one in part:
                    self.integers(one)
            case Block():
                pass
            case _ if is_dataclass(part) and not isinstance(part, type):
                self.integers([x for f in fields(part) if not isinstance(x := getattr(part, f.name), Loop)])

    def instance(self, instance: Instance) -> None:
        """The accesses of an instance, and the integers among its values."""
        statement = self.statements[instance.statement]
        values = dict(zip(statement.dims, instance.args, strict=True))
        places = [(statement.array, statement.write), *((r.array, r.access) for r in statement.reads())]
        for array, access in places if statement.array in self.known.program.arrays else places[1:]:
            found = self.known.indices.get(id(access)) or index_of(access, statement.dims)
            index = [i.substitute(values) for i in found if i is not None]
            layout = self.known.storage.layouts.get(array)
            self.integers(index if layout is None else layout.index(index, self.known.program.arrays[array].shape))
        for node in walk(statement.body):
            if isinstance(node, Index):
                self.integers(Affine.from_aff(node.value, statement.dims).substitute(values))

    def magnitude(self, value: Affine) -> _Magnitude:
        """No part of a sum is larger than this, in whatever order it is added up."""
        found: _Magnitude = {"": abs(value.constant)}
        for atom, coefficient in value.terms:
            own = self.divided(atom) if isinstance(atom, FloorDiv) else self.names.get(atom)
            assert own is not None, f"{atom} is declared before it is mentioned"
            found = _plus(found, _scaled(own, abs(coefficient)))
        return found

    def divided(self, division: FloorDiv) -> _Magnitude:
        """Of a quotient, whose dividend may be written with multiples of the divisor more (nonnegative.py)."""
        numerator, divisor = division.numerator, division.divisor
        found: _Magnitude = {"": abs(numerator.constant) + divisor}
        for atom, coefficient in numerator.terms:
            own = self.divided(atom) if isinstance(atom, FloorDiv) else self.names[atom]
            found = _plus(found, _scaled(own, abs(coefficient) + divisor))
        return found

    def limits(self) -> tuple[Total, ...]:
        """One for each shape in memory, and for each distance; beside it stands what is added on the way."""
        beside = tuple((c, (Affine.of(n),) if n else ()) for n, c in sorted(self.largest.items()) if c)
        storage, program = self.known.storage, self.known.program
        inside = {a for slot in storage.memory.slots for a in slot.arrays} & program.arrays.keys()
        counts: list[tuple[tuple[int, tuple[Affine, ...]], ...]] = [()]
        for name in (*program.inputs, *program.outputs, *sorted(inside)):
            slots = storage.slots.get(name, {})
            shape = tuple(Affine.of(slots.get(d, e)) for d, e in enumerate(program.arrays[name].shape))
            if len(shape) > 1:  # else the position is the index
                counts.append((_product(1, shape),))
        for distance in self.distances:
            terms = (_product(abs(c), [Affine(((x, 1),)) for x in m]) for m, c in distance.items())
            counts.append(tuple(term for term in terms if len(term[1]) > 1))
        return tuple(Total((*count, *beside)) for count in dict.fromkeys(counts))


def _product(number: int, factors: Sequence[Affine]) -> tuple[int, tuple[Affine, ...]]:
    """A term of a total: numbers are multiplied."""
    named = tuple(f for f in factors if not f.is_constant)
    return number * math.prod(max(1, abs(f.constant)) for f in factors if f.is_constant), named


def _affine(value: Any) -> Iterator[Affine]:
    """The affine expressions in a bound, those of its conditions included."""
    if isinstance(value, Affine):
        yield value
        return
    for field in fields(value):
        inner = getattr(value, field.name)
        for one in inner if isinstance(inner, tuple) else (inner,):
            if is_dataclass(one):
                yield from _affine(one)


def _plus(a: _Magnitude, b: _Magnitude) -> _Magnitude:
    return {n: a.get(n, 0) + b.get(n, 0) for n in (*a, *(n for n in b if n not in a))}


def _scaled(a: _Magnitude, factor: int) -> _Magnitude:
    return {n: c * factor for n, c in a.items()}


def _most(a: _Magnitude, b: _Magnitude) -> _Magnitude:
    return {n: max(a.get(n, 0), b.get(n, 0)) for n in (*a, *(n for n in b if n not in a))}


def _enlarge(found: _Magnitude, other: _Magnitude) -> None:
    found.update(_most(found, other))
