"""Arrays that take over the memory of another one, in the loop nest where one ends and one begins.

    for i:                            a[i] is read for the last time where b[i] is computed from it,
      b[i] = f(a[i], i)               so b[i] may lie where a[i] lay

Two proofs. The quick one: all accesses to both arrays in the nest are to the element that its innermost loop body is
about, and b is written after a was read; by single assignment no other iteration writes that element of b, so none
reads that of a either. The other one asks isl whether elements of one place live one after the other (one_place.py):

    for t:                            of one step, p is done with before q begins, and q before p of the next step:
      for i: p[i] = f(h[i])           one row of memory for both
      for i: h[i] += p[n - 1 - i]
      for i: q[i] = g(h[i])
      for i: h[i] += q[n - 1 - i]
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import islpy as isl

from polyad.codegen.loops.ast.questions import Questions
from polyad.codegen.loops.nodes import Block, Contraction, Guard, Instance, Load, Loop, Node, Pack, Share, Store
from polyad.codegen.loops.statement_accesses import Touch, Touches, cell_of
from polyad.codegen.storage.moments import Moments, UnknownOrderError
from polyad.codegen.storage.one_place import copies_in_place, live_apart, place
from polyad.ir.affine import Affine
from polyad.ir.expr import Read

__all__ = ["TakingOver", "takes_over"]

Slots = Mapping[str, Mapping[int, int]]  # array -> dimension -> number of slots of its circular buffer

OPERATIONS = 200_000
"""What isl may spend on one pair of arrays, in its own elementary operations."""


@dataclass(slots=True, eq=False)
class TakingOver:
    """The test whether an array may take over the place of another.

    Attributes:
        times: when arrays are touched.
        slots: the circular buffers of the arrays that are in question.
    """

    times: Moments
    slots: Slots
    _known: dict[frozenset[str], bool] = field(default_factory=dict)
    _questions: Questions = field(default_factory=lambda: Questions(OPERATIONS))

    def over(self, new: str, old: str, nest: int) -> bool:
        """Whether an array may lie where another one does that is used for the last time in the nest where it begins.

        Args:
            new: the array that begins; both have the same extents in memory.
            old: the array that ends.
            nest: the position of the nest.
        """
        if not {new, old} <= self.slots.keys():
            return False
        if takes_over(new, old, self.times.root.children[nest], self.times.touches, self.slots):
            return True
        pair = frozenset((new, old))
        if pair not in self._known:
            self._known[pair] = self._questions.ask(lambda: self._apart(new, old)) is True
        return self._known[pair]

    def _apart(self, new: str, old: str) -> bool:
        """Whether of two elements in one place, one is done with before the other begins."""
        try:
            first, then = self.times.of(old), self.times.of(new)
        except UnknownOrderError:
            return False
        return live_apart(first, then, {n: self._place(n) for n in (old, new)}, self.times.program)

    def _place(self, name: str) -> isl.Map:
        """{ a[e] -> place[p] }: where the elements of an array lie."""
        array = self.times.program.arrays[name]
        short = {d: 1 for d, e in enumerate(array.shape) if e == Affine.of(1)}
        return place(array, {**short, **self.slots[name]}, self.times.program)

    def copies(self, of: Mapping[str, str]) -> frozenset[str]:
        """The statements that copy elements to where they lie: nothing changes without them.

        Args:
            of: array -> the one in whose place it lies.
        """
        program = self.times.program
        copying = {
            s.array
            for s in program.statements
            if isinstance(s.body, Read) and _home(s.array, of) == _home(s.body.array, of)
        }
        homes = {_home(n, of) for n in copying}
        found: set[str] = set()
        for home in homes & {*of.values()}:
            arrays = [home, *(n for n, h in of.items() if h == home)]
            places = {n: self._place(n) for n in arrays}
            found |= {c.statement for c in copies_in_place(self.times.root, program, places)}
        return frozenset(found)


def _home(array: str, of: Mapping[str, str]) -> str:
    return of.get(array, array)


def takes_over(new: str, old: str, nest: Node, touches: Touches, slots: Slots) -> bool:
    """Whether an array whose life begins in a nest may lie where one lies whose life ends there.

    Args:
        new: the array that begins; both have the same extents in memory, and lie there in the order of their index.
        old: the array that ends.
        nest: a top-level nest.
        touches: the accesses of all statements.
        slots: the circular buffers.
    """
    places: list[tuple[int, Instance]] = []
    if not _collect(nest, 0, (new, old), touches, places):
        return False
    if len({block for block, _ in places}) != 1:
        return False
    cells = set()
    written = False
    for _, instance in places:
        own = touches[instance.statement]
        if written and any(t.array == old for t in own):
            return False
        for touch in own:
            if touch.array in (new, old):
                cells.add(_place(touch, instance, slots.get(touch.array, {})))
        written = written or own[0].array == new
        if own[0].array == old or (own[0].array == new and own[0].kind != "define"):
            return False
        if not written and any(t.array == new for t in own[1:]):
            return False
    return len(cells) == 1 and None not in cells


def _place(touch: Touch, instance: Instance, slots: Mapping[int, int]) -> tuple[Affine, ...] | None:
    """Return the place of an element, index by index; None where two elements of the nest could lie there."""
    cell = cell_of(touch, instance)
    if cell is None or not all(cell[d].is_constant for d in slots):
        return None
    return tuple(Affine.of(i.constant % slots[d]) if d in slots else i for d, i in enumerate(cell))


def _collect(
    node: Node, block: int, arrays: tuple[str, str], touches: Touches, places: list[tuple[int, Instance]]
) -> bool:
    """The statements that access arrays in memory, each with its block; False where something else accesses them."""
    match node:
        case Block(children):
            return all(_collect(child, id(node), arrays, touches, places) for child in children)
        case Loop(body=body):
            return _collect(body, block, arrays, touches, places)
        case Guard(_, then, otherwise):
            inside = [b for b in (then, otherwise) if b is not None]
            return all(_collect(b, block, arrays, touches, places) for b in inside)
        case Instance():
            if any(t.array in arrays and t.array not in node.locals for t in touches[node.statement]):
                places.append((block, node))
            return not any(a in node.locals for a in arrays)
        case Load(cell=cell) | Store(cell=cell):
            return cell.array not in arrays
        case Share() | Contraction() | Pack():
            return False
        case _:
            return True
