"""Cholesky and LU factors, solutions, inverses and determinants against LAPACK, gradients against their formulas."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import polyad as pa
from polyad import linalg as la
from tests.compiled_derivatives import check_derivatives

RNG = np.random.default_rng(0)
N = 7


def positive(n: int, batch: tuple[int, ...] = ()) -> np.ndarray:
    a = RNG.normal(size=(*batch, n, n))
    return a @ np.swapaxes(a, -1, -2) + n * np.eye(n)


def of_condition(n: int, condition: float, symmetric: bool = False) -> np.ndarray:
    u, v = (np.linalg.qr(RNG.normal(size=(n, n)))[0] for _ in range(2))
    result: np.ndarray = (u * np.logspace(0, -np.log10(condition), n)) @ (u if symmetric else v).T
    return (result + result.T) / 2 if symmetric else result


def test_values_of_batches_and_odd_sizes() -> None:
    a, s = RNG.normal(size=(2, 1, 5, 5)), positive(5, (3,))
    b, v = RNG.normal(size=(3, 5, 2)), RNG.normal(size=5)

    @pa.jit
    def all_of_them(a: Any, s: Any, b: Any, v: Any) -> Any:
        return {
            "cholesky": la.cholesky(s),
            "upper": la.cholesky(s, upper=True),
            "solve": la.solve(a, b),
            "vector": la.solve(s, v),
            "inv": la.inv(a),
            "det": la.det(a),
            "slogdet": la.slogdet(a),
            "cho_solve": la.cho_solve(la.cho_factor(s), b),
            "mapped": pa.vmap(la.det)(s),
        }

    logarithms = np.linalg.slogdet(a)
    expected = {
        "cholesky": np.linalg.cholesky(s),
        "upper": np.swapaxes(np.linalg.cholesky(s), -1, -2),
        "solve": np.linalg.solve(a, b),
        "vector": np.linalg.solve(s, v),
        "inv": np.linalg.inv(a),
        "det": np.linalg.det(a),
        "slogdet": logarithms,
        "cho_solve": np.linalg.solve(s, b),
        "mapped": np.linalg.det(s),
    }
    found = all_of_them(a, s, b, v)
    assert isinstance(found["slogdet"], la.SlogdetResult)
    for name, value in expected.items():
        for one, other in zip(*((x if isinstance(x, tuple) else (x,)) for x in (found[name], value)), strict=True):
            np.testing.assert_allclose(one, other, rtol=1e-11, atol=1e-12, err_msg=name)


@pytest.mark.parametrize("n", [0, 1])
def test_small_matrices(n: int) -> None:
    a, b = RNG.normal(size=(n, n)), RNG.normal(size=(n, 2))
    found = pa.jit(lambda a, b: (la.solve(a, b), la.inv(a), la.det(a), *la.slogdet(a), la.cholesky(a @ a.T)))(a, b)
    expected = np.linalg.solve(a, b), np.linalg.inv(a), np.linalg.det(a), *np.linalg.slogdet(a), np.abs(a)
    for one, other in zip(found, expected, strict=True):
        assert one.shape == other.shape
        np.testing.assert_allclose(one, other, rtol=1e-14)


def test_lu_takes_the_rows_that_lapack_takes() -> None:
    a = RNG.normal(size=(N, N))
    p, l, u = pa.jit(la.lu)(a)
    np.testing.assert_allclose(p @ l @ u, a, atol=1e-14)
    assert abs(l).max() == 1 and (p.sum(0) == 1).all() and (p.sum(1) == 1).all()
    np.testing.assert_array_equal(np.tril(u, -1), 0)
    np.testing.assert_array_equal(np.triu(l, 1), 0)
    chosen, rest = p.T @ a, a.copy()  # each pivot is the largest of what is left of its column
    for k in range(N):
        rest = chosen - l[:, :k] @ u[:k]
        assert abs(rest[k, k]) == pytest.approx(abs(rest[k:, k]).max(), rel=1e-12)


def test_ties_and_zeros_among_pivots() -> None:
    swap = np.array([[0.0, 1.0], [1.0, 0.0]])
    equal = np.array([[1.0, 2.0, 3.0], [-1.0, 5.0, 1.0], [1.0, -1.0, 1.0]])
    det = pa.jit(la.det)
    assert det(swap) == -1
    np.testing.assert_allclose(det(equal), np.linalg.det(equal), rtol=1e-14)
    for singular in (np.zeros((3, 3)), np.ones((3, 3)), np.diag([1.0, 0.0, 2.0])):
        assert det(singular) == 0
        sign, logarithm = pa.jit(la.slogdet)(singular)
        assert (sign, logarithm) == (0, -np.inf)
    assert np.isnan(det(np.array([[1.0, np.nan], [2.0, 1.0]])))
    assert not np.isfinite(pa.jit(la.solve)(np.ones((2, 2)), np.ones(2))).all()
    assert np.isnan(pa.jit(la.cholesky)(-np.eye(2))[0, 0])


def test_errors_are_those_of_a_backward_stable_algorithm() -> None:
    """The residual is small whatever the condition; the error is condition times rounding."""
    n, condition = 30, 1e8
    a, s = of_condition(n, condition), of_condition(n, condition, symmetric=True)
    x = RNG.normal(size=(n, 2))
    found = pa.jit(lambda a, b: la.solve(a, b))(a, a @ x)
    eps = np.finfo(float).eps
    assert np.linalg.norm(a @ found - a @ x) <= n * eps * np.linalg.norm(a) * np.linalg.norm(found)
    assert np.linalg.norm(found - x) <= n * eps * condition * np.linalg.norm(x)
    lower = pa.jit(la.cholesky)(s)
    assert np.linalg.norm(lower @ lower.T - s) <= n * eps * np.linalg.norm(s)
    again = pa.jit(lambda l, b: la.cho_solve((l, True), b))(lower, s @ x)
    assert np.linalg.norm(s @ again - s @ x) <= n * eps * np.linalg.norm(s) * np.linalg.norm(again)
    sign, logarithm = pa.jit(la.slogdet)(a)
    reference = np.linalg.slogdet(a)
    assert sign == reference[0]
    np.testing.assert_allclose(logarithm, reference[1], atol=n * eps * condition)


def test_gradients_are_those_of_the_formulas() -> None:
    a, b, h = (RNG.normal(size=shape) for shape in ((N, N), (N, 2), (N, 2)))
    a += N * np.eye(N)
    inverse = np.linalg.inv(a)
    a_bar, b_bar = pa.grad(lambda a, b: pa.numpy.sum(la.solve(a, b) * h), argnums=(0, 1))(a, b)
    np.testing.assert_allclose(b_bar, inverse.T @ h, rtol=1e-9)
    np.testing.assert_allclose(a_bar, -inverse.T @ h @ (inverse @ b).T, rtol=1e-9, atol=1e-12)
    det_bar, log_bar = pa.jit(lambda a: (pa.grad(la.det)(a), pa.grad(lambda a: la.slogdet(a)[1])(a)))(a)
    np.testing.assert_allclose(det_bar, np.linalg.det(a) * inverse.T, rtol=1e-9)
    np.testing.assert_allclose(log_bar, inverse.T, rtol=1e-9, atol=1e-12)
    w = RNG.normal(size=(N, N))
    inv_bar = pa.grad(lambda a: pa.numpy.sum(la.inv(a) * w))(a)
    np.testing.assert_allclose(inv_bar, -inverse.T @ w @ inverse.T, rtol=1e-9, atol=1e-12)


def test_gradient_of_cholesky_is_that_of_the_formula() -> None:
    s, w = positive(N), RNG.normal(size=(N, N))
    lower = np.linalg.cholesky(s)
    phi = np.tril(lower.T @ w)
    phi[np.diag_indices(N)] /= 2
    s_bar = np.linalg.solve(lower.T, np.linalg.solve(lower.T, phi.T).T)
    found = pa.grad(lambda s: pa.numpy.sum(la.cholesky(s) * w))(s)
    np.testing.assert_allclose(found, (s_bar + s_bar.T) / 2, rtol=1e-9, atol=1e-12)
    triangle = pa.grad(lambda s: pa.numpy.sum(la.cholesky(s, symmetrize_input=False) * w))(s)
    np.testing.assert_allclose(triangle, np.tril(s_bar + s_bar.T) - np.diag(np.diag(s_bar)), rtol=1e-9, atol=1e-12)


def test_gradient_of_a_determinant_at_a_singular_matrix() -> None:
    a = np.array([[1.0, 2.0, 3.0], [0.5, -1.0, 2.0], [1.5, 1.0, 5.0]])
    assert pa.jit(la.det)(a) == pytest.approx(0, abs=1e-15)
    minors = [
        [np.linalg.det(np.delete(np.delete(a, i, 0), j, 1)) * (-1) ** (i + j) for j in range(3)] for i in range(3)
    ]
    np.testing.assert_allclose(pa.grad(la.det)(a), minors, rtol=1e-9)


CASES: dict[str, Callable[[Any, Any], Any]] = {
    "cholesky": lambda a, b: la.cholesky(a @ a.mT + 3 * pa.numpy.eye(3)),
    "solve": la.solve,
    "inv": lambda a, b: la.inv(a),
    "det": lambda a, b: la.det(a),
    "slogdet": lambda a, b: la.slogdet(a)[1],
    "lower": lambda a, b: la.solve_triangular(a, b, lower=True),
    "transposed": lambda a, b: la.solve_triangular(a, b, "T", unit_diagonal=True),
}


@pytest.mark.parametrize("name", CASES)
@pytest.mark.quick_cases(3)
def test_derivatives(name: str) -> None:
    B = pa.sizes("B")
    a, b = pa.placeholder((B, 3, 3), "a", "float64"), pa.placeholder((3, 2), "b", "float64")
    values = {"a": RNG.normal(size=(2, 3, 3)) + 2 * np.eye(3), "b": RNG.normal(size=(3, 2))}
    used = [a, b] if "solve" in name or name in ("lower", "transposed") else [a]
    check_derivatives(CASES[name](a, b), used, **{t.name: values[t.name] for t in used})


@pytest.mark.parametrize("lower", [False, True])
@pytest.mark.parametrize("trans", [0, 1, "N", "T"])
def test_triangles(lower: bool, trans: Any) -> None:
    a, b = RNG.normal(size=(2, 5, 5)) + 3 * np.eye(5), RNG.normal(size=5)
    triangle = np.tril(a) if lower else np.triu(a)
    unit = triangle * (1 - np.eye(5)) + np.eye(5)

    def both(a: Any, b: Any) -> Any:
        one = la.solve_triangular(a, b, trans, lower)
        return one, la.solve_triangular(a, b, trans=trans, lower=lower, unit_diagonal=True)

    for found, t in zip(pa.jit(both)(a, b), (triangle, unit), strict=True):
        t = t if trans in (0, "N") else np.swapaxes(t, -1, -2)
        np.testing.assert_allclose(
            found, np.linalg.solve(t, np.broadcast_to(b[:, None], (2, 5, 1)))[..., 0], rtol=1e-11
        )


def test_work() -> None:
    """A product for each element of the triangle (pyramid), in values and in each factor's derivative."""
    N, K = pa.sizes("N K")
    a, b = pa.placeholder((N, N), "a", "float64"), pa.placeholder((N, K), "b", "float64")
    n, k = 20, 3
    pyramid, triangle = (n - 1) * n * (n + 1) // 6, n * (n - 1) // 2
    lower = la.cholesky(a, symmetrize_input=False)
    counts = pa.compile(lower, [a]).instances(N=n)
    assert sum(counts.values()) <= pyramid + 4 * n * n
    both = pa.compile(pa.grad(pa.numpy.sum(lower), [a]), [a]).instances(N=n)
    assert sum(both.values()) <= 3 * pyramid + 12 * n * n
    x = la.solve_triangular(a, b, lower=True)
    counts = pa.compile(x, [a, b]).instances(N=n, K=k)
    assert sum(counts.values()) <= triangle * k + 3 * n * k
    both = pa.compile(pa.grad(pa.numpy.sum(x), [a, b]), [a, b]).instances(N=n, K=k)
    box = (n - 1) ** 2  # of which one product is made, and one copy beside zeros
    assert sum(both.values()) <= 2 * triangle * k + box * (k + 1) + 3 * n * n + 8 * n * k
    counts = pa.compile(la.det(a), [a]).instances(N=n)
    assert sum(counts.values()) <= (n**3 - n * n) // 2 + pyramid + 10 * n * n
    x = la.solve(a, b)
    values = sum(pa.compile(x, [a, b]).instances(N=n, K=k).values())
    both = sum(pa.compile([x, *pa.grad(pa.numpy.sum(x * x), [a, b])], [a, b]).instances(N=n, K=k).values())
    assert both <= values + 2 * n * n * k + 8 * n * n + 20 * n * k  # two substitutions and a product, no factors
    twice = [la.solve(a, b), la.solve(a, 2 * b)]
    assert sum(pa.compile(twice, [a, b]).instances(N=n, K=k).values()) <= values + n * n * k + 10 * n * k


