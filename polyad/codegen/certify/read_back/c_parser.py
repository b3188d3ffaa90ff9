"""Reads the C of kernels: tokens by longest match, operators by the precedence that the C standard gives them.

It takes the part of C that kernels are written in and refuses all else. A library's parser of all of C takes 45
microseconds for a character, twenty times as long as to certify the loops; the tests compare this one with it.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from polyad.codegen.certify.read_back.c_tokens import NotReadError, tokens
from polyad.codegen.certify.read_back.c_tree import (
    Assign,
    Binary,
    Braces,
    Call,
    Cast,
    Compound,
    Declare,
    Do,
    Element,
    Expr,
    For,
    Function,
    If,
    Macro,
    Member,
    Name,
    Number,
    Return,
    SizeOf,
    Statement,
    Ternary,
    Text,
    Type,
    Unary,
    Unit,
)
from polyad.codegen.names import NARROW, WIDE

__all__ = ["parse_expression", "parse_statements", "parse_unit"]


_LEVELS = {
    "*": 10, "/": 10, "%": 10,
    "+": 9, "-": 9,
    "<<": 8, ">>": 8,
    "<": 7, "<=": 7, ">": 7, ">=": 7,
    "==": 6, "!=": 6,
    "&": 5, "^": 4, "|": 3, "&&": 2, "||": 1,
}  # fmt: skip
"""How tightly operators between two operands bind; all of them from left to right."""

_ASSIGNED = frozenset(["=", "+=", "-=", "*=", "/=", "%="])
_UNARY = frozenset("-!&*~")
_QUALIFIERS = frozenset(
    ["const", "PA_RESTRICT", "PA_INLINE", "PA_NOINLINE", "PA_KERNEL", "PA_PRODUCTS_KERNEL", "unsigned"]
)
_TYPES = _QUALIFIERS | {
    *("int", "int8_t", "int16_t", "int32_t", "int64_t", "uint8_t", "uint16_t", "uint32_t", "float", "double", "char"),
    *("void", "size_t", "pa_room", "pa_contraction", NARROW),
}
_MACRO = re.compile(r"PA_(?!ASSUME$|UNUSED$)[A-Z_]+$")
"""Macros that are statements without a semicolon."""
_WORDS = frozenset(
    ["PA_PRAGMA", "PA_PRAGMA_SIMD", "PA_SIMD_REDUCTION", "PA_SIMD_WIDE_REDUCTION", "PA_ONCE", "PA_TILES"]
)
"""Macros whose arguments are no expressions."""


class _Parser:
    def __init__(self, text: str) -> None:
        self.tokens, self.directives = tokens(text)
        self.types = set(_TYPES)
        self.at = 0

    # Tokens

    @property
    def next(self) -> str:
        return self.tokens[self.at].text

    @property
    def line(self) -> int:
        return self.tokens[self.at].line

    def take(self) -> str:
        self.at += 1
        return self.tokens[self.at - 1].text

    def expect(self, token: str) -> None:
        if self.next != token:
            raise NotReadError(f"{token!r} is missing before {self.next!r}", self.line)
        self.at += 1

    def accept(self, token: str) -> bool:
        found = self.next == token
        self.at += found
        return found

    def identifier(self) -> str:
        if self.tokens[self.at].kind != "name":
            raise NotReadError(f"{self.next!r} stands where a name is needed", self.line)
        return self.take()

    # Types

    def type(self) -> Type:
        """The words of a type; a pointer's star is one."""
        words: list[str] = []
        while self.next in self.types or (words and self.next == "*"):
            words.append(self.take())
        if not words:
            raise NotReadError(f"{self.next!r} stands where a type is needed", self.line)
        return " ".join(words)

    # Expressions

    def expression(self) -> Expr:
        condition = self.binary(1)
        if not self.accept("?"):
            return condition
        yes = self.expression()
        self.expect(":")
        return Ternary(condition, yes, self.expression())

    def binary(self, least: int) -> Expr:
        left = self.unary()
        while (level := _LEVELS.get(self.next, 0)) >= least:
            op = self.take()
            left = Binary(op, left, self.binary(level + 1))
        return left

    def unary(self) -> Expr:
        token = self.next
        if token in _UNARY:
            self.at += 1
            return Unary(token, self.unary())
        if token == "(" and self.tokens[self.at + 1].text in self.types:
            self.at += 1
            kind = self.type()
            self.expect(")")
            return Cast(kind, self.unary())
        return self.postfix()

    def postfix(self) -> Expr:
        found = self.primary()
        while True:
            if self.accept("["):
                found = Element(found, self.expression())
                self.expect("]")
            elif self.accept("->"):
                found = Member(found, self.identifier())
            elif self.next == "(" and isinstance(found, Name):
                self.at += 1
                found = Call(found.name, self.listed(")", self.argument))
            else:
                return found

    def argument(self) -> Expr:
        """An argument of a call, a type among them."""
        return Text(self.type()) if self.next in self.types else self.expression()

    def primary(self) -> Expr:
        kind = self.tokens[self.at].kind
        if kind == "number":
            return Number(self.take())
        if self.next == "sizeof":
            self.at += 1
            self.expect("(")
            found = SizeOf(self.type())
            self.expect(")")
            return found
        if kind == "name":
            return Name(self.take())
        if self.accept("("):
            inner = self.expression()
            self.expect(")")
            return inner
        if self.next == "{":
            return self.braces()
        raise NotReadError(f"{self.next!r} begins no expression", self.line)

    def braces(self) -> Expr:
        self.expect("{")
        return Braces(self.listed("}", self.expression))

    def listed(self, end: str, one: Callable[[], Expr]) -> tuple[Expr, ...]:
        """Read items between commas, up to the bracket that ends them; a comma before that is none."""
        found: list[Expr] = []
        while not self.accept(end):
            found.append(one())
            if not self.accept(","):
                self.expect(end)
                break
        return tuple(found)

    # Statements

    def statements(self, end: str) -> tuple[Statement, ...]:
        found: list[Statement] = []
        while not self.accept(end):
            found += self.statement()
        return tuple(found)

    def body(self) -> tuple[Statement, ...]:
        """One statement, or several in braces."""
        return self.statements("}") if self.accept("{") else tuple(self.statement())

    def statement(self) -> list[Statement]:
        token, line = self.next, self.line
        match token:
            case "{":
                self.at += 1
                return [Compound(self.statements("}"), line)]
            case "if":
                return [self.condition()]
            case "for":
                return [self.loop()]
            case "return":
                self.at += 1
                value = self.expression()
                self.expect(";")
                return [Return(value, line)]
        if token in self.types:
            return self.declarations()
        if _MACRO.match(token):
            return [self.macro()]
        target = self.expression()
        if self.next in _ASSIGNED:
            found: Statement = Assign(self.take(), target, self.expression(), line)
        else:
            found = Do(target, line)
        self.expect(";")
        return [found]

    def condition(self) -> If:
        line = self.line
        self.expect("if")
        self.expect("(")
        condition = self.expression()
        self.expect(")")
        then = self.body()
        otherwise: tuple[Statement, ...] = ()
        if self.accept("else"):
            otherwise = self.body()
        return If(condition, then, otherwise, line)

    def loop(self) -> For:
        line = self.line
        self.expect("for")
        self.expect("(")
        kind = NARROW if self.accept(NARROW) else WIDE
        if kind == WIDE:
            self.expect(WIDE)
        iterator = self.identifier()
        self.expect("=")
        first = self.expression()
        self.expect(";")
        condition = self.expression()
        self.expect(";")
        if self.identifier() != iterator or self.next not in ("+=", "-="):
            raise NotReadError(f"the loop over {iterator} counts something else", self.line)
        down = self.take() == "-="
        step = self.expression()
        self.expect(")")
        return For(iterator, first, condition, Unary("-", step) if down else step, self.body(), line, kind)

    def declarations(self) -> list[Statement]:
        line, kind = self.line, self.type()
        found: list[Statement] = []
        while True:
            name = self.identifier()
            dims = []
            while self.accept("["):
                dims.append(self.expression())
                self.expect("]")
            value = self.expression() if self.accept("=") else None
            found.append(Declare(kind, name, tuple(dims), value, line))
            if not self.accept(","):
                self.expect(";")
                return found

    def macro(self) -> Macro:
        line, name = self.line, self.identifier()
        if not self.accept("("):
            return Macro(name, (), line)
        if name not in _WORDS:
            return Macro(name, self.listed(")", self.argument), line)
        words: list[str] = []
        depth = 1
        while True:
            token = self.take()
            depth += (token == "(") - (token == ")")
            if not depth:
                return Macro(name, (Text(" ".join(words)),), line)
            if not token:
                raise NotReadError(f"the arguments of {name} do not end", line)
            words.append(token)

    # Files

    def unit(self) -> Unit:
        structs: list[tuple[str, str]] = []
        functions: list[Function] = []
        macros: list[Macro] = []
        while self.next:
            if self.next == "typedef":
                name, members = self.struct()
                self.types.add(name)
                structs.append((name, members))
            elif self.next not in self.types and _MACRO.match(self.next):
                macros.append(self.macro())
            else:
                functions.append(self.function())
        return Unit(tuple(self.directives), tuple(structs), tuple(functions), tuple(macros))

    def struct(self) -> tuple[str, str]:
        self.expect("typedef")
        self.expect("struct")
        self.expect("{")
        words: list[str] = []
        while not self.accept("}"):
            words.append(self.take())
        name = self.identifier()
        self.expect(";")
        return name, " ".join(words)

    def function(self) -> Function:
        line, kind, name = self.line, self.type(), self.identifier()
        self.expect("(")
        parameters: list[tuple[Type, str]] = []
        while not self.accept(")"):
            parameters.append((self.type(), self.identifier()))
            if not self.accept(","):
                self.expect(")")
                break
        if self.accept(";"):
            return Function(kind, name, tuple(parameters), None, line)
        self.expect("{")
        return Function(kind, name, tuple(parameters), self.statements("}"), line)


def parse_unit(text: str) -> Unit:
    """Read a file.

    Raises:
        NotReadError: it is not the C of a kernel.
    """
    return _Parser(text).unit()


def parse_statements(text: str, types: tuple[str, ...] = ()) -> tuple[Statement, ...]:
    """Read statements; `types` are names of types beside those of C and of the runtime header."""
    parser = _Parser(text)
    parser.types.update(types)
    return parser.statements("")


def parse_expression(text: str) -> Expr:
    """Read an expression.

    Raises:
        NotReadError: it is none.
    """
    parser = _Parser(text)
    found = parser.expression()
    parser.expect("")
    return found
