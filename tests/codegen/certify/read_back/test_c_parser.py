"""The parser of kernels against a parser of all of C, on random expressions and on kernels."""

from pathlib import Path
from random import Random

import pytest
from pycparser import c_ast
from pycparser.c_parser import CParser

from polyad.codegen.certify.read_back.c_parser import parse_expression, parse_statements, parse_unit
from polyad.codegen.certify.read_back.c_tokens import NotReadError, tokens
from polyad.codegen.certify.read_back.c_tree import (
    Assign,
    Binary,
    Call,
    Cast,
    Declare,
    Element,
    Expr,
    For,
    If,
    Macro,
    Member,
    Name,
    Number,
    SizeOf,
    Ternary,
    Text,
    Unary,
)

GOLDEN = sorted((Path(__file__).parents[2] / "golden").glob("*.c"))


def translated(node: c_ast.Node) -> Expr:
    """An expression of the library's parser as one of ours."""
    match node:
        case c_ast.ID():
            return Name(node.name)
        case c_ast.Constant():
            return Number(node.value)
        case c_ast.UnaryOp(op="sizeof"):
            return SizeOf(" ".join(node.expr.type.type.names))
        case c_ast.UnaryOp():
            return Unary(node.op, translated(node.expr))
        case c_ast.BinaryOp():
            return Binary(node.op, translated(node.left), translated(node.right))
        case c_ast.TernaryOp():
            return Ternary(translated(node.cond), translated(node.iftrue), translated(node.iffalse))
        case c_ast.FuncCall():
            return Call(node.name.name, tuple(map(translated, node.args.exprs if node.args else ())))
        case c_ast.ArrayRef():
            return Element(translated(node.name), translated(node.subscript))
        case c_ast.StructRef():
            return Member(translated(node.name), node.field.name)
        case c_ast.Typename():
            return Text(" ".join(node.type.type.names))
        case c_ast.Cast():
            return Cast(" ".join(node.to_type.type.type.names), translated(node.expr))
        case _:
            raise AssertionError(type(node))


def library(text: str) -> Expr:
    """Return the expression that the library's parser reads."""
    unit = CParser().parse(f"typedef long int64_t; void f(void) {{ x = {text}; }}", "")
    return translated(unit.ext[-1].body.block_items[0].rvalue)


BINARY = ["+", "-", "*", "/", "%", "<", "<=", ">", ">=", "==", "!=", "&&", "||"]


def expression(random: Random, depth: int) -> str:
    """Text of any shape, with brackets where they are needed and where they are not."""
    kind = random.randrange(9) if depth else 0
    inner = [expression(random, depth - 1) for _ in range(3)] if kind else []
    match kind:
        case 0:
            return random.choice(["a", "b", "i", "1", "0.5", "1e-3f", "h[i + 1]", "s->N", "f()"])
        case 1 | 2 | 3:
            return f"{inner[0]} {random.choice(BINARY)} {inner[1]}"
        case 4:
            return f"({inner[0]})"
        case 5:
            return f"{random.choice(['-', '!'])}({inner[0]})"
        case 6:
            return f"({inner[0]}) ? {inner[1]} : {inner[2]}" if random.random() < 0.5 else f"- {inner[0]}"
        case 7:
            return f"f({inner[0]}, {inner[1]})[{inner[2]}]" if random.random() < 0.3 else f"f({inner[0]})"
        case _:
            return f"({random.choice(['double', 'int64_t', 'float'])})({inner[0]})"


def test_expressions_are_read_as_by_a_parser_of_all_of_c() -> None:
    random, longest = Random(5), 0
    for _ in range(600):
        text = expression(random, 4)
        longest = max(longest, len(text))
        assert parse_expression(text) == library(text), text
    assert longest > 150


@pytest.mark.parametrize("file", GOLDEN, ids=lambda f: f.name)
def test_kernels_are_read_as_by_a_parser_of_all_of_c(file: Path) -> None:
    unit = parse_unit(file.read_text())
    compared = 0

    def look(statements: object) -> None:
        nonlocal compared
        for statement in statements:  # type: ignore[attr-defined]
            match statement:
                case For() | If():
                    for body in (
                        (statement.body,) if isinstance(statement, For) else (statement.then, statement.otherwise)
                    ):
                        look(body)
                case Assign(_, _, value, line):
                    lines = file.read_text().splitlines()[line - 1 :]
                    text = " ".join(lines).split(";")[0].split("=", 1)
                    if text[0].strip()[-1] in "+*":
                        continue
                    assert value == library(text[1].strip()), text
                    compared += 1

    for function in unit.functions:
        look(function.body or ())
    assert compared


def test_signs_become_tokens_as_in_c() -> None:
    assert parse_expression("- -x") == Unary("-", Unary("-", Name("x")))
    assert [t.text for t in tokens("a = --x").tokens] == ["a", "=", "--", "x", ""]
    with pytest.raises(NotReadError, match="'--' begins no expression"):
        parse_expression("--x")
    with pytest.raises(NotReadError, match="'--' begins no expression") as info:
        parse_statements("a = b;\n\na = --x;")
    assert info.value.line == 3


def test_macros_stand_alone() -> None:
    pragma, loop = parse_statements("PA_SIMD_REDUCTION(+, s)\nfor (int64_t i = 0; i < N; i += 1) s += x[i];")
    assert pragma == Macro("PA_SIMD_REDUCTION", (Text("+ , s"),))
    assert isinstance(loop, For) and loop.body == (Assign("+=", Name("s"), Element(Name("x"), Name("i"))),)
    (declared,) = parse_statements("double *PA_RESTRICT h = PA_COPY(double, h_copies, 0, N);")
    assert isinstance(declared, Declare) and declared.type == "double * PA_RESTRICT"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a = b", "';' is missing"),
        ("for (int t = 0; t < T; t += 1) a = b;", "'int64_t' is missing"),
        ("for (int64_t t = 0; t < T; i += 1) a = b;", "counts something else"),
        ("for (int64_t t = 0; t < T; t *= 2) a = b;", "counts something else"),
        ("a = @b;", "'@' is no token"),
        ("a = (b;", "'\\)' is missing"),
        ("while (a) b = c;", "';' is missing"),
    ],
)
def test_what_is_no_kernel_is_refused(text: str, message: str) -> None:
    with pytest.raises(NotReadError, match=message):
        parse_statements(text)