def test_second_derivatives_of_solutions() -> None:
    a, b = RNG.normal(size=(3, 3)) + 3 * np.eye(3), RNG.normal(size=(3, 2))
    for f in (lambda a, b: pa.numpy.sum(pa.sin(la.solve(a, b))), lambda a, b: pa.numpy.sum(pa.sin(la.inv(a) @ b))):
        pa.check_grads(f, (a, b), order=2)
        outer = pa.jacrev(pa.grad(f))(a, b)
        np.testing.assert_allclose(pa.jacfwd(pa.grad(f))(a, b), outer, rtol=1e-9, atol=1e-12)
        np.testing.assert_allclose(pa.hessian(f)(a, b), outer, rtol=1e-9, atol=1e-12)


def test_types() -> None:
    single, whole = pa.placeholder((3, 3), "a", "float32"), pa.placeholder((3, 3), "k", "int32")
    for f in (la.cholesky, la.inv, la.det, lambda a: la.solve(a, a), lambda a: la.slogdet(a)[0], la.norm):
        assert f(single).dtype == "float32"
        assert f(whole).dtype == "float64"
    value = RNG.normal(size=(6, 6)).astype(np.float32)
    np.testing.assert_allclose(pa.jit(la.inv)(value) @ value, np.eye(6), atol=1e-4)


