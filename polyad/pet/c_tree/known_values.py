"""Statements followed with what is known of integers: subscripts of counted integers are written out.

    k = 2 * i; y[k++] = 1; y[k] = 2;       k = 2 * i; y[2 * i] = 1; k = 2 * i + 1; y[2 * i + 1] = 2;

Assignments stay: where nobody reads an integer any more, they are dropped later.
"""

from __future__ import annotations

import copy
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pycparser import c_ast

from polyad.pet.c_text.names import names_in
from polyad.pet.c_text.parse import walk
from polyad.pet.c_tree.closed_forms import Closed, Known, atom, closed_form, number
from polyad.pet.c_tree.effects import as_statements
from polyad.pet.c_tree.loop_parts import leaves, stepped, unsigned
from polyad.pet.c_tree.nodes import STEPS, block, has_effects, map_children, statements

__all__ = ["Counters", "Follower", "NotFollowed"]


class NotFollowed(Exception):
    """The order of statements is not that of the text, or one name stands for two things at once."""


@dataclass(frozen=True, slots=True)
class Counters:
    """The integers of a function.

    Attributes:
        types: of at least 32 bits: name -> type.
        given: parameters that nothing changes.
    """

    types: Mapping[str, str]
    given: frozenset[str]


class Follower(ABC):
    """Follows statements with what is known of integers; loops are followed by a class below."""

    def __init__(self, counters: Counters, items: Sequence[c_ast.Node]) -> None:
        self.counters, self.types = counters, counters.types
        self.changed = False
        self.passes = 0
        self.positive = {str(a) for name in counters.given for a in self.name(name).atoms}
        self.names = names_in(*items)
        self.stepped = {name for item in items for name in stepped(item)}

    def name(self, name: str) -> Closed:
        """A variable whose value is its own name; a signed number, as sums of what is counted are."""
        return atom(f"((long) {name})" if unsigned(self.types[name]) else name)

    def run(self, items: Sequence[c_ast.Node], known: Known) -> list[c_ast.Node]:
        """The statements of a block, after which `known` is what is known behind it."""
        result: list[c_ast.Node] = []
        for item in items:
            for part in self.parts(item):
                self.changed |= part is not item
                result += self.statement(part, known)
        declared = {i.name for i in items if isinstance(i, c_ast.Decl)}
        for name in declared & known.keys():
            del known[name]
        return result

    def parts(self, item: c_ast.Node) -> list[c_ast.Node]:
        """A statement without side effects inside of expressions, as several.

        Raises:
            NotFollowed: C leaves their order open: what they change is not known then.
        """
        found = as_statements(item, self.types)
        if any(_keeps_effects(part) for part in found):
            raise NotFollowed
        return found

    def statement(self, item: c_ast.Node, known: Known) -> list[c_ast.Node]:
        """A statement as it is read, after which `known` is what is known behind it."""
        match item:
            case c_ast.Compound(block_items=items):
                return [block(self.run(items or [], known), item)]
            case c_ast.If():
                return [self.condition(item, known)]
            case c_ast.For() | c_ast.While() | c_ast.DoWhile():
                return self.loop(item, known)
            case c_ast.Decl(name=name, init=value):
                result = copy.copy(item)
                if value is not None and not isinstance(value, c_ast.InitList):
                    result.init = self.reads(value, known)
                self.set(name, value, known)
                return [result]
            case c_ast.Assignment(op=op, lvalue=target, rvalue=value):
                result = c_ast.Assignment(op, self.place(target, known), self.reads(value, known), item.coord)
                if isinstance(target, c_ast.ID):
                    if op in ("+=", "-="):
                        value = c_ast.BinaryOp(op[0], target, value)
                    self.set(target.name, value if op in ("=", "+=", "-=") else None, known)
                return [result]
            case c_ast.UnaryOp(op=op, expr=target) if op in STEPS:
                if isinstance(target, c_ast.ID):
                    before = known.pop(target.name, None)
                    if before is not None:
                        known[target.name] = before + number(STEPS[op])
                    return [item]
                return [c_ast.UnaryOp(op, self.place(target, known), item.coord)]
            case c_ast.Goto() | c_ast.Label() | c_ast.Switch():
                raise NotFollowed
            case c_ast.Pragma() | c_ast.EmptyStatement() | c_ast.Break() | c_ast.Continue():
                return [item]
            case _:
                return [self.reads(item, known)]

    def set(self, name: str, value: c_ast.Node | None, known: Known) -> None:
        """Note what an integer holds from here on."""
        found = closed_form(value, known) if name in self.types and value is not None else None
        known.pop(name, None)
        if found is not None:
            known[name] = found

    def condition(self, item: c_ast.If, known: Known) -> c_ast.If:
        """An `if`: what both of its sides leave is known behind it."""
        before = dict(known)
        condition = self.reads(item.cond, known)
        then = self.run(statements(item.iftrue), known)
        others = dict(before)
        other = None if item.iffalse is None else self.run(statements(item.iffalse), others)
        if leaves(statements(item.iftrue)):
            known.clear()
            known.update(others)
        elif item.iffalse is None or not leaves(statements(item.iffalse)):
            for name in [n for n, v in known.items() if others.get(n) != v]:
                del known[name]
        return c_ast.If(condition, block(then, item), None if other is None else block(other, item.iffalse), item.coord)

    def reads(self, node: c_ast.Node, known: Known, *, subscript: bool = False) -> c_ast.Node:
        """An expression with what counted integers hold in place of their names.

        Unsigned ones stay outside of subscripts: what C does there depends on the type.
        """
        match node:
            case c_ast.ID(name=name) if name in self.stepped and name in known and name in self.types:
                if not subscript and unsigned(self.types[name]):
                    return node
                self.changed = True
                return known[name].node()
            case c_ast.ArrayRef(name=array, subscript=index):
                whole = not any(isinstance(n, c_ast.BinaryOp) and n.op not in ("+", "-", "*") for n, _ in walk(index))
                return c_ast.ArrayRef(self.reads(array, known), self.reads(index, known, subscript=whole), node.coord)
            case c_ast.UnaryOp(op="&" | "sizeof"):
                return node
            case c_ast.StructRef(name=inner):
                return c_ast.StructRef(self.reads(inner, known), node.type, node.field, node.coord)
            case _:
                return map_children(node, lambda child: self.reads(child, known, subscript=subscript))

    def place(self, target: c_ast.Node, known: Known) -> c_ast.Node:
        """Return the target of an assignment, with subscripts that are known."""
        return target if isinstance(target, c_ast.ID) else self.reads(target, known)

    @abstractmethod
    def loop(self, item: c_ast.Node, known: Known) -> list[c_ast.Node]:
        """A loop, as one that counts where that can be."""


def _keeps_effects(item: c_ast.Node) -> bool:
    """Whether a statement assigns within an expression."""
    match item:
        case c_ast.If(cond=condition):
            return has_effects(condition)
        case c_ast.Assignment() | c_ast.UnaryOp():
            return any(has_effects(child) for child in item)
        case c_ast.For() | c_ast.While() | c_ast.DoWhile() | c_ast.Compound() | c_ast.Label():
            return False
        case _:
            return has_effects(item)
