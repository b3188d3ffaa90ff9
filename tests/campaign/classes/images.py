"""Convolutions with strides, dilations and borders, pools, and what images are scaled with."""

from tests.campaign.draft import Draft
from tests.campaign.program import Program

__all__ = ["draw"]


def draw(name: str) -> Program:
    """One or two layers over (N, C, H, W)."""
    d = Draft(name)
    n, c = d.extent("small", "N"), d.extent("small", "C")
    h, w = d.extent("small", "H"), d.extent("small", "W")
    d.symbolic = d.symbolic and d.chance(0.4)
    d.extents = {name: max(1, v) for name, v in d.extents.items()}
    d.extents[n] = min(d.extents[n], 2)
    d.extents[c] = min(d.extents[c], 3)
    d.extents[h], d.extents[w] = d.rng.randint(5, 11), d.rng.randint(5, 13)
    x = d.input((n, c, h, w))
    sizes = [d.extents[h], d.extents[w]]
    channels = c
    v = x
    for _ in range(d.rng.choice((1, 1, 2))):
        kind = d.rng.choice(("conv", "conv", "conv", "max", "avg", "up"))
        if kind == "conv":
            stride, dilation, padding = ([d.rng.choice((1, 1, 2, 3, 4)), d.rng.choice((1, 1, 2, 3))] for _ in range(3))
            dilation = [d.rng.choice((1, 1, 2)), d.rng.choice((1, 1, 2))]
            padding = [d.rng.choice((0, 0, 1)), d.rng.choice((0, 1, 2))]
            taps = [d.rng.randint(1, 3), d.rng.randint(1, 3)]
            spans = [s + 2 * p - e * (k - 1) - 1 for s, p, e, k in zip(sizes, padding, dilation, taps, strict=True)]
            if min(spans) < 0:
                continue
            out = d.extent("small", "O")
            d.extents[out] = min(max(1, d.extents[out]), 3)
            weight = d.input((out, channels, str(taps[0]), str(taps[1])), prefix="w")
            v = d.let(
                f"m.nn.conv2d({v}, {weight}, stride=({stride[0]}, {stride[1]}), padding=({padding[0]}, {padding[1]}), "
                f"dilation=({dilation[0]}, {dilation[1]}))",
                ("?",),
            )
            sizes, channels = [span // s + 1 for span, s in zip(spans, stride, strict=True)], out
        elif kind == "up":
            v = d.let(f"m.nn.upsample({v}, 2)", ("?",))
            sizes = [2 * s for s in sizes]
        else:
            size, stride = d.rng.randint(1, 3), d.rng.randint(1, 3)
            if min(sizes) < size:
                continue
            v = d.let(f"m.nn.{kind}_pool2d({v}, {size}, {stride})", ("?",))
            sizes = [(s - size) // stride + 1 for s in sizes]
        if d.chance(0.4):
            v = d.let(d.rng.choice(("m.tanh({v})", "m.nn.relu({v})", "{v} * {v}")).format(v=v), ("?",))
    return d.finish([v] if v != x else [d.let(f"m.mean({x}, (2, 3))", ("?",))])
