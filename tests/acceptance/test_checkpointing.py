"""Checkpointed scans: the same numbers for any length, in less memory, by running segments again."""

import numpy as np
import pytest

import polyad as pa
from polyad.frontend.compiled import program_of
from polyad.passes import prepare
from polyad.schedule.scheduler import default_schedule
from polyad.schedule.strategies import Strategies
from tests.acceptance.lstm import layer, placeholders
from tests.schedule.execution import violations
from tests.schedule.test_scheduler import loops_around

RNG = np.random.default_rng(0)


def rnn(checkpoint, reverse):
    """Gradient of a tanh RNN with losses on the last state and on all outputs."""
    T, B, H = pa.sizes("T B H")
    x = pa.placeholder((T, B, H), "x", "float64")
    U = pa.placeholder((H, H), "U", "float64")
    h0 = pa.placeholder((B, H), "h0", "float64")

    def step(h, v):
        h = pa.tanh(v + h @ U.T)
        return h, h * v

    last, ys = pa.scan(step, h0, x, checkpoint=checkpoint, reverse=reverse)
    loss = (last * last).sum() + pa.sin(ys).sum()
    return pa.compile([loss, last, ys, *pa.grad(loss, [x, U, h0])], [x, U, h0], name="rnn")


@pytest.mark.parametrize("reverse", [False, pytest.param(True, marks=pytest.mark.slow)])
def test_same_numbers_for_lengths_that_do_not_divide(reverse):
    plain, segmented = rnn(None, reverse), rnn(pa.checkpoint.every(4), reverse)
    for T in (1, 3, 4, 5, 8, 13):
        arrays = {
            "x": RNG.standard_normal((T, 2, 3)),
            "U": RNG.standard_normal((3, 3)),
            "h0": RNG.standard_normal((2, 3)),
        }
        for a, b in zip(plain(**arrays), segmented(**arrays), strict=True):
            np.testing.assert_allclose(a, b, rtol=1e-12, atol=1e-14)


def last_state_gradient(checkpoint):
    T, B, H = pa.sizes("T B H")
    x = pa.placeholder((T, B, H), "x", "float64")
    U = pa.placeholder((H, H), "U", "float64")
    h0 = pa.placeholder((B, H), "h0", "float64")
    last, _ = pa.scan(lambda h, v: (pa.tanh(v + h @ U.T), None), h0, x, checkpoint=checkpoint)
    loss = (last * last).sum()
    return pa.compile([loss, *pa.grad(loss, [U, h0])], [x, U, h0], name="rnn_last")


