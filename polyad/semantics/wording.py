"""How messages of the verifier spell statements, elements, instances and sizes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import islpy as isl

from polyad.ir.affine import Affine
from polyad.ir.expr import Indirect
from polyad.ir.statement import Statement

__all__ = ["element_text", "labelled_element", "sizes_text", "statement_text", "where_text", "written_element"]


def where_text(statement: Statement) -> str:
    """The user's place in parentheses, after a space; nothing when no user wrote the statement."""
    return f" ({statement.where})" if statement.where else ""


def statement_text(statement: Statement) -> str:
    """S (file.py:12)."""
    return f"{statement.name}{where_text(statement)}"


def sizes_text(sizes: Mapping[str, int]) -> str:
    """` with N = 4, M = 1`, or nothing when there are no sizes."""
    return f" with {', '.join(f'{p} = {v}' for p, v in sizes.items())}" if sizes else ""


def element_text(array: str, element: Sequence[int]) -> str:
    """h[2, 0]."""
    return f"{array}[{', '.join(map(str, element))}]"


def write_index(statement: Statement) -> list[Affine] | None:
    """The index expressions of its write, None when they depend on data."""
    if isinstance(statement.write, Indirect):
        return None
    affs = [statement.write.get_aff(i) for i in range(statement.write.dim(isl.dim_type.out))]
    return [Affine.from_aff(a, statement.dims) for a in affs]


def written_element(statement: Statement, values: Mapping[str, int]) -> str:
    """The element that an instance writes, h[2, 0]; `values` holds its dimensions and the sizes."""
    index = write_index(statement)
    if index is None:
        return f"an element of {statement.array}"
    return element_text(statement.array, [i.evaluate(values) for i in index])


def labelled_element(statement: Statement, element: Sequence[int]) -> str:
    """The element with the user's indices, h[t + 1 = 2, b = 0], as its writing statement spells them."""
    index = write_index(statement)
    if index is None:
        return element_text(statement.array, element)
    parts = [str(v) if i.is_constant else f"{i} = {v}" for i, v in zip(index, element, strict=True)]
    return f"{statement.array}[{', '.join(parts)}]"
