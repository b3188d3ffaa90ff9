"""Launches: each nest of the outermost level is a kernel of its own, as parallel as its loops are.

    parallel for b                             launch
      parallel for i                             for b, grid(threads)
        y[b, i] = f(x[b, i])                       for i, merged
                                                     y[b, i] = f(x[b, i])

    parallel for b                             launch
      for t                                      for b, grid(blocks)
        parallel for i                             region
          h[t + 1, b, i] = f(h[t, b])                for t
                                                       for i, divided
                                                         h[t + 1, b, i] = f(h[t, b])

The outermost parallel loops, as far as nothing stands between them, are the grid, in tiles of a contraction (tiles.py),
or of prefix scans (scans.py).
Nests that have only the outer ones in common are launches of their own. Where parallel loops are left inside, such as
those of the steps of a recurrence, an iteration of the grid is the region of a block: its threads share them and meet
behind them (lower/regions.py says where). Where these steps have products, a team of blocks has several iterations
(teams.py). Where no parallel loop is outermost, the region is that of the only block, or team; where there is none at
all, or no thread can do something alone, one thread runs the nest.

What has to hold: a C variable is declared in the launch that uses it, since nothing but memory outlives one. So what
declares one, and all up to its last use, is one launch. Nothing is added up by several threads: sums are those of the
schedule, whatever the grid is, and so are their bits.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from polyad.codegen.cuda.block_sums import ALWAYS, is_worth_a_block, with_block_sums
from polyad.codegen.cuda.fused_phases import fused_phases
from polyad.codegen.cuda.groups import groups
from polyad.codegen.cuda.loop_chains import around, loop_chain
from polyad.codegen.cuda.scans import is_scan, scan_launches, without_scans
from polyad.codegen.cuda.step_products import products, with_products
from polyad.codegen.cuda.teams import in_phases
from polyad.codegen.cuda.tiles import is_worth_tiles, tile_of
from polyad.codegen.loops.how import Divided, Grid, Merged, Over, Parallel, Serial
from polyad.codegen.loops.nodes import (
    Barrier,
    Block,
    Guard,
    Launch,
    Let,
    Loop,
    Node,
    Parts,
    Region,
    Share,
    SlotPointer,
)
from polyad.codegen.loops.traversal import expand, instances, map_loops, nodes
from polyad.codegen.lower.lowering import StoredProgram
from polyad.codegen.lower.regions import shared_parts

__all__ = ["check_launch", "is_innermost", "launches"]


def launches(root: Block, known: StoredProgram) -> Block:
    """Make launches of plain loops."""
    nests = (Block(tuple(group)) for group in groups(root, known))
    parts = (part for nest in nests for part in _distributed(nest, known))
    return Block(tuple(Launch(body) for part in parts for body in _launched(part, known)))


def check_launch(loops: Block) -> Launch:
    """The launch of loops that test something, one iteration at a time: a thread has each."""
    match loops.children:
        case (Loop() as first,):
            free = map_loops(lambda loop: replace(loop, how=Parallel()), Block((first,)))
            (nest,) = free.children
            assert isinstance(nest, Loop), "loops are replaced, and nothing else"
            return Launch(Block((_grid(nest, _serial(_innermost(nest).body), "threads"),)))
        case _:
            return Launch(loops)


def is_innermost(loop: Loop) -> bool:
    """Whether no loop is inside of a loop: compilers then read ahead for several of its iterations."""
    return not any(isinstance(n, Loop | Parts) for n in nodes(loop.body))


def _distributed(block: Block, known: StoredProgram) -> Sequence[Block]:
    """A nest as several, where each of them has more parallel loops than they have in common.

    The iterations of a parallel loop have nothing to do with each other, so they may do one thing all before another.
    """
    *before, nest = block.children
    if not all(isinstance(n, SlotPointer | Let) for n in before):
        return [block]
    match nest:
        case Block():
            together = any(isinstance(n, SlotPointer | Let) for n in nest.children)
            parts = [nest] if together else [Block(tuple(group)) for group in groups(nest, known)]
            return [Block((*before, whole)) for part in parts for whole in _distributed(part, known)]
        case Guard(then=then, otherwise=None):
            return [Block((*before, replace(nest, then=part))) for part in _distributed(then, known)]
        case Loop(how=Parallel()):
            chain = _chain(nest)
            parts = [Block(tuple(group)) for group in groups(chain[-1].body, known)]
            if len(parts) > 1 and (all(_goes_on(chain, part) for part in parts) or any(map(is_scan, parts))):
                nests = (Block((*before, around(chain, part))) for part in parts)
                return [whole for part in nests for whole in _distributed(part, known)]
            return [block]
        case _:
            return [block]


def _goes_on(chain: Sequence[Loop], body: Block) -> bool:
    """Whether a body is one parallel loop more."""
    return len(_chain(around(chain, body))) > len(chain)


def _launched(block: Block, known: StoredProgram) -> Sequence[Block]:
    """The body of a launch, or of those of a prefix scan."""
    if (scans := scan_launches(block, known)) is not None:
        return scans
    block = without_scans(block)
    spread = _spread(block, known)
    return [_one_block(block, known) if spread is None else spread]


def _spread(block: Block, known: StoredProgram) -> Block | None:
    """A block with its one nest, below pointers and conditions, as a grid; None where that is no parallel loop."""
    *before, nest = block.children
    if not all(isinstance(n, SlotPointer | Let) for n in before):
        return None
    match nest:
        case Block():
            inside = _spread(nest, known)
            return None if inside is None else Block((*before, inside))
        case Guard(then=then, otherwise=None):
            inside = _spread(then, known)
            return None if inside is None else Block((*before, replace(nest, then=inside)))
        case Loop(how=Parallel()):
            return Block((*before, _over(nest, known)))
        case _:
            return None


def _over(nest: Loop, known: StoredProgram) -> Loop | Share:
    """A nest as a grid: of teams or of blocks, where these have something to share."""
    body = _innermost(nest).body
    if _is_parallel(body) or is_worth_a_block(_chain(nest), body, known):
        shared = with_block_sums(fused_phases(body, known), known)
        team = _team(nest, _has_sums(shared), known)
        if team is not None:
            return team
        parts = shared_parts(shared, known, meetings=known.meetings)
        if parts is not None:
            return _grid(nest, Block((_region(parts, known),)), "blocks")
    tile = tile_of(_chain(nest), _serial(body), known.touches)
    return _grid(nest, _serial(body), "tiles" if tile is not None and is_worth_tiles(tile) else "threads")


def _chain(nest: Loop) -> tuple[Loop, ...]:
    """The parallel loops that can be merged, outermost first."""
    return loop_chain(nest, lambda loop: isinstance(loop.how, Parallel))


def _innermost(nest: Loop) -> Loop:
    """The last of them."""
    return _chain(nest)[-1]


def _merged(nest: Loop, last: Loop, body: Block) -> Block:
    """The body of a nest whose loops down to `last` are merged, around another body."""
    if nest is last:
        return body
    (inside,) = nest.body.children
    assert isinstance(inside, Loop), "the loops of a nest are inside of each other"
    return Block((replace(inside, how=Merged(), body=_merged(inside, last, body)),))


def _grid(nest: Loop, body: Block, over: Over) -> Loop:
    return replace(nest, how=Grid(over), body=_merged(nest, _innermost(nest), body))


def _one_block(block: Block, known: StoredProgram) -> Block:
    """Return what the threads of one block run, or one thread."""
    shared = with_block_sums(fused_phases(block, known), known)
    if (_has_sums(shared) or _is_parallel(block)) and (
        parts := shared_parts(shared, known, meetings=known.meetings)
    ) is not None:
        return Block((_region(parts, known),))
    return _serial(block)


def _team(nest: Loop, has_sums: bool, known: StoredProgram) -> Share | None:
    """Parts of a nest for teams, where its steps have products; None where they have none."""

    def rows(block: Block, steps: int) -> Block:
        """The region of a block, which has a row."""
        names = {i.statement for i in instances(block)}
        inside = (place for place in known.meetings if not names <= place.names)  # others are of the team, behind it
        places = (replace(place, loops=place.loops - steps) for place in inside)
        shared = with_block_sums(fused_phases(block, known), known)
        parts = shared_parts(shared, known, meetings=frozenset(places))
        return block if parts is None else Block((Region(ALWAYS, _unwaited(_divided(parts))),))

    share = in_phases(_chain(nest), known, rows if has_sums else None)
    if share is None:
        return None
    parts = shared_parts(fused_phases(share.body, known), known, meetings=known.meetings)
    if parts is None:
        return None
    region = _region(parts, known)
    return replace(share, body=Block((region,)), work=ALWAYS) if products(region) else None


def _region(parts: Block, known: StoredProgram) -> Region:
    """Return what the threads of a block or team run, from its parts."""
    return Region(ALWAYS, with_products(_unwaited(_divided(parts)), known))


def _has_sums(block: Block) -> bool:
    return any(isinstance(n, Parts) for n in nodes(block))


def _is_parallel(block: Block) -> bool:
    return any(isinstance(n, Loop) and isinstance(n.how, Parallel) for n in nodes(block))


def _divided(block: Block) -> Block:
    """The loops that threads of a block share, merged with those directly inside."""

    def one(node: Node) -> Sequence[Node] | None:
        if not isinstance(node, Loop) or not isinstance(node.how, Divided):
            return None
        last = _innermost(node)
        own = any(isinstance(n, Region) for n in last.body.children)
        return [replace(node, how=replace(node.how, blocks=own), body=_merged(node, last, _serial(last.body)))]

    return _serial(expand(one, block))


def _serial(block: Block) -> Block:
    """A block whose parallel loops run one iteration after the other."""
    return map_loops(lambda loop: replace(loop, how=Serial()) if isinstance(loop.how, Parallel) else loop, block)


def _unwaited(block: Block) -> Block:
    """A block behind which nobody waits: the region ends there, and what comes next has nothing to do with it."""
    match block.children:
        case (*before, Loop(how=Divided() as how) as last):
            return Block((*before, replace(last, how=replace(how, wait=False))))
        case (*before, Barrier()):
            return Block(tuple(before))
        case _:
            return block
