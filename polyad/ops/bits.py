"""Bits of integers: and, or, exclusive or, not, shifts, the count of ones.

All is defined, as in NumPy: a shift by no bit count of the type (negative, or its width and more) moves every bit out,
so that what is left of a number are zeros, and of a negative one that is shifted to the right ones.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from polyad.ir.expr import Apply, Expr
from polyad.ops.registry import binary, const, is_number, unary

__all__: list[str] = []

_ANY = (-9.0, 9.0)
_PLACES = (0.0, 9.0)


def _bitwise(name: str, value: Callable[..., Any], symbol: str, doc: str) -> None:
    """An operator of bits; of two truth values it is that of truth values."""

    def fold(args: tuple[Expr, ...]) -> Expr | None:
        for one, other in (args, args[::-1]):
            if is_number(one, 0):  # no bits: the other argument, but for `and`
                return one if symbol == "&" else other
            if symbol == "&" and is_number(one, const(-1, other.dtype).value):
                return other
        return None

    c, written = f"{{0}} {symbol} {{1}}", f"x {symbol} y"
    binary(name, value, None, (_ANY, _ANY), c=c, kind="integer", cost=1, fold=fold, written=written, doc=doc)


def _shift(name: str, value: Callable[..., Any], symbol: str, doc: str) -> None:
    def fold(args: tuple[Expr, ...]) -> Expr | None:
        return args[0] if is_number(args[1], 0) or is_number(args[0], 0) else None

    binary(name, value, None, (_ANY, _PLACES), kind="integer", cost=1, fold=fold, written=f"x {symbol} y", doc=doc)


def _fold_not(args: tuple[Expr, ...]) -> Expr | None:
    match args[0]:
        case Apply("bitwise_not", (inner,), _):
            return inner
    return None


_bitwise("bitwise_and", np.bitwise_and, "&", "the bits that both integers have")
_bitwise("bitwise_or", np.bitwise_or, "|", "the bits that one of the integers has, or both")
_bitwise("bitwise_xor", np.bitwise_xor, "^", "the bits in which the integers differ")
unary(
    "bitwise_not",
    np.invert,
    None,
    _ANY,
    c="~{0}",
    kind="integer",
    cost=1,
    fold=_fold_not,
    written="~x",
    doc="every bit of an integer turned around",
)
_shift(
    "left_shift",
    np.left_shift,
    "<<",
    "the bits of x moved up by y places; 0 where y is negative or no less than their number",
)
_shift(
    "right_shift",
    np.right_shift,
    ">>",
    "the bits of x moved down by y places; all are its sign where y is negative or no less than their number",
)
