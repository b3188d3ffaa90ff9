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
what follows it, up to the next barrier, has no array in common with it that one of the two writes. What writes memory
outside of shared loops is done by one thread, with a barrier after it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from polyad.codegen.loops import Block, Declare, Guard, Instance, Load, Loop, Node, Store, nodes
from polyad.codegen.statement_accesses import Touch

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
    loop: Loop, touches: Touches, small: frozenset[Loop], expanded: Callable[[Loop], Sequence[Node]]
) -> tuple[Part, ...] | None:
    """The body of a sequential loop as parts of a parallel region around the loop, or None where it does not fit one.

    Args:
        loop: sequential, with parallel loops inside.
        touches: the accesses of all statements.
        small: parallel loops that are not worth sharing.
        expanded: a parallel loop as it is printed, in register blocks maybe.
    """
    try:
        return _Region(touches, small, expanded).block(loop.body)
    except _Refused:
        return None


class _Refused(Exception):
    """The loop has something that no part stands for."""


@dataclass(frozen=True, slots=True)
class _Use:
    """The arrays that nodes touch in memory, and the C variables they assign and declare."""

    written: frozenset[str] = frozenset()
    read: frozenset[str] = frozenset()
    assigned: frozenset[str] = frozenset()
    declared: frozenset[str] = frozenset()

    def __or__(self, other: _Use) -> _Use:
        return _Use(
            self.written | other.written,
            self.read | other.read,
            self.assigned | other.assigned,
            self.declared | other.declared,
        )

    def meets(self, other: _Use) -> bool:
        """Whether the two have an array in common that one of them writes."""
        return bool(self.written & (other.written | other.read) or self.read & other.written)


@dataclass(frozen=True, slots=True, eq=False)
class _Region:
    touches: Touches
    small: frozenset[Loop]
    expanded: Callable[[Loop], Sequence[Node]]

    def block(self, block: Block) -> tuple[Part, ...]:
        """The parts of a block; what they leave open is settled by a barrier at its end."""
        parts: list[Part] = []
        open_uses = _Use()  # since the last barrier
        before_one = _Use()  # open where the last part, done by one thread, begins
        for node in (n for child in block.children for n in self.nodes(child)):
            part = self.part(node)
            use = self.use(node)
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

    def part(self, node: Node) -> Part:
        """What becomes of one node."""
        if any(isinstance(n, Loop) and n.parallel and n not in self.small for n in nodes(node)):
            match node:
                case Loop(parallel=True):
                    return Shared(node)
                case Loop(body=body):
                    return Each(node, (self.block(body),))
                case Guard(_, then, otherwise):
                    return Each(node, tuple(self.block(b) for b in (then, otherwise) if b is not None))
                case Block():
                    return Each(node, (self.block(node),))
                case _:
                    raise AssertionError("other nodes hold no loops")
        use = self.use(node)
        if not use.written:
            return Each(node)
        if use.assigned - use.declared:
            raise _Refused  # a variable that each thread has, and that one of them alone would assign
        return One((node,))

    def use(self, node: Node) -> _Use:
        """What a node touches."""
        result = _Use()
        for inner in nodes(node):
            match inner:
                case Instance(locals=local, declares=declares):
                    for touch in self.touches[inner.statement]:
                        name = frozenset({local.get(touch.array, touch.array)})
                        if touch.array not in local:
                            result |= _Use(read=name) if touch.kind == "read" else _Use(written=name)
                            if touch.kind == "contribute":
                                result |= _Use(read=name)
                        elif touch.kind != "read":
                            result |= _Use(assigned=name, declared=name if declares else frozenset())
                case Load(local=variable, cell=cell, declares=declares):
                    name = frozenset({variable})
                    result |= _Use(frozenset(), frozenset({cell.array}), name, name if declares else frozenset())
                case Declare(local=variable):
                    result |= _Use(declared=frozenset({variable}))
                case Store(cell=cell):
                    result |= _Use(written=frozenset({cell.array}))
                case _:
                    pass
        return result
