"""The rules of the loop IR; a tree that breaks one is the error of the pass that made it.

- Names of integers (iterators, `let`, the limits of a share, copies) are declared around or before whatever mentions
  them, and hide no other one.
- C variables are declared in a block around their use, before it, and once in a block; elements of lanes are used of
  variables that have lanes.
- A subtotal is added to its sum behind all that is added to it (subtotals.py).
- Statements, arrays and panels exist; instances have as many arguments, elements as many indices, as they need.
- A contraction is a perfect nest around one instance, a prefix scan a loop with nothing but instances.
- Who runs what in threads: verify_threads.py.

With POLYAD_VERIFY=1 it runs on the loops of the schedule, after storage, and after each pass of LOOP_PASSES.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from polyad.codegen.loops.contractions import perfect_nest
from polyad.codegen.loops.how import Divided, How, InParts, Jam, Prefix, Threads, Vector, Work
from polyad.codegen.loops.instance import Instance, Lane, Local, variable_of
from polyad.codegen.loops.loop_values import Combine, Condition, Extreme, Nonzero, Value, parts
from polyad.codegen.loops.nodes import (
    AddUp,
    Assume,
    Barrier,
    Block,
    Cell,
    Contraction,
    Copies,
    Copy,
    CopyPointer,
    Declare,
    Guard,
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
    SlotPointer,
    Store,
    Subtotal,
)
from polyad.codegen.loops.scope import LoopScope, declared_variable
from polyad.codegen.loops.statement_accesses import Touches
from polyad.codegen.loops.subtotals import wrong_subtotals
from polyad.codegen.loops.verify_threads import refuse, verify_threads
from polyad.ir.affine import Affine
from polyad.ir.array import Array
from polyad.ir.program import Program

__all__ = ["verify_loops"]


def verify_loops(root: Block, program: Program, touches: Touches, last: bool = False) -> None:
    """Check a tree.

    Args:
        root: the tree.
        program: whose statements it runs.
        touches: the accesses of all statements.
        last: no pass comes any more: what they decide is decided.

    Raises:
        DefinitionError: it breaks a rule; the message shows the line of the node.
    """
    _Rules(program.arrays, touches).block(root, LoopScope(frozenset(program.params)))
    for node, why in wrong_subtotals(root, touches, program.arrays):
        refuse(node, why)
    verify_threads(root, last)


@dataclass(frozen=True, slots=True, eq=False)
class _Rules:
    """Checks nodes.

    Attributes:
        arrays: of the program.
        touches: the accesses of its statements.
    """

    arrays: Mapping[str, Array]
    touches: Touches

    def block(self, block: Block, scope: LoopScope) -> None:
        """The nodes of a block, one after another."""
        own: set[str] = set()
        for child in block.children:
            self.node(child, scope)
            new = {variable[0]} if (variable := declared_variable(child, self.touches)) is not None else set()
            if isinstance(child, CopyPointer | SlotPointer):
                new = {f"the pointer {child.array}"}
            if new & own:
                refuse(child, f"{new.pop()} is declared twice in one block")
            own |= new
            scope = scope.declaring(child, self.touches)

    def node(self, node: Node, scope: LoopScope) -> None:
        """One node, and what is inside of it."""
        match node:
            case Block():
                self.block(node, scope)
            case Loop():
                self.loop(node, scope)
            case Guard(condition, then, otherwise):
                self.known(node, _names(condition, node), scope)
                if isinstance(condition, Nonzero):
                    self.switch(node, condition, scope)
                for block in (then, otherwise):
                    if block is not None:
                        self.block(block, scope)
            case Let(name, value):
                self.known(node, _names(value, node), scope)
                self.new(node, [name], scope)
            case Assume(iterator, least):
                self.known(node, {iterator, *_names(least, node)}, scope)
            case Instance():
                self.instance(node, scope)
            case Load(local, cell):
                self.cell(node, cell, scope)
                if not node.declares:
                    self.variable(node, local, scope)
                elif isinstance(local, Lane):
                    refuse(node, "lanes are declared by `declare`")
            case Store(local, cell):
                self.cell(node, cell, scope)
                self.variable(node, local, scope)
            case Declare(array=array, lanes=lanes):
                self.array(node, array)
                if lanes < 1:
                    refuse(node, "a variable has one lane or more")
            case Subtotal(total=total) | AddUp(Subtotal(total=total)):
                self.variable(node, total, scope)
            case Contraction():
                self.contraction(node, scope)
            case Pack():
                self.pack(node, scope)
            case Share():
                self.share(node, scope)
            case Region(work, body):
                self.work(node, work, scope)
                self.block(body, scope)
            case Single(body) | Launch(body):
                self.block(body, scope)
            case Barrier():
                pass
            case Parts():
                self.parts(node, scope)
            case PrefixScan():
                self.scan(node, scope)
            case Copies(name, count):
                self.known(node, count.names(), scope)
                self.new(node, [name], scope)
            case Copy(name, iteration, count, copies):
                self.known(node, {*iteration.names(), *count.names()}, scope)
                if copies not in scope.counts:
                    refuse(node, f"{copies} is no number of copies")
                self.new(node, [name], scope)
            case CopyPointer(array, copy):
                self.array(node, array)
                if copy and copy not in scope.copies:
                    refuse(node, f"{copy} is no copy of a thread")
            case SlotPointer(array, slot):
                self.array(node, array)
                if slot < 0:
                    refuse(node, "slots are counted from 0")

    def loop(self, node: Loop, scope: LoopScope) -> None:
        """A loop."""
        if node.step == 0:
            refuse(node, "a loop has a step")
        self.known(node, {*_names(node.first, node), *_names(node.last, node)}, scope)
        self.new(node, [node.iterator], scope)
        self.how(node, node.how, scope)
        self.block(node.body, replace(scope, names=scope.names | {node.iterator}))

    def how(self, node: Node, how: How, scope: LoopScope) -> None:
        """Check what the way to run a loop mentions."""
        match how:
            case Threads(work, pieces, within):
                self.work(node, work, scope)
                self.known(node, set() if pieces is None else _names(pieces, node), scope)
                self.how(node, within, scope)
            case Divided(pieces, within):
                self.known(node, set() if pieces is None else _names(pieces, node), scope)
                self.how(node, within, scope)
            case Vector(sums=sums):
                for total in sums:
                    self.variable(node, total.local, scope)
            case InParts(within):
                self.how(node, within, scope)
            case Jam(count) | Prefix(count) if count < 1:
                refuse(node, "one iteration or more run at a time")
            case _:
                pass

    def instance(self, node: Instance, scope: LoopScope) -> None:
        """An instance."""
        own = self.touches.get(node.statement)
        if own is None:
            refuse(node, f"the program has no statement {node.statement}")
        dims = own[0].statement.dims
        if len(node.args) != len(dims):
            refuse(node, f"{node.statement} has {len(dims)} dimensions, not {len(node.args)}")
        self.known(node, {n for a in node.args for n in a.names()}, scope)
        others = node.locals.keys() - {t.array for t in own}
        if others:
            refuse(node, f"{node.statement} has no access to {min(others)}")
        if node.declares and own[0].array not in node.locals:
            refuse(node, f"it declares no variable for {own[0].array}")
        if node.declares and isinstance(node.locals[own[0].array], Lane):
            refuse(node, "lanes are declared by `declare`")
        for touch in own[1:] if node.declares else own:
            if touch.array in node.locals:
                self.variable(node, node.locals[touch.array], scope)

    def contraction(self, node: Contraction, scope: LoopScope) -> None:
        """A nest for the macro-kernel."""
        found = perfect_nest(node.nest)
        if found is None:
            refuse(node, "a contraction is a perfect nest around one instance")
        self.loop(node.nest, scope)
        if node.packed and node.packed not in scope.panels:
            refuse(node, f"nothing before it packs {node.packed}")
        if node.shape is not None:
            inside = replace(scope, names=scope.names | {loop.iterator for loop in found[0]})
            stored = [w for w in node.shape.weights if w.array not in found[1].locals]
            for operand in (node.shape.c, node.shape.a, node.shape.b, *stored):
                self.cell(node, Cell(operand.array, operand.index), inside)

    def pack(self, node: Pack, scope: LoopScope) -> None:
        """Check a pack: it copies the second operand, from its first element on; loops around may be missing."""
        self.array(node, node.array)
        shape = node.contraction.shape
        if perfect_nest(node.contraction.nest) is None:
            refuse(node, "a contraction is a perfect nest around one instance")
        if shape is not None:
            if shape.b.array != node.array:
                refuse(node, f"the second operand is {shape.b.array}")
            loops = [loop for axis in (*shape.columns, *shape.sums) for loop in axis.loops]
            first = {loop.iterator: loop.first for loop in loops if isinstance(loop.first, Affine)}
            self.cell(node, Cell(shape.b.array, tuple(i.substitute(first) for i in shape.b.index)), scope)
            for axis in (*shape.columns, *shape.sums):
                self.known(node, _names(axis.count, node), scope)

    def share(self, node: Share, scope: LoopScope) -> None:
        """The parts of a loop."""
        self.known(node, {*_names(node.low, node), *_names(node.high, node)}, scope)
        self.new(node, [node.first, node.last], scope)
        if node.work is not None:
            self.work(node, node.work, scope)
        for statement, dim in node.rows.items():
            if statement not in self.touches or dim not in self.touches[statement][0].statement.dims:
                refuse(node, f"no statement {statement} has a dimension {dim}")
        self.block(node.body, replace(scope, names=scope.names | {node.first, node.last}))

    def parts(self, node: Parts, scope: LoopScope) -> None:
        """A loop in parts."""
        self.work(node, node.work, scope)
        self.new(node, node.names, scope)
        for total in node.sums:
            self.variable(node, total.local, scope)
            self.array(node, total.array)
        inside = scope.with_variables({s.part: 0 for s in node.sums})
        self.loop(node.loop, replace(inside, names=inside.names | {*node.names}))

    def scan(self, node: PrefixScan, scope: LoopScope) -> None:
        """A prefix scan: what it is made of is in its loop, with names of its own."""
        loop = node.state.loop
        body = [i.number for i in loop.body.children if isinstance(i, Instance)]
        if len(body) != len(loop.body.children) or len(body) != len({*body}):
            refuse(node, "in the loop of a scan are instances only, each with a number of its own")
        if node.steps < 1:
            refuse(node, "a block has one step or more")
        self.new(node, [*node.names.values(), *node.kept.values()], scope)
        self.loop(loop, scope)

    def known(self, node: Node, mentioned: Iterable[str], scope: LoopScope) -> None:
        """Integers that are mentioned are declared."""
        unknown = {*mentioned} - scope.names
        if unknown:
            refuse(node, f"{min(unknown)} is not declared before")

    def new(self, node: Node, declared: Iterable[str], scope: LoopScope) -> None:
        """Integers that are declared hide no others."""
        names = [*declared]
        hidden = ({*names} & scope.names) or {n for n in names if names.count(n) > 1}
        if hidden:
            refuse(node, f"{min(hidden)} is declared already")

    def variable(self, node: Node, used: Local, scope: LoopScope) -> None:
        """A C variable that is used is declared, with lanes where one of them is meant."""
        name = variable_of(used)
        lanes = scope.variables.get(name)
        if lanes is None:
            refuse(node, f"the C variable {name} is not declared before")
        if bool(lanes) != isinstance(used, Lane):
            refuse(node, f"{name} has {'lanes' if lanes else 'no lanes'}")
        if isinstance(used, Lane):
            self.known(node, {used.lane}, scope)

    def cell(self, node: Node, cell: Cell, scope: LoopScope) -> None:
        """An element of an array."""
        self.array(node, cell.array)
        extents = len(self.arrays[cell.array].shape)
        if len(cell.index) != extents:
            refuse(node, f"{cell.array} has {extents} dimensions, not {len(cell.index)}")
        self.known(node, {n for i in cell.index for n in i.names()}, scope)

    def switch(self, node: Guard, test: Nonzero, scope: LoopScope) -> None:
        """An element that a guard tests; nothing runs in its place."""
        self.cell(node, Cell(test.array, test.index), scope)
        if test.local:
            self.variable(node, test.local, scope)
        if node.otherwise is not None:
            refuse(node, "nothing runs where a switch is off")

    def array(self, node: Node, name: str) -> None:
        """An array that is mentioned is one of the program."""
        if name not in self.arrays:
            refuse(node, f"the program has no array {name}")

    def work(self, node: Node, work: Work, scope: LoopScope) -> None:
        """Check what the estimate of work mentions."""
        self.known(node, {n for _, factors in work.terms for f in factors for n in f.names()}, scope)


def _names(value: Value | Condition, node: Node) -> set[str]:
    """The names that a value or a condition mentions."""
    found: set[str] = set()
    for part in parts(value):
        match part:
            case Affine():
                found |= part.names()
            case Extreme(args=()):
                refuse(node, "the least or greatest of nothing")
            case Combine(op, args) if len(args) < 2:
                refuse(node, f"{op} joins two conditions or more")
            case _:
                pass
    return found
