"""Single assignment: each statement of C that writes, or reduction, gets an array of its own, a version.

    for t: for i: x[i] = f(x[i])         x_1[t, i]      what step t gave to x[i]
    for i: s = 0; for j: s += a[i][j]    s_1[i]         the sum that s held at the end of step i

A version is indexed by as few iterators and subscripts as tell its elements apart; that they are many in memory where C
has one is taken back by storage planning, which knows how long each one lives.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import islpy as isl

from polyad import islx
from polyad.errors import ExtractionError
from polyad.ir.affine import Affine
from polyad.ir.array import Array
from polyad.pet.dataflow.assignments import Assignment
from polyad.pet.dataflow.chains import Chain, smallest_key
from polyad.transforms.rewrite.extents import affine_bounds

__all__ = ["Version", "versions"]


@dataclass(frozen=True, slots=True, eq=False)
class Version:
    """An array of the program for values that C puts into an array or a scalar.

    Attributes:
        array: the array of the program.
        of: the name in C.
        writers: the statements whose values it holds.
        index: statement name -> { T[j] -> version[k] }, the element for each instance.
        chain: of a reduction.
    """

    array: Array
    of: str
    writers: tuple[Assignment, ...]
    index: Mapping[str, isl.Map]
    chain: Chain | None


def versions(
    statements: Sequence[Assignment],
    reductions: Sequence[Chain],
    context: isl.Set,
    types: Mapping[str, str],
    shapes: Mapping[str, tuple[Affine, ...]],
    unique: Callable[[str], str],
) -> list[Version]:
    """One version for each reduction and for each other statement, in the order of the text.

    Args:
        statements: all assignments.
        reductions: those that make reductions.
        context: of the sizes.
        types: array of C -> element type.
        shapes: array of C -> extents, where they are known.
        unique: a name that is not taken yet, from a wish.
    """
    by_name = {s.name: s for s in statements}
    chain_of = {n: c for c in reductions for n in c.keys}
    result = []
    done: set[str] = set()
    for s in statements:
        if s.name in done:
            continue
        chain = chain_of.get(s.name)
        writers = tuple(by_name[n] for n in chain.keys) if chain is not None else (s,)
        keys = chain.keys if chain is not None else {s.name: smallest_key(s)}
        done |= {w.name for w in writers}
        name = s.target.array
        array, index = _stored(unique(name), types[name], writers, keys, context, shapes.get(name))
        result.append(Version(array, name, writers, index, chain))
    return result


def _stored(
    name: str,
    dtype: str,
    writers: Sequence[Assignment],
    keys: Mapping[str, isl.Map],
    context: isl.Set,
    shape: tuple[Affine, ...] | None,
) -> tuple[Array, dict[str, isl.Map]]:
    """The array that is indexed by keys, and { T[j] -> array[k - origin] } of each statement."""
    params = islx.param_names(context)
    indices = None
    for key in keys.values():
        reached = key.range().align_params(context.get_space())
        indices = reached if indices is None else indices.union(reached)
    assert indices is not None
    indices = indices.coalesce()
    origins, extents = [], []
    for position in range(indices.dim(isl.dim_type.set)):
        bounds = affine_bounds(indices, position, context)
        if bounds is None:
            where = f"line {writers[0].line}"
            raise ExtractionError(
                f"{where}: the values of {name} in this loop nest have no affine bounds; write bounds of loops as one "
                "affine function of sizes and outer iterators"
            )
        origins.append(bounds[0])
        extents.append(bounds[1])
    rank = len(origins)
    if shape is not None and len(shape) == rank and all(o == Affine.of(0) for o in origins):
        # Subscripts alone: as large as in C, if everything is inside of it.
        everything = Array(name, shape, dtype).domain(params)
        inside = indices.set_tuple_name(name).intersect_params(context).is_subset(everything)
        extents = list(shape) if inside else extents
    space = islx.space(params, "", [f"k{i}" for i in range(rank)])
    local = isl.LocalSpace.from_space(space)
    where_params = islx.positions(params, ())
    moves = [
        isl.Aff.var_on_domain(local, isl.dim_type.set, i).sub(origin.to_aff(space, where_params))
        for i, origin in enumerate(origins)
    ]
    move = islx.multi_aff(space, name, moves).as_map()
    index = {n: k.align_params(context.get_space()).apply_range(move) for n, k in keys.items()}
    return Array(name, tuple(extents), dtype), index
