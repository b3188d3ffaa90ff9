"""One parallel region around a sequential loop: what each thread does for itself, what they share, what one does alone.

    for t                                       PA_PARALLEL_IF(work of one iteration > threshold)
      parallel for i                            for t
        h[t + 1, i] = f(h[t], i)                  PA_FOR
      s[t] = h[t + 1, 0]                          for i
                                                    h[t + 1, i] = f(h[t], i)
                                                  PA_SINGLE
                                                  s[t] = h[t + 1, 0]

Threads are started once, not once per iteration. All of them run the sequential loop; C variables declared in it are
each thread's own, so what only computes those is done by every thread. A loop is shared, and ends with a barrier unless
what follows it, up to the next barrier, has no memory in common with it that one of the two writes. What writes memory
outside of shared loops is done by one thread, with a barrier after it.

Memory is all that threads have in common: arrays, by the piece of the workspace that they lie in (in_place.py puts two
of them into one), and C variables declared in front of the region. What has to hold:

- memory is written by one thread at a time, and a barrier stands between a write and every other access to it that may
  be another thread's;
- a variable that each thread has for itself is assigned by all of them, to the same value.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from polyad.codegen.loops.loops import Block, Guard, Instance, Load, Loop, Node, Pack, Share, Store, nodes
from polyad.codegen.loops.statement_accesses import Touch
from polyad.codegen.loops.variables import declared_in, outer_uses

__all__ = ["Each", "One", "Part", "Shared", "region_parts"]

Touches = Mapping[str, tuple[Touch, ...]]


@dataclass(frozen=True, slots=True, eq=False)
class Each:
    """A node that every thread runs: its parts where it holds loops to share, else as it is.

    Attributes:
        node: the node.
        bodies: the parts of its blocks: the body of a loop, the branches of a guard; empty where nothing is shared.
        barrier: threads wait for each other after it.
    """

    node: Node
    bodies: tuple[tuple[Part, ...], ...] = ()
    barrier: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Shared:
    """A loop whose iterations the threads share; `barrier`: they wait for each other after it."""

    loop: Loop
    barrier: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class One:
    """Nodes that one thread runs; the others wait for it, always."""

    nodes: tuple[Node, ...]
    barrier: bool = True


Part = Each | Shared | One


def region_parts(
    loop: Loop,
    touches: Touches,
    memory: Mapping[str, int],
    small: frozenset[Loop],
    expanded: Callable[[Loop], Sequence[Node]],
) -> tuple[Part, ...] | None:
    """The body of a sequential loop as parts of a parallel region around the loop, or None where it does not fit one.

    Args:
        loop: sequential, with parallel loops inside.
        touches: the accesses of all statements.
        memory: array -> the number of its piece of the workspace; the others lie alone.
        small: parallel loops that are not worth sharing.
        expanded: a parallel loop as it is printed, in register blocks maybe.
    """
    try:
        return _Region(touches, memory, small, expanded).block(loop.body, frozenset())
    except _Refused:
        return None


class _Refused(Exception):
    """The loop has something that no part stands for."""


@dataclass(frozen=True, slots=True)
class _Use:
    """What nodes do with memory, and the variables of each thread that they assign."""

    written: frozenset[str] = frozenset()
    read: frozenset[str] = frozenset()
    own: frozenset[str] = frozenset()

    def __or__(self, other: _Use) -> _Use:
        return _Use(self.written | other.written, self.read | other.read, self.own | other.own)

    def meets(self, other: _Use) -> bool:
        """Whether the two have memory in common that one of them writes."""
        return bool(self.written & (other.written | other.read) or self.read & other.written)


@dataclass(frozen=True, slots=True, eq=False)
class _Region:
    touches: Touches
    memory: Mapping[str, int]
    small: frozenset[Loop]
    expanded: Callable[[Loop], Sequence[Node]]

    def block(self, block: Block, around: frozenset[str]) -> tuple[Part, ...]:
        """The parts of a block; what they leave open is settled by a barrier at its end.

        Args:
            block: a block inside of the region.
            around: the variables that blocks around it declare, each thread its own.
        """
        scope = around | declared_in(block, self.touches)
        parts: list[Part] = []
        open_uses = _Use()  # since the last barrier
        before_one = _Use()  # open where the last part, done by one thread, begins
        for node in (n for child in block.children for n in self.nodes(child)):
            part = self.part(node, scope)
            use = self.use(node, scope)
            if isinstance(part, One) and parts and isinstance(parts[-1], One):
                parts[-1] = One((*parts[-1].nodes, *part.nodes))
                if before_one != _Use() and use.meets(before_one):
                    parts[-2] = replace(parts[-2], barrier=True)
                    before_one = _Use()
                continue
            # A loop that may have no iteration, and a branch not taken, pass no barrier.
            if open_uses != _Use() and (use.meets(open_uses) or (isinstance(part, Each) and part.bodies)):
                parts[-1] = replace(parts[-1], barrier=True)
                open_uses = _Use()
            parts.append(part)
            if isinstance(part, Shared) or (isinstance(part, Each) and use.read and not part.bodies):
                open_uses |= use
            elif isinstance(part, One):
                before_one, open_uses = open_uses, _Use()
        if open_uses != _Use():
            parts[-1] = replace(parts[-1], barrier=True)
        return tuple(parts)

    def nodes(self, node: Node) -> Sequence[Node]:
        """A node, or what a loop that is shared is printed as."""
        return self.expanded(node) if isinstance(node, Loop) and node.parallel and node not in self.small else (node,)

    def part(self, node: Node, scope: frozenset[str]) -> Part:
        """What becomes of one node; `scope`: the variables of each thread that it sees."""
        use = self.use(node, scope)
        if any(isinstance(n, Loop) and n.parallel and n not in self.small for n in nodes(node)):
            match node:
                case Loop(parallel=True):
                    if any(u.assigns for u in outer_uses(node, self.touches)):
                        raise _Refused  # iterations of a shared loop assign no variable of what is around
                    return Shared(node)
                case Loop(body=body):
                    return Each(node, (self.block(body, scope),))
                case Guard(_, then, otherwise):
                    return Each(node, tuple(self.block(b, scope) for b in (then, otherwise) if b is not None))
                case Block():
                    return Each(node, (self.block(node, scope),))
                case _:
                    raise AssertionError("other nodes hold no loops")
        if not use.written:
            return Each(node)
        if use.own:
            raise _Refused  # one thread writes memory, and all assign their own variables: no part does both
        return One((node,))

    def use(self, node: Node, scope: frozenset[str]) -> _Use:
        """What a node does; variables that are not in scope are declared in front of the region, and memory."""
        written: set[str] = set()
        read: set[str] = set()
        own: set[str] = set()
        for outer in outer_uses(node, self.touches):
            if outer.variable not in scope:
                (written if outer.assigns else read).add(f"variable {outer.variable}")
            elif outer.assigns and not _declares(node, outer.node):
                own.add(outer.variable)
        for inner in nodes(node):
            match inner:
                case Instance(locals=local):
                    for touch in self.touches[inner.statement]:
                        if touch.array not in local:
                            if touch.kind != "define":
                                read.add(self.place(touch.array))
                            if touch.kind != "read":
                                written.add(self.place(touch.array))
                case Load(cell=cell):
                    read.add(self.place(cell.array))
                case Store(cell=cell):
                    written.add(self.place(cell.array))
                case Share() | Pack():
                    raise _Refused
                case _:
                    pass
        return _Use(frozenset(written), frozenset(read), frozenset(own))

    def place(self, array: str) -> str:
        """The memory that an array lies in."""
        return f"piece {self.memory[array]}" if array in self.memory else f"array {array}"


def _declares(node: Node, assigning: Instance | Load | Store) -> bool:
    """Whether a node is a declaration of a variable, which every thread makes, and not an assignment to one."""
    return node is assigning and isinstance(node, Instance | Load) and node.declares
