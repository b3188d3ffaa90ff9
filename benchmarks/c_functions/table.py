"""The table of C functions: a line each, and medians."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

__all__ = ["HEADING", "Row", "row_text", "summary"]

HEADING = f"{'function':16} {'C in ms':>9} {'value/C':>8} {'gradient/C':>10} {'gradient/Enzyme':>15} {'memory':>7}"


@dataclass(frozen=True, slots=True)
class Row:
    """Milliseconds of a function, and bytes.

    Attributes:
        name: of the function.
        c, value, gradient: milliseconds of the C function, and of polyad's kernels.
        enzyme: milliseconds of Enzyme's value and gradient; None where it was not asked, or is wrong.
        arrays, workspace: bytes of the arguments, and of the workspace of polyad's gradient.
        note: what is to be said about Enzyme.
    """

    name: str
    c: float
    value: float
    gradient: float
    enzyme: float | None
    arrays: int
    workspace: int
    note: str = ""


MUCH = 8.0
"""A gradient that takes longer than so many times the function is explained."""

REASONS = {
    "adi": "adjoints of all steps are kept: a solve backwards along rows needs what the one along columns left",
    "durbin": "y of all steps is kept, and read back from its end",
    "floyd_warshall": "which of two paths was shorter is found again from all steps, which are kept",
    "spectral_filter": "numbers that lie three apart are read one by one, in sums of one register each",
}
"""Why a gradient takes long beside the function, or longer than Enzyme's."""


def row_text(row: Row) -> str:
    """The line of a function, and under it why it is so, where it takes long."""
    enzyme = "" if row.enzyme is None else f"{row.gradient / row.enzyme:.2f}"
    line = f"{row.name:16} {row.c:9.3f} {row.value / row.c:8.2f} {row.gradient / row.c:10.2f} {enzyme:>15}"
    slow = row.gradient > MUCH * row.c or (row.enzyme is not None and row.gradient > row.enzyme)
    notes = [row.note, REASONS.get(row.name, "no reason is known") if slow else ""]
    return "\n".join([f"{line} {row.workspace / row.arrays:7.2f}", *(f"{'':16} {n}" for n in notes if n)])


def summary(rows: Sequence[Row]) -> list[str]:
    """Medians, with the least and the greatest."""
    ratios = {
        "gradient over C": [row.gradient / row.c for row in rows],
        "gradient over Enzyme's": [row.gradient / row.enzyme for row in rows if row.enzyme is not None],
    }
    return [
        f"{what}: median {np.median(found):.2f}, least {min(found):.2f}, greatest {max(found):.2f}, of {len(found)}"
        for what, found in ratios.items()
        if found
    ]
