"""Anchors, boxes and their suppression, against the loops that define them."""

from typing import Any

import numpy as np
import pytest

import polyad as pa
from polyad import nn

RNG = np.random.default_rng(7)


def suppressed(boxes: np.ndarray, scores: np.ndarray, share: float, least: float = -np.inf) -> list[int]:
    """Box after box, by falling score."""
    kept: list[int] = []
    for i in sorted(range(len(scores)), key=lambda i: (-scores[i], i)):
        left, top = np.maximum(boxes[i, :2], boxes[kept, :2]).T
        right, bottom = np.minimum(boxes[i, 2:], boxes[kept, 2:]).T
        both = np.maximum(right - left, 0) * np.maximum(bottom - top, 0)
        areas = [np.prod(boxes[k, 2:] - boxes[k, :2], axis=-1) for k in (i, kept)]
        if scores[i] > least and not np.any(both / (areas[0] + areas[1] - both) > share):
            kept.append(i)
    return kept


@pytest.mark.parametrize("many", [1, 2, 13])
@pytest.mark.parametrize("share", [0.1, 0.4])
def test_nms(many: int, share: float) -> None:
    corner = RNG.uniform(0, 1, size=(many, 2))
    boxes = np.concatenate([corner, corner + RNG.uniform(0.2, 0.8, size=(many, 2))], 1)
    scores = RNG.integers(0, 6, size=many) / 5  # with ties
    for least in (None, 0.3):
        found, count = pa.jit(lambda b, s, m=least: nn.nms(b, s, share, m))(boxes, scores)
        expected = suppressed(boxes, scores, share, -np.inf if least is None else least)
        assert found[: int(count)].tolist() == expected
        assert (found[int(count) :] == -1).all()


def test_what_is_chosen_has_no_derivative() -> None:
    boxes, scores = RNG.uniform(size=(3, 4)), RNG.uniform(size=3)
    with pytest.raises(pa.NotDifferentiableError, match="it returned int64"):
        pa.grad(lambda b: nn.nms(b, scores, 0.5)[1])(boxes)


@pytest.mark.parametrize("clip", [False, True])
def test_anchors(clip: bool) -> None:
    sizes, ratios = (0.75, 0.5), (1.0, 2.0, 0.5)
    found = pa.jit(lambda x: nn.multibox_prior(x, sizes, ratios, clip))(np.zeros((1, 3, 2, 4)))
    expected = []
    for i in range(2):
        for j in range(4):
            for s, r in ((0.75, 1.0), (0.5, 1.0), (0.75, 2.0), (0.75, 0.5)):
                y, x, w, h = (i + 0.5) / 2, (j + 0.5) / 4, s * 2 / 4 * np.sqrt(r) / 2, s / np.sqrt(r) / 2
                expected.append([x - w, y - h, x + w, y + h])
    wanted = np.clip(expected, 0, 1) if clip else np.array(expected)
    np.testing.assert_allclose(found, wanted[None], rtol=1e-14)


def located(
    p: np.ndarray, loc: np.ndarray, anchors: np.ndarray, clip: bool, least: float
) -> tuple[np.ndarray, list[int]]:
    variances = (0.1, 0.1, 0.2, 0.2)
    result = np.full((p.shape[0], p.shape[2], 6), -1.0)
    counts = []
    for n in range(len(p)):
        rows = []
        for a, (left, top, right, bottom) in enumerate(anchors[0]):
            score, kind = p[n, 1:, a].max(), p[n, 1:, a].argmax()
            if score < least:
                continue
            w, h = right - left, bottom - top
            x, y, u, v = loc[n, 4 * a : 4 * a + 4] * variances
            x, y, u, v = x * w + (left + right) / 2, y * h + (top + bottom) / 2, np.exp(u) * w / 2, np.exp(v) * h / 2
            box = np.array([x - u, y - v, x + u, y + v])
            rows.append([kind, score, *(np.clip(box, 0, 1) if clip else box)])
        counts.append(len(rows))
        result[n, : len(rows)] = np.reshape(rows, (-1, 6))
    return result, counts


@pytest.mark.parametrize("clip", [False, True])
def test_positions(clip: bool) -> None:
    anchors = pa.jit(lambda x: nn.multibox_prior(x, (0.4,), (1.0, 2.0)))(np.zeros((1, 1, 2, 1)))
    p, loc = RNG.dirichlet(np.ones(3), size=(2, 4)).transpose(0, 2, 1), RNG.normal(size=(2, 16))
    found, count = pa.jit(lambda p, x: nn.multibox_transform_loc(p, x, anchors, clip, 0.5))(p, loc)
    expected, counts = located(p, loc, anchors, clip, 0.5)
    assert 0 < sum(counts) < 8
    np.testing.assert_array_equal(count, counts)
    np.testing.assert_allclose(found, expected, rtol=1e-12)
    if not clip:
        pa.check_grads(lambda p, x: nn.multibox_transform_loc(p, x, anchors, clip, 0.5)[0], (p, loc))


@pytest.mark.parametrize(
    ("call", "error", "text"),
    [
        (lambda: nn.nms(np.zeros((3, 5)), np.zeros(3), 0.5), pa.ShapeError, r"must be \(N, 4\), \(N,\)"),
        (lambda: nn.multibox_prior(np.zeros((1, 2, 2)), (1,), (1,)), pa.ShapeError, "H and W constant"),
        (lambda: nn.multibox_prior(np.zeros((1, 1, 2, 2)), ()), pa.DefinitionError, "at least one size"),
        (lambda: nn.multibox_transform_loc(*[np.zeros((1, 2, 3))] * 3), pa.ShapeError, r"\(N, 4 \* A\)"),
    ],
)
def test_what_is_refused(call: Any, error: type[Exception], text: str) -> None:
    with pytest.raises(error, match=text):
        call()
