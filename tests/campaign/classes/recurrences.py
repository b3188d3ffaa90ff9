"""Recurrences in one, two and three dimensions, with rows longer than any block, from either end."""

from tests.campaign.draft import Draft
from tests.campaign.program import Program

__all__ = ["draw"]

CELLS = 9000  # most cells: the reference computes them one by one

MIX = (
    "0.4 * {p} + 0.5 * {q}",
    "m.sin({p}) * 0.5 + 0.4 * {q}",
    "m.tanh({p} + {q})",
    "m.maximum({p}, {q}) * 0.9",
    "m.logaddexp(-m.abs({p}), {q} * 0.5)",
    "{p} * 0.5 + m.sin({q})",
    "m.select({p} > {q}, 0.5 * {p}, m.sin({q}))",
    "0.7 * {q} + 0.1 * {p} * {q}",
)


def _row(d: Draft, base: str) -> str:
    """One-dimensional: u[i] of u[i - 1] and perhaps u[i - 2]."""
    n = d.extent(d.rng.choice(("small", "large", "large")))
    x, c = d.input((n,)), d.input((n,))
    down = d.chance(0.3)
    first, step = (f"i == {n} - 1", "i + 1") if down else ("i == 0", "i - 1")
    body = d.rng.choice(
        (
            "0.8 * u[{s}] + {x}[i]",
            "m.tanh({c}[i]) * u[{s}] + {x}[i]",
            "m.sin(u[{s}]) + {x}[i]",
            "0.5 * u[{s}] * {c}[i] + m.cos({x}[i])",
            "m.maximum(u[{s}], {x}[i])",
            "m.select({x}[i] > 0.0, 0.9 * u[{s}], {c}[i])",
        )
    ).format(s=step, x=x, c=c)
    if not down and d.chance(0.3) and d.extents[n] > 2 and not d.symbolic:
        body = f"m.select(i == 1, {c}[i], 0.5 * u[i - 1] + 0.4 * u[i - 2] * {x}[i])"
    u = d.let(f"m.recurrence(({n},), lambda u, i: m.select({first}, {x}[i], {body}))", (n,), "u")
    return u


def _grid(d: Draft, rows: str, columns: str, drives: list[str]) -> str:
    """Two-dimensional: u[i, j] of cells above, to the left, and across."""
    reads = d.rng.sample(("u[i - 1, j]", "u[i, j - 1]", "u[i - 1, j - 1]"), d.rng.choice((1, 2, 2, 3)))
    edge = d.rng.choice(("0.0", "0.3"))
    guarded = []
    for r in reads:
        conditions = [c for c, t in (("i > 0", "i - 1"), ("j > 0", "j - 1")) if t in r]
        text = " & ".join(f"({c})" for c in conditions)
        guarded.append(f"m.select({text}, {r}, {edge})")
    x = d.rng.choice(drives)
    body = guarded[0]
    for other in guarded[1:]:
        body = d.rng.choice(MIX).format(p=body, q=other)
    drive = d.rng.choice((f"{x}[i, j]", f"m.sin({x}[i, j])", f"{x}[i, j] * 0.5"))
    body = d.rng.choice((f"{body} * 0.6 + {drive}", f"m.tanh({drive}) * {body} + {drive}", f"m.tanh({body}) + {drive}"))
    if d.chance(0.15):
        body = f"m.select(j > i, {body}, {drive})"
    return d.let(f"m.recurrence(({rows}, {columns}), lambda u, i, j: {body})", (rows, columns), "u")


def _space(d: Draft) -> str:
    a, b, c = d.extent(), d.extent(), d.extent(d.rng.choice(("small", "large")))
    x = d.input((a, b, c))
    reads = d.rng.sample(
        (
            "m.select(p > 0, u[p - 1, i, j], 0.0)",
            "m.select(i > 0, u[p, i - 1, j], 0.1)",
            "m.select(j > 0, u[p, i, j - 1], 0.0)",
            "m.select((p > 0) & (j > 0), u[p - 1, i, j - 1], 0.2)",
        ),
        d.rng.choice((1, 2, 3)),
    )
    body = " + ".join(f"{d.rng.choice(('0.3', '0.2', '-0.4'))} * {r}" for r in reads)
    body = d.rng.choice((f"{body} + {x}[p, i, j]", f"m.sin({body}) + {x}[p, i, j]", f"({body}) * {x}[p, i, j] + 0.1"))
    return d.let(f"m.recurrence(({a}, {b}, {c}), lambda u, p, i, j: {body})", (a, b, c), "u")


def draw(name: str) -> Program:
    """A recurrence, perhaps a second one over it, and a loss of both."""
    d = Draft(name)
    d.peers = False
    kind = d.rng.random()
    found = []
    if kind < 0.3:
        found.append(_row(d, ""))
    elif kind < 0.85:
        rows, columns = d.extent(), d.extent(d.rng.choice(("small", "large", "large")))
        if d.chance(0.2):
            rows = d.extent("large")
            while d.extents[rows] * d.extents[columns] > CELLS:
                d.extents[rows] = max(1, d.extents[rows] // 2)
        x = d.input((rows, columns))
        found.append(_grid(d, rows, columns, [x]))
        if d.chance(0.3):
            found.append(_grid(d, rows, columns, [x, found[0]]))
    else:
        found.append(_space(d))
    u = found[-1]
    if d.chance(0.3):
        found.append(d.let(d.expression(u, d.scopes[0][u]), d.scopes[0][u]))
    if d.chance(0.25):
        found[-1] = d.let(f"{found[-1]}[-1]", ("?",))
    d.extents = {n: max(1, v) for n, v in d.extents.items()}
    return d.finish(found if d.chance(0.5) else found[-1:])