@pytest.mark.parametrize(
    ("call", "error", "text"),
    [
        (
            lambda: la.det(np.ones((2, 3))),
            pa.ShapeError,
            r"test_factors.py:\d+: det takes square .* 2 rows and 3 columns",
        ),
        (lambda: la.inv(np.ones(3)), pa.ShapeError, r"inv takes matrices, a has shape \(3,\); make it one with"),
        (lambda: la.solve(np.eye(3), np.ones(2)), pa.ShapeError, "3 rows against 2; b has a row for each"),
        (lambda: la.solve(np.ones((2, 3, 3)), np.ones((4, 3, 1))), pa.ShapeError, "leading dimensions"),
        (lambda: la.solve_triangular(np.eye(2), np.ones(2), 3), pa.DefinitionError, "trans is 0, 1, 'N' or 'T', not 3"),
        (lambda: la.cholesky(np.eye(2), upper=1), pa.DTypeError, "upper"),
        (lambda: la.solve(np.eye(2), c=np.ones(2)), pa.CallError, "polyad.numpy.linalg.solve has no argument 'c'"),
        (lambda: la.norm(np.eye(2), 2), pa.DefinitionError, "singular values"),
        (lambda: la.norm(np.ones((1, 1, 1)), 1), pa.ShapeError, "name one or two dimensions"),
        (lambda: la.norm(np.ones(3), "fro"), pa.DefinitionError, "ord is a number"),
    ],
)
def test_errors(call: Callable[[], Any], error: type[Exception], text: str) -> None:
    with pytest.raises(error, match=text):
        call()
