"""Reading what the macro-kernel is told of a contraction; the lines are those of `Shape` in text.py."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from polyad.codegen.loops.contractions import Axis, Operand, Shape
from polyad.codegen.loops.nodes import Loop
from polyad.codegen.loops.read_words import Words
from polyad.codegen.loops.traversal import nodes

__all__ = ["read_shape"]


def read_shape(lines: Sequence[Words], nest: Loop) -> Shape | None:
    """The shape that stands in the lines above the nest of a contraction; None where there are none."""
    if not lines:
        return None
    head, *others = lines
    head.expect("shape")
    c = Operand(*head.element())
    head.expect("+=")
    scale = head.number()
    head.expect("*")
    a = Operand(*head.element())
    head.expect("*")
    b = Operand(*head.element())
    weights = []
    while head.accept("*"):
        weights.append(Operand(*head.element()))
    head.expect(",")
    dtype = head.name()
    head.end()
    axes: dict[str, list[Axis]] = {"rows": [], "columns": [], "sums": []}
    loops = {n.iterator: n for n in nodes(nest) if isinstance(n, Loop)}
    for line in others:
        group = line.take()
        if group not in axes:
            line.refuse(f"{group!r} is no group of axes")
        axes[group].append(_axis(line, loops))
    rows, columns, sums = (tuple(axes[group]) for group in ("rows", "columns", "sums"))
    return Shape(rows, columns, sums, c, a, b, scale, tuple(weights), dtype)


def _axis(words: Words, loops: Mapping[str, Loop]) -> Axis:
    names = words.several(words.name, ":")
    if not set(names) <= loops.keys():
        words.refuse("it names no loop of the nest")
    count = words.value()
    words.expect("by")
    c = words.polynomial()
    words.expect(",")
    a = words.polynomial()
    words.expect(",")
    b = words.polynomial()
    words.end()
    return Axis(tuple(loops[n] for n in names), count, (c, a, b))
