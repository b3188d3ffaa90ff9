"""Pointers to arrays that are no argument and have no slice of the workspace for themselves, where they are used.

An array alone in its slot has one pointer for the whole function. Arrays that share a slot have pointers of their own
in each top-level nest that uses them: two restricted pointers to one place must not be in scope together. The copies
that threads have of an array (private.py) have pointers in the parallel loop:

    {                                          copies = ... copies of N iterations
      double *c = slot 3                       threads(...) for i
      for t                                      copy = the one of the thread that has iteration i
        c[t] = ...                               double *s = copy
    }                                            s[j] = ...
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from polyad.codegen.loops.how import Threads
from polyad.codegen.loops.nodes import Block, Contraction, Copies, Copy, CopyPointer, Loop, Node, Pack, SlotPointer
from polyad.codegen.loops.traversal import nodes as nodes_of
from polyad.codegen.lower.lowering import StoredProgram

__all__ = ["pointers"]


def pointers(root: Block, known: StoredProgram) -> Block:
    """Declare the pointers of arrays that share a slot, and of those that each thread has a copy of."""
    declared = _shared(known)
    return Block(_declaring([*enumerate(root.children)], declared, frozenset(), known))


def _declaring(
    nests: Sequence[tuple[int, Node]],
    declared: Mapping[int, Sequence[SlotPointer]],
    around: frozenset[str],
    known: StoredProgram,
) -> tuple[Node, ...]:
    """Nests with the pointers that each needs, but for those of arrays that have one around.

    Panels are seen in the block that packs them: what uses them is in it, too.
    """
    made: list[Node] = []
    place = 0
    while place < len(nests):
        position, nest = nests[place]
        place += 1
        found = [p for p in declared.get(position, ()) if p.array not in around]
        nodes = [*_with_copies(nest, position, known)]
        if not found:
            made += nodes
            continue
        rest = nests[place:] if isinstance(nest, Pack) else []
        users = [n for n, (_, node) in enumerate(rest) if isinstance(nest, Pack) and _uses(node, nest.name)]
        together = users[-1] + 1 if users else 0
        inside = _declaring(rest[:together], declared, around | {p.array for p in found}, known)
        made.append(Block((*found, *nodes, *inside)))
        place += together
    return tuple(made)


def _uses(node: Node, panels: str) -> bool:
    return any(isinstance(n, Contraction) and n.packed == panels for n in nodes_of(node))


def _shared(known: StoredProgram) -> dict[int, list[SlotPointer]]:
    """Top-level nest -> pointers to the arrays in it that share slots."""
    result: dict[int, list[SlotPointer]] = {}
    for number, slot in enumerate(known.storage.memory.slots):
        if slot.copies is not None or len(slot.arrays) == 1:
            continue
        for name in slot.arrays:
            for nest in known.storage.users[name]:
                result.setdefault(nest, []).append(SlotPointer(name, number))
    return result


def _with_copies(nest: Node, position: int, known: StoredProgram) -> Iterator[Node]:
    own = {a: p for a, p in known.storage.copies.items() if p.nest == position}
    if not own or not isinstance(nest, Loop):
        yield nest
        return
    one = next(iter(own.values()))
    copy, inside = "", []
    if isinstance(nest.how, Threads):
        copies = known.fresh("copies")
        copy = known.fresh("copy")
        yield Copies(copies, one.count)
        inside = [Copy(copy, one.iteration, one.count, copies)]
    places = [CopyPointer(array, copy) for array in own]
    yield replace(nest, body=Block((*inside, *places, *nest.body.children)))
