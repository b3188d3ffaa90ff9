"""Every entry of the table: value, first and second derivatives."""

import dataclasses
import math
from statistics import NormalDist

import numpy as np
import pytest

from polyad.errors import DefinitionError, DTypeError
from polyad.ir.expr import Apply, Const
from polyad.ops import OPS, apply, cast, const, promote, select
from polyad.ops.registry import register
from tests.ops.expressions import derivative, value, variable

POINTS = 7
NAMES = ("x", "y")

# What each operator means, from Python's own arithmetic and math module.
MEANING = {
    "add": lambda x, y: x + y,
    "sub": lambda x, y: x - y,
    "mul": lambda x, y: x * y,
    "masked_mul": lambda x, y: x * y,
    "div": lambda x, y: x / y,
    "neg": lambda x: -x,
    "abs": abs,
    "pow": lambda x, y: x**y,
    "exp": math.exp,
    "expm1": math.expm1,
    "log": math.log,
    "log1p": math.log1p,
    "sqrt": math.sqrt,
    "hypot": math.hypot,
    "logaddexp": lambda x, y: math.log(math.exp(x) + math.exp(y)),
    "rsqrt": lambda x: 1 / math.sqrt(x),
    "cbrt": lambda x: math.copysign(abs(x) ** (1 / 3), x),
    "erf": math.erf,
    "erfinv": lambda x: NormalDist().inv_cdf((1 + x) / 2) / math.sqrt(2),
    "sin": math.sin,
    "cos": math.cos,
    "tan": math.tan,
    "asin": math.asin,
    "acos": math.acos,
    "atan": math.atan,
    "atan2": math.atan2,
    "sinh": math.sinh,
    "cosh": math.cosh,
    "tanh": math.tanh,
    "asinh": math.asinh,
    "acosh": math.acosh,
    "atanh": math.atanh,
    "sigmoid": lambda x: 1 / (1 + math.exp(-x)),
    "floor": math.floor,
    "ceil": math.ceil,
    "round": round,
    "trunc": math.trunc,
    "sign": lambda x: (x > 0) - (x < 0),
    "floordiv": lambda x, y: x // y,
    "mod": lambda x, y: x % y,
    "maximum": max,
    "minimum": min,
    "lt": lambda x, y: x < y,
    "le": lambda x, y: x <= y,
    "gt": lambda x, y: x > y,
    "ge": lambda x, y: x >= y,
    "eq": lambda x, y: x == y,
    "ne": lambda x, y: x != y,
    "isnan": math.isnan,
    "and": lambda x, y: bool(x) and bool(y),
    "or": lambda x, y: bool(x) or bool(y),
    "not": lambda x: not x,
    "bitwise_and": lambda x, y: x & y,
    "bitwise_or": lambda x, y: x | y,
    "bitwise_xor": lambda x, y: x ^ y,
    "bitwise_not": lambda x: ~x,
    "left_shift": lambda x, y: x << y,
    "right_shift": lambda x, y: x >> y,
    "cast": lambda x: x,
    "stop_gradient": lambda x: x,
}
SMOOTH = [op for op in OPS.values() if op.partials is not None and op.name not in ("cast", "stop_gradient")]


def samples(name):
    """Points of the sample intervals, the same in each run: shape [POINTS, arity]."""
    rng = np.random.default_rng(sorted(OPS).index(name))
    return np.stack([rng.uniform(*interval, POINTS) for interval in OPS[name].sample], axis=1)


def application(op):
    return apply(op.name, *(variable(n) for n in NAMES[: op.arity]))


def test_the_table_is_complete():
    assert not set(OPS) - set(MEANING), "MEANING has no row for these: what they are in Python's own arithmetic"
    assert not set(MEANING) - set(OPS), "these rows of MEANING are no operators"


@pytest.mark.parametrize("op", OPS.values(), ids=lambda op: op.name)
def test_an_entry_is_well_formed(op):
    assert len(op.sample) == op.arity
    assert all(low < high for low, high in op.sample)
    assert op.doc and op.cost >= 0
    assert all(f"{{{i}}}" in op.c for i in range(op.arity))


