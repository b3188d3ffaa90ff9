"""Subtotals: variables that a part of a sum is added up in, before it is added to the sum itself.

    subtotal sum_wide: float64 of sum: float32      double sum_wide = 0.0;
    for k = 0 .. N - 1:                             for (int64_t k = 0; k < N; k += 1) {
      ...                                             sum_wide += x[k];
                                                    }
    add up sum_wide: float64 to sum: float32        sum = (float)((double)sum + sum_wide);

Between the two lines of a subtotal, which stand in one block, nobody uses the sum, and all that is done with the
subtotal is to add to it; behind them nobody uses the subtotal. What is added to it is added to the sum, then.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from polyad.codegen.loops.how import Vector
from polyad.codegen.loops.instance import variable_of
from polyad.codegen.loops.nodes import AddUp, Block, Instance, Load, Loop, Node, Parts, Store, Subtotal
from polyad.codegen.loops.statement_accesses import Touches
from polyad.codegen.loops.traversal import blocks, nodes
from polyad.ir.array import Array

__all__ = ["wrong_subtotals"]


def wrong_subtotals(root: Block, touches: Touches, arrays: Mapping[str, Array]) -> Iterator[tuple[Node, str]]:
    """The lines of subtotals that keep no sum, and why."""
    paired: set[int] = set()
    for block in blocks(root):
        for position, node in enumerate(block.children):
            if not isinstance(node, Subtotal):
                continue
            behind = block.children[position + 1 :]
            ends = [k for k, n in enumerate(behind) if isinstance(n, AddUp) and n.subtotal == node]
            if len(ends) != 1:
                yield node, f"{node.local} is added to {node.total} {len(ends)} times in its block"
                continue
            paired.add(id(behind[ends[0]]))
            why = _misused(node, behind[: ends[0]], behind[ends[0] + 1 :], touches, arrays)
            if why:
                yield node, why
    for node in nodes(root):
        if isinstance(node, AddUp) and id(node) not in paired:
            yield node, f"no subtotal {node.subtotal.local} of {node.subtotal.total} is declared in its block"


def _misused(
    node: Subtotal, within: Sequence[Node], behind: Sequence[Node], touches: Touches, arrays: Mapping[str, Array]
) -> str:
    """A use of a subtotal or its sum that may not be; "" for none."""
    if any(node.local in _mentioned(n) for child in behind for n in nodes(child)):
        return f"{node.local} is used behind the line that adds it up"
    for n in (n for child in within for n in nodes(child)):
        mentioned = _mentioned(n)
        if node.total in mentioned:
            return f"{node.total} is used before {node.local} is added to it"
        if node.local in mentioned and not _adds(n, node, touches, arrays):
            return f"{node.local} is used before it is added to {node.total}"
    return ""


def _adds(node: Node, to: Subtotal, touches: Touches, arrays: Mapping[str, Array]) -> bool:
    """Whether all that a node does with a subtotal is to add to it."""
    match node:
        case Instance(statement=name, locals=own, declares=declares):
            write, *reads = touches[name]
            added = not declares and write.kind == "contribute" and write.statement.reduction == "sum"
            plain = own.get(write.array) == to.local and arrays[write.array].dtype in (to.dtype, to.whole)
            return added and plain and all(own.get(r.array) != to.local for r in reads)
        case Subtotal(local=local, whole=whole) | AddUp(Subtotal(local=local, whole=whole)):
            return local != to.local and whole == to.dtype
        case Loop(how=Vector(sums=sums)):
            return all(s.reduction == "sum" for s in sums if s.local == to.local)
        case Parts(sums=sums):
            mine = [s for s in sums if to.local in (s.local, s.part, s.parts)]
            return all((s.local, s.reduction, s.dtype) == (to.local, "sum", to.dtype) for s in mine)
        case _:
            return False


def _mentioned(node: Node) -> set[str]:
    """The C variables that a node itself names."""
    match node:
        case Instance(locals=own):
            return {variable_of(v) for v in own.values()}
        case Load(local=local) | Store(local=local):
            return {variable_of(local)}
        case Subtotal(local=local, total=total) | AddUp(Subtotal(local=local, total=total)):
            return {local, total}
        case Loop(how=Vector(sums=sums)):
            return {s.local for s in sums}
        case Parts(sums=totals):
            return {name for s in totals for name in (s.local, s.part, s.parts)}
        case _:
            return set()
