"""Inner loops that compilers are not to unroll: what they read would stand side by side, which gcc gets wrong.

    PA_ROLLED
    for (int64_t j = 0; j < 6; j += 1) {
      z[i * 6 + j] = pa_select_f64(m[i * 6 + j] != 0, x[i * 6 + j], 0.0);
    }

    PA_ROLLED
    for (int64_t j = 0; j < 2; j += 1) {
      sum += x[i * 2 + 1 - j];
    }

gcc before version 14 gives vector lanes the masks of others where one loop has several loads under conditions next to
each other, and counts elements twice where a loop adds them up in another order than that of memory
(docs/decisions/0023). The property that must hold: no loop has several of either, unless its text does.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import replace

from polyad.codegen.loops.how import Divided, How, Serial, Threads, Vector
from polyad.codegen.loops.nodes import Block, Instance, Loop
from polyad.codegen.loops.statement_accesses import element_of, maybe_read
from polyad.codegen.loops.traversal import instances, map_hows, nodes
from polyad.codegen.lower.lowering import StoredProgram
from polyad.ir.affine import Affine
from polyad.ir.expr import Read, walk

__all__ = ["rolled_loops"]


def rolled_loops(root: Block, known: StoredProgram) -> Block:
    """Mark inner loops of which several iterations must not stand side by side."""

    def how(loop: Loop) -> How:
        inner = not any(isinstance(n, Loop) for child in loop.body.children for n in nodes(child))
        if not inner or not any(_is_conditional(i, known) or _adds_backwards(loop, i, known) for i in instances(loop)):
            return loop.how
        return _rolled(loop.how)

    return map_hows(how, root)


def _rolled(how: How) -> How:
    match how:
        case Serial() | Vector():
            return replace(how, rolled=True)
        case Threads() | Divided():
            return replace(how, within=_rolled(how.within))
        case _:
            raise AssertionError(f"{how} is decided before")


def _is_conditional(instance: Instance, known: StoredProgram) -> bool:
    """Whether elements are read that the value of an instance may not need."""

    def element(read: Read) -> Hashable:
        return element_of(read, instance, known.index(read, instance))

    return any(maybe_read(node, element) for node in walk(known.statements[instance.statement].body))


def _adds_backwards(loop: Loop, instance: Instance, known: StoredProgram) -> bool:
    """Whether an instance adds up elements that the loop meets in another order than that of memory."""
    statement = known.statements[instance.statement]
    if statement.reduction is None:
        return False
    indices = (i for r in statement.reads() for i in known.index(r, instance))
    return any(_turns(i, loop) for i in indices if i is not None)


def _turns(index: Affine, loop: Loop) -> bool:
    """Whether an index falls along a loop, or is a quotient or remainder of its iterator."""
    return any(
        factor * loop.step < 0
        if atom == loop.iterator
        else not isinstance(atom, str) and loop.iterator in atom.numerator.names()
        for atom, factor in index.terms
    )
