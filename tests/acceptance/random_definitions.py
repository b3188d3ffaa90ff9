"""Random programs written as users write them: compute, recurrence, scan, array operations; sizes may be fixed.

`random_definition()` is a hypothesis strategy for `Definition`: tensors made from each other by constructions drawn
from a list (random_constructions.py). All values stay bounded. Indices that turn out to lie outside of their array (a
`BoundsError` at definition) are replaced by safe ones, so the errors of the frontend are part of what is exercised.
"""

from dataclasses import dataclass

import numpy as np
from hypothesis import strategies as st

import polyad as pa
from tests.acceptance.random_constructions import CONSTRUCTIONS, Constructions

__all__ = ["Definition", "random_definition", "random_values"]


@dataclass(frozen=True, slots=True, eq=False)
class Definition:
    """One random program.

    Attributes:
        inputs: float placeholders, then integer ones (indices below the smallest size).
        output: a float tensor.
        others: all tensors made, in order.
        fixed: sizes that are numbers.
        told: the constructions, for the message of a failing test.
    """

    inputs: tuple[pa.Tensor, ...]
    output: pa.Tensor
    others: tuple[pa.Tensor, ...]
    fixed: dict[str, int]
    told: tuple[str, ...]

    def __repr__(self) -> str:
        return f"Definition({', '.join(self.told)}; {self.fixed})"

    @property
    def floats(self) -> list[pa.Tensor]:
        """The inputs one can differentiate with respect to."""
        return [t for t in self.inputs if t.dtype.startswith("float")]


@st.composite
def random_definition(draw: st.DrawFn, most: int = 4) -> Definition:
    """A program of one to `most` constructions over T and N, each symbolic or a number."""
    fixed = {n: draw(st.integers(1, 4)) for n in "TN" if draw(st.integers(0, 3)) == 0}
    symbolic = dict(zip("TN", pa.sizes("T N"), strict=True))
    writer = Constructions(draw, symbolic | fixed)
    for construction in draw(st.lists(st.sampled_from(CONSTRUCTIONS), min_size=1, max_size=most)):
        writer.told.append(construction.__name__)
        construction(writer)
    inputs = (*writer.inputs, *writer.ids)
    return Definition(inputs, writer.made[-1], tuple(writer.made), fixed, tuple(writer.told))


def random_values(definition: Definition, sizes: dict[str, int], seed: int) -> dict[str, np.ndarray]:
    """Normal floats, and integers that are indices of anything."""
    rng = np.random.default_rng(seed)
    values = {}
    for t in definition.inputs:
        shape = tuple(e.evaluate(sizes) for e in t.shape_affine)
        integer = t.dtype.startswith("int")
        values[t.name] = rng.integers(0, min(sizes.values()), shape) if integer else rng.normal(size=shape)
    return values
