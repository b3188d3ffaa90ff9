"""Functions that are composed of others, against NumPy: values by the evaluator, derivatives by kernels."""

from typing import Any

import numpy as np
import pytest

import polyad as pa
from polyad import numpy as pn
from tests.compiled_derivatives import check_derivatives
from tests.evaluated import values_of
from tests.numpy_api.calls_of_numpy import PLAIN, SMOOTH, VALUES


def lines(table: str) -> list[str]:
    return [line for line in table.splitlines() if line]


class PolyadNames:
    """`np` of the lines: polyad's functions, with `bincount` that knows its length."""

    linalg = pn.linalg

    class maximum:
        accumulate = staticmethod(lambda x, axis=0: np.maximum.accumulate(x, axis))

    class minimum:
        accumulate = staticmethod(lambda x, axis=0: np.minimum.accumulate(x, axis))

    def __getattr__(self, name: str) -> Any:
        return getattr(pn, name)

    def bincount(self, x: Any, weights: Any = None, minlength: int = 4) -> Any:
        return pn.bincount(x, weights, length=minlength)


def called(line: str, **names: Any) -> Any:
    return eval(line, {"np": PolyadNames(), **names})


def placeholders() -> dict[str, pa.Tensor]:
    return {n: pa.placeholder(v.shape, n, str(v.dtype)) for n, v in VALUES.items()}


@pytest.mark.parametrize("part", range(6))
def test_values(part: int) -> None:
    for line in (lines(SMOOTH) + lines(PLAIN))[part::6]:
        with np.errstate(all="ignore"):
            expected = np.asarray(eval(line, {"np": np, **VALUES}))
        made = pn.asarray(called(line, **placeholders()))
        used = {n: v for n, v in VALUES.items() if n in eval_names(line)}
        found = np.asarray(values_of(made, **used))
        assert found.shape == expected.shape, line
        np.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-14, err_msg=line)
        assert made.dtype == str(expected.dtype), line


def eval_names(line: str) -> set[str]:
    return set(compile(line, "line", "eval").co_names) | {
        n for c in compile(line, "line", "eval").co_consts if hasattr(c, "co_names") for n in c.co_names
    }


@pytest.mark.quick_cases(2)
@pytest.mark.parametrize("part", range(8))
def test_derivatives(part: int) -> None:
    """Of all lines of a part at once, each with weights of its own."""
    given = placeholders()
    chosen = lines(SMOOTH)[part::8]
    parts = [pn.ravel(pn.asarray(called(line, **given))) * (0.5 + 0.1 * i) for i, line in enumerate(chosen)]
    used = set().union(*map(eval_names, chosen))
    wrt = [t for n, t in given.items() if n in used and t.dtype == "float64" and n != "e"]
    values = {n: v for n, v in VALUES.items() if n in used}
    check_derivatives(pn.sum(pn.concatenate(parts)), wrt, **values)


def test_numpys_functions_on_tensors_are_the_same() -> None:
    given = placeholders()
    for line in lines(SMOOTH) + lines(PLAIN):
        if (
            "bincount" in line
            or "lambda" in line
            or line.startswith(("np.logspace", "np.array(", "np.empty(", "np.radians"))
        ):
            continue
        made = eval(line, {"np": np, **given})
        assert isinstance(made, pa.Tensor), line


def test_top_k() -> None:
    x = pa.placeholder((2, 5), "x", "float64")
    value = np.array([[1.0, 3.0, 3.0, -1.0, 2.0], [np.nan, 0.0, np.inf, 5.0, 5.0]])
    found, places = values_of(list(pn.top_k(x, 3)), x=value)
    np.testing.assert_array_equal(places, [[1, 2, 4], [0, 2, 3]])
    np.testing.assert_array_equal(found, [[3, 3, 2], [np.nan, np.inf, 5]])
    check_derivatives(pn.top_k(x, 2)[0], [x], x=np.array([[1.0, 3.0, 2.5, -1.0, 2.0], [4.0, 0.0, 9.0, 5.0, 7.0]]))
    order = values_of(pn.argsort(x, descending=True), x=np.array([[1.0, 3, 3, -1, 2], [0, 0, 0, 1, 0]]))
    np.testing.assert_array_equal(order, [[1, 2, 4, 0, 3], [3, 0, 1, 2, 4]])


