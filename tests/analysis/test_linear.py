"""Values as linear functions of one number: the terms, evaluated, are the value; other functions have no terms."""

from itertools import product

import pytest

from polyad.analysis.linear import (
    ITSELF,
    At,
    Inverse,
    Linear,
    Minus,
    One,
    Plus,
    Product,
    Term,
    Where,
    is_linear,
    linear,
)
from polyad.ir.expr import Apply, Const, Expr, Read, Select
from polyad.ops import OPS
from polyad.ops.program_text import parse_program

ARRAYS = "shabr"
PROGRAM = """program q: [T] -> { : T >= 1 }
  input ids: int64[T]
  input s: float64[T]
  input h: float64[T]
  input a: float64[T]
  input b: float64[T]
  input r: float64[T]
  output y: float64[T]
  S: [T] -> { S[t] : 0 <= t < T }
      y[t] = BODY
"""

TWICE = linear(parse_program(PROGRAM.replace("BODY", "2.0 * s[t] + a[t]")).statement("S").body, {"s": ITSELF}, 0)
"""What h is of s where a test says so."""

LINEAR = [
    "s[t]",
    "s[t] + b[t]",
    "b[t] - (s[t] - r[t]) * a[t]",
    "neg(s[t]) + 0.25 * s[t] + b[t]",
    "b[t] - neg(s[t]) / (a[t] * a[t] + 1.0)",
    "r[t] * (a[t] * s[t]) - s[t]",
    "select(gt(a[t], 0.0), s[t] + b[t], r[t] * s[t])",
    "select(gt(a[t], 0.0), s[t], neg(s[t]) - b[t])",
    "h[t] + s[t]",
    "b[t] * h[t] - h[t] / r[t]",
]

NOT_LINEAR = [
    "s[t] * s[t]",
    "h[t] * s[t]",
    "h[t] * h[t]",
    "tanh(s[t])",
    "maximum(s[t], b[t])",
    "b[t] / s[t]",
    "s[t] / (1.0 + s[t])",
    "select(gt(s[t], 0.0), s[t], s[t])",
    "select(gt(a[t], 0.0), s[t], 0.0)",  # 0 * s is nan where s is not finite
    "select(gt(a[t], 0.0), s[t], r[t])",
    "s[ids[t]]",
    "a[t] + tanh(s[t])",
    "r[t] - s[t] * s[t]",
    "neg(s[t] * s[t])",
    "a[t] * neg(tanh(s[t]))",
]


def body(text: str) -> Expr:
    return parse_program(PROGRAM.replace("BODY", text)).statement("S").body


def value(expr: Expr, numbers: dict[str, float]) -> float:
    match expr:
        case Const(number, _):
            return float(number)
        case Read(array, _, _):
            return numbers[array]
        case Apply(op, args, _):
            return float(OPS[op].value(*(value(a, numbers) for a in args)))
        case Select(condition, a, b, _):
            return value(a if value(condition, numbers) else b, numbers)
    raise AssertionError(expr)


def computed(term: Term | None, numbers: dict[str, float], place: int) -> float:
    match term:
        case None:
            return 0.0
        case One():
            return 1.0
        case At(expr, found):
            assert found in (0, place)
            return value(expr, numbers)
        case Plus(a, b):
            return computed(a, numbers, place) + computed(b, numbers, place)
        case Product(a, b):
            return computed(a, numbers, place) * computed(b, numbers, place)
        case Minus(a):
            return -computed(a, numbers, place)
        case Inverse(a):
            return 1 / computed(a, numbers, place)
        case Where(condition, a, b):
            return computed(a if computed(condition, numbers, place) else b, numbers, place)
    raise AssertionError(term)


@pytest.mark.parametrize("text", LINEAR)
def test_terms_are_the_value(text: str) -> None:
    found = linear(body(text), {"s": ITSELF, "h": TWICE}, 3)
    assert found is not None and found.mul is not None
    for s, a, b, r in product((0.5, -2.0), repeat=4):
        numbers = {"s": s, "h": 2 * s + a, "a": a, "b": b, "r": r}
        mul, add = (computed(term, numbers, 3) for term in (found.mul, found.add))
        assert mul * s + add == pytest.approx(value(body(text), numbers)), numbers


@pytest.mark.parametrize("text", NOT_LINEAR)
def test_others_have_none(text: str) -> None:
    values = {"s": ITSELF, "h": TWICE}
    assert linear(body(text), values) is None and not is_linear(body(text), values)


def test_what_does_not_depend_on_the_number_stands_as_it_is() -> None:
    expr = body("tanh(a[t]) * b[t]")
    found = linear(expr, {"s": ITSELF}, 5)
    assert isinstance(found, Linear) and found.mul is None
    assert isinstance(found.add, At) and found.add.expr is expr and found.add.place == 5
    assert not is_linear(expr, {"s": ITSELF})


def test_what_reads_another_function_of_the_number_is_none() -> None:
    assert linear(body("s[t] + h[t]"), {"s": ITSELF, "h": None}) is None
    assert linear(body("s[t] + h[t]"), {"s": ITSELF}) is not None
