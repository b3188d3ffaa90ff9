"""`cond` and `switch`: JAX's results, and derivatives of the branch taken alone."""

import numpy as np
import pytest

import polyad as pa
from polyad import numpy as m


def test_a_branch_not_taken_does_not_poison_the_derivative():
    def root(x):
        return pa.cond(x > 0, pa.sqrt, lambda x: 0.0 * x, x)

    for x, value, slope, curvature in [(0.0, 0.0, 0.0, 0.0), (4.0, 2.0, 0.25, -1 / 32), (-1.0, 0.0, 0.0, 0.0)]:
        assert pa.jit(root)(x) == value
        assert pa.grad(root)(x) == slope
        assert pa.grad(pa.grad(root))(x) == curvature
        assert pa.jvp(root, (x,), (1.0,))[1] == slope

    def through_a_sum(x):
        return pa.cond(m.sum(x) > 0, lambda x: m.sqrt(m.sum(x * x)), lambda x: m.sum(x), x)

    np.testing.assert_array_equal(pa.grad(through_a_sum)(np.zeros(3)), np.ones(3))


def test_pytrees_and_several_operands():
    def f(flag, p, x):
        return pa.cond(
            flag,
            lambda p, x: {"y": p["w"] @ x, "n": (x.sum(), 1)},
            lambda p, x: {"y": p["w"][:, 0] * 2.0, "n": (x.max(), 0)},
            p,
            x,
        )

    w, x = np.arange(6.0).reshape(2, 3), np.array([1.0, -1.0, 2.0])
    for flag in (True, False, np.True_, np.float64(0.0)):
        found = pa.jit(f)(flag, {"w": w}, x)
        np.testing.assert_array_equal(found["y"], w @ x if flag else w[:, 0] * 2)
        assert found["n"] == ((2.0, 1) if flag else (2.0, 0))
    for flag in (True, False):
        slope = pa.grad(lambda p, x, flag=flag: m.sum(f(m.asarray(np.array(flag)), p, x)["y"]))({"w": w}, x)["w"]
        expected = np.tile(x, (2, 1)) if flag else np.tile([2.0, 0, 0], (2, 1))
        np.testing.assert_array_equal(slope, expected)


def test_what_python_knows_is_decided_while_tracing():
    def never(*_):
        raise AssertionError("traced")

    assert pa.jit(lambda x: pa.cond(True, lambda x: x + 1, never, x))(1.0) == 2
    assert pa.jit(lambda x: pa.cond(np.array(False), never, lambda x: x + 1, x))(1.0) == 2
    assert pa.jit(lambda x: pa.switch(7, [never, never, lambda x: x * 3], x))(1.0) == 3
    assert pa.jit(lambda x: pa.switch(np.int32(-2), [lambda x: x * 3, never], x))(1.0) == 3


def test_a_condition_on_sizes_cuts_domains():
    n = pa.sizes("N")
    x = pa.placeholder((n,), "x", "float64")
    y = pa.cond(n > 3, lambda x: pa.exp(x), lambda x: pa.sin(x), x)
    kernel = pa.compile(y, [x])
    for length in (2, 5):
        given = np.arange(float(length))
        np.testing.assert_allclose(kernel(given), np.exp(given) if length > 3 else np.sin(given), rtol=1e-14)
        assert sum(kernel.instances(N=length).values()) == length


@pytest.mark.parametrize("index", [-4, 0, 1, 2, 3, 9])
def test_the_index_of_a_switch_is_clamped(index):
    def f(i, x):
        return pa.switch(i, [pa.sin, pa.cos, pa.exp, lambda x: x * x], x)

    slopes = [np.cos, lambda x: -np.sin(x), np.exp, lambda x: 2 * x]
    at = min(max(index, 0), 3)
    np.testing.assert_allclose(pa.jit(f)(index, 0.5), [np.sin, np.cos, np.exp, np.square][at](0.5), rtol=1e-14)
    np.testing.assert_allclose(pa.grad(f, argnums=1)(index, 0.5), slopes[at](0.5), rtol=1e-14)


def test_inside_of_a_scan_and_of_a_body():
    def step(c, x):
        return pa.cond(x > c, lambda c: c + x, lambda c: c * 0.5, c), c

    xs = np.array([1.0, 0.5, 3.0, 2.0])
    c, seen = 0.2, []
    for x in xs:
        seen.append(c)
        c = c + x if x > c else c * 0.5
    last, ys = pa.jit(lambda c, xs: pa.scan(step, c, xs))(0.2, xs)
    np.testing.assert_allclose(last, c)
    np.testing.assert_allclose(ys, seen)
    pa.check_grads(lambda c, xs: pa.scan(step, c, xs), (0.2, xs))
    y = pa.jit(lambda x: pa.compute((4,), lambda i: pa.cond(x[i] > 1, lambda: x[i], lambda: -x[i])))(xs)
    np.testing.assert_array_equal(y, np.where(xs > 1, xs, -xs))


def test_errors_name_the_leaf_and_the_branch():
    x, flag = np.ones(3), np.array(1.0)

    def call(a, b):
        return pa.jit(lambda flag, x: pa.cond(flag > 0, a, b, x))(flag, x)

    with pytest.raises(pa.ShapeError, match=r"result\['y'\] of true_fun has shape \(3,\), of false_fun \(\)"):
        call(lambda x: {"y": x}, lambda x: {"y": x.sum()})
    with pytest.raises(pa.DefinitionError, match=r"true_fun returns the leaves result\[0\].*their structures"):
        call(lambda x: (x,), lambda x: x)
    with pytest.raises(pa.ShapeError, match=r"pred has 1 dimensions.*pa.select chooses elementwise"):
        pa.jit(lambda x: pa.cond(x > 0, pa.sin, pa.cos, x))(x)
    with pytest.raises(pa.DTypeError, match=r"switch: index is of type float64; it has to be an integer"):
        pa.jit(lambda i, x: pa.switch(i, [pa.sin, pa.cos], x))(flag, x)
    with pytest.raises(pa.DefinitionError, match="at least one branch"):
        pa.switch(0, [], x)
    with pytest.raises(pa.DTypeError, match="true_fun must be a function"):
        pa.cond(True, 1.0, 2.0)
    with pytest.raises(pa.DTypeError, match="pred must be one truth value or number, not"):
        pa.cond("yes", pa.sin, pa.cos, 1.0)
