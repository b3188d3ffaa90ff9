"""One instance of a statement in C."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field

from polyad.codegen.loops.instance import Instance, Lane, Local
from polyad.codegen.loops.statement_accesses import Indices, element_of, index_of
from polyad.codegen.lower.index_checks import Guarded
from polyad.codegen.names import WIDE
from polyad.codegen.text.array_text import ArrayText
from polyad.codegen.text.code import Code, assign, call, cast, code, conditional, declare, infix, subscript, word
from polyad.codegen.text.expression_text import C_TYPES, SUFFIXES, constant_code, expression_code
from polyad.codegen.text.integer_text import affine_code
from polyad.ir.affine import Affine
from polyad.ir.expr import Access, Const, Expr, Index, Indirect, Read
from polyad.ir.statement import Statement
from polyad.ops import REDUCTION_OPS

__all__ = ["StatementText", "local_code"]


@dataclass(frozen=True, slots=True, eq=False)
class StatementText:
    """Spells instances.

    Attributes:
        statements: by name.
        text: spells array elements.
        guarded: the data-dependent accesses that are checked where they are used.
        inside: name of the C function that checks an index at its place of use.
        known: index expressions that were found before.
        places: array -> what stands for its element in the instances that are spelled now, instead of all else.
        status: where `inside` says that an index is wrong.
    """

    statements: Mapping[str, Statement]
    text: ArrayText
    guarded: Guarded
    inside: str
    known: Indices = field(default_factory=dict)
    places: Mapping[str, Code] = field(default_factory=dict)
    status: str = "&status"

    def line(self, instance: Instance) -> Code:
        """The C statement."""
        statement = self.statements[instance.statement]
        dtype = self.text.arrays[statement.array].dtype
        local = instance.locals.get(statement.array)
        target = local_code(local) if local else self.element(statement.array, statement.write, instance)
        value = self.expression(statement.body, instance)
        if instance.declares:
            return declare(C_TYPES[dtype], (target, value))
        if statement.reduction is None:
            return assign(target, value)
        update = code(REDUCTION_OPS[statement.reduction].c, acc=target, x=value, f=SUFFIXES[dtype])
        guard = None if local else self.guard(statement.array, statement.write, instance)
        return code("if ({}) {};", guard, update) if guard else code("{};", update)

    def expression(self, expr: Expr, instance: Instance) -> Code:
        """A value at an instance."""

        def index(value: Index) -> Code:
            affine = Affine.from_aff(value.value, self.statements[instance.statement].dims)
            spelled = self.affine(affine.substitute(self.values(instance)))
            return spelled if self.text.names.value.index == WIDE else cast(WIDE, spelled)

        def element(read: Read) -> Hashable:
            values = self.values(instance)
            found = (None if i is None else i.substitute(values) for i in self.index(read.access, instance))
            return element_of(read, instance, tuple(found))

        return expression_code(expr, lambda r: self.read(r, instance), index, element, instance.once)

    def read(self, read: Read, instance: Instance) -> Code:
        """The value of an element; where its index is checked here, 0 takes the place of what does not exist."""
        if read.array in self.places:
            return self.places[read.array]
        if read.array in instance.locals:
            return local_code(instance.locals[read.array])
        element = self.element(read.array, read.access, instance)
        guard = self.guard(read.array, read.access, instance)
        return conditional(guard, element, constant_code(0, read.dtype)) if guard else element

    def element(self, array: str, access: Access, instance: Instance) -> Code:
        """An element by its position in memory."""
        return self.text.element(array, self.indices(access, instance))

    def indices(self, access: Access, instance: Instance) -> list[Affine | Code]:
        """The index expressions; those that depend on data in C."""
        values = self.values(instance)
        result: list[Affine | Code] = []
        for d, index in enumerate(self.index(access, instance)):
            if index is not None:
                result.append(index.substitute(values))
            else:
                assert isinstance(access, Indirect)
                match access.index[d]:
                    case Const(value):
                        result.append(Affine.of(int(value)))
                    case found:
                        result.append(self.data_index(found, instance, self.text.names.value.index))
        return result

    def index(self, access: Access, instance: Instance) -> tuple[Affine | None, ...]:
        """The index expressions in terms of the statement's dims."""
        found = self.known.get(id(access))
        return index_of(access, self.statements[instance.statement].dims) if found is None else found

    def data_index(self, index: Expr, instance: Instance, ctype: str = WIDE) -> Code:
        """An index that depends on data, as int64_t: positions of large arrays exceed 32 bits.

        Args:
            index: the value.
            instance: of the statement that it stands in.
            ctype: the type of subscripts.
        """
        found = self.expression(index, instance)
        return found if index.dtype == "int64" and ctype == WIDE else cast(ctype, found)

    def guard(self, array: str, access: Access, instance: Instance) -> Code | None:
        """The condition under which an element exists, None where that was proved or checked before."""
        if not isinstance(access, Indirect) or access not in self.guarded:
            return None
        extents = self.text.arrays[array].shape
        tests = [
            call(self.inside, self.data_index(access.index[d], instance), self.affine(extents[d]), self.status)
            for d in self.guarded[access]
        ]
        return infix("&&", *tests)

    def values(self, instance: Instance) -> dict[str, Affine]:
        """The values of the statement's dims."""
        return dict(zip(self.statements[instance.statement].dims, instance.args, strict=True))

    def affine(self, value: Affine) -> Code:
        """An integer expression."""
        return affine_code(value, self.text.names.value)


def local_code(local: Local) -> Code:
    """A C variable: z_1, z_1[lane]."""
    return subscript(local.variable, word(local.lane)) if isinstance(local, Lane) else word(local)
