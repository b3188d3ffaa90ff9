"""Transforms of schedule trees: one a file, all in the table `TRANSFORMS`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from polyad.schedule.transforms.distribute import distribute
from polyad.schedule.transforms.fuse import fuse
from polyad.schedule.transforms.interchange import interchange
from polyad.schedule.transforms.jam import jam
from polyad.schedule.transforms.nest import BandName, as_band
from polyad.schedule.transforms.parallel import parallel
from polyad.schedule.transforms.parts import parts
from polyad.schedule.transforms.prefix import prefix
from polyad.schedule.transforms.region import region
from polyad.schedule.transforms.reorder import reorder
from polyad.schedule.transforms.reverse import reverse
from polyad.schedule.transforms.sequential import sequential
from polyad.schedule.transforms.shift import Offset, shift
from polyad.schedule.transforms.skew import skew
from polyad.schedule.transforms.split import split
from polyad.schedule.transforms.tile import tile
from polyad.schedule.transforms.unmark import unmark
from polyad.schedule.transforms.unroll import unroll
from polyad.schedule.transforms.vectorize import vectorize
from polyad.schedule.tree.nodes import Node

__all__ = ["TRANSFORMS", "BandName", "Offset", "Transform", "as_band"]


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
        Transform("split", split, "for i -> for blocks of i, for i in block"),
        Transform("interchange", interchange, "for i, for j -> for j, for i"),
        Transform("fuse", fuse, "for i {A}; for j {B} -> for i = j {A; B}"),
        Transform("distribute", distribute, "for i {A; B} -> for i {A}; for i {B}"),
        Transform("skew", skew, "for i, for j -> for i, for j + factor * i"),
        Transform("reverse", reverse, "for i = 0 ... N - 1 -> for i = N - 1 ... 0"),
        Transform("shift", shift, "for i {A[i]; B[i]} -> for i {A[i - by]; B[i]}"),
        Transform("reorder", reorder, "A; B; C -> B; A; C"),
        Transform("unroll", unroll, "for i {A} -> for blocks of i {A[i]; A[i + 1]; ...}"),
        Transform("jam", jam, "for i {A; B} -> for blocks of i {A[i]; A[i + 1]; ...; B[i]; B[i + 1]; ...}"),
        Transform("parallel", parallel, "for i -> parallel for i"),
        Transform("vectorize", vectorize, "for i -> simd for i"),
        Transform("parts", parts, "for i {s += A} -> parts for i {s += A}"),
        Transform("prefix", prefix, "for t {h = a * h + b} -> prefix 256 for t {h = a * h + b}"),
        Transform("region", region, "for t {parallel for i} -> region for t {parallel for i}"),
        Transform("sequential", sequential, "parallel for i -> for i"),
        Transform("unmark", unmark, "simd for i -> for i"),
    )
}
"""Name -> transform."""
