"""One instance of a statement in C."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from polyad.codegen.loops.nodes import Instance
from polyad.codegen.loops.statement_accesses import index_of
from polyad.codegen.lower.index_checks import Guarded
from polyad.codegen.text.array_text import ArrayText
from polyad.codegen.text.expression_text import (
    C_TYPES,
    SUFFIXES,
    constant_text,
    expression_text,
    unenclosed,
)
from polyad.codegen.text.integer_text import affine_text
from polyad.ir.affine import Affine
from polyad.ir.expr import Access, Expr, Index, Indirect, Read
from polyad.ir.statement import Statement
from polyad.ops import REDUCTION_OPS

__all__ = ["StatementText"]


@dataclass(frozen=True, slots=True, eq=False)
class StatementText:
    """Spells instances.

    Attributes:
        statements: by name.
        text: spells array elements.
        guarded: the data-dependent accesses that are checked where they are used.
        inside: name of the C function that checks an index at its place of use.
    """

    statements: Mapping[str, Statement]
    text: ArrayText
    guarded: Guarded
    inside: str
    cache: dict[Access, tuple[Affine | None, ...]] = field(default_factory=dict)

    def line(self, instance: Instance) -> str:
        """The C statement."""
        statement = self.statements[instance.statement]
        dtype = self.text.arrays[statement.array].dtype
        local = instance.locals.get(statement.array)
        target = local or self.element(statement.array, statement.write, instance)
        value = unenclosed(self.expression(statement.body, instance))
        if instance.declares:
            return f"{C_TYPES[dtype]} {target} = {value};"
        if statement.reduction is None:
            return f"{target} = {value};"
        update = REDUCTION_OPS[statement.reduction].c.format(acc=target, x=value, f=SUFFIXES[dtype]) + ";"
        guard = "" if local else self.guard(statement.array, statement.write, instance)
        return f"if ({guard}) {update}" if guard else update

    def expression(self, expr: Expr, instance: Instance, enclosed: bool = False) -> str:
        """A value at an instance; `enclosed`: as a factor."""

        def index(value: Index) -> str:
            return self.affine(self.index_value(value, instance))

        return expression_text(expr, lambda r: self.read(r, instance), index, instance.once, enclosed)

    def read(self, read: Read, instance: Instance) -> str:
        """The value of an element; where its index is checked here, 0 takes the place of what does not exist."""
        if read.array in instance.locals:
            return instance.locals[read.array]
        element = self.element(read.array, read.access, instance)
        guard = self.guard(read.array, read.access, instance)
        return f"({guard} ? {element} : {constant_text(0, read.dtype)})" if guard else element

    def element(self, array: str, access: Access, instance: Instance) -> str:
        """An element by its position in memory."""
        if array in self.text.layouts:
            values = self.values(instance)
            return self.text.cell(array, [i.substitute(values) for i in self.index(access, instance) if i is not None])
        return self.text.element(array, [i for i, _ in self.indices(access, instance)])

    def indices(self, access: Access, instance: Instance) -> list[tuple[str, bool]]:
        """The index expressions, and whether they depend on data."""
        values = self.values(instance)
        result = []
        for d, index in enumerate(self.index(access, instance)):
            if index is not None:
                result.append((self.affine(index.substitute(values)), False))
            else:
                assert isinstance(access, Indirect)
                result.append((self.data_index(access.index[d], instance), True))
        return result

    def index(self, access: Access, instance: Instance) -> tuple[Affine | None, ...]:
        """The index expressions in terms of the statement's dims."""
        if access not in self.cache:
            self.cache[access] = index_of(access, self.statements[instance.statement].dims)
        return self.cache[access]

    def data_index(self, index: Expr, instance: Instance) -> str:
        """An index that depends on data, as int64_t: positions of large arrays exceed 32 bits."""
        text = self.expression(index, instance)
        return text if index.dtype == "int64" else f"(int64_t)({text})"

    def guard(self, array: str, access: Access, instance: Instance) -> str:
        """The condition under which an element exists, "" where that was proved or checked before."""
        if not isinstance(access, Indirect) or access not in self.guarded:
            return ""
        extents = self.text.arrays[array].shape
        indices = self.indices(access, instance)
        tests = [f"{self.inside}({indices[d][0]}, {self.affine(extents[d])}, &status)" for d in self.guarded[access]]
        return " && ".join(tests)

    def index_value(self, index: Index, instance: Instance) -> Affine:
        """An affine value in terms of the iterators in scope."""
        dims = self.statements[instance.statement].dims
        return Affine.from_aff(index.value, dims).substitute(self.values(instance))

    def values(self, instance: Instance) -> dict[str, Affine]:
        """The values of the statement's dims."""
        return dict(zip(self.statements[instance.statement].dims, instance.args, strict=True))

    def affine(self, value: Affine) -> str:
        """An integer expression."""
        return affine_text(value, self.text.names.value)
