"""Layers of neural networks, built from tensor expressions and scans; they hold no derivative of their own."""

from polyad import numpy as _numpy
from polyad.frontend.absent_names import NN as _ABSENT
from polyad.frontend.absent_names import explain_absence as _explain_absence
from polyad.frontend.given_arguments import explain_arguments as _explain_arguments
from polyad.nn.activations import (
    celu,
    elu,
    gelu,
    glu,
    hard_sigmoid,
    hard_swish,
    hard_tanh,
    leaky_relu,
    log_sigmoid,
    mish,
    prelu,
    relu,
    relu6,
    selu,
    sigmoid,
    silu,
    softplus,
    softsign,
    tanh,
    tanhshrink,
)
from polyad.nn.adaptive_pooling import (
    adaptive_avg_pool1d,
    adaptive_avg_pool2d,
    adaptive_avg_pool3d,
    adaptive_max_pool1d,
    adaptive_max_pool2d,
    adaptive_max_pool3d,
    global_avg_pool2d,
    global_max_pool2d,
)
from polyad.nn.attention import scaled_dot_product_attention
from polyad.nn.convolution import (
    conv1d,
    conv1d_transpose,
    conv2d,
    conv2d_transpose,
    conv3d,
    conv3d_transpose,
)
from polyad.nn.ctc import ctc_loss
from polyad.nn.detection import (
    multibox_prior,
    multibox_transform_loc,
    nms,
)
from polyad.nn.grid_sample import grid_sample
from polyad.nn.initial_weights import (
    glorot_normal,
    glorot_uniform,
    he_normal,
    he_uniform,
    lecun_normal,
    lecun_uniform,
    orthogonal,
)
from polyad.nn.linear import (
    bias_add,
    dense,
    dropout,
    embedding,
    flatten,
)
from polyad.nn.losses import (
    binary_cross_entropy,
    cosine_similarity,
    cross_entropy,
    huber_loss,
    kl_div,
    mae_loss,
    mse_loss,
    nll_loss,
    one_hot,
    smooth_l1_loss,
)
from polyad.nn.normalization import (
    batch_norm,
    group_norm,
    instance_norm,
    l2_normalize,
    layer_norm,
    lrn,
    rms_norm,
)
from polyad.nn.patches import (
    fold,
    pixel_shuffle,
    pixel_unshuffle,
    unfold,
)
from polyad.nn.pooling import (
    avg_pool1d,
    avg_pool2d,
    avg_pool3d,
    max_pool1d,
    max_pool2d,
    max_pool3d,
)
from polyad.nn.recurrent import (
    bidirectional,
    gru,
    lstm,
    rnn,
    stacked,
)
from polyad.nn.recurrent_cells import (
    gru_cell,
    lstm_cell,
    rnn_cell,
)
from polyad.nn.resize import (
    resize,
    resize2d,
    upsample,
)
from polyad.nn.scatters import (
    embedding_bag,
    gather_nd,
    scatter_add,
    scatter_nd,
    segment_sum,
)
from polyad.nn.shapes import (
    broadcast_to_like,
    collapse_sum_like,
    layout_transform,
    reshape_like,
    slice_like,
)
from polyad.nn.softmax import (
    log_softmax,
    logsumexp,
    softmax,
)
from polyad.nn.winograd import winograd_conv2d

__all__ = [
    "adaptive_avg_pool1d",
    "adaptive_avg_pool2d",
    "adaptive_avg_pool3d",
    "adaptive_max_pool1d",
    "adaptive_max_pool2d",
    "adaptive_max_pool3d",
    "avg_pool1d",
    "avg_pool2d",
    "avg_pool3d",
    "batch_norm",
    "bias_add",
    "bidirectional",
    "binary_cross_entropy",
    "broadcast_to_like",
    "celu",
    "collapse_sum_like",
    "conv1d",
    "conv1d_transpose",
    "conv2d",
    "conv2d_transpose",
    "conv3d",
    "conv3d_transpose",
    "cosine_similarity",
    "cross_entropy",
    "ctc_loss",
    "dense",
    "dropout",
    "elu",
    "embedding",
    "embedding_bag",
    "flatten",
    "fold",
    "gather_nd",
    "gelu",
    "global_avg_pool2d",
    "global_max_pool2d",
    "glorot_normal",
    "glorot_uniform",
    "glu",
    "grid_sample",
    "group_norm",
    "gru",
    "gru_cell",
    "hard_sigmoid",
    "hard_swish",
    "hard_tanh",
    "he_normal",
    "he_uniform",
    "huber_loss",
    "instance_norm",
    "kl_div",
    "l2_normalize",
    "layer_norm",
    "layout_transform",
    "leaky_relu",
    "lecun_normal",
    "lecun_uniform",
    "log_sigmoid",
    "log_softmax",
    "logsumexp",
    "lrn",
    "lstm",
    "lstm_cell",
    "mae_loss",
    "max_pool1d",
    "max_pool2d",
    "max_pool3d",
    "mish",
    "mse_loss",
    "multibox_prior",
    "multibox_transform_loc",
    "nll_loss",
    "nms",
    "one_hot",
    "orthogonal",
    "pixel_shuffle",
    "pixel_unshuffle",
    "prelu",
    "relu",
    "relu6",
    "reshape_like",
    "resize",
    "resize2d",
    "rms_norm",
    "rnn",
    "rnn_cell",
    "scaled_dot_product_attention",
    "scatter_add",
    "scatter_nd",
    "segment_sum",
    "selu",
    "sigmoid",
    "silu",
    "slice_like",
    "smooth_l1_loss",
    "softmax",
    "softplus",
    "softsign",
    "stacked",
    "tanh",
    "tanhshrink",
    "unfold",
    "upsample",
    "winograd_conv2d",
]

__getattr__ = _explain_absence("module 'polyad.nn'", __all__, _ABSENT, {"polyad.numpy": set(_numpy.__all__)})

_TORCH = {
    "a": "x",
    "x": "labels",
    "input": "x",
    "dim": "axis",
    "kernel_size": "size",
    "scale_factor": "scale",
    "num_groups": "groups",
    "start_dim": "start_axis",
    "end_dim": "end_axis",
}
"""Argument of PyTorch -> the name it has here, of the same meaning."""

_explain_arguments("polyad.nn", __all__, globals(), _TORCH)
