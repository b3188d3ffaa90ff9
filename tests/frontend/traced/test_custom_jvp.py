"""Rules of the user's own for forward mode: both modes, in scans, of every order."""

import numpy as np
import pytest

import polyad as pa
from polyad import numpy as m


@pa.custom_jvp
def tripled(x, y):
    """sin(x) y, with three times its derivative by x, to be told from the derived one."""
    return pa.sin(x) * y


@tripled.defjvp
def tripled_rule(primals, tangents):
    (x, y), (x_dot, y_dot) = primals, tangents
    return tripled(x, y), 3 * pa.cos(x) * x_dot * y + pa.sin(x) * y_dot


def test_both_modes_take_the_rule():
    x, y = 0.3, 2.0
    value, dot = pa.jvp(tripled, (x, y), (1.0, 1.0))
    np.testing.assert_allclose((value, dot), (np.sin(x) * y, 3 * np.cos(x) * y + np.sin(x)), rtol=1e-14)
    np.testing.assert_allclose(pa.grad(tripled, argnums=(0, 1))(x, y), (3 * np.cos(x) * y, np.sin(x)), rtol=1e-14)
    given = np.array([0.3, 0.5])
    for jacobian in (pa.jacfwd, pa.jacrev):
        found = jacobian(lambda x: tripled(x, 2.0))(given)
        np.testing.assert_allclose(found, np.diag(6 * np.cos(given)), rtol=1e-14)


def test_higher_derivatives_differentiate_the_rule():
    given = np.array([0.3, 0.5])
    np.testing.assert_allclose(pa.hessian(lambda x: tripled(x, 2.0).sum())(given), np.diag(-6 * np.sin(given)))
    squared = pa.custom_jvp(lambda x: x * x)
    squared.defjvps(lambda x_dot, y, x: 6 * x * x_dot)
    assert pa.grad(pa.grad(lambda x: squared(x) * x))(2.0) == 18 * 2.0  # d/dx of (6 x x + squared(x))
    assert pa.jvp(pa.grad(squared), (2.0,), (1.0,))[1] == 6.0


@pytest.mark.parametrize("checkpoint", [None, pa.checkpoint.every(2), pa.checkpoint.every(3)])
def test_in_a_scan(checkpoint):
    def last(k):
        return pa.scan(lambda c, v: (tripled(c, k) + v, c), k * 0.5, np.ones(4), checkpoint=checkpoint)[0]

    k = c = 0.7
    c, dot = 0.5 * k, 0.5
    for _ in range(4):
        c, dot = np.sin(c) * k + 1, 3 * np.cos(c) * dot * k + np.sin(c)
    np.testing.assert_allclose(pa.grad(last)(k), dot, rtol=1e-13)
    np.testing.assert_allclose(pa.jacfwd(last)(k), dot, rtol=1e-13)


def test_a_derivative_where_the_function_has_none():
    rounded = pa.custom_jvp(lambda x: pa.cast(pa.cast(x, "int64"), "float64"))
    rounded.defjvp(lambda primals, tangents: (rounded(*primals), tangents[0]))
    x = np.array([1.7, -0.4])
    np.testing.assert_array_equal(rounded(x), [1, 0])
    np.testing.assert_array_equal(pa.grad(lambda x: (rounded(x) ** 2).sum())(x), [2, 0])
    np.testing.assert_array_equal(pa.jvp(rounded, (x,), (np.ones(2),))[1], [1, 1])


