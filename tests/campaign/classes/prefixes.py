"""Scans that are linear in their state, past every block: what feeds them has differences, quotients, powers, rules."""

from tests.campaign.classes.scans import checkpoint, look
from tests.campaign.draft import Draft
from tests.campaign.program import Program

__all__ = ["draw"]

# What stands before the state: below 1 in size, so that long products stay numbers.
FACTORS = (
    "0.9",
    "-0.7",
    "({a} - {b}) / (2.0 + {a} ** 2 + {b} ** 2)",
    "1.0 / (1.5 + {a} ** 2)",
    "-{a} / (1.2 + {a} * {a} - ({a} - {b}) * 0.0)",
    "m.exp(-({a} - {b}) ** 2) * 0.8",
    "0.5 * m.sin({a}) ** 3",
    "(m.tanh({a}) - m.tanh({b})) / 2.5",
)
# What is added.
TERMS = (
    "{a}",
    "-{a}",
    "-({a} - {b})",
    "{a} - ({b} - {c})",
    "{a} - {b} / (1.5 + {c} ** 2)",
    "({a} - {b}) * ({b} - {c})",
    "({a} + {b}) / (2.0 + ({a} - {c}) ** 2)",
    "-({a} ** 2) * 0.3 - -{b}",
    "0.2 * (-{a}) ** 3 - {b}",
    "1.0 / (2.0 - m.sin({a}))",
)
# The next state of h, from a factor f and a term g.
FORMS = (
    "{f} * {h} + {g}",
    "{g} - {f} * {h}",
    "{h} * {f} - {g}",
    "{f} * ({h} - {g})",
    "{f} * ({g} - {h}) + {g}",
    "{h} - 0.3 * ({h} - {g})",
    "({h} - {g}) / (1.5 + {a} ** 2)",
    "-({h} + {g}) * {f}",
    "m.maximum({h}, {g})",
    "m.minimum({g}, {h})",
    "m.maximum({h} * m.exp(-m.abs({f})), {g})",
    "{h} + 0.01 * {g}",
)
# A function of numbers and its derivatives: f(a, b), df/da, df/db.
RULES = (
    ("a / (1.5 + b * b)", "1.0 / (1.5 + b * b)", "-2.0 * a * b / (1.5 + b * b) ** 2"),
    ("(a - b) ** 2 * 0.3", "0.6 * (a - b)", "-0.6 * (a - b)"),
    ("m.sin(a - b)", "m.cos(a - b)", "-m.cos(a - b)"),
)


def _rule(d: Draft) -> str:
    """Write a function of two numbers with a rule of the user's own, the true one."""
    f, da, db = d.rng.choice(RULES)
    g = d.fresh("g")
    d.write(f"def _rule{g}(kept, bar): a, b = kept; return (({da}) * bar, ({db}) * bar)")
    d.write(f"{g} = m.custom(lambda a, b: {f}, lambda a, b: ({f}, (a, b)), lambda kept, bar: _rule{g}(kept, bar))")
    return g


def draw(name: str) -> Program:
    """One or two states, each linear in itself or a running extreme, over 40 to 300 steps."""
    d = Draft(name)
    d.mixed = False
    d.symbolic = d.chance(0.5)
    steps = d.extent("large", "T")
    d.extents[steps] = d.rng.randint(40, 300)
    shape = tuple(d.extent("small", "B") for _ in range(d.rng.choice((0, 0, 1, 1, 2))))
    custom = _rule(d) if d.chance(0.25) and not shape else ""
    given = [d.input((steps, *shape)) for _ in range(d.rng.choice((1, 2, 2, 3)))]
    weights = [d.input(s, prefix="w") for s in ((), shape[-1:]) if d.chance(0.3)]
    count = d.rng.choice((1, 1, 2))
    starts = [d.input(shape, prefix="h") for _ in range(count)]
    step, carry, stream = d.fresh("step"), d.fresh("c"), d.fresh("s")
    d.open(f"def {step}({carry}, {stream}):")
    states = [d.note(d.fresh("h"), shape) for _ in starts]
    d.write(f"{', '.join(states)} = {carry}")
    parts = [d.note(d.fresh("u"), shape) for _ in given]
    d.write(f"{', '.join(parts)} = {stream}")
    values = [*parts, *weights]
    if custom:
        values.append(d.let(f"{custom}({parts[0]}, {d.rng.choice(parts)})", shape))
    new: list[str] = []
    for h in states:
        a, b, c = (d.rng.choice(values + new) for _ in range(3))
        factor = d.rng.choice(FACTORS).format(a=a, b=b)
        term = d.rng.choice(TERMS).format(a=a, b=b, c=c)
        f = f"({factor})" if d.chance(0.5) else d.let(factor, shape)
        g = f"({term})" if d.chance(0.5) else d.let(term, shape)
        new.append(d.let(d.rng.choice(FORMS).format(h=h, f=f, g=g, a=a), shape))
    emitted = d.rng.choice((new[0], new[-1], f"{new[0]} - {states[0]}", f"{new[-1]} * {parts[0]} - {states[-1]}"))
    d.close(f"({', '.join(new)}), {emitted}" if count > 1 else f"{new[0]}, {emitted}")
    last, y = [d.note(d.fresh("r"), shape) for _ in new], d.note(d.fresh("y"), (steps, *shape))
    reverse = ", reverse=True" if d.chance(0.3) else ""
    init = f"({', '.join(starts)})" if count > 1 else starts[0]
    over = f"({', '.join(given)})" if len(given) > 1 else given[0]
    left = f"({', '.join(last)})" if count > 1 else last[0]
    d.write(f"{left}, {y} = m.scan({step}, {init}, {over}{reverse}{checkpoint(d, d.extents[steps])})")
    return d.finish(
        [look(d, y), *(r for r in last if d.chance(0.5))], ("grad", "grad", "vjp", "value", "second") if custom else ()
    )
