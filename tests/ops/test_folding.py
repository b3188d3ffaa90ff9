"""Simplifications of `apply` and `select`, and what they leave alone."""

import math

import pytest

from polyad.ir.expr import Apply, Const, Select
from polyad.ops import apply, const, select
from polyad.ops.reference import spell
from tests.ops.expressions import variable

X, Y = variable("x"), variable("y")
C = variable("c", "bool")
I = variable("i", "int64")


def number(v):
    return const(v, "float64")


def whole(v):
    return const(v, "int64")


@pytest.mark.parametrize(
    ("expr", "text"),
    [
        (apply("add", X, number(0)), "x"),
        (apply("add", number(0), X), "x"),
        (apply("add", X, apply("neg", Y)), "x - y"),
        (apply("sub", X, number(0)), "x"),
        (apply("sub", number(0), X), "-x"),
        (apply("sub", X, apply("neg", Y)), "x + y"),
        (apply("mul", X, number(1)), "x"),
        (apply("mul", number(1), X), "x"),
        (apply("mul", number(0), X), "0"),
        (apply("mul", X, number(0)), "0"),
        (apply("mul", X, number(-1)), "-x"),
        (apply("div", X, number(1)), "x"),
        (apply("div", X, number(-1)), "-x"),
        (apply("div", number(0), X), "0"),
        (apply("neg", apply("neg", X)), "x"),
        (apply("neg", apply("sub", X, Y)), "y - x"),
        (apply("pow", X, number(0)), "1"),
        (apply("pow", X, number(1)), "x"),
        (apply("pow", X, number(2)), "x * x"),
        (apply("pow", X, number(0.5)), "sqrt(x)"),
        (apply("pow", X, number(-0.5)), "rsqrt(x)"),
        (apply("pow", X, number(-1)), "1 / x"),
        (apply("floor", I), "i"),
        (apply("round", I), "i"),
        (apply("floordiv", I, whole(1)), "i"),
        (apply("mod", I, whole(1)), "0"),
        (apply("isnan", I), "False"),
        (apply("and", C, const(True, "bool")), "c"),
        (apply("and", const(False, "bool"), C), "False"),
        (apply("or", C, const(False, "bool")), "c"),
        (apply("or", C, const(True, "bool")), "True"),
        (apply("not", apply("not", C)), "c"),
        (select(const(True, "bool"), X, Y), "x"),
        (select(const(False, "bool"), X, Y), "y"),
        (select(C, number(2), number(2)), "2"),
    ],
)
def test_folds(expr, text):
    assert spell(expr) == text


@pytest.mark.parametrize(
    ("expr", "value"),
    [
        (apply("add", number(2), number(3)), 5.0),
        (apply("exp", number(0)), 1.0),
        (apply("log", number(0)), -math.inf),
        (apply("floordiv", whole(-7), whole(2)), -4),
        (apply("mod", whole(-7), whole(2)), 1),
        (apply("floordiv", whole(7), whole(0)), 0),
        (apply("add", const(2**31 - 1, "int32"), const(1, "int32")), -(2**31)),
        (apply("lt", number(2), number(3)), True),
        (apply("not", const(True, "bool")), False),
        (apply("div", whole(1), whole(2)), 0.5),
        (apply("sign", number(-3.0)), -1.0),
    ],
)
def test_constants_fold_to_constants(expr, value):
    assert isinstance(expr, Const)
    assert expr.value == value and type(expr.value) is type(value)


def test_a_single_precision_constant_is_not_rounded_on_the_way():
    folded = apply("div", const(1, "float32"), const(3, "float32"))
    assert isinstance(folded, Const) and folded.value == 1 / 3 and folded.dtype == "float32"


@pytest.mark.parametrize(
    "expr",
    [
        apply("sub", X, X),
        apply("div", X, X),
        apply("mul", X, Y),
        apply("floordiv", X, number(1)),
        apply("pow", X, number(3)),
        apply("pow", I, whole(-1)),
    ],
)
def test_what_depends_on_data_is_left_alone(expr):
    assert isinstance(expr, Apply)


def test_zeros_of_different_sign_are_different():
    assert isinstance(select(C, number(0.0), number(-0.0)), Select)
    assert isinstance(select(C, number(math.nan), number(math.nan)), Const)
