"""Operators and operands are joined in one file, so that no text becomes a token with text in front of it."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from polyad.codegen.text.code import (
    LOOSE,
    PRODUCT,
    SUM,
    Code,
    address,
    code,
    infix,
    integer_sum,
    negative,
    prefix,
    word,
)
from polyad.ops import OPS, REDUCTION_OPS

TEXT = Path(__file__).parents[2] / "polyad" / "codegen" / "text"

OPERATOR = re.compile(r"[-+/%!&|<>=?:~^] ?\0|\0 ?(?:[-+/%&|<>=?^]|\* \0)")
"""A sign of C beside a place where text is put; a star beside a type is a pointer."""


def templates(source: str) -> Iterator[tuple[int, str]]:
    """Strings with places for other text, without docstrings, and what C does not read."""
    tree = ast.parse(source)
    documented = [n for n in ast.walk(tree) if isinstance(n, ast.Module | ast.ClassDef | ast.FunctionDef) and n.body]
    skipped = {id(n.body[0].value) for n in documented if isinstance(n.body[0], ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            skipped |= {id(v) for v in node.values}
            skipped |= {id(v) for part in node.values for v in ast.walk(part)}
            text = "".join(str(v.value) if isinstance(v, ast.Constant) else "\0" for v in node.values)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in skipped:
            text = re.sub(r"\{\w*\}", "\0", node.value.replace("{{", "").replace("}}", ""))
        else:
            continue
        text = re.sub(r"(?s)/\*.*?(\*/|$)|^ \*.*|#\w+ .*|reduction\(.*?\)", "", text)
        yield node.lineno, text


def joined(source: str) -> list[tuple[int, str]]:
    return [(line, text.replace("\0", "{}")) for line, text in templates(source) if OPERATOR.search(text)]


def test_operators_are_joined_with_operands_in_one_file() -> None:
    spelled = {p.name: found for p in sorted(TEXT.glob("*.py")) if (found := joined(p.read_text(encoding="utf-8")))}
    # What header_text.py has are comments, and the lines around declarations.
    assert spelled.keys() <= {"code.py", "header_text.py"}, spelled


def test_text_in_front_of_text_is_noticed() -> None:
    for line in ('code("-{}", x)', 'f"{a} + {b}"', 'f"&{x}"', 'code("{} = {};", a, b)', 'f"!{x}"', 'f"{p}->{q}"'):
        assert joined(line), line
    for line in ('f"{kind} *{name}"', 'code("{}({})", f, x)', '"/* {}: {} */"', 'f"{a}[{i}]"'):
        assert not joined(line), line


def test_spellings_of_operators_are_calls_or_one_operator() -> None:
    for op in OPS.values():
        assert re.fullmatch(r"\{0\} \S+ \{1\}|[-!~]\{0\}|\(\{t\}\)\{0\}|\{0\}|\w+\{f\}\([^()]*\)", op.c), op.name
    for name, found in REDUCTION_OPS.items():
        assert re.fullmatch(r"\{acc\} [+*]= \{x\}|\{acc\} = \w+\{f\}\(\{acc\}, \{x\}\)", found.c), name


def test_signs_are_kept_apart() -> None:
    x, y = word("x"), word("y")
    assert negative(negative(x)).text == "-(-x)"
    assert prefix("-", infix("*", negative(x), y), SUM, PRODUCT).text == "-(-x * y)"
    assert prefix("!", infix("&&", x, y), LOOSE).text == "!(x && y)"
    assert infix("-", x, negative(y)).text == "x - (-y)"
    assert infix("-", x, infix("-", x, y)).text == "x - (x - y)"
    assert integer_sum(x, infix("-", x, y)).text == "x + x - y"
    assert integer_sum(x, negative(y)).text == "x + (-y)"
    assert address(word("a")).text == "&a"
    assert code("{}", Code(("-x",), signed=True)).text == "-x"


def test_a_sign_is_not_a_part_of_a_dividend() -> None:
    a, b = word("a"), word("b")
    assert negative(infix("/", a, b)).text == "-(a / b)"
    for quotient in (
        infix("/", a, b),
        infix("%", a, b),
        infix("*", infix("/", a, b), b),
        infix("/", infix("*", a, b), b),
    ):
        assert prefix("-", quotient, SUM, PRODUCT).text == f"-({quotient.text})"
    assert prefix("-", infix("*", a, infix("/", a, b)), SUM, PRODUCT).text == "-a * (a / b)"
