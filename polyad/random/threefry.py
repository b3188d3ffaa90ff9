"""Threefry-2x32: two words of 32 bits from a key and a counter, both of two words, by twenty rounds of +, rotation, ^.

    x0 <- x0 + x1;   x1 <- rotated(x1, r) ^ x0        r from a table; after each four rounds the key is added again

J. K. Salmon et al., "Parallel random numbers: as easy as 1, 2, 3", SC 2011. There is no state: element i of an array of
random numbers is a function of the key and of i alone, an equation as any other. It is written once, for arrays of
NumPy and for elements of tensors. Of tensors each round is two definitions: an expression is a tree, and x1, which a
round reads three times, would stand in it 3^20 times.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from polyad.frontend.scalar import IndexExpr
from polyad.frontend.tensor import Extent, Tensor, define

__all__ = ["Words", "hashed", "hashed_values"]

Words = tuple[Any, Any]
"""Two words of 32 bits."""

_PARITY = 0x1BD11BDA
_ROTATIONS = (13, 15, 26, 6, 17, 29, 16, 24)
_ROUNDS = 20


def _schedule(key: Words) -> tuple[Any, Any, Any]:
    """The words that are added in turn."""
    return key[0], key[1], key[0] ^ key[1] ^ _PARITY


def _started(counter: Words, key: Sequence[Any]) -> Words:
    return counter[0] + key[0], counter[1] + key[1]


def _round(n: int, words: Words, key: Sequence[Any]) -> Words:
    """Round n, with what is added behind it."""
    by = _ROTATIONS[n % 8]
    x0 = words[0] + words[1]
    x1 = ((words[1] << by) | (words[1] >> (32 - by))) ^ x0
    if n % 4 < 3:
        return x0, x1
    turn = n // 4 + 1
    return x0 + key[turn % 3], x1 + key[(turn + 1) % 3] + turn


def hashed_values(key: np.ndarray[Any, Any], counter: Words) -> Words:
    """The two words of counters that are arrays of NumPy (uint32), for one key uint32[2]."""
    schedule = _schedule((key[:1], key[1:]))
    words = _started(counter, schedule)
    for n in range(_ROUNDS):
        words = _round(n, words, schedule)
    return words


def hashed(
    key: Tensor, counter: Callable[[Sequence[IndexExpr]], Words], shape: Sequence[Extent]
) -> tuple[Tensor, Tensor]:
    """The two words of each element of a shape.

    Args:
        key: uint32[2].
        counter: the axes of an element -> its counter, two scalars of type uint32.
        shape: extents.
    """
    own = key.element((0,)), key.element((1,))
    third = define((), lambda: _schedule(own)[2], "key_parity")
    schedule = (*own, third.element(()))

    def defined(n: int, before: Callable[[Sequence[IndexExpr]], Words]) -> tuple[Tensor, Tensor]:
        """The words behind round n, by those before it."""
        first = define(shape, lambda *i: _round(n, before(i), schedule)[0], "x0")
        return first, define(shape, lambda *i: _round(n, before(i), schedule)[1], "x1")

    x0, x1 = defined(0, lambda i: _started(counter(i), schedule))
    for n in range(1, _ROUNDS):
        x0, x1 = defined(n, _elements(x0, x1))
    return x0, x1


def _elements(x0: Tensor, x1: Tensor) -> Callable[[Sequence[IndexExpr]], Words]:
    return lambda index: (x0.element(index), x1.element(index))
