"""The numbers: errors in ulp against the next wider type, special values, NumPy's meaning of the simple functions."""

import ctypes
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import polyad_c
from polyad.targets import Target
from polyad.targets.flags import compile_flags
from polyad_c import accuracy
from polyad_c.accuracy import BOUNDS, DTYPES, WIDER, Array, call, samples, special_values, ulp_error
from polyad_c.build_runtime import loops
from tests.codegen.compiled import COMPILERS, compile_only
from tests.polyad_c import test_runtime_integers as integers

SAMPLES = 200_000
INF, NAN = np.inf, np.nan

wide_long_double = pytest.mark.skipif(
    np.finfo(np.longdouble).nmant < 63, reason="no type wider than double to compare with on this machine"
)
ALL = [
    pytest.param(op, suffix, id=f"{op}-{suffix}", marks=wide_long_double if suffix == "f64" else ())
    for op in BOUNDS
    for suffix in DTYPES
]


def identical(a: Array, b: Array) -> bool:
    """Tell whether two float arrays are equal, nan to nan and -0 to -0."""
    return bool(np.array_equal(a, b, equal_nan=True) and np.array_equal(np.signbit(a[a == 0]), np.signbit(b[b == 0])))


# ---- section 6: our own functions --------------------------------------------------------------------------------


@pytest.mark.parametrize(("op", "suffix"), ALL)
def test_error_stays_below_the_promised_bound(runtime: Any, reference: Any, op: str, suffix: str) -> None:
    x = samples(DTYPES[suffix], SAMPLES)
    worst, where = accuracy.largest_error(runtime, reference, op, suffix, x)
    assert worst <= BOUNDS[op][suffix == "f64"], f"{op}({where!r}) is {worst:.2f} ulp off"


@pytest.mark.slow
@pytest.mark.parametrize(("op", "suffix"), ALL)
def test_error_stays_below_the_promised_bound_on_many(runtime: Any, reference: Any, op: str, suffix: str) -> None:
    for seed in range(1, 6):
        x = samples(DTYPES[suffix], 1_000_000, seed)
        worst, where = accuracy.largest_error(runtime, reference, op, suffix, x)
        assert worst <= BOUNDS[op][suffix == "f64"], f"{op}({where!r}) is {worst:.2f} ulp off"


@pytest.mark.parametrize("dtype", DTYPES.values(), ids=str)
def test_the_ruler_itself(dtype: np.dtype[Any]) -> None:
    wide = WIDER["f32" if dtype == np.float32 else "f64"]
    info = np.finfo(dtype)
    exact = np.array([1.5, -1.5, 3.0, 1e-30, info.smallest_subnormal], dtype).astype(wide)
    off_by_three = exact.astype(dtype)
    for _ in range(3):
        off_by_three = np.nextafter(off_by_three, dtype.type(INF))
    assert ulp_error(off_by_three, exact).tolist() == [3.0] * 5
    # nan for a number, a number for nan, the wrong infinity, a flushed denormal
    wrong = np.array([NAN, 1.0, -INF, 0.0], dtype)
    right = np.array([1.0, NAN, INF, 7 * float(info.smallest_subnormal)], wide)
    assert np.all(ulp_error(wrong, right) > 4)
    assert ulp_error(np.array([INF, NAN], dtype), np.array([INF, NAN], wide)).tolist() == [0, 0]
    assert ulp_error(np.array([info.max], dtype), np.array([INF], wide)).tolist() == [1]


