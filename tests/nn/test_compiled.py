"""Every layer compiled, run and differentiated: the kernels against central differences."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import polyad as pa
from polyad import nn

RNG = np.random.default_rng(0)
ROWS = RNG.normal(size=(3, 4))
IMAGES = RNG.normal(size=(2, 2, 4, 4))
FILTERS = RNG.normal(size=(2, 2, 3, 3))
LABELS = np.array([1, 0, 3])
MASK = np.array([[1, 0, 1, 1]] * 3)

LAYERS: dict[str, tuple[Callable[..., Any], tuple[np.ndarray, ...]]] = {
    "relu": (nn.relu, (ROWS,)),
    "leaky_relu": (nn.leaky_relu, (ROWS,)),
    "prelu": (nn.prelu, (ROWS, np.full(4, 0.2))),
    "elu": (nn.elu, (ROWS,)),
    "gelu": (nn.gelu, (ROWS,)),
    "softplus": (nn.softplus, (ROWS,)),
    "silu": (nn.silu, (ROWS,)),
    "softmax": (nn.softmax, (ROWS,)),
    "log_softmax": (nn.log_softmax, (ROWS,)),
    "logsumexp": (nn.logsumexp, (ROWS,)),
    "cross_entropy": (lambda x: nn.cross_entropy(x, LABELS), (ROWS,)),
    "cross_entropy of one_hot": (lambda x: nn.cross_entropy(x, nn.one_hot(LABELS, 4)), (ROWS,)),
    "mse_loss": (nn.mse_loss, (ROWS, ROWS + 1)),
    "binary_cross_entropy": (nn.binary_cross_entropy, (ROWS, np.full((3, 4), 0.3))),
    "dense": (nn.dense, (ROWS, RNG.normal(size=(2, 4)), np.zeros(2))),
    "embedding": (lambda table: nn.embedding(LABELS, table), (RNG.normal(size=(4, 2)),)),
    "dropout": (lambda x: nn.dropout(x, 0.25, mask=MASK), (ROWS,)),
    "layer_norm": (nn.layer_norm, (ROWS, np.ones(4), np.zeros(4))),
    "rms_norm": (nn.rms_norm, (ROWS,)),
    "l2_normalize": (nn.l2_normalize, (ROWS,)),
    "batch_norm": (nn.batch_norm, (IMAGES, np.ones(2), np.zeros(2))),
    "lrn": (nn.lrn, (IMAGES,)),
    "conv2d": (lambda x, w: nn.conv2d(x, w, stride=2, padding=1), (IMAGES, FILTERS)),
    "conv2d_transpose": (lambda x, w: nn.conv2d_transpose(x, w, stride=2, padding=1), (IMAGES, FILTERS)),
    "max_pool2d": (lambda x: nn.max_pool2d(x, 3, 2, 1), (IMAGES,)),
    "avg_pool2d": (lambda x: nn.avg_pool2d(x, 2), (IMAGES,)),
    "upsample": (lambda x: nn.upsample(x, 2, "bilinear"), (IMAGES,)),
    "resize2d": (lambda x: nn.resize2d(x, (3, 6)), (IMAGES,)),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", LAYERS)
def test_compiled_derivatives(name: str) -> None:
    layer, arguments = LAYERS[name]
    pa.check_grads(layer, arguments)
