"""Prefix scans over all blocks of a grid: rows of steps s = mul * s + add, side by side.

    for i, parallel                    launch
      scan affine: for t ...             for i, grid(scans)
        h[i, t] = a[i, t] * h[i, t - 1]    scan affine, part totals
                + b[i, t]              launch
                                         for i, grid(scans)
                                           scan affine, part states

A row is cut into segments, and a block has one of them: the first launch combines the steps of each, the second one
those of the segments before its own, and then runs its own. Steps are read twice so, and written once. Where rows are
short, or many, one launch does it, and a block has a row (polyad_cuda_scans.h).

What has to hold: steps have nothing to do with each other but for the state, which linear_state.py proves; what the
first launch runs writes nothing but C variables, since the second one runs it again; and steps leave nothing in these.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from polyad.codegen.cuda.loop_chains import iterations, loop_chain
from polyad.codegen.loops.how import Divided, Grid, Merged, Parallel
from polyad.codegen.loops.loop_values import mentioned
from polyad.codegen.loops.nodes import Block, Guard, Instance, Let, Loop, Node, PrefixScan, ScanPart, SlotPointer
from polyad.codegen.loops.statement_accesses import Touches, cell_of
from polyad.codegen.loops.traversal import expand
from polyad.codegen.lower.lowering import StoredProgram
from polyad.machine.device import DEVICE

__all__ = ["is_scan", "scan_kind", "scan_launches", "scan_rows", "without_scans"]


def scan_launches(block: Block, known: StoredProgram) -> Sequence[Block] | None:
    """Return what the launches of a prefix scan run; None for a block that is none, below parallel loops."""
    *before, nest = block.children
    if not all(isinstance(n, SlotPointer | Let) for n in before):
        return None
    match nest:
        case Block():
            inside = scan_launches(nest, known)
            return inside and [Block((*before, part)) for part in inside]
        case Guard(then=then, otherwise=None):
            inside = scan_launches(then, known)
            return inside and [Block((*before, replace(nest, then=part))) for part in inside]
        case Loop() | PrefixScan():
            rows, scan = scan_rows(nest)
            if scan is None or not all(isinstance(o.how, Parallel) for o in rows) or _keeps(scan, known):
                return None
            return [Block((*before, node)) for node in _parts(rows, scan, known)]
        case _:
            return None


def is_scan(block: Block) -> bool:
    """Whether a block is a prefix scan, and nothing beside it."""
    return len(block.children) == 1 and isinstance(block.children[0], PrefixScan)


def scan_rows(nest: Node) -> tuple[tuple[Loop, ...], PrefixScan | None]:
    """The loops over the rows of a scan, outermost first, and the scan in them, None where there is none."""
    match nest:
        case PrefixScan():
            return (), nest
        case Loop():
            rows = loop_chain(nest, lambda loop: isinstance(loop.how, Parallel | Merged))
            match rows[-1].body.children:
                case (PrefixScan() as scan,):
                    return rows, scan
    return (), None


def scan_kind(scan: PrefixScan) -> str:
    """The part of steps that varies, in the words of the header: a factor that does not is passed with each term."""
    return "affine" if scan.kind == "decay" else scan.kind


def without_scans(block: Block) -> Block:
    """A block with its scans as loops, one step after the other."""

    def one(node: Node) -> Sequence[Node] | None:
        return [node.state.loop] if isinstance(node, PrefixScan) else None

    return expand(one, block)


def _keeps(scan: PrefixScan, known: StoredProgram) -> bool:
    """Whether steps leave something in C variables, for those behind the scan or for other steps."""
    return bool(scan.kept) or any(known.statements[i.statement].reduction is not None for i in _instances(scan))


def _instances(scan: PrefixScan) -> Iterator[Instance]:
    return (i for i in scan.state.loop.body.children if isinstance(i, Instance))


def _parts(rows: Sequence[Loop], scan: PrefixScan, known: StoredProgram) -> list[Node]:
    lanes = DEVICE.scan_lanes if _lies_across(rows, scan, known.touches) else 1
    threads = Divided(None, scan.state.loop.how)
    scan = replace(scan, lanes=lanes, standing=frozenset(), first=threads, second=threads)
    parts: tuple[ScanPart, ...] = ("totals", "states") if _has_segments(rows, scan, known) else ("all",)
    return [_grid(rows, replace(scan, part=part)) for part in parts]


def _grid(rows: Sequence[Loop], scan: PrefixScan) -> Node:
    node: Node = scan
    for loop in reversed(rows):
        node = replace(loop, how=Grid("scans") if loop is rows[0] else Merged(), body=Block((node,)))
    return node


def _depends(rows: Sequence[Loop], scan: PrefixScan) -> bool:
    """Whether rows have different steps."""
    loop = scan.state.loop
    return bool((mentioned(loop.first) | mentioned(loop.last)) & {o.iterator for o in rows})


def _lies_across(rows: Sequence[Loop], scan: PrefixScan, touches: Touches) -> bool:
    """Whether neighbours in memory are those of a step, rather than the steps of a row."""
    if not rows or _depends(rows, scan):
        return False
    count = iterations(rows[-1:])
    if count is not None and count < DEVICE.scan_lanes // 4:
        return False
    last = [
        cell[-1].names()
        for i in _instances(scan)
        for t in touches[i.statement]
        if t.array not in i.locals and (cell := cell_of(t, i))
    ]
    return sum(rows[-1].iterator in n for n in last) > sum(scan.state.loop.iterator in n for n in last)


def _has_segments(rows: Sequence[Loop], scan: PrefixScan, known: StoredProgram) -> bool:
    """Whether it may pay to cut rows: sizes that nobody knows are large, of rows they are few."""
    if _depends(rows, scan) or any(known.touches[i.statement][0].array not in i.locals for i in scan.state.first):
        return False
    steps, count = iterations((scan.state.loop,)), iterations(rows)
    groups = 1 if count is None else count // scan.lanes
    return (steps is None or steps > DEVICE.scan_steps // scan.lanes) and 2 * groups <= DEVICE.scan_blocks
