"""From a loop nest in C to a program: equations in place of assignments.

    x[i] = f(x[i - 1])        x_1[i] = f(x_1[i - 1])  where x_1[i - 1] was written by this loop
                              x_1[i] = f(x[i - 1])    where x[i - 1] stood in x before
    after all                 x_out[c] = x_1[c]       where it was written last; x[c] where it was not written

Each read becomes a read of the version that its source wrote, in as many pieces of the domain as there are sources.
Reductions start from what their heads read.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import islpy as isl

from polyad import islx
from polyad.ir.align import align_statement
from polyad.ir.array import Array
from polyad.ir.expr import Access as ElementAccess
from polyad.ir.expr import Expr, Read
from polyad.ir.names import unique_name
from polyad.ir.program import Program
from polyad.ir.statement import Reduction, Statement
from polyad.ops import cast, const
from polyad.pet.dataflow.assignments import Assignment
from polyad.pet.dataflow.chains import chains
from polyad.pet.dataflow.conditions import inline_conditions, needed
from polyad.pet.dataflow.flow import Flow, Origin, dataflow
from polyad.pet.dataflow.meaningful_sizes import check_inside, meaningful_sizes
from polyad.pet.dataflow.order import ExecutionOrder
from polyad.pet.dataflow.scatters import Scatter, scatters
from polyad.pet.dataflow.updates import Update
from polyad.pet.equations.arguments import Argument, shapes_of, type_of
from polyad.pet.equations.borders import borders, from_step_to_step
from polyad.pet.equations.c_order import EquationTime, c_order
from polyad.pet.equations.expressions import UNDEFINED, Case, Expressions, converted
from polyad.pet.equations.gathers import gathered, scattered, subscripts
from polyad.pet.equations.guarded import needed_places
from polyad.pet.equations.versions import Border, Version, placed, versions
from polyad.pet.refusal import SourcePlace
from polyad.pet.scop import Access, Node, Scop
from polyad.schedule.schedule import Schedule

__all__ = ["Equations", "equations"]


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
        self.tables = {a.name: a for a in arguments if a.values}
        self.params = islx.param_names(context)
        self.statements = tuple(s for s in statements if not s.domain.intersect_params(context).is_empty())
        self.shapes, self.context = shapes_of(arguments, self.statements, context, self.place())
        self.taken = {*self.params, *self.arguments, *scop.arrays}
        self.used_inputs: set[str] = set()
        self.result: list[Statement] = []
        self.moments: dict[str, EquationTime] = {}
        self.names: set[str] = set()
        self.scatters: tuple[Scatter, ...] = ()
        self.flow = self.find_sources()
        self.versions = self.find_versions()
        self.version_of = {w.name: v for v in self.versions for w in v.writers}
        self.dtypes = {v.array.name: v.array.dtype for v in self.versions}

    def find_sources(self) -> Flow:
        """Find the sources of all reads; leave out statements that nobody needs, and sizes that mean nothing."""
        everything = self.everything()
        written = {s.target.array for s in self.statements} - {n for n, a in self.arguments.items() if a.is_value}
        left = {n: e.intersect_params(self.context) for n, e in everything.items() if n in written}
        order = ExecutionOrder.of(self.scop.schedule)
        found = scatters(self.scop, self.statements, everything, order)
        plain = [s for s in self.statements if not s.target.arguments]
        known, flow = inline_conditions(plain, dataflow(plain, found, order, left))
        check_inside(known, everything, self.context, self.scop.path)
        self.statements, self.scatters, flow = needed(known, found, flow)
        self.context = meaningful_sizes(self.statements, flow, everything, self.context)
        return flow

    def everything(self) -> dict[str, isl.Set]:
        """Array that the function is given -> { x[c] } all of it."""
        return {n: Array(n, self.shapes[n], a.dtype).domain(self.params) for n, a in self.arguments.items()}

    def find_versions(self) -> list[Version]:
        """The arrays for what statements write."""
        reductions = chains(self.statements, self.flow, self.scop.arrays)
        writers = (*self.statements, *(s.step for s in self.scatters))
        types = {s.target.array: type_of(s.target.array, self.arguments, self.scop) for s in writers}
        found = versions(writers, reductions, types, self.unique)
        version_of = {w.name: v for v in found for w in v.writers}
        gathers = {o for a, o in self.flow.reads.items() if a.arguments}
        reads = [o for o in self.flow.reads.values() if o not in gathers]
        last = list(self.flow.last.values())
        at_border = borders(reads, last, found, version_of, self.everything(), self.context)
        shapes = self.shapes
        return [placed(v, at_border.get(v.array.name), self.context, shapes.get(v.of)) for v in found]

    # names, types and shapes

    def unique(self, wish: str) -> str:
        """A name for a version: the one in C, numbered."""
        base = wish.removeprefix("__pet_")
        count = 1
        while (name := f"{base}_{count}") in self.taken:
            count += 1
        self.taken.add(name)
        return name

    # statements

    def build(self) -> Equations:
        """All equations."""
        for version in self.versions:
            if version.border is not None:
                self.take_over(version, version.border)
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
        for name, table in self.tables.items():
            if name in self.used_inputs:
                self.tabulate(table)
        arrays = {
            n: Array(n, self.shapes[n], a.dtype, "temporary" if n in self.tables else "input")
            for n, a in self.arguments.items()
            if n in self.used_inputs
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
            tuple(n for n in self.arguments if n in self.used_inputs and n not in self.tables),
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
        for inside, access in islx.functions(version.index[writer.name].intersect_domain(part)):
            inside = inside.gist_params(self.context)
            self.of_writer(version, writer, place, inside, access, body, reduction)

    def of_writer(
        self,
        version: Version,
        writer: Assignment,
        place: int,
        domain: isl.Set,
        access: ElementAccess,
        body: Expr,
        reduction: Reduction | None,
    ) -> None:
        """One statement that runs with the instances of a statement of C."""
        where = f"{self.scop.path}:{writer.line}" if writer.line else ""
        array = version.array
        value = body if body is UNDEFINED else converted(body, array.dtype, self.place(writer.line))
        value = cast(value, array.dtype)
        statement = Statement(writer.name, writer.dims, domain, array.name, access, value, reduction, where)
        self.add_statement(statement, EquationTime(writer.name, place))

    def add_statement(self, statement: Statement, moment: EquationTime) -> None:
        """The statement under a name after its array, with all its isl objects over the sizes of the program."""
        name = unique_name(statement.array, self.names)
        self.names.add(name)
        self.moments[name] = moment
        statement = align_statement(statement, self.context.get_space())
        change = islx.identity(statement.domain.get_space()).set_tuple_name(isl.dim_type.in_, name)
        domain = statement.domain.set_tuple_name(name)
        self.result.append(statement.change_space(name, statement.dims, domain, change))

    def take_over(self, version: Version, border: Border) -> None:
        """version[k] = x[c], for elements that stood in an array before, and then version[t, c] = version[t - 1, c]."""
        array = version.array
        elements = border.elements.intersect_params(self.context)
        source = elements.get_tuple_name(isl.dim_type.out) or ""
        dtype = self.input(source, border.elements, self.place())
        dims = array.dims(self.params)
        kept = from_step_to_step(elements) if version.steps == 1 else isl.Map.empty(elements.get_space())
        new = elements.subtract_domain(kept.domain())
        # The state before the first step stands apart from borders, which belong to the steps.
        start = new.fix_val(isl.dim_type.in_, 0, isl.Val(0)) if version.steps else new
        for read, some in ((source, start), (source, new.subtract(start)), (array.name, kept)):
            for part, access in islx.functions(some):
                here = islx.name_dims(part.gist_params(self.context), dims)
                write, body = islx.identity(part.get_space()), Read(read, access, dtype)
                self.add_statement(Statement(array.name, dims, here, array.name, write, body), EquationTime("", -1))

    def tabulate(self, table: Argument) -> None:
        """table[i] = number, for each element of an array that is part of the text."""
        array = Array(table.name, self.shapes[table.name], table.dtype)
        dims = array.dims(self.params)
        points = itertools.product(*(range(e.constant) for e in array.shape))
        for point, value in zip(points, table.values, strict=True):
            here = array.domain(self.params)
            for position, coordinate in enumerate(point):
                here = here.fix_val(isl.dim_type.set, position, isl.Val(coordinate))
            here = islx.name_dims(here, dims)
            body = const(value, table.dtype)
            write = islx.identity(here.get_space())
            self.add_statement(Statement(array.name, dims, here, array.name, write, body), EquationTime("", -1))

    def scatter(self, scatter: Scatter, writer: Assignment, update: Update) -> None:
        """version[t, p[i]] op= term, for each term of an update at a place that data choose."""
        step, version = scatter.step, self.version_of[scatter.step.name]
        index = version.index[step.name]
        for place, term in enumerate(update.terms, 1):
            for part, body in self.expressions(writer).cases(term, writer.domain):
                for inside, places in self.places(writer, writer.target, part):
                    places = needed_places(places, body, update.reduction)
                    for piece, access in scattered(inside, places, scatter.outer, index, version.array, self.params):
                        self.of_writer(version, writer, place, piece, access, body, update.reduction)

    def places(self, statement: Assignment, access: Access, domain: isl.Set) -> Iterator[tuple[isl.Set, list[Expr]]]:
        """The subscripts of an access that depends on data, on parts of a domain."""
        parts: list[tuple[isl.Set, tuple[Expr, ...]]] = [(domain, ())]
        for argument in access.arguments:
            parts = [(p, (*done, v)) for d, done in parts for p, v in self.expressions(statement).cases(argument, d)]
        for part, values in parts:
            yield from subscripts(access, part, values)

    def leave(self, name: str, origin: Origin) -> str:
        """Define the final content of an array of C."""
        is_input = not origin.outside.is_empty() or self.is_read_before(name)
        output = unique_name(f"{name}_out", self.taken) if is_input else unique_name(name, self.taken - {name})
        self.taken.add(output)
        array = Array(output, self.shapes[name], self.arguments[name].dtype, "output")
        dims = array.dims(self.params)
        for part, body in self.origins(name, origin, array.domain(self.params).set_tuple_name(name), self.place()):
            here = islx.name_dims(part.gist_params(self.context), dims)
            write = islx.identity(part.get_space()).set_tuple_name(isl.dim_type.out, output)
            self.add_statement(Statement(name, dims, here, output, write, body), EquationTime("", 0))
        return output

    def is_read_before(self, name: str) -> bool:
        """Whether something reads what stood in an array before."""
        return any(
            a.array == name and not o.outside.intersect_params(self.context).is_empty()
            for a, o in self.flow.reads.items()
        )

    # reads

    def place(self, line: int = 0) -> SourcePlace:
        """A line of C, or where the loop nest begins."""
        return SourcePlace(self.scop.path, line or self.scop.lines[0])

    def expressions(self, statement: Assignment) -> Expressions:
        where = self.place(statement.line)

        def read(access: Access, domain: isl.Set) -> list[Case]:
            return self.read(statement, access, domain, where)

        return Expressions(where, read)

    def read(self, statement: Assignment, access: Access, domain: isl.Set, where: SourcePlace) -> list[Case]:
        """The cases of a read."""
        origin = self.flow.reads[access]
        if access.arguments:
            return self.indirect(statement, access, origin, domain, where)
        if access is statement.kept and self.is_empty(access.array):
            unset = origin.outside.domain().intersect(domain).intersect_params(self.context)
            known = self.origins(
                access.array, Origin(origin.sources, origin.outside.subtract(origin.outside)), domain, where
            )
            return [*known, (unset, UNDEFINED)] if not unset.is_empty() else known
        return self.origins(access.array, origin, domain, where)

    def is_empty(self, array: str) -> bool:
        """Whether an array holds nothing before the loop nest."""
        return array not in self.arguments or self.arguments[array].is_result

    def origins(self, array: str, origin: Origin, domain: isl.Set, where: SourcePlace) -> list[Case]:
        """The value at each instance of a domain: of a version, or of an input."""
        for version in self.versions:
            if version.border is not None and origin in version.border.reads:
                there = version.border.reads[origin].intersect_domain(domain).intersect_params(self.context)
                name, dtype = version.array.name, version.array.dtype
                taken = [(part, Read(name, access, dtype)) for part, access in islx.functions(there)]
                left = origin.outside.subtract_domain(there.domain())
                return [*taken, *self.origins(array, Origin({}, left), domain, where)]
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
            result += [(part, Read(name, access, dtype)) for part, access in islx.functions(there)]
        outside = origin.outside.intersect_domain(domain).intersect_params(self.context)
        if not outside.is_empty():
            dtype = self.input(array, outside, where)
            result += [(part, Read(array, access, dtype)) for part, access in islx.functions(outside)]
        return result

    def input(self, array: str, outside: isl.Map, where: SourcePlace) -> str:
        """Use what stood in an array before; its element type."""
        argument = self.arguments.get(array)
        if argument is None or argument.is_result:
            domain = outside.domain()
            found = islx.witness(
                domain,
                [domain.get_dim_name(isl.dim_type.set, i) or f"i{i}" for i in range(domain.dim(isl.dim_type.set))],
            )
            at = ", ".join(f"{n} = {v}" for n, v in (found[0].items() if found is not None else ()))
            sentence = f"{array} is read before it gets a value{f' (at {at})' if at else ''}; give it one first"
            raise where.refusal(array, sentence)
        self.used_inputs.add(array)
        return argument.dtype

    def indirect(
        self, statement: Assignment, access: Access, origin: Origin, domain: isl.Set, where: SourcePlace
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
