"""Arrays of any type NumPy has: at calls of functions and where definitions close over them."""

import re
from typing import Any

import numpy as np
import pytest

import polyad as pa
from polyad.ir.element_types import ACCEPTED
from tests.evaluated import values_of

VALUES = np.array([[3, 1], [0, 2]])
NATIVE = [n for n in ACCEPTED if n not in ("bfloat16", "bool")]
REFUSED = {
    "uint64": "astype('int64')",
    "clongdouble": "astype('complex128')",
    "object": "Python objects",
    "U1": "text is no number",
    "longdouble": "astype('float64')",
}


def test_every_accepted_type_in_one_call() -> None:
    function = pa.jit(lambda arrays: [a * 2 for a in arrays])
    given = [VALUES.astype(n) for n in NATIVE] + [VALUES.astype(np.dtype(n).newbyteorder(">")) for n in NATIVE]
    for _ in range(2):  # traced, and from the signature's entry
        for name, result in zip(NATIVE * 2, function(given), strict=True):
            assert result.dtype == ACCEPTED[name]
            np.testing.assert_array_equal(result, VALUES * 2)


def test_pixels_ids_and_masks() -> None:
    ids, mask = np.array([2, 0, 255], np.uint8), np.array([True, False, True])
    table = np.arange(256.0)
    got = pa.jit(lambda t, i, m: pa.numpy.where(m, t[i] + i, -1.0))(table, ids, mask)
    np.testing.assert_array_equal(got, [4.0, -1.0, 510.0])
    pixels = np.array([[0, 128, 255]], np.uint8)
    slope = pa.grad(lambda w, p: pa.numpy.sum(w * (p / 255.0)))(np.ones(3), pixels)
    np.testing.assert_allclose(slope, pixels[0] / 255)


def test_bfloat16() -> None:
    bfloat16 = pytest.importorskip("ml_dtypes").bfloat16
    result = pa.jit(lambda x: x * 0.5)(np.array([1.0, 3.0], bfloat16))
    assert result.dtype == bfloat16
    assert result.tolist() == [0.5, 1.5]


@pytest.mark.parametrize("name", REFUSED)
def test_other_types_are_refused_before_anything_is_compiled(name: str) -> None:
    array = VALUES.astype(name)
    with pytest.raises(pa.CallError, match=re.escape(REFUSED[name])):
        pa.jit(lambda x: x + 1)(array)
    x = pa.placeholder((2, 2), "x", "float64")
    for use in (lambda: x + array, lambda: pa.numpy.asarray(array)):
        with pytest.raises(pa.DTypeError, match=re.escape(REFUSED[name])):
            use()


def test_constants_of_every_type() -> None:
    x = pa.placeholder((2, 2), "x", "float32")
    results = values_of([x + VALUES.astype(n) for n in NATIVE], x=VALUES)
    for result in results:
        np.testing.assert_array_equal(result, VALUES * 2)
    mask = pa.numpy.asarray(VALUES > 1)
    assert mask.dtype == "bool"
    np.testing.assert_array_equal(values_of(pa.select(~mask, x, 0.0), x=VALUES), [[0, 1], [0, 0]])


def test_integer_constants_are_not_rounded() -> None:
    x = pa.placeholder((2,), "x", "float64")
    with pytest.raises(pa.DTypeError, match=r"9007199254740993 is no float64: it would become 9007199254740992"):
        x + (2**53 + 1)
    assert values_of(x + 2**53, x=[0, 1])[0] == 2.0**53
    n = pa.placeholder((2,), "n", "int64")
    assert values_of(n + (2**53 + 1), n=[0, 1]).tolist() == [2**53 + 1, 2**53 + 2]
    for wide in (2**63, np.uint64(2**63), np.array(2**64 - 1, np.uint64)):
        with pytest.raises(pa.DTypeError, match="int64"):
            n + wide


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ([[1.0], [1.0, 2.0]], "inhomogeneous"),
        (["a"], "text is no number"),
        ([1, 2**70], "Python objects"),
        ({"a": 1}, "dict"),
    ],
)
def test_what_is_no_array(value: object, text: str) -> None:
    with pytest.raises(pa.DTypeError, match=text):
        pa.numpy.asarray(value)  # type: ignore[arg-type]


