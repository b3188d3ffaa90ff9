"""Memory that a function asks for: declared where the function begins, and neither asked about nor given back.

    if (n < 1) return -1;                       double *tmp = __builtin_malloc(1);
    double *tmp = malloc(n * sizeof *tmp);      if (n < 1) return -1;
    if (!tmp) return -2;
    ...; free(tmp);                             ...;

So it does not stand between what belongs to one loop nest. How much of it there is follows from its subscripts, and
what happens without memory is not computed.
"""

from __future__ import annotations

from pycparser import c_ast

from polyad.pet.c_text.outside import asks_for, is_new_memory, target_of
from polyad.pet.c_text.parse import walk

__all__ = ["hoist_memory"]


def hoist_memory(tree: c_ast.FuncDef) -> bool:
    """Change a function; returns whether it asks for memory that is its own."""
    items = list(tree.body.block_items or [])
    declared = {d.name: d for d in items if isinstance(d, c_ast.Decl) and isinstance(d.type, c_ast.PtrDecl)}
    set_later = {
        t.name: item
        for item in items
        if isinstance(item, c_ast.Assignment)
        and isinstance(t := target_of(item), c_ast.ID)
        and is_new_memory(c_ast.Decl(None, [], [], [], [], None, item.rvalue, None))
        and t.name in declared
        and declared[t.name].init is None
    }
    memory = {name for name, d in declared.items() if is_new_memory(d) or name in set_later}
    written = [t.name for n, _ in walk(tree.body) if isinstance(t := target_of(n), c_ast.ID)]
    memory = {name for name in memory if written.count(name) == (name in set_later)}
    if not memory:
        return False
    first, rest = [], []
    for item in items:
        if isinstance(item, c_ast.Decl) and item.name in memory:
            one = c_ast.ExprList([c_ast.Constant("int", "1")])
            item.init = c_ast.FuncCall(c_ast.ID("__builtin_malloc"), one, item.coord)
            item.coord = tree.body.coord
            first.append(item)
        elif not (any(item is s for s in set_later.values()) or asks_for(item, memory) or _gives_back(item, memory)):
            rest.append(item)
    tree.body.block_items = [*first, *rest]
    return True


def _gives_back(item: c_ast.Node, memory: set[str]) -> bool:
    """Whether a statement is `free(tmp);`."""
    match item:
        case c_ast.FuncCall(name=c_ast.ID(name="free"), args=c_ast.ExprList(exprs=[c_ast.ID(name=name)])):
            return name in memory
        case _:
            return False
