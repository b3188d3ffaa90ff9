"""Matrix products, einsum, triangles and masks, batched and chained."""

from tests.campaign.draft import Draft
from tests.campaign.program import Program

__all__ = ["draw"]

SPECS = ("ij,jk->ik", "ij,kj->ik", "bij,bjk->bik", "ij,ij->i", "i,j->ij", "ijk,k->ij", "ij,jk,kl->il", "bi,bj->ij")
SPECS += ("ijk,jkl->il", "bij,bkj->bik", "ij->ji", "ij,j->i", "ijk->k", "ij,ik->jk")


def mask(d: Draft, v: str, shape: tuple[str, ...]) -> str:
    """A triangle or a band of a matrix."""
    k = d.rng.choice((0, 0, -1, 1, 2))
    kind = d.rng.choice(("tril", "triu", "where"))
    if kind == "where":
        rows, columns = shape[-2:]
        test = f"m.arange({rows})[:, None] >= m.arange({columns})[None, :]"
        return d.let(f"m.where({test}, {v}, {d.rng.choice(('0.0', '-1.5'))})", shape)
    return d.let(f"m.{kind}({v}, {k})", shape)


def draw(name: str) -> Program:
    """One to three contractions in a row."""
    d = Draft(name)
    d.mixed = True
    letters: dict[str, str] = {}
    large = d.chance(0.3)
    spec = d.rng.choice(SPECS)
    for letter in sorted(set(spec) - set(",->")):
        # Three large ones at most: all others together would take minutes without optimisation.
        wide = large and sum(d.extents[e] >= 60 for e in letters.values()) < 3 and d.chance(0.6)
        letters[letter] = d.extent("large" if wide else "small", letter.upper())
    sides, result = spec.split("->")
    operands = []
    for side in sides.split(","):
        shape = tuple(letters[c] for c in side)
        v = d.input(shape)
        if d.chance(0.4):
            v = d.chain(v, shape, 1)
        if len(shape) >= 2 and d.chance(0.2):
            v = mask(d, v, shape)
        operands.append(v)
    shape = tuple(letters[c] for c in result)
    y = d.let(f"m.einsum({spec!r}, {', '.join(operands)})", shape)
    if spec in ("ij,jk->ik", "bij,bjk->bik", "ij,j->i") and d.chance(0.5):
        d.lines[-1] = d.lines[-1].split(" = ")[0] + f" = {operands[0]} @ {operands[1]}"
    found = [y]
    for _ in range(d.rng.choice((0, 1, 1, 2))):
        if not shape:
            break
        y = d.chain(y, shape, d.rng.choice((0, 1)))
        if len(shape) == 2 and d.chance(0.6):
            out = d.extent("small", "O")
            w = d.input((shape[1], out), prefix="w")
            y = d.let(f"{y} @ {w}", (shape[0], out))
            shape = (shape[0], out)
            if d.chance(0.5):
                y = d.let(f"m.tanh({y} + {d.input((out,), prefix='b')})", shape)
        elif len(shape) >= 2 and d.chance(0.4):
            y = mask(d, y, shape)
    if shape and y not in found:
        found = [y]
    return d.finish(found)
