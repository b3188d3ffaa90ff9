"""Arrays that the nodes of a text touch, found once for each node: whoever looks for one passes by all others."""

from __future__ import annotations

from dataclasses import dataclass, field

from polyad.codegen.loops.nodes import Node, Pack
from polyad.codegen.loops.statement_accesses import Touches
from polyad.codegen.loops.traversal import nodes
from polyad.codegen.storage.lifetimes import accessed

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
            # A pack counts as touching all arrays of its contraction: so their moments are refused (moments.py).
            packed = (accessed(n.contraction, self.touches) for n in nodes(node) if isinstance(n, Pack))
            found = self._known[node] = accessed(node, self.touches).union(*packed)
        return found
