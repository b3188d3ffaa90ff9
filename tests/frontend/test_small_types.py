"""Elements of 8 and 16 bits: stored as they are, computed with as NumPy computes."""

from importlib.util import find_spec
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import polyad as pa
from polyad.errors import DTypeError
from polyad.frontend import weak
from polyad.frontend.compiled import program_of
from polyad.ir.element_types import COMPUTED, bfloat16_bits, numpy_type
from polyad.ops.program_text import parse_program
from polyad.semantics.evaluate import evaluate
from tests.evaluated import values_of

pnp = pa.numpy
INTEGERS = [n for n in COMPUTED if "int" in n]
HALF = ["float16", "bfloat16"] if find_spec("ml_dtypes") else ["float16"]
SMALL = [*INTEGERS, *HALF]


def sample(dtype: str, shape: tuple[int, ...] = (6,), seed: int = 0) -> np.ndarray:
    rng = np.random.default_rng(seed)
    if dtype in HALF:
        return (rng.normal(size=shape) * 50).astype(numpy_type(dtype))
    info = np.iinfo(dtype)
    return rng.integers(info.min, info.max + 1, shape).astype(dtype)


@st.composite
def expression(draw: st.DrawFn, depth: int = 3) -> str:
    """Operators of Python on x and y, of one small type, and on numbers that it holds."""
    if depth == 0 or draw(st.integers(0, 4)) == 0:
        return draw(st.sampled_from(["x", "y"]))
    a, b = draw(expression(depth - 1)), draw(expression(depth - 1))
    form = draw(
        st.sampled_from(
            ["{} + {}", "{} - {}", "{} * {}", "np.maximum({}, {})", "np.where(x < y, {}, {})", "{} * 3 - {}"]
        )
    )
    return f"({form.format(a, b)})"


def agree(text: str, dtype: str) -> None:
    x, y = sample(dtype), sample(dtype, seed=1)
    with np.errstate(all="ignore"):
        wanted = np.asarray(eval(text, {"np": np, "x": x, "y": y}))
    tensors = {n: pa.placeholder((6,), name=n, dtype=dtype) for n in "xy"}
    made = eval(text, {"np": pnp, **tensors})
    assert made.dtype == wanted.dtype
    found = values_of(made, x=x, y=y)
    np.testing.assert_array_equal(found, wanted, err_msg=text)


@given(expression(), st.sampled_from(INTEGERS))
@settings(max_examples=60)
def test_integers_wrap_around_as_those_of_numpy(text: str, dtype: str) -> None:
    agree(text, dtype)


@given(expression(), st.sampled_from(HALF))
@settings(max_examples=30)
def test_floats_are_rounded_where_they_are_assigned(text: str, dtype: str) -> None:
    """Each operator on whole tensors makes a tensor: as in NumPy, whose float16 computes as float32 and rounds."""
    agree(text, dtype)


def test_without_wrapping_the_property_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(weak, "held", lambda value, kind: weak.Typed(value, kind.strength, kind.dtype))
    x = pa.placeholder((6,), name="x", dtype="int8")
    found = pa.compute((6,), lambda i: pa.select(x[i] + x[i] > 0, 1, 0))
    given = sample("int8")
    assert values_of(found, x=given).tolist() != np.where(given + given > 0, 1, 0).tolist()


@pytest.mark.parametrize("dtype", SMALL)
def test_results_of_compiled_functions(dtype: str) -> None:
    x, y = sample(dtype, (5, 4)), sample(dtype, (5, 4), 1)

    def function(np: Any, x: Any, y: Any) -> list[Any]:
        return [x + y, x * y - x, np.where(x > y, x, y), np.max(x, axis=0), x[::2].T, np.concatenate([x, y])]

    with np.errstate(all="ignore"):
        wanted = function(np, x, y)
    for target in ("c", pa.Target("openmp", optimize=0), pa.Target("c", index="int32")):
        for found, right in zip(pa.jit(lambda x, y: function(pnp, x, y), target=target)(x, y), wanted, strict=True):
            assert found.dtype == right.dtype
            np.testing.assert_array_equal(found, right)


@pytest.mark.parametrize("dtype", SMALL)
def test_the_text_is_proved(dtype: str) -> None:
    N = pa.sizes("N")
    x, y = (pa.placeholder((N, N), name=n, dtype=dtype) for n in "xy")
    kernel = pa.compile([x * y + x, pnp.sum(x, axis=1), pnp.max(y), (x @ y).astype("float32")], [x, y], name="small")
    assert kernel.certify().text is not None
    given = sample(dtype, (7, 7)), sample(dtype, (7, 7), 1)
    kernel.check(*given)


def test_sums_and_products_of_matrices_have_32_bits() -> None:
    x, y = sample("int8", (5, 9)), sample("int8", (9, 5), 1)
    total, product = pa.jit(lambda x, y: (pnp.sum(x, axis=1), x @ y))(x, y)
    assert total.dtype == product.dtype == "int32"
    np.testing.assert_array_equal(total, x.sum(axis=1))
    np.testing.assert_array_equal(product, x.astype("int32") @ y)
    h = sample("float16", (300,))
    assert pa.jit(pnp.sum)(h).dtype == "float16"
    np.testing.assert_array_equal(pa.jit(pnp.sum)(h), h.astype("float32").sum().astype("float16"))


