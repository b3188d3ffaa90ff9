"""Control flow in steps: branches that data or counters choose, loops inside of loops, updates and windows at places
that data choose, steps in pieces, lengths, batches; products of matrices large enough to be kernels among them."""

from collections.abc import Callable

from tests.campaign.draft import Draft, Shape
from tests.campaign.program import Program

__all__ = ["draw"]


ENOUGH = 45
"""Names that a program has, from which on it gets no functions more: its second derivatives would take a minute."""


class _Body:
    """One function of a state while it is being written.

    Attributes:
        d: the draft.
        shape: of the state.
        weights: a square matrix of the last extent, "" where the state is a number.
        number: a scalar that tells, such as a counter, "" for none.
        index: an integer scalar that data give, "" for none.
        depth: how many functions there are around it.
    """

    def __init__(self, d: Draft, shape: Shape, weights: str, number: str, index: str, depth: int):
        self.d, self.shape, self.weights, self.number, self.index, self.depth = d, shape, weights, number, index, depth

    def inner(self, number: str = "", index: str = "") -> "_Body":
        return _Body(self.d, self.shape, self.weights, number or self.number, index or self.index, self.depth + 1)

    def state(self, h: str) -> str:
        """Some operations one after the other."""
        for _ in range(self.d.rng.choice((1, 1, 2, 3))):
            kinds: list[Callable[[str], str]] = [self.plain, self.plain, self.branch]
            if self.weights:
                kinds += [self.product, self.pieces]
                kinds += [self.update, self.window] if not self.d.symbolic else []
            if self.depth < 3 and self.d.numbered < ENOUGH:
                kinds += [self.branch, self.counted, self.bounded]
                kinds += [self.switch] if self.index else []
            h = self.d.rng.choice(kinds)(h)
        return h

    def plain(self, h: str) -> str:
        return self.d.let(self.d.expression(h, self.shape), self.shape)

    def product(self, h: str) -> str:
        side = self.d.rng.choice(("{h} @ {W}", "{h} @ {W}.T", "m.tanh({h}) @ {W}"))
        return self.d.let(f"m.tanh({side.format(h=h, W=self.weights)})", self.shape)

    def test(self, h: str) -> str:
        """A condition: on data, on a counter, on an index of data."""
        about = ["m.sum({h}) > 0.1", "m.max({h}) < 0.6" if self.shape else "{h} > 0.0"]
        scalars = self.d.of_shape(())
        about += [f"{self.d.rng.choice(scalars)} > 0.05"] if scalars else []
        about += [f"{self.number} > 1", f"({self.number} > 0) & ({self.number} < 3)"] if self.number else []
        about += [f"{self.index} == 1"] if self.index else []
        return self.d.rng.choice(about).format(h=h)

    def function(self, prefix: str, *, number: str = "", still: bool = False) -> str:
        """A function of a state, after its counter if it has one; `still` for one that may give it back as it is."""
        d = self.d
        name, h = d.fresh(prefix), d.fresh("h")
        d.open(f"def {name}({number + ', ' if number else ''}{h}):")
        d.note(h, self.shape)
        made = self.inner(number).state(h) if not (still and d.chance(0.35)) else h
        if number:  # what loops repeat stays bounded
            made = d.let(f"m.tanh({made})", self.shape)
        d.close(made)
        return name

    def branch(self, h: str) -> str:
        test = self.test(h)
        yes, no = self.function("yes", still=True), self.function("no", still=True)
        return self.d.let(f"m.cond({test}, {yes}, {no}, {h})", self.shape)

    def switch(self, h: str) -> str:
        branches = ", ".join(self.function("case", still=True) for _ in range(3))
        return self.d.let(f"m.switch({self.index} - 1, [{branches}], {h})", self.shape)

    def counted(self, h: str) -> str:
        low, number = self.d.rng.choice((0, 0, 1)), self.d.fresh("i")
        step = self.function("turn", number=number)
        return self.d.let(f"m.counted({low}, {low + self.d.rng.choice((1, 2, 3, 5))}, {step}, {h})", self.shape)

    def bounded(self, h: str) -> str:
        d = self.d
        goes, old = d.fresh("goes"), d.fresh("h")
        d.write(f"{goes} = lambda {old}: m.sum({old} * {old}) > {d.rng.choice(('0.05', '0.3', '1.0'))}")
        shrink, old = d.fresh("shrink"), d.fresh("h")
        d.open(f"def {shrink}({old}):")
        d.note(old, self.shape)
        made = self.product(old) if self.weights and d.chance(0.4) else self.plain(old)
        d.close(f"0.5 * m.tanh({made})")
        return d.let(f"m.bounded({goes}, {shrink}, {h}, {d.rng.choice((1, 2, 4))})", self.shape)

    def pieces(self, h: str) -> str:
        text = self.d.rng.choice(
            (
                "m.roll({h}, 1, -1)",
                "m.roll({h}, -1, -1) - {h}",
                "m.flip({h}, -1)",
                "m.concatenate([{h}[..., 1:], {h}[..., :1]], -1)",
                "m.concatenate([{h}[..., 1:], 0.0 * {h}[..., :1]], -1)",
                "{h}[..., ::-1] * 0.5",
            )
        )
        return self.d.let(text.format(h=h), self.shape)

    def place(self) -> str:
        """A place in the first dimension of a state, which has one."""
        n = self.d.extents[self.shape[0]]
        some = [str(self.d.rng.randrange(n)), f"slice({self.d.rng.randrange(n)}, {n})", "slice(None, None, 2)"]
        return self.d.rng.choice([*some, self.index, self.index] if self.index and n > 2 else some)  # it is below 3

    def update(self, h: str) -> str:
        if not self.d.extents[self.shape[0]]:
            return self.plain(h)
        how = self.d.rng.choice(("set", "add", "multiply", "max"))
        known = self.d.of_shape(())
        value = self.d.rng.choice([*known, "0.25", "0.5"])
        return self.d.let(f"m.updated({h}, {self.place()}, {how!r}, {value})", self.shape)

    def window(self, h: str) -> str:
        n = self.d.extents[self.shape[0]]
        if not n or not self.index:
            return self.plain(h)
        size = self.d.rng.randint(1, n)
        rest = "".join(", 0" for _ in self.shape[1:])
        sizes = ", ".join((str(size), *self.shape[1:]))
        cut = self.d.let(f"m.window({h}, ({self.index}{rest},), ({sizes},))", ("?",))
        if self.d.chance(0.4):
            return self.d.let(f"m.rewritten({h}, m.sin({cut}), ({self.index}{rest},))", self.shape)
        return self.d.let(f"{h} * m.mean({cut})", self.shape)


