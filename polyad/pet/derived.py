"""Numbers that a function has from its integer parameters: sizes of the program that no caller gives.

    hs = C / NH     where the caller has said that it is exact
    BT = B * T      where it bounds a loop

A sum of sizes that is a factor of one, or that rows are apart, has a name: `(2 + n)`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from math import gcd, prod
from typing import Literal

__all__ = ["Derived", "Factors", "factors_of", "names_of", "size_of", "sum_name", "without"]

Factors = dict[tuple[str, ...], int]
"""A polynomial of sizes: those that are multiplied -> the factor."""


@dataclass(frozen=True, slots=True)
class Derived:
    """A quotient or a product of parameters.

    Attributes:
        op: the operator.
        of: the parameters, or sums of them; of a quotient two parameters.
    """

    op: Literal["*", "/"]
    of: tuple[str, ...]

    def __str__(self) -> str:
        return f" {self.op} ".join(self.of)

    @property
    def names(self) -> list[str]:
        """The parameters."""
        return names_of(self.of)

    def value(self, given: Mapping[str, int]) -> int | None:
        """The number for some parameters; None where a quotient is not exact."""
        numbers = [sum(f * prod(given[n] for n in sizes) for sizes, f in factors_of(n).items()) for n in self.of]
        if self.op == "*":
            return prod(numbers)
        above, below = numbers
        return None if below < 1 or above % below else above // below

    def factors(self, name: str) -> dict[str, tuple[str, ...]]:
        """The product that this is, or takes part in: {name: (B, T)}, {C: (NH, name)}."""
        return {name: self.of} if self.op == "*" else {self.of[0]: (self.of[1], name)}

    def text(self) -> str:
        """The value as C text, -1 where a quotient is not exact."""
        if self.op == "*":
            return " * ".join(["(int64_t)" + self.of[0], *self.of[1:]])
        above, below = self.of
        return f"{below} > 0 && {above} % {below} == 0 ? (int64_t)({above} / {below}) : -1"


def names_of(sizes: Iterable[str]) -> list[str]:
    """The names of sizes, those in sums among them."""
    return sorted({word for size in sizes for word in re.findall(r"[A-Za-z_]\w*", size)})


def size_of(text: str) -> tuple[int, tuple[str, ...]] | None:
    """(factor, sizes) of an extent as C text: a number times a size or a sum of sizes; None for others."""
    inner = re.fullmatch(r"\s*(?:\(([\w\s*+-]+)\)|([\w\s*+-]+))\s*", text)
    factors = factors_of(inner[1] or inner[2]) if inner else {}
    if not factors or max(map(len, factors)) > 1:
        return None
    content = gcd(*factors.values())
    if len(factors) == 1:
        ((sizes, factor),) = factors.items()
        return factor, sizes
    return content, (sum_name({sizes: f // content for sizes, f in factors.items()}),)


def sum_name(factors: Factors) -> str:
    """A sum as C text in parentheses, the number first."""
    text = ""
    for sizes, factor in sorted(factors.items()):
        term = "".join(sizes) if sizes and abs(factor) == 1 else " * ".join([str(abs(factor)), *sizes])
        text += (" - " if factor < 0 else " + ") * bool(text) + ("-" if factor < 0 and not text else "") + term
    return f"({text})"


def factors_of(name: str) -> Factors:
    """The sum that a name stands for, or a size alone."""
    found = Factors()
    for sign, term in re.findall(r"(^|[-+])\s*([^-+]+)", name.strip("()")):
        words = re.findall(r"\w+", term)
        sizes = tuple(w for w in words if not w.isdigit())
        number = prod(int(w) for w in words if w.isdigit())
        found[sizes] = found.get(sizes, 0) + (-number if sign == "-" else number)
    return found


def without(whole: tuple[str, ...], part: tuple[str, ...]) -> tuple[str, ...] | None:
    """Return a list of sizes without some of them; None where they are not all in it."""
    rest = list(whole)
    for name in part:
        if name not in rest:
            return None
        rest.remove(name)
    return tuple(rest)
