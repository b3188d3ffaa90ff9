"""How wide the numbers are that C computes with: an integer, a float, a double.

float s;  s += 0.5 * d;     C adds in double and rounds the sum; a sum of rounded terms is another number
"""

from __future__ import annotations

import math
import struct
from collections.abc import Mapping

from polyad.pet.math_functions import FUNCTIONS
from polyad.pet.scop import Access, Call, Cast, Node, Number, Operation, ScopArray

__all__ = ["rounds_once", "width"]

_LARGEST = 3.4e38  # about the largest float
_TRUTHS = frozenset({"eq", "ne", "le", "ge", "lt", "gt", "land", "lor", "lnot"})


def rounds_once(term: Node, target: Access, arrays: Mapping[str, ScopArray]) -> bool:
    """Whether an element plus a term, or times it, is the same number if the term is rounded to its type before."""
    return _needed(term, arrays) <= _of_type(arrays[target.array].type) if target.array in arrays else True


def _needed(term: Node, arrays: Mapping[str, ScopArray]) -> int:
    """The width in which a term is no other number."""
    match term:
        case Number(text, 0) if "x" not in text.lower():
            value = float(text.rstrip("fFlL")) if "inf" not in text else math.inf
            # What is exact as a float may be added in double, too: rounding twice is rounding once (53 > 2 * 24 + 1).
            if math.isfinite(value) and abs(value) > _LARGEST:
                return 2
            return 1 if struct.unpack("f", struct.pack("f", value))[0] == value else 2
        case Operation("cond", (_, then, other)):
            return max(_needed(then, arrays), _needed(other, arrays))
        case Operation("minus", (inner,)):
            return _needed(inner, arrays)
        case _:
            return width(term, arrays)


def width(node: Node, arrays: Mapping[str, ScopArray]) -> int:
    """The width in which an expression is computed: 2 of a double, 1 of a float, 0 of an integer."""
    match node:
        case Number(text, bits):
            if bits:
                return 0
            return 1 if text[-1:] in "fF" and "x" not in text.lower() else 2
        case Access(array=name):
            return _of_type(arrays[name].type) if name in arrays else 2
        case Cast(type=kind):
            return _of_type(kind)
        case Call(name=name, bits=bits):
            if bits:
                return 0
            return 1 if name not in FUNCTIONS and name.endswith("f") else 2
        case Operation(op=op, arguments=arguments):
            if op in _TRUTHS:
                return 0
            values = arguments[1:] if op == "cond" else arguments
            return max((width(a, arrays) for a in values), default=0)
        case _:
            return 0


def _of_type(kind: str) -> int:
    return {"double": 2, "float": 1}.get(kind.removeprefix("const "), 0)
