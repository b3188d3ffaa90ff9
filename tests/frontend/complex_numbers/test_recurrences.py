"""Models that are recurrences of complex numbers: values, gradients, and what they cost."""

from typing import Any

import numpy as np
import pytest

import polyad as pa
from polyad.errors import DTypeError

pnp = pa.numpy
RNG = np.random.default_rng(1)
T, N, D = 12, 4, 2
LAMBDA = 0.9 * np.exp(1j * RNG.uniform(0, 3, N)) * RNG.uniform(0.5, 1, N)
B = RNG.standard_normal((N, D)) + 1j * RNG.standard_normal((N, D))
C = RNG.standard_normal((D, N)) + 1j * RNG.standard_normal((D, N))
U = RNG.standard_normal((T, D))


def s4d(decay: Any, b: Any, c: Any, u: Any) -> Any:
    """Diagonal state space: h[t] = decay * h[t - 1] + b u[t], y[t] = Re(c h[t])."""

    def step(h: Any, x: Any) -> Any:
        h = decay * h + b @ x
        return h, (c @ h).real

    return pa.scan(step, np.zeros(N, complex), u)[1]


def s4d_in_parallel(decay: Any, b: Any, c: Any, u: Any) -> Any:
    """The same as an associative scan of (decay, input)."""
    inputs = pnp.einsum("nd,td->tn", b, u)
    decays = pnp.broadcast_to(decay, (T, N))
    h = pa.associative_scan(lambda p, q: (p[0] * q[0], q[0] * p[1] + q[1]), (decays, inputs))[1]
    return pnp.real(pnp.einsum("dn,tn->td", c, h))


def s4d_of_numpy(decay: Any, b: Any, c: Any, u: Any) -> Any:
    h, ys = np.zeros(N, complex), []
    for x in u:
        h = decay * h + b @ x
        ys.append((c @ h).real)
    return np.array(ys)


