"""`vmap` as in JAX: axes of arguments and results, what is the same for all examples, sizes, and errors."""

import re
from collections import namedtuple

import numpy as np
import pytest

import polyad as pa
from polyad import numpy as m
from tests.evaluated import values_of
from tests.frontend.batching.looped import assert_as_looped

RNG = np.random.default_rng(1)
Pair = namedtuple("Pair", "w b")


def cube(*shape):
    return RNG.normal(size=shape)


def product(x, y):
    return m.tanh(x) @ y.T


@pytest.mark.parametrize("out_axes", [0, 1, 2, -1, -3])
@pytest.mark.parametrize("in_axes", [0, 1, 2, -1, (0, 1), (2, -2), [-3, -1]])
def test_any_axis(in_axes, out_axes):
    assert_as_looped(product, cube(3, 3, 3), cube(3, 3, 3), in_axes=in_axes, out_axes=out_axes)


@pytest.mark.parametrize("in_axes", [(-1, None), [None, 1]])
def test_what_is_the_same_for_all(in_axes):
    args = (cube(3, 3) if a is None else cube(3, 3, 3) for a in in_axes)
    assert_as_looped(product, *args, in_axes=in_axes)


def test_sizes_that_are_said():
    x = cube(3, 2)
    np.testing.assert_array_equal(pa.vmap(m.sum, axis_size=3)(x), pa.vmap(m.sum)(x))
    repeated = pa.jit(pa.vmap(m.exp, None, axis_size=4))(x)
    np.testing.assert_allclose(repeated, np.broadcast_to(np.exp(x), (4, 3, 2)))
    np.testing.assert_array_equal(pa.vmap(m.exp, None, None, axis_size=4)(x), repeated[0])
    np.testing.assert_array_equal(pa.jit(pa.vmap(lambda: m.ones(2), axis_size=3))(), np.ones((3, 2)))
    B = pa.sizes("B")
    t = pa.placeholder((B, 2), "t", "float64")
    found = values_of([pa.vmap(m.sum, axis_size=B)(t), pa.vmap(m.sum, None, axis_size=B)(t[0])], t=x)
    np.testing.assert_allclose(found[0], x.sum(1))
    np.testing.assert_allclose(found[1], np.full(3, x[0].sum()))


def test_structures():
    def f(params, inputs, scale=None):
        (w, b), x = params["layer"], inputs[0]
        return Pair(x @ w + b, {"w": w, "x": x if scale is None else scale * x}), None

    params = {"layer": Pair(cube(3, 4, 5), cube(5)), "rest": None}
    axes = ({"layer": Pair(1, None), "rest": None}, 0)
    inputs = [cube(4, 3), None]
    assert_as_looped(f, params, inputs, in_axes=axes, out_axes=(Pair(-1, {"w": 1, "x": 0}), None))
    assert_as_looped(f, params, inputs, in_axes=[axes[0], [0, None]], out_axes=0)
    assert_as_looped(f, params, inputs, in_axes=axes, scale=cube(4))


def test_results_that_are_the_same_for_all():
    def f(w, x):
        return w * 2.0, x + 1.0, 3.0, w

    w, x = cube(2, 3), cube(5)
    assert_as_looped(f, w, x, in_axes=(None, 0), out_axes=(None, 0, None, None))
    assert_as_looped(f, w, x, in_axes=(None, 0), out_axes=(1, 0, 0, -1))


def test_arrays_that_several_results_show():
    """One array at two axes, an argument as it came, and a final carry beside all carries."""

    def f(x, y):
        y2 = m.tanh(y)
        return y2, y2, x, x, y2.T

    assert_as_looped(f, cube(4, 3), cube(2, 4, 3), in_axes=(0, 1), out_axes=(0, 1, 0, 1, 2))

    def last(x):
        return pa.scan(lambda h, v: (h + v, h), x[0], x)

    for out_axes in (0, -1, (0, 1), (-1, 0)):
        assert_as_looped(last, cube(4, 5, 2), out_axes=out_axes)


def test_types():
    ids = RNG.integers(0, 4, (5, 3))
    assert_as_looped(lambda i: i * 2, ids)
    assert_as_looped(lambda i: (i > 1, i % 2 == 0, m.cumsum(i)), ids.astype("int32"), out_axes=(0, 1, 1))
    assert_as_looped(lambda x, k: x * k, cube(4).astype("float32"), 3, in_axes=(0, None), rtol=1e-6)
    assert_as_looped(lambda x, k: x * k, cube(4), np.array([True, False, True, False]))
    assert_as_looped(lambda x: x * 0.5, cube(4, 3).astype("float32"), rtol=1e-6)
    assert_as_looped(lambda c, x: m.where(c, x, -x), ids > 1, cube(5, 3))


