"""Products of sizes that bound loops, as sizes of their own.

    void f(float *x, int n, int m)              void f(float *x, int n, int m, int n_m)
    {                                           {
        for (i = 0; i < n * m; i++) ...             for (i = 0; i < n_m; i++) ...

Who calls the function gives n and m as before. In subscripts, what such a product divides into nothing else stands for
n and m again (linearised.py).
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from pycparser import c_ast

from polyad.pet.c_style.sizes.exact_quotients import integer_parameters
from polyad.pet.c_text.names import names_in, new_name
from polyad.pet.c_text.parse import walk
from polyad.pet.c_text.tree_edits import children_replaced
from polyad.pet.c_tree.nodes import factors, product_of, spelled
from polyad.pet.derived import Derived, size_of

__all__ = ["products_as_sizes"]


def products_as_sizes(tree: c_ast.FuncDef) -> dict[str, Derived]:
    """Change a function; returns its new parameters.

    Args:
        tree: the function.
    """
    sizes = integer_parameters(tree)
    found = _Products({*sizes}, names_in(tree))
    bounds = [n.cond for n, _ in walk(tree.body) if isinstance(n, c_ast.For | c_ast.While) and n.cond is not None]
    named = {n.name for bound in bounds for n, _ in walk(bound) if isinstance(n, c_ast.ID)}
    bounds += [n.init for n, _ in walk(tree.body) if isinstance(n, c_ast.Decl) and n.name in named and n.init]
    for bound in bounds:
        found.look_at(bound)
    if not found.called:
        return {}
    children_replaced(tree.body, found.replaced)
    parameters = list(tree.decl.type.args.params)
    for name in found.called.values():
        kind = c_ast.TypeDecl(name, [], None, c_ast.IdentifierType(["long"]))
        parameters.append(c_ast.Decl(name, [], [], [], [], kind, None, None, tree.decl.coord))
    tree.decl.type.args.params = parameters
    return {name: Derived("*", product) for product, name in found.called.items()}


@dataclass(slots=True)
class _Products:
    """The products of a function that are sizes.

    Attributes:
        sizes: parameters that it does not change.
        names: all that are taken.
        called: factors -> the name of their product.
    """

    sizes: set[str]
    names: set[str]
    called: dict[tuple[str, ...], str] = field(default_factory=dict)

    def look_at(self, node: c_ast.Node) -> None:
        """Give names to the products in a bound."""
        if isinstance(node, c_ast.BinaryOp) and node.op == "*":
            product = tuple(size for f in factors(node) if (size := self.size(f)))
            if len(product) > 1:
                if sorted(product) not in map(sorted, self.called):
                    wish = "_".join(re.findall(r"[A-Za-z_]\w*", " ".join(product)))
                    self.called[product] = new_name(wish, self.names)
                return
        for child in node:
            self.look_at(child)

    def size(self, factor: c_ast.Node) -> str:
        """The size that a factor is, or the name of a sum of sizes; "" for others."""
        names = {n.name for n, _ in walk(factor) if isinstance(n, c_ast.ID)}
        plain = all(isinstance(n, c_ast.ID | c_ast.Constant | c_ast.BinaryOp) for n, _ in walk(factor))
        found = size_of(spelled(factor)) if names and names <= self.sizes and plain else None
        return found[1][0] if found is not None and found[0] == 1 else ""

    def replaced(self, node: c_ast.Node) -> c_ast.Node:
        """A node with sizes in place of products."""
        if isinstance(node, c_ast.BinaryOp) and node.op == "*":
            parts = [(self.size(f), f) for f in factors(node)]
            for product, name in sorted(self.called.items(), key=lambda one: -len(one[0])):
                rest = list(parts)
                for size in product:
                    taken = next((part for part in rest if part[0] == size), None)
                    if taken is None:
                        break
                    rest.remove(taken)
                else:
                    whole = product_of([c_ast.ID(name), *(f for _, f in rest)], node)
                    return children_replaced(whole, self.replaced)
        return children_replaced(node, self.replaced)
