"""`lengths=`: each example is the one that is run alone, to its length, whatever stands behind it."""

from typing import Any

import numpy as np
import pytest

import polyad as pa

RNG = np.random.default_rng(3)
T, B, H = 6, 4, 3
LENGTHS = np.array([6, 0, 2, 5])
X, H0, W = RNG.normal(size=(T, B, H)), RNG.normal(size=(B, H)), RNG.normal(size=(H, H))


def padded(value: float = np.nan) -> np.ndarray:
    """X with a value that no result may depend on behind each length."""
    return np.where((np.arange(T)[:, None] < LENGTHS)[..., None], X, value)


def layer(x: Any, h0: Any, w: Any, **options: Any) -> Any:
    def step(h: Any, x_t: Any) -> Any:
        new = pa.tanh(x_t @ w + h @ w)
        return new, (new, x_t * new)

    return pa.scan(step, h0, x, **options)


def loss(x: Any, h0: Any, w: Any, n: Any = None, **options: Any) -> Any:
    last, (hs, products) = layer(x, h0, w, lengths=n, **options)
    return (last**2).sum() + (hs**3).sum() + pa.sin(products).sum()


def alone(w: np.ndarray, reverse: bool) -> tuple[list[np.ndarray], float, list[np.ndarray]]:
    """([final, outputs], the loss, its gradients) of the examples, each run by itself to its length."""
    finals, outputs = np.zeros((B, H)), np.zeros((T, B, H))
    total, x_bar, h0_bar, w_bar = 0.0, np.zeros((T, B, H)), np.zeros((B, H)), np.zeros((H, H))
    for b, n in enumerate(LENGTHS):
        x = X[:n, b]
        last, (hs, _) = pa.jit(lambda *a: layer(*a, reverse=reverse))(x, H0[b], w)
        value, bars = pa.value_and_grad(lambda *a: loss(*a, reverse=reverse), argnums=(0, 1, 2))(x, H0[b], w)
        finals[b], outputs[:n, b] = last, hs
        total, x_bar[:n, b], h0_bar[b], w_bar = total + value, bars[0], bars[1], w_bar + bars[2]
    return [finals, outputs], total, [x_bar, h0_bar, w_bar]


@pytest.mark.parametrize("reverse", [False, True])
@pytest.mark.parametrize("checkpoint", [None, pa.checkpoint.every(2), pa.checkpoint.sqrt()])
def test_an_example_is_the_one_that_is_run_alone(reverse: bool, checkpoint: Any) -> None:
    options = {"reverse": reverse, "checkpoint": checkpoint}
    (finals, outputs), total, bars = alone(W, reverse)
    last, (hs, _) = pa.jit(lambda x, h, w, n: layer(x, h, w, lengths=n, **options))(padded(), H0, W, LENGTHS)
    np.testing.assert_allclose(last, finals, rtol=1e-13)
    np.testing.assert_allclose(hs, outputs, rtol=1e-13)
    value, found = pa.value_and_grad(lambda x, h, w, n: loss(x, h, w, n, **options), argnums=(0, 1, 2))(
        padded(), H0, W, LENGTHS
    )
    np.testing.assert_allclose(value, total, rtol=1e-13)
    for got, expected in zip(found, bars, strict=True):
        np.testing.assert_allclose(got, expected, rtol=1e-12, atol=1e-15)
    x_bar = np.asarray(found[0])
    assert not x_bar[np.arange(T)[:, None] >= LENGTHS].any()  # zero, not nearly so


def test_forward_mode_and_second_derivatives() -> None:
    one = lambda w: loss(padded(), H0, w, LENGTHS)  # noqa: E731
    pa.check_grads(one, (W,), order=2)
    np.testing.assert_allclose(pa.jacfwd(one)(W), alone(W, False)[2][2], rtol=1e-12)


def test_what_stands_behind_a_length_does_not_change_a_bit() -> None:
    f = pa.jit(pa.grad(loss, argnums=(0, 1, 2)))
    for one, other in zip(f(padded(), H0, W, LENGTHS), f(padded(1e300), H0, W, LENGTHS), strict=True):
        assert np.asarray(one).tobytes() == np.asarray(other).tobytes()


@pytest.mark.parametrize("n", [0, T])
def test_all_examples_of_one_length(n: int) -> None:
    given = np.full(B, n)
    last, (hs, _) = pa.jit(lambda x, h, w, n: layer(x, h, w, lengths=n))(X, H0, W, given)
    expected, (outputs, _) = pa.jit(layer)(X, H0, W)
    np.testing.assert_array_equal(last, expected if n else H0)
    np.testing.assert_array_equal(hs, outputs if n else np.zeros((T, B, H)))


def test_no_steps() -> None:
    f = pa.jit(lambda x, h, n: pa.scan(lambda h, x: (h + x, h), h, x, lengths=n))
    last, ys = f(np.zeros((0, B)), H0[:, 0], np.zeros(B, np.int64))
    np.testing.assert_array_equal(last, H0[:, 0])
    assert ys.shape == (0, B)


