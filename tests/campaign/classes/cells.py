"""Recurrent networks: cells with matrices, one layer or two, checkpointed; states that attend to earlier ones."""

from tests.campaign.classes.scans import checkpoint
from tests.campaign.draft import Draft
from tests.campaign.program import Program

__all__ = ["draw"]

GATES = {"rnn": 1, "gru": 3, "lstm": 4, "spelled": 1, "low": 1}


def _layer(d: Draft, x: str, steps: str, batch: tuple[str, ...], width: str, hidden: str, check: str) -> str:
    """A scan of a cell over x (T, B, I); the states (T, B, H)."""
    kind = d.rng.choice(tuple(GATES))
    gates = GATES[kind]
    rows = hidden if gates == 1 else f"{gates} * {hidden}"
    W, U = d.input((rows, width), prefix="W"), d.input((rows, hidden), prefix="U")
    b = d.input((rows,), prefix="b")
    start = f"m.zeros(({''.join(f'{n}, ' for n in (*batch, hidden))}), {d.dtype!r})"
    if d.chance(0.4):
        start = d.input((*batch, hidden), prefix="h")
    step, ys = d.fresh("step"), d.fresh("ys")
    reverse = ", reverse=True" if d.chance(0.2) else ""
    d.open(f"def {step}(h, x_t):")
    if kind == "lstm":
        d.write(f"h_new, c_new = m.nn.lstm_cell(x_t, h, {W}, {U}, {b})")
        d.close("(h_new, c_new), h_new")
        start = f"({start}, {start})"
    elif kind == "gru":
        d.close(f"(m.nn.gru_cell(x_t, h, {W}, {U}, {b}, {b}),) * 2")
    elif kind == "rnn":
        d.close(f"(m.nn.rnn_cell(x_t, h, {W}, {U}, {b}),) * 2")
    elif kind == "spelled":
        d.write(f"z = x_t @ {W}.T + h @ {U}.T")
        d.close(f"(m.{d.rng.choice(('sin', 'tanh'))}(z + {b}), {d.rng.choice(('z', 'h'))})")
    else:
        d.write(f"new = 0.5 * h + m.sigmoid(x_t @ {W}.T + {b}) * m.tanh(h @ {U}.T)")
        d.close("new, new")
    d.write(f"last, {ys} = m.scan({step}, {start}, {x}{reverse}{check})")
    return d.note(ys, (steps, *batch, hidden))


def draw(name: str) -> Program:
    """One layer or two, and a readout."""
    d = Draft(name)
    steps = d.extent("step", "T")
    batch = (d.extent("small", "B"),) if d.chance(0.75) else ()
    width, hidden = d.extent("small", "I"), d.extent("small", "H")
    d.extents = {n: max(1, v) for n, v in d.extents.items()}
    if d.chance(0.15):
        d.extents[hidden] = d.rng.randint(17, 40)
    x = d.input((steps, *batch, width))
    ys = _layer(d, x, steps, batch, width, hidden, checkpoint(d, d.extents[steps]))
    if d.chance(0.3):
        second = d.extent("small", "G")
        d.extents[second] = max(1, d.extents[second])
        ys = _layer(d, ys, steps, batch, hidden, second, checkpoint(d, d.extents[steps]))
        hidden = second
    found = [ys]
    kind = d.rng.random()
    if kind < 0.3:
        out = d.input((d.extent("small", "O"), hidden), prefix="V")
        found = [d.let(f"m.tanh({ys} @ {out}.T)", ("?",))]
    elif kind < 0.5:
        found = [d.let(f"{ys}[-1]", ("?",))]
    elif kind < 0.6:
        target = d.input((steps, *batch, hidden), prefix="target")
        found = [d.let(f"m.nn.mse_loss({ys}, {target})", ())]
    return d.finish(found)
