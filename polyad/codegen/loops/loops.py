"""Loop nests: what isl's AST becomes, and what storage decisions rewrite before it is printed.

Node ::= Block(Nodes) | Loop(iterator, first, last, step, Block) | Guard(Condition, Block, Block?)
       | Let(name, Value) | Instance(statement, args) | Load | Store | Declare | Contraction(Loop)
       | Pack(name, array, Contraction) | Share(first, last, Block)
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from polyad.codegen.loops.loop_values import Condition, Value, substitute_condition, substitute_value
from polyad.ir.affine import Affine

__all__ = [
    "Block",
    "Cell",
    "Contraction",
    "Declare",
    "Guard",
    "Instance",
    "Let",
    "Load",
    "Loop",
    "Node",
    "Pack",
    "Share",
    "Store",
    "children",
    "declared",
    "declared_in_order",
    "instances",
    "map_blocks",
    "map_instances",
    "nodes",
    "outermost_loops",
    "substitute",
]


@dataclass(frozen=True, slots=True, eq=False)
class Block:
    """Nodes executed one after another; a scope of the C text."""

    children: tuple[Node, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Loop:
    """for (iterator = first; iterator <= last (>= when step < 0); iterator += step) body.

    Attributes:
        iterator: visible in the body.
        first: its first value.
        last: bound of its last value, inclusive.
        step: not 0.
        body: the loop body.
        parallel: iterations may run at the same time, in threads.
        simd: iterations may run at the same time, in vector lanes.
        jam: so many iterations are to run at a time, statement by statement (register_blocks.py).
        lanes: vectors of iterations are to run statement by statement.
        fixed: the loop over the lanes of one vector.
        contraction: with the loops inside it is a contraction for the macro-kernel.
    """

    iterator: str
    first: Value
    last: Value
    step: int
    body: Block
    parallel: bool = False
    simd: bool = False
    jam: int = 1
    lanes: bool = False
    fixed: bool = False
    contraction: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Guard:
    """if (condition) then else otherwise."""

    condition: Condition
    then: Block
    otherwise: Block | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Let:
    """A named integer, visible in the rest of the block."""

    name: str
    value: Value


@dataclass(frozen=True, slots=True, eq=False)
class Instance:
    """One execution of a statement.

    Attributes:
        number: of this place in the text, unique in the tree.
        statement: its name.
        args: values of the statement's dims, in terms of sizes and iterators in scope.
        locals: array -> C variable that stands for its element here.
        declares: the write declares its C variable.
    """

    number: int
    statement: str
    args: tuple[Affine, ...]
    locals: Mapping[str, str] = field(default_factory=dict)
    declares: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Cell:
    """An array element in terms of sizes and iterators in scope."""

    array: str
    index: tuple[Affine, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Load:
    """Declare a variable that holds an element, or set one that is declared already."""

    local: str
    cell: Cell
    declares: bool = True


@dataclass(frozen=True, slots=True, eq=False)
class Store:
    """Write a variable back to its element."""

    local: str
    cell: Cell


@dataclass(frozen=True, slots=True, eq=False)
class Declare:
    """Declare a variable with an element of an array for each of some lanes."""

    local: str
    array: str
    lanes: int


@dataclass(frozen=True, slots=True, eq=False)
class Contraction:
    """A nest of loops around one statement, computed by the macro-kernel as a whole; no storage decision looks inside.

    Attributes:
        nest: the loops.
        fresh: the sum overwrites its elements instead of being added to them.
        packed: the panels that hold its second operand, "" where it is packed on the way.
    """

    nest: Loop
    fresh: bool = False
    packed: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class Pack:
    """Copy an operand of a contraction into panels.

    Attributes:
        name: of the panels.
        array: the operand.
        contraction: the one that uses them.
    """

    name: str
    array: str
    contraction: Contraction


@dataclass(frozen=True, slots=True, eq=False)
class Share:
    """What each thread does with its part of the iterations low, ..., high of a parallel loop.

    Attributes:
        first: name of the first iteration of the part.
        last: name of the last one.
        low: the first iteration of all.
        high: the last one.
        body: executed if the part has an iteration; its loops stay inside of the part.
        rows: statement -> which of its dims the parallel loop is.
    """

    first: str
    last: str
    low: Value
    high: Value
    body: Block
    rows: Mapping[str, str]


Node = Block | Loop | Guard | Let | Instance | Load | Store | Declare | Contraction | Pack | Share


def children(node: Node) -> tuple[Node, ...]:
    """The nodes directly inside of a node."""
    match node:
        case Block(inside):
            return inside
        case Loop(body=body) | Share(body=body):
            return body.children
        case Guard(_, then, otherwise):
            return then.children + (otherwise.children if otherwise is not None else ())
        case Contraction(nest=nest):
            return (nest,)
        case _:
            return ()


def nodes(node: Node) -> Iterator[Node]:
    """All nodes of a tree in textual order, outer before inner, without the blocks of loops and guards."""
    yield node
    for child in children(node):
        yield from nodes(child)


def instances(node: Node) -> Iterator[Instance]:
    """All statement instances of a tree in textual order."""
    return (n for n in nodes(node) if isinstance(n, Instance))


def outermost_loops(node: Node) -> Iterator[Loop]:
    """The loops of a tree that no other loop of it is around, and no threads that share one."""
    if isinstance(node, Loop):
        yield node
    elif isinstance(node, Block | Guard):
        for child in children(node):
            yield from outermost_loops(child)


def declared(node: Node) -> set[str]:
    """The iterators and named integers that a tree declares."""
    return {*declared_in_order(node)}


def declared_in_order(node: Node) -> list[str]:
    """The same in textual order, outer before inner, each once."""
    found: dict[str, None] = {}
    for inner in nodes(node):
        match inner:
            case Loop(iterator=name) | Let(name=name):
                found[name] = None
            case Share(first=first, last=last):
                found |= {first: None, last: None}
            case _:
                pass
    return [*found]


def map_blocks(function: Callable[[Block], Block], node: Node) -> Node:
    """Rebuild bottom-up; `function` sees each block after its children were rebuilt."""
    match node:
        case Block():
            return _map_block(function, node)
        case Loop() | Share():
            return replace(node, body=_map_block(function, node.body))
        case Guard(_, then, otherwise):
            other = _map_block(function, otherwise) if otherwise is not None else None
            return replace(node, then=_map_block(function, then), otherwise=other)
        case _:
            return node


def map_instances(function: Callable[[Instance], Instance], node: Node) -> Node:
    """Rebuild with each instance replaced, but for those inside of contractions."""

    def inside(block: Block) -> Block:
        return Block(tuple(function(c) if isinstance(c, Instance) else c for c in block.children))

    return function(node) if isinstance(node, Instance) else map_blocks(inside, node)


def _map_block(function: Callable[[Block], Block], block: Block) -> Block:
    return function(Block(tuple(map_blocks(function, c) for c in block.children)))


def substitute(node: Node, values: Mapping[str, Affine]) -> Node:
    """Replace iterators by affine expressions in a tree that declares none of them."""
    match node:
        case Block():
            return _substitute_block(node, values)
        case Loop():
            first, last = substitute_value(node.first, values), substitute_value(node.last, values)
            return replace(node, first=first, last=last, body=_substitute_block(node.body, values))
        case Guard(condition, then, otherwise):
            other = _substitute_block(otherwise, values) if otherwise is not None else None
            return Guard(substitute_condition(condition, values), _substitute_block(then, values), other)
        case Let(name, value):
            return Let(name, substitute_value(value, values))
        case Instance():
            return replace(node, args=tuple(a.substitute(values) for a in node.args))
        case Load(cell=cell):
            return replace(node, cell=Cell(cell.array, tuple(i.substitute(values) for i in cell.index)))
        case Store(local, cell):
            return Store(local, Cell(cell.array, tuple(i.substitute(values) for i in cell.index)))
        case Declare():
            return node
        case Share():
            low, high = substitute_value(node.low, values), substitute_value(node.high, values)
            return replace(node, low=low, high=high, body=_substitute_block(node.body, values))
        case Contraction():
            return _substitute_contraction(node, values)
        case Pack():
            return replace(node, contraction=_substitute_contraction(node.contraction, values))


def _substitute_contraction(node: Contraction, values: Mapping[str, Affine]) -> Contraction:
    nest = substitute(node.nest, values)
    assert isinstance(nest, Loop)
    return replace(node, nest=nest)


def _substitute_block(block: Block, values: Mapping[str, Affine]) -> Block:
    return Block(tuple(substitute(c, values) for c in block.children))
