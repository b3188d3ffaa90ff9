"""Arrays that the nodes of a text touch, found once for each node: whoever looks for one passes by all others."""

from __future__ import annotations

from dataclasses import dataclass, field

from polyad.codegen.loops.instance import Instance
from polyad.codegen.loops.nodes import Load, Node, Pack, Store
from polyad.codegen.loops.statement_accesses import Touches
from polyad.codegen.loops.traversal import nodes

__all__ = ["TouchedArrays"]


@dataclass(frozen=True, slots=True, eq=False)
class TouchedArrays:
    """Finds them.

    Attributes:
        touches: the accesses of all statements.
    """

    touches: Touches
    _known: dict[Node, frozenset[str]] = field(default_factory=dict)

    def __call__(self, node: Node) -> frozenset[str]:
        """The arrays that a node touches, in memory or in C variables."""
        found = self._known.get(node)
        if found is None:
            found = self._known[node] = frozenset(self._in(node))
        return found

    def _in(self, node: Node) -> set[str]:
        found: set[str] = set()
        for inner in nodes(node):
            match inner:
                case Instance(statement=name):
                    found.update(t.array for t in self.touches[name])
                case Load(cell=cell) | Store(cell=cell):
                    found.add(cell.array)
                case Pack(contraction=contraction):
                    found |= self._in(contraction)
                case _:
                    pass
        return found
