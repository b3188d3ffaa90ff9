"""Givens of a loop nest, as its function says them: sizes, arrays, numbers, and what is assumed of sizes."""

from __future__ import annotations

from collections.abc import Sequence

import islpy as isl

from polyad import islx
from polyad.errors import ExtractionError
from polyad.frontend.finish import without_negative_extents
from polyad.ir.affine import Affine
from polyad.ir.array import Array
from polyad.pet.c_extents import numerators, read_extent
from polyad.pet.equations.arguments import Argument
from polyad.pet.equations.expressions import read_type
from polyad.pet.prototype import BITS, Constants, Function, Parameter
from polyad.pet.refusal import refusal
from polyad.pet.scop import Scop

__all__ = ["argument_of", "constants_of", "context_of", "sizes_of"]


def sizes_of(scop: Scop, function: Function) -> tuple[str, ...]:
    """The integers passed by value that domains, subscripts or extents depend on, in the order of the prototype."""
    used = set(islx.param_names(scop.context))
    for parameter in function.parameters:
        for text in parameter.shape:
            extent = read_extent(text) if text else None
            used |= extent.names() if extent is not None else frozenset()
    return tuple(p.name for p in function.parameters if p.by_value and p.name in used)


def _unknown_type(scop: Scop, of: Parameter | Constants) -> ExtractionError:
    sentence = f"`{of.name}` is of the type `{of.type}`, which polyad does not have; use double, float, int or int64_t"
    return refusal(scop.path, scop.lines[0], of.type, sentence)


def argument_of(parameter: Parameter, scop: Scop, sizes: Sequence[str], function: Function) -> Argument:
    """An array or a number that the function is given, or the one that holds what it returns.

    Raises:
        ExtractionError: polyad has no such elements, or its extents are no affine functions of the sizes.
    """
    dtype = read_type(parameter.type)
    if dtype is None:
        raise _unknown_type(scop, parameter)
    shape = tuple(read_extent(text) if text else None for text in parameter.shape)
    for text, extent in zip(parameter.shape, shape, strict=True):
        if text and (extent is None or not extent.names() <= set(sizes)):
            sentence = (
                f"the extent `{text}` of `{parameter.name}` is no affine function of the integers that the function is "
                "given; pass it as an `int`, or write the number, by `#define` if need be"
            )
            raise refusal(scop.path, function.line, parameter.name, sentence)
    return Argument(parameter.name, dtype, shape, parameter.by_value, parameter.name == function.returned)


def constants_of(table: Constants, scop: Scop) -> Argument:
    """A table of numbers of the text.

    Raises:
        ExtractionError: polyad has no such elements.
    """
    dtype = read_type(table.type)
    if dtype is None or not _fit(table):
        raise _unknown_type(scop, table)
    return Argument(table.name, dtype, tuple(map(Affine.of, table.shape)), values=table.values)


def _fit(table: Constants) -> bool:
    """Whether the values of a table stay as they are written: `unsigned char` holds no 300."""
    bits = BITS.get(table.type, 0)
    if not 0 < abs(bits) < 32 or table.type == "_Bool":
        return table.type != "_Bool"
    least, most = (-(2 ** (-bits - 1)), 2 ** (-bits - 1)) if bits < 0 else (0, 2**bits)
    return all(isinstance(v, int) and least <= v < most for v in table.values)


def context_of(scop: Scop, sizes: Sequence[str], arguments: Sequence[Argument]) -> isl.Set:
    """[sizes] -> { : ... }: none is negative, no extent is, and what the C text assumes.

    Raises:
        ExtractionError: a size is no parameter of the function.
    """
    space = islx.space(sizes, "", ()).params()
    least = isl.Set.universe(space)
    limits = isl.Set.universe(space)
    for i in range(len(sizes)):
        least = least.lower_bound_val(isl.dim_type.param, i, isl.Val(0))
        limits = limits.lower_bound_val(isl.dim_type.param, i, isl.Val(-(2**31)))
        limits = limits.upper_bound_val(isl.dim_type.param, i, isl.Val(2**31 - 1))
    unknown = [p for p in islx.param_names(scop.context) if p not in sizes]
    if unknown:
        sentence = (
            f"{', '.join(unknown)} decides which iterations run, but is no parameter of the function; pass it as an "
            "`int` by value"
        )
        raise refusal(scop.path, scop.lines[0], unknown[0], sentence)
    context = scop.context.align_params(space).gist(limits.intersect(least)).intersect(least)
    known = [Array(a.name, tuple(e for e in a.shape if e is not None), a.dtype) for a in arguments]
    for divided in dict.fromkeys(n for array in known for extent in array.shape for n in numerators(extent)):
        whole = divided.to_aff(space, islx.positions(sizes, ()))
        context = context.intersect(whole.ge_set(isl.Aff.zero_on_domain_space(space)).params())
    return _away_from_the_end(without_negative_extents(context, known).coalesce())


def _away_from_the_end(context: isl.Set) -> isl.Set:
    """The sizes without those next to the end of `int` at which nothing overflows only because a loop is empty.

    `t + 2` in a loop over i overflows at T = 2147483647, but not if n <= 2. No array has that many elements, and what
    is said of such sizes apart makes every domain longer.
    """
    below = isl.Set.universe(context.get_space())
    for i in range(context.dim(isl.dim_type.param)):
        below = below.upper_bound_val(isl.dim_type.param, i, isl.Val(2**30))
    usual = [piece for piece in islx.basic_sets(context) if not piece.to_set().is_disjoint(below)]
    return isl.Set.from_basic_set(usual[0]) if len(usual) == 1 else context
