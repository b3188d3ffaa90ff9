"""Pieces of a definition that say the same are one: `a[0] = b[0]; a[i] = b[i] for i > 0` is `a[i] = b[i]`.

The adjoint of a recurrence comes in such pieces where its base case and its steps read an input alike. Which instance
of the one stands for an instance of the other is what their writes say: a base case may count over fewer dimensions.

In the steps of a recurrence, pieces also say the same where they read elements that are N apart, of N: a ring that was
put together of slices is one that `roll` turns, and its adjoint likewise.

    c[t, 0] = u[t, N - 1];  c[t, i] = u[t, i - 1] for i > 0    ->    c[t, i] = u[t, (i - 1) % N]

What must hold: the domain of the result is the union of both, no instance more, and on each the equation is the same,
constants to the last bit. Reads are inside of their arrays: an index that is N too large or too small for one piece,
and right for the other, is for both of them its remainder.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import islpy as isl

from polyad import islx
from polyad.ir.affine import Affine
from polyad.ir.expr import Apply, Const, Expr, Index, Read, Select, render
from polyad.ir.program import Program
from polyad.ir.statement import Statement
from polyad.transforms.rewrite.array_graph import array_components
from polyad.transforms.rewrite.fold import rebuild_statement, replacing
from polyad.transforms.rewrite.inverse_access import inverse_access
from polyad.transforms.rewrite.map_indices import map_indices
from polyad.transforms.rewrite.rename import rename_statement

__all__ = ["join_pieces"]


def join_pieces(program: Program) -> Program:
    """Join two definitions of one array where the second's equation also holds on the domain of the first.

    Makes smaller: the number of statements. The union of the domains has to be one convex piece, so that it makes one
    loop nest.

    Args:
        program: any program.
    """
    statements = {s.name: s for s in program.statements}
    recurrent = {a for c in array_components(program) if c.recurrent for a in c.arrays}
    axes = _rings(program)
    for array, writers in program.writers().items():
        rings = axes if array in recurrent else {}
        # Terms of sums are joined where they are those of a ring.
        pieces = [s for s in writers if s.reduction is None or rings]
        for position in range(len(pieces)):
            piece = pieces[position]  # what earlier ones may have joined
            for n, other in enumerate(pieces[position + 1 :], position + 1):
                joined = _joined(piece, other, program.context, rings) or _joined(other, piece, program.context, rings)
                if joined is not None:
                    del statements[piece.name]
                    pieces[n] = statements[other.name] = rename_statement(joined, other.name)
                    break
    if len(statements) == len(program.statements):
        return program
    return program.with_statements(statements[s.name] for s in program.statements if s.name in statements)


Rings = Mapping[tuple[str, int], int]  # (array, axis) -> the extent that indices may turn around
Turns = dict[int, set[int]]  # id of a read -> the axes along which its index has to be a remainder


def _rings(program: Program) -> Rings:
    """The axes of fixed extent."""
    axes = ((a, d, e) for a in program.arrays.values() for d, e in enumerate(a.shape))
    return {(a.name, d): e.constant for a, d, e in axes if e.is_constant and e.constant > 1}


def _joined(special: Statement, general: Statement, context: isl.Set, rings: Rings) -> Statement | None:
    """`general` on both domains, or None where its equation is not that of `special` there."""
    if special.reduction != general.reduction or _arrays(special) != _arrays(general):
        return None
    place = _place(special, general)
    if place is None or special.params() != general.params():
        return None
    there = map_indices(
        general,
        special.domain.get_space(),
        lambda index: index.pullback_multi_aff(place),
        lambda may: may.apply_domain(place.as_map().reverse()),
    )
    if not isinstance(special.write, isl.MultiAff) or not isinstance(there.write, isl.MultiAff):
        return None
    if not _same_function(special.write, there.write, special.domain):
        return None
    turns: Turns = {}
    if not _same(special.body, there.body, special.domain, rings, turns):
        return None
    placed = special.domain.apply(place.as_map())
    if general.reduction is not None and not placed.is_disjoint(general.domain):
        return None
    union = general.domain.union(placed).intersect_params(context).coalesce().gist_params(context)
    if union.n_basic_set() != 1:
        return None
    pairs = zip(there.reads(), general.reads(), strict=True)
    turned: list[tuple[Expr, Expr]] = []
    for seen, read in pairs:
        if id(seen) in turns:
            if (new := _turned(read, general, turns[id(seen)], rings)) is None:
                return None
            turned.append((read, new))
    return replace(rebuild_statement(general, replacing(*turned)), domain=islx.name_dims(union, general.dims))


def _arrays(s: Statement) -> list[str]:
    return [r.array for r in s.reads()]


def _turned(read: Read, s: Statement, axes: set[int], rings: Rings) -> Read | None:
    """The read whose indices along some axes are their remainders; None where one is not a dimension and a number."""
    assert isinstance(read.access, isl.MultiAff)
    affs = [read.access.get_aff(d) for d in range(read.access.dim(isl.dim_type.out))]
    for d in axes:
        index = Affine.from_aff(affs[d], s.dims)
        if len(index.terms) != 1 or index.terms[0] not in {(n, c) for n in s.dims for c in (1, -1)}:
            return None
        index = index % rings[read.array, d]
        affs[d] = index.to_aff(s.space(), islx.positions(s.params(), s.dims))
    return replace(read, access=islx.multi_aff(s.space(), read.array, affs))


def _place(special: Statement, general: Statement) -> isl.MultiAff | None:
    """{ special[d] -> general[e] }, where both write one element if they ever do; None where no such form is seen."""
    if not isinstance(special.write, isl.MultiAff):
        return None
    inverse = inverse_access(general.write)
    return None if inverse is None else inverse.pullback_multi_aff(special.write)


def _same(a: Expr, b: Expr, domain: isl.Set, rings: Rings, turns: Turns) -> bool:
    """Whether two expressions are the same at every instance of a domain, the indices of the second turned."""
    match a, b:
        case Read(first, access, _), Read(second, other, _):
            if first != second or not isinstance(access, isl.MultiAff) or not isinstance(other, isl.MultiAff):
                return False  # what data decide is not looked into
            if _same_function(access, other, domain):
                return True
            turned = _turns(access, other, domain, {d: n for (array, d), n in rings.items() if array == first})
            turns[id(b)] = turned
            return bool(turned)
        case Index(value), Index(other_value):
            return _same_function(isl.MultiAff.from_aff(value), isl.MultiAff.from_aff(other_value), domain)
        case Const(), Const():
            return render(a, ()) == render(b, ())  # nan is not equal to itself, and -0.0 is equal to 0.0
        case Apply(op, args, dtype), Apply(other_op, other_args, other_dtype):
            same = op == other_op and dtype == other_dtype and len(args) == len(other_args)
            return same and all(_same(x, y, domain, rings, turns) for x, y in zip(args, other_args, strict=True))
        case Select(cond, x, y, _), Select(other_cond, other_x, other_y, _):
            pairs = ((cond, other_cond), (x, other_x), (y, other_y))
            return all(_same(p, q, domain, rings, turns) for p, q in pairs)
        case _:
            return False


def _turns(access: isl.MultiAff, other: isl.MultiAff, domain: isl.Set, ring: Mapping[int, int]) -> set[int]:
    """The axes to turn for the second access to be the first; none where they are not the same then."""
    axes = set()
    for d in range(access.dim(isl.dim_type.out)):
        apart = _number(access.get_aff(d).sub(other.get_aff(d)), domain)
        if apart is None or (apart != 0 and (d not in ring or apart % ring[d] != 0)):
            return set()
        if apart != 0:
            axes.add(d)
    return axes


def _number(value: isl.Aff, domain: isl.Set) -> int | None:
    """The one value of an expression on a domain."""
    if not value.get_denominator_val().is_one():
        return None  # places of every sixth element alone
    ends = [domain.min_val(value), domain.max_val(value)]
    return int(ends[0].to_python()) if ends[0].is_int() and ends[0].eq(ends[1]) else None


def _same_function(a: isl.MultiAff, b: isl.MultiAff, domain: isl.Set) -> bool:
    """Whether two affine accesses agree on a domain."""
    first, second = (_relation(f, domain) for f in (a, b))
    return bool(first.is_equal(second))


def _relation(function: isl.MultiAff, domain: isl.Set) -> isl.Map:
    """{ S[i] -> a[index] } on a domain, S under the domain's name."""
    return function.as_map().set_tuple_name(isl.dim_type.in_, domain.get_tuple_name()).intersect_domain(domain)
