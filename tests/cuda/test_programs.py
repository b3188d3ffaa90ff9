"""Programs of all kinds on the device: the values of the evaluator, with the same bits whatever order blocks run in."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import polyad as pa
from polyad.errors import CallError
from tests.cuda.device import agrees, same_values, target
from tests.pet.extracted import NEEDS_PET

pnp = pa.numpy


def arrays(*shapes: tuple[int, ...], dtype: str = "float64", seed: int = 0) -> list[np.ndarray]:
    rng = np.random.default_rng(seed)
    return [rng.normal(size=shape).astype(dtype) for shape in shapes]


def lstm(x: Any, W: Any, U: Any, b: Any, h0: Any, c0: Any) -> Any:
    H = h0.shape[-1]

    def step(carry: Any, row: Any) -> Any:
        h, c = carry
        z = row @ W + h @ U + b
        i, f, g, o = (z[..., n * H : (n + 1) * H] for n in range(4))
        c = pa.sigmoid(f) * c + pa.sigmoid(i) * pa.tanh(g)
        h = pa.sigmoid(o) * pa.tanh(c)
        return (h, c), h

    _, hs = pa.scan(step, (h0, c0), x)
    return (hs * hs).sum()


def soft_dtw(cost: Any) -> Any:
    def row(before: Any, c: Any) -> Any:
        def cell(left: Any, given: Any) -> Any:
            cost, up, corner = given
            now = cost + pnp.minimum(pnp.minimum(left, up), corner)
            return now, now

        up = before
        corner = pnp.concatenate([pnp.zeros((1,)), before[:-1]])
        _, now = pa.scan(cell, pnp.max(cost) * 10.0, (c, up, corner))
        return now, None

    last, _ = pa.scan(row, pnp.cumsum(cost[0]), cost[1:])
    return last[-1]


def layer_norm(x: Any, g: Any) -> Any:
    centred = x - x.mean(axis=1, keepdims=True)
    return pnp.sum(centred / pnp.sqrt((centred * centred).mean(axis=1, keepdims=True) + 1e-5) * g)


def checkpointed(x: Any, w: Any) -> Any:
    h, _ = pa.scan(lambda h, row: (pa.tanh(w @ h + row), None), x[0], x, checkpoint=pa.checkpoint.every(3))
    return pnp.sum(h * h)


def backwards(x: Any, a: Any) -> Any:
    _, ys = pa.scan(lambda h, row: (h * a + row, h), x[0] * 0.0, x, reverse=True)
    return pnp.sum(ys * ys)


def nested(x: Any) -> Any:
    def outer(s: Any, row: Any) -> Any:
        total, parts = pa.scan(lambda t, v: (pa.sin(t) + v, t), s, row)
        return total * 0.5, parts

    last, every = pa.scan(outer, 0.3, x)
    return last + pnp.sum(every)


def gathered(table: Any, ids: Any) -> Any:
    return pnp.sum(table[ids] ** 2)


def convolved(x: Any, w: Any) -> Any:
    return pnp.sum(pa.nn.conv2d(x, w, stride=2, dilation=2, padding=1) ** 2)


def lower(a: Any) -> Any:
    return pnp.sum(pnp.tril(a) @ pnp.tril(a).T)


def chosen(x: Any) -> Any:
    return pnp.sum(pnp.where(x > 0.0, pnp.sqrt(pnp.abs(x)), x * x))


def quartic(x: Any) -> Any:
    return pnp.sum(x**4) + pnp.sum(x[1:] * x[:-1]) ** 2


def attention(q: Any, k: Any, v: Any) -> Any:
    return pnp.sum((pa.nn.softmax(q @ k.T / 2.0, axis=-1) @ v) ** 2)


def moved(x: Any) -> Any:
    return pnp.flip(pnp.transpose(x), axis=0)[::2], pnp.repeat(x, 2, axis=1), pnp.concatenate([x, x * 2.0], axis=0)


CASES: dict[str, tuple[Callable[..., Any], list[np.ndarray]]] = {
    "pointwise": (lambda x, y: pa.tanh(x) * y + pa.exp(-y), arrays((5, 7), (7,))),
    "LSTM": (
        pa.value_and_grad(lstm, argnums=(0, 1, 2, 3, 4, 5)),
        arrays((5, 3, 4), (4, 20), (5, 20), (20,), (3, 5), (3, 5)),
    ),
    "steps in parts": (
        pa.value_and_grad(lstm, argnums=(1, 2, 4)),
        arrays((3, 2, 4), (4, 256), (64, 256), (256,), (2, 64), (2, 64), dtype="float32"),
    ),
    "attention": (pa.grad(attention, argnums=(0, 1, 2)), arrays((5, 4), (7, 4), (7, 3))),
    "gather": (pa.value_and_grad(gathered), [*arrays((6, 3)), np.array([1, 5, 1, 0])]),
    "sums": (lambda x: (x.sum(), x.max(axis=0), x.min(), pnp.argmax(x, axis=1), pnp.prod(x, axis=1)), arrays((6, 9))),
    "checkpoint": (pa.grad(checkpointed, argnums=(0, 1)), arrays((8, 3), (3, 3))),
    "float32": (pa.value_and_grad(layer_norm, argnums=(0, 1)), arrays((5, 33), (33,), dtype="float32")),
    "rows": (
        lambda x: (pa.nn.softmax(x, 1), pa.nn.layer_norm(x), x.max(1), x.min(1), pnp.prod(1.0 + 0.01 * x, 1)),
        arrays((9, 150)),
    ),
    "long sums": (
        lambda x: (x.sum(), x.max(), pnp.sum(x * x, axis=(0, 2)), pnp.sum((x * 10.0).astype("int32"))),
        arrays((3, 5, 411), dtype="float32"),
    ),
    "everything": (
        lambda x, y: (x.sum(), y.max(), pnp.sum(x * x), pnp.min(y), pnp.prod(1.0 + 1e-3 * y)),
        arrays((9001,), (30, 17, 11)),
    ),
    "prefix": (lambda x: (pnp.cumsum(x), pnp.cumprod(x, axis=0)), arrays((37,))),
    "long prefix": (
        lambda x, y: (pnp.cumsum(x), pnp.cumprod(1.0 + 1e-3 * y, 0), pa.grad(lambda v: pnp.sum(pnp.cumsum(v) ** 2))(x)),
        arrays((5000,), (4100, 2)),
    ),
    "scans": (pa.value_and_grad(backwards, argnums=(0, 1)), arrays((130, 4), (4,), dtype="float32")),
    "reversed": (pa.grad(backwards, argnums=(0, 1)), arrays((6, 4), (4,))),
    "nested": (pa.value_and_grad(nested), arrays((4, 5))),
    "two dimensions": (pa.value_and_grad(soft_dtw), [np.abs(a) for a in arrays((6, 7))]),
    "convolution": (pa.grad(convolved, argnums=(0, 1)), arrays((2, 3, 9, 8), (4, 3, 3, 3))),
    "triangle": (pa.value_and_grad(lower), arrays((7, 7))),
    "condition": (pa.value_and_grad(chosen), arrays((40,))),
    "Hessian": (pa.hessian(quartic), arrays((6,))),
    "moves": (moved, arrays((5, 6))),
    "layers": (pa.grad(lambda x, w: pnp.sum(pa.tanh(pa.tanh(x @ w) @ w)), argnums=(0, 1)), arrays((5, 4), (4, 4))),
    "tiles": (
        lambda a, b, c: (pa.tanh(a @ b + 1.0), pnp.einsum("ki,kj->ij", b, b), pnp.einsum("ik,jk->ij", a, c)),
        arrays((70, 18), (18, 66), (65, 18)),
    ),
    "tiles of batches": (
        lambda x, w, v: (pnp.einsum("tbk,kn->tbn", x, w), pnp.einsum("bik,bjk->bij", v, v)),
        arrays((9, 4, 17), (17, 70), (2, 66, 18), dtype="float32"),
    ),
    "batches": (lambda a, b: pnp.einsum("bij,bjk->bik", a, b), arrays((3, 4, 5), (3, 5, 2))),
    "no elements": (lambda x, w: (x @ w, pnp.sum(x, axis=1), pa.tanh(w)), arrays((3, 0), (0, 4))),
    "integers": (lambda n: (n // 3, n % 5, pnp.sum(n)), [np.arange(-7, 9, dtype=np.int64)]),
    "one element": (pa.value_and_grad(lstm, argnums=(1, 2)), arrays((1, 1, 1), (1, 4), (1, 4), (4,), (1, 1), (1, 1))),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
@pytest.mark.quick_cases(7)
def test_values_and_bits(name: str) -> None:
    function, given = CASES[name]
    kernel = agrees(function, *given)
    assert kernel.code.launches and kernel.code.suffix == ".cu"


@pytest.mark.parametrize("T", [1, 2, 130])
def test_symbolic_sizes(T: int) -> None:
    n, m = pa.sizes("n m")
    x, w = pa.placeholder((n, m), "x", "float64"), pa.placeholder((m,), "w", "float64")
    h, hs = pa.scan(lambda h, row: (pa.tanh(h * w + row), h), pnp.zeros((m,)), x)
    loss = pnp.sum(h * h) + pnp.sum(hs)
    kernel = pa.compile([loss, *pa.grad(loss, [x, w])], [x, w], target=target())
    for width in (1, 3, 33):
        same_values(kernel, *arrays((T, width), (width,)))


def test_an_index_out_of_range_is_named() -> None:
    table, ids = np.ones((4, 2)), np.array([0, 4, 1])
    with pytest.raises(CallError, match=r"i\[1\] = 4"):
        pa.jit(lambda t, i: t[i], target())(table, ids)
    # the kernel goes on to work
    assert pa.jit(lambda t, i: t[i], target())(table, np.array([3])).shape == (1, 2)


@NEEDS_PET
def test_a_gradient_of_c(tmp_path: Any) -> None:
    path = tmp_path / "smooth.c"
    path.write_text(
        """
