"""Definitions by element: `compute` with affine indices, sums over triangles, conditions, strides, ids."""

from tests.campaign.draft import Draft
from tests.campaign.program import Program

__all__ = ["draw"]


def draw(name: str) -> Program:
    """One to three definitions, each of the one before."""
    d = Draft(name)
    d.peers = False
    n, k = d.extent("small", "N"), d.extent("small", "K")
    d.extents = {name: max(1, v) for name, v in d.extents.items()}
    if d.chance(0.2):
        d.extents[n] = d.rng.randint(60, 140)
    x = d.input((n,))
    a = d.input((f"2 * {n} + 3 * {k}",), prefix="a")
    w = d.input((k,), prefix="w")
    ids = d.ids((n,), n)
    found = []
    for _ in range(d.rng.randint(1, 3)):
        v = d.rng.choice(d.of_shape((n,)))
        text = d.rng.choice(
            (
                f"lambda i: m.total(0, i + 1, lambda k: {v}[k] * {x}[i - k])",
                f"lambda i: m.total(0, {k}, lambda k: {a}[2 * i + 3 * k] * {w}[k])",
                f"lambda i: m.total(i, {n}, lambda k: m.sin({v}[k]) * {x}[i])",
                f"lambda i: m.select(i > 1, {v}[i - 1] * {x}[i], m.sin({v}[i]))",
                f"lambda i: m.select(i % 2 == 0, {v}[i], {x}[i // 2])",
                f"lambda i: {v}[{n} - 1 - i] + 0.5 * {x}[i]",
                f"lambda i: {v}[{ids}[i]] * {x}[i]",
                f"lambda i: {a}[i + {k}] * {v}[i]",
                f"lambda i: m.total(0, {k}, lambda k: m.select(i >= k, m.inside({v})[i - k], 0.0) * {w}[k])",
                f"lambda i: m.select({v}[i] > 0.2, m.tanh({v}[i]), {x}[i] * {x}[i])",
                f"lambda i: m.total(0, {n}, lambda k: m.select(k > i, {v}[k], 0.3 * {x}[k]))",
            )
        )
        found.append(d.let(f"m.compute(({n},), {text})", (n,), "e"))
    if d.chance(0.3):
        v = found[-1]
        found.append(
            d.let(f"m.compute(({n}, {k}), lambda i, j: {v}[i] * {w}[j] + m.select(i >= j, {x}[i], 0.0))", (n, k))
        )
    return d.finish(found[-1:] if d.chance(0.7) else found)
