"""Rules of the user's own, as JAX documents them: twice differentiated, in scans, refused in forward mode."""

from functools import partial

import numpy as np
import pytest

import polyad as pa
from polyad import numpy as m


@pa.custom_vjp
def tripled(x):
    """x squared, with three times its derivative, to be told from the derived one."""
    return x * x


tripled.defvjp(lambda x: (tripled(x), x), lambda x, g: (6.0 * x * g,))


@pa.custom_vjp
def product(h, k):
    return h * k


product.defvjp(lambda h, k: (product(h, k), (h, k)), lambda kept, g: (g * kept[1], g * kept[0]))


def test_fwd_calls_the_function_itself_and_the_rule_is_used_in_every_order():
    x = np.array(2.0)
    assert pa.grad(tripled)(x) == 12.0
    assert pa.grad(pa.grad(tripled))(x) == 6.0
    # d/dx of (6 x x + tripled(x)) = 12 x + 6 x
    assert pa.grad(pa.grad(lambda x: tripled(x) * x))(x) == 18 * 2.0
    np.testing.assert_array_equal(pa.hessian(lambda x: m.sum(tripled(x)))(np.ones(2)), 6 * np.eye(2))


@pytest.mark.parametrize("checkpoint", [None, pa.checkpoint.every(2)])
def test_a_closed_over_argument_in_a_scan(checkpoint):
    """h <- h k + 1 five times from 0: k^4 + k^3 + k^2 + k + 1."""

    def last(k):
        return pa.scan(lambda h, v: (product(h, k) + v, None), k * 0.0, np.ones(5), checkpoint=checkpoint)[0]

    assert pa.grad(last)(np.array(2.0)) == 4 * 8 + 3 * 4 + 2 * 2 + 1
    if checkpoint is None:
        assert pa.grad(pa.grad(last))(np.array(2.0)) == 12 * 4 + 6 * 2 + 2


def test_forward_mode_is_refused_with_what_to_do():
    for take in (lambda: pa.jvp(tripled, (1.0,), (1.0,)), lambda: pa.jacfwd(tripled)(1.0)):
        with pytest.raises(pa.NotDifferentiableError, match=r"'tripled'.*jacrev\(pa.grad\(f\)\)"):
            take()
    # What does not lead to the result, or stands still, is no obstacle.
    value, dot = pa.jvp(lambda x: x + pa.stop_gradient(tripled(x)), (np.array(1.0),), (np.array(1.0),))
    assert (value, dot) == (2.0, 1.0)


def test_keywords_and_arguments_without_a_derivative():
    def fun(times, x, power=2):
        return times(x) ** power

    scaled = pa.custom_vjp(fun, nondiff_argnums=(0, 2))
    scaled.defvjp(lambda t, x, p: (scaled(t, x, p), x), lambda t, p, x, g: (g * p * t(1.0) * x,))
    found = pa.grad(lambda x: scaled(lambda v: v * 3.0, x, power=2))(np.array(5.0))
    assert found == 2 * 3 * 5


@pytest.mark.parametrize(
    ("fwd", "bwd", "message"),
    [
        (lambda p, k: p["a"] * k, lambda r, g: (None, None), "fwd returns a pair"),
        (lambda p, k: (m.ones(3), None), lambda r, g: (None, None), "the output of fwd has another structure"),
        (lambda p, k: (p["a"] * k, None), lambda r, g: (None,), "a tuple of 2 cotangents, one per argument"),
        (
            lambda p, k: (p["a"] * k, None),
            lambda r, g: ({"a": m.ones(3) * g.sum()}, None),
            r"args\[0\]\['a'\] has shape",
        ),
        (lambda p, k: (p["a"] * k, None), lambda r, g: ({"a": g, "b": g}, None), r"args\[0\] has 2 leaves"),
    ],
)
def test_messages_speak_of_the_users_arguments(fwd, bwd, message):
    f = pa.custom_vjp(lambda p, k: p["a"] * k)
    f.defvjp(fwd, bwd)
    with pytest.raises(pa.DefinitionError, match=message):
        pa.grad(lambda p: m.sum(f(p, 2.0)))({"a": np.ones(2)})


def test_a_custom_function_of_a_cotangent():
    outer = pa.custom_vjp(lambda x: x * x)
    outer.defvjp(lambda x: (x * x, x), lambda x, g: (tripled(g) * x,))
    assert pa.grad(outer)(np.array(3.0)) == 3.0
    with pytest.raises(pa.NotDifferentiableError, match="bwd calls custom_vjp function 'tripled'"):
        pa.grad(pa.grad(outer))(np.array(3.0))


def test_on_arrays_it_computes_values_like_any_other_function():
    x, unknown = np.arange(3.0), pa.placeholder((3,), name="u")
    found = tripled(x)
    assert type(found) is np.ndarray
    np.testing.assert_array_equal(found, x * x)
    assert type(tripled(3)) is np.ndarray and tripled(3) == 9
    np.testing.assert_array_equal(tripled(m.asarray(x)), x * x)  # a tensor that has values
    assert isinstance(tripled(unknown), pa.Tensor)
    assert isinstance(product(unknown, x), pa.Tensor)  # part of a definition
    # Inside of a function that is traced, an array is a constant: a value that the result does not depend on.
    np.testing.assert_array_equal(pa.grad(lambda y: m.sum(tripled(x) * tripled(y)))(x), 6 * x**3)
    assert all(type(y) is np.ndarray for y in product(x, x).reshape(3, 1))
    with pytest.raises(pa.CallError, match=r"argument .* is str"):
        tripled("three")


def test_on_arrays_what_is_passed_on_as_it_is_is_no_array():
    traces = []

    @partial(pa.custom_vjp, nondiff_argnums=(0, 2))
    def applied(f, x, times):
        traces.append(times)
        return {"y": f(x) * times}

    applied.defvjp(lambda f, x, times: (applied(f, x, times), x), lambda f, times, x, g: (g["y"] * times,))
    x = np.ones(2, np.float32)
    for _ in range(2):
        assert applied(m.exp, x, 2)["y"].dtype == np.float32
        np.testing.assert_allclose(applied(m.negative, x=x, times=3)["y"], -3)
        np.testing.assert_allclose(applied(m.negative, x, True)["y"], -1)
    assert traces == [2, 3, True]
    np.testing.assert_allclose(applied(lambda y: y, x, np.full(2, 4.0))["y"], 4)


def test_outputs_that_nobody_uses():
    """f(a, b)[0]: there is no adjoint of the other output that its rule could be used for."""

    @pa.custom_vjp
    def f(a, b):
        return a * 2, b * b

    f.defvjp(lambda a, b: (f(a, b), None), lambda _, g: (5 * g[0], 3 * g[1]))
    one, two = np.array(1.0), np.array(2.0)
    assert pa.grad(lambda a, b: f(a, b)[0], argnums=(0, 1))(one, two) == (5.0, 0.0)
    assert pa.grad(lambda a, b: f(a, b)[1] + f(b, a)[0], argnums=(0, 1))(one, two) == (0.0, 8.0)
