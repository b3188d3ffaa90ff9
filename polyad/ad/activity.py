"""The arrays that lie on a path from the variables to the heads of a derivative: dependences decide, not flags."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from polyad.ad.partials import differentiable_reads
from polyad.ir.program import Program
from polyad.transforms.rewrite.array_graph import strongly_connected_names

__all__ = ["ActiveComponent", "active_arrays", "adjoint_order", "differentiable_sources", "tangent_order"]

ActiveComponent = tuple[tuple[str, ...], bool]
"""(arrays that need each other's derivatives, whether any of them does need one)"""


def differentiable_sources(program: Program) -> dict[str, tuple[str, ...]]:
    """Written array -> the arrays its derivative passes to, each once; integers neither have nor pass one."""
    found: dict[str, dict[str, None]] = {}
    for s in program.statements:
        if "float" in program.arrays[s.array].dtype:
            found.setdefault(s.array, {}).update(dict.fromkeys(r.array for r in differentiable_reads(s.body)))
    return {name: tuple(sources) for name, sources in found.items()}


def active_arrays(
    sources: Mapping[str, Sequence[str]], variables: Iterable[str], results: Iterable[str]
) -> frozenset[str]:
    """The arrays that depend on a variable and that a result depends on.

    Args:
        sources: array -> the arrays its derivative passes to.
        variables: what is differentiated by.
        results: what is differentiated.
    """
    return _reachable(sources, results) & _reachable(_reversed(sources), variables)


def adjoint_order(sources: Mapping[str, Sequence[str]], active: Sequence[str]) -> list[ActiveComponent]:
    """Active arrays, results first: an adjoint comes after the adjoints it is made of.

    Args:
        sources: array -> the arrays its derivative passes to.
        active: the arrays, in the program's order, which decides where the equations leave a choice.
    """
    return _components(_reversed(_restricted(sources, active)), active)


def tangent_order(sources: Mapping[str, Sequence[str]], active: Sequence[str]) -> list[ActiveComponent]:
    """Active arrays, variables first: a tangent comes after the tangents it is made of; arguments as above."""
    return _components(_restricted(sources, active), active)


def _components(needs: Mapping[str, Sequence[str]], active: Sequence[str]) -> list[ActiveComponent]:
    complete = {name: needs.get(name, ()) for name in active}
    order = {name: i for i, name in enumerate(complete)}
    result = []
    for names in strongly_connected_names(complete):
        recurrent = len(names) > 1 or names[0] in complete[names[0]]
        result.append((tuple(sorted(names, key=order.__getitem__)), recurrent))
    return result


def _restricted(sources: Mapping[str, Sequence[str]], active: Sequence[str]) -> dict[str, list[str]]:
    among = {*active}
    return {name: [x for x in sources.get(name, ()) if x in among] for name in active}


def _reversed(sources: Mapping[str, Sequence[str]]) -> dict[str, list[str]]:
    result: dict[str, list[str]] = {}
    for name, needed in sources.items():
        for x in needed:
            result.setdefault(x, []).append(name)
    return result


def _reachable(edges: Mapping[str, Sequence[str]], start: Iterable[str]) -> frozenset[str]:
    found = set(start)
    pending = list(found)
    while pending:
        new = set(edges.get(pending.pop(), ())) - found
        found |= new
        pending += new
    return frozenset(found)