@pytest.mark.parametrize("count", [0, 1, 2, 5])
def test_numbers_of_examples(count):
    def f(w, x):
        h = m.tanh(x @ w)
        return pa.scan(lambda s, v: (s + v, s * v), h[0], h)[1], m.argmax(h), m.sum(h)

    w, x = cube(3, 3), cube(count, 3)
    found, arg, total = pa.vmap(f, (None, 0))(w, x)
    h = np.tanh(x @ w)
    starts = np.cumsum(np.concatenate([h[:, :1], h], axis=1), axis=1)[:, :-1]
    np.testing.assert_allclose(found, starts * h)
    np.testing.assert_allclose(total, h.sum(1))
    np.testing.assert_array_equal(arg, h.argmax(1))
    gradient = pa.vmap(pa.grad(lambda w, x: m.sum(f(w, x)[0])), (None, 0))(w, x)
    assert gradient.shape == (count, 3, 3)
    np.testing.assert_allclose(pa.grad(lambda w: m.sum(pa.vmap(f, (None, 0))(w, x)[0]))(w), gradient.sum(0))


def test_a_size_as_the_number_of_examples():
    B, N = pa.sizes("B N")
    X = pa.placeholder((N, B), "X", "float64")
    w = pa.placeholder((N,), "w", "float64")
    f = pa.vmap(lambda x, w: pa.scan(lambda s, v: (m.tanh(s + v), s), m.sum(x * w), x), (1, None), (0, 1))
    last, states = f(X, w)
    assert [str(e) for e in (*last.shape, *states.shape)] == ["B", "N", "B"]
    kernel = pa.compile([last, states, *pa.grad(m.sum(states**2), [X, w])], [X, w])
    for n, b in ((4, 3), (3, 1), (1, 7)):
        x, v = cube(n, b), cube(n)
        found = kernel(x, v)

        def by_hand(x, v):
            return pa.scan(lambda s, u: (m.tanh(s + u), s), m.einsum("nb,n->b", x, v), x)

        wanted = pa.jit(by_hand)(x, v)
        gradients = pa.grad(lambda x, v: m.sum(by_hand(x, v)[1] ** 2), (0, 1))(x, v)
        for a, c in zip(found, [*wanted, *gradients], strict=True):
            np.testing.assert_allclose(a, c, rtol=1e-9)


def test_what_is_closed_over():
    """Arrays, tensors of a trace around it, and those of the body of a scan."""
    w, x, c = cube(3, 3), cube(4, 3), cube(3)

    def f(w, x):
        u = m.tanh(w)
        return pa.vmap(lambda v: u @ v + c)(x), m.sum(u)

    found, _ = pa.jit(f)(w, x)
    np.testing.assert_allclose(found, x @ np.tanh(w).T + c)
    gradient = pa.grad(lambda w: m.sum(f(w, x)[0] ** 2))(w)
    wanted = pa.grad(lambda w: m.sum((x @ m.tanh(w).T + c) ** 2))(w)
    np.testing.assert_allclose(gradient, wanted)

    def in_a_scan(w, x):
        return pa.scan(lambda s, v: (s + m.sum(pa.vmap(lambda r: r @ v * s)(w)), None), 1.0, x)[0]

    np.testing.assert_allclose(
        pa.jit(in_a_scan)(w, x),
        pa.jit(lambda w, x: pa.scan(lambda s, v: (s + m.sum(w @ v * s), None), 1.0, x)[0])(w, x),
    )


def test_constants_are_computed_at_once_and_tensors_are_defined():
    x = m.asarray(cube(3, 2))
    assert isinstance(pa.vmap(m.sum)(x), np.ndarray)
    t = pa.placeholder((3, 2), "t", "float64")
    made = pa.vmap(lambda v: m.sum(v**2))(t)
    assert isinstance(made, pa.Tensor)
    values = cube(3, 2)
    np.testing.assert_allclose(values_of(made, t=values), (values**2).sum(1))


def test_what_depends_on_no_example_has_no_instance_for_each():
    def f(w, x):
        return m.tanh(m.exp(w) @ w) @ x

    w, x = cube(3, 3), cube(7, 3)
    kernel = assert_as_looped(f, w, x, in_axes=(None, 0)).kernel
    assert all("b" not in s.dims for s in kernel.program.statements if s.array.startswith(("exp", "tanh")))
    one = pa.jit(f)
    one(w, x[0])
    of_one, of_all = sum(one.kernel.instances().values()), sum(kernel.instances().values())
    assert of_all == of_one + 6 * 12  # the last product, 3 x 3 and 3 zeros, for the six others


