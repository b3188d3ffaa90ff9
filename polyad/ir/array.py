"""Arrays: named, rectangular, of one element type."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Literal, cast

import islpy as isl

from polyad import islx
from polyad.ir.affine import Affine
from polyad.ir.element_types import ELEMENT_TYPES
from polyad.ir.names import unique_name

__all__ = ["DTYPES", "RECOMPUTED", "SEGMENTS", "Array", "Role", "Segment", "array_called", "element_dims"]

DTYPES = (*ELEMENT_TYPES, "bool")
"""Element types; `bool` occurs inside expressions only, never as an array."""

Role = Literal["input", "output", "temporary"]


@dataclass(frozen=True, slots=True)
class Segment:
    """The part of a temporary that is of use at a time: one segment, the elements with the same leading indices.

    Attributes:
        axes: how many they are; the last one counts segments, one before it the parts that have segments of their own.
        direction: 1 where segments come in the order of their numbers, -1 the other way round.
    """

    axes: int
    direction: Literal[1, -1]


RECOMPUTED = Segment(1, -1)
"""Of what repeats what another array held, to save memory; the two are never merged again."""

SEGMENTS: Mapping[str, Segment] = {"recomputed": RECOMPUTED, "blocked": Segment(1, 1), "parted": Segment(2, 1)}
"""The word of a program's text -> what it says of a temporary."""


@dataclass(frozen=True, slots=True)
class Array:
    """An array of the program.

    Attributes:
        name: unique in its program.
        shape: extents, quasi-affine in the parameters.
        dtype: one of `DTYPES`.
        role: input, output or temporary.
        segment: of a temporary that is of use for one segment at a time, else None.
    """

    name: str
    shape: tuple[Affine, ...]
    dtype: str
    role: Role = "temporary"
    segment: Segment | None = None

    @property
    def is_temporary(self) -> bool:
        """Neither input nor output."""
        return self.role == "temporary"

    @property
    def is_movable(self) -> bool:
        """Whether a pass may do with it what it likes: a temporary that no order of segments is asked of."""
        return self.role == "temporary" and self.segment is None

    @property
    def word(self) -> str:
        """Its word in the text of a program: its role, or its kind of segments."""
        return self.role if self.segment is None else next(w for w, s in SEGMENTS.items() if s == self.segment)

    def with_role(self, role: Role) -> Array:
        """The same array in another role; segments are left behind."""
        return replace(self, role=role, segment=None)

    def dims(self, params: Sequence[str]) -> tuple[str, ...]:
        """Names for its index dimensions where nothing better is known: none of a size, which may be called a0, too."""
        return element_dims(len(self.shape), params)

    def domain(self, params: Sequence[str]) -> isl.Set:
        """[params] -> { name[a0, ...] : 0 <= ai < shape[i] }."""
        return _domain(self.name, self.shape, tuple(params))

    def __str__(self) -> str:
        return f"{self.name}: {self.dtype}[{', '.join(map(str, self.shape))}]"


def array_called(word: str, name: str, shape: tuple[Affine, ...], dtype: str) -> Array:
    """The array of a text that calls it so: the inverse of `Array.word`."""
    segment = SEGMENTS.get(word)
    return Array(name, shape, dtype, cast(Role, word) if segment is None else "temporary", segment)


def element_dims(rank: int, params: Sequence[str]) -> tuple[str, ...]:
    """a0, a1, ... as far as no size is called so."""
    return tuple(unique_name(f"a{i}", params) for i in range(rank))


@lru_cache(maxsize=4096)  # the verifier asks for it at every access
def _domain(name: str, shape: tuple[Affine, ...], params: tuple[str, ...]) -> isl.Set:
    """[params] -> { name[a0, ...] : 0 <= ai < shape[i] }."""
    dims = element_dims(len(shape), params)
    space = islx.space(params, name, dims)
    where = islx.positions(params, dims)
    result = isl.Set.universe(space)
    for dim, extent in zip(dims, shape, strict=True):
        index = Affine.of(dim)
        for expression in (index, extent - 1 - index):
            aff = expression.to_aff(space, where)
            result = result.intersect(aff.ge_set(isl.Aff.zero_on_domain(aff.get_domain_local_space())))
    return result