def test_gradients_of_float16_are_added_up_in_float32() -> None:
    x, w = sample("float16", (6, 4, 3)) / np.float16(50), sample("float16", (3, 3), 1) / np.float16(50)

    def loss(x: Any, w: Any) -> Any:
        _, states = pa.scan(lambda h, row: (pa.tanh(row + h @ w),) * 2, x[0] * 0.0, x)
        return pnp.sum(states * states)

    value, slopes = pa.value_and_grad(loss, argnums=(0, 1))(x, w)
    right, exact = pa.value_and_grad(loss, argnums=(0, 1))(x.astype("float64"), w.astype("float64"))
    assert value.dtype == "float16"
    np.testing.assert_allclose(value, right, rtol=2e-3)
    for found, wanted in zip(slopes, exact, strict=True):
        assert found.dtype == "float16"
        np.testing.assert_allclose(found, wanted, rtol=2e-2, atol=1e-2)
    many = np.full(5000, 1.0, "float16")  # adding ones up in float16 ends at 2048
    assert pa.grad(lambda s: pnp.sum(s * many) / 5000.0)(np.float16(2)) == 1


def test_types_are_converted_to_and_from() -> None:
    x = np.array([-300.7, -1.5, 0.0, 2.9, 70000.0], np.float32)
    for dtype in ("int16", "float16", "uint8"):
        with np.errstate(all="ignore"):
            wanted = x[1:4].astype(dtype) if dtype != "uint8" else x[1:4].astype("int32").astype(dtype)
        found = pa.jit(lambda x, d=dtype: (x.astype(d), pa.compute((3,), lambda i: x[i] * 2, dtype=d)))(x[1:4])
        assert found[0].dtype == found[1].dtype == dtype
        np.testing.assert_array_equal(found[0], wanted)
    assert np.isinf(pa.jit(lambda x: x.astype("float16"))(x)[-1])


def test_indices_and_scans_and_updates_of_small_types() -> None:
    table, ids = np.arange(40.0).reshape(10, 4), np.array([3, 9, 0], np.uint8)
    np.testing.assert_array_equal(pa.jit(lambda t, i: t[i])(table, ids), table[ids])
    steps = sample("int8", (50,))
    last, every = pa.jit(lambda s: pa.scan(lambda c, v: (c + v,) * 2, np.int8(0), s))(steps)
    assert every.dtype == last.dtype == "int8"
    np.testing.assert_array_equal(every, np.cumsum(steps, dtype="int8"))
    with pytest.raises(pa.DTypeError, match=r"added up as int8, .*astype\('int32'\)"):
        pa.jit(lambda x, i: x.at[i].add(np.int8(1)))(steps, np.array([0, 1], np.int32))
    with pytest.raises(pa.DTypeError, match="300 is outside of the range of int8"):
        pa.jit(lambda x: x + 300)(steps)


def test_a_program_has_them_in_its_text() -> None:
    x = pa.placeholder((3,), name="x", dtype="int8")
    program = program_of([x + x], [x], "doubled")[0]
    again = parse_program(str(program))
    assert str(again) == str(program)
    given = {"x": np.array([100, -100, 3], np.int8)}
    assert evaluate(again, given)[program.outputs[0]].tolist() == [-56, 56, 6]


def test_bfloat16_is_the_upper_half_of_a_float() -> None:
    """Every number comes out as it went in, and numbers between are rounded to nearest even."""
    halves = np.arange(1 << 16, dtype=np.uint32)
    every = (halves << 16).view(np.float32)
    numbers = every[np.isfinite(every)]
    assert [bfloat16_bits(v) for v in numbers[::97]] == (numbers[::97].view(np.uint32) >> 16).tolist()
    assert [hex(bfloat16_bits(v)) for v in (1.00390625, 1.01171875, -0.0, 3.4e38, np.inf, np.nan)] == [
        "0x3f80",
        "0x3f82",
        "0x8000",
        "0x7f80",
        "0x7f80",
        "0x7fc0",
    ]
    x = pa.placeholder((), "x", "float32")
    source = pa.compile(x.astype("bfloat16").astype("float32"), [x]).source if len(HALF) == 2 else "pa_bf16_of_f32"
    assert "pa_bf16_of_f32" in source


@pytest.mark.skipif(len(HALF) == 1, reason="NumPy has no bfloat16 without ml_dtypes")
def test_bfloat16_is_that_of_ml_dtypes() -> None:
    x = np.concatenate([np.random.default_rng(0).normal(size=500), [0, -0.0, np.inf, -np.inf, 1e-40, 3.4e38]])
    x = x.astype("float32")
    found = pa.jit(lambda x: x.astype(pnp.bfloat16))(x)
    np.testing.assert_array_equal(found.view(np.uint16), x.astype(numpy_type("bfloat16")).view(np.uint16))
    np.testing.assert_array_equal(pa.jit(lambda x: x.astype("float32"))(found), found.astype("float32"))
    assert np.isnan(pa.jit(lambda x: x.astype("bfloat16"))(np.float32(np.nan)).astype("float32"))
    mixed = {"float32": "float32", "float16": "float32", "int8": "bfloat16", "int32": "float64"}
    for other, wanted in mixed.items():
        assert pa.jit(lambda x, y: x + y)(found[:1], np.ones(1, other)).dtype == wanted
    w = np.full((3, 4), 0.5, numpy_type("bfloat16"))
    slope = pa.grad(lambda w: pnp.sum(pnp.tanh(w) ** 2))(w)
    assert slope.dtype == w.dtype
    np.testing.assert_allclose(slope.astype("float64"), 2 * np.tanh(0.5) / np.cosh(0.5) ** 2, rtol=1e-2)


@pytest.mark.skipif(len(HALF) == 2, reason="NumPy has bfloat16")
def test_without_ml_dtypes_arrays_of_bfloat16_say_what_to_do() -> None:
    with pytest.raises(DTypeError, match=r"install it, or convert with .astype\('float32'\)"):
        pa.jit(lambda x: x.astype("bfloat16"))(np.ones(2, np.float32))
    assert pa.jit(lambda x: x.astype("bfloat16") + np.ones(2, np.float32))(np.ones(2, np.float32)).tolist() == [2, 2]
