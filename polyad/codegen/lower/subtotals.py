"""Sums of float32 numbers are added up in double, those of vector lanes block by block.

    float sum = 0;                                 float sum = 0;
    simd for (k = 0; k < N; k += 1)                double sum_wide = 0;
      sum += x[k];                                 for (k_block = 0; k_block < N; k_block += 256) {
                                          ->         float sum_block = 0;
                                                     simd for (k = k_block; k <= min(k_block + 255, N - 1); k += 1)
                                                       sum_block += x[k];
                                                     sum_wide += sum_block;
                                                   }
                                                   sum += sum_wide;

Added up one by one, a sum of n numbers is off by up to n roundings. Here a number meets as many as there are in a lane
of a block, and one more at the end, whatever n is. A loop without vector lanes adds to the wide variable itself: an
addition in double takes as long as one in float. So do lanes where no loops are jammed: one sum runs at a time then,
and each addition waits for the one before. Where several run at once they do not wait, and lanes of double would be
half as many: those add up floats. A block is so long that its own sum costs little beside it, and blocks do not wait
for each other either. A loop known to have one block stays as it is: around one block gcc 12 makes no vectors. One
known to be so short that compilers write it out has no lanes: it is two blocks, or adds to the wide variable where it
cannot be halved. The loop over blocks stays rolled: gcc 12 makes no vectors of the copies that it peels off.

In the order of a schedule that was given, such as that of a C text, what is added up one number after the other stays
so, in float32. What its marks have vector lanes or threads add up has no such order.

Blocks have a fixed length, so the result does not depend on threads. Sums of float64 stay as they are: of as many
numbers as fit into memory they keep more digits than float32 has.

Source: N. Higham, The accuracy of floating point summation, 1993, section 4.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from math import inf, prod

from polyad.codegen.loops.contractions import trip_count
from polyad.codegen.loops.how import Serial, Vector
from polyad.codegen.loops.instance import Local, variable_of
from polyad.codegen.loops.loop_values import Extreme, Value
from polyad.codegen.loops.nodes import AddUp, Block, Guard, Instance, Let, Loop, Node, Parts, Subtotal
from polyad.codegen.loops.traversal import expand, instances, map_instances, nodes
from polyad.codegen.loops.value_ranges import Range, range_of, ranges_in, size_ranges
from polyad.codegen.loops.variables import Use, outer_uses
from polyad.codegen.lower.lowering import StoredProgram
from polyad.ir.affine import Affine

__all__ = ["subtotals"]

SHORT = 8
"""So many numbers are added up one by one as they are, by NumPy, too."""

LANES = 16
"""A block has whole vectors, the widest ones; gcc writes so few iterations out, one addition after the other."""


def subtotals(root: Block, known: StoredProgram) -> Block:
    """Give sums of float32 numbers subtotals, but those that are known to be short."""
    sizes = size_ranges(known.program.context)
    made = _Subtotals(known, ranges_in(root, sizes))

    def one(node: Node) -> Sequence[Node] | None:
        match node:
            case Parts():
                return made.parts(node)
            case Loop(how=Serial() | Vector()):
                return made.loop(node)
            case _:
                return None

    return expand(one, root)


@dataclass(frozen=True, slots=True, eq=False)
class _Subtotals:
    """Makes them.

    Attributes:
        known: of the program.
        ranges: those of sizes and iterators.
    """

    known: StoredProgram
    ranges: Mapping[str, Range]

    @property
    def wide(self) -> str:
        """The type in which sums are added up."""
        return self.known.options.machine.wide

    @property
    def block(self) -> int:
        """Iterations of a block: half as many again in vectors of 64 bytes, where blocks end sooner."""
        machine = self.known.options.machine
        return max(machine.block_sum, machine.block_sum * (32 + machine.vector_bytes) // 64)

    def loop(self, loop: Loop) -> Sequence[Node] | None:
        """The nodes in place of the outermost loop that adds up some variables; None where it adds up none."""
        found = self.sums(loop)
        if not found or self.is_short(loop) or (self.known.options.in_order and not _in_lanes(loop, found)):
            return None
        wide = {local: self.known.fresh(f"{local.removesuffix('_sum')}_wide") for local in found}
        starts = [Subtotal(name, local, self.wide, "float32") for local, name in wide.items()]
        names = frozenset(wide.values())
        return [*starts, self.inside(_renamed(loop, wide), names), *map(AddUp, starts)]

    def parts(self, node: Parts) -> Sequence[Node] | None:
        """The same for a loop in parts: the variables of parts are wide, and the one of their sum."""
        chosen = [s for s in node.sums if s.reduction == "sum" and self.known.dtypes[s.array] == "float32"]
        if not chosen:
            return None
        wide = {s.local: self.known.fresh(f"{s.local.removesuffix('_sum')}_wide") for s in chosen}
        starts = [Subtotal(name, local, self.wide, "float32") for local, name in wide.items()]
        sums = tuple(replace(s, local=wide[s.local], dtype=self.wide) if s in chosen else s for s in node.sums)
        loop = self.inside(node.loop, frozenset(s.part for s in chosen))
        return [*starts, replace(node, loop=loop, sums=sums), *map(AddUp, starts)]

    def sums(self, loop: Loop) -> list[str]:
        """The variables to which a loop, one iteration after the other or in lanes, does nothing but add float32."""
        uses: dict[str, list[Use]] = {}
        for use in outer_uses(loop, self.known.touches):
            uses.setdefault(use.variable, []).append(use)
        reached = {id(i) for i in _reached(loop)}
        own = {id(u.node) for found in uses.values() for u in found} & reached
        # A name may be that of another variable inside, too, or of one in a node that runs instances in its own way.
        others = {variable_of(v) for i in instances(loop) if id(i) not in own for v in i.locals.values()}
        return [v for v, found in uses.items() if v not in others and all(self.adds(u, v) for u in found)]

    def adds(self, use: Use, variable: str) -> bool:
        """Whether all that is done with a variable is to add a float32 to it."""
        match use.node:
            case Instance(statement=name, locals=own, declares=False):
                write, *reads = self.known.touches[name]
                added = write.kind == "contribute" and write.statement.reduction == "sum"
                plain = own.get(write.array) == variable and self.known.dtypes[write.array] == "float32"
                return added and plain and all(own.get(r.array) != variable for r in reads)
            case _:
                return False

    def is_short(self, loop: Loop) -> bool:
        """Whether a loop is known to add up few numbers, or one block of them."""
        if isinstance(loop.how, Vector) and (most := self.most(loop)) < inf:
            return most <= SHORT or LANES < most <= self.block
        return self.terms(loop) <= SHORT

    def most(self, loop: Loop) -> float:
        """The number of iterations that a loop has at most."""
        return max(0, range_of(trip_count(loop), self.ranges)[1])

    def terms(self, node: Node) -> float:
        """The number of instances that a nest runs at most."""
        match node:
            case Instance():
                return 1
            case Loop(body=body):
                factors = self.most(node), self.terms(body)
                return prod(factors) if all(factors) else 0
            case Block(inside):
                return sum(map(self.terms, inside))
            case Guard(_, then, otherwise):
                return self.terms(then) + (self.terms(otherwise) if otherwise is not None else 0)
            case _:
                return 0

    def inside(self, loop: Loop, wide: frozenset[str]) -> Loop:
        """A loop whose vector loops add up blocks for variables that are wide."""

        def one(node: Node) -> Sequence[Node] | None:
            return self.blocks(node, wide) if isinstance(node, Loop) else None

        found = self.blocks(loop, wide)
        if found is None:
            return replace(loop, body=expand(one, loop.body))
        if len(found) == 1 and isinstance(found[0], Loop):
            return found[0]
        # One block: a loop of one iteration around it, which has no other way to be one.
        around = self.known.fresh(f"{loop.iterator}_block")
        return Loop(around, Affine(), Affine(), 1, Block(tuple(found)))

    def blocks(self, loop: Loop, wide: frozenset[str]) -> Sequence[Node] | None:
        """A vector loop in blocks, each added to what is wide; None for a loop that is none of those."""
        sums = [s for s in loop.how.sums if s.local in wide] if isinstance(loop.how, Vector) else []
        count, block = _count(loop), self.block
        if not sums or not self.known.options.strategies.jam:
            return None
        short = count is not None and count <= LANES
        if count is not None and short:
            if count % 2:
                return None
            block = count // 2
        names = {s.local: self.known.fresh(f"{s.local.removesuffix('_wide')}_block") for s in sums}
        starts = [Subtotal(name, local, "float32", self.wide) for local, name in names.items()]
        body = _renamed(loop, names)
        if self.most(loop) <= block:
            return [*starts, body, *map(AddUp, starts)]
        if (
            count is not None and not short
        ):  # blocks that are alike, the last one nearly: gcc makes no vectors beside a copy of one
            alike = -(-count // -(-count // block))
            block = min(block, -(-alike // LANES) * LANES)
        first, end = (self.known.fresh(f"{loop.iterator}_{word}") for word in ("block", "end"))
        length, down = block * loop.step, loop.step < 0
        last: Value = Affine.of(first) + (length + 1 if down else length - 1)
        if count is None or count % block:
            last = Extreme("max" if down else "min", (last, loop.last))
        inner = replace(body, first=Affine.of(first), last=Affine.of(end))
        one = Block((*starts, Let(end, last), inner, *map(AddUp, starts)))
        return [Loop(first, loop.first, loop.last, length, one, Serial(rolled=True))]


def _reached(node: Node) -> Sequence[Instance]:
    """The instances of a nest that run one after another, or in the lanes of a vector loop."""
    match node:
        case Instance():
            return [node]
        case Block(inside) | Loop(how=Serial() | Vector(), body=Block(inside)):
            return [i for child in inside for i in _reached(child)]
        case Guard(_, then, otherwise):
            return [*_reached(then), *(_reached(otherwise) if otherwise is not None else ())]
        case _:
            return []


def _in_lanes(loop: Loop, variables: Collection[str]) -> bool:
    """Whether vector lanes inside of a loop add up some variables."""
    vectors = (n.how for n in nodes(loop) if isinstance(n, Loop) and isinstance(n.how, Vector))
    return any(s.local in variables for how in vectors for s in how.sums)


def _renamed(loop: Loop, names: dict[str, str]) -> Loop:
    """With other variables."""

    def rename(instance: Instance) -> Instance:
        own: dict[str, Local] = {a: names.get(v, v) if isinstance(v, str) else v for a, v in instance.locals.items()}
        return replace(instance, locals=own)

    def lanes(node: Node) -> Sequence[Node] | None:
        if not isinstance(node, Loop):
            return None
        how = node.how
        if isinstance(how, Vector):
            how = replace(how, sums=tuple(replace(s, local=names.get(s.local, s.local)) for s in how.sums))
        return [replace(node, how=how, body=expand(lanes, node.body))]

    (found,) = expand(lanes, Block((map_instances(rename, loop),))).children
    assert isinstance(found, Loop)
    return found


def _count(loop: Loop) -> int | None:
    """The number of iterations, where it is known."""
    trips = trip_count(loop)
    return max(0, trips.constant) if isinstance(trips, Affine) and trips.is_constant else None
