"""Transforms of schedule trees: one a file, all in the table `TRANSFORMS`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from polyad.schedule.transforms.distribute import distribute
from polyad.schedule.transforms.fuse import fuse
from polyad.schedule.transforms.interchange import interchange
from polyad.schedule.transforms.nest import BandName, as_band
from polyad.schedule.transforms.parallel import parallel
from polyad.schedule.transforms.skew import skew
from polyad.schedule.transforms.tile import tile
from polyad.schedule.transforms.vectorize import vectorize
from polyad.schedule.tree import Node

__all__ = ["TRANSFORMS", "BandName", "Transform", "as_band"]


@dataclass(frozen=True, slots=True)
class Transform:
    """A transform of schedule trees.

    Attributes:
        name: the method of `Schedule`.
        apply: (tree, statement -> dimensions, arguments of the method...) -> tree.
        example: what it does to two loops, for the reference page.
    """

    name: str
    apply: Callable[..., Node]
    example: str


TRANSFORMS: dict[str, Transform] = {
    t.name: t
    for t in (
        Transform("tile", tile, "for i, for j -> for tiles of i, for tiles of j, for i in tile, for j in tile"),
        Transform("interchange", interchange, "for i, for j -> for j, for i"),
        Transform("fuse", fuse, "for i {A}; for j {B} -> for i = j {A; B}"),
        Transform("distribute", distribute, "for i {A; B} -> for i {A}; for i {B}"),
        Transform("skew", skew, "for i, for j -> for i, for j + factor * i"),
        Transform("parallel", parallel, "for i -> parallel for i"),
        Transform("vectorize", vectorize, "for i -> simd for i"),
    )
}
"""Name -> transform."""