def test_running_extremes() -> None:
    x = pa.placeholder((3, 4), "x", "float64")
    value = np.round(VALUES["x"])
    made = [pn.cummax(x), pn.cummin(x, -1), pn.cummax(x, axis=1, reverse=True)]
    found = values_of(made, x=value)
    np.testing.assert_array_equal(found[0], np.maximum.accumulate(value))
    np.testing.assert_array_equal(found[1], np.minimum.accumulate(value, axis=-1))
    np.testing.assert_array_equal(found[2], np.maximum.accumulate(value[:, ::-1], axis=1)[:, ::-1])


def test_gradients_of_an_order_go_to_the_chosen_elements() -> None:
    x = np.array([2.0, 1.0, 2.0, 0.0])
    weights = np.array([1.0, 2.0, 3.0, 4.0])
    np.testing.assert_array_equal(pa.grad(lambda x: pn.sum(pn.sort(x) * weights))(x), [3, 2, 4, 1])
    np.testing.assert_array_equal(pa.grad(pn.median)(x), [0.5, 0.5, 0, 0])
    np.testing.assert_array_equal(
        pa.grad(pn.max)(x), pa.grad(lambda x: pn.quantile(x, 1.0))(np.array([2.0, 1, 1.5, 0]))
    )


def test_gradients_leave_nan_out() -> None:
    x = np.array([1.0, np.nan, 3.0])
    np.testing.assert_array_equal(pa.grad(pn.nansum)(x), [1, 0, 1])
    np.testing.assert_array_equal(pa.grad(pn.nanmean)(x), [0.5, 0, 0.5])
    np.testing.assert_array_equal(pa.grad(pn.nanmax)(x), [0, 0, 1])
    np.testing.assert_array_equal(pa.grad(lambda x: pn.sum(pn.nan_to_num(x, nan=2.0) ** 2))(x), [2, 0, 6])


def test_symbolic_sizes() -> None:
    N, M = pa.sizes("N M", min=2)
    a, b = pa.placeholder((N,), "a", "float64"), pa.placeholder((M,), "b", "float64")
    p, q = VALUES["u"], VALUES["y"]
    made = [
        pn.convolve(a, b),
        pn.diff(a),
        pn.kron(a, b[:2]),
        pn.meshgrid(a, b)[0],
        pn.searchsorted(a, b),
        pn.cummax(a),
        pn.average(a, weights=a),
    ]
    expected = [
        np.convolve(p, q),
        np.diff(p),
        np.kron(p, q[:2]),
        np.meshgrid(p, q)[0],
        np.searchsorted(p, q),
        np.maximum.accumulate(p),
        np.average(p, weights=p),
    ]
    for found, wanted in zip(values_of(made, a=p, b=q), expected, strict=True):
        np.testing.assert_allclose(found, wanted, rtol=1e-13)


def test_constants_and_element_types_are_numpys() -> None:
    for name in "pi e inf nan euler_gamma newaxis float32 float64 int32 int64 uint8 bool_ finfo iinfo".split():
        assert getattr(pn, name) is getattr(np, name) or name in ("pi", "e", "inf", "nan", "euler_gamma")
    assert (pn.pi, pn.e, pn.inf) == (np.pi, np.e, np.inf)
    assert pn.zeros(3, pn.float32).dtype == "float32"
    assert pn.arange(3)[pn.newaxis].shape == (1, 3)
    assert pn.finfo(pn.float64).eps == np.finfo(float).eps
    for name in "bool float16 complex64 complex128".split():
        assert pn.zeros(3, getattr(pn, name)).dtype == name
    assert issubclass(pn.float16, pn.floating) and not issubclass(pn.uint8, pn.inexact)
    assert isinstance(pn.zeros(3), pn.ndarray)


