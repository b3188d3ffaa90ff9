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

from collections.abc import Iterator
from dataclasses import replace

from polyad.codegen.loops.how import Threads
from polyad.codegen.loops.nodes import Block, Copies, Copy, CopyPointer, Loop, Node, SlotPointer
from polyad.codegen.lower.lowering import StoredProgram

__all__ = ["pointers"]


def pointers(root: Block, known: StoredProgram) -> Block:
    """Declare the pointers of arrays that share a slot, and of those that each thread has a copy of."""
    declared = _shared(known)
    result: list[Node] = []
    for position, nest in enumerate(root.children):
        nodes = list(_with_copies(nest, position, known))
        found = declared.get(position)
        result += [Block((*found, *nodes))] if found else nodes
    return Block(tuple(result))


def _shared(known: StoredProgram) -> dict[int, list[Node]]:
    """Top-level nest -> pointers to the arrays in it that share slots."""
    result: dict[int, list[Node]] = {}
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