void smooth(int n, int steps, double a[n], double *out)
{
#pragma scop
  for (int t = 0; t < steps; t++)
    for (int i = 1; i < n - 1; i++)
      a[i] = 0.25 * a[i - 1] + 0.5 * a[i] + 0.25 * a[i + 1];
  *out = 0.0;
  for (int i = 0; i < n; i++)
    *out += a[i] * a[i];
#pragma endscop
}
"""
    )
    program = pa.from_c(path)
    (given,) = arrays((9,))
    gradient = program.grad(of="out", wrt=["a"])
    kernels = [pa.compile(gradient, target=t) for t in (target(), "c")]
    given = {"n": 9, "steps": 3, "a": arrays((9,))[0], "out": np.zeros(1)}
    here, there = (
        k(**{n: given[n] for n in k._names}, **{n: given[n] for n in k.code.sizes if n == "steps"}) for k in kernels
    )
    assert here.keys() == there.keys()
    for name in here:
        np.testing.assert_allclose(here[name], there[name], rtol=1e-12)


def s4d(decay: Any, b: Any, u: Any) -> Any:
    """A diagonal state space of complex numbers."""
    return pa.scan(lambda h, x: (decay * h + b * x, abs(h) + (h * b).real), np.zeros(4, complex), u)[1]


@pytest.mark.parametrize("dtype", ["complex64", "complex128"])
def test_complex_numbers(dtype: str) -> None:
    """Pairs of real numbers to the device, as to the CPU: one result on both."""
    re, im, u = arrays((4,), (4,), (9,), dtype="float32" if dtype == "complex64" else "float64")
    z, w = ((re + 1j * im) * 0.5).astype(dtype), (im - 1j * re).astype(dtype)
    everything: list[tuple[Callable[..., Any], tuple[Any, ...]]] = [
        (lambda z, w: (pnp.exp(z) / w, pnp.einsum("i,j->ij", z, pnp.conj(w)), abs(z) > 1), (z, w)),
        (pa.value_and_grad(lambda z, w, u: pnp.sum(s4d(z, w, u) ** 2), argnums=(0, 1)).fun, (z, w, u)),
    ]
    for function, given in everything:
        wanted = pa.jit(function, "c")(*given)
        found = pa.jit(function, target())(*given)
        for a, b in zip(pa.tree.leaves(found), pa.tree.leaves(wanted), strict=True):
            assert a.dtype == b.dtype and a.shape == b.shape
            np.testing.assert_allclose(a, b, rtol=1e-4 if dtype == "complex64" else 1e-12)
