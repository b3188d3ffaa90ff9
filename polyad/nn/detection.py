"""Boxes around objects: anchors, their positions, and which of them say something new.

Boxes are (left, top, right, bottom). Results have as many rows as there could be; those that hold nothing are -1.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from polyad.errors import DefinitionError, ShapeError
from polyad.frontend.argument_checks import flag, number
from polyad.frontend.compute import reduce_axis
from polyad.frontend.constants import as_tensor
from polyad.frontend.operator_functions import exp, maximum, minimum
from polyad.frontend.recurrence import recurrence
from polyad.frontend.scalar import Applied, IndexExpr, Number, Reduced, Scalar, Selected, as_scalar
from polyad.frontend.scalar_functions import cast, select
from polyad.frontend.tensor import Tensor, define
from polyad.nn.scatters import scatter_add
from polyad.numpy.creation import arange, zeros
from polyad.numpy.cumulative import cumsum
from polyad.numpy.dimensions import TensorLike, extents, shape_text
from polyad.numpy.indexing import take, take_along_axis
from polyad.numpy.joining import concatenate, stack
from polyad.numpy.reductions import argmax, max, sum
from polyad.numpy.reshape import reshape

__all__ = ["multibox_prior", "multibox_transform_loc", "nms"]


def multibox_prior(
    x: TensorLike,
    sizes: Sequence[float] = (1.0,),
    ratios: Sequence[float] = (1.0,),
    clip: bool = False,
    steps: tuple[float, float] | None = None,
    offsets: tuple[float, float] = (0.5, 0.5),
) -> Tensor:
    """Anchor boxes around each pixel: one of each size in the first ratio, and of each other ratio in the first size.

    Equation: the box of size s and ratio r around pixel (i, j) has the middle ((j + offsets[1]) * steps[1],
    (i + offsets[0]) * steps[0]), the width s * H / W * sqrt(r) and the height s / sqrt(r); the image is 1 x 1.

    Shapes: x (N, C, H, W) of constant H and W, result (1, H * W * A, 4) for A = len(sizes) + len(ratios) - 1.

    Args:
        x: an image, of which only the shape matters.
        sizes: heights of boxes as shares of the image.
        ratios: of width and height.
        clip: whether boxes are cut to the image.
        steps: from pixel to pixel, (vertical, horizontal); (1 / H, 1 / W) if None.
        offsets: of the middles in a pixel, (vertical, horizontal).

    Raises:
        ShapeError: not an image of constant extents.
        DefinitionError: no sizes or no ratios.

    Source: Liu et al., SSD: Single Shot MultiBox Detector, 2016, section 2.2.
    """
    t = as_tensor(x, "x")
    if t.ndim != 4 or not all(e.is_constant for e in t.shape_affine[2:]):
        raise ShapeError(f"multibox_prior: {t.name} {shape_text(extents(t))} must be (N, C, H, W), H and W constant")
    if not len(sizes) or not len(ratios):
        raise DefinitionError("multibox_prior: at least one size and one ratio are needed")
    height, width = (e.constant for e in t.shape_affine[2:])
    dtype = t.dtype if "float" in t.dtype else "float32"
    shapes = [*((s, ratios[0]) for s in sizes), *((sizes[0], r) for r in ratios[1:])]
    down, across = steps or (1 / height, 1 / width)
    middle = (arange(height) + offsets[0]) * down, (arange(width) + offsets[1]) * across
    boxes = []
    for s, r in shapes:
        y, x_ = middle[0][:, None] + zeros((height, width)), middle[1][None, :] + zeros((height, width))
        w, h = s * height / width * math.sqrt(r) / 2, s / math.sqrt(r) / 2
        boxes.append(stack([x_ - w, y - h, x_ + w, y + h], -1))
    found = reshape(stack(boxes, 2), (1, height * width * len(shapes), 4))
    inside: Any = minimum(maximum(found, 0.0), 1.0) if flag(clip, "multibox_prior: clip") else found
    result: Tensor = cast(inside, dtype)
    return result


def multibox_transform_loc(
    cls_prob: TensorLike,
    loc_pred: TensorLike,
    anchors: TensorLike,
    clip: bool = True,
    threshold: float = 0.01,
    variances: tuple[float, float, float, float] = (0.1, 0.1, 0.2, 0.2),
) -> tuple[Tensor, Tensor]:
    """The boxes and classes that a network gives to anchors, those that are no background in front.

    Equation: the middle of a box is p * variance * size + middle of its anchor, its size exp(p * variance) * size.

    Shapes: cls_prob (N, C, A), class 0 being the background, loc_pred (N, 4 * A), anchors (1, A, 4); results
    (N, A, 6) of rows (class from 0, its probability, box), in the order of the anchors, and (N,): how many there are.

    The gradient by probabilities and positions is that of the rows chosen; which these are has none.

    Args:
        cls_prob: probabilities of the classes.
        loc_pred: where the middles of boxes are, and how large they are, relative to anchors.
        anchors: as `multibox_prior` gives them.
        clip: whether boxes are cut to the image.
        threshold: what is less probable is background.
        variances: of middles and sizes.

    Raises:
        ShapeError: the shapes do not fit.

    Source: Liu et al., SSD: Single Shot MultiBox Detector, 2016, eq. 2.
    """
    p, loc, a = as_tensor(cls_prob, "cls_prob"), as_tensor(loc_pred, "loc_pred"), as_tensor(anchors, "anchors")
    if p.ndim != 3 or a.ndim != 3 or loc.shape_affine != (p.shape_affine[0], p.shape_affine[2] * 4):
        shapes = ", ".join(shape_text(extents(v)) for v in (p, loc, a))
        raise ShapeError(f"multibox_transform_loc: {shapes} must be (N, C, A), (N, 4 * A) and (1, A, 4)")
    batch, _, many = extents(p)
    moved = reshape(loc, (batch, many, 4))
    size, middle = a[..., 2:] - a[..., :2], (a[..., :2] + a[..., 2:]) * 0.5
    scale = [number(v, "multibox_transform_loc: variances") for v in variances]
    sides = []
    for d in range(2):
        at = moved[..., d] * scale[d] * size[..., d] + middle[..., d]
        half = exp(moved[..., d + 2] * scale[d + 2]) * size[..., d] * 0.5
        sides.append((at - half, at + half))
    box: Any = stack([sides[0][0], sides[1][0], sides[0][1], sides[1][1]], -1)
    box = minimum(maximum(box, 0.0), 1.0) if flag(clip, "multibox_transform_loc: clip") else box
    objects = p[:, 1:, :]
    score = max(objects, 1)
    kind = cast(argmax(objects, 1), p.dtype)
    rows = concatenate([kind[..., None], score[..., None], box], -1)
    chosen, count = _in_front(cast(score >= number(threshold, "multibox_transform_loc: threshold"), "int64"))
    found = take_along_axis(rows, maximum(chosen, 0)[..., None], 1)
    result: Tensor = select(chosen[..., None] >= 0, found, -1.0)
    return result, count


def nms(
    boxes: TensorLike, scores: TensorLike, iou_threshold: float, score_threshold: Any = None
) -> tuple[Tensor, Tensor]:
    """The boxes that stay where of those that overlap too much only the one of the highest score does.

    A box goes if a box of a higher score stays with which it shares more than `iou_threshold` of their union; of equal
    scores the first counts as higher. The work is one comparison for each pair of boxes.

    Shapes: boxes (N, 4), scores (N,); results (N,): numbers of the boxes that stay, by falling score, then -1; and ():
    how many they are. These are integers, which have no derivatives.

    Args:
        boxes: (left, top, right, bottom).
        scores: of the boxes.
        iou_threshold: share of the union.
        score_threshold: boxes whose score is not above it do not count at all; None for all.

    Raises:
        ShapeError: the shapes do not fit.

    Source: torchvision.ops.nms.
    """
    b, s = as_tensor(boxes, "boxes"), as_tensor(scores, "scores")
    if b.ndim != 2 or s.ndim != 1 or b.shape_affine[:1] != s.shape_affine or str(b.shape_affine[1]) != "4":
        raise ShapeError(
            f"nms: boxes {shape_text(extents(b))} and scores {shape_text(extents(s))} must be (N, 4), (N,)"
        )
    most = number(iou_threshold, "nms: iou_threshold")
    (many,) = extents(s)

    def before(i: IndexExpr) -> Scalar:
        j = reduce_axis(many, "j")
        mine, other = s.element((i,)), s.element((j,))
        higher = Selected(Applied("lt", (j, i)), other >= mine, other > mine)
        return Reduced("sum", (j.axes[0],), Applied("cast", (higher,), "int64"))

    rank = define([many], before, "rank")
    order = scatter_add(zeros((many,), "int64"), rank, arange(many, dtype="int64"))
    left, top, right, bottom = (take(b, order, axis=0)[:, k] for k in range(4))
    high = take(s, order)

    def overlap(q: IndexExpr, r: IndexExpr) -> Scalar:
        """Whether two boxes share too much."""

        def shared(first: Tensor, last: Tensor) -> Any:
            end = Applied("minimum", (last.element((q,)), last.element((r,))))
            start = Applied("maximum", (first.element((q,)), first.element((r,))))
            return Applied("maximum", (end - start, Number(0)))

        def area(i: IndexExpr) -> Any:
            return (right.element((i,)) - left.element((i,))) * (bottom.element((i,)) - top.element((i,)))

        both = shared(left, right) * shared(top, bottom)
        return Applied("gt", (both / (area(q) + area(r) - both), as_scalar(most)))

    def stays(keep: Any, r: IndexExpr) -> Scalar:
        q = reduce_axis((0, r), "q")
        covered = Reduced("sum", (q.axes[0],), Selected(overlap(q, r), keep[q], Number(0)))
        alone = Selected(Applied("eq", (covered, Number(0))), Number(1), Number(0))
        if score_threshold is None:
            return alone
        return Selected(
            high.element((r,)) > as_scalar(number(score_threshold, "nms: score_threshold")), alone, Number(0)
        )

    keep = recurrence((many,), stays, "keep", "int64")
    chosen, count = _in_front(keep[None, :])
    found: Tensor = select(chosen[0] >= 0, take(order, maximum(chosen[0], 0)), -1)
    return found, count[0]


def _in_front(kept: Tensor) -> tuple[Tensor, Tensor]:
    """(positions of the ones of each row in their order, then -1; how many there are), of rows of 0 and 1."""
    rows, many = extents(kept)
    place = maximum(cumsum(kept, 1) - 1, 0)
    marked = kept * (arange(many, dtype="int64") + 1)[None, :]
    return scatter_add(zeros((rows, many), "int64"), place, marked, 1) - 1, sum(kept, 1)