def test_memory_is_one_state_per_segment_and_one_segment():
    n, B, H = 32, 4, 8
    kernel = last_state_gradient(pa.checkpoint.every(n))
    state = B * H * 8
    for T in (320, 3200):
        use = kernel.memory_plan(T=T, B=B, H=H)
        # The room in which contractions copy their operands is the same whatever the sizes.
        total = use.total_bytes - use.arrays.get("pa_space", 0)
        kept, segments = (T // n + 1) * state, 6 * (n + 2) * state
        assert total <= kept + segments
        assert total >= kept
    assert last_state_gradient(None).memory_plan(T=3200, B=B, H=H).total_bytes >= 3200 * state


@pytest.mark.slow
def test_a_segment_is_run_again_just_before_its_adjoint():
    tree = last_state_gradient(pa.checkpoint.every(32)).schedule.tree()
    nest = next(part for part in tree.split("\nfor ") if part.startswith("s (reversed)"))
    assert nest.index("matmul_again[") < nest.index("for t (reversed)")


def input_gradients(checkpoint, layers):
    """Gradients by everything of LSTM layers that project their inputs themselves; (kernel, arrays of a length)."""
    T, B, H = pa.sizes("T B H")
    x, h0 = pa.placeholder((T, B, H), "x", "float64"), pa.placeholder((B, H), "h0", "float64")
    weights = [[pa.placeholder((4 * H, H), f"{w}{n}", "float64") for w in "WU"] for n in range(layers)]
    last, ys = h0, x
    for W, U in weights:

        def step(carry, v, W=W, U=U):
            h, c = carry
            i, f, g, o = pa.numpy.split(v @ W.T + h @ U.T, 4, axis=-1)
            c = pa.sigmoid(f) * c + pa.sigmoid(i) * pa.tanh(g)
            h = pa.sigmoid(o) * pa.tanh(c)
            return (h, c), h

        (last, _), ys = pa.scan(step, (h0, h0), ys, checkpoint=checkpoint)
    inputs = [x, h0, *(w for pair in weights for w in pair)]
    return pa.compile(pa.grad((last * last).sum(), inputs), inputs, name="layers")


@pytest.mark.slow
@pytest.mark.parametrize("layers", [1, 2])
def test_gradients_by_the_inputs_keep_no_adjoints(layers):
    n, B, H = 16, 2, 3
    kernel = input_gradients(pa.checkpoint.every(n), layers)
    state = B * H * 8
    grown = kernel.memory_plan(T=64 * n, B=B, H=H).total_bytes - kernel.memory_plan(T=32 * n, B=B, H=H).total_bytes
    kept = 32 * layers * 2 * state  # h and c before each segment
    # What one layer hands to the next, its adjoint, and the same once more as the first layer's states.
    between = (layers - 1) * 32 * (2 * n + n + 1) * state
    assert grown <= kept + between
    # Each of them is computed in the loop over segments.
    for line in ("x_bar", "U0_T_bar"):
        assert loops_around(kernel.schedule.tree(), next(s for s in statements(kernel) if s.startswith(line)))[0] == (
            "for s (reversed)"
        )


def statements(kernel):
    return [s.name for s in kernel.program.statements if not s.name.endswith("_init")]


@pytest.mark.slow
def test_outputs_and_gradients_of_layers_agree():
    T, B, H = 7, 2, 3
    shapes = {"x": (T, B, H), "h0": (B, H), "W0": (4 * H, H), "U0": (4 * H, H)}
    arrays = {n: RNG.standard_normal(s) for n, s in shapes.items()}
    plain, segmented = (input_gradients(c, 1)(**arrays) for c in (None, pa.checkpoint.every(3)))
    for a, b in zip(plain, segmented, strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-11, atol=1e-13)


def test_square_root_of_a_constant_length():
    x = RNG.standard_normal((10, 3))

    def loss(h, checkpoint):
        last, ys = pa.scan(lambda h, v: (pa.sin(h + v), h), h, x, checkpoint=checkpoint)
        return (last * last).sum() + ys.sum()

    h = RNG.standard_normal(3)
    expected = pa.grad(lambda h: loss(h, None))(h)
    np.testing.assert_allclose(pa.grad(lambda h: loss(h, pa.checkpoint.sqrt()))(h), expected, rtol=1e-12)


@pytest.mark.slow
def test_lstm_with_two_states():
    inputs = placeholders()
    x = inputs[0]

    def gradient(checkpoint):
        if checkpoint is None:
            (h, c), _ = layer(*inputs)
        else:
            _, W, U, b, h0, c0 = inputs

            def step(carry, x_t):
                h, c = carry
                i, f, g, o = pa.numpy.split(x_t @ W.T + b + h @ U.T, 4, axis=-1)
                c = pa.sigmoid(f) * c + pa.sigmoid(i) * pa.tanh(g)
                return (pa.sigmoid(o) * pa.tanh(c), c), None

            (h, c), _ = pa.scan(step, (h0, c0), x, checkpoint=checkpoint)
        loss = (h * c).sum()
        return pa.compile([loss, *pa.grad(loss, list(inputs))], list(inputs), name="lstm")

    shapes = {"x": (7, 2, 3), "W": (16, 3), "U": (16, 4), "b": (16,), "h0": (2, 4), "c0": (2, 4)}
    arrays = {n: RNG.standard_normal(s) for n, s in shapes.items()}
    for a, b in zip(gradient(None)(**arrays), gradient(pa.checkpoint.every(3))(**arrays), strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-11, atol=1e-13)


def test_second_derivatives():
    def f(h):
        last, _ = pa.scan(lambda h, _: (pa.sin(h) * h, None), h, length=5, checkpoint=pa.checkpoint.every(2))
        return last

    plain = lambda h: pa.scan(lambda h, _: (pa.sin(h) * h, None), h, length=5)[0]  # noqa: E731 - a one-line twin of f
    x = np.float64(1.3)
    np.testing.assert_allclose(pa.grad(pa.grad(f))(x), pa.grad(pa.grad(plain))(x), rtol=1e-10)


def test_errors():
    T = pa.sizes("T")
    x = pa.placeholder((T,), "x")
    with pytest.raises(pa.DefinitionError, match="every"):
        pa.scan(lambda c, v: (c + v, None), 0.0, x, checkpoint=pa.checkpoint.sqrt())

    with pytest.raises(pa.DefinitionError, match="positive"):
        pa.checkpoint.every(0)
    with pytest.raises(pa.DefinitionError, match="checkpoint="):
        pa.scan(lambda c, v: (c + v, None), 0.0, x, checkpoint=4)


@pytest.mark.parametrize(("T", "stride", "segment"), [pytest.param(9, 2, 4, marks=pytest.mark.slow), (4, 3, 2)])
def test_gradients_by_every_few_states_have_an_order(T, stride, segment):
    x = pa.placeholder((T, 2), "x", "float64")
    h0, g0 = pa.placeholder((2,), "h0", "float64"), pa.placeholder((), "g0", "float64")

    def step(carry, v):
        h, g = carry
        return (pa.sin(h) * g + v, pa.tanh(g**3) * g), g

    (h, g), ys = pa.scan(step, (h0, g0), x, checkpoint=pa.checkpoint.every(segment))
    loss = ys[::stride].sum() + h.sum() + pa.sin(g)
    program = prepare(program_of(pa.grad(loss, [g0]), None, "every_few")[0])
    default_schedule(program).check(program)


LOSSES = {
    "last": lambda ys, last: (ys[-1] ** 2).sum(),
    "every second": lambda ys, last: (ys[::2] ** 2).sum(),
    "first": lambda ys, last: (ys[0] ** 2).sum(),
    "middle": lambda ys, last: (ys[ys.shape[0] // 2] ** 2).sum(),
    "mean": lambda ys, last: (ys**2).sum() / 3,
    "carry": lambda ys, last: (last**2).sum(),
}


def gradients_of_a_loss(T, H, segment, loss, carries, matmul, start):
    """Gradients by the inputs and the weights of a scan of few steps; by its first state too where `start` says so."""
    x, W = pa.placeholder((T, 2, H), "x", "float64"), pa.placeholder((H, H), "W", "float64")
    h0 = pa.placeholder((2, H), "h0", "float64")

    def step(carry, v):
        h, g = carry if carries == 2 else (carry, 1.0)
        z = v + h @ W.T if matmul else v + h * 0.5
        g = g * pa.tanh(z)
        return ((pa.sin(z) * g, g), z * g) if carries == 2 else (pa.sin(z), z)

    checkpoint = pa.checkpoint.sqrt() if segment == "sqrt" else pa.checkpoint.every(segment)
    last, ys = pa.scan(step, (h0, h0) if carries == 2 else h0, x, checkpoint=checkpoint)
    wrt = [x, *([h0] if start else []), *([W] if matmul else [])]
    return pa.grad(LOSSES[loss](ys, last[0] + last[1] if carries == 2 else last), wrt), [x, W, h0]


@pytest.mark.slow
@pytest.mark.parametrize("segment", [2, 3, "sqrt"])
@pytest.mark.parametrize("T", range(1, 10))
def test_scans_of_few_steps_have_an_order(T, segment):
    # Where the last segment is short t follows from s, and dependences are single pairs, which tell of no loop.
    for case, loss in enumerate(LOSSES, start=T):
        start, carries, H, level = T % 4 == 0, 1 + case % 2, 1 + case // 2 % 2, 3 * (case // 3 % 2)
        definitions, _ = gradients_of_a_loss(T, H, segment, loss, carries, matmul=case % 3 > 0, start=start)
        strategies = Strategies.at_level(level)
        program = prepare(program_of(definitions, None, "few")[0], strategies)
        schedule = default_schedule(program, strategies)
        schedule.check(program)
        assert not violations(program, schedule, {}), (loss, carries, H, level)


@pytest.mark.slow
@pytest.mark.parametrize("loss", ["last", "every second", "middle"])
def test_gradients_of_a_short_last_segment(loss):
    by_segment = []
    for segment in (2, 3):
        definitions, inputs = gradients_of_a_loss(3, 2, segment, loss, 2, matmul=True, start=False)
        kernel = pa.compile(definitions, inputs, name="short")
        rng = np.random.default_rng(1)
        by_segment.append(kernel(*(rng.standard_normal([int(str(n)) for n in a.shape]) for a in inputs)))
    for a, b in zip(*by_segment, strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-12, atol=1e-14)
