"""Branches not taken: what a condition cuts off is zero, however infinite the derivatives behind it are."""

import numpy as np
import pytest

import polyad as pa
from polyad.ad import reverse
from polyad.ad.partials import times
from polyad.frontend.compiled import program_of
from polyad.ir.expr import Apply, walk
from tests.evaluated import values_of

m = pa.numpy
X = np.array([0.0, 4.0, -1.0, 1.0])


def safe(f, test):
    return lambda x: m.where(test(x), f(x), 0.0)


def scanned(x):
    """Steps that do nothing keep the state; the others take a root and a quotient."""

    def step(c, v):
        c = m.where(v > 0.5, c * m.sqrt(v) + 1.0 / v, c)
        return c, c

    return pa.scan(step, m.sum(x) * 0.0 + 1.0, x)[1]


def norm_of_rows(x):
    """The Euclidean norm, 0 for a row of zeros: the sum stands between the condition and the root."""
    rows = m.stack([x, x * 0.0, x * 2.0])
    square = m.sum(rows * rows, axis=1)
    return m.where(square > 0.5, m.sqrt(square), 0.0)


CASES = {
    "sqrt": (safe(m.sqrt, lambda x: x > 0.5), [0, 0.25, 0, 0.5]),
    "a chain": (safe(lambda x: m.sqrt(m.log(x) * 2 + 2), lambda x: x > 0.5), None),
    "entropy": (safe(lambda x: x * m.log(x), lambda x: x > 0.5), None),
    "a quotient": (safe(lambda x: m.sin(x) / x, lambda x: m.abs(x) > 0.5), None),
    "overflow": (lambda x: m.where(x < 2.5, m.log1p(m.exp(x * 300.0)), x), None),
    "a power": (safe(lambda x: x**0.3, lambda x: x > 0.5), None),
    "nested": (
        lambda x: m.where(x > 0.5, m.where(x > 2.5, m.sqrt(x - 2.5), m.log(x)), m.where(x < -0.5, x, 0.0)),
        None,
    ),
    "the argument is selected": (lambda x: m.sqrt(m.where(x > 0.5, x, 0.0)), None),
    "the argument is clipped": (lambda x: m.sqrt(m.maximum(x - 0.5, 0.0)) + m.log(m.clip(x, 0.5, 3.5)), None),
    "a maximum": (lambda x: m.maximum(m.sqrt(m.abs(x)), 0.5), None),
    "the tie of abs": (lambda x: m.sqrt(m.abs(x)), None),
    "relu": (lambda x: pa.nn.relu(m.log(m.abs(x) * 1.5)), None),
    "the largest root": (lambda x: m.max(m.sqrt(m.maximum(x, 0.0))), [0, 0.25, 0, 0]),
    "a scan": (scanned, None),
    "a norm": (norm_of_rows, None),
    "a product of matrices": (
        lambda x: m.where(m.arange(2) > 0, m.ones((2, 4)) @ m.where(x > 0.5, m.log(x), x), 0.0),
        None,
    ),
}


def modes(f, x0):
    """The Jacobians of f: by reverse mode and by forward mode."""
    x = pa.placeholder(x0.shape, "x", "float64")
    y = f(x)
    dot = pa.placeholder(x0.shape, "x_dot", "float64")
    columns = [values_of(pa.tangent(y, {x: dot}), x=x0, x_dot=e) for e in np.eye(x0.size)]
    return values_of(pa.grad(y, [x])[0], x=x0), np.stack(columns, axis=-1)


def numeric(f, x0, eps=1e-6):
    """Central differences; a column where the function is not defined is nan."""
    x = pa.placeholder(x0.shape, "x", "float64")
    y = f(x)
    with np.errstate(all="ignore"):
        return np.stack(
            [(values_of(y, x=x0 + e) - values_of(y, x=x0 - e)) / (2 * eps) for e in eps * np.eye(x0.size)], -1
        )


@pytest.mark.parametrize("name", CASES)
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_both_modes_give_the_derivative_of_the_branch_taken(name):
    f, expected = CASES[name]
    backwards, forwards = modes(f, X)
    np.testing.assert_allclose(backwards, forwards, rtol=1e-12)
    assert not np.isnan(backwards).any()
    smooth = np.abs(X) > 0.1 if name in ("the tie of abs", "relu", "a maximum") else X == X
    np.testing.assert_allclose(backwards[..., smooth], numeric(f, X)[..., smooth], rtol=1e-6, atol=1e-8)
    if expected is not None:
        np.testing.assert_array_equal(backwards.sum(axis=tuple(range(backwards.ndim - 1))), expected)


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_without_masked_products_there_is_nan(monkeypatch):
    monkeypatch.setattr(reverse, "product", lambda slope, value, masked: times(slope, value))
    assert np.isnan(modes(CASES["sqrt"][0], X)[0]).any()


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("name", ["entropy", "a chain", "the argument is selected", "a scan"])
def test_second_derivatives(name):
    f, _ = CASES[name]
    x = pa.placeholder(X.shape, "x", "float64")
    g = pa.grad(m.sum(f(x) ** 2), [x])[0]
    dot = pa.placeholder(X.shape, "x_dot", "float64")
    v = np.array([1.0, 0.5, -1.0, 2.0])
    over_reverse = values_of(pa.grad(g, [x])[0], x=X) @ v
    np.testing.assert_allclose(values_of(pa.tangent(g, {x: dot}), x=X, x_dot=v), over_reverse, rtol=1e-10)
    difference = (values_of(g, x=X + 1e-6 * v) - values_of(g, x=X - 1e-6 * v)) / 2e-6
    np.testing.assert_allclose(over_reverse, difference, rtol=1e-6, atol=1e-7)


