"""Statements of a function outside of its loop nest, which are not modelled: they must not matter.

The equations of a loop nest are those of the function around it if every call runs the nest once, on what it was given,
and leaves what the nest leaves.
"""

from __future__ import annotations

from pycparser import c_ast

from polyad.pet.c_text.definitions import CText, ScopRegion
from polyad.pet.c_text.parse import parameters_of, walk
from polyad.pet.refusal import refusal

__all__ = ["INCREMENTS", "asks_for", "check_outside", "is_new_memory", "names_set", "target_of"]

INCREMENTS = ("p++", "p--", "++", "--")
"""pycparser's names of `x++`, `x--`, `++x` and `--x`."""


def check_outside(text: CText, tree: c_ast.FuncDef, region: ScopRegion, names: set[str]) -> None:
    """Refuse what makes the loop nest another function than the one around it.

    Args:
        text: the file.
        tree: the function.
        region: the loop nest.
        names: what is named in it.

    Raises:
        ExtractionError: it stands in a loop or under a condition, it may not be reached, or what it reads or writes is
            changed before or behind it. What other loop nests do, when one was chosen, does not count.
    """
    parameters = parameters_of(tree)
    given = {p.name for p in parameters} & names
    arrays = {p.name for p in parameters if isinstance(p.type, c_ast.PtrDecl | c_ast.ArrayDecl)}
    others = [r for r in text.regions if r != region]
    memory = {n.name for n, _ in walk(tree.body) if isinstance(n, c_ast.Decl) and is_new_memory(n)}
    unchecked = {id(n) for item in tree.body.block_items or [] if asks_for(item, memory) for n, _ in walk(item)}
    for node, line in walk(tree.body):
        if id(node) in unchecked and line <= region.first:
            continue  # `if (tmp == NULL) return -1;`: what is computed is not what happens without memory
        if region.first < line < region.last or any(r.first < line < r.last for r in others):
            continue
        before = line <= region.first
        around = before and isinstance(node, c_ast.For | c_ast.While | c_ast.DoWhile | c_ast.If | c_ast.Switch)
        if around and max(at for _, at in walk(node, line)) > region.first:
            sentence = "the loop nest stands in a loop or under a condition; put the pragmas around that"
            raise refusal(text.path, line, "pragma", sentence)
        if before and isinstance(node, c_ast.Return | c_ast.Goto):
            sentence = "the function may end before the loop nest; leave out the condition, or put it into the nest"
            raise refusal(text.path, line, "return", sentence)
        changed = _changed(node, arrays) & given
        if changed:
            where = "before `#pragma scop`" if before else "behind `#pragma endscop`"
            move = "before" if before else "behind"
            sentence = f"`{min(changed)}` is changed {where}, where it is not seen; put the pragma {move} it"
            raise refusal(text.path, line, "assignment", sentence)


def is_new_memory(declaration: c_ast.Decl) -> bool:
    """Whether a pointer is declared that points to memory of its own: `double *tmp = malloc(n * sizeof *tmp);`."""
    value = declaration.init
    while isinstance(value, c_ast.Cast):
        value = value.expr
    is_call = isinstance(value, c_ast.FuncCall) and isinstance(value.name, c_ast.ID)
    return is_call and value.name.name.removeprefix("__builtin_") in ("malloc", "calloc", "alloca", "aligned_alloc")


def asks_for(item: c_ast.Node, memory: set[str]) -> bool:
    """Whether a statement asks if memory is there."""
    if not isinstance(item, c_ast.If) or item.iffalse is not None:
        return False
    names = {n.name for n, _ in walk(item.cond) if isinstance(n, c_ast.ID)} - {"NULL"}
    return bool(names) and names <= memory


def _changed(node: c_ast.Node, arrays: set[str]) -> set[str]:
    """The names that a node assigns to, or, of arrays, gives to a function that may."""
    if isinstance(node, c_ast.FuncCall) and node.args is not None:
        return {n.name for argument in node.args.exprs for n in _bases(argument)} & arrays
    target = target_of(node)
    while isinstance(target, c_ast.ArrayRef):
        target = target.name
    return {str(target.name)} if isinstance(target, c_ast.ID) else set()


def _bases(argument: c_ast.Node) -> list[c_ast.ID]:
    """The names in an argument that may be arrays: `x` of `x`, `x + 1` and `&x[1]`, not of `x[1]`."""
    match argument:
        case c_ast.ID():
            return [argument]
        case c_ast.UnaryOp(op="&"):
            return [n for n, _ in walk(argument) if isinstance(n, c_ast.ID)]
        case c_ast.BinaryOp():
            return [*_bases(argument.left), *_bases(argument.right)]
        case c_ast.Cast():
            return _bases(argument.expr)
        case _:
            return []


def target_of(node: c_ast.Node) -> c_ast.Node | None:
    """Return the target of an assignment."""
    if isinstance(node, c_ast.Assignment):
        return node.lvalue
    if isinstance(node, c_ast.UnaryOp) and node.op in INCREMENTS:
        return node.expr
    return None


def variables_set(*items: c_ast.Node) -> set[str]:
    """The variables that statements assign to, not those whose elements they assign to."""
    return {t.name for item in items for n, _ in walk(item) if isinstance(t := target_of(n), c_ast.ID)}


def names_set(item: c_ast.Node) -> set[str]:
    """The names whose values a statement sets."""
    found = set()
    for node, _ in walk(item):
        if isinstance(node, c_ast.Decl) and node.init is not None:
            found.add(node.name)
        target = target_of(node)
        while isinstance(target, c_ast.ArrayRef):
            target = target.name
        if isinstance(target, c_ast.ID):
            found.add(target.name)
    return found