def test_arguments_as_numpy_and_jax_call_them() -> None:
    x, m = pa.placeholder((2, 3), "x", "float64"), np.array([[True, False, True], [False, False, False]])
    value = np.array([[1.0, -2.0, 0.5], [0.0, 3.0, 1.0]])
    made = [
        pn.zeros_like(x, shape=(4,)),
        pn.full_like(a=x, fill_value=2.0, shape=(2,)),
        pn.reshape(x, newshape=(3, 2)),
        pn.angle(x + 0j, deg=True),
        pa.nn.softmax(x, where=m),
        pa.nn.log_softmax(x, axis=1, where=m),
        pa.nn.logsumexp(a=x, axis=1, b=np.array([1.0, 2.0, 3.0])),
    ]
    with np.errstate(all="ignore"):
        raised = np.where(m, np.exp(value), 0)
        share = np.where(m, raised / raised.sum(1, keepdims=True), 0)
        expected = [
            np.zeros(4),
            np.full(2, 2.0),
            value.reshape(3, 2),
            np.angle(value, deg=True),
            share,
            np.log(share),
            np.log(np.exp(value) @ [1.0, 2.0, 3.0]),
        ]
    for found, wanted in zip(values_of(made, x=value), expected, strict=True):
        np.testing.assert_allclose(found, wanted, rtol=1e-13, atol=1e-15)
    slope = pa.grad(lambda x: pn.sum(pa.nn.softmax(x, where=m) ** 2))(value)
    assert np.isfinite(slope).all() and not slope[1].any() and slope[0, 1] == 0
    with pytest.raises(pa.CallError, match=r"polyad.scan has no argument 'unroll'; .*leave it out"):
        pa.scan(f=lambda c, v: (c + v, c), init=x[0], xs=x, unroll=2)
    with pytest.raises(pa.CallError, match=r"linspace has no argument 'retstep'; .*the step is"):
        pn.linspace(0, 1, 5, retstep=True)


X = pa.placeholder((3, 4), "X", "float64")
N = pa.sizes("N")


@pytest.mark.parametrize(
    ("call", "error", "text"),
    [
        (
            lambda: pn.sort(pa.placeholder((N,), "v")),
            pa.ShapeError,
            "sort of N elements: .* constant number .* fix the",
        ),
        (lambda: pn.median(pn.zeros(5000)), pa.ShapeError, "median of 5000 elements: .* up to 4096; use numpy.median"),
        (lambda: pn.median(pn.zeros(0)), pa.ShapeError, "median of no elements"),
        (lambda: pn.quantile(X, 1.5), pa.DefinitionError, "q lies between 0 and 1, not 1.5"),
        (lambda: pn.percentile(X, X), pa.DefinitionError, "known here"),
        (lambda: pn.top_k(X, 5), pa.ShapeError, "has 4 elements, k is 5"),
        (lambda: pn.bincount([1, 2]), pa.DefinitionError, "say how long it is with length="),
        (lambda: pn.bincount(X[0], length=3), pa.DTypeError, "counts integers"),
        (lambda: pn.searchsorted(X, 1.0), pa.ShapeError, "takes a vector"),
        (lambda: pn.interp(1.0, X[0], X[0, :2]), pa.ShapeError, "two vectors of one length"),
        (lambda: pn.convolve(X, X[0]), pa.ShapeError, "takes two vectors"),
        (lambda: pn.convolve(X[0], X[0], "middle"), pa.DefinitionError, "mode"),
        (lambda: pn.repeat(X, [1, 2], axis=0), pa.ShapeError, "2 numbers of times for 3 elements"),
        (lambda: pn.repeat(X, [1, 2, 1.5], axis=0), pa.DTypeError, "vector of integers"),
        (lambda: pn.repeat(X, 2, axis=0, total_repeat_length=5), pa.ShapeError, "the result has 6 elements"),
        (lambda: pn.cross(X, X), pa.ShapeError, "vectors of two or three elements"),
        (lambda: pn.vecdot(X, X[0, :2]), pa.ShapeError, "4 elements against 2"),
        (lambda: pn.linalg.multi_dot([X, pn.zeros((1, 2, 3)), X]), pa.ShapeError, "first and the last may be vectors"),
        (lambda: pn.linalg.matrix_power(X, 2), pa.ShapeError, "square"),
        (lambda: pn.meshgrid(X), pa.ShapeError, "ravel it"),
        (lambda: pn.rot90(X, axes=(0,)), pa.ShapeError, "plane of two"),
        (lambda: pn.select([X > 0], []), pa.ShapeError, "one choice for each"),
        (lambda: pn.average(X, 0, weights=[1.0, 2.0]), pa.ShapeError, "2 weights for 3"),
        (lambda: pn.diff(X, -1), pa.ShapeError, "0 or more"),
        (lambda: pn.cumulative_sum(X), pa.ShapeError, "say along which"),
        (lambda: pn.histogram(X, 0), pa.ShapeError, "one bin at least"),
        (lambda: pn.pad(X, 1, constant_values=(1, 2, 3)), pa.ShapeError, "constant_values"),
    ],
)
def test_errors(call: Any, error: type[Exception], text: str) -> None:
    with pytest.raises(error, match=text):
        call()
