"""Sizes, bounds and distances in C have the values of the expressions they are written from."""

import random
import re

import pytest

from polyad.codegen.loops.loop_values import Combine, Compare, Condition, Extreme, Value
from polyad.codegen.names import Spelling
from polyad.codegen.text.code import Code, infix
from polyad.codegen.text.integer_text import affine_code, condition_code, integer_code, linear_index, value_code
from polyad.codegen.text.polynomial_text import polynomial_code
from polyad.errors import DefinitionError
from polyad.ir.affine import Affine
from polyad.ir.polynomials import Polynomial, polynomial, product, total

NAMES = ("W", "H", "t")
SPELL = Spelling({}, frozenset(NAMES[:2]), {n: i for i, n in enumerate(NAMES)})  # nothing is known of t


class CInt(int):
    """An integer of C: its quotients are cut off towards zero."""

    def __add__(self, other: int) -> "CInt":
        return CInt(int(self) + int(other))

    def __sub__(self, other: int) -> "CInt":
        return CInt(int(self) - int(other))

    def __mul__(self, other: int) -> "CInt":
        return CInt(int(self) * int(other))

    def __neg__(self) -> "CInt":
        return CInt(-int(self))

    def __truediv__(self, other: int) -> "CInt":  # type: ignore[override]
        quotient = abs(int(self)) // abs(int(other))
        return CInt(quotient if (self < 0) == (other < 0) else -quotient)


FUNCTIONS = {
    "pa_floordiv_i64": lambda a, b: CInt(int(a) // int(b)),
    "pa_min_i64": lambda a, b: CInt(min(a, b)),
    "pa_max_i64": lambda a, b: CInt(max(a, b)),
}


def value_in_c(code: Code, values: dict[str, int]) -> int:
    """Return the value in C; Python's operators bind as C's do, once `&&` and `||` are words."""
    text = code.text.replace("&&", " and ").replace("||", " or ")
    text = re.sub(r"\b(\d+)\b", r"CInt(\1)", text)
    names = {n: CInt(v) for n, v in values.items()}
    return int(eval(text, {"__builtins__": {}, "CInt": CInt}, {**FUNCTIONS, **names}))


def an_affine(draw: random.Random, depth: int = 2) -> Affine:
    result = Affine.of(draw.choice((0, 0, 1, -1, 3, -4)))
    for _ in range(draw.randint(0, 2)):
        if depth and draw.random() < 0.4:
            term = an_affine(draw, depth - 1) // draw.choice((2, 3))
        else:
            term = Affine.of(draw.choice(NAMES))
        result = result + term * draw.choice((1, -1, 1, -1, 2, -3))
    return result


def a_value(draw: random.Random, depth: int = 2) -> Value:
    if depth and draw.random() < 0.4:
        return Extreme(draw.choice(("min", "max")), (a_value(draw, depth - 1), a_value(draw, depth - 1)))
    return an_affine(draw)


def a_condition(draw: random.Random, depth: int = 2) -> Condition:
    if depth and draw.random() < 0.4:
        return Combine(draw.choice(("&&", "||")), (a_condition(draw, depth - 1), a_condition(draw, depth - 1)))
    return Compare(draw.choice(("<", "<=", ">", ">=", "==")), a_value(draw), a_value(draw))


def evaluated(value: Value, values: dict[str, int]) -> int:
    if isinstance(value, Affine):
        return value.evaluate(values)
    assert isinstance(value, Extreme)
    return (min if value.kind == "min" else max)(evaluated(a, values) for a in value.args)


def holds(condition: Condition, values: dict[str, int]) -> bool:
    if isinstance(condition, Combine):
        return (all if condition.op == "&&" else any)(holds(a, values) for a in condition.args)
    difference = evaluated(condition.a, values) - evaluated(condition.b, values)
    signs = {"<": difference < 0, "<=": difference <= 0, ">": difference > 0, ">=": difference >= 0}
    return {**signs, "==": difference == 0}[condition.op]


def evaluated_polynomial(value: Polynomial, values: dict[str, int]) -> int:
    result = 0
    for monomial, number in value.items():
        for factor in monomial:
            number *= Affine(((factor, 1),)).evaluate(values)
        result += number
    return result


def a_polynomial(draw: random.Random) -> Polynomial:
    terms = [polynomial(an_affine(draw))]
    for _ in range(draw.randint(0, 2)):
        terms.append(
            product(polynomial(an_affine(draw)), product(polynomial(an_affine(draw)), {(): draw.choice((1, -1, 2))}))
        )
    return total(terms)


def sizes(draw: random.Random) -> dict[str, int]:
    return {"W": draw.randint(0, 9), "H": draw.randint(0, 9), "t": draw.randint(-9, 9)}


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.quick_cases(2)
def test_text_has_the_value_of_what_it_says(seed: int) -> None:
    draw = random.Random(seed)
    for _ in range(60):
        affine, value, poly = an_affine(draw), a_value(draw), a_polynomial(draw)
        condition = a_condition(draw)
        extents = [an_affine(draw) for _ in range(3)]
        index = [an_affine(draw) for _ in range(3)]
        for values in (sizes(draw) for _ in range(4)):
            assert value_in_c(affine_code(affine, SPELL), values) == affine.evaluate(values), affine
            assert value_in_c(value_code(value, SPELL), values) == evaluated(value, values), value
            assert bool(value_in_c(condition_code(condition, SPELL), values)) == holds(condition, values), condition
            assert value_in_c(polynomial_code(poly, SPELL), values) == evaluated_polynomial(poly, values), poly
            place = 0
            for i, extent in zip(index, extents, strict=True):
                place = place * extent.evaluate(values) + i.evaluate(values)
            text = linear_index(index, extents, SPELL)
            assert value_in_c(text, values) == place, (index, extents)


@pytest.mark.parametrize("op", ["+", "-", "*"])
def test_operators_keep_their_operands_together(op: str) -> None:
    """Each operand has a value of its own, whatever stands next to it."""
    draw = random.Random(op)
    apply = {"+": lambda a, b: a + b, "-": lambda a, b: a - b, "*": lambda a, b: a * b}[op]
    for _ in range(200):
        a, b, values = a_polynomial(draw), a_polynomial(draw), sizes(draw)
        text = infix(op, polynomial_code(a, SPELL), polynomial_code(b, SPELL))
        assert value_in_c(text, values) == apply(evaluated_polynomial(a, values), evaluated_polynomial(b, values))


@pytest.mark.parametrize("number", [2**63, -(2**63) - 1, 2**64 - 1])
def test_numbers_that_no_integer_holds_are_refused(number: int) -> None:
    """C would wrap them around, and a bound of a loop mean another element."""
    with pytest.raises(DefinitionError, match=f"{number}, which no integer of 64 bits holds"):
        integer_code(number)
    assert integer_code(2**63 - 1).text == "INT64_C(9223372036854775807)"
    assert integer_code(-(2**63)).text == "INT64_MIN"
