"""C expressions as values: they are put together with the parentheses that they need, and know the names in them.

    Code ::= word(text) | infix(op, Codes) | call(function, Codes) | cast(type, Code) | subscript(array, Code)
           | conditional(Code, Code, Code) | prefix(op, Code) | member(struct, name) | code(template, Codes)
           | assign(target, Code) | declare(type, name, Code) | loop_line(...) | if_line(Code)

Whatever joins operators and operands is here, and nowhere else: a template of `code` has words, brackets and commas
around its parts, so that no text of a part can become a token together with text in front of it (`-` in front of `-x`
is another operator of C).

The `level` of an expression says how tightly its outermost operator binds. What is LOOSE stands in parentheses next to
any operator: few people know by heart how tightly C binds it, and compilers warn. So does what begins with a sign, but
in front: -a * b + c, a * (-b).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache
from string import Formatter

__all__ = [
    "ATOM",
    "COMPARISON",
    "LOOSE",
    "PRODUCT",
    "SUM",
    "Code",
    "address",
    "assign",
    "call",
    "cast",
    "code",
    "conditional",
    "declare",
    "if_line",
    "infix",
    "integer_sum",
    "listed",
    "loop_line",
    "member",
    "negative",
    "prefix",
    "subscript",
    "word",
]

LOOSE, COMPARISON, SUM, PRODUCT, ATOM = range(5)

_BITWISE = ("&", "|", "^")
_LEVELS = {
    **dict.fromkeys(("&&", "||", *_BITWISE), LOOSE),
    **dict.fromkeys(("+", "-"), SUM),
    **dict.fromkeys(("*", "/", "%", "//"), PRODUCT),
}


@dataclass(frozen=True, slots=True)
class Code:
    """A piece of C.

    Attributes:
        pieces: its text; between two of them stands a space, where a line may break.
        level: how tightly its outermost operator binds.
        names: the sizes and iterators in it, as C names them.
        signed: it begins with a sign.
        divided: it is a product that begins with a quotient or a remainder: -(a / 3), as -a / 3 divides -a.
    """

    pieces: tuple[str, ...]
    level: int = ATOM
    names: frozenset[str] = frozenset()
    signed: bool = False
    divided: bool = False

    @property
    def text(self) -> str:
        """All of it in one line."""
        return " ".join(self.pieces)

    def within(self, level: int) -> Code:
        """In parentheses where it binds less tightly than that."""
        return self if self.level >= level else code("({})", self)


def word(text: str, *names: str) -> Code:
    """Text that no operator takes apart."""
    return Code((text,), names=frozenset(names))


def code(template: str, *parts: Code | str | int, level: int = ATOM, **named: Code | str) -> Code:
    """A template with its parts in place, as they are; lines may break after the commas of the template."""
    pieces, names, following = [""], frozenset[str](), iter(parts)
    for whole, last, field in _parsed(template):
        for start in whole:
            pieces[-1] += f"{start},"
            pieces.append("")
        pieces[-1] += last
        if field is None:
            continue
        part = named[field] if field in named else parts[int(field)] if field else next(following)
        if isinstance(part, Code):
            pieces[-1] += part.pieces[0]
            pieces += part.pieces[1:]
            names |= part.names
        else:
            pieces[-1] += str(part)
    return Code(tuple(pieces), level, names)


@cache  # there are as many templates as the printer has in its text
def _parsed(template: str) -> tuple[tuple[tuple[str, ...], str, str | None], ...]:
    """The text before each field, cut behind its commas, and the field."""
    found = ((text.split(", "), field) for text, field, _, _ in Formatter().parse(template))
    return tuple((tuple(whole), last, field) for (*whole, last), field in found)


def listed(*parts: Code | str) -> Code:
    """a, b, c."""
    return code(", ".join(["{}"] * len(parts)), *parts)


def call(function: str, *arguments: Code | str) -> Code:
    """f(a, b)."""
    return code("{}({})", function, listed(*arguments))


def cast(ctype: str, value: Code) -> Code:
    """(type)a."""
    return code("({}){}", ctype, value.within(ATOM))


def prefix(op: str, value: Code, level: int = PRODUCT, within: int = ATOM) -> Code:
    """-a, !a, &a; what binds less tightly than `within`, or begins with a sign or a quotient, stands in parentheses."""
    operand = value.within(ATOM if value.signed or value.divided else within)
    return replace(code("{}{}", op, operand, level=level), signed=op == "-")


def negative(value: Code) -> Code:
    """-a."""
    return prefix("-", value)


def address(element: Code) -> Code:
    """&x[i]."""
    return prefix("&", element)


def subscript(array: str, index: Code | str) -> Code:
    """x[i]; no line breaks inside of it."""
    index = word(index) if isinstance(index, str) else index
    return Code((f"{array}[{index.text}]",), names=index.names)


def member(struct: str, name: str) -> Code:
    """struct->name."""
    return word(f"{struct}->{name}")


def infix(op: str, first: Code, *others: Code) -> Code:
    """A op b op c, from left to right."""
    level = _LEVELS.get(op, COMPARISON)
    if level == COMPARISON:
        return code("{} {} {}", first.within(SUM), op, *(other.within(SUM) for other in others), level=level)
    inner = ATOM if op in _BITWISE else level + 1
    operands = [(op, other.within(ATOM if other.signed else inner)) for other in others]
    return _sequence(level, first.within(level if level >= SUM else inner), *operands) if others else first


def integer_sum(first: Code, second: Code) -> Code:
    """A + b of integers, for which a + (b - c) may be written a + b - c."""
    return _sequence(SUM, first.within(SUM), ("+", second.within(ATOM if second.signed else SUM)))


def conditional(condition: Code, a: Code, b: Code) -> Code:
    """Condition ? a : b."""
    return _sequence(LOOSE, condition.within(COMPARISON), ("?", a.within(SUM)), (":", b.within(SUM)))


def assign(target: Code | str, value: Code | str) -> Code:
    """a = b;."""
    return code("{} = {};", target, value)


def declare(ctype: str, *variables: tuple[Code | str, Code | str]) -> Code:
    """Declare variables of one type with their values: const int64_t a = b, c = d;."""
    return code("{} {};", ctype, listed(*(code("{} = {}", name, value) for name, value in variables)))


def loop_line(
    iterator: str,
    first: Code | str,
    op: str,
    last: Code | str,
    step: Code | str,
    up: bool = True,
    ctype: str = "int64_t",
) -> Code:
    """The first line of a loop: for (int64_t t = 0; t < T; t += 1) {."""
    head = "for ({6} {0} = {1}; {0} {2} {3}; {0} {4} {5}) {{"
    return code(head, iterator, first, op, last, "+=" if up else "-=", step, ctype)


def if_line(condition: Code, otherwise: bool = False) -> Code:
    """The first line of a block under a condition: if (a) {, or } else if (a) {."""
    return code("}} else if ({}) {{" if otherwise else "if ({}) {{", condition)


def _sequence(level: int, first: Code, *others: tuple[str, Code]) -> Code:
    """Operands with operators between them; lines may break before these."""
    pieces, names = [*first.pieces], first.names
    for op, other in others:
        pieces += [f"{op} {other.pieces[0]}", *other.pieces[1:]]
        names |= other.names
    divided = level == PRODUCT and (first.divided or others[0][0] != "*")
    return Code(tuple(pieces), level, names, first.signed, divided)
