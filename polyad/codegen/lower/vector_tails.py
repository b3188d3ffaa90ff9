"""Short vector loops whose last vector overlaps the one before: no iterations are left to run one by one.

    for (i = 0; i < 14; i += 1)           for (i_first = 0; i_first < 14; i_first += 8) {
      y[i] = tanh(x[i]);                    const int64_t i_start = min(i_first, 6);
                                    ->      for (i = i_start; i < i_start + 8; i += 1)
                                              y[i] = tanh(x[i]);
                                          }

Elements 6 and 7 are computed twice, with the same result: nothing that the loop reads is overwritten in it. It pays
where an iteration is expensive, as functions are. What the loop adds up besides, which must not happen twice, gets a
loop of its own behind.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from polyad.analysis.statement_cost import statement_cost
from polyad.codegen.loops.how import Vector
from polyad.codegen.loops.loop_values import Extreme
from polyad.codegen.loops.nodes import Block, Instance, Let, Loop, Node
from polyad.codegen.loops.statement_accesses import cell_of
from polyad.codegen.loops.traversal import expand, instances
from polyad.codegen.lower.lowering import StoredProgram
from polyad.ir.affine import Affine
from polyad.ir.element_types import item_bytes

__all__ = ["vector_tails"]


def vector_tails(root: Block, known: StoredProgram) -> Block:
    """Put a loop over overlapping vectors in the place of each short vector loop that is worth it."""
    if not known.options.strategies.tails:
        return root
    tails = _Tails(known)

    def one(node: Node) -> Sequence[Node] | None:
        if not isinstance(node, Loop) or not isinstance(node.how, Vector):
            return None
        if node.how.sums:
            return tails.apart(node, node.how)
        found = tails.of(node)
        return None if found is None else [found]

    return expand(one, root)


@dataclass(frozen=True, slots=True, eq=False)
class _Tails:
    """Makes them."""

    known: StoredProgram

    def of(self, loop: Loop) -> Loop | None:
        """A loop over vectors around one of fixed length; None for other loops."""
        kind = self._kind(loop)
        first, last = loop.first, loop.last
        if kind is None or not isinstance(first, Affine) or not isinstance(last, Affine):
            return None
        if loop.step != 1 or not (last - first).is_constant:
            return None
        count = (last - first).constant + 1
        machine = self.known.options.machine
        lanes = machine.widest // item_bytes(kind)
        while lanes > count:
            lanes //= 2
        if lanes < 2 or count % lanes == 0 or count > machine.tail_vectors * lanes or not self._may_repeat(loop):
            return None
        block, start = self.known.fresh(f"{loop.iterator}_first"), self.known.fresh(f"{loop.iterator}_start")
        at = Let(start, Extreme("min", (Affine.of(block), last - (lanes - 1))))
        whole = Affine.of(start) + (lanes - 1)
        lane = replace(loop, first=Affine.of(start), last=whole, how=Vector(kind))
        return Loop(block, first, last, lanes, Block((at, lane)))

    def apart(self, loop: Loop, how: Vector) -> Sequence[Node] | None:
        """Definitions in overlapping vectors, then what a loop adds up; None where they cannot be told apart."""
        inside = loop.body.children
        if not all(isinstance(child, Instance) for child in inside):
            return None
        touches = {id(i): self.known.touches[i.statement] for i in instances(loop)}
        defines = [i for i in instances(loop) if touches[id(i)][0].kind == "define"]
        others = [i for i in instances(loop) if touches[id(i)][0].kind != "define"]
        if not others or any(touches[id(i)][0].array in i.locals for i in defines):
            return None
        for position, later in enumerate(inside):
            if later in defines and any(
                self._meet(earlier, later) for earlier in inside[:position] if earlier in others
            ):
                return None
        first = self.of(replace(loop, body=Block(tuple(defines)), how=replace(how, sums=())))
        return None if first is None else [first, replace(loop, body=Block(tuple(others)))]

    def _meet(self, earlier: Node, later: Node) -> bool:
        """Whether one of two instances may write memory that the other one touches."""
        assert isinstance(earlier, Instance) and isinstance(later, Instance)

        def places(instance: Instance) -> tuple[set[str], set[str]]:
            touches = [t for t in self.known.touches[instance.statement] if t.array not in instance.locals]
            every = {self.known.place(t.array) for t in touches}
            return every, {self.known.place(t.array) for t in touches if t.kind != "read"}

        (mine, written), (theirs, overwritten) = places(earlier), places(later)
        return bool(mine & overwritten or theirs & written)

    def _kind(self, loop: Loop) -> str | None:
        """The one type that an expensive loop of nothing but instances works on."""
        if not all(isinstance(child, Instance) for child in loop.body.children):
            return None
        machine = self.known.options.machine
        statements = [self.known.touches[i.statement][0].statement for i in instances(loop)]
        if sum(statement_cost(s, machine) for s in statements) < machine.tail_cost:
            return None
        kinds = {self.known.dtypes[t.array] for i in instances(loop) for t in self.known.touches[i.statement]}
        return kinds.pop() if len(kinds) == 1 and kinds <= {"float32", "float64"} else None

    def _may_repeat(self, loop: Loop) -> bool:
        """Whether an iteration may run again: it defines elements, and none that another one or itself has read."""
        accesses = [
            (position, touch, instance)
            for position, instance in enumerate(instances(loop))
            for touch in self.known.touches[instance.statement]
        ]
        if any(touch.kind == "contribute" for _, touch, _ in accesses):
            return False
        stored = [(p, t, i) for p, t, i in accesses if t.array not in i.locals]
        writes = [(p, t, i) for p, t, i in stored if t.kind == "define"]
        reads = [(p, t, i) for p, t, i in stored if t.kind == "read"]
        return all(
            self._keeps(loop, (w, cell_of(write, i)), (r, cell_of(read, j)), write.array, read.array)
            for w, write, i in writes
            for r, read, j in reads
            if self.known.place(write.array) == self.known.place(read.array)
        )

    def _keeps(self, loop: Loop, write: _Place, read: _Place, written: str, array: str) -> bool:
        """Whether a write leaves a read of the same memory as it is: written before in this iteration, or elsewhere."""
        (w, to), (r, at) = write, read
        if written != array or to is None or at is None or array in self.known.storage.layouts:
            return False
        if to == at:
            return w < r
        slots = self.known.storage.slots.get(array, {})
        apart = [(x - y, slots.get(d)) for d, (x, y) in enumerate(zip(to, at, strict=True))]
        if any(loop.iterator in x.names() for x in to[:-1] + at[:-1]):
            return False
        return any(a.is_constant and (a.constant % m if m else a.constant) != 0 for a, m in apart[:-1])


_Place = tuple[int, tuple[Affine, ...] | None]
"""Which instance of the body, and the element."""
