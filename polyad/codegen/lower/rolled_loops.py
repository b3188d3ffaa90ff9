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

from polyad.codegen.loops.loops import Instance, Loop, instances, nodes
from polyad.codegen.text.statement_text import StatementText
from polyad.ir.affine import Affine

__all__ = ["rolled_lines"]


def rolled_lines(loop: Loop, text: StatementText, pragma: bool) -> list[str]:
    """The line before an inner loop of which several iterations must not stand side by side; none before another.

    Args:
        loop: the loop.
        text: spells its statements.
        pragma: whether a pragma of the loop's own follows, which keeps it rolled where it means something.
    """
    inner = not any(isinstance(n, Loop) for child in loop.body.children for n in nodes(child))
    if not inner or not any(text.is_conditional(i) or _adds_backwards(loop, i, text) for i in instances(loop)):
        return []
    return ["PA_ROLLED_SERIAL" if pragma else "PA_ROLLED"]


def _adds_backwards(loop: Loop, instance: Instance, text: StatementText) -> bool:
    """Whether an instance adds up elements that the loop meets in another order than that of memory."""
    statement = text.statements[instance.statement]
    if statement.reduction is None:
        return False
    values = text.values(instance)
    indices = (i for r in statement.reads() for i in text.index(r.access, instance))
    return any(_turns(i.substitute(values), loop) for i in indices if i is not None)


def _turns(index: Affine, loop: Loop) -> bool:
    """Whether an index falls along a loop, or is a quotient or remainder of its iterator."""
    return any(
        factor * loop.step < 0
        if atom == loop.iterator
        else not isinstance(atom, str) and loop.iterator in atom.numerator.names()
        for atom, factor in index.terms
    )
