"""Temporaries lie in memory as the arrays that they are computed with: one order of dimensions for what goes together.

    e[j, k] = exp(x[k, j] - m[j])      e strides along k where x does not, and the other way round
    s[j]   += e[j, k]

The order of the dimensions of `e` is that of the words it was written in: of a formula's parameters, a batch in front,
a sum's own index behind. Inputs and results lie as their owner wants, and e goes along with them:

    e[k, j] = exp(x[k, j] - m[j])
    s[j]   += e[k, j]

So programs that differ in words alone become the same one before loops are chosen, which follow memory.

An array whose order is known votes, in every statement, for that of the temporaries there: its last dimension ought to
be last in them too, if it has the one that is last in them now. Most votes win; a temporary that has any is known from
there on. Products of matrices do not vote: their operands are packed, or read as they lie.

What must hold: every access to an array is renumbered alike; an array that is accessed through data, or by a scan,
stays. A dimension along which a recurrence steps never becomes the last one, since slots along it are used in turn. An
index of one value is not left behind the others: what is contiguous is told by the last one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

import islpy as isl

from polyad.analysis.contraction import sums_products
from polyad.analysis.plain_axes import plain_axes
from polyad.ir.program import Program
from polyad.transforms.passes.layout.columns_last import columns_last, innermost, only_affine
from polyad.transforms.rewrite.array_graph import array_components

__all__ = ["memory_order"]

Positions = tuple[str, list[int | None]]  # an array, and for each dimension of the statement the index that it is


def memory_order(program: Program) -> Program:
    """Renumber temporaries by what they are computed with.

    Makes smaller: the number of arrays that statements stride through.

    Args:
        program: of any kind.
    """
    affine = only_affine(program)
    movable = {n: a for n, a in program.arrays.items() if a.is_movable and len(a.shape) > 1 and n in affine}
    if not movable:
        return program
    groups = _accesses(program)
    steps = _steps(program, groups)
    now = {n: innermost(a) for n, a in program.arrays.items()}
    last = {n: now[n] for n, a in program.arrays.items() if n not in movable and a.role != "temporary"}
    waiting = [n for n in program.arrays if n in movable]
    touching: dict[str, list[list[Positions]]] = {n: [] for n in waiting}
    for group in groups:
        for name in {n for n, _ in group if n in touching}:
            touching[name].append(group)
    while waiting:
        votes = {n: _votes(n, now[n], touching[n], last) for n in waiting}
        decided = [n for n in waiting if votes[n]]
        for name in decided:
            best = max(votes[name], key=lambda p: (votes[name][p], p == now[name], p))
            last[name] = now[name] if (name, best) in steps else best
        waiting = [n for n in waiting if n not in last]
        if not decided:
            break
    found = {n: last.get(n, now[n]) for n in movable}
    moved = {n: p for n, p in found.items() if p != len(program.arrays[n].shape) - 1 and (n, p) not in steps}
    return columns_last(program, moved) if moved else program


def _accesses(program: Program) -> list[list[Positions]]:
    """For each statement what it accesses at affine places, but of products of matrices."""
    found = []
    for s in program.statements:
        if s.reduction == "sum" and sums_products(s) and len(list(s.reads())) > 1:
            continue
        accesses = s.accesses()
        found.append([(n, plain_axes(a, len(s.dims))) for n, a in accesses if isinstance(a, isl.MultiAff)])
    return found


def _votes(name: str, now: int, groups: list[list[Positions]], last: Mapping[str, int]) -> Counter[int]:
    """Index of the array -> how many arrays of a known order have it last, and what is last now, and one more index."""
    votes: Counter[int] = Counter()
    for group in groups:
        for _, mine in (p for p in group if p[0] == name):
            for other, theirs in group:
                if other not in last or other == name or last[other] not in theirs:
                    continue
                position = mine[theirs.index(last[other])]
                shared = {m for m, t in zip(mine, theirs, strict=True) if m is not None and t is not None and t >= 0}
                if position is not None and position >= 0 and now in shared and shared - {now, -1}:
                    votes[position] += 1
    return votes


def _steps(program: Program, groups: list[list[Positions]]) -> set[tuple[str, int]]:
    """The indices (array, which one) along which recurrences step, and those of others that go along with them."""
    recurrent = {a for c in array_components(program) if c.recurrent for a in c.arrays}
    steps: set[tuple[str, int]] = set()
    for s in program.statements:
        for array, access in s.accesses():
            if array in recurrent and isinstance(access, isl.MultiAff):
                plain = plain_axes(access, len(s.dims))
                rank = access.dim(isl.dim_type.out)
                steps |= {(array, i) for i in range(rank) if i not in plain and not access.get_aff(i).is_cst()}
    while True:
        more = {
            (array, index)
            for group in groups
            for d in {d for n, p in group for d, i in enumerate(p) if (n, i) in steps}
            for array, mine in group
            if (index := mine[d]) is not None and index >= 0
        } - steps
        if not more:
            return steps
        steps |= more
