"""Layers of neural networks, built from tensor expressions and scans; they hold no derivative of their own."""

from polyad import numpy as _numpy
from polyad.frontend.absent_names import NN as _ABSENT
from polyad.frontend.absent_names import explain_absence as _explain_absence
from polyad.frontend.given_arguments import explain_arguments as _explain_arguments
from polyad.nn.activations import (
    elu,
    gelu,
    hard_sigmoid,
    leaky_relu,
    log_sigmoid,
    prelu,
    relu,
    sigmoid,
    silu,
    softplus,
    softsign,
    tanh,
)
from polyad.nn.convolution import (
    conv2d,
    conv2d_transpose,
)
from polyad.nn.linear import (
    dense,
    dropout,
    embedding,
)
from polyad.nn.losses import (
    binary_cross_entropy,
    cross_entropy,
    mae_loss,
    mse_loss,
    nll_loss,
    one_hot,
)
from polyad.nn.normalization import (
    batch_norm,
    l2_normalize,
    layer_norm,
    lrn,
    rms_norm,
)
from polyad.nn.pooling import (
    avg_pool2d,
    global_avg_pool2d,
    max_pool2d,
)
from polyad.nn.recurrent import (
    bidirectional,
    gru,
    lstm,
    rnn,
)
from polyad.nn.recurrent_cells import (
    gru_cell,
    lstm_cell,
    rnn_cell,
)
from polyad.nn.resize import (
    resize2d,
    upsample,
)
from polyad.nn.softmax import (
    log_softmax,
    logsumexp,
    softmax,
)

__all__ = [
    "avg_pool2d",
    "batch_norm",
    "bidirectional",
    "binary_cross_entropy",
    "conv2d",
    "conv2d_transpose",
    "cross_entropy",
    "dense",
    "dropout",
    "elu",
    "embedding",
    "gelu",
    "global_avg_pool2d",
    "gru",
    "gru_cell",
    "hard_sigmoid",
    "l2_normalize",
    "layer_norm",
    "leaky_relu",
    "log_sigmoid",
    "log_softmax",
    "logsumexp",
    "lrn",
    "lstm",
    "lstm_cell",
    "mae_loss",
    "max_pool2d",
    "mse_loss",
    "nll_loss",
    "one_hot",
    "prelu",
    "relu",
    "resize2d",
    "rms_norm",
    "rnn",
    "rnn_cell",
    "sigmoid",
    "silu",
    "softmax",
    "softplus",
    "softsign",
    "tanh",
    "upsample",
]

__getattr__ = _explain_absence("module 'polyad.nn'", __all__, _ABSENT, {"polyad.numpy": set(_numpy.__all__)})

_explain_arguments("polyad.nn", __all__, globals())
