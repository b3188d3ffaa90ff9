"""Stencils in time over one to three dimensions: by slices and padding, by rolling, by joining; checkpointed too."""

from tests.campaign.classes.scans import checkpoint
from tests.campaign.draft import Draft
from tests.campaign.program import Program

__all__ = ["draw"]


def _neighbours(d: Draft, u: str, dims: int) -> str:
    """A sum of neighbours with the border of u left out: one element less on each side."""
    inner = ["1:-1"] * dims
    terms = []
    for axis in range(dims):
        for part in ("2:", ":-2"):
            key = [*inner[:axis], part, *inner[axis + 1 :]]
            terms.append(f"{d.rng.choice(('0.2', '0.25', '0.1'))} * {u}[{', '.join(key)}]")
    if d.chance(0.6):
        terms.append(f"0.3 * {u}[{', '.join(inner)}]")
    d.rng.shuffle(terms)
    return " + ".join(terms[: d.rng.randint(2, len(terms))])


def draw(name: str) -> Program:
    """A step on a grid, run for some steps."""
    d = Draft(name)
    d.least = 3
    dims = d.rng.choice((1, 1, 2, 2, 3))
    size = d.rng.choice(("small", "small", "large")) if dims < 3 else "small"
    shape = tuple(d.extent(size if n == dims - 1 else "small", "N") for n in range(dims))
    for n in shape:
        d.extents[n] = max(d.extents[n], 3)
    d.symbolic = d.symbolic and d.chance(0.5)
    big = dims == 2 and d.chance(0.05)
    if big:
        d.extents[shape[0]], d.extents[shape[1]] = d.rng.randint(500, 600), d.rng.randint(500, 700)
    steps = d.extent("small", "T") if big or dims > 1 else d.extent("step", "T")
    u0, drive = d.input(shape, prefix="u"), d.input((steps, *shape), prefix="f") if d.chance(0.4) else ""
    check = checkpoint(d, d.extents[steps])
    step = d.fresh("step")
    d.open(f"def {step}(u, f_t):")
    kind = d.rng.choice(("pad", "edge", "roll", "join"))
    if kind in ("pad", "edge"):
        inside = d.let(_neighbours(d, "u", dims), ("?",))
        if d.chance(0.4):
            inside = d.let(f"m.sin({inside})", ("?",))
        widths = "((1, 1), " * 1 + "(1, 1), " * (dims - 1) + ")"
        new = d.let(f"m.pad({inside}, {widths}{', mode=' + repr('edge') if kind == 'edge' else ''})", shape)
    elif kind == "roll" and not d.symbolic:
        axis = d.rng.randrange(dims)
        new = d.let(f"0.4 * m.roll(u, {d.rng.choice((1, -1, 2))}, {axis}) + 0.5 * u", shape)
    else:
        new = d.let("m.concatenate([u[:1], 0.5 * u[:-1] + 0.4 * m.sin(u[1:])], 0)", shape)
    if drive:
        new = d.let(f"{new} + 0.3 * f_t", shape)
    d.note(new, shape)
    outputs = d.rng.choice(("None", "None", "new", "sum"))
    ys = {"None": "None", "new": new, "sum": f"m.sum({new})"}[outputs]
    d.close(f"{new}, {ys}")
    over = drive or f"None, length={steps}"
    reverse = ", reverse=True" if d.chance(0.15) else ""
    d.write(f"last, ys = m.scan({step}, {u0}, {over}{reverse}{check})")
    found = ["last"] if d.chance(0.8) or outputs == "None" else []
    return d.finish(found + (["ys"] if outputs != "None" else []))
