"""Expressions of C as expressions of the program, by C's own rules of arithmetic.

    int op int        integers; a quotient is cut off towards zero
    int op double     double;   int op float and float op float: float
    c ? a : b         an affine c cuts the domain into pieces, one for a and one for b
    exp, expf         at double, at float

What differs between parts of a domain (who wrote an element, which branch an affine condition takes) makes cases: parts
of the domain, each with an expression of its own.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction

import islpy as isl

from polyad.ir.expr import Const, Expr, Index
from polyad.ops import apply, cast, const, select, stated
from polyad.pet.equations.guarded import only_where
from polyad.pet.math_functions import FUNCTIONS
from polyad.pet.refusal import SourcePlace
from polyad.pet.scop import Access, Affine, Call, Cast, Node, Number, Operation

__all__ = ["UNDEFINED", "Case", "Expressions", "converted", "element_type", "read_type"]

Case = tuple[isl.Set, Expr]
"""A part of a statement's domain, and the value there."""

UNDEFINED = Const(math.nan, "float64")
"""What stands in a variable that got no value yet: it is not asked for, so any value does."""

_INFINITE = {
    "__builtin_inff": "float32",
    "__builtin_huge_valf": "float32",
    "__builtin_inf": "float64",
    "__builtin_huge_val": "float64",
}
"""What INFINITY and HUGE_VAL are in headers."""

_LARGEST_LOGARITHM = 1100.0  # of a double, with room
_LIMITS = {"int32": 2**32, "int64": 2**64}
"""Whole numbers up to here come back at the other end where they are too large; what others become is not said."""

_BINARY = ("add", "sub", "mul", "div", "mod", "lt", "le", "gt", "ge", "eq", "ne")
_TYPES = {
    "float": "float32",
    "double": "float64",
    "int": "int32",
    "int32_t": "int32",
    "unsigned": "int64",
    "unsigned int": "int64",
    "uint32_t": "int64",
    "long": "int64",
    "long long": "int64",
    "unsigned long": "int64",
    "unsigned long long": "int64",
    "int64_t": "int64",
    "size_t": "int64",
    "ptrdiff_t": "int64",
}


_NARROW = ("_Bool", "char", "signed char", "unsigned char", "short", "unsigned short")
"""Integers that C computes with as `int`: what is read is one, what is stored there may be cut."""


def read_type(text: str) -> str | None:
    """The element type that values of a type of C have when they are read, or None: `unsigned char` is int32."""
    return "int32" if text in _NARROW else element_type(text)


def element_type(text: str) -> str | None:
    """The element type that a type of C is, or None: `const double` is float64."""
    words = [w for w in text.split() if w not in ("const", "volatile", "restrict", "signed")]
    return _TYPES.get(" ".join(words) or "int")