SPECIAL = {
    "exp": [(-INF, 0.0), (INF, INF), (0.0, 1.0), (-0.0, 1.0), (1e5, INF), (-1e5, 0.0)],
    "expm1": [(-INF, -1.0), (INF, INF), (0.0, 0.0), (-0.0, -0.0), (1e5, INF), (-1e5, -1.0)],
    "log": [(0.0, -INF), (-0.0, -INF), (-1.0, NAN), (-INF, NAN), (INF, INF), (1.0, 0.0), (-1e-40, NAN)],
    "log1p": [(-1.0, -INF), (-2.0, NAN), (-INF, NAN), (INF, INF), (0.0, 0.0), (-0.0, -0.0)],
    "tanh": [(-INF, -1.0), (INF, 1.0), (0.0, 0.0), (-0.0, -0.0), (1e30, 1.0), (-1e30, -1.0)],
    "sigmoid": [(-INF, 0.0), (INF, 1.0), (0.0, 0.5), (-0.0, 0.5), (1e30, 1.0), (-1e30, 0.0)],
    "erf": [(-INF, -1.0), (INF, 1.0), (0.0, 0.0), (-0.0, -0.0), (1e30, 1.0), (-1e30, -1.0)],
    "erfinv": [(1.0, INF), (-1.0, -INF), (0.0, 0.0), (-0.0, -0.0), (1.5, NAN), (-1.5, NAN), (INF, NAN), (-INF, NAN)],
}


@pytest.mark.parametrize("suffix", DTYPES)
@pytest.mark.parametrize("op", BOUNDS)
def test_special_values_exactly(runtime: Any, op: str, suffix: str) -> None:
    pairs = np.array([*SPECIAL[op], (NAN, NAN), (-NAN, NAN)], DTYPES[suffix])
    got = call(runtime, f"pa_vec_{op}_{suffix}", pairs[:, 0])
    assert identical(got, pairs[:, 1]), list(zip(pairs.tolist(), got.tolist(), strict=True))


@pytest.mark.parametrize("suffix", DTYPES)
@pytest.mark.parametrize("op", ["expm1", "log1p", "tanh"])
def test_tiny_arguments_are_returned_unchanged(runtime: Any, op: str, suffix: str) -> None:
    info = np.finfo(DTYPES[suffix])
    x = np.geomspace(float(info.tiny), float(info.eps) / 8, 300).astype(DTYPES[suffix])
    x = np.concatenate([x, np.arange(1, 50) * info.smallest_subnormal]).astype(DTYPES[suffix])
    for signed in (x, -x):
        assert identical(call(runtime, f"pa_vec_{op}_{suffix}", signed), signed)


@pytest.mark.parametrize("suffix", DTYPES)
def test_erfinv_is_exactly_odd(runtime: Any, suffix: str) -> None:
    x = samples(DTYPES[suffix], SAMPLES, seed=7)
    y = call(runtime, f"pa_vec_erfinv_{suffix}", x)
    assert identical(call(runtime, f"pa_vec_erfinv_{suffix}", -x), -y)
    turned = call(runtime, f"pa_vec_erf_{suffix}", y[np.isfinite(y)])
    info = np.finfo(DTYPES[suffix])
    least = 2 * float(info.smallest_subnormal)
    np.testing.assert_allclose(turned, x[np.isfinite(y)], rtol=30 * float(info.eps), atol=least)


@pytest.mark.parametrize("suffix", DTYPES)
@pytest.mark.parametrize("op", ["tanh", "erf"])
def test_odd_functions_are_exactly_odd_and_never_pass_one(runtime: Any, op: str, suffix: str) -> None:
    x = samples(DTYPES[suffix], SAMPLES, seed=7)
    y = call(runtime, f"pa_vec_{op}_{suffix}", x)
    assert identical(call(runtime, f"pa_vec_{op}_{suffix}", -x), -y)
    assert np.nanmax(np.abs(y)) == 1


@pytest.mark.parametrize("suffix", DTYPES)
def test_sigmoid_stays_in_the_unit_interval(runtime: Any, suffix: str) -> None:
    y = call(runtime, f"pa_vec_sigmoid_{suffix}", samples(DTYPES[suffix], SAMPLES, seed=8))
    assert np.nanmin(y) == 0 and np.nanmax(y) == 1


