"""`where=` and `initial=` of reductions against NumPy."""

from typing import Any

import numpy as np
import pytest

import polyad as pa
from polyad import numpy as pn
from tests.compiled_derivatives import check_derivatives
from tests.evaluated import values_of

X = np.array([[1.5, -2.0, np.inf], [0.5, 3.0, np.nan]])
MASK = np.array([[True, True, False], [False, True, False]])
COLUMNS = np.array([True, False, False])
WAYS: list[tuple[str, dict[str, Any]]] = [
    ("sum", {"where": MASK}),
    ("sum", {"where": MASK, "initial": 2, "axis": 0}),
    ("sum", {"where": COLUMNS, "axis": 1, "keepdims": True}),
    ("sum", {"where": False}),
    ("sum", {"initial": 2.5, "where": True, "axis": (1, 0)}),
    ("prod", {"where": MASK, "initial": 2.0, "axis": 1}),
    ("prod", {"where": MASK[:, :1]}),
    ("max", {"where": MASK, "initial": -1.0, "axis": 0}),
    ("max", {"initial": 4.0, "axis": 0}),
    ("min", {"where": MASK, "initial": np.inf, "axis": 1, "keepdims": True}),
    ("min", {"where": COLUMNS, "initial": 0.75}),
    ("mean", {"where": MASK, "axis": 1}),
    ("mean", {"where": MASK[:, 1:2], "keepdims": True, "axis": 0}),
    ("var", {"where": MASK}),
    ("std", {"where": MASK, "ddof": 1}),
    ("any", {"where": MASK, "axis": 0}),
    ("any", {"where": COLUMNS}),
    ("all", {"where": MASK, "axis": 1}),
]


def test_values_are_those_of_numpy() -> None:
    for dtype, given in (("float32", X), ("int32", [[1, -2, 0], [0, 3, 7]])):
        x, tensor = np.asarray(given, dtype), pa.placeholder((2, 3), "x", dtype)
        # NumPy cuts an initial value of 2.5 off to 2 where the elements are integers.
        ways = [w for w in WAYS if dtype == "float32" or not isinstance(w[1].get("initial"), float)]
        found = [getattr(pn, name)(tensor, **more) for name, more in ways]
        for (name, more), t, result in zip(ways, found, values_of(found, x=x), strict=True):
            with np.errstate(all="ignore"):
                expected = getattr(np, name)(x, **more)
            assert t.dtype == expected.dtype or dtype == "int32", f"{name} {more}"
            np.testing.assert_allclose(result, expected, rtol=1e-6, err_msg=f"{dtype} {name} {more}")


def test_truth_values() -> None:
    found = [
        pn.sum(MASK, where=COLUMNS, axis=1, initial=3),
        pn.max(MASK, where=COLUMNS, initial=False, axis=1),
        pn.min(MASK, where=COLUMNS, initial=True, axis=1),
        pn.mean(MASK, where=MASK[:, ::-1]),
    ]
    wanted = [[4, 3], [1, 0], [1, 0], 2 / 3]
    for result, expected in zip(values_of(found), wanted, strict=True):
        np.testing.assert_array_equal(result, expected)


def test_sizes() -> None:
    T, B = pa.sizes("T B")
    x, mask = pa.placeholder((T, B), "x", "float64"), pa.placeholder((B,), "mask", "int32")
    result = values_of(pn.mean(x, where=mask != 0, axis=1), x=X, mask=COLUMNS.astype(np.int32))
    np.testing.assert_array_equal(result, X[:, 0])


def test_no_elements() -> None:
    x = pa.placeholder((0, 2), "x", "int32")
    found = values_of([pn.max(x, initial=5), pn.min(x, axis=0, initial=-3), pn.sum(x, initial=2)], x=np.zeros((0, 2)))
    for result, expected in zip(found, (5, [-3, -3], 2), strict=True):
        np.testing.assert_array_equal(result, expected)


def test_every_way_to_call_them() -> None:
    """Functions, methods, pa.sum, NumPy's functions on tensors, functions of arrays; the mask may be computed."""
    x = pa.placeholder((2, 3), "x", "float64")
    ways = [
        pn.sum(x, where=MASK, initial=1),
        x.sum(where=MASK, initial=1),
        pa.sum(x, where=MASK, initial=1),
        np.sum(x, where=MASK, initial=1),  # type: ignore[call-overload]
        pn.sum(x, where=(x > -3) & (x < 2) | (x == 3), initial=1) - 0.5,
    ]
    assert [float(v) for v in values_of(ways, x=X)] == [3.5] * 5
    value, slope = pa.value_and_grad(lambda x, m, a: x.sum(where=m, initial=a), argnums=(0, 2))(X, MASK, np.array(1.0))
    assert value == 3.5
    np.testing.assert_array_equal(slope[0], MASK)
    assert slope[1] == 1.0


@pytest.mark.parametrize("name", "sum prod max mean var".split())
def test_derivatives_pass_through_what_is_chosen(name: str) -> None:
    x, a = pa.placeholder((2, 3), "x", "float64"), pa.placeholder((), "a", "float64")
    more = {} if name in ("mean", "var") else {"initial": a}
    y = getattr(pn, name)(x, where=MASK, axis=1 if name == "sum" else None, **more)
    values = {"x": np.where(MASK, np.where(np.isfinite(X), X, 0), 9.0), "a": np.array(0.7)}
    wrt = [x, a] if more else [x]
    check_derivatives(y, wrt, **{k: v for k, v in values.items() if k == "x" or more})


def test_an_infinite_element_that_is_not_chosen_has_no_share_in_derivatives() -> None:
    x = pa.placeholder((2, 3), "x", "float64")
    finite = abs(x) < np.inf
    losses = [pn.mean(x * x, where=finite), pn.var(x, where=finite), pn.max(x, where=finite, initial=0.0)]
    slopes = values_of([pa.grad(y, [x])[0] for y in losses], x=X)
    for slope in slopes:
        assert np.isfinite(slope).all()
        assert not slope[~np.isfinite(X)].any()


@pytest.mark.parametrize(
    ("call", "error", "text"),
    [
        (lambda x: pn.max(x, where=MASK), pa.CallError, r"max with where= needs initial=.* initial=-float\('inf'\)"),
        (lambda x: pn.sum(x, where=[1, 0, 1]), pa.DTypeError, "where is of type int64; it takes truth values"),
        (lambda x: pn.sum(x, where=MASK[None]), pa.ShapeError, r"\(1, 2, 3\) does not broadcast to \(2, 3\)"),
        (lambda x: pn.sum(x[:1], where=MASK), pa.ShapeError, r"\(2, 3\) does not broadcast to \(1, 3\)"),
        (lambda x: pn.sum(x, where=MASK[:, :2]), pa.ShapeError, "do not broadcast"),
        (lambda x: pn.sum(x, initial=x), pa.ShapeError, "stands where one number is needed"),
        (lambda x: pa.sum(x, with_=3), pa.CallError, "sum has no argument 'with_'"),
        (
            lambda x: pa.compute((2,), lambda i: pa.sum(x[i, k := pa.reduce_axis(3)], axis=k, where=x[i, k] > 0)),
            pa.CallError,
            r"in a body takes no 'where': .*pa.select\(condition, x, 0\)",
        ),
    ],
)
def test_errors(call: Any, error: type[Exception], text: str) -> None:
    with pytest.raises(error, match=text):
        call(pa.placeholder((2, 3), "x", "float64"))
