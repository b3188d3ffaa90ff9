"""Cycles of directed graphs, without recursion."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from typing import TypeVar

__all__ = ["cyclic_components", "find_cycle"]

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


def cyclic_components(nodes: Sequence[Node], edges: Iterable[tuple[Node, Node]]) -> list[list[Node]]:
    """The strongly connected components that hold a cycle, each in the order of `nodes`.

    Source: R. Tarjan, Depth-first search and linear graph algorithms, 1972.
    """
    after: dict[Node, dict[Node, None]] = {n: {} for n in nodes}
    for a, b in edges:
        after[a][b] = None
    order = {n: i for i, n in enumerate(nodes)}
    number: dict[Node, int] = {}
    low: dict[Node, int] = {}
    open_nodes: dict[Node, None] = {}  # in the order of their numbers
    found: list[list[Node]] = []
    for root in nodes:
        if root in number:
            continue
        path: list[tuple[Node, Iterator[Node]]] = []
        entering: Node | None = root
        while entering is not None or path:
            if entering is not None:
                number[entering] = low[entering] = len(number)
                open_nodes[entering] = None
                path.append((entering, iter(after[entering])))
                entering = None
            node, rest = path[-1]
            for child in rest:
                if child not in number:
                    entering = child
                    break
                if child in open_nodes:
                    low[node] = min(low[node], number[child])
            else:
                path.pop()
                if path:
                    low[path[-1][0]] = min(low[path[-1][0]], low[node])
                if low[node] == number[node]:
                    component: list[Node] = []
                    while not component or component[-1] != node:
                        component.append(open_nodes.popitem()[0])
                    if len(component) > 1 or node in after[node]:
                        found.append(sorted(component, key=order.__getitem__))
    return found
