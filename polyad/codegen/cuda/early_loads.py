"""Loads before stores: statements beside each other read all they need before the first of them stores anything.

    y[i] = f(a[i])                             float a_0 = a[i], b_0 = b[i]
    z[i] = g(b[i], y[i])            ->         float y_0 = f(a_0)
                                               y[i] = y_0
                                               z[i] = g(b_0, y_0)

A thread of a GPU goes on while a load is under way, until it needs the value. But no load may pass a store that might
be to the same place, and for a compiler any might be: so each statement waited for memory once more. Here, arrays that
lie in different pieces of memory are known to.

What must hold: between a load, or what has been stored from a variable, and its use nothing writes to the piece of
memory that the element lies in.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby

from polyad.codegen.loops.instance import Local
from polyad.codegen.loops.nodes import Block, Cell, Guard, Instance, Load, Loop, Node, Store
from polyad.codegen.loops.statement_accesses import Touch, cell_of
from polyad.codegen.loops.traversal import expand, instances
from polyad.codegen.lower.lowering import StoredProgram
from polyad.ir.affine import Affine
from polyad.machine.device import DEVICE

__all__ = ["early_loads"]

Element = tuple[str, tuple[Affine, ...]]


def early_loads(root: Block, known: StoredProgram) -> Block:
    """Load early in the bodies of all loops."""

    def one(node: Node) -> Sequence[Node] | None:
        return [replace(node, body=_early(expand(one, node.body), known))] if isinstance(node, Loop) else None

    return expand(one, root)


def _early(block: Block, known: StoredProgram) -> Block:
    """A block, in whose runs of statements loads come first."""
    made: list[Node] = []
    for plain, run in groupby(block.children, _is_plain):
        found = [*run]
        made += _Run(known).made(found) if plain and len(found) > 1 else found
    return Block(tuple(made))


def _is_plain(node: Node) -> bool:
    """Whether a node is a statement, or some under a condition, or stores what one has computed."""
    match node:
        case Guard(then=Block(inside), otherwise=None):
            return all(isinstance(n, Instance) for n in inside)
        case _:
            return isinstance(node, Instance | Store)


@dataclass(slots=True, eq=False)
class _Run:
    """Statements one after another.

    Attributes:
        known: of the program.
        loads: those that come first.
        held: element -> the variable that has its value now.
        written: the pieces of memory that were written.
        always: what runs now runs in any case; under a condition elements may not exist.
    """

    known: StoredProgram
    loads: list[Load] = field(default_factory=list)
    held: dict[Element, Local] = field(default_factory=dict)
    written: set[str] = field(default_factory=set)
    always: bool = True

    def made(self, run: Sequence[Node]) -> list[Node]:
        """The loads, and then the statements with what they store."""
        nodes = [n for place, node in enumerate(run) for n in self.one(node, run[place + 1 :])]
        return [*self.loads, *nodes]

    def one(self, node: Node, later: Sequence[Node]) -> Iterator[Node]:
        """A node; `later`: those behind it."""
        match node:
            case Instance():
                yield from self.instance(node, later)
            case Store(local, cell):
                self.write(cell.array)
                self.held[(cell.array, cell.index)] = local
                yield node
            case Guard(then=Block(inside)):
                self.always = False
                then = [n for place, i in enumerate(inside) for n in self.one(i, inside[place + 1 :])]
                self.always = True
                for stored in then:  # or not, where the condition does not hold
                    if isinstance(stored, Store):
                        self.held.pop((stored.cell.array, stored.cell.index))
                yield replace(node, then=Block(tuple(then)))
            case _:
                raise AssertionError("a run has nothing else")

    def instance(self, instance: Instance, later: Sequence[Node]) -> Iterator[Node]:
        """A statement, whose elements are in variables where they can be."""
        write, *reads = self.known.touches[instance.statement]
        own = dict(instance.locals)
        for array in dict.fromkeys(t.array for t in reads if t.array not in instance.locals):
            variable = self.variable(array, [t for t in reads if t.array == array], write, instance)
            if variable is not None:
                own[array] = variable
        if write.array in instance.locals:
            yield replace(instance, locals=own)
            return
        self.write(write.array)
        element = self.element(write, instance)
        declares = write.array not in own
        wanted = any(map(self.reads(element), later)) if element is not None and write.kind == "define" else False
        if element is None or (declares and not wanted):
            yield replace(instance, locals=own)
            return
        if declares:
            own[write.array] = self.known.fresh(f"{self.known.names.arrays[write.array]}_0")
        self.held[element] = own[write.array]
        yield replace(instance, locals=own, declares=declares)
        yield Store(own[write.array], Cell(*element))

    def write(self, array: str) -> None:
        """Forget what lies in a piece of memory that is written."""
        place = self.known.place(array)
        self.held = {e: v for e, v in self.held.items() if self.known.place(e[0]) != place}
        self.written.add(place)

    def variable(self, array: str, reads: Sequence[Touch], write: Touch, instance: Instance) -> Local | None:
        """The variable of the one element of an array that a statement reads; None where there are several, or none."""
        elements = {self.element(t, instance) for t in reads}
        element = elements.pop()
        if elements or element is None or (write.array == array and write.kind != "define"):
            return None
        if write.array == array:  # it is overwritten, and others may want what was there
            if self.element(write, instance) is None:
                return None
            return self.load(element)
        if element not in self.held:
            variable = self.load(element)
            if variable is None:
                return None
            self.held[element] = variable
        return self.held[element]

    def load(self, element: Element) -> str | None:
        """A variable of its own for an element as it was before the first statement."""
        array, index = element
        place = self.known.place(array)
        if not self.always or place in self.written or len(self.loads) >= DEVICE.early_loads:
            return None
        if self.known.is_given(array):
            return None  # nothing writes it, and compilers are told
        variable = self.known.fresh(f"{self.known.names.arrays[array]}_0")
        self.loads.append(Load(variable, Cell(array, index), declares=True))
        return variable

    def element(self, touch: Touch, instance: Instance) -> Element | None:
        """The element of a touch; None where data decide."""
        index = cell_of(touch, instance)
        return None if index is None else (touch.array, index)

    def reads(self, element: Element) -> Callable[[Node], bool]:
        """Whether a statement of a node reads an element, as a function."""
        return lambda node: any(
            self.element(t, i) == element and t.array not in i.locals
            for i in instances(node)
            for t in self.known.touches[i.statement][1:]
        )
