from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from polyad.analysis.graph import components, reachable


def test_components_are_in_topological_order_and_stable() -> None:
    graph = {"a": ["c"], "b": ["c"], "c": ["d"], "d": ["c"]}
    assert components(["b", "a", "d", "c"], graph) == [["b"], ["a"], ["d", "c"]]
    assert components(["a", "b", "c", "d"], graph) == [["a"], ["b"], ["c", "d"]]


def test_long_chains_need_no_recursion() -> None:
    nodes = [str(i) for i in range(5000)]
    graph = {a: [b] for a, b in pairwise(nodes)}
    assert components(nodes, graph) == [[n] for n in nodes]
    assert len(components(nodes, {**graph, nodes[-1]: [nodes[0]]})) == 1


def test_reachable_needs_one_edge() -> None:
    assert reachable(["a"], {"a": ["b"], "b": ["c"]}) == {"b", "c"}
    assert reachable(["a"], {"a": ["b"], "b": ["a"]}) == {"a", "b"}


@given(st.sets(st.tuples(st.integers(0, 7), st.integers(0, 7)), max_size=20))
def test_components_agree_with_reachability(pairs: set[tuple[int, int]]) -> None:
    nodes = [str(i) for i in range(8)]
    graph: dict[str, list[str]] = {}
    for a, b in sorted(pairs):
        graph.setdefault(str(a), []).append(str(b))
    found = components(nodes, graph)
    reach = {n: reachable([n], graph) for n in nodes}
    assert sorted(n for group in found for n in group) == nodes
    for i, group in enumerate(found):
        for n in group:
            assert set(group) - {n} == {m for m in nodes if m != n and m in reach[n] and n in reach[m]}
            assert not any(n in reach[m] for later in found[i + 1 :] for m in later)