@pytest.mark.parametrize("op", [op for op in OPS.values() if op.name in MEANING], ids=lambda op: op.name)
def test_value(op):
    at = samples(op.name)
    kind = int if op.kind == "integer" else float
    at = np.floor(at).astype(np.int64) if kind is int else at
    expected = [MEANING[op.name](*map(kind, row)) for row in at]
    np.testing.assert_allclose(op.value(*at.T), expected, rtol=1e-14)


@pytest.mark.parametrize("op", SMOOTH, ids=lambda op: op.name)
def test_first_derivative(op):
    result = application(op)
    for row in samples(op.name):
        at = dict(zip(NAMES, map(np.float64, row), strict=False))
        for i, name in enumerate(NAMES[: op.arity]):
            np.testing.assert_allclose(
                value(derivative(result, name), at), central_difference(op.value, row, i), rtol=1e-7, atol=1e-7
            )


@pytest.mark.parametrize("op", SMOOTH, ids=lambda op: op.name)
def test_second_derivative(op):
    result = application(op)
    names = NAMES[: op.arity]
    for row in samples(op.name):
        for first in names:
            slope = derivative(result, first)

            def slope_at(*values, slope=slope):
                return value(slope, dict(zip(names, map(np.float64, values), strict=True)))

            for j, second in enumerate(names):
                at = dict(zip(names, map(np.float64, row), strict=True))
                np.testing.assert_allclose(
                    value(derivative(slope, second), at), central_difference(slope_at, row, j), rtol=1e-6, atol=1e-6
                )


def central_difference(function, row, i):
    """Fourth order: (8 (f(x + h) - f(x - h)) - (f(x + 2h) - f(x - 2h))) / 12 h."""
    h = 1e-4
    step = np.zeros(len(row))
    step[i] = h

    def gap(k):
        return float(function(*(row + k * step))) - float(function(*(row - k * step)))

    return (8 * gap(1) - gap(2)) / (12 * h)


def test_a_wrong_partial_is_noticed(monkeypatch):
    wrong = dataclasses.replace(OPS["tanh"], partials=lambda args, y: (apply("sub", const(1, y.dtype), y),))
    monkeypatch.setitem(OPS, "tanh", wrong)
    with pytest.raises(AssertionError):
        test_first_derivative(wrong)


@pytest.mark.parametrize("name", ["maximum", "minimum"])
def test_a_tie_is_shared_equally(name):
    result = application(OPS[name])
    shares = [value(derivative(result, n), {"x": 1.5, "y": 1.5}) for n in NAMES]
    assert shares == [0.5, 0.5]


def test_the_derivative_of_abs_at_zero_is_zero():
    assert value(derivative(application(OPS["abs"]), "x"), {"x": np.float64(0.0)}) == 0


@pytest.mark.parametrize(("exponent", "slope"), [(3.0, 0.0), (1.5, 0.0), (1.0, 1.0), (2.0, 0.0), (0.0, 0.0)])
def test_a_constant_power_has_its_slope_at_zero(exponent, slope):
    power = apply("pow", variable("x"), const(exponent, "float64"))
    assert value(derivative(power, "x"), {"x": np.float64(0.0)}) == slope


@pytest.mark.parametrize("base", [-2.0, 0.0])
def test_a_power_is_constant_in_the_exponent_where_it_has_no_logarithm(base):
    power = application(OPS["pow"])
    assert value(derivative(power, "y"), {"x": np.float64(base), "y": np.float64(2.0)}) == 0


def test_a_power_with_exponent_zero_has_no_slope_at_zero():
    power = application(OPS["pow"])
    assert value(derivative(power, "x"), {"x": np.float64(0.0), "y": np.float64(0.0)}) == 0


def test_a_cube_root_is_odd_and_steep_at_zero():
    """Its derivative is x^(-2/3) / 3 on both sides, and inf at both zeros; a quotient by x would be nan there."""
    root = application(OPS["cbrt"])
    for x in (-8.0, 8.0):
        assert value(root, {"x": np.float64(x)}) == np.copysign(2.0, x)
        np.testing.assert_allclose(value(derivative(root, "x"), {"x": np.float64(x)}), 1 / 12, rtol=1e-15)
    with np.errstate(divide="ignore"):
        assert [value(derivative(root, "x"), {"x": np.float64(zero)}) for zero in (0.0, -0.0)] == [np.inf, np.inf]


