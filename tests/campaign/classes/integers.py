"""Values of integer arrays, and float arrays steered by integers; no derivatives by the former."""

from tests.campaign.draft import Draft
from tests.campaign.program import Program

__all__ = ["draw"]

STEPS = (
    "{a} + {b}",
    "{a} - {b}",
    "{a} * 3",
    "{a} // 2",
    "{a} % 3",
    "m.where({a} > {b}, {a}, {b})",
    "m.where({a} % 2 == 0, {a}, -{b})",
    "-{a}",
    "{a} * {b}",
)


def draw(name: str) -> Program:
    """A chain on integers, reduced, or used to choose among floats."""
    d = Draft(name)
    dtype = d.rng.choice(("int32", "int64"))
    shape = tuple(d.extent(d.rng.choice(("small", "small", "tiny"))) for _ in range(d.rng.choice((1, 2))))
    if d.chance(0.15):
        d.extents[shape[-1]] = d.rng.randint(60, 300)
    if 0 in (d.extents[n] for n in shape):
        d.symbolic = False
    names = [d.input(shape, "17", "k", dtype) for _ in range(2)]
    v = names[0]
    for _ in range(d.rng.randint(1, 4)):
        v = d.let(d.rng.choice(STEPS).format(a=v, b=d.rng.choice(names)), ("?",))
        names.append(v)
    filled = all(d.extents[n] for n in shape)
    kinds = ["sum", "same", "cumsum", "float"] + (["max", "min", "argmax", "argmin"] if filled else [])
    kind = d.rng.choice(kinds)
    axis = d.rng.randrange(len(shape))
    found = [v]
    if kind == "cumsum":
        found = [d.let(f"m.cumsum({v}, {axis})", ("?",))]
    elif kind == "float":
        x = d.input(shape)
        if d.chance(0.3):
            return d.finish([d.let(f"m.cast(3.0 * {x}, 'int64')", shape)], ("value",))
        return d.finish([d.let(f"m.where({v} > 4, m.sin({x}), {x} * m.cast({v} % 5, {d.dtype!r}))", shape)])
    elif kind != "same":
        found = [d.let(f"m.{kind}({v}, {axis})", ("?",))]
    return d.finish(found, ("value",))
