"""Branches on affine conditions: what is defined while a branch is traced has the instances where it is taken.

if t < 3:  y[t] = x[t] @ W        has        { y[t] : 0 <= t < 3 }
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

from polyad.frontend.lower import Lowering, symbols_of
from polyad.frontend.scalar import Scalar
from polyad.frontend.symbols import Axis, Condition, Size, merge_symbols
from polyad.frontend.tensor import OPEN_SCANS, ambient_axes, user_line
from polyad.transforms.rewrite.affine_conditions import condition_set

__all__ = ["is_affine", "under"]


def is_affine(test: Scalar) -> bool:
    """Whether a truth value is a condition on the counters of the loops that are being traced, and on sizes."""
    symbols = symbols_of(test)
    if any(isinstance(s, Axis) and s.kind != "scan" for s in symbols.values()):
        return False
    axes = ambient_axes(symbols, user_line())
    lowering = Lowering("condition", user_line(), merge_symbols(symbols, *(a.symbols for a in axes)))
    scope = lowering.scope(axes, "condition")
    return condition_set(lowering.lower(test, scope).expr, scope.space) is not None


@contextmanager
def under(test: Scalar) -> Iterator[None]:
    """Trace a branch that is taken where an affine truth value holds."""
    symbols = symbols_of(test)
    names = frozenset(n for n, s in symbols.items() if isinstance(s, Axis))
    if not names:  # a condition on sizes: the select alone decides
        yield
        return
    sizes = {n: s for n, s in symbols.items() if isinstance(s, Size)}
    around = OPEN_SCANS.get()
    innermost = max((a for a in around if a.name in names), key=lambda a: a.level)
    cut = replace(
        innermost,
        symbols=merge_symbols(innermost.symbols, sizes),
        conditions=(*innermost.conditions, Condition(test, names)),
    )
    token = OPEN_SCANS.set(tuple(cut if a is innermost else a for a in around))
    try:
        yield
    finally:
        OPEN_SCANS.reset(token)