def _loop(d: Draft, shape: Shape, weights: str) -> list[str]:
    """A scan whose steps branch: its last state and what it stacks."""
    steps = d.extent("step", "T")
    d.extents[steps] = max(1, d.extents[steps])
    start = d.input(shape, prefix="h")
    given = d.rng.choice((shape, shape[-1:], ()))
    xs = d.input((steps, *given))
    count = d.extent("small", "K")
    d.extents[count] = 3
    ids = d.ids((steps,), count) if d.chance(0.6) else ""
    lengths = ""
    if shape and given == shape and not ids and d.chance(0.4):
        lengths = f", lengths={d.input(shape[:1], f'{steps} + 1', 'ends', 'int32')}"
        d.peers = False
    elif d.chance(0.25):
        lengths = f", checkpoint=m.every({d.rng.choice((1, 2, 3, 5))})"
    lengths += ", reverse=True" if d.chance(0.25) else ""
    step, h, u, index = d.fresh("step"), d.fresh("h"), d.fresh("u"), d.fresh("n")
    d.open(f"def {step}({h}, x_t):")
    d.note(h, shape)
    d.write(f"{u}, {index} = x_t" if ids else f"{u} = x_t")
    d.note(u, given)
    made = _Body(d, shape, weights, "", index if ids else "", 0).state(h)
    new = d.let(f"m.tanh({made} + {u})" if d.chance(0.7) else f"0.5 * {made} + 0.3 * {u}", shape)
    out = d.rng.choice((new, h, made))
    d.close(f"{new}, {out}")
    last, ys = d.fresh("r"), d.fresh("y")
    d.write(f"{last}, {ys} = m.scan({step}, {start}, {f'({xs}, {ids})' if ids else xs}{lengths})")
    d.note(last, shape)
    return [last, d.note(ys, (steps, *shape))]


def _batch(d: Draft, shape: Shape, weights: str) -> list[str]:
    """A function with branches for each row of an array."""
    rows = d.extent("small", "R")
    d.extents[rows] = max(1, d.extents[rows])
    xs = d.input((rows, *shape))
    one, x = d.fresh("one"), d.fresh("x")
    d.open(f"def {one}({x}):")
    d.note(x, shape)
    d.close(_Body(d, shape, weights, "", "", 1).state(x))
    return [d.let(f"m.each({one}, {xs})", (rows, *shape))]


def draw(name: str) -> Program:
    """A scan, a batch, or a state without a loop around it."""
    d = Draft(name)
    d.symbolic = d.symbolic and d.chance(0.5)
    shape = tuple(d.extent("small", "B") for _ in range(d.rng.choice((0, 1, 1, 2))))
    for n in shape:
        d.extents[n] = max(1, d.extents[n])
    weights = ""
    if shape:
        if d.chance(0.35):
            d.extents[shape[-1]] = d.rng.randint(33, 70)
        weights = d.input((shape[-1], shape[-1]), prefix="W")
    kind = d.rng.random()
    if kind < 0.7:
        found = _loop(d, shape, weights)
    elif kind < 0.85:
        found = _batch(d, shape, weights)
    else:
        found = [_Body(d, shape, weights, "", "", 0).state(d.input(shape))]
    return d.finish([found[0], *(y for y in found[1:] if d.chance(0.7))])
