"""Parallel loops one behind the other as one, where no iteration needs what another one of the first loop did.

    parallel for j                             parallel for j
      c_bar[j] = f(h_bar[j])                     c_bar[j] = f(h_bar[j])
    if t >= 1                          ->        if t >= 1
      parallel for j                               b_bar[j] = g(c_bar[j])
        b_bar[j] = g(c_bar[j])

Between two loops threads meet, and wait for memory; within one, what an iteration has written is in its registers.

What must hold: the loops have the same iterations; where both access one piece of memory and one of them writes, it
holds one array, of which different iterations access different elements.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from polyad.codegen.cuda.loop_chains import loop_chain
from polyad.codegen.loops.how import Parallel
from polyad.codegen.loops.loop_values import mentioned
from polyad.codegen.loops.nodes import Block, Guard, Instance, Load, Loop, Node, Store
from polyad.codegen.loops.scope import declared_variable
from polyad.codegen.loops.statement_accesses import cell_of
from polyad.codegen.loops.traversal import declared, expand, nodes, substitute
from polyad.codegen.lower.lowering import StoredProgram
from polyad.ir.affine import Affine

__all__ = ["fused_phases"]

Access = tuple[str, str, tuple[Affine, ...] | None, bool]
"""The piece of memory, the array, the element where no data decide, and whether it is written."""


def fused_phases(block: Block, known: StoredProgram) -> Block:
    """A block of steps with neighbouring loops fused, in all blocks inside of it."""

    def one(node: Node) -> Sequence[Node] | None:
        if isinstance(node, Loop) and isinstance(node.how, Parallel):
            return [node]
        return [replace(node, body=fused_phases(node.body, known))] if isinstance(node, Loop) else None

    made: list[Node] = []
    for node in expand(one, block).children:
        fused = _fused(made[-1], node, known) if made else None
        if fused is None:
            made.append(node)
        else:
            made[-1] = fused
    return Block(tuple(made))


def _fused(first: Node, second: Node, known: StoredProgram) -> Loop | None:
    """Two nodes as one loop; None where they are none."""
    match second:
        case Guard(then=Block((Loop() as nest,)), otherwise=None):
            guard: Guard | None = second
        case Loop() as nest:
            guard = None
        case _:
            return None
    if not isinstance(first, Loop) or not isinstance(first.how, Parallel) or first.how != nest.how:
        return None
    one, other = (loop_chain(o, lambda loop: isinstance(loop.how, Parallel)) for o in (first, nest))
    names = {o.iterator: Affine.of(own.iterator) for own, o in zip(one, other, strict=False)}
    if [(o.first, o.last, o.step) for o in one] != [(o.first, o.last, o.step) for o in other]:
        return None
    iterators = {o.iterator for o in one}
    if declared(other[-1].body) & iterators:
        return None  # what is inside has the names that these would get
    body = substitute(other[-1].body, names)
    assert isinstance(body, Block)
    if guard is not None and mentioned(guard.condition) & {*iterators, *names}:
        return None
    ours = [*_accesses(one[-1].body, known)]
    both = ((a, b) for b in _accesses(body, known) for a in ours if a[0] == b[0] and (a[3] or b[3]))
    if not all(_apart(a, b, iterators) for a, b in both) or _declared(one[-1].body, known) & _declared(body, known):
        return None
    inside = body.children if guard is None else (replace(guard, then=body),)
    nest = replace(one[-1], body=Block((*one[-1].body.children, *inside)))
    for loop in reversed(one[:-1]):
        nest = replace(loop, body=Block((nest,)))
    return nest


def _declared(block: Block, known: StoredProgram) -> set[str]:
    """The variables that a block declares."""
    return {v[0] for n in block.children if (v := declared_variable(n, known.touches)) is not None}


def _accesses(block: Block, known: StoredProgram) -> Iterator[Access]:
    for node in nodes(block):
        match node:
            case Instance(locals=own):
                for touch in known.touches[node.statement]:
                    if touch.array not in own:
                        yield known.place(touch.array), touch.array, cell_of(touch, node), touch.kind != "read"
            case Load(cell=cell) | Store(cell=cell):
                yield known.place(cell.array), cell.array, cell.index, isinstance(node, Store)
            case _:
                pass


def _apart(a: Access, b: Access, iterators: set[str]) -> bool:
    """Whether two accesses are to different elements of an array wherever their iterations differ."""
    if a[1] != b[1] or a[2] is None or b[2] is None:
        return False
    alike = [i for i, other in zip(a[2], b[2], strict=True) if i == other]
    return all(any((i - Affine.of(n)).names().isdisjoint(iterators) for i in alike) for n in iterators)
