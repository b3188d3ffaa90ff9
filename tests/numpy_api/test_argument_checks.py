"""Arguments that are no tensors: what Python would take for true, or for a weight, is refused by name."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import polyad as pa
from polyad import nn
from polyad import numpy as pn
from tests.evaluated import values_of

X = pa.placeholder((2, 3), "x", "float64")
IMAGES = pa.placeholder((1, 2, 4, 4), "images", "float64")
FILTERS = np.ones((2, 2, 1, 1))

FLAGS: list[tuple[Callable[[Any], Any], str]] = [
    (lambda f: pn.linspace(0, 1, endpoint=f), "linspace: endpoint"),
    (lambda f: nn.avg_pool2d(IMAGES, 2, padding=1, count_include_pad=f), "avg_pool2d: count_include_pad"),
    (lambda f: nn.logsumexp(X, keepdims=f), "logsumexp: keepdims"),
    (lambda f: pa.scan(lambda c, x: (c + x, None), 0.0, X[0], reverse=f), "scan: reverse"),
    *(
        (lambda f, kind=kind: getattr(pn, kind)(X, 0, keepdims=f), f"{kind}: keepdims")
        for kind in "sum prod max min mean var std any all argmax argmin".split()
    ),
]
NUMBERS: list[tuple[Callable[[Any], Any], str]] = [
    (lambda v: nn.leaky_relu(X, v), "leaky_relu: negative_slope"),
    (lambda v: nn.elu(X, v), "elu: alpha"),
    (lambda v: nn.layer_norm(X, eps=v), "layer_norm: eps"),
    (lambda v: nn.rms_norm(X, eps=v), "rms_norm: eps"),
    (lambda v: nn.batch_norm(IMAGES, eps=v), "eps"),
    (lambda v: nn.l2_normalize(X, eps=v), "l2_normalize: eps"),
    (lambda v: nn.lrn(IMAGES, alpha=v), "lrn: alpha"),
]
INTEGERS: list[tuple[Callable[[Any], Any], str]] = [
    (lambda v: nn.conv2d(IMAGES, FILTERS, groups=v), "conv2d: groups"),
    (lambda v: nn.conv2d(IMAGES, FILTERS, stride=v), "conv2d: stride"),
    (lambda v: nn.lrn(IMAGES, size=v), "lrn: size"),
    (lambda v: nn.softmax(X, axis=v), "axis"),
    (lambda v: nn.cross_entropy(X, np.array([0, 1]), v), "cross_entropy: axis"),
    (lambda v: nn.one_hot(np.array([1]), v), "num_classes"),
    (lambda v: pn.sum(X, axis=v), "sum: axis"),
    (lambda v: pn.var(X, ddof=v), "var: ddof"),
    (lambda v: pn.std(X, correction=v), "std: correction"),
    (lambda v: pn.round(X, v), "round: decimals"),
    (lambda v: pn.trace(X, v), "trace: offset"),
    (lambda v: pn.linspace(0, 1, v), "linspace: num"),
    (lambda v: pn.arange(0, 4, v), "arange: step"),
    (lambda v: pn.repeat(X, v), "repeat"),
    (lambda v: pn.roll(X, v, 0), "shift"),
    (lambda v: pn.eye(3, k=v), "k"),
    (lambda v: pn.split(X, v, 1), "split"),
]
WEIGHTS: list[tuple[Callable[[Any], Any], str]] = [
    (lambda w: nn.layer_norm(X, w), "layer_norm: gamma"),
    (lambda w: nn.layer_norm(X, None, w), "layer_norm: beta"),
    (lambda w: nn.rms_norm(X, w), "rms_norm: gamma"),
    (lambda w: nn.batch_norm(IMAGES, w), "batch_norm: gamma"),
    (lambda w: nn.prelu(X, w), "prelu: slope"),
    (lambda w: nn.dense(X, np.ones((2, 3)), w), "dense: bias"),
    (lambda w: nn.conv2d(IMAGES, FILTERS, w), "conv2d: bias"),
    (lambda w: nn.dropout(X, 0.5, w), "dropout: mask"),
]


@pytest.mark.parametrize(("call", "name"), FLAGS)
def test_flags(call: Callable[[Any], Any], name: str) -> None:
    call(True)
    call(np.False_)
    for wrong in ("none", "tanh", 1, 0, None, (3,), X, np.float32):
        with pytest.raises(pa.DTypeError, match=f"{name}.* must be True or False, not "):
            call(wrong)


@pytest.mark.parametrize(("call", "name"), NUMBERS)
def test_numbers(call: Callable[[Any], Any], name: str) -> None:
    call(0.5)
    call(np.float32(0.5))
    for wrong in ("tanh", (3,), True, None, X, np.ones(3)):
        with pytest.raises(pa.DTypeError, match=f"{name} must be (a|one) number, not "):
            call(wrong)


@pytest.mark.parametrize(("call", "name"), INTEGERS)
def test_integers(call: Callable[[Any], Any], name: str) -> None:
    call(1)
    for wrong in ("same", 1.5, np.ones(30), False):
        with pytest.raises(pa.DTypeError, match=name) as caught:
            call(wrong)
        assert len(str(caught.value)) < 200


@pytest.mark.parametrize(("call", "name"), WEIGHTS)
def test_weights(call: Callable[[Any], Any], name: str) -> None:
    for wrong, text in (((3,), r"\(3,\)"), ([3], r"\[3\]"), ("same", "str"), (True, "True|bool")):
        with pytest.raises(pa.DTypeError, match=f"{name} must be a (tensor|number).* not ({text})"):
            call(wrong)


@pytest.mark.parametrize(
    "call",
    [
        lambda w: nn.mse_loss(X, X, reduction=w),
        lambda w: nn.upsample(IMAGES, 2, w),
        lambda w: pn.pad(X, 1, w),
        lambda w: pn.take(X, [1], mode=w),
        lambda w: nn.rnn_cell(X[0], np.ones(2), np.ones((2, 3)), np.ones((2, 2)), nonlinearity=w),
    ],
)
def test_words(call: Callable[[Any], Any]) -> None:
    for wrong in ("cubic", None, ["mean"]):
        with pytest.raises(pa.DefinitionError, match="is not one of"):
            call(wrong)


def test_rates() -> None:
    for wrong in ("0.5", 1.0, -0.1, True, None):
        with pytest.raises(pa.DefinitionError, match=r"rate|one of"):
            nn.dropout(X, wrong, mask=np.ones((2, 3)))
    with pytest.raises(pa.ShapeError, match=r"batch_norm: gamma \(2, 2\) must be a vector"):
        nn.batch_norm(IMAGES, np.ones((2, 2)))


def test_argument_names_of_numpy_and_jax() -> None:
    x = np.arange(6.0).reshape(2, 3)
    n = pa.placeholder((2, 3), "n", "int32")
    results = [
        pn.full((2,), fill_value=3.0),
        pn.full_like(X, fill_value=2.0),
        pn.eye(N=2, M=3, k=1),
        pn.sum(n, 0, dtype=np.float32),
        pn.mean(n, dtype="float32"),
        pn.prod(n, 1, dtype="int64"),
        *pn.split(X, indices_or_sections=np.array([1, 2]), axis=1),
        *pn.array_split(X, indices_or_sections=np.int64(2), axis=1),
        pn.roll(X, 1),
        pn.roll(X, (1, 2), (0, 1)),
        nn.one_hot(np.array([1, 0]), num_classes=2),
        nn.leaky_relu(-X, negative_slope=0.5),
    ]
    expected = [
        np.full(2, 3.0),
        np.full((2, 3), 2.0),
        np.eye(2, 3, 1),
        x.sum(0),
        x.mean(),
        x.prod(1),
        *np.split(x, [1, 2], 1),
        *np.array_split(x, 2, 1),
        np.roll(x, 1),
        np.roll(x, (1, 2), (0, 1)),
        np.eye(2)[::-1],
        -x / 2,
    ]
    for found, wanted in zip(values_of(results, x=x, n=x), expected, strict=True):
        np.testing.assert_array_equal(found, wanted)
    assert [r.dtype for r in results[3:6]] == ["float32", "float32", "int64"]