def test_a_masked_factor_that_is_zero_by_chance_has_the_derivative_of_a_product():
    """The adjoint of the square is 2 t, zero at x = 0 in the branch taken; its derivative there is not."""
    x = pa.placeholder((4,), "x", "float64")
    g = pa.grad(m.sum(m.where(x > -2, x * m.exp(x), 0.0) ** 2), [x])[0]
    np.testing.assert_allclose(values_of(pa.grad(g, [x])[0], x=X)[0], [2.0, 0, 0, 0])


def test_a_nan_in_the_branch_taken_appears():
    x = pa.placeholder((3,), "x", "float64")
    y = m.where(x == x, m.sqrt(x) * 1.0, m.exp(x))
    with np.errstate(all="ignore"):
        found = values_of(pa.grad(m.sum(y), [x])[0], x=np.array([-1.0, np.nan, 4.0]))
    np.testing.assert_array_equal(np.isnan(found), [True, True, False])


def test_missing_data_does_not_reach_parameters():
    x, w = pa.placeholder((3,), "x", "float64"), pa.placeholder((), "w", "float64")
    loss = m.sum(m.where(x == x, m.tanh(w * x), 0.0))
    found = values_of(pa.grad(loss, [w])[0], x=np.array([np.nan, 0.0, 1.0]), w=0.0)
    assert found == 1.0


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_a_cotangent_that_was_masked_and_a_rule_of_the_users():
    x = pa.placeholder((2,), "x", "float64")
    t = m.sqrt(x)
    y = m.where(x > 0.5, t, 0.0)
    first = pa.differentiate(m.sum(y), [t])[t]
    np.testing.assert_array_equal(values_of(pa.differentiate(t, [x], head=first)[x], x=X[:2]), [0, 0.25])

    rule = {(y, t): lambda out, inp, head: m.where(inp > 0.5, head, 0.0)}
    found = pa.differentiate(m.sum(y), [x], manual=rule)[x]
    np.testing.assert_array_equal(values_of(found, x=X[:2]), [0, 0.25])


def products(y, wrt):
    program, _ = program_of(pa.grad(m.sum(y), wrt), None, "g")
    bodies = [e for s in program.statements for e in walk(s.body)]
    return [e for e in bodies if isinstance(e, Apply) and e.op == "masked_mul"]


def test_only_what_a_condition_may_cut_off_is_tested():
    x, w = pa.placeholder((3, 4), "x", "float64"), pa.placeholder((4, 4), "w", "float64")
    assert not products(m.tanh(m.tanh(x @ w) @ w), [x, w])  # no condition
    assert not products(pa.nn.relu(pa.nn.relu(x @ w) @ w), [x, w])  # contractions stay contractions
    assert products(pa.nn.relu(m.tanh(x @ w) @ w), [x, w])


def test_compiled():
    f = lambda x: m.sum(m.where(x > 0, m.sqrt(x), 0.0) * x)  # noqa: E731
    found = pa.hessian(f)(X.astype(np.float32))
    np.testing.assert_array_equal(np.diag(found), np.float32([0, 0.375, 0, 0.75]))


def random_program(rng):
    """A function of three numbers: a singular operator where a condition says so, something else elsewhere."""
    singular = [m.sqrt, m.log, lambda u: 1.0 / u, lambda u: u**0.3, pa.rsqrt, lambda u: m.log(u) * m.sqrt(u)]
    plain = [m.tanh, lambda u: 0.5 * u, lambda u: u * u * 0.1, lambda u: m.minimum(m.abs(u) + 0.05, 3.0), m.sin]
    steps = [(int(rng.integers(4)), *rng.integers(0, 100, 4), rng.uniform(0.2, 0.4)) for _ in range(6)]

    def f(x):
        made = [x, x * 0.7]
        for kind, a, b, c, d, limit in steps:
            u, v = made[a % len(made)], made[-1 - b % 2]
            if kind == 0:
                made.append(u * v * 0.5 + v)
            elif kind == 1:
                made.append(m.maximum(u, 0.31 + v * 0.0) - v)
            else:
                inside = singular[c % len(singular)](u)
                made.append(
                    m.where(u > limit, inside, plain[d % len(plain)](v))
                    if kind == 2
                    else m.where(u > limit, inside * v, m.sum(v) * 0.1)
                )
        return m.sum(made[-1] * made[-2])

    return f


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("seeds", [range(2), pytest.param(range(2, 40), marks=pytest.mark.slow)], ids=["few", "many"])
def test_random_programs(seeds):
    for seed in seeds:
        f, x0 = random_program(np.random.default_rng(seed)), np.array([0.0, 1.3, -0.7])
        backwards, forwards = modes(f, x0)
        assert np.isfinite(backwards).all(), seed
        np.testing.assert_allclose(backwards, forwards, rtol=1e-9, atol=1e-12, err_msg=str(seed))
        np.testing.assert_allclose(backwards, numeric(f, x0), rtol=1e-5, atol=1e-6, err_msg=str(seed))
