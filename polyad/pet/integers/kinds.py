"""Types of integers in C: promotions, and the type in which two of them are computed.

    short + unsigned char      int: what is narrower than int becomes one
    int < unsigned             unsigned: of two as wide, the unsigned one
    unsigned + long            long: the wider one

A type is its width in bits, negative where it is signed: -32 is int, 64 is size_t. 0 stands for what is no integer.
"""

from __future__ import annotations

from pycparser import c_ast

from polyad.errors import ExtractionError
from polyad.pet.c_text.definitions import CText
from polyad.pet.prototype import BITS, canonical_type

__all__ = ["INT", "LARGEST_SIZE", "MATHEMATICAL", "common", "element", "literal", "promoted", "range_of"]

INT = -32
MATHEMATICAL = -128
"""The type of integers that pet is given as `__int128`, so that it takes them for numbers without end."""

LARGEST_SIZE = 2**31 - 1
"""Of what is made of sizes and loop variables alone: C's int holds it."""


def promoted(bits: int) -> int:
    """The type in which an integer of a type is computed."""
    return INT if 0 < abs(bits) < 32 else bits


def common(a: int, b: int) -> int:
    """The type in which two integers are computed; 0 where one is none."""
    a, b = promoted(a), promoted(b)
    return 0 if 0 in (a, b) else max(a, b, key=lambda bits: (abs(bits), bits > 0))


def range_of(bits: int) -> tuple[int, int]:
    """The least and the largest number of a type; of 64 bits without a sign, those of which a sum is one, too."""
    if bits < 0:
        return -(2 ** (-bits - 1)), 2 ** (-bits - 1) - 1
    return 0, 2 ** min(bits, 63) - 1


def literal(text: str) -> tuple[int, int]:
    """The type of a number of the text, and its value: 0x80000000 is unsigned, 2147483648 is long."""
    digits = text.lower().rstrip("ul")
    suffix = text.lower()[len(digits) :]
    based = digits.startswith("0") and len(digits) > 1
    base = 16 if digits.startswith("0x") else 2 if digits.startswith("0b") else 8 if based else 10
    value = int(digits, base)
    kinds = [-64] if "l" in suffix else [-32, -64]
    if "u" in suffix:
        kinds = [-k for k in kinds]
    elif based:
        kinds = [k for kind in kinds for k in (kind, -kind)]
    return next((k for k in kinds if value < 2 ** (abs(k) - (k < 0))), 64), value


def element(text: CText, kind: c_ast.Node, line: int) -> int:
    """The type of a variable's elements; 0 where it holds no integers."""
    while isinstance(kind, c_ast.ArrayDecl | c_ast.PtrDecl):
        kind = kind.type
    try:
        return BITS.get(canonical_type(text, kind, line), 0)
    except ExtractionError:  # a struct, a function, an array behind a typedef
        return 0