@pytest.mark.parametrize("model", [s4d, s4d_in_parallel])
def test_s4d(model: Any) -> None:
    given = (LAMBDA, B, C, U)
    np.testing.assert_allclose(pa.jit(model)(*given), s4d_of_numpy(*given), rtol=1e-12, atol=1e-12)
    slopes = pa.grad(lambda *a: pnp.sum(model(*a) ** 2), argnums=(0, 1, 2, 3))(*given)
    for n, (slope, array) in enumerate(zip(slopes, given, strict=True)):
        at = tuple(k // 2 for k in array.shape)
        expected: complex = 0.0
        for direction, factor in ((1.0, 1.0), (1j, -1j)) if n < 3 else ((1.0, 1.0),):
            moved = []
            for step in (1e-6, -1e-6):
                near = [a.copy() for a in given]
                near[n][at] += step * direction
                moved.append(np.sum(s4d_of_numpy(*near) ** 2))
            expected += factor * (moved[0] - moved[1]) / 2e-6
        assert slope.dtype == array.dtype
        assert abs(slope[at] - expected) < 1e-6 * max(1, abs(expected))


def lru(nu: Any, theta: Any, b: Any, c: Any, d: Any, u: Any) -> Any:
    """Linear recurrent unit (Orvieto et al., 2023): decays of modulus exp(-exp(nu)), inputs scaled to unit variance."""
    decay = pnp.exp(-pnp.exp(nu) + 1j * pnp.exp(theta))
    scale = pnp.sqrt(1 - abs(decay) ** 2)

    def step(h: Any, x: Any) -> Any:
        h = decay * h + scale * (b @ x)
        return h, pnp.real(c @ h) + d * x

    return pa.scan(step, np.zeros(3, complex), u)[1]


def waves(*shape: int) -> np.ndarray:
    return np.sin(np.arange(1, 1 + np.prod(shape)) * 1.7).reshape(shape)


LRU = (
    waves(3) - 1,
    waves(3) * 0.5,
    waves(3, 2) + 1j * waves(2, 3).T,
    waves(2, 3) - 1j * waves(3, 2).T,
    waves(2),
    waves(5, 2),
)
JAX = [
    [7.098930623959, 2.71041265757, -3.412416342593],
    [9.244661234567, -1.653246190225, -0.712331247854],
    [
        [8.683871203575 - 15.752057823244j, -6.4317782463 + 10.153340146646j],
        [0.062806137384 + 5.905228781489j, -0.084488716265 - 4.225193747593j],
        [-4.294839086645 - 2.234974577212j, 3.358123405586 + 1.700618206491j],
    ],
    [
        [16.766172582756 + 4.013853248701j, -9.188603482959 - 2.352162864955j, 4.808394413712 - 3.074710589181j],
        [0.290362583591 - 0.425142159592j, 0.082990214428 + 0.386344927975j, -0.431674996996 + 0.077030003465j],
    ],
    [13.786545322133, -0.194259175559],
]


def test_lru_is_that_of_jax() -> None:
    value, slopes = pa.value_and_grad(lambda *a: pnp.sum(lru(*a) ** 2), argnums=(0, 1, 2, 3, 4))(*LRU)
    np.testing.assert_allclose(value, 16.352256233202088, rtol=1e-13)
    for found, wanted in zip(slopes, JAX, strict=True):
        np.testing.assert_allclose(found, wanted, rtol=1e-10, atol=1e-11)


def test_a_batch_of_lrus() -> None:
    inputs = np.stack([waves(5, 2), waves(5, 2)[::-1], waves(5, 2) * 2])
    found = pa.vmap(lru, in_axes=(None, None, None, None, None, 0))(*LRU[:5], inputs)
    one = pa.jit(lru)
    np.testing.assert_allclose(found, [one(*LRU[:5], u) for u in inputs], rtol=1e-13)


def test_a_filter_by_the_matrix_of_the_fourier_transform() -> None:
    n = 8
    index = np.arange(n)
    dft = np.exp(-2j * np.pi * np.outer(index, index) / n)
    x, h = RNG.standard_normal((3, n)), np.exp(-index / 2.0)

    def filtered(x: Any, h: Any) -> Any:
        spectrum = pnp.einsum("kn,bn->bk", dft, x) * (dft @ h)
        return pnp.real(pnp.einsum("kn,bk->bn", pnp.conj(dft), spectrum)) / n

    wanted = np.fft.ifft(np.fft.fft(x) * np.fft.fft(h)).real
    np.testing.assert_allclose(pa.jit(filtered)(x, h), wanted, atol=1e-13)
    pa.check_grads(filtered, (x[:1], h), modes=("rev",))


def by_hand(decay: Any, decay_i: Any, b: Any, b_i: Any, u: Any) -> Any:
    """The states of a diagonal recurrence as pairs of real numbers."""

    def step(h: Any, x: Any) -> Any:
        re = decay * h[0] - decay_i * h[1] + b * x
        im = decay * h[1] + decay_i * h[0] + b_i * x
        return (re, im), (re, im)

    return pa.scan(step, (np.zeros(N), np.zeros(N)), u)[1]


def parts(z: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    return z.real.copy(), z.imag.copy()


def s4d_by_hand(a: Any, a_i: Any, b: Any, b_i: Any, c: Any, c_i: Any, u: Any) -> Any:
    """`s4d` in pairs of real numbers."""

    def step(h: Any, x: Any) -> Any:
        re, im = a * h[0] - a_i * h[1] + b @ x, a * h[1] + a_i * h[0] + b_i @ x
        return (re, im), c @ re - c_i @ im

    return pa.scan(step, (np.zeros(N), np.zeros(N)), u)[1]


def test_a_complex_recurrence_costs_what_its_pair_costs() -> None:
    """No more instances than written by hand, and no copy: inputs are read where they lie, as are results."""

    def complex_one(decay: Any, b: Any, u: Any) -> Any:
        def step(h: Any, x: Any) -> Any:
            h = decay * h + b * x
            return h, h

        return pa.scan(step, np.zeros(N, complex), u)[1]

    ours, theirs = pa.jit(complex_one), pa.jit(by_hand)
    found = ours(LAMBDA, B[:, 0], U[:, 0])
    re, im = theirs(LAMBDA.real, LAMBDA.imag, B[:, 0].real, B[:, 0].imag, U[:, 0])
    np.testing.assert_allclose(found, re + 1j * im, rtol=1e-13)
    stacked = pa.jit(lambda *a: pnp.stack(by_hand(*a), axis=-1))
    stacked(LAMBDA.real, LAMBDA.imag, B[:, 0].real, B[:, 0].imag, U[:, 0])
    assert sum(ours.kernel.instances().values()) <= sum(stacked.kernel.instances().values())
    assert ours.kernel.memory_plan().total_bytes <= stacked.kernel.memory_plan().total_bytes
    assert len(ours.kernel.program.statements) == 6, "first states, states, results: one for each part"
    pairs, model = pa.jit(s4d_by_hand), pa.jit(s4d)
    np.testing.assert_allclose(model(LAMBDA, B, C, U), pairs(*parts(LAMBDA), *parts(B), *parts(C), U), rtol=1e-12)
    assert sum(model.kernel.instances().values()) <= sum(pairs.kernel.instances().values())
    assert model.kernel.memory_plan().total_bytes <= pairs.kernel.memory_plan().total_bytes


@pytest.mark.parametrize("steps", [0, 1, 2])
def test_short_recurrences(steps: int) -> None:
    last, all_states = pa.jit(lambda u: pa.scan(lambda h, x: (h * LAMBDA + x, h), np.ones(N, complex), u))(U[:steps, 0])
    h = np.ones(N, complex)
    for x in U[:steps, 0]:
        h = h * LAMBDA + x
    np.testing.assert_allclose(last, h, rtol=1e-14)
    assert all_states.shape == (steps, N) and all_states.dtype == complex


def test_loops_branches_and_carries_in_structures() -> None:
    def looped(z: Any) -> Any:
        carry = pa.fori_loop(0, 5, lambda i, h: {"a": h["a"] * z + i, "n": h["n"] + 1.0}, {"a": z, "n": 0.0})
        grown = pa.while_loop(lambda h: abs(h[0]) < 10, lambda h: h * (1 + 1j), z, max_steps=20)
        return carry, grown, pa.cond(abs(z[0]) > 1, lambda: z, lambda: z * 1j), pa.map(lambda a: a * a, z)

    z = np.array([0.5 + 0.25j, -0.25j])
    carry, grown, chosen, squares = pa.jit(looped)(z)
    expected, other = z, z
    for i in range(5):
        expected = expected * z + i
    while abs(other[0]) < 10:
        other = other * (1 + 1j)
    np.testing.assert_allclose(carry["a"], expected, rtol=1e-14)
    np.testing.assert_allclose(grown, other, rtol=1e-14)
    np.testing.assert_allclose(chosen, z * 1j)
    np.testing.assert_allclose(squares, z * z)


def test_real_and_complex_leaves_meet() -> None:
    """Branches and carries that are complex stay so; a carry that starts with real numbers is named."""
    z = np.array([0.5 + 0.25j, -0.25j])
    mixed = pa.jit(lambda z: pa.cond(abs(z[0]) < 0, lambda: {"a": z}, lambda: {"a": 2 * z.real}))(z)["a"]
    np.testing.assert_array_equal(mixed, 2 * z.real + 0j)
    assert mixed.dtype == complex
    last = pa.jit(lambda z: pa.scan(lambda h, x: (abs(h * x), None), 1 + 0j, z)[0])(z)
    np.testing.assert_allclose(last, abs(z[0] * z[1]), rtol=1e-14)
    with pytest.raises(DTypeError, match=r"carry\['h'\] starts with real numbers"):
        pa.jit(lambda z: pa.scan(lambda h, x: ({"h": h["h"] * x}, None), {"h": 1.0}, z)[0])(z)
    found = pa.jit(lambda z: pa.recurrence((2,), lambda y, i: z[i] * 1j, "y"))(z)
    np.testing.assert_array_equal(found, z[:2] * 1j)


def test_a_step_that_descends() -> None:
    """Gradients in the body of a loop, along their conjugates."""
    aim = np.array([1.0 - 2.0j, 0.5j])

    def descent(z: Any) -> Any:
        along = pa.grad(lambda q: pnp.sum(abs(q - aim) ** 2))
        return pa.fori_loop(0, 60, lambda i, z: z - 0.2 * pnp.conj(along(z)), z)

    np.testing.assert_allclose(pa.jit(descent)(np.zeros(2, complex)), aim, atol=1e-12)


def test_a_checkpointed_recurrence_has_the_same_gradient() -> None:
    def loss(decay: Any, u: Any, kept: Any) -> Any:
        last, _ = pa.scan(lambda h, x: (decay * h + x, None), np.zeros(N, complex), u, checkpoint=kept)
        return pnp.sum(abs(last))

    u = RNG.standard_normal((10, N)) * 1j
    wanted, found = (pa.grad(lambda a, b, k=k: loss(a, b, k))(LAMBDA, u) for k in (None, pa.checkpoint.every(3)))
    np.testing.assert_allclose(found, wanted, rtol=1e-13)


def test_certificates() -> None:
    """Loops over one number of each pair are proved like others."""
    model = pa.jit(s4d)
    model(LAMBDA, B, C, U)
    assert model.kernel.certify()


def test_loops_over_numbers_of_pairs_use_vectors() -> None:
    """Decays and weights lie in pairs, states apart: a vector takes both and parts them."""

    def model(decay: Any, weights: Any, u: Any) -> Any:
        def step(h: Any, x: Any) -> Any:
            h = decay * h + x
            return h, pnp.sum((weights * h).real)

        return pa.scan(step, np.zeros(256, complex), u)[1]

    given = [RNG.standard_normal(256) * 0.5 + 0.5j, RNG.standard_normal(256) - 1j, RNG.standard_normal(7)]
    run = pa.jit(model, "c")
    expected, h = [], np.zeros(256, complex)
    for x in given[2]:
        h = given[0] * h + x
        expected.append((given[1] * h).real.sum())
    np.testing.assert_allclose(run(*given), expected, rtol=1e-12)
    in_time = run.kernel.describe().split("  for t", 1)[1]
    assert in_time.count("simd for") == 3, "both parts of the states, and the sum"


def growing(z: Any, dtype: Any = None) -> Any:
    """h[0] = z, h[t, i] = z[i] h[t - 1, i] + conj(h[t - 1, 1 - i])."""
    return pa.recurrence(
        (T, 2),
        lambda h, t, i: pa.select(t == 0, z[i], h[t - 1, i] * z[i] + pnp.conj(h[t - 1, 1 - i])),
        dtype=dtype,
    )


def grown(z: Any) -> Any:
    rows = [z]
    for _ in range(T - 1):
        rows.append(rows[-1] * z + np.conj(rows[-1][::-1]))
    return np.stack(rows)


@pytest.mark.parametrize("dtype", [None, "complex64", "complex128"])
def test_a_recurrence_of_complex_elements(dtype: str | None) -> None:
    z = np.array([0.3 + 0.5j, -0.6 + 0.2j])
    given = z.astype(dtype or "complex128")
    found = pa.jit(lambda z: growing(z, dtype))(given)
    assert found.dtype == given.dtype
    np.testing.assert_allclose(found, grown(z), rtol=1e-12 if found.dtype == "complex128" else 1e-4)


def test_derivatives_of_a_complex_recurrence() -> None:
    z, e = np.array([0.3 + 0.5j, -0.6 + 0.2j]), np.array([0.2 - 0.1j, 0.4 + 0.7j])
    loss = lambda m: np.sum(np.abs(m) ** 2)  # noqa: E731
    slope = pa.grad(lambda z: pnp.sum(pnp.abs(growing(z)) ** 2))(z)
    expected = (loss(grown(z + 1e-6 * e)) - loss(grown(z - 1e-6 * e))) / 2e-6
    np.testing.assert_allclose(np.sum((slope * e).real), expected, rtol=1e-8)


def test_complex_and_real_tensors_that_need_each_other() -> None:
    def body(h: Any, n: Any, t: Any) -> Any:
        return pa.select(t == 0, 1j, h[t - 1] * 1j + n[t - 1]), pa.select(t == 0, 1.0, pnp.abs(h[t - 1]) / 2)

    h, n = pa.jit(lambda: pa.recurrence(((6,), (6,)), body, dtype=("complex128", "float64")))()
    a, b = [1j], [1.0]
    for _ in range(5):
        a, b = [*a, a[-1] * 1j + b[-1]], [*b, abs(a[-1]) / 2]
    np.testing.assert_allclose(h, a, rtol=1e-14)
    np.testing.assert_allclose(n, b, rtol=1e-14)
    real = pa.jit(lambda: pa.recurrence((3,), lambda h, t: pa.select(t == 0, 1.0, h[t - 1] + 1.0), dtype=complex))()
    assert real.tolist() == [1, 2, 3] and real.dtype == "complex128"
