"""Functions inside of functions: constants, closures over what is being traced, and tensors among arrays."""

import dataclasses

import numpy as np
import optree
import pytest

import polyad as pa
from polyad import numpy as m

TWO, THREE = np.array(2.0), np.array(3.0)


@pytest.mark.parametrize(
    ("inner", "expected"),
    [
        (lambda x: pa.grad(lambda y: x * y)(TWO), 6.0),  # x * x
        (lambda x: pa.value_and_grad(lambda y: x * y)(TWO)[1], 6.0),
        (lambda x: pa.jit(lambda y: x * y)(TWO), 12.0),  # 2 x x
        (lambda x: pa.vjp(lambda y: x * y, TWO)[1](np.array(1.0))[0], 6.0),
        (lambda x: pa.jvp(lambda y: x * y, (TWO,), (np.array(1.0),))[1], 6.0),
        (lambda x: pa.jacfwd(lambda y: x * y)(TWO), 6.0),
        (lambda x: pa.hessian(lambda y: x * y * y)(TWO), 12.0),
        (lambda x: pa.grad(lambda y: y * y)(TWO), 4.0),  # a constant: 4
        (lambda x: pa.scan(lambda c, v: (c + pa.grad(lambda y: v * x * y)(TWO), None), 0.0, np.ones(2))[0], 12.0),
    ],
    ids=["grad", "value_and_grad", "jit", "vjp", "jvp", "jacfwd", "hessian", "constant", "in a scan"],
)
def test_perturbations_are_not_confused(inner, expected):
    """The derivative of x times an inner function at a constant that closes over x, at 3."""
    assert pa.grad(lambda x: x * inner(x))(THREE) == expected


def test_a_derivative_by_an_argument_is_one_by_its_uses_as_this_argument():
    """A function may close over the tensor that it is given, or be given it twice: those uses are none of y's."""

    def of(x):
        return {
            "grad": pa.grad(lambda y: x * y * y)(x),
            "one of two": pa.grad(lambda a, b: a * b * b)(x, x),
            "both": pa.grad(lambda a, b: a * b * b, argnums=(0, 1))(x, x),
            "leaves": pa.grad(lambda d: d["a"] * d["b"] * d["b"])({"a": x, "b": x}),
            "value_and_grad": pa.value_and_grad(lambda y: x * y)(x)[1],
            "vjp": pa.vjp(lambda a, b: x * a * b * b, x, x)[1](1.0),
            "jvp": pa.jvp(lambda a, b: x * a * b * b, (x, x), (2.0, 1.0))[1],
            "jacfwd": pa.jacfwd(lambda y: x * y)(x),
            "jacrev": pa.jacrev(lambda y: x * y)(x),
            "hessian": pa.hessian(lambda y: x * y * y * y)(x),
            "scan": pa.scan(lambda c, _: (pa.grad(lambda y: c * y * y)(c), None), x, None, length=1)[0],
        }

    expected = {
        "grad": 18.0,
        "one of two": 9.0,
        "both": (9.0, 18.0),
        "leaves": {"a": 9.0, "b": 18.0},
        "value_and_grad": 3.0,
        "vjp": (27.0, 54.0),
        "jvp": 108.0,
        "jacfwd": 3.0,
        "jacrev": 3.0,
        "hessian": 54.0,
        "scan": 18.0,
    }
    assert pa.jit(of)(THREE) == expected
    assert pa.grad(lambda x: pa.grad(lambda y: x * y * y)(x))(THREE) == 12.0  # of 2 x x
    p = pa.placeholder((), "p", "float64")  # as a definition
    assert pa.compile(pa.grad(lambda y: p * y * y)(p), [p])(THREE) == 18.0


def test_copies_of_arguments_leave_no_trace():
    """Separate arguments cost nothing: a step of training runs the instances that it would without."""
    x = np.ones((3, 2))

    def loss(w):
        return m.sum(m.tanh(x @ w))

    inner, outer = pa.jit(lambda w: pa.grad(loss)(w)), pa.grad(loss)
    inner(np.ones(2)), outer(np.ones(2))
    assert sum(inner.kernel.instances().values()) == sum(outer.kernel.instances().values())


def test_tensors_made_of_constants_are_arrays():
    f = pa.jit(lambda x, y: x + y)
    for other in (m.zeros_like(np.ones(3)), m.asarray(np.arange(3.0)), m.ones((3,), "float64") * 2):
        assert type(f(np.ones(3), other)) is np.ndarray
    step = pa.jit(lambda w, state: (w - 0.1 * state, state * 0.5))
    w, state = np.ones(2), m.ones((2,), "float64")
    for _ in range(3):
        w, state = step(w, state)
        assert type(state) is np.ndarray
    np.testing.assert_allclose(state, 0.125)


