"""`fori_loop` and `map`: values and derivatives of the loop written out, and what the counter becomes."""

import numpy as np
import pytest

import polyad as pa
from polyad import numpy as m
from polyad.ir.expr import Indirect

X = np.array([0.3, -1.2, 2.0, 0.7, -0.4])


def power_sum(x):
    return pa.fori_loop(1, 5, lambda i, s: 0.5 * s + pa.sin(x[i]) * i, 0.0)


def power_sum_by_hand(x):
    s, slope = 0.0, np.zeros(len(x))
    for i in range(1, 5):
        s, slope = 0.5 * s + np.sin(x[i]) * i, 0.5 * slope
        slope[i] += np.cos(x[i]) * i
    return s, slope


def test_value_and_gradient_are_those_of_the_loop():
    value, slope = pa.value_and_grad(power_sum)(X)
    expected, expected_slope = power_sum_by_hand(X)
    np.testing.assert_allclose(value, expected, rtol=1e-14)
    np.testing.assert_allclose(slope, expected_slope, rtol=1e-14, atol=1e-15)
    pa.check_grads(power_sum, (X,), order=2)


def test_what_the_counter_picks_is_read_affinely():
    gradient = pa.jit(pa.grad(power_sum))
    gradient(X)
    statements = gradient.kernel.program.statements
    accesses = [a for s in statements for a in (s.write, *(r.access for r in s.reads()))]
    assert not any(isinstance(a, Indirect) for a in accesses)
    assert all(s.reduction is None for s in statements)


def test_a_condition_on_the_counter_cuts_the_loop():
    def f(x):
        def body(i, s):
            return pa.cond(i + 1 < 3, lambda s: s * pa.exp(x[i]), lambda s: s + pa.sin(x[i]), s)

        return pa.fori_loop(0, 5, body, 1.0)

    run = pa.jit(f)
    expected = np.exp(X[:2].sum()) + np.sin(X[2:]).sum()
    np.testing.assert_allclose(run(X), expected, rtol=1e-14)
    assert sum(run.kernel.instances().values()) <= 2 * 5 + 1
    assert "?" not in run.kernel.source.split("int function")[-1]
    pa.check_grads(f, (X,))


@pytest.mark.parametrize(("lower", "upper"), [(0, 0), (5, 3), (2, 3), (-2, 2)])
def test_bounds_of_any_kind(lower, upper):
    run = pa.jit(lambda x: pa.fori_loop(lower, upper, lambda i, c: (c[0] + i, c[1] * x), (0, 1.0)))
    total, product = run(3.0)
    assert (total, product) == (sum(range(lower, upper)), 3.0 ** max(upper - lower, 0))


def test_symbolic_bounds_and_sizes():
    n = pa.sizes("N")
    x = pa.placeholder((n,), "x", "float64")
    total = pa.fori_loop(0, n, lambda i, s: s + x[i] * i, 0.0)
    for length in (1, 4):
        given = np.arange(1.0, length + 1)
        assert pa.compile(total, [x])(given) == sum(given * np.arange(length))


def test_nested_loops_and_scans():
    a = np.arange(12.0).reshape(3, 4)

    def f(a):
        return pa.fori_loop(0, 3, lambda i, s: pa.fori_loop(0, 4, lambda j, s: s + a[i, j] * (i - j), s), 0.0)

    i, j = np.indices((3, 4))
    np.testing.assert_allclose(pa.jit(f)(a), (a * (i - j)).sum())
    np.testing.assert_allclose(pa.grad(f)(a), i - j)

    def g(a):
        return pa.scan(lambda c, row: (pa.fori_loop(0, 4, lambda j, s: s + row[j] * c, c), None), 1.0, a)[0]

    pa.check_grads(g, (a / 10,))


def test_the_counter_is_an_integer_that_gives_way():
    x = np.ones(3, np.float32)
    run = pa.jit(lambda x: pa.fori_loop(0, 3, lambda i, s: s + x[i] * i, np.float32(0)))
    assert run(x).dtype == np.float32 and run(x) == 3
    seen = []
    pa.jit(lambda x: pa.fori_loop(0, 3, lambda i, s: (seen.append((i.dtype, i.shape)), s)[1], x))(1.0)
    assert seen[0] == ("int64", ())


def test_errors_say_what_to_do():
    with pytest.raises(pa.DefinitionError, match=r"upper is the tensor n.*pa.while_loop with max_steps="):
        pa.jit(lambda n: pa.fori_loop(0, n, lambda i, s: s, 0.0))(3)
    with pytest.raises(pa.BoundsError, match=r"reads outside of"):
        pa.jit(lambda x: pa.fori_loop(0, 6, lambda i, s: s + x[i], 0.0))(X)
    with pytest.raises(pa.ShapeError, match="shapes must not change"):
        pa.jit(lambda x: pa.fori_loop(0, 2, lambda i, s: s[None], x))(X)
    with pytest.raises(pa.DTypeError, match="body_fun must be a function"):
        pa.fori_loop(0, 2, None, X)
    with pytest.raises(pa.DTypeError, match="upper must be an integer"):
        pa.fori_loop(0, 2.5, lambda i, s: s, X)


def test_map_stacks_what_the_function_returns():
    a = np.arange(6.0).reshape(3, 2) + 1

    def f(a):
        return pa.map(lambda x: {"sum": x["a"].sum(), "unit": x["a"] / m.sqrt(m.sum(x["a"] ** 2))}, {"a": a})

    found = pa.jit(f)(a)
    np.testing.assert_allclose(found["sum"], a.sum(1))
    np.testing.assert_allclose(found["unit"], a / np.linalg.norm(a, axis=1, keepdims=True))
    pa.check_grads(f, (a,))
    assert pa.jit(lambda a: pa.map(lambda r: r * 2, a))(a[:0]).shape == (0, 2)
    with pytest.raises(pa.DefinitionError):
        pa.map(lambda x: x, ())
