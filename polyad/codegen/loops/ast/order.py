r"""Loops that run instances in the order of their schedule: a proof for all sizes.

isl's code generator has been seen to run instances out of order. Of times that fall, and domains of which some hold for
even sizes alone,

    { S[t, i] -> [t, -i, 0] : 0 < t < steps and 2 <= i <= n - 2;
      R[t, i] -> [t, -i, 1] : 0 <= t < steps and i = n - 2 and n mod 2 = 0;  ... }

it runs R first, and then the loop over i that S[t, n - 2] is in:

    for t:                           time of what runs in it
      if n is even: R[t, n - 2]      [t, 2 - n, 1]   \
      for i from n - 2 down: S       [t, -i, 0]      /  [t, 2 - n, 0] comes first: refused

Among others, one iteration of a loop over i ran something at -i, and something at 1 - i.

Nodes of a block are compared in pairs: nothing in the first may have a later time than something in the second, while
the loops around the block are at one iteration. Iterations of a loop are compared with those behind them. Most of it
needs no isl: the rows of the times are affine functions of the iterators, and where they begin alike for all, and go on
with the iterator of the loop, or with the place in a sequence, the order is right. Nothing is said of the inside of a
share: its loop has been taken out of the tree, so that the times are not those in which it runs (share_nodes.py).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import islpy as isl

from polyad import islx
from polyad.codegen.loops.ast.places import Around, inside
from polyad.codegen.loops.nodes import Block, Instance, Loop, Node, Share
from polyad.ir.affine import Affine, FloorDiv

__all__ = ["out_of_order"]

_OPERATIONS = 5_000_000
"""What isl may spend on one pair; beyond, nothing is said."""

Row = Affine | None
"""What a row of a time is, None for what is not one affine function."""


def out_of_order(root: Block, orders: isl.UnionMap, context: isl.Set) -> list[str]:
    """The statements of pairs that run in the wrong order, as far as that can be told; [] where all run in theirs.

    Args:
        root: the loops as they come from the schedule.
        orders: { S[dims] -> [time] }.
        context: what is assumed of the sizes.
    """
    look = _Look({m.get_tuple_name(isl.dim_type.in_): _Order.of(m) for m in islx.maps(orders)}, context)
    look.at(root, Around())
    return sorted(look.wrong)


@dataclass(frozen=True, slots=True, eq=False)
class _Order:
    """The times of a statement.

    Attributes:
        times: { S[dims] -> [time] }.
        rows: the same as functions of `at_0`, `at_1`, ...
    """

    times: isl.Map
    rows: tuple[Row, ...]

    @staticmethod
    def of(times: isl.Map) -> _Order:
        dims = tuple(f"at_{d}" for d in range(times.dim(isl.dim_type.in_)))
        functions = [f for _, f in islx.functions(times)]
        count = times.dim(isl.dim_type.out)
        rows: tuple[Row, ...] = ()
        for k in range(count):
            found = {Affine.from_aff(f.get_at(k), dims) for f in functions}
            rows += (found.pop() if len(found) == 1 else None,)
        return _Order(times, rows)


@dataclass(frozen=True, slots=True, eq=False)
class _Run:
    """Instances of a statement that a node runs.

    Attributes:
        statement: its name.
        times: { [names around the node] -> [time] }.
        rows: of the time; they may mention names inside of the node.
    """

    statement: str
    times: isl.Map
    rows: tuple[Row, ...]


class _Look:
    """One walk over loops, from the inside.

    Attributes:
        orders: statement -> its times.
        context: what is assumed of the sizes.
        sizes: their names.
        wrong: statements of pairs in the wrong order.
        shares: how many there are around the node.
    """

    def __init__(self, orders: dict[str, _Order], context: isl.Set) -> None:
        self.orders = orders
        self.context = context
        self.sizes = islx.param_names(context)
        self.wrong: set[str] = set()
        self.shares = 0

    def at(self, node: Node, around: Around) -> list[_Run]:
        """What a node runs."""
        if isinstance(node, Instance):
            return [self.run(node, around)]
        found: list[_Run] = []
        self.shares += isinstance(node, Share)
        for child, here in inside(node, around):
            inner = self.at(child, here)
            if isinstance(node, Loop) and not self.increases(node, here, inner):
                later = _later(inner[0].times, len(around.names), node.step)
                self.compare((first, then, later) for first in inner for then in inner)
            own = [replace(r, times=_outer(r.times, len(around.names))) for r in inner]
            if isinstance(node, Block):
                known = {*self.sizes, *around.names}
                self.compare((a, b, None) for a in found for b in own if not _follows(a.rows, b.rows, known))
            found += own
        self.shares -= isinstance(node, Share)
        return found

    def run(self, instance: Instance, around: Around) -> _Run:
        """The instances of a place."""
        order = self.orders[instance.statement]
        text = f"[{', '.join(self.sizes)}] -> {{ {around.at_names(instance)} }}"
        times = isl.Map(text).intersect_params(self.context).apply_range(order.times)
        values = {f"at_{d}": value for d, value in enumerate(instance.args)}
        rows = tuple(None if row is None else row.substitute(values) for row in order.rows)
        return _Run(instance.statement, times, rows)

    def increases(self, loop: Loop, around: Around, runs: Sequence[_Run]) -> bool:
        """Whether the rows say that an iteration runs what comes after all of the one before.

        So they do where all times begin with the same functions of what is around, followed by one that grows with the
        iterator.
        """
        known = {*self.sizes, *around.names}
        for rows in zip(*(r.rows for r in runs), strict=True):
            row = rows[0]
            if row is None or not row.names() <= known or any(other != row for other in rows):
                return False
            if loop.iterator in row.names():
                return dict(row.terms).get(loop.iterator, 0) * loop.step > 0 and not any(
                    loop.iterator in atom.numerator.names() for atom, _ in row.terms if isinstance(atom, FloorDiv)
                )
        return False

    def compare(self, pairs: Iterable[tuple[_Run, _Run, isl.Map | None]]) -> None:
        """Note what runs before something that comes before it.

        Args:
            pairs: what runs first, what runs then, and { [names] -> [names] } from where the first one is to where the
                second one is, None for the same names.
        """
        for first, then, later in pairs:
            if self.shares or {first.statement, then.statement} <= self.wrong:
                continue
            try:
                with islx.bounded_operations(_OPERATIONS):
                    after = then.times if later is None else later.apply_range(then.times)
                    both = first.times.reverse().apply_range(after)
                    if not both.intersect(isl.Map.lex_gt(both.get_space().range())).is_empty():
                        self.wrong |= {first.statement, then.statement}
            except islx.OperationLimitError:
                continue  # the certifier looks at sizes instead


def _outer(times: isl.Map, count: int) -> isl.Map:
    """The times of the first names only."""
    return times.project_out(isl.dim_type.in_, count, times.dim(isl.dim_type.in_) - count)


def _later(times: isl.Map, iterator: int, step: int) -> isl.Map:
    """{ [names] -> [names] } to the later iterations of the innermost loop, the name at a place."""
    result = isl.Map.universe(times.get_space().domain().map_from_set())
    kinds = isl.dim_type.in_, isl.dim_type.out
    for k in range(iterator):
        result = result.equate(kinds[0], k, kinds[1], k)
    first, last = kinds if step > 0 else kinds[::-1]
    return result.order_lt(first, iterator, last, iterator)


def _follows(first: Sequence[Row], then: Sequence[Row], known: set[str]) -> bool:
    """Whether a place in a sequence says that all of one comes after the other."""
    for a, b in zip(first, then, strict=True):
        if a is None or b is None:
            return False
        if a.is_constant and b.is_constant and a != b:
            return a.constant < b.constant
        if a != b or not a.names() <= known:
            return False
    return True
