"""Quotients of sizes that the caller says are exact, as sizes of their own.

    void f(float *x, int C, int NH)              void f(float *x, int C, int NH, int hs)
    {                                            {
        int hs = C / NH;                             ;
        for (i = 0; i < hs; i++) ...                 for (i = 0; i < hs; i++) ...

`#pragma polyad multiple C=NH` says that C is a multiple of NH (promises.py). Who calls the function gives C and NH as
before: hs is computed from them, and looked at, in Python as in the exported C. Products of it stand for C again where
subscripts get their dimensions (linearised.py).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from pycparser import c_ast

from polyad.pet.c_style.sizes.loops_in_blocks import is_signed, loops_in_blocks
from polyad.pet.c_text.names import names_in, new_name
from polyad.pet.c_text.outside import target_of
from polyad.pet.c_text.parse import parameters_of, walk
from polyad.pet.c_text.tree_edits import children_replaced
from polyad.pet.c_tree.nodes import factors, product_of
from polyad.pet.derived import Derived

__all__ = ["integer_parameters", "quotients_as_sizes"]


def quotients_as_sizes(tree: c_ast.FuncDef, multiples: Mapping[str, tuple[str, ...]]) -> dict[str, Derived]:
    """Change a function; returns its new parameters.

    Args:
        tree: the function.
        multiples: parameter -> those that divide it.
    """
    given = integer_parameters(tree)
    set_ = [t.name for n, _ in walk(tree.body) if isinstance(t := target_of(n), c_ast.ID)]
    declared = [n.name for n, _ in walk(tree.body) if isinstance(n, c_ast.Decl)]
    exact = {(n, d) for n, divisors in multiples.items() for d in divisors if {n, d} <= given.keys()}
    found = _Quotients(exact, names_in(tree))
    items: list[c_ast.Node] = []
    for item in tree.body.block_items or []:
        pair = found.quotient(item.init) if isinstance(item, c_ast.Decl) else None
        plain = isinstance(getattr(item, "type", None), c_ast.TypeDecl) and _is_integer(item.type.type)
        if pair is not None and plain and pair not in found.called and [*declared, *set_].count(item.name) == 1:
            found.called[pair] = item.name
            items.append(c_ast.EmptyStatement(item.coord))
        else:
            items.append(item)
    tree.body.block_items = items
    children_replaced(tree.body, found.replaced)
    if all(is_signed(given[name].type.type) for pair in exact for name in pair):
        loops_in_blocks(tree, found.other, found.names)
    parameters = list(tree.decl.type.args.params) if found.called else []
    for (dividend, _), name in found.called.items():
        kind = c_ast.TypeDecl(name, [], None, given[dividend].type.type)
        parameters.append(c_ast.Decl(name, [], [], [], [], kind, None, None, given[dividend].coord))
    if found.called:
        tree.decl.type.args.params = parameters
    return {name: Derived("/", pair) for pair, name in found.called.items()}


def integer_parameters(tree: c_ast.FuncDef) -> dict[str, c_ast.Decl]:
    """The integers that a function is given and does not change."""
    set_ = {t.name for n, _ in walk(tree.body) if isinstance(t := target_of(n), c_ast.ID)}
    declared = {n.name for n, _ in walk(tree.body) if isinstance(n, c_ast.Decl)}
    given = {p.name: p for p in parameters_of(tree) if isinstance(p.type, c_ast.TypeDecl) and _is_integer(p.type.type)}
    return {name: p for name, p in given.items() if name not in set_ | declared}


@dataclass(slots=True)
class _Quotients:
    """The quotients of a function.

    Attributes:
        exact: (dividend, divisor) that the caller has said.
        names: all that are taken.
        called: (dividend, divisor) -> the name of its value.
    """

    exact: set[tuple[str, str]]
    names: set[str]
    called: dict[tuple[str, str], str] = field(default_factory=dict)

    def quotient(self, node: c_ast.Node | None) -> tuple[str, str] | None:
        """The pair, if a node is `C / NH`."""
        match node:
            case c_ast.Cast(expr=inner, to_type=kind) if _is_integer(kind.type.type):
                return self.quotient(inner)
            case c_ast.BinaryOp(op="/", left=c_ast.ID(name=dividend), right=c_ast.ID(name=divisor)):
                return (dividend, divisor) if (dividend, divisor) in self.exact else None
            case _:
                return None

    def name(self, pair: tuple[str, str]) -> c_ast.ID:
        """The variable that holds a quotient."""
        if pair not in self.called:
            self.called[pair] = new_name("{}_over_{}".format(*pair), self.names)
        return c_ast.ID(self.called[pair])

    def other(self, size: str, factor: str) -> c_ast.Node | None:
        """The other factor of a size, if one is known."""
        if (size, factor) in self.exact:
            return self.name((size, factor))
        pair = next((pair for pair, name in self.called.items() if (pair[0], name) == (size, factor)), None)
        return None if pair is None else c_ast.ID(pair[1])

    def replaced(self, node: c_ast.Node) -> c_ast.Node:
        """A node with sizes in place of quotients: `C / NH`, `C * m / NH`, and 0 for `C % NH`."""
        match node:
            case c_ast.BinaryOp(op="%", left=c_ast.ID(name=dividend), right=c_ast.ID(name=divisor)):
                if (dividend, divisor) in self.exact:
                    return c_ast.Constant("int", "0")
            case c_ast.BinaryOp(op="/", left=product, right=c_ast.ID(name=divisor)):
                parts = factors(product)
                for k, factor in enumerate(parts):
                    if isinstance(factor, c_ast.ID) and (factor.name, divisor) in self.exact:
                        parts[k] = self.name((factor.name, divisor))
                        return children_replaced(product_of(parts, node), self.replaced)
        return children_replaced(node, self.replaced)


def _is_integer(kind: c_ast.Node) -> bool:
    return isinstance(kind, c_ast.IdentifierType) and not {"float", "double"} & set(kind.names)