def test_one_length_and_examples_by_vmap() -> None:
    one = lambda x, h, n: layer(x, h, W, lengths=n)[0]  # noqa: E731
    many = pa.vmap(one, in_axes=(1, 0, 0))
    expected = alone(W, False)[0][0]
    np.testing.assert_allclose(pa.jit(many)(padded(), H0, LENGTHS), expected, rtol=1e-13)
    np.testing.assert_allclose(pa.jit(one)(padded()[:, 2], H0[2], LENGTHS[2]), expected[2], rtol=1e-13)
    grad = pa.vmap(pa.grad(lambda *a: (one(*a) ** 2).sum()), in_axes=(1, 0, 0), out_axes=1)
    assert np.isfinite(pa.jit(grad)(padded(), H0, LENGTHS)).all()


def test_two_dimensions_of_examples_and_a_state_without_features() -> None:
    n = np.array([[0, 3, 5], [1, 2, 4]])
    x = RNG.normal(size=(5, 2, 3))
    last, ys = pa.jit(lambda x, n: pa.scan(lambda s, v: (s + v, s), pa.numpy.zeros((2, 3)), x, lengths=n))(x, n)
    inside = np.arange(5)[:, None, None] < n
    np.testing.assert_allclose(last, np.where(inside, x, 0).sum(0))
    np.testing.assert_allclose(ys, np.where(inside, np.cumsum(x, 0) - x, 0), atol=1e-15)


def test_integers_that_index_and_truth_values() -> None:
    """Behind the length there are no tokens; the state counts past the end of the table."""
    table = RNG.normal(size=7)
    tokens = np.where(np.arange(T)[:, None] < LENGTHS, RNG.integers(0, 7, (T, B)), -(10**9))

    def step(carry: Any, token: Any) -> Any:
        place, total, odd = carry
        return (place + 1, total + X_T[place] * TABLE[token], ~odd), odd

    X_T, TABLE = None, None

    def run(table: Any, x: Any, tokens: Any, n: Any) -> Any:
        nonlocal X_T, TABLE
        X_T, TABLE = x, table
        zero = pa.numpy.zeros((B,), "int64")
        return pa.scan(step, (zero, zero * 0.0, zero < 0), tokens, lengths=n)

    (place, total, odd), flags = pa.jit(run)(table, np.arange(T) + 1.0, tokens, LENGTHS)
    expected = [sum(table[tokens[t, b]] * (t + 1) for t in range(n)) for b, n in enumerate(LENGTHS)]
    np.testing.assert_allclose(total, expected)
    np.testing.assert_array_equal(place, LENGTHS)
    np.testing.assert_array_equal(odd, LENGTHS % 2 == 1)
    np.testing.assert_array_equal(flags, (np.arange(T)[:, None] % 2 == 1) & (np.arange(T)[:, None] < LENGTHS))


@pytest.mark.parametrize(("bad", "named"), [([6, 7, 0, 0], r"n\[1\] = 7"), ([6, 1, -1, 0], r"n\[2\] = -1")])
def test_lengths_that_are_none(bad: list[int], named: str) -> None:
    for f in (pa.jit(lambda x, h, w, n: layer(x, h, w, lengths=n)[0]), pa.jit(pa.grad(loss))):
        with pytest.raises(pa.CallError, match=rf"{named}, .* must lie in 0 \.\. 6"):
            f(X, H0, W, n=np.array(bad))


def test_symbolic_sizes() -> None:
    t, b = pa.sizes("T B")
    x, n = pa.placeholder((t, b), "x", "float64"), pa.placeholder((b,), "n", "int32")
    last, _ = pa.scan(lambda s, v: (s + v, None), pa.numpy.zeros((b,), "float64"), x, lengths=n)
    kernel = pa.compile([last], [x, n], name="sums")
    given = padded()[..., 0]
    np.testing.assert_allclose(
        kernel(given, LENGTHS.astype(np.int32)), np.where(np.arange(T)[:, None] < LENGTHS, X[..., 0], 0).sum(0)
    )
    assert "n[b]" in kernel.source


def test_shapes_that_do_not_fit() -> None:
    with pytest.raises(pa.ShapeError, match=r"lengths has shape \(3\), and carry has \(4, 3\)"):
        pa.jit(lambda n: layer(X, H0, W, lengths=n))(np.zeros(3, np.int64))
    with pytest.raises(pa.ShapeError, match=r"ys\['s'\] has \(\)"):
        pa.jit(lambda x, n: pa.scan(lambda h, v: (h, {"s": v.sum()}), H0[:, 0], x, lengths=n))(X, LENGTHS)
    with pytest.raises(pa.DTypeError, match="lengths is of type float64"):
        pa.jit(lambda n: layer(X, H0, W, lengths=n))(LENGTHS * 1.0)
    with pytest.raises(pa.ShapeError, match="starts with shape"):
        pa.jit(lambda n: pa.scan(lambda h, v: (v, v), H0[:, 0], X, lengths=n))(LENGTHS)
    with pytest.raises(pa.DefinitionError, match="returns a pair"):
        pa.jit(lambda n: pa.scan(lambda h, v: h, H0, X, lengths=n))(LENGTHS)
    with pytest.raises(pa.DTypeError, match="starts as float64 and the step returns float32"):
        pa.jit(lambda n: pa.scan(lambda h, v: (h.astype("float32"), None), H0, X, lengths=n))(LENGTHS)
