"""C as kernels are written in it, as a tree.

    Expr      ::= Name | Number | Unary(op, Expr) | Binary(op, Expr, Expr) | Ternary(Expr, Expr, Expr)
                | Call(name, Exprs) | Element(Expr, Expr) | Cast(type, Expr) | Member(Expr, name) | SizeOf(type)
                | Braces(Exprs) | Text(tokens) | Known(value)
    Statement ::= Declare(type, name, dims, Expr?) | Assign(op, Expr, Expr) | Do(Expr) | Return(Expr)
                | Macro(name, Exprs) | If(Expr, Statements, Statements) | Compound(Statements)
                | For(iterator, Expr, Expr, Expr, Statements)
    Unit      ::= directives, Declarations, Functions, Macros

Types are the words that they are written in. `Known` stands in trees that are put together from a plan: a value of
which the meaning is known already. `line` of a statement is where it begins; trees of plans have 0 there.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field

__all__ = [
    "Assign",
    "Binary",
    "Braces",
    "Call",
    "Cast",
    "Compound",
    "Declare",
    "Do",
    "Element",
    "Expr",
    "For",
    "Function",
    "If",
    "Known",
    "Macro",
    "Member",
    "Name",
    "Number",
    "Return",
    "SizeOf",
    "Statement",
    "Ternary",
    "Text",
    "Type",
    "Unary",
    "Unit",
]

Type = str
"""The words of a type with spaces between them: const double *"""


@dataclass(frozen=True, slots=True)
class Name:
    """A variable, a size, a constant of a header."""

    name: str


@dataclass(frozen=True, slots=True)
class Number:
    """A number as it is written."""

    text: str


@dataclass(frozen=True, slots=True)
class Unary:
    """-a, !a, &a, *a, ~a."""

    op: str
    operand: Expr


@dataclass(frozen=True, slots=True)
class Binary:
    """A op b."""

    op: str
    left: Expr
    right: Expr


@dataclass(frozen=True, slots=True)
class Ternary:
    """Condition ? a : b."""

    condition: Expr
    yes: Expr
    no: Expr


@dataclass(frozen=True, slots=True)
class Call:
    """f(a, b)."""

    function: str
    arguments: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Element:
    """a[i]."""

    base: Expr
    index: Expr


@dataclass(frozen=True, slots=True)
class Cast:
    """(type)a."""

    type: Type
    operand: Expr


@dataclass(frozen=True, slots=True)
class Member:
    """a->name."""

    base: Expr
    name: str


@dataclass(frozen=True, slots=True)
class SizeOf:
    """sizeof(type)."""

    type: Type


@dataclass(frozen=True, slots=True)
class Braces:
    """{a, b}: the values of a struct or of an array."""

    items: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Text:
    """Words that are no expression: a type as an argument of a macro, the clauses of a pragma."""

    words: str


@dataclass(frozen=True, slots=True)
class Known:
    """An expression without text: a value and its C type."""

    value: Hashable
    type: Type


Expr = Name | Number | Unary | Binary | Ternary | Call | Element | Cast | Member | SizeOf | Braces | Text | Known


@dataclass(frozen=True, slots=True)
class Declare:
    """Type name[dims] = value."""

    type: Type
    name: str
    dims: tuple[Expr, ...]
    value: Expr | None
    line: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Assign:
    """Target = value, or with another operator."""

    op: str
    target: Expr
    value: Expr
    line: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Do:
    """An expression as a statement."""

    value: Expr
    line: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Return:
    """Return a value."""

    value: Expr
    line: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Macro:
    """A macro that stands alone: a pragma, a barrier."""

    name: str
    arguments: tuple[Expr, ...]
    line: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class If:
    """If (condition) then else otherwise."""

    condition: Expr
    then: tuple[Statement, ...]
    otherwise: tuple[Statement, ...]
    line: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class For:
    """for (int64_t iterator = first; condition; iterator += step) body."""

    iterator: str
    first: Expr
    condition: Expr
    step: Expr
    body: tuple[Statement, ...]
    line: int = field(default=0, compare=False)
    type: str = "int64_t"


@dataclass(frozen=True, slots=True)
class Compound:
    """Statements in braces."""

    body: tuple[Statement, ...]
    line: int = field(default=0, compare=False)


Statement = Declare | Assign | Do | Return | Macro | If | For | Compound


@dataclass(frozen=True, slots=True)
class Function:
    """A definition, or with no body a declaration."""

    type: Type
    name: str
    parameters: tuple[tuple[Type, str], ...]
    body: tuple[Statement, ...] | None
    line: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Unit:
    """A file.

    Attributes:
        directives: the lines of the preprocessor.
        structs: name of a type -> the words of its members.
        functions: in order.
        macros: those that stand outside of functions.
    """

    directives: tuple[tuple[str, int], ...]
    structs: tuple[tuple[str, str], ...]
    functions: tuple[Function, ...]
    macros: tuple[Macro, ...]
