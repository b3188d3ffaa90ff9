"""Arrays: named, rectangular, of one element type."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

import islpy as isl

from polyad import islx
from polyad.ir.affine import Affine
from polyad.ir.names import unique_name

__all__ = ["DTYPES", "Array", "Role", "element_dims"]

DTYPES = ("float32", "float64", "int32", "int64", "bool")
"""Element types; `bool` occurs inside expressions only, never as an array."""

Role = Literal["input", "output", "temporary", "recomputed", "blocked", "parted"]


@dataclass(frozen=True, slots=True)
class Array:
    """An array of the program.

    Attributes:
        name: unique in its program.
        shape: extents, quasi-affine in the parameters.
        dtype: one of `DTYPES`.
        role: input, output, temporary, or recomputed: a temporary that repeats what another one held, to save memory;
            it is never merged with the other again; or blocked: a temporary of use for one value of its first index
            at a time, in the order of that index; or parted: the same with its second index, for each value of the
            first.
    """

    name: str
    shape: tuple[Affine, ...]
    dtype: str
    role: Role = "temporary"

    @property
    def is_temporary(self) -> bool:
        """Neither input nor output."""
        return self.role in ("temporary", "recomputed", "blocked", "parted")

    def dims(self, params: Sequence[str]) -> tuple[str, ...]:
        """Names for its index dimensions where nothing better is known: none of a size, which may be called a0, too."""
        return element_dims(len(self.shape), params)

    def domain(self, params: Sequence[str]) -> isl.Set:
        """[params] -> { name[a0, ...] : 0 <= ai < shape[i] }."""
        return _domain(self.name, self.shape, tuple(params))

    def __str__(self) -> str:
        return f"{self.name}: {self.dtype}[{', '.join(map(str, self.shape))}]"


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
