"""Arguments that may be NULL: a program is read for those that are given, or for those that are not.

    y[i] = s + (bias != NULL ? bias[i] : 0);        y[i] = s + bias[i];        y[i] = s + 0;

Which ones are absent is the caller's word (promises.py). The exported function looks at its pointers.
"""

from __future__ import annotations

from collections.abc import Collection

from pycparser import c_ast

from polyad.pet.c_text.parse import parameters_of, walk
from polyad.pet.c_text.tree_edits import children_replaced

__all__ = ["is_null", "settle_optional"]

_NEGATED = {"==": True, "!=": False}


def settle_optional(tree: c_ast.FuncDef, absent: Collection[str], known: Collection[str] | None = None) -> bool:
    """Change a function to what it does with the arguments that are there; returns whether it asks for any.

    Args:
        tree: the function.
        absent: pointers that are NULL.
        known: those of which it is known whether they are; all where left out.
    """
    pointers = {p.name for p in parameters_of(tree) if isinstance(p.type, c_ast.PtrDecl | c_ast.ArrayDecl)}
    pointers -= {n.name for n, _ in walk(tree.body) if isinstance(n, c_ast.Decl)}
    pointers &= pointers if known is None else {*known}
    settler = _Settler({name: name not in absent for name in pointers})
    settler.below(tree.body)
    return settler.found


class _Settler:
    """Puts what is known in place of conditions on pointers."""

    def __init__(self, given: dict[str, bool]):
        self.given = given
        self.found = False

    def below(self, node: c_ast.Node) -> None:
        """Change everything below a node."""
        children_replaced(node, self.settled)

    def settled(self, node: c_ast.Node) -> c_ast.Node:
        """Return the node that takes the place of a node."""
        if isinstance(node, c_ast.If | c_ast.TernaryOp):
            known = self.truth(node.cond)
            if known is not None:
                self.found = True
                chosen = node.iftrue if known else node.iffalse
                return c_ast.EmptyStatement(node.coord) if chosen is None else self.settled(chosen)
            node.cond = self.condition(node.cond)
        elif isinstance(node, c_ast.BinaryOp) and node.op in ("&&", "||"):
            return self.condition(node)
        self.below(node)
        return node

    def condition(self, node: c_ast.Node) -> c_ast.Node:
        """A condition without what is known."""
        if isinstance(node, c_ast.BinaryOp) and node.op in ("&&", "||"):
            for known_side, other in ((node.left, node.right), (node.right, node.left)):
                if self.truth(known_side) == (node.op == "&&"):
                    self.found = True
                    return self.condition(other)
            node.left, node.right = self.condition(node.left), self.condition(node.right)
        return node

    def truth(self, node: c_ast.Node) -> bool | None:
        """Return the truth of a condition on pointers; None for one on something else."""
        match node:
            case c_ast.ID(name=name):
                return self.given.get(name)
            case c_ast.UnaryOp(op="!", expr=inner):
                known = self.truth(inner)
                return None if known is None else not known
            case c_ast.BinaryOp(op="==" | "!=" as op, left=left, right=right):
                pointer = left if is_null(right) else right if is_null(left) else None
                known = self.truth(pointer) if isinstance(pointer, c_ast.ID) else None
                return None if known is None else known != _NEGATED[op]
            case c_ast.BinaryOp(op="&&" | "||" as op, left=left, right=right):
                sides = (self.truth(left), self.truth(right))
                decisive = op == "||"
                return decisive if decisive in sides else None if None in sides else not decisive
            case _:
                return None


def is_null(node: c_ast.Node) -> bool:
    """Whether an expression is NULL, as headers spell it."""
    while isinstance(node, c_ast.Cast):
        node = node.expr
    return (isinstance(node, c_ast.Constant) and node.value == "0") or (
        isinstance(node, c_ast.ID) and node.name in ("NULL", "nullptr", "__null")
    )
