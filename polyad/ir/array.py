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

__all__ = ["DTYPES", "SEGMENTS", "Array", "Direction", "Role", "Segment", "array_called", "element_dims"]

DTYPES = (*ELEMENT_TYPES, "bool")
"""Element types; `bool` occurs inside expressions only, never as an array."""

Role = Literal["input", "output", "temporary"]
Direction = Literal[1, 0, -1]


@dataclass(frozen=True, slots=True)
class Segment:
    """The part of a temporary that is of use at a time: one segment, the elements with the same leading indices.

    Attributes:
        order: of each of these indices, the outermost first: 1 where segments come in the order of their numbers, -1
            the other way round, 0 where each number is a part that has segments of its own.
    """

    order: tuple[Direction, ...]

    @property
    def axes(self) -> int:
        """How many indices say which segment it is."""
        return len(self.order)

    @property
    def recomputed(self) -> bool:
        """Whether they hold again what another array held: blocks, which do not, count forwards."""
        return self.order[-1] < 0

    @property
    def word(self) -> str:
        """Its word in the text of a program: `recomputed_bfb` where segments count backwards, forwards, backwards."""
        simple = next((w for w, s in SEGMENTS.items() if s == self), "")
        return simple or "recomputed_" + "".join(_LETTERS[d] for d in self.order)


_LETTERS: Mapping[Direction, str] = {-1: "b", 0: "p", 1: "f"}

SEGMENTS: Mapping[str, Segment] = {"recomputed": Segment((-1,)), "blocked": Segment((1,)), "parted": Segment((0, 1))}
"""The words of a program's text for the segments of most temporaries that have any."""


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
    def is_recomputed(self) -> bool:
        """Whether it repeats, one segment at a time, what another array held: the two are never merged again."""
        return self.segment is not None and self.segment.recomputed

    @property
    def word(self) -> str:
        """Its word in the text of a program: its role, or its kind of segments."""
        return self.role if self.segment is None else self.segment.word

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
    if word.startswith("recomputed_"):
        segment = Segment(tuple(d for letter in word.partition("_")[2] for d, w in _LETTERS.items() if w == letter))
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
