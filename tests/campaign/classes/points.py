"""Many points, few components: mixtures, distances, attention over few keys."""

from tests.campaign.draft import Draft
from tests.campaign.program import Program

__all__ = ["draw"]


def draw(name: str) -> Program:
    """Each of N points against each of K components of D coordinates."""
    d = Draft(name)
    d.mixed = True
    n, k, c = d.extent(d.rng.choice(("small", "large", "large")), "N"), d.extent("small", "K"), d.extent("small", "D")
    d.extents = {name: max(1, v) for name, v in d.extents.items()}
    if d.chance(0.15):
        d.extents[n] = d.rng.randint(1000, 3000)
    x, centre = d.input((n, c), "normal"), d.input((k, c), "normal")
    weight = d.input((k,), "normal")
    apart = d.let(f"{x}[:, None, :] - {centre}[None, :, :]", (n, k, c))
    if d.chance(0.4):
        scale = d.input((k, c), "positive")
        apart = d.let(d.rng.choice((f"{apart} / {scale}", f"{apart} * m.exp(-{scale})")), (n, k, c))
    if d.chance(0.25):
        turn = d.input((k, c, c), "normal")
        apart = d.let(f"m.einsum('kij,nkj->nki', {turn}, {apart})", (n, k, c))
    square = d.let(
        d.rng.choice((f"m.sum({apart} * {apart}, 2)", f"m.sum(m.abs({apart}), 2)", f"m.max({apart} ** 2, 2)")), (n, k)
    )
    if d.chance(0.2):
        square = d.let(f"m.sqrt({square} + 0.1)", (n, k))
    score = d.let(f"{weight} - 0.5 * {square}", (n, k))
    end = d.rng.choice(("logsumexp", "softmax", "nearest", "kernel", "logsumexp"))
    if end == "logsumexp":
        found = [d.let(f"m.nn.logsumexp({score}, 1)", (n,))]
        if d.chance(0.4):
            found.append(d.let(f"m.nn.logsumexp({weight}, 0)", ()))
    elif end == "softmax":
        share = d.let(f"m.nn.softmax({score}, {d.rng.choice((1, 0))})", (n, k))
        found = [d.let(f"{share} @ {centre}", (n, c)) if d.chance(0.5) else share]
    elif end == "nearest":
        found = [d.let(f"m.min({square}, 1)", (n,))]
    else:
        found = [d.let(f"m.exp(-{square}) @ {weight}", (n,))]
    return d.finish(found)
