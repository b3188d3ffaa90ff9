"""Products of extents, as far as `reshape` needs to compare and divide them.

They stay products, and are not multiplied out to `polyad.ir.polynomials`: affine factors cannot be divided further, so
equal products have equal factors, and a quotient is what is left of them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from math import gcd

from polyad.frontend.scalar import IndexExpr
from polyad.frontend.symbols import Symbols, merge_symbols
from polyad.ir.affine import Affine

__all__ = ["ExtentProduct"]


@dataclass(frozen=True, slots=True)
class ExtentProduct:
    """constant * product of primitive affine factors, a canonical form.

    Attributes:
        constant: the integer factor.
        factors: primitive (coefficients without common divisor) non-constant factors, sorted by their text.
        symbols: the sizes that occur.
    """

    constant: int
    factors: tuple[Affine, ...]
    symbols: Symbols

    @staticmethod
    def of(extents: Iterable[IndexExpr]) -> ExtentProduct:
        """The product of these extents."""
        constant, factors = 1, []
        symbols: Symbols = {}
        for extent in extents:
            symbols = merge_symbols(symbols, extent.symbols)
            affine = extent.affine
            if affine.is_constant:
                constant *= affine.constant
            else:
                content = gcd(affine.constant, *(c for _, c in affine.terms))
                constant *= content
                factors.append(affine // content)
        return ExtentProduct(constant, tuple(sorted(factors, key=str)), symbols)

    def same(self, other: ExtentProduct) -> bool:
        """Equal for all sizes."""
        return self.constant == other.constant and self.factors == other.factors

    def over(self, other: ExtentProduct) -> ExtentProduct | None:
        """self / other, or None where it is not a polynomial with integer coefficients."""
        mine, theirs = Counter(self.factors), Counter(other.factors)
        if other.constant == 0 or self.constant % other.constant or theirs - mine:
            return None
        left = sorted((mine - theirs).elements(), key=str)
        return ExtentProduct(self.constant // other.constant, tuple(left), merge_symbols(self.symbols, other.symbols))

    def extent(self) -> IndexExpr | None:
        """The product as an extent, or None where it is not affine in the sizes."""
        if len(self.factors) > 1:
            return None
        affine = self.factors[0] * self.constant if self.factors else Affine.of(self.constant)
        return IndexExpr(affine, self.symbols)

    def __str__(self) -> str:
        texts = [f"({f})" if len(f.terms) > 1 or f.constant else str(f) for f in self.factors]
        return "*".join([str(self.constant)] * (self.constant != 1 or not texts) + texts)
