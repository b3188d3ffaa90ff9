"""Bits of integers, as the arithmetic that they are.

    i >> 1    (i >= 0 ? i / 2 : -((-i - 1) / 2) - 1)      unsigned: i / 2
    i & 3     (i >= 0 ? i % 4 : 3 - (-i - 1) % 4)         unsigned: i % 4
    i << 2    i * 4                                       ~i    -i - 1
    a < b & c < d    a < b && c < d

Numbers are shifted by numbers, and masks are all ones; what else there is of bits is refused. A negative number is
shifted as compilers do it, towards minus infinity.
"""

from __future__ import annotations

import copy
from collections.abc import Mapping

from pycparser import c_ast

from polyad.pet.c_text.parse import walk
from polyad.pet.c_text.tables import number_of
from polyad.pet.c_tree.nodes import constant, has_effects, map_children
from polyad.pet.prototype import BITS

__all__ = ["count_of_bits", "without_bits"]

_ASSIGNED = {"&=": "&", "|=": "|", "^=": "^", "<<=": "<<", ">>=": ">>"}
_TRUTHS = ("<", ">", "<=", ">=", "==", "!=", "&&", "||")
_MOST = 30


def without_bits(node: c_ast.Node, types: Mapping[str, str]) -> c_ast.Node:
    """A tree with arithmetic in place of operations on bits; itself where there are none.

    Args:
        node: of a function.
        types: of its variables, and of the elements of its arrays: name -> type.
    """
    if not any(_is_of_bits(n) for n, _ in walk(node)):
        return node
    node = map_children(node, lambda child: without_bits(child, types))
    match node:
        case c_ast.Assignment(op=op, lvalue=target, rvalue=value) if op in _ASSIGNED and not has_effects(target):
            found = _arithmetic(_ASSIGNED[op], copy.deepcopy(target), value, types)
            return node if found is None else c_ast.Assignment("=", target, found, node.coord)
        case c_ast.BinaryOp(op="&" | "|" | "^" | "<<" | ">>" as op, left=left, right=right):
            return _arithmetic(op, left, right, types) or node
        case c_ast.UnaryOp(op="~", expr=inner) if _sign(inner, types) < 0:
            return c_ast.BinaryOp("-", c_ast.UnaryOp("-", inner), constant(1), node.coord)
        case _:
            return node


def count_of_bits(node: c_ast.Node) -> int:
    """The number of operations on bits in a tree."""
    return sum(_is_of_bits(n) for n, _ in walk(node))


def _is_of_bits(node: c_ast.Node) -> bool:
    match node:
        case c_ast.BinaryOp(op="&" | "|" | "^" | "<<" | ">>") | c_ast.UnaryOp(op="~"):
            return True
        case c_ast.Assignment(op=op):
            return op in _ASSIGNED
        case _:
            return False


def _arithmetic(op: str, left: c_ast.Node, right: c_ast.Node, types: Mapping[str, str]) -> c_ast.Node | None:
    """An operation on bits as one on numbers; None where there is none."""
    if has_effects(left) or has_effects(right):
        return None
    if op in ("&", "|") and _is_truth(left) and _is_truth(right):
        return c_ast.BinaryOp("&&" if op == "&" else "||", left, right, left.coord)
    a, b = number_of(left), number_of(right)
    if isinstance(a, int) and isinstance(b, int) and a >= 0 and 0 <= b <= (_MOST if op in ("<<", ">>") else 2**_MOST):
        value = {"&": a & b, "|": a | b, "^": a ^ b, "<<": 0, ">>": 0}[op]
        value = a << b if op == "<<" else a >> b if op == ">>" else value
        return constant(value) if value < 2**31 else None
    if op == "&" and isinstance(a, int):
        left, right, b = right, left, a
    if not isinstance(b, int) or b < 0:
        return None
    sign = _sign(left, types)
    if op == "&" and sign and b < 2**_MOST and (b & (b + 1)) == 0:
        return _by(left, sign, "%", b + 1)
    if op == ">>" and sign and b <= _MOST:
        return _by(left, sign, "/", 1 << b) if b else left
    if op == "<<" and sign and b <= _MOST:
        return c_ast.BinaryOp("*", left, constant(1 << b), left.coord)
    return None


def _by(value: c_ast.Node, sign: int, op: str, by: int) -> c_ast.Node:
    """The quotient or the remainder by a number, of a division that rounds down."""
    plain = c_ast.BinaryOp(op, value, constant(by), value.coord)
    if sign > 0:
        return plain
    below = c_ast.BinaryOp("-", c_ast.UnaryOp("-", copy.deepcopy(value)), constant(1))
    there = c_ast.BinaryOp(op, below, constant(by))
    other = c_ast.BinaryOp("-", constant(by - 1), there)
    if op == "/":
        other = c_ast.BinaryOp("-", c_ast.UnaryOp("-", there), constant(1))
    return c_ast.TernaryOp(c_ast.BinaryOp(">=", copy.deepcopy(value), constant(0)), plain, other, value.coord)


def _is_truth(node: c_ast.Node) -> bool:
    """Whether an expression is 0 or 1."""
    return (isinstance(node, c_ast.BinaryOp) and node.op in _TRUTHS) or (
        isinstance(node, c_ast.UnaryOp) and node.op == "!"
    )


def _sign(node: c_ast.Node, types: Mapping[str, str]) -> int:
    """1 for an integer that is never negative, -1 for one that may be, 0 for what is not known."""
    match node:
        case c_ast.Constant():
            return 1 if isinstance(number_of(node), int) else 0
        case c_ast.ID(name=name):
            bits = BITS.get(types.get(name, ""), 0)
            return (bits > 0) - (bits < 0)
        case c_ast.ArrayRef():
            while isinstance(node, c_ast.ArrayRef):
                node = node.name
            return _sign(node, types) if isinstance(node, c_ast.ID) else 0
        case c_ast.BinaryOp(op="+" | "-" | "*" | "/" | "%" as op, left=left, right=right):
            a, b = _sign(left, types), _sign(right, types)
            if 0 in (a, b):
                return 0
            wide = any(BITS.get(types.get(n.name, ""), 0) >= 32 for n, _ in walk(node) if isinstance(n, c_ast.ID))
            if wide:  # unsigned, and it wraps; beside what is signed, nobody says
                return 0 if -1 in (a, b) else 1
            return 1 if a == b == 1 and op != "-" else -1
        case c_ast.UnaryOp(op="-", expr=inner) if _sign(inner, types) < 0:
            return -1
        case c_ast.TernaryOp(iftrue=then, iffalse=other):
            a, b = _sign(then, types), _sign(other, types)
            return a if a == b else -1 if 0 not in (a, b) else 0
        case _:
            return 0
