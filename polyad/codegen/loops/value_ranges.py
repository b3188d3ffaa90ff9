"""Ranges of the integers in loops: numbers that sizes, iterators and named integers never leave.

for i = 0 .. 255:         i: 0 .. 255
  for j = 0 .. i:         j: 0 .. 255, and so at most 256 iterations
"""

from __future__ import annotations

from collections.abc import Mapping
from math import inf, isinf

import islpy as isl

from polyad.codegen.loops.loop_values import Choice, Extreme, Value
from polyad.codegen.loops.nodes import Let, Loop, Node, Share
from polyad.codegen.loops.traversal import children
from polyad.ir.affine import Affine

__all__ = ["Range", "range_of", "ranges_in", "size_ranges"]

Range = tuple[float, float]  # the least and the greatest value, infinite where none is known


def size_ranges(context: isl.Set) -> dict[str, Range]:
    """The ranges of sizes.

    Args:
        context: [sizes] -> { : ... }.
    """
    found = {}
    for i in range(context.dim(isl.dim_type.param)):
        one = context.params().move_dims(isl.dim_type.set, 0, isl.dim_type.param, i, 1)
        one = one.project_out(isl.dim_type.param, 0, one.dim(isl.dim_type.param))
        low, high = one.dim_min_val(0), one.dim_max_val(0)
        name = context.get_dim_name(isl.dim_type.param, i)
        assert name is not None, "sizes have names"
        found[name] = (low.to_python() if low.is_int() else -inf, high.to_python() if high.is_int() else inf)
    return found


def ranges_in(root: Node, sizes: Mapping[str, Range]) -> dict[str, Range]:
    """The ranges of all that loops mention; a name that is declared in several places has all of their values.

    Args:
        root: the loops.
        sizes: from `size_ranges`.
    """
    found = dict(sizes)

    def declare(name: str, own: Range, known: Mapping[str, Range]) -> dict[str, Range]:
        low, high = found.get(name, own)
        found[name] = min(low, own[0]), max(high, own[1])
        return {**known, name: own}

    def walk(node: Node, known: Mapping[str, Range]) -> None:
        match node:
            case Loop(iterator=name, limits=(first, last)):
                known = declare(name, (range_of(first, known)[0], range_of(last, known)[1]), known)
            case Share(first=first_name, last=last_name, low=least, high=greatest):
                known = declare(first_name, (range_of(least, known)[0], inf), known)
                known = declare(last_name, (-inf, range_of(greatest, known)[1]), known)
            case _:
                pass
        for child in children(node):
            walk(child, known)
            if isinstance(child, Let):
                known = declare(child.name, range_of(child.value, known), known)

    walk(root, sizes)
    return found


def range_of(value: Value, known: Mapping[str, Range]) -> Range:
    """The range of an expression of integers whose ranges are known; others may have any value."""
    match value:
        case Affine():
            low = high = float(value.constant)
            for atom, c in value.terms:
                if isinstance(atom, str):
                    own = known.get(atom, (-inf, inf))
                else:
                    least, most = (v if isinf(v) else v // atom.divisor for v in range_of(atom.numerator, known))
                    own = least, most
                low += c * own[c < 0]
                high += c * own[c > 0]
            return low, high
        case Extreme(kind, args):
            lows, highs = zip(*(range_of(a, known) for a in args), strict=True)
            return (min(lows), min(highs)) if kind == "min" else (max(lows), max(highs))
        case Choice(_, a, b):
            one, other = range_of(a, known), range_of(b, known)
            return min(one[0], other[0]), max(one[1], other[1])
