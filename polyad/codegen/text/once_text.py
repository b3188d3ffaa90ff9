"""Functions that are compiled once for all their calls (shared_calls.py), in C.

PA_ONCE(tanh, double, f64)
...
double y0_tanh = pa_once_tanh_f64(x[i]);
"""

from __future__ import annotations

from collections.abc import Mapping

from polyad.codegen.loops.nodes import Block
from polyad.codegen.loops.traversal import instances
from polyad.codegen.text.expression_text import C_TYPES, SUFFIXES
from polyad.ir.expr import Apply, walk
from polyad.ir.statement import Statement
from polyad.ops import OPS

__all__ = ["once_functions"]


def once_functions(loops: Block, statements: Mapping[str, Statement]) -> list[str]:
    """The functions that the loops of a kernel call in this way, as one text; none where there is no such call."""
    called = (statements[i.statement].body for i in instances(loops) if i.once)
    nodes = (node for body in called for node in walk(body) if isinstance(node, Apply) and OPS[node.op].once)
    used = sorted({(node.op, SUFFIXES[node.args[0].dtype], C_TYPES[node.args[0].dtype]) for node in nodes})
    lines = [line for function in used for line in _defined_once(*function)]
    return ["\n".join(["/* Called often in one loop. */", *lines, ""])] if used else []


def _defined_once(op: str, suffix: str, ctype: str) -> list[str]:
    """The definition of a function, which another kernel of the same translation unit may hold, too."""
    known = f"PA_HAS_ONCE_{op}_{suffix}".upper()
    return [f"#ifndef {known}", f"#define {known}", f"PA_ONCE({op}, {ctype}, {suffix})", "#endif"]
