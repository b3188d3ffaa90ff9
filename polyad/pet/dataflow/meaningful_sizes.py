"""The sizes for which a loop nest means something: C leaves open what `m = x[0]` does where n is 0.

Sizes at which an instance touches an element outside of an array, or reads a variable that got no value, are left out
if they are small: some size is below 3. At other sizes it is an error of the C text.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import islpy as isl

from polyad import islx
from polyad.pet.checked.small_sizes import small_sizes
from polyad.pet.dataflow.assignments import Assignment, cells
from polyad.pet.dataflow.flow import Flow
from polyad.pet.dataflow.reached import reached
from polyad.pet.refusal import refusal
from polyad.pet.scop import Access

__all__ = ["check_inside", "meaningful_sizes"]


def meaningful_sizes(
    statements: Sequence[Assignment], flow: Flow, everything: Mapping[str, isl.Set], context: isl.Set
) -> isl.Set:
    """The context without small sizes at which C has no meaning.

    Args:
        statements: the assignments that are needed.
        flow: where their values come from.
        everything: array or number that the function is given -> { x[c] } all of it.
        context: [sizes] -> { : ... }.
    """
    space = context.get_space()
    senseless = isl.Set.empty(space)
    for s in statements:
        for node, where in ((s.target, s.domain), *reached(s.value, s.domain)):
            wrong = _senseless(node, where, s, flow, everything)
            senseless = senseless.union(wrong.params().align_params(space))
    senseless = senseless.intersect(context)
    return context.subtract(senseless).coalesce() if senseless.is_subset(small_sizes(space)) else context


def check_inside(
    statements: Sequence[Assignment], everything: Mapping[str, isl.Set], context: isl.Set, path: str
) -> None:
    """Refuse elements outside of their arrays, at sizes that are not small.

    Args:
        statements: all assignments.
        everything: array or number that the function is given -> { x[c] } all of it.
        context: [sizes] -> { : ... }.
        path: of the C file.

    Raises:
        ExtractionError: at the first instance that touches one.
    """
    space = context.get_space()
    usual = context.subtract(small_sizes(space))
    for s in statements:
        for node, where in ((s.target, s.domain), *reached(s.value, s.domain)):
            if node.array in everything and not node.arguments:
                touched = cells(node).intersect_domain(where).subtract_range(everything[node.array])
                wrong = touched.domain().align_params(space).intersect_params(usual)
                if not wrong.is_empty():
                    raise _outside(node, s, wrong, everything[node.array], path)


def _outside(access: Access, statement: Assignment, wrong: isl.Set, whole: isl.Set, path: str) -> Exception:
    """The error for an element that is outside of its array."""
    found = islx.witness(wrong, statement.dims)
    assert found is not None, "there is such an instance"
    instance, sizes = found
    point = cells(access).align_params(wrong.get_space())
    for names, kind in ((sizes, isl.dim_type.param), (instance, isl.dim_type.in_)):
        for value, position in zip(names.values(), range(len(names)), strict=True):
            point = point.fix_val(kind, position, isl.Val(value))
    extents = whole.align_params(wrong.get_space())
    for position, value in enumerate(sizes.values()):
        extents = extents.fix_val(isl.dim_type.param, position, isl.Val(value))
    rank = extents.dim(isl.dim_type.set)
    subscripts = "".join(f"[{point.range().dim_max_val(k)}]" for k in range(rank))
    declared = "".join(f"[{0 if extents.is_empty() else extents.dim_max_val(k).to_python() + 1}]" for k in range(rank))
    at = ", ".join(f"{name} = {value}" for name, value in (*sizes.items(), *instance.items()))
    what = "written" if access is statement.target else "read"
    return refusal(
        path,
        statement.line,
        "subscript",
        f"{access.array}{subscripts} is {what}{f' at {at}' if at else ''}, which is outside of {access.array}{declared}"
        "; mend the bounds of the loop, leave it out by `if`, or declare the array larger",
    )


def _senseless(
    access: Access, where: isl.Set, statement: Assignment, flow: Flow, everything: Mapping[str, isl.Set]
) -> isl.Set:
    """{ S[i] }: the instances whose access has no meaning."""
    touched = cells(access).intersect_domain(where)
    whole = everything.get(access.array)
    if access.arguments:  # the kernel checks where data point to; there has to be something
        return where.subtract(touched.intersect_range(whole).domain()) if whole is not None else _none(touched)
    if whole is not None:
        return touched.subtract_range(whole).domain()
    unset = flow.reads[access].outside if access in flow.reads and access is not statement.kept else None
    return unset.domain().intersect(where) if unset is not None else _none(touched)


def _none(touched: isl.Map) -> isl.Set:
    return isl.Set.empty(touched.get_space().domain())
