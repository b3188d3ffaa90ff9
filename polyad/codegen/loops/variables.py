"""C variables that a node has in common with what is around it.

A variable belongs to the block that declares it, and is visible in the rest of that block and in the blocks inside. One
name may be declared in several blocks, one inside of another (scalars.py), so that names alone do not tell whose
variable an assignment changes: only the blocks around it do.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from polyad.codegen.loops.instance import variable_of
from polyad.codegen.loops.nodes import (
    AddUp,
    Block,
    Contraction,
    Guard,
    Instance,
    Load,
    Loop,
    Node,
    Parts,
    Share,
    Store,
    Subtotal,
)
from polyad.codegen.loops.scope import declared_variable
from polyad.codegen.loops.statement_accesses import Touches

__all__ = ["Use", "declared_in", "outer_uses"]


@dataclass(frozen=True, slots=True, eq=False)
class Use:
    """A variable that a node inside reads or assigns, and that is declared outside.

    Attributes:
        variable: its name in C.
        node: who uses it.
        assigns: whether its value changes.
    """

    variable: str
    node: Instance | Load | Store | AddUp | Parts
    assigns: bool


def declared_in(block: Block, touches: Touches) -> frozenset[str]:
    """The variables that belong to a block."""
    return frozenset(found[0] for child in block.children if (found := declared_variable(child, touches)))


def outer_uses(node: Node, touches: Touches) -> Iterator[Use]:
    """Uses of variables that are declared outside of a node; what the node declares is no variable of its inside."""
    match node:
        case Block():
            own = declared_in(node, touches)
            yield from (u for child in node.children for u in outer_uses(child, touches) if u.variable not in own)
        case Loop(body=body) | Share(body=body):
            yield from outer_uses(body, touches)
        case Guard(_, then, otherwise):
            yield from outer_uses(then, touches)
            if otherwise is not None:
                yield from outer_uses(otherwise, touches)
        case Contraction(nest=nest):
            yield from outer_uses(nest, touches)
        case Instance(locals=own, declares=declares):
            for touch in touches[node.statement]:
                if touch.array in own:
                    name = variable_of(own[touch.array])
                    if touch.kind != "read":
                        yield Use(name, node, True)
                    if touch.kind == "read" or (touch.kind == "contribute" and not declares):
                        yield Use(name, node, False)
        case Load(local=variable):
            yield Use(variable_of(variable), node, True)
        case Store(local=variable):
            yield Use(variable_of(variable), node, False)
        case Parts(loop=loop, sums=sums):
            own_parts = {s.part for s in sums}
            yield from (u for u in outer_uses(loop, touches) if u.variable not in own_parts)
            yield from (Use(s.local, node, assigns) for s in sums for assigns in (False, True))
        case AddUp(Subtotal(local=local, total=total)):
            yield from (Use(local, node, False), Use(total, node, False), Use(total, node, True))
        case _:
            pass
