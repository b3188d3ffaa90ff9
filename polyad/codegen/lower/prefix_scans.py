"""Loops marked `prefix`, with one linear state, become prefix scans between vector loops, a block of steps at a time.

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

from polyad.analysis.linear import At, One, Term, leaves
from polyad.codegen.loops.how import Prefix, Serial
from polyad.codegen.loops.linear_state import linear_state
from polyad.codegen.loops.nodes import Block, Instance, LinearState, Loop, Node, PrefixScan, ScanKind
from polyad.codegen.loops.traversal import expand
from polyad.codegen.lower.lowering import StoredProgram
from polyad.ir.affine import Affine
from polyad.ir.element_types import item_bytes
from polyad.ir.expr import Expr, Index, Indirect, Read, walk
from polyad.machine import Machine

__all__ = ["prefix_scans"]


def prefix_scans(root: Block, known: StoredProgram) -> Block:
    """Put prefix scans in the place of loops marked `prefix` that carry one number linearly."""

    def one(node: Node) -> Sequence[Node] | None:
        match node:
            case Loop(how=Prefix(steps, mark)):
                plain = replace(node, how=Serial())
                options, slots = known.options, known.storage.slots
                strides = options.strategies.nested
                state = linear_state(plain, known.touches, known.statements, slots, options.machine, strides)
                scan = None if state is None else _scan(state, steps, mark, known)
                return expand(one, Block((plain,))).children if scan is None else [scan]
            case _:
                return None

    return expand(one, root)


def _scan(state: LinearState, most: int, mark: int | None, known: StoredProgram) -> PrefixScan:
    name, t = known.names.arrays[state.array], state.loop.iterator
    names = {
        part: known.fresh(f"{name}_{hint}")
        for part, hint in (("mul", "mul"), ("add", "add"), ("before", "before"), ("now", "state"), ("after", "after"))
    }
    names |= {"start": known.fresh(f"{t}_0"), "count": known.fresh(f"{t}_n")}
    names |= {"end": known.fresh(f"{t}_end")} if state.loop.step < 0 else {}
    arrays = {known.statements[i.statement].array: i for i in state.kept}
    kept = {a: known.fresh(f"{i.locals[a]}_kept") for a, i in arrays.items()}
    terms = {"mul": state.update.mul, "add": state.update.add}
    standing = frozenset(part for part, term in terms.items() if _stands(term, state, known))
    scan = PrefixScan(state, _kind(state, known), standing, most, names, kept, mark=mark)
    dtypes = [state.dtype] * (len(scan.buffers) + 1) + [known.dtypes[a] for a in kept]
    return replace(scan, steps=_steps(most, dtypes, known.options.machine))


def _kind(state: LinearState, known: StoredProgram) -> ScanKind:
    mul, add = state.update.mul, state.update.add
    if mul == One():
        return "sum"
    if add is None:
        return "prod"
    return "decay" if mul is None or _is_invariant(mul, state, known) else "affine"


def _steps(most: int, dtypes: Sequence[str], machine: Machine) -> int:
    """As many steps at a time as buffers stay in cache for, with one for each of these types."""
    one = sum(4 if dtype == "bool" else item_bytes(dtype) for dtype in dtypes)
    while most > machine.piece and most * one > machine.scan_bytes:
        most //= 2
    return most


def _stands(term: Term | None, state: LinearState, known: StoredProgram) -> bool:
    """Whether the values of consecutive steps are consecutive elements of an array that the loop does not write."""
    if not isinstance(term, At) or not isinstance(term.expr, Read):
        return False
    array, access, instance = term.expr.array, term.expr.access, state.instance(term)
    written = {known.statements[i.statement].array for i in (*state.first, *state.second)}
    if (
        array in {*written, *instance.locals, state.array}
        or array in known.storage.layouts
        or isinstance(access, Indirect)
    ):
        return False
    index, slots = known.index(term.expr, instance), known.storage.slots.get(array, {})
    if not index or len(index) - 1 in slots:
        return False
    *outer, last = index
    if last is None or any(i != Affine.of(0) for d, i in enumerate(outer) if slots.get(d) != 1):
        return False
    return (last - Affine.of(state.loop.iterator)).is_constant


def _is_invariant(term: Term, state: LinearState, known: StoredProgram) -> bool:
    """Whether a number is the same in all steps: without the iterator and without what the loop computes."""
    arrays = {state.array, *(known.statements[i.statement].array for i in (*state.first, *state.second))}
    return not any(_varies(at.expr, state.instance(at), arrays, state.loop.iterator, known) for at in leaves(term))


def _varies(expr: Expr, instance: Instance, arrays: set[str], iterator: str, known: StoredProgram) -> bool:
    statement = known.statements[instance.statement]
    values = dict(zip(statement.dims, instance.args, strict=True))
    for node in walk(expr):
        match node:
            case Read(array):
                if array in arrays:
                    return True
                indices = () if array in instance.locals else known.index(node, instance)
                if any(i is not None and iterator in i.names() for i in indices):
                    return True
            case Index(value):
                if iterator in Affine.from_aff(value, statement.dims).substitute(values).names():
                    return True
            case _:
                pass
    return False
