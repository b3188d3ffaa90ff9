"""Jacobians in the body of a scan: a linear function of each unit tensor, all of them a batch."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from polyad.frontend.batching.batch import Batch
from polyad.frontend.scalar import Applied, IndexExpr, Number, Scalar, Selected
from polyad.frontend.tensor import Tensor, define, own_extent

__all__ = ["of_unit_tensors"]


def of_unit_tensors(like: Tensor, linear: Callable[[Tensor], Sequence[Tensor]], in_front: bool) -> list[Tensor]:
    """All that a linear function makes of the tensors that are one at one element and zero elsewhere.

    Args:
        like: a tensor of their shape and type.
        linear: a unit tensor -> tensors.
        in_front: whether the dimensions of `like` come before those of each result, or behind them.
    """
    shape = [own_extent(e, like.size_symbols()) for e in like.shape_affine]

    def element(*index: IndexExpr) -> Scalar:
        value: Scalar = Number(1.0)
        for at, own in zip(index[: like.ndim], index[like.ndim :], strict=True):
            value = Selected(Applied("eq", (at, own), None), value, Number(0.0))
        return value

    unit = define((*shape, *shape), element, "unit", like.dtype)
    batches = []
    for extent in shape:
        batches.append(Batch(extent))
        unit = batches[-1].stand_in(unit, 0)
    made = list(linear(unit))
    places = [0 if in_front else t.ndim for t in made]
    for batch in reversed(batches):
        batch.add(made, places)
        made = [batch.tensor(t, place) for t, place in zip(made, places, strict=True)]
    return made
