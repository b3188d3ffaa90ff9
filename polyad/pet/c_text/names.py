"""Names in C: those that a tree mentions, and new ones."""

from __future__ import annotations

from pycparser import c_ast

from polyad.pet.c_text.parse import walk

__all__ = ["names_in", "new_name"]


def names_in(*trees: c_ast.Node) -> set[str]:
    """The names that trees mention or declare, but for those of members."""
    return {n.name for tree in trees for n, _ in walk(tree) if isinstance(n, c_ast.ID | c_ast.Decl) and n.name}


def new_name(wish: str, taken: set[str]) -> str:
    """A name that nothing has: `k`, `k_`, ...; from then on it is taken."""
    while wish in taken:
        wish += "_"
    taken.add(wish)
    return wish
