"""Elementwise chains with reductions over any axes; small ones of three dimensions, and up to 100,000 elements."""

from tests.campaign.draft import Draft
from tests.campaign.program import Program

__all__ = ["draw"]


def reduce(d: Draft, v: str, shape: tuple[str, ...]) -> str:
    """A reduction of v over one axis, or all."""
    axis = d.rng.randrange(len(shape))
    filled = all(d.extents[n] for n in shape)
    kinds = ["sum", "sum", "mean", "var", "max", "min", "prod"] if filled else ["sum", "prod"]
    if d.symbolic:
        kinds = [k for k in kinds if k != "prod"]
    small = all(d.extents[n] <= 12 for n in shape)
    kind = d.rng.choice([k for k in kinds if small or k != "prod"])
    if kind in ("max", "min") and not filled:
        kind = "sum"
    whole = d.chance(0.2) and (kind != "prod")
    left = () if whole else tuple(n for k, n in enumerate(shape) if k != axis)
    r = d.let(f"m.{kind}({v}{'' if whole else f', {axis}'})", left)
    if d.chance(0.3) and left == shape[1:]:  # broadcasts back
        return d.let(
            d.rng.choice(("{v} - {r}", "{v} * {r}", "m.tanh({v}) / (1.0 + {r} * {r})")).format(v=v, r=r), shape
        )
    return r


def draw(name: str) -> Program:
    """Chains over one shape, reduced in several ways; softmax and norms among them."""
    d = Draft(name)
    d.mixed = True
    kind = d.rng.random()
    if kind < 0.6:
        shape = tuple(d.extent(d.rng.choice(("small", "small", "tiny"))) for _ in range(d.rng.choice((1, 2, 2, 3))))
    elif kind < 0.9:
        shape = (d.extent("small"), d.extent("large")) if d.chance(0.5) else (d.extent("large"), d.extent("large"))
    else:
        shape = (d.extent("large"),)
        d.extents[shape[0]] = d.rng.randint(20_000, 100_000)
    if 0 in (d.extents[n] for n in shape):
        d.symbolic = False
    x = d.input(shape)
    if d.chance(0.5):
        d.input(shape[1:])
    if d.chance(0.3):
        d.input(())
    if d.chance(0.5):
        d.input(shape)
    v = d.chain(x, shape, d.rng.randint(1, 4))
    if d.chance(0.25) and all(d.extents[n] for n in shape):
        axis = d.rng.randrange(len(shape))
        v = d.let(f"m.nn.{d.rng.choice(('softmax', 'log_softmax'))}({v}, {axis})", shape)
    found = []
    for _ in range(d.rng.choice((1, 1, 2, 3))):
        r = reduce(d, v, shape)
        found.append(r if d.chance(0.6) or r.startswith("x") else d.let(f"m.sin({r})", ("?",)))
    if d.chance(0.3):
        found.append(v)
    return d.finish(found)
