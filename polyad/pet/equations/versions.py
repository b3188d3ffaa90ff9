"""Single assignment: each statement of C that writes, or reduction, gets an array of its own, a version.

    for t: for i: x[i] = f(x[i])         x_1[t, i]      what step t gave to x[i]
    for i: s = 0; for j: s += a[i][j]    s_1[i]         the sum that s held at the end of step i

A version is indexed by as few iterators and subscripts as tell its elements apart; that they are many in memory where C
has one is taken back by storage planning, which knows how long each one lives.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import islpy as isl

from polyad import islx
from polyad.errors import ExtractionError
from polyad.ir.affine import Affine
from polyad.ir.array import Array
from polyad.pet.dataflow.assignments import Assignment
from polyad.pet.dataflow.chains import Chain, key, smallest_columns
from polyad.pet.dataflow.flow import Origin
from polyad.transforms.rewrite.extents import affine_bounds

__all__ = ["Border", "Version", "placed", "versions"]


@dataclass(frozen=True, slots=True, eq=False)
class Version:
    """An array of the program for values that C puts into an array or a scalar.

    Attributes:
        array: the array of the program.
        of: the name in C.
        writers: the statements whose values it holds.
        index: statement name -> { T[j] -> version[k] }, the element for each instance.
        chain: of a reduction.
        border: elements that are equal to elements of an input.
        steps: how many of its first dimensions are iterators; the others are subscripts.
    """

    array: Array
    of: str
    writers: tuple[Assignment, ...]
    index: Mapping[str, isl.Map]
    chain: Chain | None
    border: Border | None = None
    steps: int = 0


@dataclass(frozen=True, slots=True, eq=False)
class Border:
    """Elements of a version that are equal to elements of an array as it was before the loop nest.

    Attributes:
        elements: { V[k] -> x[c] }.
        reads: { reader[i] -> V[k] } of each origin that reads them, in all its instances.
    """

    elements: isl.Map
    reads: Mapping[Origin, isl.Map]

    def moved(self, move: isl.Map) -> Border:
        """The same with other indices, { V[k] -> V[k'] }."""
        return Border(self.elements.apply_domain(move), {o: r.apply_range(move) for o, r in self.reads.items()})


def versions(
    statements: Sequence[Assignment],
    reductions: Sequence[Chain],
    types: Mapping[str, str],
    unique: Callable[[str], str],
) -> list[Version]:
    """One version for each reduction and for each other statement, in the order of the text, without extents as yet.

    Args:
        statements: all assignments.
        reductions: those that make reductions.
        types: array of C -> element type.
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
        keys = chain.keys if chain is not None else {s.name: key(s, smallest_columns(s))}
        done |= {w.name for w in writers}
        name = s.target.array
        array = Array(unique(name), (), types[name])
        index = {n: k.set_tuple_name(isl.dim_type.out, array.name) for n, k in keys.items()}
        columns = chain.columns if chain is not None else smallest_columns(s)
        steps = sum(kind == "iterator" for kind, _ in columns)
        result.append(Version(array, name, writers, index, chain, steps=steps))
    return result


def placed(version: Version, border: Border | None, context: isl.Set, shape: tuple[Affine, ...] | None) -> Version:
    """The version with an array that has room for all its elements, counted from 0.

    Args:
        version: its index counts as the iterators do.
        border: further elements.
        context: of the sizes.
        shape: extents of the array in C, where they are known.

    Raises:
        ExtractionError: no affine extents are large enough.
    """
    params, name = islx.param_names(context), version.array.name
    indices = isl.Set.empty(next(iter(version.index.values())).get_space().range().align_params(context.get_space()))
    for index in version.index.values():
        indices = indices.union(index.range())
    if border is not None:
        indices = indices.union(border.elements.domain())
    indices = indices.coalesce()
    rank = indices.dim(isl.dim_type.set)
    bounds = [affine_bounds(indices, position, context) for position in range(rank)]
    known = [b for b in bounds if b is not None]
    if len(known) < rank:
        sentence = (
            f"the values of {version.of} in this loop nest have no affine bounds; write bounds of loops as one affine "
            "function of sizes and outer iterators"
        )
        # Who reads the loop nest knows the file.
        raise ExtractionError(sentence, line=version.writers[0].line, construct="loop bound")
    extents = tuple(extent for _, extent in known)
    if shape is not None and len(shape) == rank and all(origin == Affine.of(0) for origin, _ in known):
        # Subscripts alone: as large as in C, if everything is inside of it.
        everything = Array(name, shape, version.array.dtype).domain(params)
        extents = shape if indices.intersect_params(context).is_subset(everything) else extents
    space = islx.space(params, name, [f"k{i}" for i in range(rank)])
    local, sizes = isl.LocalSpace.from_space(space), islx.positions(params, ())
    moves = [
        isl.Aff.var_on_domain(local, isl.dim_type.set, i).sub(origin.to_aff(space, sizes))
        for i, (origin, _) in enumerate(known)
    ]
    move = islx.multi_aff(space, name, moves).as_map()
    return replace(
        version,
        array=replace(version.array, shape=extents),
        index={n: k.apply_range(move) for n, k in version.index.items()},
        border=border.moved(move) if border is not None else None,
    )
