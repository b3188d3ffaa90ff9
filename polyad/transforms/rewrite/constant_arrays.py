"""Inputs whose values are known become definitions: what is compiled needs no array beside those of its caller.

What must hold: each element of such an array has one definition, with its value.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import islpy as isl
import numpy as np

from polyad import islx
from polyad.ir.array import Array
from polyad.ir.names import unique_name
from polyad.ir.program import Program
from polyad.ir.statement import Statement
from polyad.ops import const

__all__ = ["define_constants"]


def define_constants(program: Program, values: Mapping[str, np.ndarray[Any, Any]]) -> Program:
    """Define inputs by their values, one statement per element, or one for all where they are equal.

    Args:
        program: any program.
        values: name of an input of constant shape -> what it holds.
    """
    arrays = {n: a.with_role("temporary") if n in values else a for n, a in program.arrays.items()}
    taken = {s.name for s in program.statements}
    added: list[Statement] = []
    for name, held in values.items():
        array = program.arrays[name]
        same = held.size and np.all(held == held.flat[0])
        for place in [None] if same or not held.size else np.ndindex(held.shape):
            statement = _definition(array, program.params, unique_name(name, taken), place, held)
            taken.add(statement.name)
            added.append(statement)
    inputs = tuple(n for n in program.inputs if n not in values)
    return replace(program, arrays=arrays, inputs=inputs).with_statements([*added, *program.statements])


def _definition(
    array: Array, params: tuple[str, ...], name: str, place: tuple[int, ...] | None, held: np.ndarray[Any, Any]
) -> Statement:
    """array[place] = held[place], or array[e] = held[0] for all e."""
    value: Any = held[place] if place is not None else held.flat[0] if held.size else np.int64(0)
    dims = array.dims(params) if place is None else ()
    space = islx.space(params, name, dims)
    if place is None:
        domain = islx.name_dims(array.domain(params).set_tuple_name(name), dims)
        write = islx.projection(space, array.domain(params).get_space(), list(range(len(dims))))
    else:
        domain = isl.Set.universe(space)
        local = isl.LocalSpace.from_space(space)
        write = islx.multi_aff(space, array.name, [isl.Aff.val_on_domain(local, isl.Val(k)) for k in place])
    return Statement(name, dims, domain, array.name, write, const(value.item(), array.dtype))
