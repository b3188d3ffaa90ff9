"""Scans: several carries, counters, linear states, reversed, nested to three deep, checkpointed with any segment."""

from tests.campaign.draft import Draft
from tests.campaign.program import Program

__all__ = ["checkpoint", "draw", "scan"]


def checkpoint(d: Draft, steps: int) -> str:
    """A `checkpoint=` argument or none: segments that divide the steps or not, longer than all of them, in levels."""
    kind = d.rng.random()
    if kind < 0.5:
        return ""
    if kind < 0.62 and not d.symbolic:
        return ", checkpoint=m.root()"
    if kind > 0.85:
        segments = d.rng.choice(((2, 1), (4, 2), (6, 3), (6, 2), (9, 3), (6, 2, 1), (8, 4, 2), (12, 6, 2)))
        return f", checkpoint=m.every{segments}"
    return f", checkpoint=m.every({d.rng.choice((1, 2, 3, 4, 5, 7, max(1, steps - 1), steps + 1))})"


def _state(d: Draft, h: str, shape: tuple[str, ...], linear: bool, long: bool) -> str:
    """Write one step of a carry."""
    others = [n for n in d.fitting(shape) if n != h]
    v = d.rng.choice(others or [h])
    if linear:
        factor = d.rng.choice(("0.9", "0.5", f"m.tanh({v})", f"m.sigmoid({d.rng.choice(others or [h])})", "-0.8"))
        return f"{factor} * {h} + {v}" if factor[0] != "m" or v != h else f"0.5 * {h} + 0.1"
    if long:
        return d.rng.choice(
            ("m.tanh({h}) * 0.7 + {v}", "m.sin({h} + {v})", "0.5 * {h} + m.sin({v})", "m.logaddexp(-m.abs({h}), {v})")
        ).format(h=h, v=v)
    return d.expression(h, shape)


def scan(d: Draft, shape: tuple[str, ...], depth: int, steps: str, plain: bool = False) -> list[str]:
    """Write a scan over states of a shape; returns names of what it gives: final states, then stacked values.

    Args:
        d: the draft.
        shape: of the main carry.
        depth: how many scans there are around it.
        steps: the extent of time.
        plain: no checkpoint.
    """
    long = d.extents[steps] > 12
    count = d.rng.choice((1, 1, 2, 3))
    shapes = [shape, *(d.rng.choice((shape, shape[1:], ())) for _ in range(count - 1))]
    inits = []
    for s in shapes:
        known = d.of_shape(s)
        start = d.rng.choice(known) if known and (depth or d.chance(0.4)) else ""
        inits.append(start or (d.input(s, prefix="h") if not depth or d.chance(0.5) else ""))
        if not inits[-1]:
            inits[-1] = f"m.zeros(({''.join(f'{n}, ' for n in s)}), {d.dtype!r})"
    counter = d.chance(0.15)
    streams = d.rng.choice((0, 1, 1, 1, 2, 2))
    given = [d.rng.choice((shape, shape, shape[-1:], ())) for _ in range(streams)]
    known = {s: d.of_shape((steps, *s)) for s in given}
    xs = [d.rng.choice(known[s]) if known[s] and d.chance(0.5) else d.input((steps, *s)) for s in given]
    step, t = d.fresh("step"), d.fresh("c")
    reverse = ", reverse=True" if d.chance(0.25) else ""
    check = "" if plain else checkpoint(d, d.extents[steps])
    d.open(f"def {step}({t}, x_t):")
    carry = [d.note(d.fresh("h"), s) for s in shapes]
    number = d.fresh("n")
    every = [*carry, number] if counter else carry
    d.write(f"{', '.join(every)} = {t}" if len(every) > 1 else f"{every[0]} = {t}")
    parts = [d.note(d.fresh("u"), s) for s in given]
    if parts:
        d.write(f"{', '.join(parts)} = x_t")
    if counter:
        d.note(number, ())
    new = []
    if depth < 2 and not d.symbolic and d.chance(0.35 if depth == 0 else 0.15) and not long:
        scan(d, shape, depth + 1, d.extent("small", "K"), plain=plain or d.chance(0.5 if not check else 0.75))
    for h, s in zip(carry, shapes, strict=True):
        value = d.chain(h, s, d.rng.choice((0, 1, 1, 2))) if not long else h
        new.append(d.let(_state(d, value, s, d.chance(0.4), long), s))
    if counter:
        new.append(f"{number} + 1.0")
        if d.chance(0.5):
            new[0] = d.let(f"m.where({number} > 1.5, {new[0]}, 0.5 * {carry[0]})", shape)
    outputs = d.rng.sample([*new[: len(carry)], *carry], d.rng.choice((0, 1, 1, 2)))
    ys = f"({', '.join(outputs)})" if len(outputs) > 1 else (outputs[0] if outputs else "None")
    out_shapes = [next(s[n] for s in reversed(d.scopes) if n in s) for n in outputs]
    d.close(f"({', '.join(new)}), {ys}" if len(new) > 1 else f"{new[0]}, {ys}")
    results = [d.fresh("r") for _ in new]
    stacked = [d.fresh("y") for _ in outputs]
    left = f"({', '.join(results)})" if len(results) > 1 else results[0]
    right = f"({', '.join(stacked)})" if len(stacked) > 1 else (stacked[0] if stacked else "_")
    start = inits + (["m.zeros((), " + repr(d.dtype) + ")"] if counter else [])
    init = f"({', '.join(start)})" if len(start) > 1 else start[0]
    over = f"({', '.join(xs)})" if len(xs) > 1 else (xs[0] if xs else f"None, length={steps}")
    d.write(f"{left}, {right} = m.scan({step}, {init}, {over}{reverse}{check})")
    for r, s in zip(results, shapes, strict=False):
        d.note(r, s)
    for y, s in zip(stacked, out_shapes, strict=True):
        d.note(y, (steps, *s))
    return [*results[: len(shapes)], *stacked]


def look(d: Draft, y: str) -> str:
    """Something made of a stacked value: all of it, a part, a running sum."""
    shape = next(s[y] for s in d.scopes if y in s)
    text = d.rng.choice(
        ("{y}", "{y}", "{y}", "{y}[-1]", "{y}[::2]", "{y}[0]", "m.cumsum({y}, 0)", "m.flip({y}, 0)", "{y}[::-1]")
    )
    if not d.extents.get(shape[0], 0) and text in ("{y}[-1]", "{y}[0]"):
        text = "{y}"
    if d.symbolic and "::" in text:
        text = "{y}"
    return d.let(text.format(y=y), ("?",)) if text != "{y}" else y


def draw(name: str) -> Program:
    """One or two scans, the second over what the first gave."""
    d = Draft(name)
    shape = tuple(d.extent("small", "B") for _ in range(d.rng.choice((0, 0, 1, 1, 2))))
    kind = d.rng.random()
    if kind < 0.2 and len(shape) < 2:
        steps = d.extent("large", "T")
    else:
        steps = d.extent("step", "T")
    if 0.2 < kind < 0.4 and shape:
        d.extents[shape[-1]] = d.rng.randint(60, 300)
    found = scan(d, shape, 0, steps)
    if d.chance(0.3):
        found += scan(d, shape, 0, steps)
    stacked = [n for n in found if n.startswith("y")]
    results = [look(d, y) for y in stacked] + [n for n in found if n.startswith("r") and d.chance(0.5)]
    return d.finish(results or found)
