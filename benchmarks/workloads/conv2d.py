"""Convolutions of images with 3 x 3 filters: plain, with stride 2, dilated by 2.

Loss: sum of conv(x, w) r, differentiated with respect to x and w. Padding is as wide as the dilation. Channels come
first in polyad; peers also run with channels last, which suits them better.
"""

from typing import Any

import numpy as np

from benchmarks.with_jax import with_jax
from benchmarks.with_polyad import Polyad
from benchmarks.with_torch import gradient_of, with_torch
from benchmarks.workload import Arrays, Case, Ready, Workload, generator

__all__ = ["WORKLOAD"]

OPTIONS = {"plain": (1, 1), "stride": (2, 1), "dilation": (1, 2)}
"""kind -> (stride, dilation)"""


def inputs(case: Case) -> Arrays:
    """x (N, C, H, H), w (K, C, 3, 3), r (N, K, H', H')."""
    N, C, K, H = case["N"], case["C"], case["K"], case["H"]
    stride, _ = OPTIONS[case.kind]
    out = (H - 1) // stride + 1
    rng = generator(case)
    arrays = {
        "x": rng.normal(size=(N, C, H, H)),
        "w": rng.normal(size=(K, C, 3, 3)) / 10,
        "r": rng.normal(size=(N, K, out, out)),
    }
    return {n: a.astype(case.dtype) for n, a in arrays.items()}


def wrt(case: Case) -> tuple[str, ...]:
    return "x", "w"


def shapes(case: Case, N: Any, C: Any, K: Any, H: Any) -> dict[str, Any]:
    out = (H - 1) // OPTIONS[case.kind][0] + 1
    return {"x": (N, C, H, H), "w": (K, C, 3, 3), "r": (N, K, out, out)}


def polyad_loss(case: Case, x: Any, w: Any, r: Any) -> Any:
    import polyad as pa

    stride, dilation = OPTIONS[case.kind]
    return pa.numpy.sum(pa.nn.conv2d(x, w, stride=stride, padding=dilation, dilation=dilation) * r)


def torch_loss(case: Case, x: Any, w: Any, r: Any) -> Any:
    import torch

    stride, dilation = OPTIONS[case.kind]
    return (torch.nn.functional.conv2d(x, w, stride=stride, padding=dilation, dilation=dilation) * r).sum()


def with_torch_channels_last(case: Case) -> Ready:
    """The layout that oneDNN wants."""
    import torch

    t = {n: torch.from_numpy(a).to(memory_format=torch.channels_last) for n, a in inputs(case).items()}
    variables = [t[n].requires_grad_() for n in wrt(case)]
    return gradient_of(lambda: torch_loss(case, **t), variables)


def jax_convolution(case: Case, x: Any, w: Any, r: Any, layout: tuple[str, str, str]) -> Any:
    import jax

    stride, d = OPTIONS[case.kind]
    y = jax.lax.conv_general_dilated(
        x, w, (stride, stride), ((d, d), (d, d)), rhs_dilation=(d, d), dimension_numbers=layout
    )
    return (y * r).sum()


def jax_loss(case: Case, x: Any, w: Any, r: Any) -> Any:
    return jax_convolution(case, x, w, r, ("NCHW", "OIHW", "NCHW"))


def with_jax_channels_last(case: Case) -> Ready:
    """Images N H W C, filters H W I O; the results are turned back, and that is not timed."""

    def turned(case: Case) -> Arrays:
        a = inputs(case)
        return {n: np.ascontiguousarray(v.transpose((2, 3, 1, 0) if n == "w" else (0, 2, 3, 1))) for n, v in a.items()}

    def loss(case: Case, x: Any, w: Any, r: Any) -> Any:
        return jax_convolution(case, x, w, r, ("NHWC", "HWIO", "NHWC"))

    ready = with_jax(turned, loss, wrt)(case)

    def arrays(result: Any) -> Any:
        value, x_bar, w_bar = ready.arrays(result)
        return [value, x_bar.transpose(0, 3, 1, 2), w_bar.transpose(3, 2, 0, 1)]

    return Ready(ready.call, arrays, ready.compile_seconds)


SIZES = {"N": 8, "C": 32, "K": 64, "H": 56}
WORKLOAD = Workload(
    about="a 3 x 3 convolution with its gradient",
    cases=(
        Case(SIZES, "float32", "plain", goal={1: 1.4, 2: 1.4}, quick=True),
        Case(SIZES, "float32", "stride", goal={1: 1.4, 2: 1.4}),
        Case(SIZES, "float32", "dilation", goal={1: 1.4, 2: 1.4}),
        Case(SIZES, "float64", "plain", goal={1: 1.0, 2: 1.0}),
    ),
    contenders={
        "polyad": Polyad(inputs, polyad_loss, wrt, shapes),
        "torch": with_torch(inputs, torch_loss, wrt),
        "torch channels last": with_torch_channels_last,
        "jax": with_jax(inputs, jax_loss, wrt),
        "jax channels last": with_jax_channels_last,
    },
    tiny={"N": 2, "C": 2, "K": 3, "H": 6},
)
