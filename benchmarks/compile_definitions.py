"""Definitions that `python -m benchmarks compile` compiles, by name, of polyad's public functions only.

The file is run with the polyad of any checkout, so it imports nothing else of this project.
"""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

import polyad as pa

F32 = "float32"


def array(*shape: int, dtype: str = F32) -> Any:
    return np.random.default_rng([1, *shape]).normal(size=shape, scale=0.3).astype(dtype)


def value(function: Callable[..., Any], *arrays: Any) -> Callable[[], Any]:
    return lambda: pa.jit(function)(*arrays)


def gradient(function: Callable[..., Any], *arrays: Any) -> Callable[[], Any]:
    return lambda: pa.value_and_grad(function, argnums=tuple(range(len(arrays))))(*arrays)


def prime(dtype: str) -> None:
    """Compile a kernel with a contraction, so that what is done once for a machine is done."""
    a = array(24, 24, dtype=dtype)
    pa.jit(lambda x, y: x @ y)(a, a)


def product(a: Any, b: Any) -> Any:
    return pa.numpy.sum(pa.tanh(a @ b))


def lstm_states(x: Any, W: Any, U: Any, b: Any, reverse: bool = False) -> Any:
    def step(carry: Any, x_t: Any) -> Any:
        h, c = carry
        i, f, g, o = pa.numpy.split(x_t @ W.T + h @ U.T + b, 4, axis=-1)
        c = pa.sigmoid(f) * c + pa.sigmoid(i) * pa.tanh(g)
        h = pa.sigmoid(o) * pa.tanh(c)
        return (h, c), h

    start = pa.numpy.zeros((x.shape[1], U.shape[1]), dtype=F32)
    return pa.scan(step, (start, start), x, reverse=reverse)[1]


def lstm(x: Any, W: Any, U: Any, b: Any) -> Any:
    return pa.numpy.mean(lstm_states(x, W, U, b) ** 2)


def two_layers(x: Any, W: Any, U: Any, b: Any, W2: Any, U2: Any, b2: Any) -> Any:
    return pa.numpy.mean(lstm_states(lstm_states(x, W, U, b), W2, U2, b2) ** 2)


def rnn(x: Any, U: Any) -> Any:
    def step(h: Any, x_t: Any) -> Any:
        h = pa.tanh(x_t + h @ U)
        return h, h

    return pa.numpy.mean(pa.scan(step, x[0], x)[1] ** 2)


def attention(q: Any, k: Any, v: Any) -> Any:
    scores = pa.numpy.einsum("qd,kd->qk", q, k)
    return pa.numpy.sum(pa.nn.softmax(scores, axis=-1) @ v)


def convolution(x: Any, w: Any) -> Any:
    return pa.numpy.sum(pa.nn.conv2d(x, w) ** 2)


def filtered(x: Any) -> Any:
    return pa.numpy.sum(pa.scan(lambda h, v: (0.9 * h + v, h), x[0], x)[1] ** 2)


def chain(x: Any) -> Any:
    y = x
    for _ in range(12):
        y = pa.tanh(y) * y + x
    return pa.numpy.sum(y)


def smooth(x: Any) -> Any:
    for _ in range(3):
        x = 0.25 * x[:-2] + 0.5 * x[1:-1] + 0.25 * x[2:]
    return pa.numpy.sum(x * x)


def gathered(table: Any, ids: Any) -> Any:
    return table[ids] * 2.0


def after_steps(rank: int, in_place: bool) -> Callable[[], Any]:
    """The gradient of a stencil over time, of named sizes: each point from its neighbours, old ones or new ones."""

    def compiled() -> Any:
        steps, *extents = pa.sizes(" ".join(["steps", *("n", "m", "k")[:rank]]))
        x = pa.placeholder(tuple(extents), name="x")

        def point(u: Any, t: Any, *place: Any) -> Any:
            around, inside = 0.0, True
            for d, (i, extent) in enumerate(zip(place, extents, strict=True)):
                low, high = ((*place[:d], i + s, *place[d + 1 :]) for s in (-1, 1))
                around = around + u[(t if in_place else t - 1, *low)] + u[(t - 1, *high)]
                inside = (i >= 1) & (i <= extent - 2) & inside if d else (i >= 1) & (i <= extent - 2)
            stays = u[(t - 1, *place)]
            return pa.select(t == 0, x[place], pa.select(inside, around / (2.0 * rank), stays))

        u = pa.recurrence((steps + 1, *extents), point, name="u")
        loss = pa.numpy.sum(u[steps] ** 2)
        return pa.compile([loss, *pa.grad(loss, [x])], [x])

    return compiled


LSTM: Sequence[Any] = (array(20, 8, 16), array(128, 16), array(128, 32), array(128))
SECOND: Sequence[Any] = (array(128, 32, dtype=F32), array(128, 32) * np.float32(0.5), array(128) * np.float32(0.5))

DEFINITIONS: dict[str, Callable[[], Any]] = {
    "square": value(lambda x: x**2, array(10)),
    "square, gradient": gradient(lambda x: pa.numpy.sum(x**2), array(10)),
    "exp": value(pa.exp, array(1000)),
    "sum": value(pa.numpy.sum, array(100, 100)),
    "softmax": value(lambda x: pa.nn.softmax(x, axis=-1), array(8, 40)),
    "softmax, gradient": gradient(lambda x: pa.numpy.sum(pa.nn.softmax(x, axis=-1) ** 2), array(8, 40)),
    "matmul": value(lambda a, b: a @ b, array(64, 64), array(64, 64)),
    "matmul, gradient": gradient(product, array(64, 64), array(64, 64)),
    "matmul f64, gradient": gradient(product, array(64, 64, dtype="float64"), array(64, 64, dtype="float64")),
    "attention, gradient": gradient(attention, array(16, 8), array(20, 8), array(20, 8)),
    "conv2d, gradient": gradient(convolution, array(2, 3, 12, 12), array(4, 3, 3, 3)),
    "cumsum": value(lambda x: pa.numpy.cumsum(x, axis=0), array(1000)),
    "filter, gradient": gradient(filtered, array(500)),
    "stencil, gradient": gradient(smooth, array(300)),
    "gather": value(gathered, array(20, 8), np.arange(5, dtype="int32")),
    "chain of 12, gradient": gradient(chain, array(100)),
    "rnn, gradient": gradient(rnn, array(20, 8, 16), array(16, 16)),
    "lstm": value(lstm, *LSTM),
    "lstm, gradient": gradient(lstm, *LSTM),
    "two lstm, gradient": gradient(two_layers, *LSTM, *SECOND),
    "sweep 2-D, gradient": after_steps(2, in_place=True),
    "sweep 3-D, gradient": after_steps(3, in_place=True),
    "heat 3-D, gradient": after_steps(3, in_place=False),
}
