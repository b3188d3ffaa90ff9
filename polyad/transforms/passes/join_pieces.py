"""Pieces of a definition that say the same are one: `a[0] = b[0]; a[i] = b[i] for i > 0` is `a[i] = b[i]`.

The adjoint of a recurrence comes in such pieces where its base case and its steps read an input alike. Which instance
of the one stands for an instance of the other is what their writes say: a base case may count over fewer dimensions.

What must hold: the domain of the result is the union of both, no instance more, and on each the equation is the same,
constants to the last bit.
"""

from __future__ import annotations

from dataclasses import replace

import islpy as isl

from polyad import islx
from polyad.ir.expr import Access, Apply, Const, Expr, Index, Read, Select, render
from polyad.ir.program import Program
from polyad.ir.statement import Statement
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
    for writers in program.writers().values():
        pieces = [s for s in writers if s.reduction is None]
        for position in range(len(pieces)):
            piece = pieces[position]  # what earlier ones may have joined
            for n, other in enumerate(pieces[position + 1 :], position + 1):
                joined = _joined(piece, other, program.context) or _joined(other, piece, program.context)
                if joined is not None:
                    del statements[piece.name]
                    pieces[n] = statements[other.name] = rename_statement(joined, other.name)
                    break
    if len(statements) == len(program.statements):
        return program
    return program.with_statements(statements[s.name] for s in program.statements if s.name in statements)


def _joined(special: Statement, general: Statement, context: isl.Set) -> Statement | None:
    """`general` on both domains, or None where its equation is not that of `special` there."""
    place = _place(special, general)
    if place is None or special.params() != general.params():
        return None
    there = map_indices(
        general,
        special.domain.get_space(),
        lambda index: index.pullback_multi_aff(place),
        lambda may: may.apply_domain(place.as_map().reverse()),
    )
    if not _same_function(special.write, there.write, special.domain):
        return None
    if not _same(special.body, there.body, special.domain):
        return None
    placed = special.domain.apply(place.as_map())
    union = general.domain.union(placed).intersect_params(context).coalesce().gist_params(context)
    if union.n_basic_set() != 1:
        return None
    return replace(general, domain=islx.name_dims(union, general.dims))


def _place(special: Statement, general: Statement) -> isl.MultiAff | None:
    """{ special[d] -> general[e] }, where both write one element if they ever do; None where no such form is seen."""
    if not isinstance(special.write, isl.MultiAff):
        return None
    inverse = inverse_access(general.write)
    return None if inverse is None else inverse.pullback_multi_aff(special.write)


def _same(a: Expr, b: Expr, domain: isl.Set) -> bool:
    """Whether two expressions are the same at every instance of a domain."""
    match a, b:
        case Read(first, access, _), Read(second, other, _):
            return first == second and _same_function(access, other, domain)
        case Index(value), Index(other_value):
            return _same_function(isl.MultiAff.from_aff(value), isl.MultiAff.from_aff(other_value), domain)
        case Const(), Const():
            return render(a, ()) == render(b, ())  # nan is not equal to itself, and -0.0 is equal to 0.0
        case Apply(op, args, dtype), Apply(other_op, other_args, other_dtype):
            same = op == other_op and dtype == other_dtype and len(args) == len(other_args)
            return same and all(_same(x, y, domain) for x, y in zip(args, other_args, strict=True))
        case Select(cond, x, y, _), Select(other_cond, other_x, other_y, _):
            return _same(cond, other_cond, domain) and _same(x, other_x, domain) and _same(y, other_y, domain)
        case _:
            return False


def _same_function(a: Access, b: Access, domain: isl.Set) -> bool:
    """Whether two affine accesses agree on a domain; data-dependent ones are not looked into."""
    if not isinstance(a, isl.MultiAff) or not isinstance(b, isl.MultiAff):
        return False
    first, second = (_relation(f, domain) for f in (a, b))
    return bool(first.is_equal(second))


def _relation(function: isl.MultiAff, domain: isl.Set) -> isl.Map:
    """{ S[i] -> a[index] } on a domain, S under the domain's name."""
    return function.as_map().set_tuple_name(isl.dim_type.in_, domain.get_tuple_name()).intersect_domain(domain)
