"""Integers that are 0 or more: C divides those as mathematics does.

Quotients of polyad round down, those of C towards 0; they agree where the dividend is not negative (divisors are
positive numbers, always). The property that must hold: `/` is written for such dividends only. It is proved by signs:
sizes that the context says are not negative, iterators all of whose loops begin at 0 or above, and sums of such with
positive coefficients. Multiples of the divisor leave a dividend first, so that `(N - 3) // 3` becomes `N // 3 - 1`:
what is left has coefficients between 0 and the divisor. Whether sizes are what the context says is tested before
anything else is computed, and that test itself divides as polyad does.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import islpy as isl

from polyad import islx
from polyad.codegen.loops.loop_values import Choice, Extreme, Value
from polyad.codegen.loops.nodes import Let, Loop, Node, Share
from polyad.codegen.loops.traversal import nodes
from polyad.ir.affine import Affine, FloorDiv

__all__ = ["at_all_sizes", "is_nonnegative", "nonnegative_names", "nonnegative_sizes", "plain_divisions"]


def at_all_sizes(value: Affine, params: Sequence[str], context: isl.Set) -> bool:
    """Whether an expression of sizes is 0 or more wherever the context holds: what isl proves, and not signs alone.

    Args:
        value: an expression of the sizes.
        params: the sizes.
        context: [params] -> { : ... }.
    """
    if value.is_constant:
        return value.constant >= 0
    space = islx.space(params, "", ())
    zero = isl.Aff.zero_on_domain(isl.LocalSpace.from_space(space))
    allowed = isl.Set.universe(space).intersect_params(context)
    return bool(allowed.is_subset(value.to_aff(space, islx.positions(params, ())).ge_set(zero)))


def nonnegative_sizes(params: Sequence[str], context: isl.Set) -> frozenset[str]:
    """The sizes that are 0 or more wherever the context holds."""
    return frozenset(n for n in params if at_all_sizes(Affine.of(n), params, context))


def nonnegative_names(loops: Node, sizes: frozenset[str]) -> frozenset[str]:
    """The sizes and iterators that are 0 or more wherever they are mentioned.

    An iterator is, if all loops of this name begin at 0 or above. That is supposed of all, and given up for those that
    do not keep it; what is left is right by induction from outer loops to inner ones.

    Args:
        loops: the loops of a kernel.
        sizes: from `nonnegative_sizes`.
    """
    least: dict[str, list[Value]] = {}
    others: set[str] = set()
    for node in nodes(loops):
        match node:
            case Loop(iterator=name):
                least.setdefault(name, []).append(node.limits[0])
            case Let(name=name, value=value):
                least.setdefault(name, []).append(value)
            case Share(first=first_name, last=last_name):
                others |= {first_name, last_name}
            case _:
                pass
    known = sizes | (least.keys() - others)
    while True:
        kept = sizes | {n for n in known - sizes if all(_is_nonnegative(v, known) for v in least[n])}
        if kept == known:
            return known
        known = kept


def _is_nonnegative(value: Value, known: frozenset[str]) -> bool:
    match value:
        case Affine():
            return is_nonnegative(plain_divisions(value, known), known)
        case Extreme(kind, args):
            found: Iterable[bool] = (_is_nonnegative(a, known) for a in args)
            return any(found) if kind == "max" else all(found)
        case Choice(_, a, b):
            return _is_nonnegative(a, known) and _is_nonnegative(b, known)


def is_nonnegative(value: Affine, known: frozenset[str]) -> bool:
    """Whether an expression is 0 or more, by the signs of what it is made of, where the names `known` are."""
    return value.constant >= 0 and all(
        c > 0 and (atom in known if isinstance(atom, str) else is_nonnegative(atom.numerator, known))
        for atom, c in value.terms
    )


def plain_divisions(value: Affine, known: frozenset[str]) -> Affine:
    """The same expression with dividends of 0 or more, as far as multiples of the divisors make them so."""
    if not any(isinstance(atom, FloorDiv) for atom, _ in value.terms):
        return value
    result = Affine.of(value.constant)
    for atom, c in value.terms:
        if isinstance(atom, str):
            result += Affine(((atom, 1),), 0) * c
            continue
        numerator, divisor = plain_divisions(atom.numerator, known), atom.divisor
        quotient = Affine()
        if not is_nonnegative(numerator, known):
            rest = Affine(
                tuple((a, k % divisor) for a, k in numerator.terms if k % divisor), numerator.constant % divisor
            )
            if is_nonnegative(rest, known):
                quotient = Affine(
                    tuple((a, k // divisor) for a, k in numerator.terms if k // divisor), numerator.constant // divisor
                )
                numerator = rest
        result += (quotient + numerator // divisor) * c
    return result
