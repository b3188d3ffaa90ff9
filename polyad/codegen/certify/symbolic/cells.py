"""Cells in which the elements of arrays lie, as tuples of integers.

Positions in memory are products of sizes, which no set here holds. But arrays of one piece whose extents agree, all
but the outermost, lie on each other element by element; so a cell is an index, without dimensions of one slot and with
remainders where there are several. Where extents differ, each write is taken to change all that the others have there.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from polyad.codegen.certify.symbolic.events import NotModelledError
from polyad.codegen.loops.nonnegative import at_all_sizes
from polyad.codegen.plan import Plan
from polyad.ir.affine import Affine
from polyad.ir.polynomials import Polynomial, polynomial, product, total

__all__ = ["ArrayMemory", "Cells"]


@dataclass(frozen=True, slots=True)
class ArrayMemory:
    """The memory of an array.

    Attributes:
        space: the name of the cells.
        piece: the argument, or the slice of the workspace.
        kept: the dimensions that a cell has, in order, each with its number of slots where they are taken in turn.
    """

    space: str
    piece: object
    kept: tuple[tuple[int, int | None], ...]

    def index(self, index: Sequence[Affine]) -> tuple[Affine, ...]:
        """The cell of an element."""
        return tuple(index[d] if slots is None else index[d] % slots for d, slots in self.kept)


class Cells:
    """The places of the arrays of a plan."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self._names: dict[object, str] = {}
        self._found: dict[str, ArrayMemory] = {}

    def place(self, array: str) -> ArrayMemory:
        """Return the memory of an array.

        Raises:
            NotModelledError: it may be larger than the piece.
        """
        if array not in self._found:
            self._found[array] = self._place(array)
        return self._found[array]

    def extents(self, array: str) -> list[Affine]:
        """The extents in memory."""
        slots = self.plan.storage.slots.get(array, {})
        return [Affine.of(slots.get(d, e)) for d, e in enumerate(self.plan.program.arrays[array].shape)]

    def _place(self, array: str) -> ArrayMemory:
        plan = self.plan
        slots, layout = plan.storage.slots.get(array, {}), plan.storage.layouts.get(array)
        number = plan.known.places.get(array)
        piece: object = plan.storage.memory.homes.get(array, array) if number is None else number
        extents = self.extents(array)
        one = Affine.of(1)
        if layout is not None and slots:
            raise NotModelledError(f"{array} is stored skewed, in slots")
        kept = tuple((d, slots.get(d)) for d, e in enumerate(extents) if e != one)
        own = [extents[d] for d, _ in kept]
        if number is not None:
            room = [e for e in plan.storage.memory.slots[number].extents if e != one]
            self.fits(array, own, room)
        elif piece != array:
            self.fits(array, own, [e for e in self.extents(str(piece)) if e != one])
        # A skewed array is the same memory in another order: its cells are its own, whatever lies there else.
        alike = (piece, len(own), tuple(own[1:]), array if layout is not None else "")
        name = self._names.setdefault(alike, f"m{len(self._names)}")
        return ArrayMemory(name, piece, kept)

    def fits(self, array: str, own: list[Affine], room: list[Affine]) -> None:
        """Whether a piece has as many elements as an array.

        Raises:
            NotModelledError: that cannot be told.
        """
        if len(own) == len(room) and all(self._at_most(a, b) for a, b in zip(own, room, strict=True)):
            return
        more, of = self._shifted(room), self._shifted(own)
        if more is not None and of is not None and all(c >= 0 for c in total([more, _negative(of)]).values()):
            return
        raise NotModelledError(f"it cannot be told whether {array} is as large as its piece of the workspace")

    def _shifted(self, extents: list[Affine]) -> Polynomial | None:
        """A product of extents in terms of how much larger sizes are than their least; None where one is below 0."""
        one = Affine.of(1)
        least = {p: Affine.of(p) + one for p in self.plan.program.params if self._at_most(one, Affine.of(p))}
        result: Polynomial = {(): 1}
        for extent in extents:
            factor = polynomial(extent.substitute(least))
            if any(c < 0 or any(not isinstance(a, str) for a in m) for m, c in factor.items()):
                return None
            result = product(result, factor)
        return result

    def _at_most(self, a: Affine, b: Affine) -> bool:
        return at_all_sizes(b - a, self.plan.program.params, self.plan.program.context)


def _negative(value: Polynomial) -> Polynomial:
    return product(value, {(): -1})
