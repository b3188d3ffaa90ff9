"""Derivatives of derivatives of data movement: their domains tie what is read to what is written, floors and diagonals.

Many extents are 1, so that dimensions go and leave nothing but the tie. The third derivative, the gradient of a
derivative along a direction and the derivative of a gradient are drawn as often as the second.
"""

from tests.campaign.classes.joins import one
from tests.campaign.draft import Draft
from tests.campaign.program import Program

__all__ = ["draw"]

MOST = 120  # elements
SMOOTH = ("m.tanh({v})", "{v} * {v}", "m.sin({v}) * {v}")


def _image(d: Draft, v: str, sizes: list[int]) -> tuple[str, list[int]] | None:
    """A pool, a convolution or an upsampling of the last two of four dimensions."""
    kind = d.rng.choice(("up", "up", "avg", "max", "conv", "conv"))
    n, c, *image = sizes
    if kind == "up":
        scale = d.rng.choice((2, 2, 3))
        return f"m.nn.upsample({v}, {scale})", [n, c, *(scale * s for s in image)]
    if kind in ("avg", "max"):
        size, stride = d.rng.randint(1, 3), d.rng.randint(1, 3)
        if min(image) < size:
            return None
        return f"m.nn.{kind}_pool2d({v}, {size}, {stride})", [n, c, *((s - size) // stride + 1 for s in image)]
    choices = ((1, 2, 3), (1, 2, 3), (0, 1), (1, 2))
    taps, stride, padding, dilation = ([d.rng.choice(of) for _ in image] for of in choices)
    spans = [s + 2 * p - e * (k - 1) - 1 for s, p, e, k in zip(image, padding, dilation, taps, strict=True)]
    if min(spans) < 0:
        return None
    w = d.input((str(out := d.rng.randint(1, 2)), str(c), *map(str, taps)), "normal", prefix="w")
    options = ", ".join(
        f"{k}={tuple(x)}" for k, x in zip(("stride", "padding", "dilation"), (stride, padding, dilation), strict=True)
    )
    return f"m.nn.conv2d({v}, {w}, {options})", [
        n,
        out,
        *(span // s + 1 for span, s in zip(spans, stride, strict=True)),
    ]


def _elements(d: Draft, v: str, n: str, m: str) -> tuple[str, list[str]]:
    """A definition by element of an n by m matrix: quotients, remainders, strides, diagonals and triangles."""
    d.peers = False
    k = d.rng.randint(2, 3)
    text, rows, columns = d.rng.choice(
        (
            (f"{v}[i // {k}, j]", f"{k} * {n}", m),
            (f"{v}[i // {k}, j // 2] * {v}[i // {k}, 0]", f"{k} * {n}", f"2 * {m}"),
            (f"{v}[(i + 1) // {k}, j]", f"{k} * {n} - 1", m),
            (f"{v}[{n} - 1 - i // {k}, j]", f"{k} * {n}", m),
            (f"m.select(i < {n}, m.inside({v})[i, j], m.inside({v})[i - {n}, j])", f"2 * {n}", m),
            (f"m.select(i >= j, m.inside({v})[i - j, j], 0.0)", n, m),
            (f"m.select(i == j, {v}[i, j], 0.5 * {v}[i, 0])", n, m),
            (f"m.select(i % {k} == 0, {v}[i // {k}, j], 0.0)", f"{k} * {n}", m),
            (f"m.total(0, i + 1, lambda p: {v}[p, j])", n, m),
            (f"m.total(i, {n}, lambda p: {v}[p, j] * {v}[i, j])", n, m),
            (f"m.total(0, {n}, lambda p: m.select(p // {k} == i, {v}[p, j], 0.0))", f"({n} + {k - 1}) // {k}", m),
            (f"m.total(0, {k}, lambda p: {v}[(i + p) // {k}, j])", f"{k} * {n} - {k - 1}", m),
        )
    )
    return f"m.compute(({rows}, {columns}), lambda i, j: {text})", [f"({rows})", f"({columns})"]


def _flat(d: Draft, v: str, n: int, m: int) -> tuple[str, list[int]]:
    """Flat indices, of numbers."""
    d.peers = False
    k = d.rng.randint(2, 3)
    text, after = d.rng.choice(
        (
            (f"{v}[i % {n}, j // {k}]", [2 * n, k * m]),
            (f"{v}[(i * {m} + j) // {m}, (i * {m} + j) % {m}]", [n, m]),
            (f"{v}[j // {m}, j % {m}]", [1, n * m]),
            (f"{v}[i // {m}, i % {m}] * {v}[0, i % {m}]", [n * m, 1]),
        )
    )
    return f"m.compute({tuple(after)}, lambda i, j: {text})", after


def _smooth(d: Draft, v: str) -> str:
    return d.let(d.rng.choice(SMOOTH).format(v=v), ("?",)) if d.chance(0.5) else v


def _chain(d: Draft, v: str, shape: tuple[str, ...]) -> str:
    """One to three operations, on arrays whose extents are numbers."""
    sizes: list[int] = [eval(n, dict(d.extents)) for n in shape]
    for _ in range(d.rng.randint(1, 3)):
        found: tuple[str, list[int]] | None = None
        if len(sizes) == 4 and d.chance(0.6):
            found = _image(d, v, sizes)
        elif len(sizes) == 2 and d.chance(0.5):
            text, after = _elements(d, v, str(sizes[0]), str(sizes[1]))
            found = d.rng.choice(((text, [eval(n) for n in after]), _flat(d, v, sizes[0], sizes[1])))
        text, sizes_after = found or one(d, v, sizes)
        most = 1
        for s in sizes_after:
            most *= s
        if 0 < most <= MOST and len(sizes_after) <= 4:
            v, sizes = d.let(text, ("?",)), sizes_after
        v = _smooth(d, v)
    return v


def _symbolic(d: Draft, v: str, shape: tuple[str, ...]) -> str:
    """One or two operations that any extent allows."""
    now = list(shape)
    for _ in range(d.rng.randint(1, 2)):
        axis = d.rng.randrange(len(now))
        ones = ["1"] * len(now)
        kind = d.rng.choice(("repeat", "tile", "turn", "pad", "up", "elements", "elements"))
        if kind == "repeat":
            text, now[axis] = f"m.repeat({v}, 2, {axis})", f"(2 * {now[axis]})"
        elif kind == "tile":
            ones[axis] = "3"
            text, now[axis] = f"m.tile({v}, ({', '.join(ones)},))", f"(3 * {now[axis]})"
        elif kind == "pad":
            widths = ["(0, 0)"] * len(now)
            widths[axis] = "(1, 2)"
            text, now[axis] = f"m.pad({v}, ({', '.join(widths)},))", f"({now[axis]} + 3)"
        elif kind == "up" and len(now) == 4:
            text, now[2:] = f"m.nn.upsample({v}, 2)", [f"(2 * {n})" for n in now[2:]]
        elif kind == "elements" and len(now) == 2:
            text, now = _elements(d, v, *now)
        else:
            text = f"m.flip({v}, {axis})" if d.chance(0.5) else f"m.roll({v}, 1, {axis})"
        v = _smooth(d, d.let(text, ("?",)))
    return v


def draw(name: str) -> Program:
    """A loss of a chain of operations, or what one of its derivatives gives."""
    d = Draft(name)
    d.mixed = False  # tangents have the types of what they belong to
    rank = d.rng.choice((1, 2, 2, 3, 4, 4))
    shape = tuple("1" if d.chance(0.5) or (d.symbolic and n < rank - 2) else d.extent() for n in range(rank))
    for n in d.extents:
        d.extents[n] = d.rng.randint(1, (6, 5, 4, 3)[rank - 1])
    d.symbolic = d.symbolic and bool(d.extents)
    chain = _symbolic if d.symbolic else _chain
    x = d.input(shape, "normal")
    kind = d.rng.choice(("loss", "grad", "grad", "jvp"))
    if kind == "loss":
        return d.finish([chain(d, x, shape)], ("second",))
    u = d.input(shape, "normal")
    given, header = len(d.inputs), len(d.lines)
    d.open("def loss(z):")
    d.close(d.number([chain(d, "z", shape)]))
    # Weights are arguments of the loss: the reference lifts those, and would confuse derivatives by what it captures.
    weights = list(d.inputs)[given:]
    d.lines[header] = f"def loss({', '.join(['z', *weights])}):"
    call = ", ".join([x, *weights])
    along = ", ".join([u, *(f"0.3 * {w}" for w in weights)])
    v = d.let(f"m.sum(m.grad(loss)({call}) * {u})" if kind == "grad" else f"m.jvp(loss, ({call},), ({along},))[1]", ())
    return d.finish([v], ("second", "grad", "jvp"))
