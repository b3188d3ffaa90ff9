"""Subscripts as polynomials of iterators, sizes and data: `(i * m + j) * p + k` is i m p + j p + k.

Monomial ::= sizes, others      others are iterators, and values that data decide
Polynomial ::= Monomial -> factor
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import islpy as isl

from polyad.ir.polynomials import gathered
from polyad.pet.scop import Access, Affine, Call, Cast, Node, Number, Operation, nodes

__all__ = ["Monomial", "Polynomial", "Products", "in_factors", "polynomial_of"]


@dataclass(frozen=True, slots=True, order=True)
class Monomial:
    """A product.

    Attributes:
        sizes: names of sizes, sorted, as often as they are factors.
        others: positions of iterators, and of data behind them, sorted.
    """

    sizes: tuple[str, ...] = ()
    others: tuple[int, ...] = ()

    def __mul__(self, other: Monomial) -> Monomial:
        return Monomial(tuple(sorted(self.sizes + other.sizes)), tuple(sorted(self.others + other.others)))


Polynomial = Mapping[Monomial, int]

Products = Mapping[str, tuple[str, ...]]
"""Size -> sizes whose product it is."""

_ONE = Monomial()


def polynomial_of(access: Access, data: list[Node]) -> Polynomial | None:
    """The one subscript of an access.

    Args:
        access: with a rank of 1.
        data: gets the values that no polynomial of iterators and sizes gives: those that data decide, and `Affine`
            functions with quotients or cases; as `others`, they are counted from the number of iterators on.

    Returns:
        None where arguments take part in quotients or cases.
    """
    pieces = access.index.get_at(0).get_pieces()
    count = len(access.arguments)
    iterators = access.index.dim(isl.dim_type.in_) - count
    factors = {_factors(aff, iterators, count) for _, aff in pieces}
    if len(factors) != 1 or (found := factors.pop()) is None:
        return None
    parts = _own_part(access, iterators, data)
    if parts is None:
        return None
    for argument, factor in zip(access.arguments, found, strict=True):
        if factor:
            inner = _polynomial(argument, iterators, data)
            if inner is None:
                return None
            parts += [(m, f * factor) for m, f in inner.items()]
    return gathered(parts)


def in_factors(polynomial: Polynomial, products: Products) -> Polynomial:
    """A polynomial with the factors of sizes in their place: C is NH hs."""

    def sizes(name: str) -> tuple[str, ...]:
        return tuple(s for factor in products[name] for s in sizes(factor)) if name in products else (name,)

    return gathered(
        [
            (Monomial(tuple(sorted(s for name in m.sizes for s in sizes(name))), m.others), f)
            for m, f in polynomial.items()
        ]
    )


def _factors(aff: isl.Aff, iterators: int, count: int) -> tuple[int, ...] | None:
    """By what the arguments of a subscript are multiplied; None where it divides them."""
    divided = [aff.get_div(k) for k in range(aff.dim(isl.dim_type.div))]
    if any(d.involves_dims(isl.dim_type.in_, iterators, count) for d in divided):
        return None
    found = [aff.get_coefficient_val(isl.dim_type.in_, iterators + k) for k in range(count)]
    return tuple(int(v.to_python()) for v in found) if all(v.is_int() for v in found) else None


def _own_part(access: Access, iterators: int, data: list[Node]) -> list[tuple[Monomial, int]] | None:
    """A subscript without its arguments; None where these decide between cases."""
    subscript = access.index.get_at(0)
    aff = _single(subscript)
    if aff is not None:
        return list(_terms(aff, iterators))
    if not access.arguments:
        return [_opaque(Affine(subscript, 0), iterators, data)]
    space = subscript.get_domain_space().unwrap()
    whole = isl.MultiAff.identity_on_domain_space(space.domain())
    at_zero = whole.range_product(isl.MultiAff.zero(space))  # { S[i] -> [S[i] -> [0]] }
    result: isl.PwAff | None = None
    known = isl.Set.empty(space.domain())
    for where, function in subscript.get_pieces():
        # That it is not negative, which pet says in terms of the arguments, says nothing of the case.
        here = where.unwrap().domain()
        if not here.is_disjoint(known):
            return None
        known = known.union(here)
        part = isl.PwAff.alloc(here, function.pullback_multi_aff(at_zero))
        result = part if result is None else result.union_add(part)
    return None if result is None else [_opaque(Affine(result, 0), iterators, data)]


def _opaque(node: Node, iterators: int, data: list[Node]) -> tuple[Monomial, int]:
    """A value as it is."""
    data.append(node)
    return Monomial((), (iterators + len(data) - 1,)), 1


def _single(function: isl.PwAff) -> isl.Aff | None:
    """A function that has one case and takes no quotients."""
    pieces = function.get_pieces()
    if len(pieces) != 1:
        return None
    aff = pieces[0][1]
    whole = aff.get_denominator_val().is_one() and aff.dim(isl.dim_type.div) == 0
    return aff if whole else None


def _terms(aff: isl.Aff, iterators: int) -> Iterator[tuple[Monomial, int]]:
    yield _ONE, int(aff.get_constant_val().to_python())
    for i in range(aff.dim(isl.dim_type.param)):
        name = str(aff.get_dim_name(isl.dim_type.param, i))
        yield Monomial((name,)), int(aff.get_coefficient_val(isl.dim_type.param, i).to_python())
    for i in range(iterators):
        yield Monomial((), (i,)), int(aff.get_coefficient_val(isl.dim_type.in_, i).to_python())


def _polynomial(node: Node, iterators: int, data: list[Node]) -> Polynomial | None:
    match node:
        case Number(text):
            return {_ONE: int(text)}
        case Affine(value):
            aff = _single(value)
            terms = [_opaque(node, iterators, data)] if aff is None else list(_terms(aff, iterators))
            return gathered(terms)
        case Cast(argument=argument) if not any(isinstance(n, Access | Call) for n in nodes(argument)):
            return _polynomial(argument, iterators, data)  # in a subscript it is between integers
        case Operation("add" | "sub" | "mul", (left, right)):
            a, b = _polynomial(left, iterators, data), _polynomial(right, iterators, data)
            if a is None or b is None:
                return None
            if node.op == "mul":
                return gathered([(m * n, f * g) for m, f in a.items() for n, g in b.items()])
            sign = -1 if node.op == "sub" else 1
            return gathered([*a.items(), *((m, sign * f) for m, f in b.items())])
        case Operation("minus", (argument,)):
            inner = _polynomial(argument, iterators, data)
            return None if inner is None else {m: -f for m, f in inner.items()}
        case _ if any(isinstance(n, Access | Call) for n in nodes(node)):
            return gathered([_opaque(node, iterators, data)])
        case _:
            return None
