"""The words that contractions in tiles (tile_text.py) and in steps (product_text.py) have in common."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from polyad.codegen.cuda.tiles import Tile, along
from polyad.codegen.loops.nodes import Loop
from polyad.codegen.loops.statement_accesses import Touches
from polyad.codegen.text.code import Code, assign, call, cast, code, declare, infix, integer_sum, word
from polyad.codegen.text.integer_text import ONE, ZERO, integer_code, value_code
from polyad.codegen.text.line_text import Lines
from polyad.codegen.text.loop_text import LoopText
from polyad.ir.expr import Read

__all__ = ["ContractionText", "flat_iterators"]

_GROUPS = {
    "rows": ("pa_m", "pa_r"),
    "columns": ("pa_n", "pa_c"),
    "batch": ("pa_batch", "pa_b"),
    "sums": ("pa_k", "pa_s"),
}
"""Group of loops -> the number of an iteration of them all, and the beginning of the names of their lengths."""


@dataclass(frozen=True, slots=True, eq=False)
class ContractionText:
    """Prints parts of a contraction.

    Attributes:
        tile: the contraction.
        printer: of what else stands in it.
        touches: the accesses of all statements.
        totals: group of loops -> the name of how many iterations they have together.
    """

    tile: Tile
    printer: LoopText
    touches: Touches
    totals: Mapping[str, str]

    def counts(self) -> Lines:
        """How many iterations each loop has, and each group."""
        spell, lengths = self.printer.spell, {group: self._lengths(group) for group in self.totals}
        counts = [
            (name, call("pa_count", value_code(o.first, spell), value_code(o.last, spell), integer_code(1)))
            for group, own in lengths.items()
            for name, o in zip(own, self._loops(group), strict=True)
        ]
        sizes = [(self.totals[group], infix("*", *map(word, own)) if own else ONE) for group, own in lengths.items()]
        return [declare("const int64_t", *counts), declare("const int64_t", *sizes)]

    def iterators(self, *groups: str, among: set[str] | None = None) -> Lines:
        """The iterators of groups of loops, or those of them among some."""
        found = [
            pair
            for group in groups
            for pair in flat_iterators(self._loops(group), _GROUPS[group][0], self._lengths(group), self.printer)
            if among is None or pair[0] in among
        ]
        return [declare(f"const {self.printer.spell.index}", *found)] if found else []

    def operand(self, read: Read, groups: Sequence[str], macro: str) -> Lines:
        """The block that says what an operand is, by a macro, where it moves along groups of loops."""
        moved = along(read, self.tile.instance, self.touches)
        value = self.printer.statements.read(read, self.tile.instance)
        return ["{", [*self.iterators(*groups, among=moved), code(f"{macro}({{}})", value)], "}"]

    def results(self, total: str) -> Lines:
        """The sum with a total added, and what becomes of it."""
        local, added = word(self.tile.local), word(total)
        if self.tile.first.dtype == "float32":
            both = cast("float", infix("+", cast("double", local), added))
        else:
            both = infix("+", local, added)
        rest = (line for node in self.tile.rest for line in self.printer.node(node))
        return [assign(self.tile.local, both), *rest]

    def _loops(self, group: str) -> Sequence[Loop]:
        found: Sequence[Loop] = getattr(self.tile, group)
        return found

    def _lengths(self, group: str) -> list[str]:
        return [f"{_GROUPS[group][1]}{n}" for n in range(len(self._loops(group)))]


def flat_iterators(
    loops: Sequence[Loop], number: str, lengths: Sequence[str], printer: LoopText
) -> list[tuple[str, Code]]:
    """Each iterator of loops that are merged, from the number of an iteration of them all."""
    found = []
    for n, o in enumerate(loops):
        place: Code = word(number)
        if inner := lengths[n + 1 :]:
            place = infix("/", place, infix("*", *map(word, inner)))
        if n:
            place = infix("%", place, word(lengths[n]))
        first = value_code(o.first, printer.spell)
        if abs(o.step) != 1:
            place = infix("*", integer_code(abs(o.step)), place)
        if o.step < 0:
            place = infix("-", first, place)
        elif first != ZERO:
            place = integer_sum(first, place)
        found.append((o.iterator, place))
    return found
