"""Equations as people write them, for comments and messages: h[t + 1, b, k] = go[t, b, k] * tc[t, b, k]."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from polyad.codegen.loops.statement_accesses import Indices, index_of
from polyad.codegen.names import Names, Spelling
from polyad.codegen.text.code import Code, call, code, conditional, infix, listed, negative, subscript, word
from polyad.codegen.text.expression_text import operator
from polyad.codegen.text.integer_text import affine_code
from polyad.ir.affine import Affine
from polyad.ir.expr import Access, Apply, Const, Expr, Index, Indirect, Read, Select
from polyad.ir.statement import SIGNS, Statement

__all__ = ["equation_text", "readable"]


def equation_text(statement: Statement, args: Sequence[Affine], names: Names, indices: Indices) -> Code:
    """The equation of an instance of a statement, without its domain, as C names what is in it.

    Args:
        statement: the statement.
        args: the values of its dims, in terms of sizes and iterators.
        names: the C names.
        indices: those of its accesses, as far as they are known already.
    """
    values = dict(zip(statement.dims, args, strict=True))
    wording = _Wording(statement.dims, replace(names.value, divided="//"), values, names.arrays, indices)
    left, right = wording.element(statement.array, statement.write), wording.spell(statement.body)
    return code("{} {} {}", left, SIGNS[statement.reduction], right)


def readable(expr: Expr, dims: tuple[str, ...]) -> str:
    """An expression as the program names what is in it, `dims` naming the dimensions of the statement."""
    return _Wording(dims, Spelling({}, divided="//")).spell(expr).text


@dataclass(frozen=True, slots=True)
class _Wording:
    """The dims of a statement, what stands for them, and the names of C, if those of the program are not meant."""

    dims: tuple[str, ...]
    integers: Spelling
    values: Mapping[str, Affine] = field(default_factory=dict)
    arrays: Mapping[str, str] = field(default_factory=dict)
    indices: Indices = field(default_factory=dict)

    def integer(self, value: Affine) -> Code:
        """An affine expression of the dims."""
        return affine_code(value.substitute(self.values), self.integers)

    def element(self, array: str, access: Access) -> Code:
        """h[t + 1, b, k]."""
        known = self.indices.get(id(access))
        index = (
            access.index if isinstance(access, Indirect) else index_of(access, self.dims) if known is None else known
        )
        spelled = (self.spell(i) if isinstance(i, Expr) else self.integer(i) for i in index if i is not None)
        return subscript(self.arrays.get(array, array), listed(*spelled))

    def spell(self, expr: Expr) -> Code:
        """An expression."""
        match expr:
            case Const(value, _):
                short = isinstance(value, float) and float(f"{value:g}") == value
                size = word((f"{value:g}" if short else str(value)).removeprefix("-"))
                return negative(size) if value < 0 else size
            case Index(value):
                return self.integer(Affine.from_aff(value, self.dims))
            case Read(array, access, _):
                return self.element(array, access)
            case Select(cond, a, b, _):
                return code("({})", conditional(*map(self.spell, (cond, a, b))))
            case Apply("cast", (inner,), dtype):
                return call(dtype, self.spell(inner))
            case Apply("neg", (inner,), _):
                return negative(self.spell(inner))
            case Apply(op, args, _):
                spelled = map(self.spell, args)
                return infix(operator(op), *spelled) if operator(op) in ("+", "-", "*", "/") else call(op, *spelled)
