"""Weights of 8 bits: how far they are off, and that no array holds them as floats."""

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import polyad as pa
from polyad.transforms.passes import inline as inlining

pnp = pa.numpy


def weights(*shape: int, seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).normal(size=shape).astype(np.float32)


@given(
    st.integers(0, 2**32 - 1),
    st.sampled_from(["float32", "float64"]),
    st.sampled_from([-1, 0, (0, 1)]),
    st.integers(2, 8),
)
@settings(max_examples=60)
def test_a_weight_is_off_by_half_a_scale_at_most(seed: int, dtype: str, axis: Any, bits: int) -> None:
    rng = np.random.default_rng(seed)
    w = (rng.normal(size=(5, 7)) * 10.0 ** rng.integers(-30, 30, (5, 1))).astype(dtype)
    w[2] = 0
    q, s = pa.quantise(w, axis=axis, bits=bits)
    assert q.dtype == np.int8
    assert np.abs(q).max() <= 2 ** (bits - 1) - 1
    off = np.abs(w.astype("float64") - q * s.astype("float64"))
    assert (off <= s.astype("float64") * (0.5 + 1e-5)).all()
    assert s.shape == {-1: (5, 1), 0: (1, 7), (0, 1): (1, 1)}[axis]


def kernel(size: int = 24) -> pa.Kernel:
    B = pa.sizes("B")
    x = pa.placeholder((B, size), name="x")
    q = pa.placeholder((size, size), name="q", dtype="int8")
    s = pa.placeholder((size, 1), name="s")
    return pa.compile({"y": pa.nn.dense(x, pa.Quantised(q, s))}, [x, q, s], name="layer")


def test_no_array_has_the_weights_as_floats(monkeypatch: pytest.MonkeyPatch) -> None:
    plan = kernel().memory_plan(B=3)
    assert plan.total_bytes == 0
    assert not plan.arrays
    assert "const int8_t *" in kernel().source
    monkeypatch.setattr(inlining, "_is_dequantised", lambda body: False)
    assert kernel(25).memory_plan(B=3).total_bytes >= 4 * 25 * 25


@pytest.mark.parametrize("optimize", [1, 2, 3])
@pytest.mark.parametrize("index", ["int64", "int32"])
def test_products(optimize: int, index: Any) -> None:
    w, x = weights(12, 9), weights(5, 9, seed=1)
    q = pa.quantise(w)
    exact = q.values * q.scales
    target = pa.Target("openmp", optimize=optimize, index=index)
    found = pa.jit(
        lambda x, q: (pa.nn.dense(x, q), x @ q.T, pnp.matmul(q, x.T), q @ x[0], pnp.einsum("bi,oi->bo", x, q.tensor())),
        target=target,
    )(x, q)
    for got, wanted in zip(found, (x @ exact.T, x @ exact.T, exact @ x.T, exact @ x[0], x @ exact.T), strict=True):
        np.testing.assert_allclose(got, wanted, rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("layer", ["rnn", "gru", "lstm"])
def test_recurrent_layers(layer: str) -> None:
    gates, hidden = {"rnn": 1, "gru": 3, "lstm": 4}[layer], 8
    x, W, U = weights(6, 3, 5), weights(gates * hidden, 5, seed=1), weights(gates * hidden, hidden, seed=2)
    run = getattr(pa.nn, layer)
    quantised = pa.quantise(W), pa.quantise(U)
    plain = [q.values * q.scales for q in quantised]
    found = pa.jit(lambda x, *w: run(x, *w)[0])(x, *quantised)
    np.testing.assert_allclose(found, pa.jit(lambda x, *w: run(x, *w)[0])(x, *plain), rtol=1e-4, atol=1e-5)
    T, B = pa.sizes("T B")
    given = pa.placeholder((T, B, 5), name="x")
    pairs = [
        pa.Quantised(pa.placeholder(v.shape, name=f"q{n}", dtype="int8"), pa.placeholder(s.shape, name=f"s{n}"))
        for n, (v, s) in enumerate(quantised)
    ]
    inputs = [given, *(t for pair in pairs for t in pair)]
    made = pa.compile({"ys": run(given, *pairs)[0]}, inputs, name=layer)
    held = made.memory_plan(T=100, B=2).arrays
    assert not [n for n in held if n.startswith("weights")], held
    text = made.certify().text
    assert text is not None


def test_closed_over_and_exported(tmp_path: Path) -> None:
    w, x = weights(8, 8), weights(3, 8, seed=1)
    q = pa.quantise(w)
    np.testing.assert_allclose(
        pa.jit(lambda x: pa.nn.dense(x, q))(x), x @ (q.values * q.scales).T, rtol=1e-5, atol=1e-5
    )
    kernel().export(tmp_path)
    header = (tmp_path / "layer.h").read_text(encoding="utf-8")
    assert re.search(
        r"int layer\(const layer_sizes \*sizes, const float \*x, const int8_t \*q, const float \*s,", header
    )


def test_what_cannot_be_quantised() -> None:
    w = weights(3, 4)
    with pytest.raises(pa.DTypeError, match="int32; float32 or float64"):
        pa.quantise(np.ones((2, 2), np.int32))
    with pytest.raises(pa.DTypeError, match="not finite"):
        pa.quantise(np.array([1.0, np.inf]))
    with pytest.raises(pa.DTypeError, match="bits=9"):
        pa.quantise(w, bits=9)
    with pytest.raises(pa.ShapeError, match=r"\(3, 4\) have no dimension 2"):
        pa.quantise(w, axis=2)
    with pytest.raises(pa.ShapeError, match="values have 2 dimensions, and scales 1"):
        pa.Quantised(np.ones((2, 2), np.int8), np.ones(2)).tensor()
