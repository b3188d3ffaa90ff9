"""Data-dependent reads: embeddings, take, take_along_axis, cross entropies; repeated ids, in scans too."""

from tests.campaign.classes.scans import checkpoint
from tests.campaign.draft import Draft
from tests.campaign.program import Program

__all__ = ["draw"]


def draw(name: str) -> Program:
    """A table, ids, and what is made of the rows."""
    d = Draft(name)
    d.mixed = True
    rows, width, count = d.extent(), d.extent(), d.extent("step", "L")
    for n in (rows, width, count):
        d.extents[n] = max(1, d.extents[n])
    if d.chance(0.25):
        d.extents[d.rng.choice((rows, width, count))] = d.rng.randint(60, 200)
    table = d.input((rows, width), prefix="table")
    source = d.chain(table, (rows, width), d.rng.choice((0, 0, 1)))
    found = []
    for _ in range(d.rng.choice((1, 1, 2))):
        kind = d.rng.choice(("take", "index", "embedding", "columns", "along", "entropy", "scan", "two", "best"))
        if kind in ("take", "index", "embedding"):
            ids = d.ids((count,), rows)
            text = {"take": "m.take({s}, {i}, 0)", "index": "{s}[{i}]", "embedding": "m.nn.embedding({i}, {s})"}[kind]
            v = d.let(text.format(s=source, i=ids), (count, width))
            found.append(d.chain(v, (count, width), d.rng.choice((0, 1, 2))))
        elif kind == "columns":
            ids = d.ids((count,), width)
            found.append(d.let(f"m.sin(m.take({source}, {ids}, 1))", (rows, count)))
        elif kind == "along":
            ids = d.ids((rows, count), width)
            found.append(d.let(f"m.take_along_axis({source}, {ids}, 1)", (rows, count)))
        elif kind == "entropy":
            ids = d.ids((rows,), width)
            found.append(d.let(f"m.nn.cross_entropy({source}, {ids})", ()))
        elif kind == "two":
            first, second = d.ids((count,), rows), d.ids((count,), width)
            found.append(d.let(f"m.cos({source}[{first}, {second}])", (count,)))
        elif kind == "best":
            found.append(d.let(f"m.take_along_axis({source}, m.argmax({source}, 1)[:, None], 1)", ("?",)))
        else:
            ids = d.ids((count,), rows)
            step = d.fresh("step")
            check = checkpoint(d, d.extents[count])
            h0 = d.input((width,), prefix="h")
            d.open(f"def {step}(h, i):")
            new = d.let(
                d.rng.choice((f"0.5 * h + {source}[i]", f"m.tanh(h + {source}[i])", f"m.sin(h) * {source}[i]")),
                (width,),
            )
            d.close(f"{new}, {d.rng.choice(('None', new))}")
            last = d.fresh("last")
            d.write(f"{last}, _ = m.scan({step}, {h0}, {ids}{check})")
            found.append(d.note(last, (width,)))
    if d.chance(0.4):
        axis = d.rng.randrange(2)
        kind = d.rng.choice(("cumsum", "cumsum", "cumprod")) if d.extents[(rows, width)[axis]] < 10 else "cumsum"
        found.append(d.let(f"m.{kind}({source}, {axis})", (rows, width)))
    return d.finish(found)
