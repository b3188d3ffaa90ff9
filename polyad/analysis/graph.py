"""Strongly connected components and topological order of small directed graphs, deterministic and stable."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from heapq import heapify, heappop, heappush

from polyad.semantics.cycles import strongly_connected

__all__ = ["components", "reachable"]


def components(nodes: Sequence[str], successors: Mapping[str, Sequence[str]]) -> list[list[str]]:
    """The strongly connected components, in topological order.

    Where the graph leaves a choice, the component with the earliest node comes first, and the nodes of a component keep
    their order.

    Args:
        nodes: all nodes; their order breaks ties.
        successors: node -> its successors; nodes that are not in `nodes` are ignored.
    """
    order = {node: i for i, node in enumerate(nodes)}
    found = [
        sorted(component, key=order.__getitem__)
        for component in strongly_connected(nodes, lambda node: (s for s in successors.get(node, ()) if s in order))
    ]
    member = {node: i for i, component in enumerate(found) for node in component}
    return _topological(found, member, order, successors)


def _topological(
    found: list[list[str]], member: Mapping[str, int], order: Mapping[str, int], successors: Mapping[str, Sequence[str]]
) -> list[list[str]]:
    """Kahn's algorithm on the condensed graph, the component with the earliest node first."""
    waiting = [0] * len(found)
    edges = {
        (member[a], member[b]) for a in order for b in successors.get(a, ()) if b in order and member[a] != member[b]
    }
    after: dict[int, list[int]] = {}
    for a, b in sorted(edges):
        waiting[b] += 1
        after.setdefault(a, []).append(b)
    ready = [(order[c[0]], i) for i, c in enumerate(found) if not waiting[i]]
    heapify(ready)
    result = []
    while ready:
        _, i = heappop(ready)
        result.append(found[i])
        for j in after.get(i, ()):
            waiting[j] -= 1
            if not waiting[j]:
                heappush(ready, (order[found[j][0]], j))
    return result


def reachable(starts: Sequence[str], successors: Mapping[str, Sequence[str]]) -> set[str]:
    """All nodes at the end of a path of one edge or more from `starts`."""
    seen: set[str] = set()
    todo = list(starts)
    while todo:
        for node in successors.get(todo.pop(), ()):
            if node not in seen:
                seen.add(node)
                todo.append(node)
    return seen
