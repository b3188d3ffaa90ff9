"""Sums of sizes in subscripts: `a[i * (n + 2) + j]` has rows of n + 2 elements.

A sum stands for itself, as a size of the name `(2 + n)`, where it divides what an iterator is multiplied by. What no
iterator is multiplied by is divided by it, with a rest: n n + 3 n + 3 is (n + 1) (n + 2) + 1.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import gcd

from polyad.ir.polynomials import gathered
from polyad.pet.checked.polynomials import Monomial, Polynomial
from polyad.pet.derived import Factors, factors_of, sum_name, without

__all__ = ["in_sums", "sums_in", "written_out"]


def sums_in(polynomials: Iterable[Polynomial]) -> list[str]:
    """The sums by which iterators are multiplied, as names."""
    found: list[str] = []
    waiting = [f for p in polynomials for others, f in _by_others(p).items() if others and len(f) > 1]
    waiting.sort(key=lambda f: max(map(len, f)))
    for factors in waiting:
        for name in found:
            whole, rest = _divided(factors, factors_of(name))
            factors = factors if rest else whole
        content = gcd(*factors.values())
        if len(factors) > 1 and max(map(len, factors)) == 1:
            name = sum_name({sizes: f // content for sizes, f in factors.items()})
            found += [name] * (name not in found)
    return found


def in_sums(polynomial: Polynomial, sums: Sequence[str]) -> Polynomial:
    """A polynomial with sums as sizes of their own."""
    result: list[tuple[Monomial, int]] = []
    for others, factors in _by_others(polynomial).items():
        for sizes, factor in _in_sums(factors, sums, rest_is_kept=not others).items():
            result.append((Monomial(sizes, others), factor))
    return gathered(result)


def written_out(polynomial: Polynomial) -> Polynomial:
    """A linear polynomial with the sizes of which its sums are."""
    result: list[tuple[Monomial, int]] = []
    for monomial, factor in polynomial.items():
        names = monomial.sizes
        parts = factors_of(names[0]) if len(names) == 1 and names[0].startswith("(") else {names: 1}
        result += [(Monomial(sizes, monomial.others), factor * f) for sizes, f in parts.items()]
    return gathered(result)


def _by_others(polynomial: Polynomial) -> dict[tuple[int, ...], Factors]:
    """The factors of each product of iterators and data."""
    found: dict[tuple[int, ...], Factors] = {}
    for monomial, factor in polynomial.items():
        found.setdefault(monomial.others, {})[monomial.sizes] = factor
    return found


def _in_sums(factors: Factors, sums: Sequence[str], *, rest_is_kept: bool) -> Factors:
    """The polynomial of sizes with the first sum that divides it as one of them, and so what it is multiplied by."""
    for i, name in enumerate(sums):
        whole, rest = _divided(factors, factors_of(name))
        if whole and rest and rest[max(rest, key=_rank)] < 0:  # n + 1 is no more than n + 2, and stays n + 1
            whole, rest = _added(whole, {(): -1}), _added(rest, factors_of(name))
        if whole and (rest_is_kept or not rest):
            inside = _in_sums(whole, sums[i:], rest_is_kept=rest_is_kept)
            result = {tuple(sorted((*sizes, name))): f for sizes, f in inside.items()}
            return _added(result, rest)
    return factors


def _added(one: Factors, other: Factors) -> Factors:
    """The sum of two polynomials of sizes."""
    found = {sizes: one.get(sizes, 0) + other.get(sizes, 0) for sizes in dict.fromkeys([*one, *other])}
    return {sizes: f for sizes, f in found.items() if f}


def _divided(factors: Mapping[tuple[str, ...], int], divisor: Factors) -> tuple[Factors, Factors]:
    """(quotient, rest) of polynomials of sizes."""
    lead = max(divisor, key=_rank)
    left, whole, rest = dict(factors), Factors(), Factors()
    while left:
        sizes = max(left, key=_rank)
        others = without(sizes, lead)
        if others is None or left[sizes] % divisor[lead]:
            rest[sizes] = left.pop(sizes)
            continue
        factor = left[sizes] // divisor[lead]
        whole[others] = factor
        for term, f in divisor.items():
            product = tuple(sorted((*others, *term)))
            left[product] = left.get(product, 0) - f * factor
            if not left[product]:
                del left[product]
    return whole, rest


def _rank(sizes: tuple[str, ...]) -> tuple[int, tuple[str, ...]]:
    return len(sizes), sizes