@pytest.mark.parametrize("suffix", DTYPES)
@pytest.mark.parametrize("op", BOUNDS)
def test_rises_with_its_argument_up_to_the_error_bound(runtime: Any, op: str, suffix: str) -> None:
    """All rise; where forms or exponents change, a step down may not exceed twice the error of one value."""
    dtype = DTYPES[suffix]
    low, high = {"log": (0.0, 120.0), "log1p": (-1.0, 120.0), "erfinv": (-1.0, 1.0)}.get(op, (-120.0, 120.0))
    steps = [np.linspace(low, high, SAMPLES), special_values(dtype)]
    near_turns = [t * (1 + np.arange(-300, 300) * np.finfo(dtype).eps) for t in (-1, -0.3466, 0.3466, 0.7071, 1, 1.414)]
    x = np.unique(np.concatenate([*steps, *near_turns]).astype(dtype))
    y = call(runtime, f"pa_vec_{op}_{suffix}", x[(x >= low) & (x <= (high if op == "erfinv" else INF))])
    with np.errstate(invalid="ignore"):
        drop = np.maximum.accumulate(y) - y
    allowed = 2 * BOUNDS[op][suffix == "f64"] * np.spacing(np.abs(np.where(np.isinf(y), 1, y)))
    assert np.all((drop <= allowed) | np.isinf(y))


@pytest.mark.parametrize("count", [0, 1, 2, 3, 5, 8, 13, 21])
@pytest.mark.parametrize("suffix", DTYPES)
def test_left_over_elements_get_the_same_value_as_vectors(runtime: Any, suffix: str, count: int) -> None:
    x = np.linspace(0.01, 3, count).astype(DTYPES[suffix])
    for op in BOUNDS:
        whole = call(runtime, f"pa_vec_{op}_{suffix}", x)
        single = [call(runtime, f"pa_vec_{op}_{suffix}", x[i : i + 1])[0] for i in range(count)]
        # Contraction may differ between the vector body and the scalar rest, hence not identical to the last bit.
        np.testing.assert_array_max_ulp(whole, np.array(single, x.dtype), 4)


@pytest.mark.parametrize(("op", "suffix"), [(op, suffix) for op in BOUNDS for suffix in DTYPES])
def test_header_and_readme_state_the_tested_bounds(op: str, suffix: str) -> None:
    bound = f"{BOUNDS[op][suffix == 'f64']:.1f}"
    header = polyad_c.runtime_header()
    comment = header[: header.index(f" pa_{op}_{suffix}(")].rpartition("/*")[2]
    assert re.search(r"within ([\d.]+) ulp", comment.replace("\n *", " ")) is not None
    assert f"within {bound} ulp" in comment
    readme = (polyad_c.include_dir().parent / "README.md").read_text(encoding="utf-8")
    row = re.search(rf"^\| `{op}` .*$", readme, re.MULTILINE)
    assert row is not None
    assert row[0].split("|")[2 + (suffix == "f64")].split()[0] == bound


# ---- section 5: NumPy's meaning ----------------------------------------------------------------------------------

EXACT_UNARY: dict[str, Callable[..., Array]] = {
    "sqrt": np.sqrt,
    "abs": np.abs,
    "sign": np.sign,
    "floor": np.floor,
    "ceil": np.ceil,
    "round": np.round,
    "trunc": np.trunc,
}
CLOSE_UNARY: dict[str, Callable[..., Array]] = {
    "rsqrt": lambda x: 1 / np.sqrt(x),
    "cbrt": np.cbrt,
    "sin": np.sin,
    "cos": np.cos,
    "tan": np.tan,
    "asin": np.arcsin,
    "acos": np.arccos,
    "atan": np.arctan,
    "sinh": np.sinh,
    "cosh": np.cosh,
    "asinh": np.arcsinh,
    "acosh": np.arccosh,
    "atanh": np.arctanh,
}
EXACT_BINARY: dict[str, Callable[..., Array]] = {
    "maximum": np.maximum,
    "minimum": np.minimum,
    "mod": np.mod,
    "floordiv": np.floor_divide,
    "masked_mul": lambda x, y: np.where(y == 0, np.zeros_like(y), x * y),
}
CLOSE_BINARY: dict[str, Callable[..., Array]] = {
    "atan2": np.arctan2,
    "hypot": np.hypot,
    "pow": np.power,
}


