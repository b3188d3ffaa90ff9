"""Numbers that are not finite: chains, joins and gathers of them, values alone, against the evaluator."""

from tests.campaign.draft import UNARY, Draft
from tests.campaign.program import Program

__all__ = ["draw"]

PLAIN = (
    "{a} + {b}",
    "{a} - {b}",
    "{a} * {b}",
    "{a} / {b}",
    "m.maximum({a}, {b})",
    "m.minimum({a}, {b})",
    "m.where({a} > {b}, {a}, {b})",
    "m.where({a} == {a}, {a}, 1.0)",
    "m.logaddexp({a}, {b})",
    "m.hypot({a}, {b})",
    "m.arctan2({a}, {b})",
)
JOINS = ("{v}[::-1]", "m.concatenate([{v}, 0.5 * {v}], 0)", "m.flip({v}, 0)", "m.roll({v}, 1, 0)", "m.abs({v})")


def draw(name: str) -> Program:
    """A chain, perhaps joined, perhaps reduced."""
    d = Draft(name)
    d.symbolic, d.odd = False, True
    d.dtype = "float64"  # the evaluator computes with 64 bits, so that float32 overflows later there
    shape = tuple(d.extent("small") for _ in range(d.rng.choice((1, 2, 2))))
    d.extents = {n: max(1, v) for n, v in d.extents.items()}
    if d.chance(0.2):
        d.extents[shape[-1]] = d.rng.randint(60, 150)
    x, y = d.input(shape), d.input(shape)
    v = x
    for _ in range(d.rng.randint(1, 4)):
        text = d.rng.choice(UNARY) if d.chance(0.5) else d.rng.choice(PLAIN)
        v = d.let(text.format(a=v, b=d.rng.choice((x, y))), shape)
    found = [v]
    if d.chance(0.3):
        found.append(d.let(d.rng.choice(JOINS).format(v=v), ("?",)))
    if d.chance(0.4):
        axis = d.rng.randrange(len(shape))
        found.append(d.let(f"m.{d.rng.choice(('sum', 'max', 'min', 'prod'))}({v}, {axis})", ("?",)))
    if d.chance(0.2):
        found.append(d.let(f"m.nn.logsumexp({v}, 0)", ("?",)))
    return d.finish(found)
