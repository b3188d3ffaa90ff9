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
with the iterator of the loop, or with the place in a sequence, the order is right. Unrolled loops have a stride: in
terms of the number of an iteration, the quotients in their times are none. Of tiles, isl is asked at each place whether
the row is the iterator, and there is nothing to compare. Else isl is asked first of what the bounds of
loops say without cases, for in the whole truth there may be hundreds. Nothing is said of the inside of a share: its
loop has been taken out of the tree, so that the times are not those in which it runs (share_nodes.py).
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from itertools import product

import islpy as isl

from polyad import islx
from polyad.codegen.loops.ast.places import Around, inside
from polyad.codegen.loops.ast.questions import Questions
from polyad.codegen.loops.isl_words import isl_affine
from polyad.codegen.loops.nodes import Block, Instance, Loop, Node, Share
from polyad.ir.affine import Affine, FloorDiv

__all__ = ["out_of_order"]

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
        instance: where it runs them.
        around: that place, inside of the node.
        rows: of the times; they may mention names inside of the node.
        counted: the same, in which iterators of loops with a stride stand for the number of the iteration.
    """

    instance: Instance
    around: Around
    rows: tuple[Row, ...]
    counted: tuple[Row, ...]

    @property
    def statement(self) -> str:
        """Its name."""
        return self.instance.statement


class _Look:
    """One walk over loops, from the inside.

    Attributes:
        orders: statement -> its times.
        context: what is assumed of the sizes.
        sizes: their names.
        wrong: statements of pairs in the wrong order.
        shares: how many there are around the node.
        strides: iterators of loops around it with a stride -> what they are at the iteration of that number.
        questions: to isl.
        times: (number of an instance, whether under the bounds alone) -> { [names around it] -> [time] }.
        iterators: (number of an instance, row, name) -> whether the row is the iterator.
        proved: loops and pairs with bounds and rows that are in order, of whatever statements.
    """

    def __init__(self, orders: dict[str, _Order], context: isl.Set) -> None:
        self.orders = orders
        self.context = context
        self.sizes = islx.param_names(context)
        self.wrong: set[str] = set()
        self.shares = 0
        self.strides: dict[str, Affine] = {}
        self.questions = Questions()
        self.times: dict[tuple[int, bool], isl.Map] = {}
        self.proved: set[Hashable] = set()
        self.iterators: dict[tuple[int, int, str], bool] = {}

    def at(self, node: Node, around: Around) -> list[_Run]:
        """Return the runs of a node."""
        if isinstance(node, Instance):
            return [self.run(node, around)]
        found: list[_Run] = []
        self.shares += isinstance(node, Share)
        self.strides |= _stride(node)
        for child, here in inside(node, around):
            runs = self.at(child, here)
            if isinstance(node, Loop) and not (self.increases(node, here, runs) or self.counts(node, here, runs)):
                for first, then in product(runs, runs):
                    self.compare(first, then, here, node)
            if isinstance(node, Block):
                known = {*self.sizes, *around.names}
                for first, then in product(found, runs):
                    if not _follows(first.counted, then.counted, known):
                        self.compare(first, then, around)
            found += runs
        self.shares -= isinstance(node, Share)
        if isinstance(node, Loop):
            self.strides.pop(node.iterator, None)
        return found

    def run(self, instance: Instance, around: Around) -> _Run:
        """The instances of a place."""
        values = {f"at_{d}": value for d, value in enumerate(instance.args)}
        times = self.orders[instance.statement].rows
        rows = tuple(None if row is None else row.substitute(values) for row in times)
        counted = tuple(None if row is None else row.substitute(self.strides) for row in rows)
        return _Run(instance, around, rows, counted)

    def increases(self, loop: Loop, around: Around, runs: Sequence[_Run]) -> bool:
        """Whether the rows say that an iteration runs what comes after all of the one before.

        So they do where all times begin with the same functions of what is around, followed by one that grows with the
        iterator.
        """
        known = {*self.sizes, *around.names}
        for rows in zip(*(r.counted for r in runs), strict=True):
            row = rows[0]
            if row is None or not row.names() <= known or any(other != row for other in rows):
                return False
            if loop.iterator in row.names():
                return dict(row.terms).get(loop.iterator, 0) * loop.step > 0 and not any(
                    loop.iterator in atom.numerator.names() for atom, _ in row.terms if isinstance(atom, FloorDiv)
                )
        return False

    def counts(self, loop: Loop, around: Around, runs: Sequence[_Run]) -> bool:
        """Whether all times begin with the same functions of what is around, and the next row is the iterator in each.

        In the times of tiles, rows name iterators inside, and bounds say that they are the iterators around. One
        question for each place, and not for each two.
        """
        if loop.step < 0 or self.shares:
            return False
        outside = {*self.sizes, *around.names} - {loop.iterator}
        left = [*around.names]
        for k, rows in enumerate(zip(*(r.rows for r in runs), strict=True)):
            first = rows[0]
            if first is not None and first.names() <= outside and all(other == first for other in rows):
                continue
            name = next((n for n in left if all(self.is_iterator(k, n, run) for run in runs)), None)
            if name is None or name == loop.iterator:
                return name is not None
            left.remove(name)
        return False

    def is_iterator(self, k: int, name: str, run: _Run) -> bool:
        """Whether a row is an iterator around wherever bounds let something run."""
        key = run.instance.number, k, name
        if key not in self.iterators:
            self.iterators[key] = self.questions.ask(lambda: self._is_iterator(run.rows[k], name, run.around)) is True
        return self.iterators[key]

    def _is_iterator(self, row: Row, name: str, around: Around) -> bool:
        if row is None:
            return False
        others = " and ".join([*around.bounds, f"not ({isl_affine(row)} = {name})"])
        wrong = isl.Set(f"[{', '.join(self.sizes)}] -> {{ [{', '.join(around.names)}] : {others} }}")
        return bool(wrong.intersect_params(self.context).is_empty())

    def compare(self, first: _Run, then: _Run, around: Around, loop: Loop | None = None) -> None:
        """Note two statements of which the one that runs first has a later time.

        Args:
            first: what runs first.
            then: what runs then.
            around: what both are in.
            loop: the innermost of it, where `then` runs in a later iteration; None for the same one.
        """
        if self.shares or {first.statement, then.statement} <= self.wrong:
            return
        depth = len(around.names)

        def in_order(bounds: bool) -> bool:
            before, after = (self.times_of(run, depth, bounds) for run in (first, then))
            if loop is not None:
                after = _later(after, depth - 1, loop.step).apply_range(after)
            both = before.reverse().apply_range(after)
            return bool(both.intersect(isl.Map.lex_gt(both.get_space().range())).is_empty())

        alike = loop, depth, first.around.bounds, first.rows, then.around.bounds, then.rows
        if alike in self.proved:
            return
        if self.questions.ask(lambda: in_order(True)):
            if None not in (*first.rows, *then.rows):
                self.proved.add(alike)
        elif self.questions.ask(lambda: in_order(False)) is False:
            self.wrong |= {first.statement, then.statement}

    def times_of(self, run: _Run, depth: int, bounds: bool) -> isl.Map:
        """{ [the first names around it] -> [time] }: under the bounds alone, there may be more of them."""
        key = run.instance.number, bounds
        if key not in self.times:
            sizes, times = ", ".join(self.sizes), self.orders[run.statement].times
            rows = [isl_affine(row) for row in run.rows if row is not None]
            if bounds and len(rows) == len(run.rows):
                conditions = " and ".join(run.around.bounds) or "true"
                text = f"[{sizes}] -> {{ [{', '.join(run.around.names)}] -> [{', '.join(rows)}] : {conditions} }}"
                self.times[key] = isl.Map(text).intersect_params(self.context)
            else:
                places = isl.Map(f"[{sizes}] -> {{ {run.around.at_names(run.instance, bounds)} }}")
                self.times[key] = places.intersect_params(self.context).apply_range(times)
        whole = self.times[key]
        return whole.project_out(isl.dim_type.in_, depth, whole.dim(isl.dim_type.in_) - depth)


def _stride(node: Node) -> dict[str, Affine]:
    """Of a loop with a stride that begins at a number: 16 i for i = 0, 16, ..., so that (16 i + 3) // 16 is i."""
    if not isinstance(node, Loop) or abs(node.step) == 1 or not isinstance(node.first, Affine):
        return {}
    step = abs(node.step)
    return (
        {node.iterator: Affine.of(node.iterator) * step + node.first.constant % step} if node.first.is_constant else {}
    )


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
