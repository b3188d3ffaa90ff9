"""Derivatives inside of a program: jvp, jacobians, hessians, rules of the user's own; and derivatives of these."""

from tests.campaign.draft import UNARY, Draft
from tests.campaign.program import Program

__all__ = ["draw"]

# A function of numbers and the factor of its rule: f(a, b), df/da, df/db.
RULES = (
    ("m.sin(a) * b", "m.cos(a) * b", "m.sin(a)"),
    ("a * b + 0.5 * a * a", "b + a", "a"),
    ("m.tanh(a) + m.exp(-b * b)", "1.0 - m.tanh(a) * m.tanh(a)", "-2.0 * b * m.exp(-b * b)"),
)
SMOOTH = tuple(u for u in UNARY if "stop" not in u and "floor" not in u and "nn.gelu" not in u)


def _function(d: Draft, n: str) -> str:
    """Write g(a, b) of two vectors, a vector."""
    g = d.fresh("g")
    d.open(f"def {g}(a, b):")
    v = "a"
    for _ in range(d.rng.randint(1, 3)):
        text = d.rng.choice((d.rng.choice(SMOOTH).format(a=v), f"{v} * b", f"m.sin({v}) + 0.5 * b", f"{v} * m.sum(b)"))
        v = d.let(text, (n,))
    if d.chance(0.3):
        v = d.let(f"m.cumsum({v}, 0)", (n,))
    elif d.chance(0.3) and not d.symbolic:
        step, last, ys = d.fresh("step"), d.fresh("r"), d.fresh("y")
        d.write(f"def {step}(h, x_t): return 0.5 * h + m.sin(x_t), h * x_t")
        d.write(f"{last}, {ys} = m.scan({step}, 0.0 * {v}[0], {v})")
        v = d.note(ys, (n,))
    d.close(v)
    return g


def _ruled(d: Draft, n: str) -> str:
    """Write a function with a rule of its own, the true one."""
    f, da, db = d.rng.choice(RULES)
    g = d.fresh("g")
    d.write(f"{g} = m.custom(lambda a, b: {f}, lambda a, b: ({f}, (a, b)), lambda kept, bar: _rule{g}(kept, bar))")
    d.lines.insert(-1, f"def _rule{g}(kept, bar): a, b = kept; return (({da}) * bar, ({db}) * bar)")
    return g


def draw(name: str) -> Program:
    """One transform of one function, and a chain on what it gives."""
    d = Draft(name)
    d.mixed = False  # tangents have the types of what they belong to
    n = d.extent("small", "N")
    d.extents = {e: min(5, max(1, v)) for e, v in d.extents.items()}
    a, b = d.input((n,), "normal"), d.input((n,), "normal")
    kind = d.rng.choice(("jvp", "grad", "jacfwd", "jacrev", "hessian", "custom", "custom"))
    g = _ruled(d, n) if kind == "custom" else _function(d, n)
    if kind == "jvp":
        u, w = d.input((n,), "normal"), d.input((n,), "normal")
        y, dot = d.fresh("y"), d.fresh("y")
        d.write(f"{y}, {dot} = m.jvp({g}, ({a}, {b}), ({u}, {w}))")
        return d.finish([d.note(dot, (n,)), d.note(y, (n,))])
    if kind == "grad":
        v = d.let(f"m.grad(lambda a, b: m.sum({g}(a, b)))({a}, {b})", (n,))
    elif kind == "hessian":
        v = d.let(f"m.hessian(lambda a, b: m.sum({g}(a, b) ** 2))({a}, {b})", (n, n))
    elif kind == "custom":
        v = d.let(f"{g}({a}, {b})", (n,))
        return d.finish([d.chain(v, (n,), 1)], ("grad", "grad", "vjp", "value", "second"))
    else:
        v = d.let(f"m.{kind}({g})({a}, {b})", (n, n))
    return d.finish([v], ("value", "grad", "grad", "vjp", "jvp"))
