"""Small parts of C made and recognised: assignments, conditions, blocks."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator, Sequence
from functools import reduce

from pycparser import c_ast, c_generator

from polyad.pet.c_text.parse import walk

__all__ = [
    "STEPS",
    "assign",
    "block",
    "constant",
    "counted_loop",
    "factors",
    "has_effects",
    "inverse",
    "is_break",
    "map_children",
    "own_jumps",
    "product_of",
    "spelled",
    "statements",
]

STEPS = {"p++": 1, "++": 1, "p--": -1, "--": -1}
"""What `x++` and the like add, by pycparser's names of them."""


def constant(value: int) -> c_ast.Node:
    """A number, in parentheses where it is negative once it is printed."""
    return c_ast.Constant("int", str(value)) if value >= 0 else c_ast.UnaryOp("-", c_ast.Constant("int", str(-value)))


def assign(target: c_ast.Node, op: str, value: c_ast.Node, where: c_ast.Node) -> c_ast.Assignment:
    """`target op value`, on the line of another node."""
    return c_ast.Assignment(op, copy.deepcopy(target), value, where.coord)


def block(items: list[c_ast.Node], where: c_ast.Node) -> c_ast.Compound:
    """Statements in braces, on the line of another node."""
    return c_ast.Compound(items, where.coord)


def statements(node: c_ast.Node | None) -> list[c_ast.Node]:
    """The statements of a body, with braces or without."""
    if node is None or isinstance(node, c_ast.EmptyStatement):
        return []
    return list(node.block_items or []) if isinstance(node, c_ast.Compound) else [node]


def factors(node: c_ast.Node) -> list[c_ast.Node]:
    """The factors of a product, from left to right."""
    if isinstance(node, c_ast.BinaryOp) and node.op == "*":
        return [*factors(node.left), *factors(node.right)]
    return [node]


def product_of(parts: Sequence[c_ast.Node], where: c_ast.Node | None = None) -> c_ast.Node:
    """The product of factors, from left to right, on the line of another node; 1 where there are none."""
    coord = None if where is None else where.coord
    return reduce(lambda left, right: c_ast.BinaryOp("*", left, right, coord), parts or [constant(1)])


def spelled(node: c_ast.Node) -> str:
    """An expression as C text: two of the same text are the same."""
    return str(c_generator.CGenerator().visit(node))


def counted_loop(index: str, count: c_ast.Node, body: c_ast.Node, *, downwards: bool = False) -> c_ast.For:
    """`for (long k = 0; k < count; k++)`, or from count - 1 on down."""
    last = c_ast.BinaryOp("-", count, constant(1))
    kind = c_ast.TypeDecl(index, [], None, c_ast.IdentifierType(["long"]))
    first = c_ast.Decl(index, [], [], [], [], kind, last if downwards else constant(0), None)
    bound = c_ast.BinaryOp(">=" if downwards else "<", c_ast.ID(index), constant(0) if downwards else count)
    step = c_ast.UnaryOp("p--" if downwards else "p++", c_ast.ID(index))
    return c_ast.For(c_ast.DeclList([first]), bound, step, body)


def has_effects(node: c_ast.Node | None) -> bool:
    """Whether an expression assigns to anything."""
    return node is not None and any(
        isinstance(n, c_ast.Assignment) or (isinstance(n, c_ast.UnaryOp) and n.op in STEPS) for n, _ in walk(node)
    )


def inverse(condition: c_ast.Node) -> c_ast.Node:
    """Return the opposite of a condition; `!(a < b)` stays as it is, since it holds for NaN, too."""
    if isinstance(condition, c_ast.UnaryOp) and condition.op == "!":
        return condition.expr
    return c_ast.UnaryOp("!", condition, condition.coord)


def is_break(node: c_ast.Node) -> bool:
    """Whether a statement is `if (...) break;`."""
    if not isinstance(node, c_ast.If) or node.iffalse is not None:
        return False
    inside = statements(node.iftrue)
    return len(inside) == 1 and isinstance(inside[0], c_ast.Break)


def own_jumps(body: list[c_ast.Node], kind: type) -> Iterator[c_ast.Node]:
    """The `break` or `continue` of a loop, not those of loops and switches in it."""
    inner: tuple[type, ...] = (c_ast.For, c_ast.While, c_ast.DoWhile)
    if kind is c_ast.Break:
        inner = (*inner, c_ast.Switch)
    for node in body:
        if isinstance(node, kind):
            yield node
        elif not isinstance(node, inner):
            yield from own_jumps(list(node), kind)


def map_children(node: c_ast.Node, change: Callable[[c_ast.Node], c_ast.Node]) -> c_ast.Node:
    """A copy of a node with others in place of those directly below it."""
    result = copy.copy(node)
    for name, child in node.children():
        if "[" in name:
            field, _, index = name[:-1].partition("[")
            if getattr(result, field) is getattr(node, field):
                setattr(result, field, list(getattr(node, field)))
            getattr(result, field)[int(index)] = change(child)
        else:
            setattr(result, name, change(child))
    return result