@dataclass(frozen=True, slots=True, eq=False)
class Expressions:
    """Translates expressions of one statement.

    Attributes:
        where: in C, for messages.
        read: an access and a part of the domain -> cases of the value that is read.
    """

    where: SourcePlace
    read: Callable[[Access, isl.Set], list[Case]]

    def cases(self, node: Node, domain: isl.Set) -> list[Case]:
        """The value of an expression on a domain.

        Raises:
            ExtractionError: a function or an operator that polyad does not have.
        """
        if domain.is_empty():
            return []
        match node:
            case Cast("double" as type, Number(text, 0)) if text[-1:] in "lL":
                return self._cast(type, Number(repr(_rounded_twice(text[:-1])), 0), domain)
            case Number(text, 0) if text[-1:] in "lL":
                sentence = f"`{text}` is a long double, which polyad does not have; leave the `{text[-1]}` out"
                raise self.where.refusal("long double", sentence)
            case Number(text, bits):
                return [(domain, _number(text, bits))]
            case Affine(value):
                return _affine(value, domain)
            case Access():
                return self.read(node, domain)
            case Cast(type, argument):
                return self._cast(type, argument, domain)
            case Call(name, arguments):
                return self._call(name, arguments, domain)
            case Operation("cond", (condition, then, other)):
                return self._conditional(condition, then, other, domain)
            case Operation("land" | "lor", (left, right)):
                return self._logical(node.op, left, right, domain)
            case Operation(op, arguments):
                return self._operation(op, arguments, node.bits, domain)

    def pairs(self, left: Node, right: Node, domain: isl.Set) -> list[tuple[isl.Set, Expr, Expr]]:
        """The cases of two values together."""
        return [(part, a, b) for first, a in self.cases(left, domain) for part, b in self.cases(right, first)]

    def conditions(self, node: Node, domain: isl.Set) -> list[Case]:
        """The cases of a truth value: of C's numbers, all but 0 are true."""
        return [(part, _truth(value)) for part, value in self.cases(node, domain)]

    def _cast(self, type: str, argument: Node, domain: isl.Set) -> list[Case]:
        target = element_type(type)
        if target is None:
            raise self.where.refusal("cast", f"a cast to {type}, which polyad does not have; use double or int")
        return [(part, converted(value, target, self.where)) for part, value in self.cases(argument, domain)]

    def _call(self, name: str, arguments: tuple[Node, ...], domain: isl.Set) -> list[Case]:
        if name in _INFINITE:
            return [(domain, const(math.inf, _INFINITE[name]))]
        single = name not in FUNCTIONS and name.endswith("f") and name[:-1] in FUNCTIONS
        op = FUNCTIONS.get(name[:-1] if single else name)
        if op is None:
            known = ", ".join(sorted(FUNCTIONS))
            raise self.where.refusal(
                f"{name}()",
                f"{name}() has no body that can be seen and is none of {known}; define it as `static inline` in the "
                "same file",
            )
        dtype = "float32" if single else "float64"
        parts: list[tuple[isl.Set, tuple[Expr, ...]]] = [(domain, ())]
        for argument in arguments:
            parts = [(p, (*done, cast(v, dtype))) for d, done in parts for p, v in self.cases(argument, d)]
        plain = name[:-1] if single else name
        return [(part, _composed(plain, op, values, dtype)) for part, values in parts]

    def _conditional(self, condition: Node, then: Node, other: Node, domain: isl.Set) -> list[Case]:
        result: list[Case] = []
        for part, chosen in self.conditions(condition, domain):
            if isinstance(chosen, Const):
                result += self.cases(then if chosen.value else other, part)
            else:
                for inside, a, b in self.pairs(then, other, part):
                    a, b = only_where(chosen, True, a), only_where(chosen, False, b)
                    result.append((inside, _chosen(chosen, a, b)))
        return result

    def _logical(self, op: str, left: Node, right: Node, domain: isl.Set) -> list[Case]:
        result: list[Case] = []
        for part, first in self.conditions(left, domain):
            if isinstance(first, Const):
                decided = bool(first.value) == (op == "lor")
                result += [(part, first)] if decided else self.conditions(right, part)
            else:
                result += [
                    (inside, apply("or" if op == "lor" else "and", first, only_where(first, op == "land", second)))
                    for inside, second in self.conditions(right, part)
                ]
        return result

    def _operation(self, op: str, arguments: tuple[Node, ...], bits: int, domain: isl.Set) -> list[Case]:
        if op == "minus":
            return [(part, stated("neg", value)) for part, value in self.cases(arguments[0], domain)]
        if op == "lnot":
            return [(part, apply("not", value)) for part, value in self.conditions(arguments[0], domain)]
        if op == "wrap":
            return self._wrapped(arguments[0], domain)
        if len(arguments) != 2 or op not in _BINARY:
            sentence = f"the operator {op!r} of C is not supported; use + - * / and comparisons"
            raise self.where.refusal(op, sentence)
        result = []
        for part, a, b in self.pairs(arguments[0], arguments[1], domain):
            common = _common(a, b)
            a, b = cast(a, common), cast(b, common)
            if op in ("div", "mod") and "float" not in common:
                if isinstance(b, Const) and b.value == 0:
                    raise self.where.refusal("/ 0", "an integer is divided by 0, which has no result; leave it out")
                result.append((part, _cut_off(op, a, b)))
            elif op == "mod":
                sentence = "% of floating-point numbers; C has fmod for it, polyad does not"
                raise self.where.refusal("%", sentence)
            else:
                result.append((part, stated(op, a, b)))
        return result

    def _wrapped(self, node: Node, domain: isl.Set) -> list[Case]:
        """The remainder of an integer by 2^32."""
        match node:
            case Operation("mul", (left, right)) if not any(isinstance(n, Affine | Number) for n in (left, right)):
                return [(part, _product(a, b)) for part, a, b in self.pairs(left, right, domain)]
            case _:
                return [(part, _remainder(cast(value, "int64"), 2**32)) for part, value in self.cases(node, domain)]