def simple_values(suffix: str) -> Array:
    """Halves, integers, signed zeros, infinities, nan, and numbers between."""
    x = np.array([0.0, 0.5, 1.0, 1.5, 2.0, 2.5, 3.0, 0.1, 0.3, 7.25, 1e-40, 1e10, INF, NAN])
    with np.errstate(under="ignore"):
        return np.concatenate([x, -x, np.linspace(-5, 5, 40)]).astype(DTYPES[suffix])


@pytest.mark.parametrize("suffix", DTYPES)
@pytest.mark.parametrize("op", EXACT_UNARY)
def test_exact_unary_functions_are_numpys(runtime: Any, op: str, suffix: str) -> None:
    x = simple_values(suffix)
    with np.errstate(all="ignore"):
        assert identical(call(runtime, f"pa_vec_{op}_{suffix}", x), EXACT_UNARY[op](x))


@pytest.mark.parametrize("suffix", DTYPES)
@pytest.mark.parametrize("op", EXACT_BINARY)
def test_exact_binary_functions_are_numpys(runtime: Any, op: str, suffix: str) -> None:
    a, b = (grid.ravel() for grid in np.meshgrid(simple_values(suffix), simple_values(suffix)))
    with np.errstate(all="ignore"):
        got, expected = call(runtime, f"pa_vec_{op}_{suffix}", a, b), EXACT_BINARY[op](a, b)
    if op in ("maximum", "minimum"):  # of two zeros, either will do
        np.testing.assert_array_equal(got, expected)
    else:
        assert identical(got, expected)


@pytest.mark.parametrize("suffix", DTYPES)
@pytest.mark.parametrize("op", [*CLOSE_UNARY, *CLOSE_BINARY])
def test_library_functions_are_spelled_right(runtime: Any, op: str, suffix: str) -> None:
    a, b = (grid.ravel() for grid in np.meshgrid(simple_values(suffix), simple_values(suffix)))
    arguments = (a,) if op in CLOSE_UNARY else (a, b)
    with np.errstate(all="ignore"):
        expected = (CLOSE_UNARY | CLOSE_BINARY)[op](*arguments)
    got = call(runtime, f"pa_vec_{op}_{suffix}", *arguments)
    np.testing.assert_allclose(got, expected, rtol=8 * float(np.finfo(DTYPES[suffix]).eps))


@pytest.mark.parametrize("suffix", DTYPES)
def test_hypot_over_the_whole_range(runtime: Any, suffix: str) -> None:
    info = np.finfo(DTYPES[suffix])
    sizes = np.geomspace(float(info.tiny), float(info.max) / 2, 200)
    x = np.concatenate([sizes, sizes, sizes[:9] * info.eps, [info.smallest_subnormal, info.max, 0]])
    y = np.concatenate([sizes, sizes * 0.75, sizes[:9] * info.eps, [0, 1, 0]])
    x, y = x.astype(DTYPES[suffix]), y.astype(DTYPES[suffix])
    wide = np.longdouble if suffix == "f64" else np.float64
    expected = np.hypot(x.astype(wide), y.astype(wide))
    got = call(runtime, f"pa_vec_hypot_{suffix}", x, -y).astype(wide)
    assert np.all(np.abs(got - expected) <= np.maximum(2 * expected * info.eps, info.smallest_subnormal))


@pytest.mark.parametrize("suffix", DTYPES)
def test_logaddexp(runtime: Any, suffix: str) -> None:
    a, b = (grid.ravel() for grid in np.meshgrid(simple_values(suffix), simple_values(suffix)))
    with np.errstate(all="ignore"):
        expected = np.logaddexp(a.astype(np.float64), b.astype(np.float64))
        scale = np.maximum(np.abs(a), np.abs(b)) + 1.0
    got = call(runtime, f"pa_vec_logaddexp_{suffix}", a, b)
    finite = np.isfinite(expected)
    np.testing.assert_array_equal(got[~finite], expected[~finite])
    assert np.all(np.abs(got[finite] - expected[finite]) <= 2 * np.finfo(DTYPES[suffix]).eps * scale[finite])


