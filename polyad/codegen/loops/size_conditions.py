"""Assumptions on the sizes, as a condition that a kernel can test."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import islpy as isl

from polyad.codegen.loops.loop_values import Combine, Condition, condition_from_isl
from polyad.codegen.loops.value_text import condition_words

__all__ = ["context_condition"]


def context_condition(context: isl.Set) -> Condition | None:
    """Return the assumptions on the sizes as a condition, None when there are none.

    isl lists the pieces of a set as they were made, in another order where it has read its text: so they are sorted.
    """
    if bool(context.plain_is_universe()):
        return None
    build = isl.AstBuild.from_context(isl.Set.universe(context.get_space()))
    condition = condition_from_isl(build.expr_from_set(context))
    return replace(condition, args=_sorted(condition.args)) if isinstance(condition, Combine) else condition


def _sorted(conditions: Sequence[Condition]) -> tuple[Condition, ...]:
    """Conditions by their texts where some of them are joined; the comparisons of one piece stay in isl's order."""
    if not any(isinstance(c, Combine) for c in conditions):
        return tuple(conditions)
    return tuple(sorted(conditions, key=condition_words))
