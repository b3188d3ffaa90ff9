"""Runs the loop IR with elements in place of numbers: a cell holds which element it has, and how much of it.

A definition makes an element, a contribution adds to it; whoever reads an element has to find it, and all of it. What
the nodes do that are no loops is what they are declared to do:

- a contraction reads and adds as its nest does; `fresh`, it makes its elements first; panels hold copies of elements;
- parts reduce as their loop does; what is added to a subtotal is added to its sum (loops/subtotals.py);
- a prefix scan runs, for a block of steps, the statements of its first loop and what its factors and terms read, then
  the states step by step, then the statements of its second loop (prefix_scans.py).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, field, replace

from polyad.codegen.certify.declared_integers import DeclaredIntegers
from polyad.codegen.certify.demands import Demands, Element
from polyad.codegen.certify.integers import Functions, condition_function, index_function, value_function
from polyad.codegen.certify.memory import CVariable, Memory, WrongError, text
from polyad.codegen.certify.threads import ALL, Cell, Chain, Frame, RaceError
from polyad.codegen.certify.told import By, Told
from polyad.codegen.loops.how import Divided, Grid, Merged, Threads, Vector
from polyad.codegen.loops.instance import Lane, Local, variable_of
from polyad.codegen.loops.loop_values import Nonzero
from polyad.codegen.loops.nodes import (
    Assume,
    Barrier,
    Block,
    Contraction,
    Copy,
    CopyPointer,
    Declare,
    Guard,
    Instance,
    Launch,
    Let,
    Load,
    Loop,
    Node,
    Pack,
    Parts,
    PrefixScan,
    Region,
    Share,
    Single,
    Store,
    Subtotal,
)
from polyad.codegen.loops.statement_accesses import Touch
from polyad.semantics.points import Point

__all__ = ["Execution", "TooLargeError", "WrongError"]


class TooLargeError(Exception):
    """More instances than are looked at."""


@dataclass(slots=True, eq=False)
class Execution:
    """One run of the loops.

    Attributes:
        memory: the cells.
        demands: what the program says.
        most: instances that are looked at.
        nest: runs a node that C code of the runtime headers, or several loops, execute as a whole.
        names: sizes, iterators and named integers.
        chain: the constructs around.
        executed: statement -> the instances that ran.
        exempt: construct -> the variables of which each of its parts has one, added up at its end.
        constructs: how many were entered.
        reached: the places of the text that did something, by identity of their nodes.
        count: instances so far.
        summing: the variables that threads of a region sum up now, each for itself.
        share_of: which iteration of that sum it is.
        functions: those of the nodes.
    """

    memory: Memory
    demands: Demands
    most: int
    nest: Callable[[Execution, Contraction | Pack | PrefixScan | Parts | Guard], None]
    names: DeclaredIntegers = field(default_factory=DeclaredIntegers)
    chain: Chain = ()
    executed: dict[str, set[Point]] = field(default_factory=dict)
    exempt: dict[int, frozenset[str]] = field(default_factory=dict)
    constructs: int = 0
    reached: set[int] = field(default_factory=set)
    count: int = 0
    summing: tuple[str, ...] = ()
    share_of: object = None
    functions: Functions = field(default_factory=Functions)

    def block(self, block: Block) -> None:
        """Run the nodes of a block."""
        with self.memory.scope():
            for child in block.children:
                self.node(child)

    def node(self, node: Node) -> None:
        """Run a node."""
        self.reached.add(id(node))
        match node:
            case Instance():
                self.instance(node)
            case Loop():
                self.loop(node)
            case Guard(Nonzero()):
                self.nest(self, node)
            case Guard(condition, then, otherwise):
                if self.functions.of(condition, condition_function)(self.names):
                    self.block(then)
                elif otherwise is not None:
                    self.block(otherwise)
            case Let(name, value):
                self.name(name, self.functions.of(value, value_function)(self.names))
            case Assume(iterator, least):
                if self.names[iterator] < value_function(least)(self.names):
                    raise WrongError(f"{iterator} = {self.names[iterator]} is less than compilers are told")
            case Load() | Store():
                self.copy(node)
            case Declare(local, _, lanes):
                self.memory.declare(local, self.chain, lanes)
            case Launch(Block() as inside) | (Block() as inside):
                self.block(inside)
            case Subtotal(local, total):
                self.memory.alias({local: total})
            case Contraction() | Pack() | PrefixScan():
                self.nest(self, node)
            case Share():
                self.share(node)
            case Region(body=body):
                with self.part(self.construct(), ALL):
                    self.block(body)
            case Single(body):
                with self.instead(("alone", self.construct())):
                    self.block(body)
                self.barrier()
            case Barrier():
                self.barrier()
            case Parts() if self.chain and self.chain[-1].part == ALL:
                self.nest(self, node)
            case Parts(loop, sums):
                self.memory.alias({s.part: s.local for s in sums})
                numbers = [self.reducing(s.part for s in sums)]
                if isinstance(loop.how, Vector):  # each part has lanes, which reduce into its variables
                    numbers.append(self.reducing(s.local for s in loop.how.sums))
                self.iterate(loop, lambda i: self.under((*self.chain, *(Frame(n, i) for n in numbers))))
            case Copy(name, iteration, count):
                number, most = index_function((iteration, count))(self.names)
                if not 0 <= number < most:
                    raise WrongError(f"{name} is the copy of iteration {number}, and there are {most}")
                self.name(name, number)
            case CopyPointer(array, copy):
                self.memory.begin(array, self.names[copy] if copy else 0)
            case _:
                pass  # AddUp: loops/subtotals.py; Copies, SlotPointer: places.py

    @property
    def in_memory(self) -> Chain:
        """The constructs around an access to memory: a share of a sum is that of one thread of the region."""
        if self.share_of is None:
            return self.chain
        return tuple(replace(f, part=self.share_of) if f.part == ALL else f for f in self.chain)

    def name(self, name: str, value: int) -> None:
        """A named integer; what C divides as if it was never negative is not."""
        if value < 0 and name in self.memory.plan.names.value.nonnegative:
            raise WrongError(f"{name} = {value}, and C takes it for 0 or more")
        self.names[name] = value

    # Threads

    def construct(self) -> int:
        """A number for an execution of a construct."""
        self.constructs += 1
        return self.constructs

    def reducing(self, variables: Iterable[str]) -> int:
        """The number of a construct whose parts reduce into some variables, each for itself."""
        number = self.construct()
        self.exempt[number] = frozenset(self.memory.aliases.get(v, v) for v in variables)
        return number

    def part(self, number: int, part: object) -> AbstractContextManager[None]:
        """Do a part of the work of a construct."""
        return self.under((*self.chain, Frame(number, part)))

    def instead(self, part: object) -> AbstractContextManager[None]:
        """Do what not all threads of the region around do."""
        return self.under((*self.chain[:-1], replace(self.region(), part=part)))

    @contextmanager
    def under(self, chain: Chain) -> Iterator[None]:
        """Do something with other constructs around."""
        before, self.chain = self.chain, chain
        try:
            yield
        finally:
            self.chain = before

    def region(self) -> Frame:
        """The region directly around."""
        if not self.chain or self.chain[-1].part != ALL:
            raise WrongError("a shared loop, a barrier or a single section stands in no region")
        return self.chain[-1]

    def barrier(self) -> None:
        """The threads of the region wait for each other."""
        here = self.region()
        self.chain = (*self.chain[:-1], replace(here, epoch=here.epoch + 1))

    def loop(self, loop: Loop) -> None:
        """All iterations of a loop."""
        match loop.how:
            case Threads() | Grid() | Merged():
                number = self.reducing(self.summing)
                self.iterate(loop, lambda i: self.part(number, i))
            case Divided(wait=wait):
                number = self.construct()
                self.iterate(loop, lambda i: self.instead((number, i)))
                if wait:
                    self.barrier()
            case Vector(sums=sums):
                number = self.reducing(s.local for s in sums)
                self.iterate(loop, lambda i: self.part(number, i))
            case _:
                self.iterate(loop, lambda _: nullcontext())

    def iterate(self, loop: Loop, part: Callable[[int], AbstractContextManager[None]]) -> None:
        """All iterations, each as a part of what is around."""
        for i in self.iterations(loop):
            self.name(loop.iterator, i)
            with part(i):
                self.block(loop.body)

    def iterations(self, loop: Loop) -> Iterator[int]:
        """The values of an iterator, which has none behind the loop."""
        first = self.functions.of(loop.first, value_function)(self.names)
        last = self.functions.of(loop.last, value_function)(self.names)
        yield from range(first, last + (1 if loop.step > 0 else -1), loop.step)
        self.names.pop(loop.iterator, None)

    def share(self, share: Share) -> None:
        """The parts of a shared loop: one iteration, two, one, two; all of them where no threads start."""
        low, high = (value_function(v)(self.names) for v in (share.low, share.high))
        number, first, length = self.construct(), low, 1
        while first <= high:
            last = high if share.work is None else min(first + length - 1, high)
            self.name(share.first, first)
            self.name(share.last, last)
            with self.part(number, first):
                self.block(share.body)
            first, length = last + 1, 3 - length

    # Statements

    def point(self, instance: Instance) -> Point:
        """The values of the dims of an instance."""
        return self.functions.of(instance.args, index_function)(self.names)

    def instance(self, instance: Instance, elsewhere: Mapping[Element, Cell] | None = None) -> None:
        """Read what a statement reads, write what it writes."""
        point, write, reads = self.started(instance)
        if instance.declares:  # in C, `double x = f(x)` reads the new x
            self.memory.declare(variable_of(instance.locals[write.array]), self.chain)
        for touch in reads:
            self.read(instance, touch, point, elsewhere or {})
        self.write(instance, write, self.demands.element(write, point))

    def started(self, instance: Instance) -> tuple[Point, Touch, Sequence[Touch]]:
        """The values of the dims of an instance, what it writes and what it reads; it runs once if it contributes."""
        point = self.point(instance)
        write, *reads = self.memory.plan.known.touches[instance.statement]
        if self.ran(instance.statement, point) and write.kind == "contribute":
            raise WrongError(f"{instance.statement}{list(point)} contributes twice")
        return point, write, reads

    def ran(self, statement: str, point: Point) -> bool:
        """Note that an instance runs; whether it ran before."""
        self.count += 1
        if self.count > self.most:
            raise TooLargeError
        found = self.executed.setdefault(statement, set())
        if point in found:
            return True
        if point not in self.demands.instances[statement]:
            raise WrongError(f"{statement}{list(point)} is no instance of the program")
        found.add(point)
        return False

    def read(self, instance: Instance, touch: Touch, point: Point, elsewhere: Mapping[Element, Cell]) -> None:
        """Find an element, all of it."""
        element = self.demands.element(touch, point)
        name = By(instance.statement, point)
        if element in elsewhere:
            self.whole(elsewhere[element], element, name)
        elif touch.array in instance.locals:
            variable, chain = self.local(instance.locals[touch.array], name)
            with Told(name, instance.locals[touch.array]):
                variable.cell.on_read(chain)
            self.whole(variable.cell, element, name)
        else:
            self.whole(self.loaded(element, name), element, name)

    def loaded(self, element: Element, by: object) -> Cell:
        """The cell of an element that is read."""
        with Told(by, element):
            cell = self.memory.cell(element)
            if not self.demands.is_given(element):
                cell.on_read(self.in_memory)
        return cell

    def whole(self, cell: Cell, element: Element, by: object) -> None:
        """A cell has to hold an element with all its contributions."""
        if self.demands.is_given(element):
            return
        origin = self.demands.origin(element)
        wanted = self.demands.contributions[origin]
        if cell.element is None or self.demands.origin(cell.element) != origin:
            held = "nothing that was written" if cell.element is None else f"{text(cell.element)}, written by {cell.by}"
            raise WrongError(f"{by} reads {text(element)} and finds {held}")
        if cell.count != wanted:
            raise WrongError(f"{by} reads {text(element)} with {cell.count} of {wanted} contributions")

    def write(self, instance: Instance, touch: Touch, element: Element, fresh: bool = False) -> None:
        """Make an element, or add to it."""
        name = By(instance.statement, self.point(instance))
        local = instance.locals.get(touch.array)
        where: Element | Local
        if local is None:
            cell, chain, where = self.placed(element, name), self.in_memory, element
        else:
            variable, chain = self.local(local, name, writes=True, adds=touch.kind == "contribute")
            cell, where = variable.cell, local
        if touch.kind == "define" or fresh or (cell.element != element and self.is_start(cell, element)):
            found = 0
        elif cell.element != element:
            held = "nothing" if cell.element is None else f"{text(cell.element)}, written by {cell.by}"
            raise WrongError(f"{name} contributes to {text(element)} and finds {held}")
        else:
            found = cell.count
        with Told(name, where):
            cell.on_write(chain, name)
        cell.element, cell.count = element, found + (touch.kind == "contribute")

    def is_start(self, cell: Cell, element: Element) -> bool:
        """Whether a cell holds, whole, what an element begins with that contributions are added to."""
        start = self.demands.begins_with(element)
        if start is None or cell.element is None or self.demands.origin(cell.element) != start:
            return False
        return cell.count == self.demands.contributions[start]

    def placed(self, element: Element, by: object) -> Cell:
        """The cell of an element that is written."""
        with Told(by, element):
            return self.memory.cell(element)

    def local(self, local: Local, by: object, writes: bool = False, adds: bool = False) -> tuple[CVariable, Chain]:
        """A C variable, s or the lane s[lane] of one, and the frames whose parts have it in common.

        What parts reduce into each has of its own until they end: nobody but who adds to it may use it before.
        """
        base = variable_of(local)
        with Told(by, base):
            variable = self.memory.variable(base)
            if isinstance(local, Lane):
                variable = self.memory.lane(base, self.names[local.lane])
            chain = variable.since(self.chain, writes)
            shared = self.memory.aliases.get(base, base)
            common = tuple(f for f in chain if shared not in self.exempt.get(f.construct, frozenset()))
            if len(common) < len(chain) and not adds:
                raise RaceError("is used in the loop that adds it up, of whose parts each has one of its own")
        return variable, common

    def copy(self, node: Load | Store) -> None:
        """Move what a cell holds, whatever it is, into a variable or back."""
        index = index_function(node.cell.index)(self.names)
        element = (node.cell.array, index)
        by = f"{'load' if isinstance(node, Load) else 'store'} of {text(element)}"
        if isinstance(node, Load):
            if node.declares:
                self.memory.declare(variable_of(node.local), self.chain)
            source = self.loaded(element, by)
            variable, chain = self.local(node.local, by, writes=True)
            target = variable.cell
        else:
            variable, chain = self.local(node.local, by)
            with Told(by, node.local):
                variable.cell.on_read(chain)
            source, target, chain = variable.cell, self.placed(element, by), self.in_memory
        with Told(by, element):
            target.on_write(chain, source.by)
        target.element, target.count = source.element, source.count
