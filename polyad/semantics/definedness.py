"""Proof 3: every element that is read, and every element of an output, has a value."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import islpy as isl

from polyad import islx
from polyad.errors import DefinitionError
from polyad.ir.array import Array
from polyad.ir.expr import Read, render_access
from polyad.ir.statement import Statement
from polyad.semantics.wording import element_text, sizes_text, where_text

__all__ = ["check_output", "check_reads", "defined_elements"]


def defined_elements(array: Array, writers: Sequence[Statement], params: Sequence[str]) -> isl.Set:
    """{ a[index] } the elements with a value.

    All of them for an input, and for an array with contributions, whose other elements are the identity.

    Args:
        array: the array.
        writers: all statements that define it or contribute to it.
        params: the parameters, in the order of the program.
    """
    everything = array.domain(params)
    if array.role == "input" or any(w.reduction is not None for w in writers):
        return everything
    result = isl.Set.empty(everything.get_space())
    for writer in writers:
        result = result.union(writer.write_relation().range())
    return result.coalesce()


def check_reads(statement: Statement, defined: Mapping[str, isl.Set], context: isl.Set) -> None:
    """Prove that what a statement reads has a value.

    Args:
        statement: its reads are inside their arrays.
        defined: array name -> { a[index] } its elements with a value; arrays that are not in it have
            values everywhere.
        context: [params] -> { : ... }, what is assumed of the sizes.

    Raises:
        DefinitionError: an element is read that nothing defines; names it and the reading instance.
    """
    domain = statement.domain.intersect_params(context)
    for read in statement.reads():
        if read.array not in defined:
            continue
        needed = statement.read_relation(read).intersect_domain(domain)
        missing = needed.subtract_range(defined[read.array])
        if not missing.is_empty():
            raise _undefined_read(statement, read, missing)


def check_output(array: Array, defined: isl.Set, context: isl.Set, wanted: isl.Set | None = None) -> None:
    """Prove that every element of an output has a value.

    Args:
        array: the output.
        defined: { a[index] } its elements with a value.
        context: [params] -> { : ... }, what is assumed of the sizes.
        wanted: { a[index] } the elements that are to have one; None for all.

    Raises:
        DefinitionError: one has none; names it.
    """
    params = [context.get_dim_name(isl.dim_type.param, i) or "" for i in range(context.dim(isl.dim_type.param))]
    every = array.domain(params) if wanted is None else wanted
    missing = every.intersect_params(context).subtract(defined)
    found = islx.witness(missing, array.dims(params))
    if found is not None:
        element, sizes = found
        text = element_text(array.name, [*element.values()])
        raise DefinitionError(
            f"the output {array} is not defined everywhere: nothing gives {text} a value{sizes_text(sizes)}; define "
            "it, or make the array smaller"
        )


def _undefined_read(statement: Statement, read: Read, missing: isl.Map) -> DefinitionError:
    dims = [f"a{i}" for i in range(missing.dim(isl.dim_type.out))]
    found = islx.map_witness(missing, statement.dims, dims)
    assert found is not None
    instance, element, sizes = found
    return DefinitionError(
        f"{element_text(read.array, [*element.values()])} is read but never defined{sizes_text(sizes)}: "
        f"{islx.instance_text(statement.name, instance)}{where_text(statement)} reads it as "
        f"{render_access(read.array, read.access, statement.dims)}; add a definition (a base case, an initial value), "
        "or restrict the axes of the reader"
    )