def test_called_once_per_signature():
    calls = []

    @pa.vmap
    def f(x, y):
        calls.append(x.shape)
        return x * y

    for _ in range(2):
        f(cube(3, 2), cube(3))
    f(cube(4, 2), cube(4))
    assert calls == [(2,), (2,)]
    assert f.kernel.name == "f_vmap" and f.kernel.program.inputs == ("x", "y")
    assert pa.vmap(pa.jit(lambda x: x, target="c")).target == "c"


ERRORS = {
    "sizes": (
        lambda: pa.vmap(lambda p, y: p["x"] + y, (0, 1))({"x": cube(3, 2)}, cube(2, 4)),
        pa.ShapeError,
        r"args[0]['x'] has 3 examples (axis 0 of shape (3, 2)) and args[1] has 4 (axis 1 of shape (2, 4))",
    ),
    "sizes of keywords": (
        lambda: pa.vmap(lambda x, y: x + y)(cube(3), y=cube(4)),
        pa.ShapeError,
        r"args[0] has 3 examples (axis 0 of shape (3,)) and kwargs['y'] has 4",
    ),
    "no axis": (lambda: pa.vmap(m.sum, 2)(cube(3, 3)), pa.ShapeError, "args[0] has shape (3, 3): it has no axis 2"),
    "a number": (
        lambda: pa.vmap(lambda x, y: x + y)(cube(3), 1.0),
        pa.ShapeError,
        "args[1] has shape (): it has no axis",
    ),
    "nothing batched": (lambda: pa.vmap(m.sum, None)(cube(3)), pa.CallError, "no argument has examples: in_axes=None"),
    "no arguments": (lambda: pa.vmap(lambda: 1.0)(), pa.CallError, "no argument has examples"),
    "another size": (
        lambda: pa.vmap(m.sum, axis_size=4)(cube(3)),
        pa.ShapeError,
        "args[0] has 3 examples (axis 0 of shape (3,)), and axis_size=4",
    ),
    "negative size": (lambda: pa.vmap(lambda: 1.0, axis_size=-1)(), pa.ShapeError, "axis_size is -1"),
    "kind of size": (lambda: pa.vmap(lambda: 1.0, axis_size=1.5)(), pa.DTypeError, "axis_size must be an integer"),
    "too many axes": (lambda: pa.vmap(m.sum, (0, 0))(cube(3)), pa.CallError, "in_axes has 2 entries, the call 1"),
    "other structure": (
        lambda: pa.vmap(lambda p: p["x"], ({"y": 0},))({"x": cube(3)}),
        pa.CallError,
        "in_axes=({'y': 0},) is no integer, None, or structure",
    ),
    "kind of axes": (lambda: pa.vmap(m.sum, "0")(cube(3)), pa.CallError, "in_axes is an integer, None or a tuple, not"),
    "kind of axis": (lambda: pa.vmap(m.sum, (0.5,))(cube(3)), pa.DTypeError, "in_axes: an axis"),
    "a truth value": (lambda: pa.vmap(m.sum, True)(cube(3)), pa.DTypeError, "in_axes: an axis"),
    "result differs": (
        lambda: pa.vmap(lambda x: {"y": x * 2.0}, 0, None)(cube(3)),
        pa.CallError,
        "result['y'] differs between the examples, and out_axes gives it None",
    ),
    "result without axis": (
        lambda: pa.vmap(lambda x: x, 0, 2)(cube(3, 2)),
        pa.ShapeError,
        "result has shape (2,) for one example: it has no axis 2",
    ),
    "structure of results": (
        lambda: pa.vmap(lambda x: (x, x), 0, (0, 0, 0))(cube(3)),
        pa.CallError,
        "out_axes=(0, 0, 0) is no integer, None, or structure",
    ),
    "no function": (lambda: pa.vmap(3), pa.DTypeError, "vmap: fun must be a function"),
    "one example's index": (
        lambda: pa.vmap(lambda x: pa.compute(2, lambda i: x[i + 1]))(cube(3, 2)),
        pa.BoundsError,
        "x",
    ),
}


@pytest.mark.parametrize("case", ERRORS)
def test_errors(case):
    call, kind, text = ERRORS[case]
    with pytest.raises(kind, match=re.escape(text)):
        call()


def test_indices_are_checked_for_each_example():
    table, ids = cube(2, 4), np.array([[0, 3], [2, 4]])
    gather = pa.vmap(lambda t, i: t[i])
    np.testing.assert_array_equal(gather(table, ids % 4), np.take_along_axis(table, ids % 4, 1))
    with pytest.raises(pa.CallError, match=r"i\[1, 1\]"):
        gather(table, ids)
