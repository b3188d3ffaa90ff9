"""Joining, cutting, turning and repeating: pieces, strides, borders; extents of nothing among them."""

from tests.campaign.draft import Draft
from tests.campaign.program import Program

__all__ = ["draw", "one"]

KINDS = tuple(
    "slice stride back concat stack pad roll flip repeat tile swap shape none diagonal tril split edge wrap "
    "integer".split()
)


def one(d: Draft, v: str, sizes: list[int]) -> tuple[str, list[int]]:
    """One operation on v, whose extents are numbers here: (its text, the extents of the result)."""
    axis = d.rng.randrange(len(sizes))
    n = sizes[axis]
    key = [":"] * len(sizes)
    kind = d.rng.choice(KINDS)
    after = list(sizes)
    if kind == "slice":
        low, high = d.rng.randint(-2, n + 1), d.rng.randint(-2, n + 2)
        key[axis] = f"{low}:{high}"
        after[axis] = len(range(n)[low:high])
    elif kind == "stride":
        low, step = d.rng.randint(0, 2), d.rng.randint(2, 4)
        key[axis] = f"{low}::{step}"
        after[axis] = len(range(n)[low::step])
    elif kind == "back":
        step = d.rng.choice((-1, -2))
        key[axis] = f"::{step}"
        after[axis] = len(range(n)[::step])
    elif kind == "concat":
        after[axis] = 2 * n
        return f"m.concatenate([{v}, 0.5 * {v}], {axis})", after
    elif kind == "stack":
        return f"m.stack([{v}, m.sin({v})], {axis})", [*sizes[:axis], 2, *sizes[axis:]]
    elif kind in ("pad", "edge", "wrap"):
        low, high = d.rng.randint(0, 2), d.rng.randint(0, 3)
        mode = {"pad": "constant", "edge": "edge", "wrap": d.rng.choice(("wrap", "reflect", "symmetric"))}[kind]
        if mode in ("wrap", "reflect", "symmetric"):
            low, high = min(low, max(n - 1, 0)), min(high, max(n - 1, 0))
        if n == 0:
            mode = "constant"
        widths = ["(0, 0)"] * len(sizes)
        widths[axis] = f"({low}, {high})"
        after[axis] = n + low + high
        return f"m.pad({v}, ({', '.join(widths)},), mode={mode!r})", after
    elif kind == "roll":
        return f"m.roll({v}, {d.rng.randint(-3, 3)}, {axis})", after
    elif kind == "flip":
        return f"m.flip({v}, {axis})", after
    elif kind == "repeat":
        after[axis] = 3 * n
        return f"m.repeat({v}, 3, {axis})", after
    elif kind == "tile":
        after[axis] = 2 * n
        reps = ["1"] * len(sizes)
        reps[axis] = "2"
        return f"m.tile({v}, ({', '.join(reps)},))", after
    elif kind == "swap":
        order = list(range(len(sizes)))
        d.rng.shuffle(order)
        return f"m.transpose({v}, ({''.join(f'{o}, ' for o in order)}))", [sizes[o] for o in order]
    elif kind == "shape":
        total = 1
        for s in sizes:
            total *= s
        split = next((k for k in (3, 2, 4, 5) if total and total % k == 0), 1)
        new = [total] if d.chance(0.4) else [split, total // split]
        return f"m.reshape({v}, ({''.join(f'{s}, ' for s in new)}))", new
    elif kind == "diagonal" and len(sizes) == 2:
        return f"m.diagonal({v})", [min(sizes)]
    elif kind == "tril" and len(sizes) == 2:
        return f"m.{d.rng.choice(('tril', 'triu'))}({v}, {d.rng.randint(-1, 1)})", after
    elif kind == "split" and n and n % 2 == 0:
        after[axis] = n // 2
        a, b = d.fresh("a"), d.fresh("b")
        d.write(f"{a}, {b} = m.split({v}, 2, {axis})")
        return f"{a} * m.cos({b})", after
    elif kind == "integer" and n and len(sizes) > 1:
        key[axis] = str(d.rng.randint(-n, n - 1))
        del after[axis]
    else:
        return f"m.sin({v})", after
    return f"{v}[{', '.join(key)}]", after


def draw(name: str) -> Program:
    """A chain of two to five operations; sizes are numbers, as what follows depends on them."""
    d = Draft(name)
    d.symbolic = False
    shape = tuple(
        d.extent(d.rng.choice(("tiny", "small", "small", "small"))) for _ in range(d.rng.choice((1, 2, 2, 3)))
    )
    if d.chance(0.1):
        d.extents[shape[-1]] = d.rng.randint(60, 300)
    v = d.input(shape)
    if d.chance(0.4):
        v = d.chain(v, shape, 1)
    sizes = [d.extents[n] for n in shape]
    found = []
    for _ in range(d.rng.randint(2, 5)):
        text, after = one(d, v, sizes)
        most = 1
        for s in after:
            most *= s
        if most > 3000 or len(after) > 4:
            continue
        v, sizes = d.let(text, ("?",)), after
        if d.chance(0.3):
            v = d.let(f"m.tanh({v}) * {v}", ("?",))
    found.append(v)
    return d.finish(found)
