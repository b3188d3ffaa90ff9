"""Functions that a vector loop calls so often that they are compiled once for all its calls, not in place of each.

    PA_ONCE(tanh, double, f64)
    ...
    double y0_tanh = pa_once_tanh_f64(x[i]);

Compilers take about as long for each copy as for a short loop, and longer than that for each one of many. The call
itself costs less than one hundredth of what it computes: a vector at a time.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from polyad.codegen.loops.loops import Instance, Loop
from polyad.ir.expr import Apply, Expr, Select, walk
from polyad.ir.statement import Statement

__all__ = ["FUNCTIONS", "calls_often", "calls_once", "once_functions"]

FUNCTIONS = ("exp", "expm1", "log", "log1p", "tanh", "sigmoid", "erf")
"""The functions of the runtime header that are many instructions."""

_CALL = re.compile(rf"\bpa_({'|'.join(FUNCTIONS)})_(f32|f64)\(")
_ONCE = re.compile(rf"\bpa_once_({'|'.join(FUNCTIONS)})_(f32|f64)\(")
_TYPES = {"f32": "float", "f64": "double"}


def calls_often(loop: Loop, statements: Iterable[Statement], least: int) -> bool:
    """Whether a vector loop calls functions often, each call in every iteration.

    A call that depends on a condition stays in place: vectors compute both sides, which compilers do with operations
    and not with calls.

    Args:
        loop: the loop.
        statements: those in it, one for each instance.
        least: so many calls are often (`Machine.calls`).
    """
    if not all(isinstance(child, Instance) for child in loop.body.children):
        return False
    bodies = [s.body for s in statements]
    count = sum(1 for body in bodies for _ in _calls(body))
    return count >= least and not any(_is_conditional(node) for body in bodies for node in walk(body))


def _calls(expr: Expr) -> Iterator[Apply]:
    return (node for node in walk(expr) if isinstance(node, Apply) and node.op in FUNCTIONS)


def _is_conditional(node: Expr) -> bool:
    """Whether C evaluates some of the calls inside of a node only under a condition."""
    lazy = isinstance(node, Select) or (isinstance(node, Apply) and node.op in ("and", "or"))
    return lazy and next(_calls(node), None) is not None


def calls_once(lines: Iterable[str]) -> list[str]:
    """The lines of a loop with its calls replaced."""
    return [_CALL.sub(r"pa_once_\1_\2(", line) for line in lines]


def once_functions(lines: Sequence[str]) -> list[str]:
    """The functions that the lines of a kernel call in this way, as one text; none where there is no such call."""
    used = sorted({(m[1], m[2]) for line in lines for m in _ONCE.finditer(line)})
    if not used:
        return []
    defined = [line for op, suffix in used for line in _defined_once(op, suffix)]
    return ["\n".join(["/* Called often in one loop. */", *defined, ""])]


def _defined_once(op: str, suffix: str) -> list[str]:
    """The definition of a function, which another kernel of the same translation unit may hold, too."""
    known = f"PA_HAS_ONCE_{op}_{suffix}".upper()
    return [f"#ifndef {known}", f"#define {known}", f"PA_ONCE({op}, {_TYPES[suffix]}, {suffix})", "#endif"]
