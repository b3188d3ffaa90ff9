"""From the loops of a plan to events: where each access runs, when, and in which thread."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache

import islpy as isl

from polyad.codegen.certify.symbolic.cells import Cells
from polyad.codegen.certify.symbolic.events import Construct, Event, Kind, NotModelledError, Ran, Section
from polyad.codegen.loops.instance import Instance, Lane, Local, variable_of
from polyad.codegen.loops.isl_words import isl_affine, isl_value, isl_with
from polyad.codegen.loops.loop_values import Nonzero, Value
from polyad.codegen.loops.nodes import Load, Loop, Store
from polyad.codegen.loops.statement_accesses import Touch, cell_of
from polyad.codegen.plan import Plan
from polyad.ir.affine import Affine
from polyad.ir.expr import Indirect

__all__ = ["Here", "OutsideError", "Recorder", "SymbolicVariable"]


@dataclass(frozen=True, slots=True)
class SymbolicVariable:
    """A C variable, or a copy of an array that a thread has.

    Attributes:
        name: of its cells.
        depth: how many loops are around its declaration: each of their iterations has one.
        section: the region around its declaration.
        lanes: of a short array; 0 where it is none.
    """

    name: str
    depth: int
    section: Section | None
    lanes: int = 0


@dataclass(frozen=True, slots=True)
class Here:
    """A place of the text.

    Attributes:
        words: names of the loops -> what stands for them in isl's text.
        conditions: under which it is reached.
        depth: how many loops are around.
        time: positions and loops around, outermost first.
        scope: C variables, and arrays of which a thread has a copy.
        constructs: concurrent loops around.
        section: the region around.
    """

    words: Mapping[str, str] = field(default_factory=dict)
    conditions: tuple[str, ...] = ()
    depth: int = 0
    time: tuple[str, ...] = ()
    scope: Mapping[str, SymbolicVariable] = field(default_factory=dict)
    constructs: tuple[Construct, ...] = ()
    section: Section | None = None

    @property
    def dims(self) -> list[str]:
        """The dimensions of an execution."""
        return [f"i{d}" for d in range(self.depth)]

    def under(self, condition: str) -> Here:
        """The same where a condition holds."""
        return replace(self, conditions=(*self.conditions, condition))

    def inside(self, loop: Loop, position: int) -> Here:
        """In the body of a loop at a position of the text, which runs one iteration after the other."""
        name = f"i{self.depth}"
        low, high = loop.limits
        own = [
            isl_with(low, lambda v: f"{v} <= {name}", self.words),
            isl_with(high, lambda v: f"{name} <= {v}", self.words),
        ]
        if abs(loop.step) > 1:
            own.append(isl_with(loop.first, lambda v: f"({name} - {v}) mod {abs(loop.step)} = 0", self.words))
        return replace(
            self,
            words={**self.words, loop.iterator: name},
            conditions=(*self.conditions, *own),
            depth=self.depth + 1,
            time=(*self.time, str(2 * position), name if loop.step > 0 else f"-{name}"),
        )

    def concurrent(self, number: int, exempt: frozenset[str] = frozenset()) -> Here:
        """The same, the innermost loop being one whose iterations run at the same time."""
        return replace(self, constructs=(*self.constructs, Construct(number, self.depth - 1, exempt)))

    def let(self, name: str, value: Value) -> Here:
        """With a named integer."""
        return replace(self, words={**self.words, name: isl_value(value, self.words)})


@lru_cache(maxsize=4096)  # those of a kernel come again and again, also in its next proof
def _set(text: str) -> isl.Set:
    return isl.Set(text)


@lru_cache(maxsize=4096)
def _map(text: str) -> isl.Map:
    return isl.Map(text)


class Recorder:
    """Makes events of accesses.

    Attributes:
        plan: the kernel.
        cells: where arrays lie.
        events: in the order of the text.
        ran: the places of statements.
        pairs: event that takes what a cell holds -> the one that puts it elsewhere.
        made: the events that make elements in the place of their definitions.
        claimless: the events after which nobody may find an element in their cells.
        barriers: { [time] }: when threads wait for each other.
        length: the number of dimensions of a time.
        arrays: array -> the name of its elements.
    """

    def __init__(self, plan: Plan, length: int) -> None:
        self.plan, self.cells, self.length = plan, Cells(plan), length
        self.params = ", ".join(plan.program.params)
        self.arrays = {name: f"e{k}" for k, name in enumerate(plan.program.arrays)}
        self.events: list[Event] = []
        self.ran: list[Ran] = []
        self.barriers: list[isl.Set] = []
        self.pairs: dict[str, str] = {}
        self.claimless: set[str] = set()
        self.made: set[str] = set()
        self.numbers = 0
        self._places: dict[tuple[tuple[str, ...], int], isl.Set] = {}

    def number(self) -> int:
        """One more."""
        self.numbers += 1
        return self.numbers

    def is_given(self, array: str) -> bool:
        """Whether elements have their values at any time: those of inputs that nobody overwrites."""
        return self.plan.program.arrays[array].role == "input" and array not in self.plan.overwritten

    # Sets

    def where(self, here: Here, name: str) -> isl.Set:
        """The executions of a place."""
        key = (here.conditions, here.depth)
        if key not in self._places:
            found = self.condition(here, " and ".join(f"({c})" for c in here.conditions) or "true")
            self._places[key] = found.intersect_params(self.plan.program.context)
        return self._places[key].set_tuple_name(name)

    def condition(self, here: Here, text: str) -> isl.Set:
        """{ p[i...] } where a condition holds."""
        return _set(f"[{self.params}] -> {{ p[{', '.join(here.dims)}] : {text} }}")

    def map(self, dims: Sequence[str], name: str, target: str, values: Sequence[str]) -> isl.Map:
        """{ name[dims] -> target[values] }."""
        made = _map(f"[{self.params}] -> {{ p[{', '.join(dims)}] -> {target}[{', '.join(values)}] }}")
        return made.set_tuple_name(isl.dim_type.in_, name)

    def texts(self, index: Sequence[Affine], here: Here) -> list[str]:
        """Index expressions."""
        known = {*here.words, *self.plan.program.params}
        if any(i.names() - known for i in index):
            raise NotModelledError("an index depends on what is not known there")
        return [isl_affine(i, here.words) for i in index]

    def time(self, here: Here, position: int) -> list[str]:
        """When something at a position runs."""
        own = [*here.time, str(position)]
        return [*own, *["0"] * (self.length - len(own))]

    # Events

    def record(
        self,
        here: Here,
        kind: Kind,
        title: str,
        space: str,
        cell: Sequence[str],
        piece: object,
        array: str,
        index: Sequence[str],
        position: int,
        where: isl.Set | None = None,
        extra: Sequence[str] = (),
        own: bool = False,
    ) -> None:
        """One more event; `extra` are further dimensions, of elements that data choose."""
        name = f"p{len(self.events)}"
        where = self.where(here, name) if where is None else where.set_tuple_name(name)
        dims = [*here.dims, *extra]
        self.events.append(
            Event(
                name,
                title,
                kind,
                where,
                self.map(dims, name, "", time := self.time(here, position)).intersect_domain(where),
                space,
                self.map(dims, name, space, cell).intersect_domain(where),
                piece,
                array,
                self.map(dims, name, self.arrays[array], index).intersect_domain(where),
                here.constructs,
                here.section,
                own,
                tuple(time),
            )
        )

    def access(self, here: Here, kind: Kind, title: str, array: str, index: Sequence[Affine], position: int) -> None:
        """An access to an element in memory."""
        if array in here.scope:
            place = self.cells.place(array)
            self.in_variable(here, kind, title, here.scope[array], place.index(index), array, index, position)
            return
        self.inside(here, title, array, index)
        if kind in ("read", "take") and self.is_given(array):
            return
        place = self.cells.place(array)
        cell = self.texts(place.index(index), here)
        self.record(here, kind, title, place.space, cell, place.piece, array, self.texts(index, here), position)

    def in_variable(
        self,
        here: Here,
        kind: Kind,
        title: str,
        variable: SymbolicVariable,
        own: Sequence[Affine],
        array: str,
        index: Sequence[Affine],
        position: int,
    ) -> None:
        """An access to an element in a C variable, or in a copy that a thread has."""
        self.inside(here, title, array, index)
        outer, inner = variable.section, here.section
        changes = kind in ("define", "contribute", "put") and outer is not None and inner is not None and outer != inner
        if changes and not any(variable.name in c.exempt for c in here.constructs):  # those are added up by all
            raise NotModelledError(f"{title} changes a variable that each thread of a region has")
        cell = [*here.dims[: variable.depth], *self.texts(own, here)]
        element, owned = self.texts(index, here), outer is not None
        self.record(here, kind, title, variable.name, cell, variable.name, array, element, position, own=owned)

    def inside(self, here: Here, title: str, array: str, index: Sequence[Affine]) -> None:
        """Every access lies in its array.

        Raises:
            NotModelledError: it does not.
        """
        shape = self.plan.program.arrays[array].shape
        limits = [f"({i} < 0 or {i} >= {isl_affine(e)})" for i, e in zip(self.texts(index, here), shape, strict=True)]
        if limits:
            outside = self.where(here, "p").intersect(self.condition(here, " or ".join(limits)))
            if not outside.is_empty():
                raise OutsideError(outside, f"{title} leaves {array}")

    def touch(self, here: Here, kind: Kind, instance: Instance, touch: Touch, position: int) -> None:
        """An access of a statement."""
        array = touch.array
        index = cell_of(touch, instance)
        if array in instance.locals:
            if index is None:
                raise NotModelledError("data choose an element of a variable")
            local = instance.locals[array]
            variable = self.variable(here, local)
            lane = self.lane(here, local, variable)
            self.in_variable(here, kind, instance.statement, variable, lane, array, index, position)
        elif index is not None:
            self.access(here, kind, instance.statement, array, index, position)
        else:
            self.chosen(here, kind, instance, touch, position)

    def chosen(self, here: Here, kind: Kind, instance: Instance, touch: Touch, position: int) -> None:
        """An access to an element that data choose: to each that they may choose."""
        array = touch.array
        if array in here.scope:
            raise NotModelledError("data choose an element of what each thread has a copy of")
        if kind == "read" and self.is_given(array):
            return
        assert isinstance(touch.access, Indirect), "all others have an index"
        args = self.map(here.dims, "p", instance.statement, self.texts(instance.args, here))
        may = args.intersect_domain(self.where(here, "p")).apply_range(touch.access.may)
        place = self.cells.place(array)
        extra = [f"e{d}" for d in range(len(touch.index))]
        index = tuple(Affine.of(e) for e in extra)
        cell = [isl_affine(i) for i in place.index(index)]
        where = may.wrap().flatten()
        self.record(
            here, kind, instance.statement, place.space, cell, place.piece, array, extra, position, where, extra
        )

    def variable(self, here: Here, local: Local) -> SymbolicVariable:
        """The variable that a name stands for."""
        name = variable_of(local)
        if name not in here.scope:
            raise NotModelledError(f"the variable {name} is not declared here")
        return here.scope[name]

    def lane(self, here: Here, local: Local, variable: SymbolicVariable) -> list[Affine]:
        """The index of a lane in its short array, none for other variables.

        Raises:
            NotModelledError: there may be no such lane.
        """
        if not isinstance(local, Lane):
            return []
        own = here.words[local.lane]
        outside = self.where(here.under(f"{own} < 0 or {own} >= {variable.lanes}"), "p")
        if not outside.is_empty():
            raise OutsideError(outside, f"a lane leaves {local.variable}")
        return [Affine.of(local.lane)]

    def nonnegative(self, here: Here, name: str) -> None:
        """A value assumed to be non-negative in C may be negative.

        Raises:
            NotModelledError: it may be.
        """
        if name in self.plan.names.value.nonnegative:
            negative = self.where(here.under(f"{here.words[name]} < 0"), "p")
            if not negative.is_empty():
                raise OutsideError(negative, f"{name} may be negative, and C takes it for 0 or more")

    def statement(self, here: Here, instance: Instance, position: int) -> None:
        """Reads, then the write."""
        write, *reads = self.plan.known.touches[instance.statement]
        for touch in reads:
            self.touch(here, "read", instance, touch, 2 * position)
        self.touch(here, "define" if write.kind == "define" else "contribute", instance, write, 2 * position + 1)
        self.executed(here, instance)

    def tested(self, here: Here, test: Nonzero, position: int) -> None:
        """A read of the element that a guard tests; what that leaves out may run as well."""
        if test.local:
            own = self.variable(here, test.local)
            self.in_variable(here, "read", "a test", own, (), test.array, test.index, 2 * position)
        else:
            self.access(here, "read", "a test", test.array, test.index, 2 * position)

    def executed(self, here: Here, instance: Instance) -> None:
        """Note that instances run."""
        name = f"r{len(self.ran)}"
        own = self.map(here.dims, name, instance.statement, self.texts(instance.args, here))
        self.ran.append(Ran(instance.statement, own.intersect_domain(self.where(here, name))))

    def copy(self, here: Here, node: Load | Store, position: int) -> None:
        """Move an element, or the part of it that is there, into a variable or back."""
        variable = self.variable(here, node.local)
        lane = self.lane(here, node.local, variable)
        array, index = node.cell.array, node.cell.index
        loads = isinstance(node, Load)
        title = f"{'load' if loads else 'store'} of {array}"
        take, put = 2 * position, 2 * position + 1
        count = len(self.events)
        if loads and self.is_given(array):
            raise NotModelledError("an element of an input is kept in a variable")
        self.access(here, "take" if loads else "put", title, array, index, take if loads else put)
        self.in_variable(here, "put" if loads else "take", title, variable, lane, array, index, put if loads else take)
        first, second = (e.name for e in self.events[count:])
        self.pairs[first if loads else second] = second if loads else first


class OutsideError(NotModelledError):
    """An access leaves its array at some sizes."""

    def __init__(self, outside: isl.Set, message: str) -> None:
        super().__init__(message)
        self.outside = outside
