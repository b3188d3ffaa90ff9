"""Scopes of the loop IR: a node may mention what is declared around it, and before it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from polyad.codegen.loops.instance import Instance, variable_of
from polyad.codegen.loops.nodes import Copies, Copy, Declare, Let, Load, Node, Pack, Subtotal
from polyad.codegen.loops.statement_accesses import Touches

__all__ = ["LoopScope", "declared_variable"]


@dataclass(frozen=True, slots=True, eq=False)
class LoopScope:
    """The names that a node may mention.

    Attributes:
        names: integers.
        variables: C variable -> its lanes, 0 for one that has none.
        panels: packed operands.
        counts: of the integers, those that say how many copies there are.
        copies: of the integers, those that say which copy a thread has.
    """

    names: frozenset[str]
    variables: Mapping[str, int] = field(default_factory=dict)
    panels: frozenset[str] = frozenset()
    counts: frozenset[str] = frozenset()
    copies: frozenset[str] = frozenset()

    def declaring(self, node: Node, touches: Touches) -> LoopScope:
        """Return the scope of the nodes behind a node."""
        match node:
            case Let(name=name):
                return replace(self, names=self.names | {name})
            case Copies(name=name):
                return replace(self, names=self.names | {name}, counts=self.counts | {name})
            case Copy(name=name):
                return replace(self, names=self.names | {name}, copies=self.copies | {name})
            case Pack(name=name):
                return replace(self, panels=self.panels | {name})
            case _:
                variable = declared_variable(node, touches)
                return self if variable is None else self.with_variables({variable[0]: variable[1]})

    def with_variables(self, new: Mapping[str, int]) -> LoopScope:
        """With C variables more."""
        return replace(self, variables={**self.variables, **new})


def declared_variable(node: Node, touches: Touches) -> tuple[str, int] | None:
    """The C variable that a node declares, and its lanes."""
    match node:
        case Instance(statement=name, locals=own, declares=True):
            return variable_of(own[touches[name][0].array]), 0
        case Load(local=local, declares=True):
            return variable_of(local), 0
        case Declare(local=local, lanes=lanes):
            return local, lanes
        case Subtotal(local=local):
            return local, 0
        case _:
            return None
