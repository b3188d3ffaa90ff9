"""Functions that a vector loop calls so often that they are compiled once for all its calls, not in place of each.

Compilers take about as long for each copy as for a short loop, and longer than that for each one of many. The call
itself costs less than one hundredth of what it computes: a vector at a time.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from polyad.codegen.loops.how import Vector, in_one_thread
from polyad.codegen.loops.nodes import Block, Instance, Loop
from polyad.codegen.loops.traversal import map_loops
from polyad.codegen.lower.lowering import StoredProgram
from polyad.ir.expr import Apply, Expr, Select, walk
from polyad.ops import OPS

__all__ = ["shared_calls"]


def shared_calls(root: Block, known: StoredProgram) -> Block:
    """Have functions that a vector loop calls often compiled once for all its calls."""

    def shared(loop: Loop) -> Loop:
        if not _is_wide(loop) or not _calls_often(loop, known):
            return loop
        body = Block(tuple(replace(c, once=True) if isinstance(c, Instance) else c for c in loop.body.children))
        return replace(loop, body=body)

    return map_loops(shared, root)


def _is_wide(loop: Loop) -> bool:
    """Whether vectors of all types of numbers in it are as long as those of the calls."""
    how = in_one_thread(loop.how)
    return isinstance(how, Vector) and bool(how.type)


def _calls_often(loop: Loop, known: StoredProgram) -> bool:
    """Whether a vector loop calls functions often, each call in every iteration.

    A call that depends on a condition stays in place: vectors compute both sides, which compilers do with operations
    and not with calls.
    """
    if not all(isinstance(child, Instance) for child in loop.body.children):
        return False
    bodies = [known.statements[i.statement].body for i in loop.body.children if isinstance(i, Instance)]
    count = sum(1 for body in bodies for _ in _calls(body))
    return count >= known.options.machine.calls and not any(_is_conditional(n) for body in bodies for n in walk(body))


def _calls(expr: Expr) -> Iterator[Apply]:
    return (node for node in walk(expr) if isinstance(node, Apply) and OPS[node.op].once)


def _is_conditional(node: Expr) -> bool:
    """Whether C evaluates some of the calls inside of a node only under a condition."""
    lazy = isinstance(node, Select) or (isinstance(node, Apply) and node.op in ("and", "or"))
    return lazy and next(_calls(node), None) is not None
