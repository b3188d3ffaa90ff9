"""Contractions in the rows of other things, such as those around the softmax of attention, become nests of their own.

    parallel for i                                parallel for i
      max m                                         parallel for j
      for j                                           s[i, j] = sum of q[i, d] * k[j, d] over d
        s[i, j] = sum of q[i, d] * k[j, d]        parallel for i
        m max= s[i, j]                              max m
      for j: s[i, j] = exp(s[i, j] - m)      ->     for j: m max= s[i, j]
      parallel for e                                for j: s[i, j] = exp(s[i, j] - m)
        o[i, e] = sum of s[i, j] * v[j, e]        parallel for i
                                                    parallel for e
                                                      o[i, e] = sum of s[i, j] * v[j, e]

As a part of a row each product would read all of its second operand; in tiles (tiles.py) a block reads it for many
rows. What is between them is in memory already, or stays where it is.

What must hold. The iterations of a parallel loop have nothing to do with each other, so one thing may be done for all
of them before another. A loop that is none is divided where its iterations touch elements of their own: what two parts
have in common lies in one place of an array, which moves with the loop, and they share no C variable. And a product
moves in front of what it shares nothing with.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from polyad.codegen.cuda.loop_chains import around, loop_chain
from polyad.codegen.cuda.memory_accesses import MemoryAccess, memory_accesses
from polyad.codegen.cuda.tiles import is_worth_tiles, tile_of
from polyad.codegen.loops.how import Parallel, Serial
from polyad.codegen.loops.nodes import Block, Guard, Instance, Load, Loop, Node, Store
from polyad.codegen.loops.scope import declared_variable
from polyad.codegen.loops.traversal import nodes
from polyad.codegen.loops.variables import declared_in, outer_uses
from polyad.codegen.lower.lowering import StoredProgram
from polyad.ir.affine import Affine, FloorDiv

__all__ = ["products_apart"]


def products_apart(root: Block, known: StoredProgram) -> Block:
    """Divide the nests of the outermost level that have products among other things."""
    return Block(tuple(_apart(node, known) for node in root.children))


def _apart(node: Node, known: StoredProgram) -> Node:
    """A nest as one node: arrays are known to be used in nests by their numbers."""
    match node:
        case Block():
            return Block(tuple(_apart(child, known) for child in node.children))
        case Loop(how=Parallel()):
            chain = loop_chain(node, lambda loop: isinstance(loop.how, Parallel))
            parts = _parts(chain, known)
            if len(parts) < 2 or not any(_is_product(chain, part, known) for part in parts):
                return node
            return Block(tuple(around(chain, Block(tuple(part))) for part in parts))
        case _:
            return node


def _parts(chain: Sequence[Loop], known: StoredProgram) -> list[list[Node]]:
    """The body of parallel loops: products one by one, and what is left between them."""
    found: list[Node] = []
    for child in chain[-1].body.children:
        divided = _divided(chain, child, known)
        for node in divided:
            place = len(found)
            while len(divided) > 1 and place and _disjoint(found[place - 1], node, known):
                place -= 1
            found.insert(place if _is_product(chain, [node], known) else len(found), node)
    parts: list[list[Node]] = []
    for place, node in enumerate(found):
        alone = _is_product(chain, [node], known) and not _shares_variables(found, place, known)
        if alone or not parts or _is_product(chain, parts[-1], known):
            parts.append([node])
        else:
            parts[-1].append(node)
    return parts if all(_is_closed(part, found, known) for part in parts) else []


def _is_product(chain: Sequence[Loop], part: Sequence[Node], known: StoredProgram) -> bool:
    """Whether it is a loop more, around a contraction that tiles are worth."""
    match part:
        case (Loop(how=Parallel()) as loop,):
            loops = loop_chain(around(chain, Block((loop,))), lambda o: isinstance(o.how, Parallel))
            tile = tile_of(loops, loops[-1].body, known.touches) if len(loops) > len(chain) else None
            return tile is not None and is_worth_tiles(tile)
        case _:
            return False


def _divided(chain: Sequence[Loop], node: Node, known: StoredProgram) -> list[Node]:
    """A loop as two, the first of them a product; any other node as it is."""
    if not isinstance(node, Loop) or not isinstance(node.how, Serial) or node.step != 1:
        return [node]
    children = node.body.children
    for end in range(1, len(children) + 1):
        first, rest = Block(children[:end]), Block(children[end:])
        product = replace(node, body=first, how=Parallel())
        if _is_product(chain, [product], known):
            kept = replace(node, body=rest)
            mine, other = _Accesses.of(first, known), _Accesses.of(rest, known)
            if mine is None or other is None or declared_in(first, known.touches) & other.variables:
                continue
            if not mine.moves_alone(mine, node) or not mine.moves_alone(other, node):
                continue
            return [product, kept] if rest.children else [product]
    return [node]


@dataclass(frozen=True, slots=True)
class _Accesses:
    """The accesses that nodes have in common with others.

    Attributes:
        memory: their accesses.
        variables: of the nodes around them.
        inside: the iterators of the loops in them.
        folded: arrays whose elements share places.
    """

    memory: tuple[MemoryAccess, ...]
    variables: frozenset[str]
    inside: frozenset[str]
    folded: frozenset[str]

    @staticmethod
    def of(node: Node, known: StoredProgram) -> _Accesses | None:
        """Those of a node; None where there is something else in it than loops and statements."""
        inner = [*nodes(node)]
        if not all(isinstance(n, Block | Loop | Guard | Instance | Load | Store) for n in inner):
            return None
        storage = known.storage
        return _Accesses(
            tuple(memory_accesses(node, known)),
            frozenset(use.variable for use in outer_uses(node, known.touches)),
            frozenset(n.iterator for n in inner if isinstance(n, Loop)),
            frozenset({*storage.slots, *storage.layouts, *storage.copies}),
        )

    def moves_alone(self, other: _Accesses, loop: Loop) -> bool:
        """Whether each iteration of a loop has what the two have in common for itself."""
        if self.variables & other.variables:
            return False
        inside = self.inside | other.inside
        return all(
            a.array == b.array
            and a.array not in self.folded
            and a.cell is not None
            and a.cell == b.cell
            and any(_tells(index, loop.iterator, inside) for index in a.cell)
            for a in self.memory
            for b in other.memory
            if a.conflicts(b)
        )


def _tells(index: Affine, iterator: str, inside: frozenset[str]) -> bool:
    """Whether an index is another one in each iteration of a loop."""
    whole = any(isinstance(atom, FloorDiv) and iterator in atom.numerator.names() for atom, _ in index.terms)
    return iterator in index.names() and not whole and not index.names() & inside


def _disjoint(one: Node, other: Node, known: StoredProgram) -> bool:
    """Whether two nodes have nothing in common that one of them changes."""
    a, b = _Accesses.of(one, known), _Accesses.of(other, known)
    variable = declared_variable(one, known.touches)
    if a is None or b is None or a.variables & b.variables or (variable is not None and variable[0] in b.variables):
        return False
    return not any(x.conflicts(y) for x in a.memory for y in b.memory)


def _shares_variables(found: Sequence[Node], place: int, known: StoredProgram) -> bool:
    """Whether a node uses C variables of those around it."""
    return any(True for _ in outer_uses(found[place], known.touches))


def _is_closed(part: Sequence[Node], found: Sequence[Node], known: StoredProgram) -> bool:
    """Whether no C variable that is declared in a part is used in another one."""
    own = {v[0] for node in part if (v := declared_variable(node, known.touches))}
    others = (node for node in found if not any(node is n for n in part))
    return not any(use.variable in own for node in others for use in outer_uses(node, known.touches))
