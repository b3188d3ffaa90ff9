"""Completing a definition: normal form, and the proofs that belong to the user's line."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

import islpy as isl

from polyad import islx
from polyad.errors import BoundsError, PolyadError
from polyad.frontend.definition import Definition, Words
from polyad.frontend.lower import Lowering
from polyad.frontend.symbols import Axis, Size
from polyad.ir.affine import Affine
from polyad.ir.array import Array
from polyad.ir.program import Program
from polyad.ir.statement import Statement
from polyad.ops import identity
from polyad.ops.registry import is_number
from polyad.semantics.bounds import check_bounds
from polyad.transforms.rewrite.affine_conditions import split_affine_selects
from polyad.transforms.rewrite.atomise import atomise

__all__ = ["context_set", "finish", "retitle", "without_negative_extents"]


def context_set(symbols: Mapping[str, Size | Axis], params: Sequence[str]) -> isl.Set:
    """[params] -> { : each size is at least its declared minimum }."""
    space = isl.Space.create_from_names(isl.DEFAULT_CONTEXT, set=[], params=list(params)).params()
    result = isl.Set.universe(space)
    for i, name in enumerate(params):
        symbol = symbols[name]
        assert isinstance(symbol, Size)
        result = result.lower_bound_val(isl.dim_type.param, i, isl.Val(symbol.least))
    return result


def without_negative_extents(context: isl.Set, arrays: Iterable[Array]) -> isl.Set:
    """The sizes at which every array has a shape.

    NumPy clips a slice that ends before it begins to nothing, which no affine extent can say: x[1:-1] has N - 2
    elements. What is built on it, a pad back to N or a mean, would take that for -1 at N = 1: N is at least 2 there.
    """
    params = islx.param_names(context)
    space, positions = islx.space(params, "", ()), islx.positions(params, ())
    for extent in dict.fromkeys(e for a in arrays for e in a.shape if any(c < 0 for c in _numbers(e))):
        shaped = isl.PwAff.from_aff(extent.to_aff(space, positions)).nonneg_set().params()
        if not context.is_subset(shaped):
            context = context.intersect(shaped)
    return context


def _numbers(extent: Affine) -> Iterator[int]:
    """All numbers in an extent; where none is negative, the extent is not."""
    yield extent.constant
    for atom, c in extent.terms:
        yield c
        if not isinstance(atom, str):
            yield from _numbers(atom.numerator)


def retitle(error: PolyadError, definitions: Iterable[Definition]) -> PolyadError:
    """The same error in the user's names, those of some definitions among them."""
    words = Words.of(definitions)
    error.args = tuple(words(a) if isinstance(a, str) else a for a in error.args)
    if isinstance(error, BoundsError):
        error.instance = {words(k): v for k, v in error.instance.items()}
    return error


def finish(lowering: Lowering, main: Sequence[str], extra: Mapping[str, Array] | None = None) -> Definition:
    """Bring the statements into normal form and prove their accesses inside the arrays.

    Args:
        lowering: statements of one definition.
        main: the arrays the user sees.
        extra: arrays that are being defined together with these.

    Raises:
        BoundsError: an access is not provably inside its array, with one instance.
    """
    params = lowering.params
    arrays = dict(extra or {})
    for operand in lowering.operands.values():
        arrays.update(operand.arrays)
    read = {r.array for s in lowering.statements for r in s.reads()}
    inputs = {n: a.with_role("input") for n, a in arrays.items() if n in read and n not in lowering.arrays}
    context = context_set(lowering.symbols, params)
    statements = [piece for s in lowering.statements for piece in _contributing(split_affine_selects(s))]
    small = Program(
        lowering.hint, context, {**inputs, **lowering.arrays}, tuple(statements), tuple(inputs), tuple(main)
    )
    normal = atomise(small)
    try:
        for s in normal.statements:
            check_bounds(s, normal.arrays, context)
    except PolyadError as error:
        raise retitle(error, lowering.operands.values()) from None
    own = {n: a for n, a in normal.arrays.items() if n not in inputs}
    sizes = {n: s for n, s in lowering.symbols.items() if isinstance(s, Size)}
    return Definition(own, normal.statements, tuple(lowering.operands.values()), sizes, lowering.where)


def _contributing(pieces: list[Statement]) -> list[Statement]:
    """The pieces of a statement without those that contribute what changes nothing, such as the border of a maximum.

    One stays, so that its array has a reduction, whose identity is what nothing contributes to.
    """
    return [p for p in pieces if not _is_neutral(p)] or pieces


def _is_neutral(s: Statement) -> bool:
    return s.reduction is not None and is_number(s.body, identity(s.reduction, s.body.dtype))
