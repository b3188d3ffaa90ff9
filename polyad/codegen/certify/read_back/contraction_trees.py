"""The trees that contractions in tiles (tiles.py) and in steps (products.py) have in common, and what both rely on."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import islpy as isl

from polyad.codegen.certify.read_back.c_tokens import NotReadError
from polyad.codegen.certify.read_back.c_tree import (
    Assign,
    Binary,
    Call,
    Cast,
    Compound,
    Declare,
    Expr,
    Known,
    Macro,
    Name,
    Number,
    Statement,
)
from polyad.codegen.certify.read_back.expected_nodes import Nodes
from polyad.codegen.certify.read_back.terms import number
from polyad.codegen.cuda.tiles import Tile
from polyad.codegen.loops.nodes import AddUp, Instance, Loop, Node, Subtotal
from polyad.codegen.loops.statement_accesses import Touch
from polyad.ir.expr import Apply, Read

__all__ = ["ContractionTrees", "check_contraction", "iterators_of", "place_of", "product_of"]

_ONE = Known(number(1), "int64_t")
_NUMBERS = {"rows": "pa_m", "columns": "pa_n", "batch": "pa_batch", "sums": "pa_k"}
_LENGTHS = {"rows": "pa_r", "columns": "pa_c", "batch": "pa_b", "sums": "pa_s"}


@dataclass(frozen=True, slots=True, eq=False)
class ContractionTrees:
    """Trees of parts of a contraction.

    Attributes:
        tile: the contraction.
        trees: of what else stands in it.
        totals: group of loops -> the name of how many iterations they have together.
    """

    tile: Tile
    trees: Nodes
    totals: Mapping[str, str]

    def counts(self) -> Iterator[Statement]:
        """How many iterations each loop has, and each group."""
        for group in self.totals:
            for name, o in zip(self._lengths(group), self.loops(group), strict=True):
                count = Call("pa_count", (self.trees.value(o.first), self.trees.value(o.last), _ONE))
                yield Declare("const int64_t", name, (), count)
        for group, name in self.totals.items():
            yield Declare("const int64_t", name, (), product_of(self._lengths(group)))

    def iterators(self, *groups: str, named: set[str] | None = None) -> Iterator[Statement]:
        """The iterators of groups of loops, or those of them that have some names."""
        for group in groups:
            for n, o in enumerate(self.loops(group)):
                if named is None or o.iterator in named:
                    place = place_of(_NUMBERS[group], self._lengths(group), n)
                    value = Binary("+", self.trees.value(o.first), place)
                    yield Declare(f"const {self.trees.values.index_type}", o.iterator, (), value)

    def operand(self, read: Read, groups: Sequence[str], macro: str) -> Statement:
        """The block that says what an operand is, by a macro, where it moves along groups of loops."""
        own = iterators_of(read, self.tile.instance)
        value = self.trees.values.read(read, self.tile.instance)
        return Compound((*self.iterators(*groups, named=own), Macro(macro, (value,))))

    def results(self, total: str) -> Iterator[Statement]:
        """The sum with a total added, and what becomes of it."""
        local = Name(self.tile.local)
        added: Expr = Binary("+", local, Name(total))
        if self.tile.first.dtype == "float32":
            added = Cast("float", Binary("+", Cast("double", local), Name(total)))
        yield Assign("=", local, added)
        for node in self.tile.rest:
            yield from self.trees.node(node)

    def loops(self, group: str) -> Sequence[Loop]:
        """Those of a group."""
        found: Sequence[Loop] = getattr(self.tile, group)
        return found

    def _lengths(self, group: str) -> list[str]:
        return [f"{_LENGTHS[group]}{n}" for n in range(len(self.loops(group)))]


def check_contraction(tile: Tile, grid: Sequence[Loop], children: Sequence[Node], touched: Sequence[Touch]) -> None:
    """Refuse what the macros do not take for granted."""
    kept = [n for n in children if not isinstance(n, Subtotal | AddUp)]
    whole = [tile.start, kept[1] if len(kept) > 1 else None, *tile.rest]
    own = {o.iterator for o in (*tile.rows, *tile.columns, *tile.batch)}
    statement = touched[0].statement
    product = statement.body
    factors = product.args if isinstance(product, Apply) and product.op == "mul" else ()
    apart = (
        iterators_of(tile.first, tile.instance).isdisjoint(o.iterator for o in tile.columns)
        and iterators_of(tile.second, tile.instance).isdisjoint(o.iterator for o in tile.rows)
    )  # fmt: skip
    if (
        kept != whole
        or own != {o.iterator for o in grid}
        or len(own) != len(grid)
        or {id(f) for f in factors} != {id(tile.first), id(tile.second)}
        or statement.reduction != "sum"
        or not apart
    ):
        raise NotReadError("a grid in tiles is no contraction of two operands", 1)


def iterators_of(read: Read, instance: Instance) -> set[str]:
    """The iterators along which an operand moves."""
    assert isinstance(read.access, isl.MultiAff)
    used = [d for d in range(len(instance.args)) if read.access.involves_dims(isl.dim_type.in_, d, 1)]
    return {n for d in used for n in instance.args[d].names()}


def product_of(names: Sequence[str]) -> Expr:
    """The product of named lengths."""
    total: Expr = Name(names[0]) if names else Number("1")
    for name in names[1:]:
        total = Binary("*", total, Name(name))
    return total


def place_of(flat: str, lengths: Sequence[str], number_: int) -> Expr:
    """The iteration of one of several loops, from the number of one of them all."""
    place: Expr = Name(flat)
    if inner := lengths[number_ + 1 :]:
        place = Binary("/", place, product_of(inner))
    return Binary("%", place, Name(lengths[number_])) if number_ else place
