"""Loops marked `region`: what each thread does for itself, what they share, what one does alone.

    region for t                                PA_PARALLEL_IF(work of one iteration > meetings of threads)
      parallel for i                            for t
        h[t + 1, i] = f(h[t], i)                  PA_FOR
      s[t] = h[t + 1, 0]                          for i
                                                    h[t + 1, i] = f(h[t], i)
                                                  PA_BARRIER
                                                  PA_SINGLE
                                                  s[t] = h[t + 1, 0]
                                                  PA_BARRIER

Threads are started once, not once per iteration. All of them run the sequential loop; C variables declared in it are
each thread's own, so what only computes those is done by every thread. A loop is shared, and ends with a barrier unless
what follows it, up to the next barrier, has no memory in common with it that one of the two writes. What writes memory
outside of shared loops is done by one thread, with a barrier after it.

Memory is all that threads have in common: arrays, by the piece of the workspace that they lie in (in_place.py puts two
of them into one), and C variables declared in front of the region. What has to hold:

- memory is written by one thread at a time, and a barrier stands between a write and every other access to it that may
  be another thread's;
- a variable that each thread has for itself is assigned by all of them, to the same value.

A schedule may ask for more meetings than memory does (schedule/tree/placement.py).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import takewhile

from polyad.codegen.loops.how import Divided, InRegion, Parallel, Serial
from polyad.codegen.loops.loop_values import Value
from polyad.codegen.loops.nodes import (
    Barrier,
    Block,
    Contraction,
    Instance,
    Let,
    Load,
    Loop,
    Node,
    Pack,
    Parts,
    Region,
    Share,
    Single,
    Store,
)
from polyad.codegen.loops.traversal import children, expand, instances, nodes, with_blocks
from polyad.codegen.loops.variables import declared_in, outer_uses
from polyad.codegen.loops.vector_loops import is_smooth_along
from polyad.codegen.loops.work_estimate import work_estimate, work_rank
from polyad.codegen.lower.lowering import StoredProgram
from polyad.ir.affine import Affine
from polyad.schedule.tree.placement import MeetingPlace

__all__ = ["regions", "shared_parts"]


def regions(root: Block, known: StoredProgram) -> Block:
    """Put loops marked `region` into regions of threads, where one iteration is worth their meetings."""

    def one(node: Node) -> Sequence[Node] | None:
        match node:
            case Loop(how=Parallel()) | Share() | Contraction():
                return [expand(plain, Block((node,))).children[0]]  # threads are there
            case Loop(how=InRegion(mark)):
                region = _region(node, mark, known) if known.options.openmp else None
                return plain(node) if region is None else [region]
            case _:
                return None

    def plain(node: Node) -> Sequence[Node] | None:
        if isinstance(node, Loop) and isinstance(node.how, InRegion):
            return [replace(node, how=Serial(), body=expand(plain, node.body))]
        return None

    return expand(one, root)


def _region(loop: Loop, mark: int | None, known: StoredProgram) -> Region | None:
    inside = _parallel_loops(loop, ())
    # What shares a loop among threads has a region of its own, and so has what the macro-kernel computes by itself; in
    # an iteration of a parallel loop it runs in the thread that has the iteration.
    within = {n for shared, _ in inside for n in nodes(shared)}
    alone = [n for n in nodes(loop) if isinstance(n, Contraction | Pack | Share)]
    if not inside or not all(isinstance(n, Contraction) and n in within for n in alone):
        return None
    machine = known.options.machine
    rank = {n: work_rank((n, around), known.statements, machine) for n, around in inside}
    most = max(rank.values())
    # Loops over borders are done by one thread, before threads have met at a barrier after each.
    small = frozenset(n for n, _ in inside if rank[n][0] <= 1 < most[0])
    body = shared_parts(loop.body, known, small)
    if body is None:
        return None
    shared = [(n, around) for n, around in inside if n not in small]
    # Two threads save half of the work.
    least = 2 * _meetings(body) * machine.thread_meeting * (machine.alone if _rows_alone(body, known) else 1)
    work = work_estimate(shared, known.statements, machine, least, known.ranges)
    return None if work.is_enough is False else Region(work, Block((replace(loop, how=Serial(), body=body),)), mark)


def shared_parts(
    block: Block,
    known: StoredProgram,
    small: frozenset[Loop] = frozenset(),
    meetings: frozenset[MeetingPlace] = frozenset(),
) -> Block | None:
    """Return what the threads of a region run of a block, its parts and barriers; None where something is in no part.

    Args:
        block: what the region is around.
        known: of the program.
        small: parallel loops that one thread runs.
        meetings: where threads meet, besides where memory asks for it.
    """
    try:
        return _Parts(known, small).block(block, frozenset(), [*meetings])
    except _Refused:
        return None


def _meetings(body: Block) -> int:
    """How often threads wait for each other in one iteration."""
    waits = [n for n in nodes(body) if isinstance(n, Single | Barrier) or (isinstance(n, Loop) and _waits(n))]
    return max(len(waits), 1)


def _rows_alone(body: Block, known: StoredProgram) -> bool:
    """Whether one thread runs a loop that strides through memory, and whose length follows from the sizes."""
    loops = [n for single in nodes(body) if isinstance(single, Single) for n in nodes(single) if isinstance(n, Loop)]
    return any(not _is_constant(*loop.limits) and _strides(loop, known) for loop in loops)


def _strides(loop: Loop, known: StoredProgram) -> bool:
    """Whether elements of an innermost loop are not side by side in memory."""
    if any(isinstance(n, Loop) for n in nodes(loop.body)):
        return False
    inside = [n for n in nodes(loop.body) if isinstance(n, Instance)]
    return not all(is_smooth_along(t, i, loop.iterator) for i in inside for t in known.touches[i.statement])


def _is_constant(low: Value, high: Value) -> bool:
    return isinstance(low, Affine) and isinstance(high, Affine) and (high - low).is_constant


def _waits(loop: Loop) -> bool:
    return isinstance(loop.how, Divided) and loop.how.wait


def _parallel_loops(node: Node, around: tuple[Loop | Let, ...]) -> list[tuple[Loop, tuple[Loop | Let, ...]]]:
    """The outermost parallel loops of a tree, each with the loops and named integers around it."""
    if isinstance(node, Loop) and isinstance(node.how, Parallel):
        return [(node, around)]
    if isinstance(node, Loop):
        around = (*around, node)
    found = []
    for child in children(node):
        found += _parallel_loops(child, around)
        around = (*around, child) if isinstance(child, Let) else around
    return found


class _Refused(Exception):
    """The loop has something that no part stands for."""


@dataclass(frozen=True, slots=True)
class _Use:
    """Accesses of nodes to memory, and the variables of each thread that they assign."""

    written: frozenset[str] = frozenset()
    read: frozenset[str] = frozenset()
    own: frozenset[str] = frozenset()

    def __or__(self, other: _Use) -> _Use:
        return _Use(self.written | other.written, self.read | other.read, self.own | other.own)

    def meets(self, other: _Use) -> bool:
        """Whether the two have memory in common that one of them writes."""
        return bool(self.written & (other.written | other.read) or self.read & other.written)


@dataclass(slots=True, eq=False)
class _Part:
    """Nodes of a block while its barriers are found.

    Attributes:
        kind: every thread runs them (`each`), threads share them (`shared`), or one thread runs them (`one`); a `sum`
            they share, and meet in it behind all that it touches.
        nodes: the nodes.
        holds: they hold shared loops.
        barrier: threads wait for each other behind them; behind what one does, always.
    """

    kind: str
    nodes: list[Node]
    holds: bool = False
    barrier: bool = False

    def made(self) -> list[Node]:
        """The nodes as they stand in the region."""
        if self.kind == "one":
            return [Single(Block(tuple(self.nodes)))]
        if self.kind == "shared":
            (loop,) = self.nodes
            assert isinstance(loop, Loop) and isinstance(loop.how, Parallel)
            return [replace(loop, how=Divided(None, loop.how.within, self.barrier))]
        return [*self.nodes, *([Barrier()] if self.barrier else [])]


@dataclass(frozen=True, slots=True, eq=False)
class _Parts:
    """Divides blocks of a region into parts.

    Attributes:
        known: of the program.
        small: parallel loops that are not worth sharing.
    """

    known: StoredProgram
    small: frozenset[Loop]

    def block(self, block: Block, around: frozenset[str], places: Sequence[MeetingPlace] = (), loops: int = 0) -> Block:
        """A block with its parts made; what they leave open is settled by a barrier at its end.

        Args:
            block: a block inside of the region.
            around: the variables that blocks around it declare, each thread its own.
            places: where threads are to meet in it, whatever memory says.
            loops: around it, in the region.
        """
        scope = around | declared_in(block, self.known.touches)
        parts: list[_Part] = []
        open_uses = _Use()  # since the last barrier
        before_one = _Use()  # open where the last part, done by one thread, begins
        meet, inside = self.asked(block, places, loops)
        behind: list[_Part] = []  # of each node
        for node in block.children:
            part = self.part(node, scope, inside, loops)
            behind.append(part)
            use = self.use(node, scope)
            if part.kind == "one" and parts and parts[-1].kind == "one":
                parts[-1].nodes += part.nodes
                behind[-1] = parts[-1]
                if before_one != _Use() and use.meets(before_one):
                    parts[-2].barrier = True
                    before_one = _Use()
                continue
            # A loop that may have no iteration, and a branch not taken, pass no barrier.
            if open_uses != _Use() and (use.meets(open_uses) or part.holds):
                parts[-1].barrier = True
                open_uses = _Use()
            parts.append(part)
            if part.kind == "shared" or (part.kind == "each" and use.read and not part.holds):
                open_uses |= use
            elif part.kind == "one":
                before_one, open_uses = open_uses, _Use()
            elif part.kind == "sum":
                open_uses = _Use()
        if open_uses != _Use():
            parts[-1].barrier = True
        for number in meet:
            # What runs no statement, such as a load or a store, may have the meeting behind it.
            rest = zip(block.children[number + 1 :], behind[number + 1 :], strict=True)
            after = [part for _, part in takewhile(lambda pair: next(instances(pair[0]), None) is None, rest)]
            if not any(part.barrier or part.kind in ("one", "sum") for part in (behind[number], *after)):
                behind[number].barrier = True
        return Block(tuple(node for part in parts for node in part.made()))

    def asked(self, block: Block, places: Sequence[MeetingPlace], loops: int) -> tuple[set[int], list[MeetingPlace]]:
        """The nodes of a block behind which threads are to meet; and the places that are inside of them."""
        names = [{i.statement for i in instances(n)} for n in block.children]
        found, inside = set(), []
        for place in places:
            last = max((k for k, own in enumerate(names) if own & place.names), default=None)
            if last is None or loops > place.loops:
                continue
            node = block.children[last]
            deeper = loops < place.loops or not isinstance(node, Loop)
            if deeper and place.names <= names[last] and self.holds(node):
                inside.append(place)
                continue
            found.add(last)
        return found, inside

    def holds(self, node: Node) -> bool:
        """Whether threads share something inside of a node."""
        return not self.is_shared(node) and any(self.is_shared(n) or isinstance(n, Parts) for n in nodes(node))

    def part(self, node: Node, scope: frozenset[str], places: Sequence[MeetingPlace], loops: int) -> _Part:
        """Lower one node; `scope`: the variables of each thread that it sees, the rest as for its blocks."""
        use = self.use(node, scope)
        if isinstance(node, Parts):
            return _Part("sum", [node])
        if any(self.is_shared(n) or isinstance(n, Parts) for n in nodes(node)):
            if self.is_shared(node):
                if any(u.assigns for u in outer_uses(node, self.known.touches)):
                    raise _Refused  # iterations of a shared loop assign no variable of what is around
                return _Part("shared", [node])
            loops += isinstance(node, Loop)
            made = with_blocks(lambda b: self.block(b, scope, places, loops), node)
            return _Part("each", [made], holds=True)
        if not use.written:
            return _Part("each", [node])
        if use.own:
            raise _Refused  # one thread writes memory, and all assign their own variables: no part does both
        return _Part("one", [node])

    def is_shared(self, node: Node) -> bool:
        """Whether threads share a loop."""
        return isinstance(node, Loop) and isinstance(node.how, Parallel) and node not in self.small

    def use(self, node: Node, scope: frozenset[str]) -> _Use:
        """Return the accesses of a node; variables that are not in scope are declared before the region, and memory."""
        written: set[str] = set()
        read: set[str] = set()
        own: set[str] = set()
        for outer in outer_uses(node, self.known.touches):
            if outer.variable not in scope:
                (written if outer.assigns else read).add(f"variable {outer.variable}")
            elif outer.assigns and not _declares(node, outer.node):
                own.add(outer.variable)
        for inner in nodes(node):
            match inner:
                case Instance(locals=local):
                    for touch in self.known.touches[inner.statement]:
                        if touch.array not in local:
                            if touch.kind != "define":
                                read.add(self.known.place(touch.array))
                            if touch.kind != "read":
                                written.add(self.known.place(touch.array))
                case Load(cell=cell):
                    read.add(self.known.place(cell.array))
                case Store(cell=cell):
                    written.add(self.known.place(cell.array))
                case Share() | Pack():
                    raise _Refused
                case _:
                    pass
        return _Use(frozenset(written), frozenset(read), frozenset(own))


def _declares(node: Node, assigning: Node) -> bool:
    """Whether a node is a declaration of a variable, which every thread makes, and not an assignment to one."""
    return node is assigning and isinstance(node, Instance | Load) and node.declares
