"""Loops with one linear state become prefix scans between vector loops, a block of steps at a time.

    for (t ...) h[t + 1] = a[t] * h[t] + b[t];

becomes, with the state of the first step in h_state,

    for (t_0 ...) {
      for (t ...) { h_mul[t - t_0] = a[t]; h_add[t - t_0] = b[t]; }
      h_state = pa_scan_affine_up_f64(h_mul, h_add, h_state, h_before, t_n);
      for (t ...) h[t + 1] = h_mul[t - t_0] * h_before[t - t_0] + h_add[t - t_0];
    }

with all other statements of the body in the first or in the last loop. What the first computes in a C variable and the
last reads, too, is kept in a buffer like these. What has to hold is at the head of linear_state.py.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Literal

import numpy as np

from polyad.codegen.loops.how import Serial, Simd
from polyad.codegen.loops.linear_state import LinearState, linear_state
from polyad.codegen.loops.nodes import Block, Instance, Loop, Node, PrefixScan
from polyad.codegen.loops.terms import At, One, Term, leaves
from polyad.codegen.loops.traversal import expand
from polyad.codegen.lower.lowering import Lowering
from polyad.ir.affine import Affine
from polyad.ir.expr import Index, Indirect, Read, walk

__all__ = ["prefix_scans", "scan_loops"]

_STACK = 12 * 1024
"""Bytes that the buffers may take of the C stack: with more of them, there are fewer steps at a time."""

_FEWEST = 16
"""Steps of a block that are not halved any more."""


def prefix_scans(root: Block, known: Lowering) -> Block:
    """Put prefix scans in the place of loops with one linear state."""
    if not known.options.strategies.prefix:
        return root

    def one(node: Node) -> Sequence[Node] | None:
        if not isinstance(node, Loop) or node.how != Serial():
            return None
        state = linear_state(node, known.touches, known.statements, known.slots, known.options.machine)
        return None if state is None else [_scan(state, known)]

    return expand(one, root)


def scan_loops(scan: PrefixScan) -> tuple[Loop, Loop]:
    """The vector loops before and after the scan of a block, over all steps."""
    state, loop = scan.state, scan.state.loop
    low, high = loop.limits

    def over(instances: Sequence[Instance]) -> Loop:
        return replace(loop, first=low, last=high, step=1, how=Simd(), body=Block(tuple(instances)))

    # The buffers are filled from what the writer reads.
    return over((*state.first, state.writer)), over(state.second)


def _scan(state: LinearState, known: Lowering) -> PrefixScan:
    name, t = known.c_names[state.array], state.loop.iterator
    names = {
        part: known.fresh(f"{name}_{hint}")
        for part, hint in (("mul", "mul"), ("add", "add"), ("before", "before"), ("now", "state"), ("after", "after"))
    }
    names |= {"start": known.fresh(f"{t}_0"), "count": known.fresh(f"{t}_n")}
    for instance in state.kept:
        array = known.statements[instance.statement].array
        names[array] = known.fresh(f"{instance.locals[array]}_kept")
    kind = _kind(state, known)
    varying = {"sum": ("add",), "decay": ("add",), "prod": ("mul",), "affine": ("mul", "add")}[kind]
    terms = {"mul": state.update.mul, "add": state.update.add}
    standing = frozenset(p for p in varying if _stands(terms[p], state, known))
    buffers = [state.dtype] * (len(varying) - len(standing) + 1)
    kept = [known.arrays[known.statements[i.statement].array].dtype for i in state.kept]
    return PrefixScan(state, kind, standing, _steps(known.options.machine.scan_steps, [*buffers, *kept]), names)


def _kind(state: LinearState, known: Lowering) -> Literal["sum", "prod", "affine", "decay"]:
    mul, add = state.update.mul, state.update.add
    if mul == One():
        return "sum"
    if add is None:
        return "prod"
    return "decay" if mul is None or _is_invariant(mul, state, known) else "affine"


def _steps(most: int, dtypes: Sequence[str]) -> int:
    """As many steps at a time as leave the stack some room, with a buffer for each of these types."""
    one = sum(4 if dtype == "bool" else np.dtype(dtype).itemsize for dtype in dtypes)
    while most > _FEWEST and most * one > _STACK:
        most //= 2
    return most


def _stands(term: Term | None, state: LinearState, known: Lowering) -> bool:
    """Whether the values of consecutive steps are consecutive elements of an array that the loop does not write."""
    if not isinstance(term, At) or not isinstance(term.expr, Read) or term.expr.array in term.instance.locals:
        return False
    array, access = term.expr.array, term.expr.access
    written = {known.statements[i.statement].array for i in (*state.first, *state.second)}
    if array in {*written, state.array} or array in known.layouts or isinstance(access, Indirect):
        return False
    index, slots = known.index(term.expr, term.instance), known.slots.get(array, {})
    if not index or len(index) - 1 in slots:
        return False
    *outer, last = index
    if last is None or any(i != Affine.of(0) for d, i in enumerate(outer) if slots.get(d) != 1):
        return False
    return (last - Affine.of(state.loop.iterator)).is_constant


def _is_invariant(term: Term, state: LinearState, known: Lowering) -> bool:
    """Whether a number is the same in all steps: without the iterator and without what the loop computes."""
    arrays = {state.array, *(known.statements[i.statement].array for i in (*state.first, *state.second))}
    return not any(_varies(leaf, arrays, state.loop.iterator, known) for leaf in leaves(term))


def _varies(leaf: At, arrays: set[str], iterator: str, known: Lowering) -> bool:
    statement = known.statements[leaf.instance.statement]
    values = dict(zip(statement.dims, leaf.instance.args, strict=True))
    for node in walk(leaf.expr):
        match node:
            case Read(array):
                if array in arrays:
                    return True
                indices = () if array in leaf.instance.locals else known.index(node, leaf.instance)
                if any(i is not None and iterator in i.names() for i in indices):
                    return True
            case Index(value):
                if iterator in Affine.from_aff(value, statement.dims).substitute(values).names():
                    return True
            case _:
                pass
    return False
