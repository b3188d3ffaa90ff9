"""`linearize` and `linear_transpose`: against forward and reverse mode, and the identity that transposes obey."""

import numpy as np
import pytest

import polyad as pa
from polyad import numpy as m

RNG = np.random.default_rng(0)


def test_linearize_is_forward_mode_at_a_point():
    def f(p, y):
        return {"z": pa.sin(p["x"]) * y, "s": m.sum(p["x"] ** 3)}

    x, y = RNG.standard_normal((2, 3))
    out, push = pa.linearize(f, {"x": x}, y)
    np.testing.assert_allclose(out["z"], np.sin(x) * y)
    for _ in range(2):
        a, b = RNG.standard_normal((2, 3))
        found, expected = push({"x": a}, b), pa.jvp(f, ({"x": x}, y), ({"x": a}, b))[1]
        np.testing.assert_allclose(found["z"], expected["z"])
        np.testing.assert_allclose(found["s"], expected["s"])
    before = push({"x": a}, b)["z"]
    x += 1  # of the point as it was
    np.testing.assert_array_equal(push({"x": a}, b)["z"], before)
    with pytest.raises(pa.CallError, match="takes 2 tangents, 1 were given"):
        push({"x": a})


@pytest.mark.parametrize(
    ("f", "shapes"),
    [
        (lambda x: x[1:] - 2 * x[:-1], [(5,)]),
        (lambda x, y: x @ np.arange(6.0).reshape(3, 2) + y, [(4, 3), (2,)]),
        (lambda x: pa.scan(lambda c, v: (0.5 * c + v, c), 0.0, x)[1], [(6,)]),
        (lambda x: x.at[np.array([0, 2, 0])].add(x[:3]), [(4,)]),
    ],
)
def test_the_transpose_obeys_its_identity(f, shapes):
    given = [RNG.standard_normal(s) for s in shapes]
    out = pa.jit(f)(*given)
    cotangent = RNG.standard_normal(out.shape)
    found = pa.linear_transpose(f, *(np.zeros(s) for s in shapes))(cotangent)
    assert isinstance(found, tuple) and [a.shape for a in found] == shapes
    np.testing.assert_allclose((cotangent * out).sum(), sum((a * b).sum() for a, b in zip(found, given, strict=True)))


def test_only_shapes_and_types_count():
    class Spec:
        shape, dtype = (3,), np.dtype("float32")

    (found,) = pa.linear_transpose(lambda x: 2 * x + 1, Spec())(np.ones(3, np.float32))
    assert found.dtype == np.float32 and found.tolist() == [2, 2, 2]
    (found,) = pa.linear_transpose(lambda p: p["a"] - p["b"], {"a": 1.0, "b": 5.0})(3.0)
    assert (found["a"], found["b"]) == (3.0, -3.0)


def test_functions_that_are_not_linear_are_refused():
    def squared(x, y):
        return x * x + y

    with pytest.raises(pa.DefinitionError, match=r"squared is not linear: its derivative depends on args\[0\]"):
        pa.linear_transpose(squared, np.zeros(3), np.zeros(3))(np.ones(3))
    with pytest.raises(pa.CallError, match="str has no shape and dtype"):
        pa.linear_transpose(squared, "x", np.zeros(3))
