"""Affine functions and conditions of integers that data decide: `if (idx[i] > 3 && idx[i] < n)`.

pet takes such integers as further dimensions: { [S[i] -> [a0, a1]] : a0 > 3 }, where a0 and a1 are values of
expressions. Here they become expressions again, over { S[i] } alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce

import islpy as isl

from polyad.pet.scop import Affine, Node, Number, Operation

__all__ = ["Undescribed", "condition", "value"]

_INT = -32
_IN = isl.dim_type.in_


class Undescribed(Exception):
    """A remainder or a quotient of something that data decide."""


def condition(points: isl.Set, arguments: Sequence[Node]) -> Node:
    """Whether the arguments' values are among the points.

    Args:
        points: { [S[i] -> [a0, a1]] : ... }.
        arguments: the values of a0 and a1.

    Raises:
        Undescribed: the set is not described by inequalities of them.
    """
    parts: list[Node] = []
    for piece in points.remove_redundancies().coalesce().get_basic_sets():
        tests: list[Node] = []
        for constraint in piece.get_constraints():
            op = "eq" if constraint.is_equality() else "ge"
            tests.append(Operation(op, (_linear(constraint.get_aff(), arguments), Number("0", _INT)), _INT))
        parts.append(reduce(lambda a, b: Operation("land", (a, b), _INT), tests) if tests else Number("1", _INT))
    return reduce(lambda a, b: Operation("lor", (a, b), _INT), parts) if parts else Number("0", _INT)


def value(function: isl.PwAff, arguments: Sequence[Node]) -> Node:
    """The value of a function of the arguments.

    Args:
        function: { [S[i] -> [a0, a1]] -> [(a0 + i)] }, in pieces if need be.
        arguments: the values of a0 and a1.

    Raises:
        Undescribed: it takes quotients of them.
    """
    pieces = function.get_pieces()
    result = _linear(pieces[-1][1], arguments)
    for points, aff in reversed(pieces[:-1]):
        result = Operation("cond", (condition(points, arguments), _linear(aff, arguments), result), _INT)
    if all(aff.is_cst() for _, aff in pieces) and {str(aff.get_constant_val()) for _, aff in pieces} <= {"0", "1"}:
        true = [points for points, aff in pieces if aff.get_constant_val().is_one()]
        return condition(reduce(isl.Set.union, true), arguments) if true else Number("0", _INT)
    return result


def _linear(aff: isl.Aff, arguments: Sequence[Node]) -> Node:
    """The value of an affine function: what it takes of arguments, and the rest."""
    first = aff.dim(_IN) - len(arguments)
    if not aff.get_denominator_val().is_one() or any(
        _involves(aff.get_div(k), first) for k in range(aff.dim(isl.dim_type.div))
    ):
        raise Undescribed
    terms: list[Node] = []
    for k, argument in enumerate(arguments):
        factor = int(aff.get_coefficient_val(_IN, first + k).to_python())
        if factor == 1:
            terms.append(argument)
        elif factor != 0:
            terms.append(Operation("mul", (Number(str(factor), _INT), argument), _INT))
    rest = aff.pullback_multi_aff(_at_zero(aff.get_domain_space()))
    if not rest.is_cst() or not rest.get_constant_val().is_zero() or not terms:
        terms.append(Affine(isl.PwAff.from_aff(rest), _INT))
    return reduce(lambda a, b: Operation("add", (a, b), _INT), terms)


def _involves(quotient: isl.Aff, first: int) -> bool:
    return bool(quotient.involves_dims(_IN, first, quotient.dim(_IN) - first))


def _at_zero(wrapped: isl.Space) -> isl.MultiAff:
    """{ S[i] -> [S[i] -> [0, 0]] }."""
    both = wrapped.unwrap()
    instance = both.domain()
    identity = isl.MultiAff.identity_on_domain_space(instance)
    zeros = isl.MultiAff.zero(instance.map_from_domain_and_range(both.range()))
    return identity.range_product(zeros)