def test_pytrees_rules_by_argument_and_fixed_arguments():
    two = pa.custom_jvp(lambda d: {"s": d["a"] * d["b"], "t": d["a"] + 1})

    @two.defjvp
    def rule(primals, tangents):
        (d,), (dot,) = primals, tangents
        return two(d), {"s": dot["a"] * d["b"] + d["a"] * dot["b"], "t": dot["a"]}

    slope = pa.grad(lambda d: two(d)["s"] + 2 * two(d)["t"])({"a": 2.0, "b": 3.0})
    assert (slope["a"], slope["b"]) == (5.0, 2.0)
    product = pa.custom_jvp(lambda x, y: x * y)
    product.defjvps(None, lambda y_dot, z, x, y: x * y_dot)
    assert [float(g) for g in pa.grad(product, argnums=(0, 1))(2.0, 3.0)] == [0.0, 2.0]
    applied = pa.custom_jvp(lambda f, x: f(x), nondiff_argnums=(0,))
    applied.defjvp(lambda f, primals, tangents: (f(*primals), 7 * tangents[0]))
    assert pa.grad(lambda x: applied(pa.sin, x))(1.0) == 7.0
    np.testing.assert_allclose(applied(pa.sin, np.ones(2)), np.sin([1.0, 1.0]))


def test_it_may_stand_beside_a_rule_for_reverse_mode():
    only_reverse = pa.custom_vjp(lambda x: x * x)
    only_reverse.defvjp(lambda x: (x * x, x), lambda x, g: (g * 10 * x,))

    def f(x):
        return only_reverse(tripled(x, 1.0))

    np.testing.assert_allclose(pa.grad(f)(0.3), 10 * np.sin(0.3) * 3 * np.cos(0.3))
    with pytest.raises(pa.NotDifferentiableError, match=r"pa\.custom_jvp makes rules for both"):
        pa.jacfwd(f)(0.3)
    np.testing.assert_allclose(pa.jacfwd(lambda x: tripled(x, 1.0) + pa.stop_gradient(f(x)))(0.3), 3 * np.cos(0.3))


def test_a_condition_in_the_rule_masks():
    norm = pa.custom_jvp(lambda x: m.sqrt(m.sum(x * x)))
    norm.defjvp(lambda p, t: (norm(*p), pa.cond(norm(*p) > 0, lambda: m.sum(p[0] * t[0]) / norm(*p), lambda: 0.0)))
    np.testing.assert_array_equal(pa.grad(norm)(np.zeros(2)), [0, 0])
    np.testing.assert_allclose(pa.grad(norm)(np.array([3.0, 4.0])), [0.6, 0.8])
    np.testing.assert_allclose(pa.jvp(norm, (np.zeros(2),), (np.ones(2),))[1], 0)


@pytest.mark.parametrize(
    ("rule", "message"),
    [
        (lambda p, t: p[0], "returns a pair"),
        (lambda p, t: (p[0], (t[0],)), "another structure or other shapes"),
        (lambda p, t: (p[0], t[0].sum()), "another structure or other shapes"),
    ],
)
def test_rules_that_do_not_fit(rule, message):
    f = pa.custom_jvp(lambda x: x * 2)
    with pytest.raises(pa.DefinitionError, match=r"has no rule: call custom.defjvp\(rule\)"):
        f(1.0)
    f.defjvp(rule)
    for use in (lambda: pa.grad(lambda x: f(x).sum())(np.ones(2)), lambda: pa.jvp(f, (np.ones(2),), (np.ones(2),))):
        with pytest.raises(pa.DefinitionError, match=message):
            use()


def test_arguments_that_the_rule_takes_no_tangent_of_are_not_differentiated():
    """f(x, h) = h[-1] x with the rule x_dot h[-1]: no adjoint of the recurrence h is left, not even zeros."""
    f = pa.custom_jvp(lambda x, h: h[-1] * x)
    f.defjvp(lambda primals, tangents: (f(*primals), tangents[0] * primals[1][-1]))
    x = pa.placeholder((5,), "x", "float64")
    h = pa.scan(lambda c, v: (pa.sin(c) + v,) * 2, x[0], x)[1]
    loss = m.sum(f(x, h))
    gradient = pa.compile(pa.grad(loss, [x]), [x], target="c")
    assert not any("sin_bar" in name or "cos" in name for name in gradient.instances())
    given = np.linspace(0.1, 0.9, 5)
    last = pa.jit(lambda x: pa.scan(lambda c, v: (pa.sin(c) + v,) * 2, x[0], x)[1][-1])(given)
    np.testing.assert_allclose(gradient(given), np.full(5, last))