@pytest.mark.parametrize("suffix", DTYPES)
def test_isnan(runtime: Any, suffix: str) -> None:
    x = simple_values(suffix)
    assert np.array_equal(call(runtime, f"pa_vec_isnan_{suffix}", x, result=np.intc), np.isnan(x))


# ---- All of them -------------------------------------------------------------------------------------------------

ONE_BY_ONE = {"hypot", "logaddexp", "isnan"}
PARTS = set("nearest exp2i with_sign exp_tail log_sum erf_small log_erfc erfinv_near erfinv_far erfinv_tail".split())
"""What functions of section 6 are made of: tested by these."""


def untested(header: str) -> set[str]:
    """The functions of a runtime header whose numbers no test compares."""
    floats = {*BOUNDS, *EXACT_UNARY, *CLOSE_UNARY, *EXACT_BINARY, *CLOSE_BINARY, *ONE_BY_ONE, *PARTS}
    whole = {*integers.BINARY, *integers.UNARY, *integers.SHIFTS, "pow"}
    tested = {"f": floats, "i": whole, "u": whole}
    return {f"{loop.operation}_{loop.suffix}" for loop in loops(header) if loop.operation not in tested[loop.suffix[0]]}


def test_every_function_of_the_header_is_compared() -> None:
    assert not untested(polyad_c.runtime_header()), "the header has these; the tables above, or of integers, do not"


def test_a_function_without_a_test_is_noticed() -> None:
    text = polyad_c.runtime_header() + "PA_INLINE double pa_square_f64(double x) { return x * x; }\n"
    text += "PA_INLINE int32_t pa_gcd_i32(int32_t a, int32_t b)\n{\n    return a;\n}\n"
    assert untested(text) == {"square_f64", "gcd_i32"}


# ---- powers --------------------------------------------------------------------------------------------------------

PRODUCTS = (-8, -3, -2.5, -1.5, 1.5, 3, 3.5, 4, 5, 6, 7, 7.5, 8)
POWERS = (*PRODUCTS, 2.25, 9, -0.3)


@wide_long_double
@pytest.mark.parametrize("compiler", COMPILERS)
@pytest.mark.parametrize("suffix", DTYPES)
def test_powers_that_compilers_know(suffix: str, compiler: str) -> None:
    """Products and a root for halves of whole numbers, in C that calls no function of the C library then."""
    real, dtype, wide = "float" if suffix == "f32" else "double", DTYPES[suffix], WIDER[suffix]
    flags = compile_flags(Target("c"), True)
    for p in POWERS:
        lines = [
            '#include "polyad_runtime.h"',
            f"void power(const {real} *x, {real} *y, int n);",
            f"void power(const {real} *x, {real} *y, int n)",
            f"{{ for (int i = 0; i < n; ++i) y[i] = pa_pow_{suffix}(x[i], ({real}){float(p)!r}); }}",
        ]
        path = compile_only("\n".join(lines) + "\n", compiler, flags)
        x = np.concatenate([np.geomspace(1e-4, 1e4, 4001), [0.0, 1.0, np.inf, np.nan]]).astype(dtype)
        x = np.concatenate([x, -x if p == int(p) else np.array([-0.0, -np.inf, -1.0], dtype)])
        y = np.empty_like(x)
        ctypes.CDLL(str(path)).power(*(a.ctypes.data_as(ctypes.c_void_p) for a in (x, y)), len(x))
        with np.errstate(all="ignore"):
            exact = np.power(x.astype(wide), wide.type(dtype.type(p)))
        normal = ~(abs(exact) < np.finfo(dtype).tiny)
        assert ulp_error(y, exact)[normal].max() < 6, p
        assert (np.signbit(y) == np.signbit(exact))[~np.isnan(exact)].all(), p
        names = (b"powf" if suffix == "f32" else b"pow").join((b"\0", b"\0"))
        assert (names in Path(path).read_bytes()) == (p not in PRODUCTS), p
