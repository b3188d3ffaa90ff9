"""The accesses of nodes to memory, those to C variables left out."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from polyad.codegen.loops.nodes import Instance, Load, Node, Store
from polyad.codegen.loops.statement_accesses import cell_of
from polyad.codegen.loops.traversal import nodes
from polyad.codegen.lower.lowering import StoredProgram
from polyad.ir.affine import Affine

__all__ = ["MemoryAccess", "memory_accesses"]


@dataclass(frozen=True, slots=True)
class MemoryAccess:
    """One access.

    Attributes:
        array: what is accessed.
        place: the piece of memory that the array lies in.
        cell: the element; None where data decide.
        writes: it is written.
    """

    array: str
    place: str
    cell: tuple[Affine, ...] | None
    writes: bool

    def conflicts(self, other: MemoryAccess) -> bool:
        """Whether both are to one piece of memory, and one of them writes."""
        return self.place == other.place and (self.writes or other.writes)


def memory_accesses(node: Node, known: StoredProgram) -> Iterator[MemoryAccess]:
    """Those of a node and of all inside of it."""
    for inner in nodes(node):
        match inner:
            case Instance(statement=name, locals=own):
                for t in known.touches[name]:
                    if t.array not in own:
                        yield MemoryAccess(t.array, known.place(t.array), cell_of(t, inner), t.kind != "read")
            case Load(cell=cell) | Store(cell=cell):
                yield MemoryAccess(cell.array, known.place(cell.array), cell.index, isinstance(inner, Store))
            case _:
                pass
