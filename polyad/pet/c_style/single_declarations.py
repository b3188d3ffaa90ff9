"""Declarations of several variables, as one for each: of `int n = 2, i;` pet forgets the value."""

from __future__ import annotations

import itertools

from pycparser import c_ast

from polyad.pet.c_text.parse import walk

__all__ = ["declares_several"]


def declares_several(tree: c_ast.FuncDef) -> bool:
    """Whether a function declares several variables on a line, with values: what is printed from its tree is alone."""
    for block, _ in walk(tree.body):
        items = (block.block_items or []) if isinstance(block, c_ast.Compound) else []
        for first, second in itertools.pairwise(items):
            both = isinstance(first, c_ast.Decl) and isinstance(second, c_ast.Decl)
            if both and first.coord.line == second.coord.line and (first.init or second.init):
                return True
    return False
