"""QR factors, least squares and eigenvectors against LAPACK, and gradients against their formulas."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import polyad as pa
from polyad import linalg as la
from polyad import numpy as pn
from tests.compiled_derivatives import check_derivatives

RNG = np.random.default_rng(5)
EPS = np.finfo(float).eps


@pytest.mark.parametrize("shape", [(4, 4), (6, 3), (3, 5), (2, 7, 3)])
@pytest.mark.quick_cases(2)
def test_qr_is_lapacks(shape: tuple[int, ...]) -> None:
    a = RNG.normal(size=shape)
    reduced, complete, alone = pa.jit(lambda a: (la.qr(a), la.qr(a, "complete"), la.qr(a, mode="r")))(a)
    assert isinstance(reduced, la.QRResult)
    for found, mode in ((reduced, "reduced"), (complete, "complete")):
        expected = np.linalg.qr(a, mode)
        np.testing.assert_allclose(found.R, expected.R, atol=1e-13)
        np.testing.assert_allclose(found.Q, expected.Q, atol=1e-13)
        np.testing.assert_array_equal(np.tril(found.R, -1), 0)
    np.testing.assert_array_equal(alone, reduced.R)


def test_qr_of_bad_condition_is_orthogonal() -> None:
    u, v = (np.linalg.qr(RNG.normal(size=(12, 12)))[0] for _ in range(2))
    a = (u * np.logspace(0, -8, 12)) @ v
    q, r = pa.jit(la.qr)(a)
    assert np.linalg.norm(q.T @ q - np.eye(12)) < 12 * EPS * 4
    assert np.linalg.norm(q @ r - a) < 12 * EPS * np.linalg.norm(a) * 4
    x = RNG.normal(size=12)
    found = pa.jit(lambda a, b: la.lstsq(a, b).x)(a, a @ x)
    assert np.linalg.norm(found - x) < 12 * EPS * 1e8 * np.linalg.norm(x)


def test_qr_of_zeros_below_the_diagonal_and_of_zero_columns() -> None:
    q, r = pa.jit(la.qr)(np.array([[2.0, 1.0], [0.0, 3.0], [0.0, 0.0]]))
    np.testing.assert_allclose(q @ r, [[2, 1], [0, 3], [0, 0]], atol=1e-15)
    np.testing.assert_allclose(q.T @ q, np.eye(2), atol=1e-15)
    q, r = pa.jit(la.qr)(np.array([[0.0, 1.0], [0.0, 3.0]]))
    np.testing.assert_allclose(q @ r, [[0, 1], [0, 3]], atol=1e-15)
    np.testing.assert_allclose(q.T @ q, np.eye(2), atol=1e-15)
    tilted = pa.grad(lambda a: pn.sum(la.qr(a).Q * np.array([[0.0, 0.0], [1.0, 0.0]])))(np.diag([2.0, 3.0]))
    np.testing.assert_allclose(tilted, [[0, 0], [-0.5, 0]], atol=1e-14)  # Q[1, 0] = a[1, 0] / R[0, 0], R[0, 0] = -2


def test_gradient_of_qr_is_that_of_the_formula() -> None:
    a, wq, wr = RNG.normal(size=(5, 3)), RNG.normal(size=(5, 3)), RNG.normal(size=(3, 3))
    found = pa.grad(lambda a: pn.sum(la.qr(a).Q * wq) + pn.sum(la.qr(a).R * wr))(a)
    q, r = np.linalg.qr(a)
    m = r @ np.triu(wr).T - wq.T @ q
    low = np.tril(m, -1)
    expected = np.linalg.solve(r, (wq + q @ (low + low.T + np.diag(np.diag(m)))).T).T
    np.testing.assert_allclose(found, expected, rtol=1e-9, atol=1e-11)


def test_least_squares() -> None:
    a, b, c = RNG.normal(size=(7, 3)), RNG.normal(size=7), RNG.normal(size=(7, 2))
    one, several = pa.jit(lambda a, b, c: (la.lstsq(a, b)[:2], la.lstsq(a, c, rcond=None)[:2]))(a, b, c)
    for (x, residuals), right in ((one, b), (several, c)):
        expected = np.linalg.lstsq(a, right)
        np.testing.assert_allclose(x, expected[0], rtol=1e-11)
        np.testing.assert_allclose(residuals, expected[1], rtol=1e-11)
    made = la.lstsq(a, b)
    assert isinstance(made, la.LstsqResult) and made.rank == 3 and made.s is None
    pseudo = np.linalg.pinv(a)
    a_bar, b_bar = pa.grad(lambda a, b: pn.sum(la.lstsq(a, b).x * np.arange(3.0)), argnums=(0, 1))(a, b)
    np.testing.assert_allclose(b_bar, pseudo.T @ np.arange(3.0), rtol=1e-9)
    y, rest = pseudo.T @ np.arange(3.0), b - a @ pseudo @ b
    expected = -np.outer(y, pseudo @ b) + np.outer(rest, np.linalg.inv(a.T @ a) @ np.arange(3.0))
    np.testing.assert_allclose(a_bar, expected, rtol=1e-9, atol=1e-12)


def test_symbolic_shapes_of_qr() -> None:
    N, K = pa.sizes("N K")
    t = pa.placeholder((N + K, N), "t", "float64")
    kernel = pa.compile(list(la.qr(t)), [t])
    counts = kernel.instances(N=20, K=20)
    assert sum(counts.values()) <= 2 * 40 * 20 * 20 + 8 * 40 * 20  # two halves of the rectangle for each factor
    a = RNG.normal(size=(6, 2))
    for found, expected in zip(kernel(a), np.linalg.qr(a), strict=True):
        np.testing.assert_allclose(found, expected, atol=1e-14)


@pytest.mark.parametrize("shape", [(3, 2), (4, 3), (3, 3), (2, 3), (1, 1), (3, 1)])
@pytest.mark.quick_cases(2)
def test_small_factors_have_an_order_and_a_gradient(shape: tuple[int, int]) -> None:
    """Of three columns, R alone needs one inner product of reflections, in one step."""
    a = RNG.normal(size=shape)
    found = pa.grad(lambda a: pn.sum(la.qr(a, "r") ** 2))(a)
    np.testing.assert_allclose(found, 2 * a, rtol=1e-12, atol=1e-12)


SPECTRA: dict[str, Callable[[int], Any]] = {
    "random": lambda n: RNG.normal(size=n),
    "graded": lambda n: np.logspace(0, -8, n),
    "close": lambda n: 1 + 1e-3 * np.arange(n),
    "two": lambda n: np.repeat([1.0, 2.0], [n // 2, n - n // 2]),
    "zero": np.zeros,
}


@pytest.mark.parametrize("n", [1, 2, 5, 8, 21])
@pytest.mark.quick_cases(3)
def test_eigenvectors(n: int) -> None:
    made = pa.jit(la.eigh)
    for spectrum, values in SPECTRA.items():
        u = np.linalg.qr(RNG.normal(size=(n, n)))[0]
        a = (u * values(n)) @ u.T
        a = (a + a.T) / 2
        found, vectors = made(a)
        scale = max(np.linalg.norm(a), 1e-300)
        assert np.linalg.norm(found - np.linalg.eigvalsh(a)) < 10 * n * EPS * scale, spectrum
        assert np.linalg.norm(vectors * found @ vectors.T - a) < 10 * n * EPS * scale, spectrum
        assert np.linalg.norm(vectors.T @ vectors - np.eye(n)) < 20 * n * EPS, spectrum
        assert (np.diff(found) >= 0).all()


def test_eigenvalues_in_a_kernel_of_placeholders() -> None:
    t = pa.placeholder((5, 5), "t", "float64")
    a = RNG.normal(size=(5, 5))
    found = pa.compile(la.eigvalsh(t), [t])(a + a.T)
    np.testing.assert_allclose(found, np.linalg.eigvalsh(a + a.T), rtol=1e-12, atol=1e-13)


@pytest.mark.slow
def test_gradient_of_eigenvectors_is_that_of_the_formula() -> None:
    n = 4
    for a in (RNG.normal(size=(n, n)), np.diag([1.0, 2.0, 4.0, 8.0])):
        a = a + a.T
        wv, wx = RNG.normal(size=n), RNG.normal(size=(n, n))
        found = pa.grad(lambda a: pn.sum(la.eigh(a)[0] * wv) + pn.sum(la.eigh(a)[1] * wx))(a)  # noqa: B023 - used here
        values, vectors = pa.jit(la.eigh)(a)
        with np.errstate(divide="ignore"):
            gaps = np.where(np.eye(n) > 0, 0, 1 / (values - values[:, None]))
        expected = vectors @ (np.diag(wv) + gaps * (vectors.T @ wx)) @ vectors.T
        np.testing.assert_allclose(found, (expected + expected.T) / 2, rtol=1e-9, atol=1e-11)


def test_triangles_of_symmetric_matrices_and_batches() -> None:
    a = RNG.normal(size=(2, 3, 3))
    low, up, mean, mapped = pa.jit(
        lambda a: (
            la.eigvalsh(a, symmetrize_input=False),
            la.eigh(a, "U", symmetrize_input=False)[0],
            la.eigvalsh(a),
            pa.vmap(la.eigvalsh)(a),
        )
    )(a)
    np.testing.assert_allclose(low, np.linalg.eigvalsh(a, "L"), rtol=1e-12)
    np.testing.assert_allclose(up, np.linalg.eigvalsh(a, "U"), rtol=1e-12)
    np.testing.assert_allclose(mean, np.linalg.eigvalsh((a + np.swapaxes(a, 1, 2)) / 2), rtol=1e-12)
    np.testing.assert_allclose(mapped, mean, rtol=1e-14)


@pytest.mark.parametrize("name", ["q", "r", "lstsq", "eigvalsh"])
@pytest.mark.quick_cases(2)
def test_derivatives(name: str) -> None:
    a, b = pa.placeholder((2, 4, 3), "a", "float64"), pa.placeholder((4, 2), "b", "float64")
    values = {"a": RNG.normal(size=(2, 4, 3)), "b": RNG.normal(size=(4, 2))}
    calls = {
        "q": lambda: la.qr(a).Q,
        "r": lambda: la.qr(a, "r"),
        "lstsq": lambda: la.lstsq(a, b).x,
        "eigvalsh": lambda: la.eigvalsh(a.mT @ a),
    }
    used = [a, b] if name == "lstsq" else [a]
    check_derivatives(calls[name](), used, **{t.name: values[t.name] for t in used})


N, M = pa.sizes("N M")


@pytest.mark.parametrize(
    ("call", "error", "text"),
    [
        (lambda: la.qr(np.ones(3)), pa.ShapeError, "takes matrices"),
        (lambda: la.qr(pa.placeholder((N, M), "t")), pa.ShapeError, r"\(N, M\) has more rows or more .* N \+ K"),
        (lambda: la.qr(np.eye(2), "raw"), pa.DefinitionError, "mode"),
        (lambda: la.lstsq(np.ones((2, 3)), np.ones(2)), pa.ShapeError, "fewer rows than columns, so many solutions"),
        (lambda: la.eigh(pa.placeholder((N, N), "t")), pa.ShapeError, r"a has shape .*fix the size"),
        (lambda: la.eigh(np.ones((2, 3))), pa.ShapeError, "2 rows and 3 columns"),
        (lambda: la.eigvalsh(np.eye(2), "l"), pa.DefinitionError, "UPLO"),
    ],
)
def test_errors(call: Callable[[], Any], error: type[Exception], text: str) -> None:
    with pytest.raises(error, match=text):
        call()
