"""Shapes of arrays as sizes: extents that are equal are one size, extents 0 and 1 stay numbers.

    (8, 3), (8,), (1,)      becomes      (N0, N1), (N0,), (1,)

Which extents are equal belongs to the signature of a trace, as do those of 0 and 1: what holds of the sizes is proved
for all others. The two words of a key (`polyad.random`), of one or of each example, are two whatever the sizes are.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

import numpy as np

from polyad.frontend.compute import sizes

__all__ = ["equal_extents", "symbolic_shapes"]

_Array = np.ndarray[Any, Any]


def equal_extents(arrays: Sequence[_Array]) -> list[tuple[int, ...]]:
    """For each extent minus one more than the number of its class, in order of appearance; what stays is itself."""
    classes: dict[int, int] = {}
    return [
        tuple(
            n
            if n < 2 or (n == 2 and d == a.ndim - 1 and a.dtype == np.uint32)
            else -1 - classes.setdefault(n, len(classes))
            for d, n in enumerate(a.shape)
        )
        for a in arrays
    ]


def symbolic_shapes(arrays: Sequence[_Array], taken: Collection[str]) -> list[tuple[Any, ...]]:
    """The shapes with a size of at least 2 for each class of equal extents.

    Args:
        arrays: the arguments.
        taken: names that the sizes must not have.
    """
    classes: dict[int, Any] = {}
    shapes = []
    for pattern in equal_extents(arrays):
        for n in pattern:
            if n < 0 and n not in classes:
                name = f"N{-1 - n}"
                while name in taken:
                    name += "_"
                classes[n] = sizes(name, min=2)
        shapes.append(tuple(n if n >= 0 else classes[n] for n in pattern))
    return shapes