def test_stop_gradient_and_integer_casts_end_derivatives():
    x = variable("x")
    assert derivative(apply("stop_gradient", apply("mul", x, x)), "x").value == 0
    assert derivative(cast(cast(x, "int64"), "float64"), "x").value == 0
    assert derivative(cast(cast(x, "float32"), "float64"), "x").value == 1


def test_integers_follow_python():
    a, b = np.array([7, -7, 7, -7]), np.array([2, 2, -2, -2])
    assert OPS["floordiv"].value(a, b).tolist() == [x // y for x, y in zip(a, b, strict=True)]
    assert OPS["mod"].value(a, b).tolist() == [x % y for x, y in zip(a, b, strict=True)]
    assert OPS["pow"].value(np.int64(3), np.int64(4)) == 81
    assert OPS["pow"].value(np.int64(3), np.int64(-1)) == 1


def test_special_values():
    assert OPS["sigmoid"].value(np.float64(-800.0)) == 0 and OPS["sigmoid"].value(np.float64(800.0)) == 1
    assert np.isnan(OPS["maximum"].value(np.nan, 1.0)) and np.isnan(OPS["minimum"].value(1.0, np.nan))
    assert OPS["round"].value(np.array([0.5, 1.5, 2.5, -0.5])).tolist() == [0, 2, 2, 0]


@pytest.mark.parametrize(
    ("op", "dtypes", "expected"),
    [
        ("add", ("float32", "float32"), "float32"),
        ("add", ("float32", "float64"), "float64"),
        ("add", ("int32", "int64"), "int64"),
        ("add", ("bool", "bool"), "int64"),
        ("add", ("float32", "int64"), "float64"),
        ("div", ("int32", "int32"), "float64"),
        ("exp", ("int64",), "float64"),
        ("exp", ("float32",), "float32"),
        ("lt", ("float32", "int32"), "bool"),
        ("and", ("bool", "bool"), "bool"),
        ("abs", ("int32",), "int32"),
        ("floor", ("int32",), "int32"),
        ("isnan", ("int32",), "bool"),
        ("add", ("uint32", "uint32"), "uint32"),
        ("add", ("uint32", "int32"), "int64"),
        ("mul", ("uint32", "float32"), "float64"),
        ("bitwise_xor", ("uint32", "uint32"), "uint32"),
        ("left_shift", ("int32", "int64"), "int64"),
        ("bitwise_and", ("bool", "int32"), "int32"),
    ],
)
def test_result_type(op, dtypes, expected):
    assert apply(op, *(variable(n, d) for n, d in zip(NAMES, dtypes, strict=False))).dtype == expected


def test_arguments_are_brought_to_their_common_type():
    result = apply("add", variable("x", "float32"), variable("y", "float64"))
    assert isinstance(result, Apply)
    assert [a.dtype for a in result.args] == ["float64", "float64"]


def test_a_number_becomes_a_truth_value_by_comparison():
    result = cast(variable("x"), "bool")
    assert isinstance(result, Apply) and result.op == "ne" and result.dtype == "bool"


def test_promote_follows_numpy():
    assert promote("int32", "float32") == "float64"
    assert promote("int64") == "int64"


def test_wrong_arguments_are_refused():
    with pytest.raises(DTypeError, match="add takes 2 arguments, 1 were given"):
        apply("add", variable("x"))
    with pytest.raises(DTypeError, match="and combines truth values, but was given float64 and bool; compare first"):
        apply("and", variable("x"), variable("y", "bool"))
    with pytest.raises(DTypeError, match=r"condition of select must be a truth value \(bool\), not float64"):
        select(variable("x"), variable("x"), variable("y"))
    with pytest.raises(DTypeError, match="names its target type"):
        apply("cast", variable("x"))


def test_a_name_is_taken_once():
    with pytest.raises(DefinitionError, match="'exp' is registered twice"):
        register(OPS["exp"])


def test_constants_carry_their_type():
    assert const(2, "float32").value == 2.0 and isinstance(const(2, "float32").value, float)
    assert const(True, "bool").value is True
    assert isinstance(const(2.0, "int64").value, int)
    converted = cast(const(2.7, "float64"), "int32")
    assert isinstance(converted, Const) and converted.value == 2
