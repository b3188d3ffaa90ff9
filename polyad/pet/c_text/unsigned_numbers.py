"""Numbers of the text beside data of the other sign, which C converts and pet does not.

unsigned b[n];  b[i] == -1         C asks for 4294967295, pet for -1
int a[n];       a[i] > 0u          C takes a[i] for an unsigned number
                -0x80000000        2147483648 in C: the number is an unsigned one before it is negated
"""

from __future__ import annotations

from collections.abc import Iterator

from pycparser import c_ast

from polyad.pet.c_text.definitions import CText
from polyad.pet.c_text.parse import declared_type, walk
from polyad.pet.refusal import refusal

__all__ = ["check_numbers"]

_COMPARED = ("==", "!=", "<", "<=", ">", ">=")
_INT = 2**31


def check_numbers(text: CText, tree: c_ast.FuncDef, node: c_ast.Node, line: int) -> None:
    """Refuse an expression in which C converts a number or data to unsigned, and the value changes.

    Args:
        text: the C file.
        tree: the function, with the declarations of what stands in the expression.
        node: the expression.
        line: where it stands.

    Raises:
        ExtractionError: it is such an expression.
    """
    match node:
        case c_ast.UnaryOp(op="-", expr=c_ast.Constant(value=written) as number) if _is_unsigned(number):
            sentence = f"`-{written}` is no negative number in C, since `{written}` is unsigned; write the number meant"
            raise refusal(text.path, line, "unsigned", sentence)
        case c_ast.BinaryOp(op=op, left=left, right=right) if op in _COMPARED:
            pairs = ((left, right), (right, left))
        case c_ast.TernaryOp(iftrue=then, iffalse=other):
            pairs = ((then, other), (other, then))
        case _:
            return
    for number, data in pairs:
        found = {name: _sign(text, tree, name) for name in _elements(data)}
        if _is_negative(number) and (names := [n for n, sign in found.items() if sign == "unsigned"]):
            sentence = (
                f"`{names[0]}` is unsigned, and C takes the negative number beside it for a large one; write that"
            )
            raise refusal(text.path, line, "unsigned", sentence)
        if _is_unsigned(number) and (names := [n for n, sign in found.items() if sign == "signed"]):
            sentence = (
                f"`{names[0]}` is signed and stands beside the unsigned number `{number.value}`, for which C makes it "
                "unsigned, too; leave the `u` out"
            )
            raise refusal(text.path, line, "unsigned", sentence)


def _is_unsigned(node: c_ast.Node) -> bool:
    """Whether a number of the text is one of an unsigned type: 1u, 0x80000000."""
    if not isinstance(node, c_ast.Constant) or "int" not in node.type:
        return False
    digits = node.value.lower()
    if "u" in digits:
        return True
    based = digits.startswith("0")
    return based and "l" not in digits and _INT <= int(digits, 16 if digits.startswith("0x") else 8) < 2 * _INT


def _is_negative(node: c_ast.Node) -> bool:
    return isinstance(node, c_ast.UnaryOp) and node.op == "-" and isinstance(node.expr, c_ast.Constant)


def _elements(node: c_ast.Node) -> Iterator[str]:
    """The arrays whose elements an expression is computed from; none where a cast says its type."""
    match node:
        case c_ast.ArrayRef(name=inner):
            while isinstance(inner, c_ast.ArrayRef):
                inner = inner.name
            if isinstance(inner, c_ast.ID):
                yield inner.name
        case c_ast.UnaryOp(op="*", expr=c_ast.ID(name=name)):
            yield name
        case c_ast.BinaryOp(left=left, right=right):
            yield from _elements(left)
            yield from _elements(right)
        case c_ast.UnaryOp(expr=inner):
            yield from _elements(inner)
        case _:
            return


def _sign(text: CText, tree: c_ast.FuncDef, name: str) -> str:
    """Whether an array holds integers that are signed or unsigned; "" for others."""
    for declared, _ in walk(tree):
        if isinstance(declared, c_ast.Decl) and declared.name == name:
            return _sign_of(text, declared.type)
    return ""


def _sign_of(text: CText, kind: c_ast.Node | None) -> str:
    while kind is not None and not isinstance(kind, c_ast.IdentifierType):
        kind = getattr(kind, "type", None)
    if kind is None:
        return ""
    words = kind.names
    if any(w in ("float", "double", "_Bool") for w in words):
        return ""
    if "unsigned" in words or words[0] == "size_t" or words[0].startswith("uint"):
        return "unsigned"
    if {*words} <= {"signed", "char", "short", "int", "long"} or words[0] == "ptrdiff_t" or words[0].startswith("int"):
        return "signed"
    return _sign_of(text, declared_type(text, words[0]))
