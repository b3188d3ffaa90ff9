"""Scaled dot-product attention against PyTorch, and what it does not compute."""

from typing import Any

import numpy as np
import pytest

import polyad as pa
from polyad import nn
from tests.nn.against_torch import against_torch

RNG = np.random.default_rng(3)


def normal(*shape: int) -> np.ndarray:
    return RNG.normal(size=shape)


@pytest.mark.torch
@pytest.mark.parametrize("causal", [False, True])
@pytest.mark.parametrize(("rows", "columns"), [(5, 5), (3, 5), (1, 1)])
def test_against_pytorch(causal: bool, rows: int, columns: int) -> None:
    import torch  # here, as importing it takes a second in every process of tests

    theirs = torch.nn.functional.scaled_dot_product_attention
    options: dict[str, Any] = {"is_causal": causal}
    given = normal(2, 2, rows, 3), normal(2, 2, columns, 3), normal(2, 2, columns, 4)
    against_torch(
        lambda q, k, v: nn.scaled_dot_product_attention(q, k, v, **options),
        lambda q, k, v: theirs(q, k, v, **options),
        *given,
    )
    against_torch(
        lambda q, k, v: nn.scaled_dot_product_attention(q, k, v, scale=0.3, **options),
        lambda q, k, v: theirs(q, k, v, scale=0.3, **options),
        *(a[0, 0] for a in given),
    )


@pytest.mark.torch
def test_masks() -> None:
    import torch  # here, as importing it takes a second in every process of tests

    theirs = torch.nn.functional.scaled_dot_product_attention
    given = normal(2, 3, 4, 3), normal(2, 3, 5, 3), normal(2, 3, 5, 2)
    part = RNG.random((4, 5)) < 0.6
    part[1] = False  # nobody takes part: zeros
    against_torch(
        lambda q, k, v: nn.scaled_dot_product_attention(q, k, v, part),
        lambda q, k, v: theirs(q, k, v, torch.from_numpy(part)),
        *given,
    )
    against_torch(nn.scaled_dot_product_attention, theirs, *given, normal(3, 4, 5))


@pytest.mark.torch
@pytest.mark.parametrize("causal", [False, True])
def test_heads_of_the_query_share_those_of_the_keys(causal: bool) -> None:
    import torch  # here, as importing it takes a second in every process of tests

    theirs = torch.nn.functional.scaled_dot_product_attention
    for heads in (1, 2, 4):
        against_torch(
            lambda q, k, v: nn.scaled_dot_product_attention(q, k, v, is_causal=causal),
            lambda q, k, v: theirs(q, k, v, is_causal=causal, enable_gqa=True),
            normal(1, 4, 3, 2),
            normal(1, heads, 3, 2),
            normal(1, heads, 3, 5),
        )


def test_a_causal_mask_is_the_triangle_and_no_work() -> None:
    """Of N rows, N (N + 1) / 2 pairs: in the value and in the gradients by all three."""
    N = 9
    q, k, v = (pa.placeholder((N, 3), n, "float64") for n in "qkv")
    y = nn.scaled_dot_product_attention(q, k, v, is_causal=True)
    bars = pa.differentiate(pa.numpy.sum(y * y), [q, k, v])
    pairs = N * (N + 1) // 2
    for kernel in (pa.compile(y), pa.compile([bars[t] for t in (q, k, v)])):
        counts = kernel.instances()
        assert counts["scores"] == 3 * pairs
        assert max(counts.values()) == 3 * pairs
        assert all(n != N * N for n in counts.values()), counts


@pytest.mark.parametrize(
    ("call", "error", "text"),
    [
        (lambda q, k: nn.scaled_dot_product_attention(q, k[:, :1], k), pa.ShapeError, "do not fit"),
        (
            lambda q, k: nn.scaled_dot_product_attention(q, k, k, q @ k.mT, True),
            pa.DefinitionError,
            "a causal mask is one",
        ),
        (lambda q, k: nn.scaled_dot_product_attention(k, q, q, is_causal=True), pa.ShapeError, "5 causal queries see"),
        (
            lambda q, k: nn.scaled_dot_product_attention(*(pa.placeholder((n, 2, 2), "x") for n in (3, 2, 2))),
            pa.ShapeError,
            "cannot share 2 heads",
        ),
        (
            lambda q, k: nn.scaled_dot_product_attention(*[pa.placeholder((2, pa.sizes("D")), "x")] * 3),
            pa.ShapeError,
            "give scale=",
        ),
    ],
)
def test_what_is_refused(call: Any, error: type[Exception], text: str) -> None:
    with pytest.raises(error, match=text):
        call(pa.placeholder((3, 2), "q"), pa.placeholder((5, 2), "k"))
