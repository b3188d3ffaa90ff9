"""Arguments of a C function: types and extents of its arrays, as far as the prototype or the loop nest says them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import islpy as isl

from polyad import islx
from polyad.frontend.finish import without_negative_extents
from polyad.ir.affine import Affine
from polyad.ir.array import Array
from polyad.pet.checked.small_sizes import small_sizes
from polyad.pet.dataflow.assignments import Assignment
from polyad.pet.equations.expressions import element_type
from polyad.pet.refusal import SourcePlace, refusal
from polyad.pet.scop import Access, Scop, nodes
from polyad.transforms.rewrite.extents import affine_bounds

__all__ = ["Argument", "shapes_of", "type_of"]


@dataclass(frozen=True, slots=True)
class Argument:
    """An array or a number that the C function is given.

    Attributes:
        name: in C.
        dtype: element type.
        shape: extents; None where the prototype does not say one.
        is_value: whether it is a number passed by value, which the caller never sees changed.
        is_result: whether it holds what the function returns, and nothing before.
        values: of an array that is part of the text, row by row; none of what the caller gives.
    """

    name: str
    dtype: str
    shape: tuple[Affine | None, ...]
    is_value: bool = False
    is_result: bool = False
    values: tuple[float | int, ...] = ()


def type_of(name: str, arguments: Mapping[str, Argument], scop: Scop) -> str:
    """The element type of an array of the loop nest.

    Raises:
        ExtractionError: polyad does not have it.
    """
    if name in arguments:
        return arguments[name].dtype
    dtype = element_type(scop.arrays[name].type)
    if dtype is None:
        raise refusal(
            scop.path,
            scop.lines[0],
            scop.arrays[name].type,
            f"`{name}` is of the type `{scop.arrays[name].type}`, which polyad does not have; use double, float, int "
            "or int64_t",
        )
    return dtype


def shapes_of(
    arguments: Sequence[Argument], statements: Sequence[Assignment], context: isl.Set, where: SourcePlace
) -> tuple[dict[str, tuple[Affine, ...]], isl.Set]:
    """The extents that the prototype says; else as far as the loop nest reaches.

    `m = x[0]` before a loop over n elements of x makes no n + 1 of them: small sizes at which a nest reaches farther
    are left out (meaningful_sizes.py), as they are of arrays that are declared with their extents.

    Returns:
        Array -> its extents, and the sizes at which none of them is negative.

    Raises:
        ExtractionError: neither says it.
    """
    shapes = {a.name: _shape(a, statements, context, where) for a in arguments}
    return shapes, without_negative_extents(context, (Array(a.name, shapes[a.name], a.dtype) for a in arguments))


def _shape(
    argument: Argument, statements: Sequence[Assignment], context: isl.Set, where: SourcePlace
) -> tuple[Affine, ...]:
    if all(e is not None for e in argument.shape):
        return tuple(e for e in argument.shape if e is not None)
    reached: dict[int, isl.Set] = {}  # position -> { [c] }
    for s in statements:
        for node in (s.target, *nodes(s.value)):
            if isinstance(node, Access) and node.array == argument.name:
                for position, there in _reached(node, s.domain):
                    touched = there.align_params(context.get_space())
                    reached[position] = reached[position].union(touched) if position in reached else touched
    shape = []
    for position, extent in enumerate(argument.shape):
        bounds = None
        if extent is None and position in reached:
            bounds = _bounds(reached[position].coalesce(), context)
        if extent is None and bounds is None:
            raise where.refusal(
                argument.name,
                f"how long {argument.name} is follows neither from its declaration nor from its subscripts; "
                f"declare it as an array, such as `double {argument.name}[n]`, or say it by `#pragma polyad shape "
                f"{argument.name}=n` before the function (--shape {argument.name}=n)",
            )
        shape.append(extent if bounds is None else bounds[0] + bounds[1])
    return tuple(e for e in shape if e is not None)


def _reached(access: Access, domain: isl.Set) -> Iterator[tuple[int, isl.Set]]:
    """(position, { [c] }) for each subscript that data do not choose: where they do, the kernel checks it."""
    iterators = domain.dim(isl.dim_type.set)
    for position in range(access.index.dim(isl.dim_type.out)):
        subscript = access.index.get_at(position)
        if any(
            aff.involves_dims(isl.dim_type.in_, iterators, len(access.arguments)) for _, aff in subscript.get_pieces()
        ):
            continue
        found = subscript.as_map()
        found = found.domain_factor_domain() if access.arguments else found
        yield position, found.intersect_domain(domain).range()


def _bounds(reached: isl.Set, context: isl.Set) -> tuple[Affine, Affine] | None:
    """(origin, extent) of a dimension, as affine_bounds finds it: at usual sizes, if that is less."""
    whole = affine_bounds(reached, 0, context)
    usual = context.subtract(small_sizes(context.get_space()))
    if usual.is_empty() or reached.intersect_params(usual).is_empty():
        return whole
    less = affine_bounds(reached, 0, usual)
    if less is None or whole is None or less[0] != whole[0]:
        return whole
    return less if _is_less(less[1], whole[1], usual) else whole


def _is_less(one: Affine, other: Affine, context: isl.Set) -> bool:
    """Whether a number is below another one for some of the sizes."""
    params = islx.param_names(context)
    space = islx.space(params, "", ())
    difference = (other - one).to_aff(space, islx.positions(params, ()))
    return not difference.gt_set(isl.Aff.zero_on_domain_space(space)).params().is_disjoint(context)
