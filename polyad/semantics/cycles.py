"""Cycles and strongly connected components of directed graphs, without recursion."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from typing import TypeVar

__all__ = ["cyclic_components", "find_cycle", "strongly_connected"]

Node = TypeVar("Node", bound=Hashable)


def find_cycle(starts: Iterable[Node], needs: Callable[[Node], Iterable[Node]]) -> list[Node] | None:
    """A cycle that is reached from `starts`, each node needing the next and the last the first; None without one."""
    done: set[Node] = set()
    for start in starts:
        if start in done:
            continue
        path: list[Node] = [start]
        position = {start: 0}
        rest: list[Iterator[Node]] = [iter(needs(start))]
        while path:
            following = next(rest[-1], None)
            if following is None:
                done.add(path[-1])
                del position[path.pop()]
                rest.pop()
            elif following in position:
                return path[position[following] :]
            elif following not in done:
                position[following] = len(path)
                path.append(following)
                rest.append(iter(needs(following)))
    return None


def strongly_connected(starts: Iterable[Node], needs: Callable[[Node], Iterable[Node]]) -> list[list[Node]]:
    """The strongly connected components of the nodes reached from `starts`; a component comes after those it needs.

    Source: R. Tarjan, Depth-first search and linear graph algorithms, 1972, written without recursion.
    """
    number: dict[Node, int] = {}
    low: dict[Node, int] = {}
    open_nodes: dict[Node, None] = {}  # in the order of their numbers
    found: list[list[Node]] = []
    path: list[tuple[Node, Iterator[Node]]] = []

    def enter(node: Node) -> None:
        number[node] = low[node] = len(number)
        open_nodes[node] = None
        path.append((node, iter(needs(node))))

    for start in starts:
        if start not in number:
            enter(start)
        while path:
            node, rest = path[-1]
            following = next(rest, None)
            if following is None:
                path.pop()
                if path:
                    low[path[-1][0]] = min(low[path[-1][0]], low[node])
                if low[node] == number[node]:
                    component: list[Node] = []
                    while not component or component[-1] != node:
                        component.append(open_nodes.popitem()[0])
                    found.append(component)
            elif following not in number:
                enter(following)
            elif following in open_nodes:
                low[node] = min(low[node], number[following])
    return found


def cyclic_components(nodes: Sequence[Node], edges: Iterable[tuple[Node, Node]]) -> list[list[Node]]:
    """The strongly connected components that hold a cycle, each in the order of `nodes`."""
    after: dict[Node, dict[Node, None]] = {n: {} for n in nodes}
    for a, b in edges:
        after[a][b] = None
    order = {n: i for i, n in enumerate(nodes)}
    found = strongly_connected(nodes, after.__getitem__)
    return [sorted(c, key=order.__getitem__) for c in found if len(c) > 1 or c[0] in after[c[0]]]
