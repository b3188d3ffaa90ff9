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


def row_text(row: Row) -> str:
    enzyme = "" if row.enzyme is None else f"{row.gradient / row.enzyme:.2f}"
    return (
        f"{row.name:16} {row.c:9.3f} {row.value / row.c:8.2f} {row.gradient / row.c:10.2f} {enzyme:>15}"
        f" {row.workspace / row.arrays:7.2f}"
    ) + (f"\n{'':16} {row.note}" if row.note else "")


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
