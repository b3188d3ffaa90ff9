"""From a loop nest in C to a program: equations in place of assignments.

    x[i] = f(x[i - 1])        x_1[i] = f(x_1[i - 1])  where x_1[i - 1] was written by this loop
                              x_1[i] = f(x[i - 1])    where x[i - 1] stood in x before
    after all                 x_out[c] = x_1[c]       where it was written last; x[c] where it was not written

Each read becomes a read of the version that its source wrote, in as many pieces of the domain as there are sources.
Reductions start from what their heads read.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import islpy as isl

from polyad import islx
from polyad.errors import ExtractionError
from polyad.ir.affine import Affine
from polyad.ir.align import align_statement
from polyad.ir.array import Array
from polyad.ir.expr import Expr, Read
from polyad.ir.names import unique_name
from polyad.ir.program import Program
from polyad.ir.statement import Reduction, Statement
from polyad.ops import cast
from polyad.pet.dataflow.assignments import Assignment, cells
from polyad.pet.dataflow.chains import chains
from polyad.pet.dataflow.conditions import inline_conditions, needed
from polyad.pet.dataflow.flow import Flow, Origin, dataflow
from polyad.pet.dataflow.meaningful_sizes import meaningful_sizes
from polyad.pet.dataflow.order import Order
from polyad.pet.dataflow.scatters import Scatter, scatters
from polyad.pet.dataflow.updates import Update
from polyad.pet.equations.c_order import Moment, c_order
from polyad.pet.equations.expressions import UNDEFINED, Case, Expressions, element_type
from polyad.pet.equations.gathers import functions, gathered, scattered, subscripts
from polyad.pet.equations.versions import Version, versions
from polyad.pet.scop import Access, Node, Scop, nodes
from polyad.schedule.schedule import Schedule
from polyad.transforms.rewrite.extents import affine_bounds

__all__ = ["Argument", "Equations", "equations"]


@dataclass(frozen=True, slots=True)
class Argument:
    """An array or a number that the C function is given.

    Attributes:
        name: in C.
        dtype: element type.
        shape: extents; None where the prototype does not say one.
        is_value: whether it is a number passed by value, which the caller never sees changed.
    """

    name: str
    dtype: str
    shape: tuple[Affine | None, ...]
    is_value: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Equations:
    """A loop nest as a program.

    Attributes:
        program: inputs are called as in C, and so are outputs that are no inputs.
        outputs: array of C -> output of the program that holds what it is left with.
        order: that of the C text.
    """

    program: Program
    outputs: Mapping[str, str]
    order: Schedule


def equations(
    scop: Scop, statements: Sequence[Assignment], arguments: Sequence[Argument], context: isl.Set, name: str
) -> Equations:
    """The program of a loop nest.

    Args:
        scop: the loop nest.
        statements: its assignments.
        arguments: of the C function, in their order.
        context: [sizes] -> { : ... }.
        name: of the program.

    Raises:
        ExtractionError: a value is read that was never written, or data decide who wrote it.
    """
    return _Builder(scop, tuple(statements), tuple(arguments), context, name).build()


class _Builder:
    def __init__(
        self,
        scop: Scop,
        statements: tuple[Assignment, ...],
        arguments: tuple[Argument, ...],
        context: isl.Set,
        name: str,
    ):
        self.scop, self.arguments, self.name = scop, {a.name: a for a in arguments}, name
        self.params = islx.param_names(context)
        self.context = context
        self.statements = tuple(s for s in statements if not s.domain.intersect_params(context).is_empty())
        self.shapes = {a.name: self.shape_of(a) for a in arguments}
        self.taken = {*self.params, *self.arguments, *scop.arrays}
        self.used_inputs: set[str] = set()
        self.result: list[Statement] = []
        self.moments: dict[str, Moment] = {}
        self.names: set[str] = set()
        self.scatters: tuple[Scatter, ...] = ()
        self.flow = self.find_sources()
        self.versions = self.find_versions()
        self.version_of = {w.name: v for v in self.versions for w in v.writers}
        self.dtypes = {v.array.name: v.array.dtype for v in self.versions}

    def find_sources(self) -> Flow:
        """Who wrote what is read; statements that nobody needs, and sizes that mean nothing, are left out."""
        everything = {n: Array(n, self.shapes[n], a.dtype).domain(self.params) for n, a in self.arguments.items()}
        written = {s.target.array for s in self.statements}
        left = {n: e.intersect_params(self.context) for n, e in everything.items() if n in written}
        left = {n: e for n, e in left.items() if not self.arguments[n].is_value}
        order = Order.of(self.scop.schedule)
        found = scatters(self.scop, self.statements, everything, order)
        plain = [s for s in self.statements if not s.target.arguments]
        known, flow = inline_conditions(plain, dataflow(plain, found, order, left))
        self.statements, self.scatters, flow = needed(known, found, flow)
        self.context = meaningful_sizes(self.statements, flow, everything, self.context)
        return flow

    def find_versions(self) -> list[Version]:
        """The arrays for what statements write."""
        reductions = chains(self.statements, self.flow)
        writers = (*self.statements, *(s.step for s in self.scatters))
        types = {s.target.array: self.type_of(s.target.array) for s in writers}
        return versions(writers, reductions, self.context, types, self.shapes, self.unique)

    # names, types and shapes

    def unique(self, wish: str) -> str:
        """A name for a version: the one in C, numbered."""
        base = wish.removeprefix("__pet_")
        count = 1
        while (name := f"{base}_{count}") in self.taken:
            count += 1
        self.taken.add(name)
        return name

    def type_of(self, name: str) -> str:
        if name in self.arguments:
            return self.arguments[name].dtype
        dtype = element_type(self.scop.arrays[name].type)
        if dtype is None:
            raise ExtractionError(
                f"{self.scop.path}: {name} is of the type {self.scop.arrays[name].type}, which polyad does not have; "
                "use double, float, int or int64_t"
            )
        return dtype

    def shape_of(self, argument: Argument) -> tuple[Affine, ...]:
        """The extents that the prototype says; else as far as the loop nest reaches."""
        if all(e is not None for e in argument.shape):
            return tuple(e for e in argument.shape if e is not None)
        reached = None
        for s in self.statements:
            for node in (s.target, *nodes(s.value)):
                if isinstance(node, Access) and node.array == argument.name:
                    touched = cells(node).intersect_domain(s.domain).range().align_params(self.context.get_space())
                    reached = touched if reached is None else reached.union(touched)
        shape = []
        for position, extent in enumerate(argument.shape):
            bounds = None
            if extent is None and reached is not None:
                bounds = affine_bounds(reached.reset_tuple_id().coalesce(), position, self.context)
                if bounds is not None and bounds[0] != Affine.of(0):
                    bounds = (Affine.of(0), bounds[0] + bounds[1])
            if extent is None and bounds is None:
                raise ExtractionError(
                    f"{self.scop.path}: how long {argument.name} is follows neither from its declaration nor from its "
                    f"subscripts; declare it as an array, such as `double {argument.name}[n]`"
                )
            shape.append(extent if extent is not None else bounds[1])  # type: ignore[index]
        return tuple(shape)

    # statements

    def build(self) -> Equations:
        """All equations."""
        for version in self.versions:
            chain = version.chain
            for writer in version.writers:
                update = chain.updates.get(writer.name) if chain is not None else None
                if chain is None or update is None:
                    self.define(version, writer, 1, writer.value, writer.domain)
                    continue
                if chain.start is None:
                    self.define(version, writer, 0, update.old, chain.heads[writer.name])
                self.contribute(version, writer, update, chain.reduction)
        for scatter in self.scatters:
            for writer, update in scatter.updates:
                self.scatter(scatter, writer, update)
        outputs = {name: self.leave(name, origin) for name, origin in self.flow.last.items()}
        arrays = {
            n: Array(n, self.shapes[n], a.dtype, "input") for n, a in self.arguments.items() if n in self.used_inputs
        }
        for version in self.versions:
            arrays[version.array.name] = version.array
        for name, output in outputs.items():
            arrays[output] = Array(output, self.shapes[name], self.arguments[name].dtype, "output")
        program = Program(
            self.name,
            self.context,
            arrays,
            tuple(self.result),
            tuple(n for n in self.arguments if n in self.used_inputs),
            tuple(outputs.values()),
        )
        return Equations(program, outputs, c_order(program, self.scop.schedule, self.moments, self.scatters))

    def define(self, version: Version, writer: Assignment, place: int, value: Node, domain: isl.Set) -> None:
        """version[k] = value, for the instances of a statement in a domain."""
        for part, body in self.expressions(writer).cases(value, domain):
            self.add(version, writer, place, part, body, None)

    def contribute(self, version: Version, writer: Assignment, update: Update, reduction: Reduction) -> None:
        """version[k] op= term, for each term of an update."""
        for place, term in enumerate(update.terms, 1):
            for part, body in self.expressions(writer).cases(term, writer.domain):
                self.add(version, writer, place, part, body, reduction)

    def add(
        self, version: Version, writer: Assignment, place: int, part: isl.Set, body: Expr, reduction: Reduction | None
    ) -> None:
        """One statement, or one for each piece of an index that has several."""
        index = version.index[writer.name]
        for inside, access in functions(index.intersect_domain(part)):
            inside = inside.gist_params(self.context)
            name = unique_name(version.array.name, self.names)
            self.names.add(name)
            self.moments[name] = Moment(writer.name, place)
            statement = Statement(
                writer.name,
                writer.dims,
                inside,
                version.array.name,
                access,
                cast(body, version.array.dtype),
                reduction,
                f"{self.scop.path}:{writer.line}" if writer.line else "",
            )
            self.result.append(self.named(statement, name))

    def scatter(self, scatter: Scatter, writer: Assignment, update: Update) -> None:
        """version[t, p[i]] op= term, for each term of an update at a place that data choose."""
        step, version = scatter.step, self.version_of[scatter.step.name]
        index = version.index[step.name]
        for place, term in enumerate(update.terms, 1):
            for part, body in self.expressions(writer).cases(term, writer.domain):
                for inside, places in self.places(writer, writer.target, part):
                    for piece, access in scattered(inside, places, scatter.outer, index, version.array, self.params):
                        name = unique_name(version.array.name, self.names)
                        self.names.add(name)
                        self.moments[name] = Moment(writer.name, place)
                        statement = Statement(
                            writer.name,
                            writer.dims,
                            piece,
                            version.array.name,
                            access,
                            cast(body, version.array.dtype),
                            update.reduction,
                            f"{self.scop.path}:{writer.line}" if writer.line else "",
                        )
                        self.result.append(self.named(statement, name))

    def places(self, statement: Assignment, access: Access, domain: isl.Set) -> Iterator[tuple[isl.Set, list[Expr]]]:
        """The subscripts of an access that depends on data, on parts of a domain."""
        parts: list[tuple[isl.Set, tuple[Expr, ...]]] = [(domain, ())]
        for argument in access.arguments:
            parts = [(p, (*done, v)) for d, done in parts for p, v in self.expressions(statement).cases(argument, d)]
        for part, values in parts:
            yield from subscripts(access, part, values)

    def named(self, statement: Statement, name: str) -> Statement:
        """The statement under another name, with all its isl objects over the sizes of the program."""
        statement = align_statement(statement, self.context.get_space())
        space = statement.domain.get_space()
        change = islx.identity(space).set_tuple_name(isl.dim_type.in_, name)
        return statement.change_space(name, statement.dims, statement.domain.set_tuple_name(name), change)

    def leave(self, name: str, origin: Origin) -> str:
        """What an array of C is left with."""
        output = unique_name(f"{name}_out" if not origin.outside.is_empty() else name, self.taken - {name})
        if not origin.outside.intersect_params(self.context).is_empty() or self.is_read_before(name):
            output = unique_name(f"{name}_out", self.taken)
        self.taken.add(output)
        array = Array(output, self.shapes[name], self.arguments[name].dtype, "output")
        dims = array.dims(self.params)
        for part, body in self.origins(name, origin, array.domain(self.params).set_tuple_name(name), name):
            statement = unique_name(output, self.names)
            self.names.add(statement)
            self.moments[statement] = Moment("", 0)
            here = islx.name_dims(part.gist_params(self.context), dims)
            write = islx.identity(part.get_space()).set_tuple_name(isl.dim_type.out, output)
            self.result.append(self.named(Statement(name, dims, here, output, write, body), statement))
        return output

    def is_read_before(self, name: str) -> bool:
        """Whether something reads what stood in an array before."""
        return any(
            a.array == name and not o.outside.intersect_params(self.context).is_empty()
            for a, o in self.flow.reads.items()
        )

    # reads

    def expressions(self, statement: Assignment) -> Expressions:
        where = f"{self.scop.path}:{statement.line}" if statement.line else self.scop.path

        def read(access: Access, domain: isl.Set) -> list[Case]:
            return self.read(statement, access, domain, where)

        return Expressions(where, read)

    def read(self, statement: Assignment, access: Access, domain: isl.Set, where: str) -> list[Case]:
        """The cases of a read."""
        origin = self.flow.reads[access]
        if access.arguments:
            return self.indirect(statement, access, origin, domain, where)
        if access is statement.kept and access.array not in self.arguments:
            unset = origin.outside.domain().intersect(domain).intersect_params(self.context)
            known = self.origins(
                access.array, Origin(origin.sources, origin.outside.subtract(origin.outside)), domain, where
            )
            return [*known, (unset, UNDEFINED)] if not unset.is_empty() else known
        return self.origins(access.array, origin, domain, where)

    def origins(self, array: str, origin: Origin, domain: isl.Set, where: str) -> list[Case]:
        """The value at each instance of a domain: of a version, or of an input."""
        result: list[Case] = []
        found: dict[str, isl.Map] = {}
        for source, relation in origin.sources.items():
            version = self.version_of[source]
            there = relation.intersect_domain(domain).intersect_params(self.context)
            there = there.apply_range(version.index[source])
            name = version.array.name
            found[name] = found[name].union(there) if name in found else there
        for name, there in found.items():
            dtype = self.dtypes[name]
            result += [(part, Read(name, access, dtype)) for part, access in functions(there)]
        outside = origin.outside.intersect_domain(domain).intersect_params(self.context)
        if not outside.is_empty():
            dtype = self.input(array, outside, where)
            result += [(part, Read(array, access, dtype)) for part, access in functions(outside)]
        return result

    def input(self, array: str, outside: isl.Map, where: str) -> str:
        """Use what stood in an array before; its element type."""
        argument = self.arguments.get(array)
        if argument is None:
            domain = outside.domain()
            found = islx.witness(
                domain,
                [domain.get_dim_name(isl.dim_type.set, i) or f"i{i}" for i in range(domain.dim(isl.dim_type.set))],
            )
            at = ", ".join(f"{n} = {v}" for n, v in (found[0].items() if found is not None else ()))
            raise ExtractionError(
                f"{where}: {array} is read before it gets a value{f' (at {at})' if at else ''}; give it one first"
            )
        self.used_inputs.add(array)
        return argument.dtype

    def indirect(
        self, statement: Assignment, access: Access, origin: Origin, domain: isl.Set, where: str
    ) -> list[Case]:
        """x[p[i]]: which element is read depends on data, so all that may be read have to be in one array."""
        within = Origin(
            {n: m.intersect_domain(domain).intersect_params(self.context) for n, m in origin.sources.items()},
            origin.outside.intersect_domain(domain).intersect_params(self.context),
        )
        within = Origin({n: m for n, m in within.sources.items() if not m.is_empty()}, within.outside)
        given = None
        if access.array in self.arguments:
            given = Array(access.array, self.shapes[access.array], self.arguments[access.array].dtype)
            within = replace(within, outside=within.outside.intersect_range(given.domain(self.params)))
            if not within.outside.is_empty():
                self.used_inputs.add(access.array)
        result: list[Case] = []
        for piece, places in self.places(statement, access, domain):
            result += gathered(access, within, piece, places, self.version_of, given, self.params, where)
        return result
