"""`jit(static_argnums=, static_argnames=, dynamic_shapes=)` and `make_program`."""

import numpy as np
import pytest

import polyad as pa


def activated(x, kind, times=1):
    return (pa.tanh(x) if kind == "tanh" else pa.exp(x)) * times


def test_static_arguments_by_position_and_by_name():
    for f in (
        pa.jit(activated, static_argnums=(1, 2)),
        pa.jit(activated, static_argnames=("kind", "times")),
        pa.jit(activated, static_argnums=(-2, -1)),
        pa.jit(activated, static_argnums=1, static_argnames="times"),
    ):
        np.testing.assert_allclose(f(0.5, "tanh"), np.tanh(0.5))
        np.testing.assert_allclose(f(0.5, kind="exp", times=3), np.exp(0.5) * 3)
        np.testing.assert_allclose(f(np.ones(2), "exp", 3), np.exp([1.0, 1.0]) * 3)


def test_each_value_is_traced_once():
    traces = []

    def f(x, shape, flag):
        traces.append((shape, flag))
        return pa.numpy.reshape(x, shape) if flag else x

    run = pa.jit(f, static_argnums=(1, 2))
    for _ in range(2):
        assert run(np.ones(6), (2, 3), True).shape == (2, 3)
        assert run(np.ones(6), (3, 2), True).shape == (3, 2)
        assert run(np.ones(6), (3, 2), False).shape == (6,)
        assert run(np.ones(6), (3, 2), 0).shape == (6,)  # 0 == False, and another type
    assert len(traces) == 4
    assert run.kernel is not None


def test_derivatives_of_and_under_it():
    def slope(x, kind):
        return 1 - np.tanh(x) ** 2 if kind == "tanh" else np.exp(x)

    for kind in ("tanh", "exp"):
        for f in (
            pa.grad(pa.jit(activated, static_argnums=1)),
            pa.jit(pa.grad(activated), static_argnums=1),
            pa.jit(pa.grad(pa.jit(activated, static_argnames="kind")), static_argnames="kind"),
        ):
            np.testing.assert_allclose(f(0.3, kind), slope(0.3, kind))
        value, found = pa.value_and_grad(pa.jit(activated, static_argnums=1))(0.3, kind=kind)
        np.testing.assert_allclose((value, found), (np.tanh(0.3) if kind == "tanh" else np.exp(0.3), slope(0.3, kind)))
    assert pa.grad(pa.jit(activated, target="c", static_argnums=1)).target == "c"


def test_static_arguments_that_are_none():
    with pytest.raises(
        pa.CallError, match=r"static argument args\[1\] is a list, which cannot be hashed; pass a tuple"
    ):
        pa.jit(activated, static_argnums=1)(1.0, ["tanh"])
    with pytest.raises(pa.CallError, match="static argument kind is a list"):
        pa.jit(activated, static_argnames="kind")(1.0, kind=["tanh"])
    with pytest.raises(pa.CallError, match="static_argnums 3 is outside of the 3 arguments of activated"):
        pa.jit(activated, static_argnums=3)
    with pytest.raises(pa.CallError, match="activated has no parameter 'sort'; it has x, kind, times"):
        pa.jit(activated, static_argnames="sort")


def test_one_kernel_for_all_shapes():
    traces = []

    def f(x, y):
        traces.append(1)
        return (x[1:] * x[:-1]).sum() + y.mean() * x.shape[0], x @ y

    run = pa.jit(f, dynamic_shapes=True)
    slope = pa.jit(pa.grad(lambda x, y: f(x, y)[0]), dynamic_shapes=True)
    for n in (5, 7, 100):
        x, y = np.linspace(0, 1, n), np.cos(np.arange(3.0 * n)).reshape(n, 3)
        total, product = run(x, y)
        np.testing.assert_allclose(total, (x[1:] * x[:-1]).sum() + y.mean() * n)
        np.testing.assert_allclose(product, x @ y)
        expected = np.r_[x[1:], 0] + np.r_[0, x[:-1]]
        np.testing.assert_allclose(slope(x, y), expected)
    assert len(traces) == 2  # one for each function
    assert len(run.entries) == 1 and len(slope.entries) == 1


def test_equal_extents_and_one_are_part_of_the_signature():
    run = pa.jit(lambda x, y: x + y, dynamic_shapes=True)
    for a, b in [((3,), (3,)), ((4,), (4,)), ((4,), (1,)), ((1,), (4,)), ((2, 4), (4,)), ((4, 4), (4,)), ((0,), (0,))]:
        np.testing.assert_array_equal(run(np.ones(a), np.ones(b)), np.ones(a) + np.ones(b))
    with pytest.raises(pa.ShapeError):
        run(np.ones(3), np.ones(4))
    assert len(run.entries) == 6


def test_the_program_of_a_function():
    program = pa.make_program(lambda x, kind: activated(x, kind).sum(), static_argnums=1)(np.ones(3), "exp")
    assert isinstance(program, pa.Program)
    assert "exp[i] = exp(x[i])" in str(program)
    np.testing.assert_allclose(pa.compile(program)(np.ones(3)), 3 * np.e)
    symbolic = pa.make_program(pa.grad(lambda x: pa.exp(x).sum()))(pa.placeholder((pa.sizes("N"),), "x"))
    assert symbolic.params == ("N",) and symbolic.outputs == ("x_bar",)
    assert pa.make_program(pa.jit(lambda x: x + 1))(2.0).inputs == ("x",)