def test_tensors_without_a_value_are_not_mixed_with_arrays():
    p = pa.placeholder((3,), "p", "float64")
    assert isinstance(pa.jit(lambda x: x * 2)(p), pa.Tensor)
    with pytest.raises(pa.CallError, match=r"args\[1\]\['w'\] is a tensor without a value and args\[0\] an array"):
        pa.jit(lambda x, y: x + y["w"])(np.ones(3), {"w": p})
    with pytest.raises(pa.CallError, match="closes over p, a tensor without a value"):
        pa.jit(lambda x: x + p)(np.ones(3))


def test_cotangents_and_tangents_have_the_form_of_their_outputs_and_primals():
    x = np.ones(3)
    back = pa.vjp(lambda x: {"a": x * 2, "b": x[0]}, x)[1]
    np.testing.assert_array_equal(back({"a": x, "b": 1.0})[0], [3, 2, 2])
    with pytest.raises(pa.CallError, match=r"cotangent has the leaves cotangent\['a'\], expected .*\['b'\]"):
        back({"a": x})
    with pytest.raises(pa.DTypeError, match=r"cotangent\['a'\] is float32, expected float64"):
        back({"a": x.astype(np.float32), "b": 1.0})
    with pytest.raises(pa.ShapeError, match=r"cotangent\['b'\] has shape \(3,\), expected \(\)"):
        back({"a": x, "b": x})
    with pytest.raises(pa.CallError, match="of the primals"):
        pa.jvp(lambda x: x, (x,), ([x],))


def test_a_vjp_is_that_of_its_point_wherever_the_array_goes():
    x = np.arange(3.0)
    back = pa.vjp(lambda x: m.sum(x * x), x)[1]
    x += 100
    np.testing.assert_array_equal(back(1.0)[0], [0, 2, 4])


def test_carries_that_change_name_the_leaf():
    def run(step):
        pa.jit(lambda x: pa.scan(step, {"h": x, "n": 0}, None, length=3)[0])(np.ones(2))

    with pytest.raises(pa.DTypeError, match=r"carry\['h'\] starts as float64 and the step returns float32"):
        run(lambda c, _: ({**c, "h": c["h"].astype("float32")}, None))
    with pytest.raises(pa.ShapeError, match=r"carry\['h'\] starts with shape \(2\) and the step returns \(1\)"):
        run(lambda c, _: ({**c, "h": c["h"][:1]}, None))
    with pytest.raises(pa.DefinitionError, match=r"carry\['m'\] is new, carry\['n'\] is missing"):
        run(lambda c, _: ({"h": c["h"], "m": 0}, None))


def test_a_dataclass_that_optree_does_not_know_says_how_to_tell_it():
    @dataclasses.dataclass
    class State:
        h: np.ndarray

    with pytest.raises(pa.CallError, match=r"is State.*optree.dataclasses.dataclass\(namespace='polyad'\)"):
        pa.jit(lambda s: s.h * 2)(State(np.ones(2)))
    known = optree.dataclasses.dataclass(State, namespace="polyad")
    np.testing.assert_array_equal(pa.jit(lambda s: s.h * 2)(known(np.ones(2))), [2, 2])


def test_what_is_closed_over_is_as_it_was_when_it_was_traced():
    """Arrays of numbers were read anew at each call, those of positions were not: two rules for one thing."""
    w, ids, scale, x = np.array([1.0, 2.0]), np.array([0, 1]), [10.0], np.ones(2)

    def f(x):
        return m.sum(w * x[ids] * w) * scale[0] + m.take(w, ids)[0]

    value_and_grad = pa.value_and_grad(f)
    expected = 51.0, [10.0, 40.0]
    for _ in range(2):
        value, slope = value_and_grad(x)
        assert (value, slope.tolist()) == expected
        value, pull = pa.vjp(f, x)
        assert (value, pull(1.0)[0].tolist()) == expected
        w[:], ids[:], scale[0] = np.nan, 7, 0.0
    w[:], ids[:], scale[0] = 0.0, 0, 1.0
    assert pa.value_and_grad(f)(x)[0] == 0.0  # a new function is traced anew


def test_arrays_that_are_closed_over_are_copied_once_for_each_value():
    w = np.array([1.0, np.nan])
    first, again = (m.asarray(w).definition.value for _ in range(2))
    w[0] = 2.0
    changed = m.asarray(w).definition.value
    assert first is again
    assert (first[0], changed[0]) == (1.0, 2.0)
    for odd in (np.zeros((0, 2)), np.array(3.0), np.zeros((4, 4))[::2, 1], np.arange(3, dtype=">i8")):
        copy = m.asarray(odd).definition.value
        np.testing.assert_array_equal(copy, odd)
        assert not np.shares_memory(copy, odd)


def test_the_point_of_a_vjp_stays_where_it_was_for_arrays_of_other_libraries():
    x = np.array([1.0, 2.0])

    class Foreign:
        def __array__(self, dtype=None, copy=None):
            return x

    _, pull = pa.vjp(lambda x: m.sum(x * x), Foreign())
    x += 1.0
    assert pull(1.0)[0].tolist() == [2.0, 4.0]