def _product(a: Expr, b: Expr) -> Expr:
    """a * b by 2^32, of numbers below that: in halves of a, since the whole product needs 64 bits and no sign."""
    half = const(2**16, "int64")
    upper = _remainder(apply("mul", apply("floordiv", a, half), b), 2**16)
    lower = apply("mul", _remainder(a, 2**16), b)
    return _remainder(apply("add", apply("mul", upper, half), lower), 2**32)


def _remainder(value: Expr, divisor: int) -> Expr:
    """The remainder of an integer, which is not negative."""
    by = const(divisor, "int64")
    return apply("sub", value, apply("mul", apply("floordiv", value, by), by))


def converted(value: Expr, dtype: str, where: SourcePlace) -> Expr:
    """A value as one of another type.

    Raises:
        ExtractionError: it is a number that the type does not hold.
    """
    if isinstance(value, Const) and dtype in _LIMITS and not abs(value.value) <= _LIMITS[dtype]:
        sentence = f"{value.value:g} is made an integer, and is none that {dtype} holds; write another number"
        raise where.refusal("cast", sentence)
    return cast(value, dtype)


def _composed(name: str, op: str, values: Sequence[Expr], dtype: str) -> Expr:
    """The value of a function: an operator, or several where the table has none of that name."""
    match name:
        case "log2" | "log10":
            return _logarithm(values[0], const(2 if name == "log2" else 10, dtype))
        case "exp2":
            return apply(op, const(2.0, dtype), *values)
        case "fma":
            return apply(op, apply("mul", *values[:2]), values[2])
        case "fdim":
            return apply(op, apply("sub", *values), const(0.0, dtype))
        case _:
            return stated(op, *values)


def _logarithm(x: Expr, base: Const) -> Expr:
    """The logarithm of x, which is a whole number where x is a power of the base: floor(log2(8)) is 3."""
    near = apply("mul", apply("log", x), const(1 / math.log(base.value), x.dtype))
    whole = apply("round", near)
    is_power = apply("eq", apply("pow", base, whole), x)
    is_finite = apply("lt", apply("abs", near), const(_LARGEST_LOGARITHM, x.dtype))
    none = const(0.0, x.dtype)
    return apply(
        "add", near, apply("stop_gradient", select(apply("and", is_power, is_finite), apply("sub", whole, near), none))
    )


def _chosen(condition: Expr, a: Expr, b: Expr) -> Expr:
    if a is UNDEFINED or b is UNDEFINED:
        return b if a is UNDEFINED else a
    common = _common(a, b)
    return select(condition, cast(a, common), cast(b, common))


def _number(text: str, bits: int) -> Const:
    if bits:
        return const(int(text), "int64")
    digits = text.rstrip("fFlL") if not text.lower().startswith("0x") and "inf" not in text else text
    if "x" in digits.lower():
        return const(float.fromhex(digits), "float64")
    return const(float(digits), "float32" if text[-1:] in "fF" and "inf" not in text else "float64")


def _affine(value: isl.PwAff, domain: isl.Set) -> list[Case]:
    result: list[Case] = []
    for piece, aff in value.intersect_domain(domain).coalesce().get_pieces():
        result.append((piece, const(int(aff.get_constant_val().to_python()), "int64") if aff.is_cst() else Index(aff)))
    return result


def _truth(value: Expr) -> Expr:
    return value if value.dtype == "bool" else cast(value, "bool")


def _common(a: Expr, b: Expr) -> str:
    """The type in which C computes with two values."""
    for dtype in ("float64", "float32"):
        if dtype in (a.dtype, b.dtype):
            return dtype
    return "int64"


def _cut_off(op: str, a: Expr, b: Expr) -> Expr:
    """a / b, or a % b, of integers: the quotient is rounded towards zero, the remainder has the sign of a."""
    zero, one = const(0, "int64"), const(1, "int64")
    down = apply("floordiv", a, b)
    exact = apply("eq", apply("mul", down, b), a)
    negative = apply("ne", cast(apply("lt", a, zero), "int64"), cast(apply("lt", b, zero), "int64"))
    quotient = apply("add", down, select(apply("and", apply("not", exact), negative), one, zero))
    return quotient if op == "div" else apply("sub", a, apply("mul", quotient, b))


def _rounded_twice(text: str) -> float:
    """A number of 64 bits, as x86 has long doubles, made a double: DBL_MAX of <float.h> is written so."""
    exact = Fraction(text)
    step = Fraction(2) ** (exact.numerator.bit_length() - exact.denominator.bit_length() - 64)
    step *= 2 if exact >= step * 2**64 else 1
    return float(round(exact / step) * step)
