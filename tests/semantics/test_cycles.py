"""Cycles of graphs."""

from hypothesis import given
from hypothesis import strategies as st

from polyad.semantics.cycles import cyclic_components, find_cycle, strongly_connected

EDGES = st.lists(st.tuples(st.integers(0, 7), st.integers(0, 7)), max_size=16)
NODES = list(range(8))


def reach(edges):
    """All pairs connected by at least one edge, by repeated squaring."""
    pairs = set(edges)
    while True:
        more = pairs | {(a, d) for a, b in pairs for c, d in pairs if b == c}
        if more == pairs:
            return pairs
        pairs = more


@given(EDGES)
def test_components_are_the_mutually_reachable_nodes(edges):
    pairs = reach(edges)
    expected = {frozenset(b for b in NODES if (a, b) in pairs and (b, a) in pairs) for a in NODES if (a, a) in pairs}
    found = cyclic_components(NODES, edges)
    assert {frozenset(c) for c in found} == expected
    assert all(c == sorted(c) for c in found)


@given(EDGES)
def test_a_cycle_is_found_exactly_when_there_is_one(edges):
    found = find_cycle(NODES, lambda n: [b for a, b in edges if a == n])
    if found is None:
        assert not any(a == b for a, b in reach(edges))
    else:
        assert all(step in edges for step in zip(found, [*found[1:], found[0]], strict=True))
        assert len(set(found)) == len(found)


def test_long_chains_need_no_recursion():
    n = 100_000
    assert find_cycle([0], lambda i: [i + 1] if i < n else []) is None
    assert len(find_cycle([0], lambda i: [(i + 1) % n])) == n
    assert len(cyclic_components(range(n), [(i, (i + 1) % n) for i in range(n)])) == 1


@given(EDGES)
def test_a_component_comes_after_those_it_needs(edges):
    after = {n: [b for a, b in edges if a == n] for n in NODES}
    found = strongly_connected(NODES, after.__getitem__)
    place = {n: i for i, component in enumerate(found) for n in component}
    assert sorted(place) == NODES and sum(map(len, found)) == len(NODES)
    assert all(place[b] <= place[a] for a, b in edges)