def test_lists_of_tensors_are_stacked_by_the_user() -> None:
    x = pa.placeholder((2,), "x", "float64")
    with pytest.raises(pa.DTypeError, match=r"a list that holds tensors; .*pa.numpy.stack"):
        pa.numpy.mean([x, x])  # type: ignore[list-item]


@pytest.mark.parametrize(
    ("made", "what"),
    [
        (lambda q: pa.numpy.full((2,), 10**19), "10000000000000000000 is outside of the range of int64; write 1e[+]19"),
        (lambda q: pa.compute((2,), lambda i: 10**19), "outside of the range of int64"),
        (lambda q: pa.compute((2,), lambda i: pa.cast(q[i], "int64") + 10**19), "outside of the range of int64"),
        (lambda q: pa.numpy.full((2,), 2**40, dtype="int32"), "1099511627776 is outside of the range of int32"),
        (lambda q: q + 2**40, "outside of the range of int32"),
        (lambda q: pa.numpy.clip(q, 0, 2**40), "outside of the range of int32"),
        (lambda q: pa.numpy.where(q > 0, 2**40, q), "outside of the range of int32"),
        (lambda q: pa.compute((2,), lambda i: pa.cast(1e30, "int64")), "outside of the range of int64$"),
        (lambda q: pa.compute((2,), lambda i: pa.cast(float("nan"), "int32")), "nan is outside of the range of int32$"),
        (lambda q: q * 10**400, "an integer of 1329 bits is larger than any float"),
        (lambda q: pa.compute((2,), lambda i: pa.select(i < 10**400, 1.0, q[i])), "larger than any float"),
        (lambda q: pa.compute((2,), lambda i: q[i] < np.complex64(1j)), "lt is not defined for complex numbers"),
    ],
)
def test_numbers_that_their_type_does_not_hold(made, what):
    """They wrapped around without a word: clip(1, 0, 2**40) was 0."""
    with pytest.raises(pa.DTypeError, match=what):
        made(pa.placeholder((2,), "q", "int32"))


def test_int32_is_compared_with_any_integer():
    q = np.array([1, -1], np.int32)
    assert pa.jit(lambda q: [q < 2**40, q > -(2**40), q == 2**31])(q)[0].tolist() == [True, True]
    assert pa.jit(lambda q: q == 2**32 + 1)(q).tolist() == [False, False]


def test_small_integers_beside_floats_are_promoted_as_by_numpy() -> None:
    """float32 holds the integers of 16 bits: uint8 * float32 was float64, twice the memory and half the speed."""
    x = np.array([1.5, 2.5], np.float32)
    types = ("uint8", "int8", "uint16", "int16", "bool", "int32", "uint32", "int64", "float16")
    given = [*(np.array([3, 1], n) for n in types), np.uint8(3)]

    def mixed(np: Any, x: Any, numbers: Any) -> list[Any]:
        a, b, c, *_ = numbers
        return [n * x for n in numbers] + [
            np.where(x > 2, a, x),
            np.maximum(b, x),
            (a * c + 1) * x,
            np.concatenate([a[:1], x]),
            np.max(a) * x,
            np.sum(a) * x,
            np.mean(a) * x,
            a / 2.0 * x,
            a * np.asarray(2, dtype="int32") * x,
        ]

    expected = mixed(np, x, given)
    for result, wanted in zip(pa.jit(lambda *given: mixed(pa.numpy, *given))(x, given), expected, strict=True):
        assert result.dtype == wanted.dtype
        np.testing.assert_allclose(result, wanted, rtol=1e-6)
    closed_over = mixed(pa.numpy, pa.numpy.asarray(x), list(map(pa.numpy.asarray, given)))
    assert [t.dtype for t in closed_over] == [wanted.dtype for wanted in expected]


def test_pixels_stay_narrow_where_they_are_copied() -> None:
    pixels, w = np.array([[0, 128], [3, 255]], np.uint8), np.ones(2, np.float32)
    rule = pa.custom_vjp(lambda w, p: w * p)
    rule.defvjp(lambda w, p: (w * p, p), lambda p, g: (g * p, None))
    (value, rows), slope = pa.value_and_grad(
        lambda w, p: pa.scan(lambda c, row: (c + pa.numpy.sum(w * row + rule(w, row)), row), 0, p), has_aux=True
    )(w, pixels)
    assert (value, value.dtype, slope.dtype, rows.dtype) == (772, np.float32, np.float32, np.uint8)
    assert slope.tolist() == [6, 766]
