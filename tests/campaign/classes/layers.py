"""The same layer several times over, with other weights: nests that the C compiler reads once (routine_text.py)."""

from tests.campaign.draft import Draft
from tests.campaign.program import Program

__all__ = ["draw"]


def draw(name: str) -> Program:
    """Three to six layers of one kind; one of them may be another one."""
    d = Draft(name)
    rows, width = d.extent("small", "B"), d.extent("small", "H")
    shape, square = (rows, width), (width, width)
    x = d.input(shape)
    weights = [(d.input(square, prefix="W"), d.input((width,), prefix="b")) for _ in range(d.rng.randint(3, 6))]
    layer, scanned = d.fresh("layer"), d.chance(0.4)
    d.open(f"def {layer}(z, W, b):")
    for argument, of in (("z", shape), ("W", square), ("b", (width,))):
        d.note(argument, of)
    v = d.chain("z", shape, d.rng.randint(0, 2))
    if scanned:
        d.open("def step(h, z_t):")
        for row in ("h", "z_t"):
            d.note(row, (width,))
        new = d.let("m.tanh(z_t @ W * 0.3 + h * b)", (width,))
        d.close(f"({d.chain(new, (width,), d.rng.randint(0, 1))},) * 2")
        reverse = ", reverse=True" if d.chance(0.3) else ""
        v = d.note(d.fresh("ys"), shape)
        d.write(f"_, {v} = m.scan(step, 0.1 * b, z{reverse})")
    elif d.chance(0.7):
        v = d.let(f"{v} @ W * 0.3 + b", shape)
    else:
        v = d.let(f"{v} * b - m.mean({v}, -1, keepdims=True)", shape)
    v = d.chain(v, shape, d.rng.randint(0, 2))
    d.close(d.rng.choice((f"z + {v}", v, f"m.tanh({v})")))
    odd = d.rng.randrange(2 * len(weights))
    for n, (matrix, bias) in enumerate(weights):
        x = d.let(f"{layer}({x if n != odd else f'm.sin({x})'}, {matrix}, {bias})", shape)
    return d.finish([x])
