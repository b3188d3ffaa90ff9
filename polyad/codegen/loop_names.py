"""Iterators by the statements' own names, and loops that run in the direction of those names.

isl calls iterators c0, c1, ... A loop whose iterator is dimension t of the statements in it becomes a loop over t.
Where it is E - t (time reversed, say), the loop is rewritten to run over t downwards, so that no text has to say
E - c0.

Property: names decide nothing. A statement may call its dimensions c0, c1, ... too; so isl's iterators first get names
that no dimension can have, and an outer loop that becomes c2 does not catch what an inner one, still isl's c2, means.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from polyad.codegen.loops.how import Parallel
from polyad.codegen.loops.loop_values import add, names_of, scale
from polyad.codegen.loops.nodes import Block, Let, Loop, Node, Share
from polyad.codegen.loops.traversal import declared, instances, nodes, substitute, with_blocks
from polyad.codegen.names import c_name
from polyad.ir.affine import Affine, FloorDiv
from polyad.ir.names import unique_name

__all__ = ["name_loops"]

_TILE = "_tile"
"""What the iterator over tiles of i ends with: i_tile. One that parallel tiles hang on counts waves."""


def name_loops(root: Block, dims: Mapping[str, tuple[str, ...]], taken: set[str]) -> Block:
    """Rename all iterators.

    Args:
        root: loops with isl's iterators.
        dims: statement name -> names of its dimensions.
        taken: identifiers that mean something else.
    """
    return _named_block(_apart(root), dims, taken)


def _apart(block: Block) -> Block:
    """Every iterator with a mark behind it that no identifier has."""
    children: list[Node] = []
    rest = list(block.children)
    while rest:
        node = rest.pop(0)
        if isinstance(node, Let):
            rest = [substitute(n, {node.name: Affine.of(f"{node.name}'")}) for n in rest]
            node = Let(f"{node.name}'", node.value)
        elif isinstance(node, Loop):
            body = substitute(node.body, {node.iterator: Affine.of(f"{node.iterator}'")})
            assert isinstance(body, Block)
            node = replace(node, iterator=f"{node.iterator}'", body=body)
        children.append(with_blocks(_apart, node))
    return Block(tuple(children))


def _named_block(block: Block, dims: Mapping[str, tuple[str, ...]], taken: set[str]) -> Block:
    children: list[Node] = []
    rest = list(block.children)
    while rest:
        node = rest.pop(0)
        if isinstance(node, Let):
            name = unique_name(c_name(_proposal(node.name, Block(tuple(rest)), dims)[0]), taken)
            children.append(Let(name, node.value))
            taken = taken | {name}
            rest = [substitute(n, {node.name: Affine.of(name)}) for n in rest]
        else:
            children.append(_named(node, dims, taken))
    return Block(tuple(children))


def _named(node: Node, dims: Mapping[str, tuple[str, ...]], taken: set[str]) -> Node:
    if isinstance(node, Loop):
        node = _renamed(node, dims, taken)
        taken = taken | {node.iterator}
    elif isinstance(node, Share):
        taken = taken | {node.first, node.last}
    return with_blocks(lambda block: _named_block(block, dims, taken), node)


def _renamed(loop: Loop, dims: Mapping[str, tuple[str, ...]], taken: set[str]) -> Loop:
    proposal, form = _proposal(loop.iterator, loop.body, dims)
    name = unique_name(c_name(proposal), taken)
    sign = dict(form.terms)[loop.iterator]
    # iterator = sign * (name - offset), name = sign * iterator + offset
    offset = form - Affine.of(loop.iterator) * sign
    value = (Affine.of(name) - offset) * sign
    body = substitute(loop.body, {loop.iterator: value})
    assert isinstance(body, Block)
    return replace(
        loop,
        iterator=name,
        first=add(scale(loop.first, sign), offset),
        last=add(scale(loop.last, sign), offset),
        step=loop.step * sign,
        body=body,
    )


def _proposal(iterator: str, body: Block, dims: Mapping[str, tuple[str, ...]]) -> tuple[str, Affine]:
    """A name for an iterator and the dimension of that name in terms of the iterator, coefficient 1 or -1."""
    plain = Affine.of(iterator)
    moved: tuple[str, Affine] | None = None
    inner = declared(body)
    for instance in instances(body):
        for name, arg in zip(dims[instance.statement], instance.args, strict=True):
            if arg == plain:
                return name, plain
            unit = abs(dict(arg.terms).get(iterator, 0)) == 1
            if moved is None and unit and _only_outer(arg - plain, iterator, inner):
                moved = name, arg
    diagonal = _diagonal(iterator, body, inner)
    if diagonal is not None:
        return "diagonal", diagonal
    if moved is not None:
        return moved
    inside = [n for n in nodes(body) if isinstance(n, Loop) and iterator in names_of(n.first) | names_of(n.last)]
    for node in inside:
        found = _proposal(node.iterator, node.body, dims)[0]
        if isinstance(node.how, Parallel) and found.endswith(_TILE):
            return "wave", plain
    if inside:
        return f"{_proposal(inside[0].iterator, inside[0].body, dims)[0]}{_TILE}", plain
    return "step", plain


def _diagonal(iterator: str, body: Block, inner: set[str]) -> Affine | None:
    """i + j where a dimension i is the iterator, forwards or backwards, less the iterators j of inner loops."""
    for instance in instances(body):
        for arg in instance.args:
            loops = tuple((atom, c) for atom, c in arg.terms if atom in inner)
            divided = any(isinstance(atom, FloorDiv) for atom, _ in arg.terms)
            if abs(dict(arg.terms).get(iterator, 0)) == 1 and loops and not divided:
                return arg - Affine(loops, 0)
    return None


def _only_outer(rest: Affine, iterator: str, inner: set[str]) -> bool:
    """No iterator of an inner loop, and the iterator itself in no division."""
    divided = any(iterator in atom.numerator.names() for atom, _ in rest.terms if isinstance(atom, FloorDiv))
    return not divided and not (rest.names() & inner)
