"""Inner loops that compilers are not to unroll: what they read under conditions would stand side by side.

    PA_ROLLED
    for (int64_t j = 0; j < 6; j += 1) {
      z[i * 6 + j] = pa_select_f64(m[i * 6 + j] != 0, x[i * 6 + j], 0.0);
    }

gcc before version 14 gives vector lanes the masks of others where one loop has several loads under conditions next to
each other (docs/decisions/0023). The property that must hold: no loop has several, unless its text does.
"""

from __future__ import annotations

from polyad.codegen.loops import Loop, instances, nodes
from polyad.codegen.statement_text import StatementText

__all__ = ["rolled_lines"]


def rolled_lines(loop: Loop, text: StatementText, pragma: bool) -> list[str]:
    """The line before an inner loop that reads elements under conditions; none before another.

    Args:
        loop: the loop.
        text: spells its statements.
        pragma: whether a pragma of the loop's own follows, which keeps it rolled where it means something.
    """
    inner = not any(isinstance(n, Loop) for child in loop.body.children for n in nodes(child))
    if not inner or not any(text.is_conditional(i) for i in instances(loop)):
        return []
    return ["PA_ROLLED_SERIAL" if pragma else "PA_ROLLED"]
