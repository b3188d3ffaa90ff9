"""Local variables with names of their own: what else has their names, or what isl takes for words of its language.

    { const double *row = x; ... }              { const double *row = x; ... }
    { const double *row = y; ... }              { const double *row_ = y; ... }
    double max = x[0];                          double max_ = x[0];

Others look for a pointer by its name, in all of a function.
"""

from __future__ import annotations

from collections.abc import Mapping

from pycparser import c_ast

from polyad import islx
from polyad.pet.c_text.names import names_in, new_name
from polyad.pet.c_text.parse import parameters_of

__all__ = ["with_own_names"]

Scope = Mapping[str, str]  # name in C -> its new name


def with_own_names(tree: c_ast.FuncDef) -> bool:
    """Change a function; returns whether it has such variables."""
    names = _Names(names_in(tree) | islx.KEYWORDS, {p.name for p in parameters_of(tree)})
    names.visit(tree.body, {})
    return names.changed


class _Names:
    """The variables of a function, from its first line to its last.

    Attributes:
        taken: names that mean something.
        declared: names of parameters, and of variables so far.
        changed: whether any has another name now.
    """

    def __init__(self, taken: set[str], declared: set[str]):
        self.taken = taken
        self.declared = declared
        self.changed = False

    def visit(self, node: c_ast.Node, scope: Scope) -> Scope:
        """Change what is below a node; returns the scope behind it."""
        match node:
            case c_ast.ID():
                node.name = scope.get(node.name, node.name)
            case c_ast.StructRef():
                self.visit(node.name, scope)  # not the member
            case c_ast.FuncCall():
                if node.args is not None:
                    self.visit(node.args, scope)
            case c_ast.Decl() if node.name is not None:
                return self.declaration(node, scope)
            case c_ast.Compound() | c_ast.For():
                inside = scope
                for child in node:
                    inside = self.visit(child, inside)
            case c_ast.DeclList():
                for child in node:
                    scope = self.visit(child, scope)
            case _:
                for child in node:
                    self.visit(child, scope)
        return scope

    def declaration(self, node: c_ast.Decl, scope: Scope) -> Scope:
        """The scope with a variable in it."""
        name = node.name
        again = name in self.declared and isinstance(node.type, c_ast.PtrDecl)
        self.declared.add(name)
        if again or name.lower() in islx.KEYWORDS:
            node.name = new_name(name, self.taken)
            kind = node.type
            while not isinstance(kind, c_ast.TypeDecl):
                kind = kind.type
            kind.declname = node.name
            self.changed = True
        scope = {**scope, name: node.name}
        for child in node:
            self.visit(child, scope)
        return scope
