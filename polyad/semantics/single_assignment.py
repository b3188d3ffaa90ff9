"""Proof 2: every element has at most one definition, and one reduction where it has contributions."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import islpy as isl

from polyad import islx
from polyad.errors import DefinitionError
from polyad.ir.array import Array
from polyad.ir.expr import Indirect, access_relation, render_access
from polyad.ir.statement import Statement
from polyad.semantics.wording import sizes_text, statement_text, where_text, written_element

__all__ = ["check_definitions", "check_injective"]


def check_definitions(array: Array, writers: Sequence[Statement], context: isl.Set) -> None:
    """Prove single assignment of one array.

    Args:
        array: the array.
        writers: all statements that define it or contribute to it.
        context: [params] -> { : ... }, what is assumed of the sizes.

    Raises:
        DefinitionError: an input is written, an element is defined twice, or contributions use different reductions.
    """
    if array.role == "input" and writers:
        raise DefinitionError(
            f"{statement_text(writers[0])} writes the input {array}; inputs are read only: write another array, or do "
            f"not list {array.name} as an input"
        )
    contributions = [w for w in writers if w.reduction is not None]
    for other in contributions[1:]:
        first = contributions[0]
        if other.reduction != first.reduction:
            raise DefinitionError(
                f"{array.name} has contributions of different reductions, {first.reduction} by {statement_text(first)} "
                f"and {other.reduction} by {statement_text(other)}: an element has one; use two arrays"
            )
    definitions = [w for w in writers if w.reduction is None]
    for statement in definitions:
        check_injective(statement, context)
    for one, two in combinations(definitions, 2):
        _check_disjoint(one, two, context)


def check_injective(statement: Statement, context: isl.Set) -> None:
    """Prove that no two instances of a definition write the same element.

    Raises:
        DefinitionError: two do, or the element depends on data; names both instances.
    """
    if isinstance(statement.write, Indirect):
        text = render_access(statement.array, statement.write, statement.dims)
        raise DefinitionError(
            f"{statement_text(statement)} defines {text}, an element that depends on data, which cannot be proved "
            "to be written once: contribute with a reduction (+=) instead"
        )
    write = access_relation(statement.write).intersect_domain(statement.domain.intersect_params(context))
    if write.is_injective():
        return
    same = write.apply_range(write.reverse())  # { S[i] -> S[j] : both write one element }
    _raise_twice(statement, statement, same.subtract(isl.Map.identity(same.get_space())))


def _check_disjoint(one: Statement, two: Statement, context: isl.Set) -> None:
    first, second = (access_relation(s.write).intersect_domain(s.domain.intersect_params(context)) for s in (one, two))
    same = first.apply_range(second.reverse())  # { S[i] -> R[j] : both write one element }
    if not same.is_empty():
        _raise_twice(one, two, same)


def _raise_twice(one: Statement, two: Statement, same: isl.Map) -> None:
    found = islx.map_witness(same, one.dims, two.dims)
    assert found is not None
    first, second, sizes = found
    element = written_element(one, {**sizes, **first})
    raise DefinitionError(
        f"{element} is defined twice{sizes_text(sizes)}: by {islx.instance_text(one.name, first)}{where_text(one)} and "
        f"by {islx.instance_text(two.name, second)}{where_text(two)}; each element has one definition: make the "
        "domains disjoint, or contribute with a reduction (+=)"
    )
