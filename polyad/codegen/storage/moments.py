"""Places of the text that touch elements of arrays.

A place of the text is reached by a path: positions in blocks, branches of guards, loops. Of two iterations of two
places, the one runs first that comes first where their paths part, or whose first different sequential loop is in an
earlier iteration (not_before.py). Iterations of any other loop (threads, vectors, register blocks) have no order.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from typing import Literal

import islpy as isl

from polyad import islx
from polyad.codegen.loops.how import Prefix
from polyad.codegen.loops.nodes import Block, Cell, Contraction, Guard, Instance, Load, Loop, Node, Pack, Share, Store
from polyad.codegen.loops.statement_accesses import Touch
from polyad.codegen.loops.traversal import instances
from polyad.codegen.storage.iteration_sets import declared_by, iterations, otherwise
from polyad.codegen.storage.touched_arrays import TouchedArrays
from polyad.ir.affine import Affine
from polyad.ir.expr import access_relation
from polyad.ir.program import Program

__all__ = ["LAST", "Branch", "Moment", "Moments", "Position", "UnknownOrderError", "moments"]

LAST = 2**31
"""The position behind all children of a block."""


class UnknownOrderError(Exception):
    """Nothing here says when an array is touched."""


@dataclass(frozen=True, slots=True)
class Position:
    """Child `number` of a block."""

    block: int
    number: int


@dataclass(frozen=True, slots=True)
class Branch:
    """The branch of a guard that is taken, or the other one."""

    guard: int
    taken: bool


@dataclass(frozen=True, slots=True, eq=False)
class Moment:
    """Something in the text that touches elements of one array, once in each iteration of the loops around.

    Attributes:
        array: what it touches.
        kind: how.
        path: from the root; a loop is the next dimension of what `elements` starts from.
        elements: { [iterators] -> a[e] }.
        node: which node of the text it belongs to, by identity.
        whole: the node does what it does in no order that is known.
        by: the statement that does it; "" for others.
    """

    array: str
    kind: Literal["read", "write"]
    path: tuple[Position | Branch | Loop, ...]
    elements: isl.Map
    node: int
    whole: bool = False
    by: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class _Otherwise:
    """A guard whose condition does not hold."""

    guard: Guard


_Around = tuple[Loop | Guard | _Otherwise, ...]


def moments(
    root: Block,
    program: Program,
    touches: Mapping[str, tuple[Touch, ...]],
    arrays: AbstractSet[str],
    touched: TouchedArrays,
) -> list[Moment]:
    """All moments at which some arrays are touched in memory, reads of one node and array as one.

    Raises:
        UnknownOrderError: one of them is touched in loops whose order is not that of the text.
    """
    walk = _Walk(program, touches, arrays, touched)
    walk.block(root, (), ())
    return walk.found


@dataclass(slots=True, eq=False)
class Moments:
    """When arrays of a text are touched, asked once for each.

    Attributes:
        root: the text.
        program: the program.
        touches: the accesses of all statements.
    """

    root: Block
    program: Program
    touches: Mapping[str, tuple[Touch, ...]]
    _known: dict[str, list[Moment] | None] = field(default_factory=dict)
    _touched: TouchedArrays = field(init=False)

    def __post_init__(self) -> None:
        self._touched = TouchedArrays(self.touches)

    def of(self, array: str) -> list[Moment]:
        """The moments of one array.

        Raises:
            UnknownOrderError: it is touched in loops whose order is not that of the text.
        """
        if array not in self._known:
            try:
                self._known[array] = moments(self.root, self.program, self.touches, {array}, self._touched)
            except UnknownOrderError:
                self._known[array] = None
        found = self._known[array]
        if found is None:
            raise UnknownOrderError
        return found


@dataclass(slots=True, eq=False)
class _Walk:
    program: Program
    touches: Mapping[str, tuple[Touch, ...]]
    arrays: AbstractSet[str]
    touched: TouchedArrays
    found: list[Moment] = field(default_factory=list)

    def block(self, block: Block, path: tuple[Position | Branch | Loop, ...], around: _Around) -> None:
        for number, child in enumerate(block.children):
            if not self.arrays.isdisjoint(self.touched(child)):
                self.node(child, (*path, Position(id(block), number)), around)

    def node(self, node: Node, path: tuple[Position | Branch | Loop, ...], around: _Around) -> None:
        match node:
            case Block():
                self.block(node, path, around)
            case Loop(body=body, how=how):
                if isinstance(how, Prefix):
                    self.refuse(node)
                self.block(body, (*path, node), (*around, node))
            case Guard(_, then, other):
                self.block(then, (*path, Branch(id(node), True)), (*around, node))
                if other is not None:
                    self.block(other, (*path, Branch(id(node), False)), (*around, _Otherwise(node)))
            case Instance():
                self.instance(node, path, around, id(node), False)
            case Load(cell=cell):
                self.cell(cell, "read", path, around, id(node))
            case Store(cell=cell):
                self.cell(cell, "write", path, around, id(node))
            case Contraction(nest=nest):
                for loops, instance in _inside(nest, ()):
                    self.instance(instance, path, (*around, *loops), id(node), True)
            case Share() | Pack():
                self.refuse(node)
            case _:
                pass

    def refuse(self, node: Node) -> None:
        """Nothing is known of the order in which a node does what it does."""
        for instance in instances(node.contraction if isinstance(node, Pack) else node):
            if any(t.array in self.arrays for t in self.touches[instance.statement]):
                raise UnknownOrderError

    def instance(
        self,
        node: Instance,
        path: tuple[Position | Branch | Loop, ...],
        around: _Around,
        number: int,
        whole: bool,
    ) -> None:
        own = [t for t in self.touches[node.statement] if t.array in self.arrays and t.array not in node.locals]
        if not own:
            return
        domain = own[0].statement.domain.intersect_params(self.program.context)
        ran = self.index(node.statement, node.args, around).intersect_range(domain)
        reads: dict[str, isl.Map] = {}
        for touch in own:
            elements = ran.apply_range(access_relation(touch.access))
            if touch.kind == "read":
                reads[touch.array] = reads[touch.array].union(elements) if touch.array in reads else elements
            else:
                self.found.append(Moment(touch.array, "write", path, elements, number, whole, node.statement))
        for array, elements in reads.items():
            self.found.append(Moment(array, "read", path, elements.coalesce(), number, whole, node.statement))

    def cell(
        self,
        cell: Cell,
        kind: Literal["read", "write"],
        path: tuple[Position | Branch | Loop, ...],
        around: _Around,
        number: int,
    ) -> None:
        if cell.array in self.arrays:
            array = self.program.arrays[cell.array].domain(self.program.params)
            elements = self.index(cell.array, cell.index, around).intersect_range(array)
            self.found.append(Moment(cell.array, kind, path, elements, number))

    def index(self, name: str, index: Sequence[Affine], around: _Around) -> isl.Map:
        """{ [iterators] -> name[index] } in the iterations of the loops around."""
        params = self.program.params
        held = [n for n in around if not isinstance(n, _Otherwise)]
        dims = declared_by(held)
        if any(not i.names() <= {*dims, *params} for i in index):
            raise UnknownOrderError
        space, where = islx.space(params, "", dims), islx.positions(params, dims)
        points = iterations(held, self.program.context, params).points
        for node in around:
            if isinstance(node, _Otherwise):
                points = points.intersect(otherwise(node.guard, dims, params))
        values = islx.multi_aff(space, name, [i.to_aff(space, where) for i in index])
        return values.as_map().intersect_domain(points)


def _inside(node: Node, loops: tuple[Loop, ...]) -> Iterator[tuple[tuple[Loop, ...], Instance]]:
    match node:
        case Loop(body=body):
            for child in body.children:
                yield from _inside(child, (*loops, node))
        case Instance():
            yield loops, node
        case Load() | Store() | Guard() | Block():
            raise UnknownOrderError
        case _:
            pass
