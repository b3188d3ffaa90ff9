"""The programs people write: recurrent networks, dynamic programs, convolutions, filters. Each for any sizes.

`STRUCTURED` is the table: title -> how to make its inputs and outputs, and the sizes at which it is tried, minimal
and odd ones among them.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import polyad as pa

__all__ = ["STRUCTURED", "Structured"]

Made = tuple[Sequence[pa.Tensor], Sequence[pa.Tensor]]  # outputs, inputs


@dataclass(frozen=True, slots=True)
class Structured:
    """One program.

    Attributes:
        make: dtype -> (outputs, inputs).
        sizes: where it is tried.
        smooth: whether central differences hold.
        slow: whether its quick sister is enough for the quick suite.
    """

    make: Callable[[str], Made]
    sizes: tuple[dict[str, int], ...]
    smooth: bool = True
    slow: bool = False


def at(names: str, *values: tuple[int, ...]) -> tuple[dict[str, int], ...]:
    """Sizes by name."""
    return tuple(dict(zip(names.split(), v, strict=True)) for v in values)


RNN_SIZES = at("T B I H", (1, 1, 1, 1), (5, 1, 3, 2), (1, 3, 2, 5), (7, 2, 3, 9))


def recurrent(gates: int, cell: Callable[..., object], lstm: bool = False, **options: object) -> Callable[[str], Made]:
    """A layer of that cell, with losses on all outputs and on the last state."""

    def make(dtype: str) -> Made:
        T, B, I, H = pa.sizes("T B I H")
        x = pa.placeholder((T, B, I), "x", dtype)
        weights = [
            pa.placeholder((gates * H, I), "W_ih", dtype),
            pa.placeholder((gates * H, H), "W_hh", dtype),
            pa.placeholder((gates * H,), "b_ih", dtype),
            pa.placeholder((gates * H,), "b_hh", dtype),
        ]
        h0, c0 = pa.placeholder((B, H), "h0", dtype), pa.placeholder((B, H), "c0", dtype)

        def step(carry, x_t):
            new = cell(x_t, carry, *weights)
            return new, (new[0] * new[1] if lstm else new)

        last, ys = pa.scan(step, (h0, c0) if lstm else h0, x, **options)
        return [ys, last[0] if lstm else last], [x, *weights, h0, *([c0] if lstm else [])]

    return make


def stacked(dtype: str) -> Made:
    """Two LSTM layers, the second backwards, in one bidirectional sum."""
    T, B, I, H = pa.sizes("T B I H")
    x = pa.placeholder((T, B, I), "x", dtype)
    first = [pa.placeholder(s, f"{n}1", dtype) for n, s in (("W", (4 * H, I)), ("U", (4 * H, H)))]
    second = [pa.placeholder(s, f"{n}2", dtype) for n, s in (("W", (4 * H, H)), ("U", (4 * H, H)))]
    y, _ = pa.nn.lstm(x, *first)
    z, (h, c) = pa.nn.lstm(y, *second, reverse=True)
    return [y + z, h * c], [x, *first, *second]


def bidirectional(dtype: str) -> Made:
    T, B, I, H = pa.sizes("T B I H")
    x = pa.placeholder((T, B, I), "x", dtype)
    ways = [[pa.placeholder(s, f"{n}_{w}", dtype) for n, s in (("W", (3 * H, I)), ("U", (3 * H, H)))] for w in "fb"]
    y, _ = pa.nn.bidirectional(pa.nn.gru, x, *ways)
    return [y], [x, *ways[0], *ways[1]]


def nested(dtype: str) -> Made:
    """A scan over words inside of a scan over sentences."""
    T, S, H = pa.sizes("T S H")
    x = pa.placeholder((T, S, H), "x", dtype)
    U, V, h0 = pa.placeholder((H, H), "U", dtype), pa.placeholder((H, H), "V", dtype), pa.placeholder((H,), "h0", dtype)

    def sentence(h, words):
        inner, ys = pa.scan(lambda s, v: (pa.tanh(s @ U + v), s * v), h, words)
        return pa.tanh(inner @ V + h), ys

    h, ys = pa.scan(sentence, h0, x)
    return [ys, h], [x, U, V, h0]


def soft_dtw(dtype: str) -> Made:
    """Soft minimum over three neighbours of a cost matrix, Cuturi and Blondel 2017."""
    N, M = pa.sizes("N M")
    a, b = pa.placeholder((N,), "a", dtype), pa.placeholder((M,), "b", dtype)
    D = pa.compute((N, M), lambda i, j: (a[i] - b[j]) ** 2, name="D")

    def soft(p, q, r):
        m = pa.minimum(p, pa.minimum(q, r))
        return m - pa.log(pa.exp(m - p) + pa.exp(m - q) + pa.exp(m - r))

    def body(r, i, j):
        inner = soft(r[i - 1, j], r[i, j - 1], r[i - 1, j - 1])
        edge = pa.select(i > 0, r[i - 1, j], pa.select(j > 0, r[i, j - 1], 0.0))
        return D[i, j] + pa.select((i > 0) & (j > 0), inner, edge)

    R = pa.recurrence((N, M), body, name="R", dtype=dtype)
    return [pa.compute((), lambda: R[N - 1, M - 1]), R], [a, b]


def garch(dtype: str) -> Made:
    """The log-likelihood of a GARCH(1, 1) model."""
    T = pa.sizes("T")
    r = pa.placeholder((T,), "r", dtype)
    w, a, b = (pa.placeholder((), n, dtype) for n in ("w", "a", "b"))
    omega, alpha, beta = pa.exp(w) + 0.1, pa.sigmoid(a), pa.sigmoid(b)

    def step(s, x):
        return omega + alpha * x * x + beta * s, pa.log(s) + x * x / s

    last, terms = pa.scan(step, 1.0 + omega * 0.0, r)
    return [0.5 * terms.sum() + last], [r, w, a, b]


def hmm(dtype: str) -> Made:
    """The forward algorithm in log space."""
    T, K = pa.sizes("T K")
    e, P, p0 = pa.placeholder((T, K), "e", dtype), pa.placeholder((K, K), "P", dtype), pa.placeholder((K,), "p0", dtype)

    def logsumexp(z, axis):
        m = pa.stop_gradient(z.max(axis=axis, keepdims=True))
        return pa.log(pa.exp(z - m).sum(axis=axis)) + m.sum(axis=axis)

    def step(alpha, e_t):
        alpha = logsumexp(alpha[:, None] + P, 0) + e_t
        return alpha, alpha

    last, alphas = pa.scan(step, p0, e)
    return [logsumexp(last, 0), alphas], [e, P, p0]


def conv1d(dtype: str) -> Made:
    """Stride 2, dilation 3, by compute."""
    N, C, K = pa.sizes("N C K")
    x = pa.placeholder((2 * N + 3 * K, C), "x", dtype)
    W = pa.placeholder((K, C), "W", dtype)

    def body(i):
        k, c = pa.reduce_axis(K, name="k"), pa.reduce_axis(C, name="c")
        return pa.sum(x[2 * i + 3 * k, c] * W[k, c], axis=(k, c))

    return [pa.tanh(pa.compute((N,), body, name="y"))], [x, W]


def conv2d(**options: int) -> Callable[[str], Made]:
    def make(dtype: str) -> Made:
        N, C = pa.sizes("N C")
        x = pa.placeholder((N, C, 9, 8), "x", dtype)
        W, b = pa.placeholder((3, C, 3, 2), "W", dtype), pa.placeholder((3,), "b", dtype)
        return [pa.tanh(pa.nn.conv2d(x, W, b, **options))], [x, W, b]

    return make


def attention(dtype: str) -> Made:
    """Causal softmax attention."""
    N, D = pa.sizes("N D")
    q, k, v = (pa.placeholder((N, D), n, dtype) for n in "qkv")
    s = q @ k.T
    s = pa.compute((N, N), lambda i, j: pa.select(j <= i, s[i, j], -1e9), name="masked")
    return [pa.nn.softmax(s, axis=-1) @ v], [q, k, v]


def products(dtype: str) -> Made:
    """cumprod, cumsum and a product over one axis."""
    N, M = pa.sizes("N M")
    x, y = pa.placeholder((N,), "x", dtype), pa.placeholder((N, M), "y", dtype)
    return [pa.numpy.cumprod(x), pa.numpy.cumsum(pa.sin(x)), y.prod(axis=1)], [x, y]


def embedding(dtype: str) -> Made:
    """Rows of a table, one of them more than once."""
    T, V, E = pa.sizes("T V E")
    ids, table = pa.placeholder((T,), "ids", "int64"), pa.placeholder((V, E), "table", dtype)
    rows = pa.nn.embedding(ids, table)
    return [pa.tanh(rows * 2.0), pa.sin(rows).sum(axis=0)], [table, ids]


def linear_recurrence(dtype: str) -> Made:
    """h[t] = a[t] * h[t - 1] + x[t], the core of state space models."""
    T, H = pa.sizes("T H")
    a, x = pa.placeholder((T, H), "a", dtype), pa.placeholder((T, H), "x", dtype)
    h = pa.recurrence(
        (T, H), lambda h, t, i: x[t, i] + pa.select(t > 0, a[t, i] * h[t - 1, i], 0.0), name="h", dtype=dtype
    )
    return [h], [a, x]


def heat(dtype: str) -> Made:
    """An explicit step of the heat equation in time, fixed ends, a material that varies."""
    T, N = pa.sizes("T N")
    u0, kappa = pa.placeholder((N,), "u0", dtype), pa.placeholder((N,), "kappa", dtype)

    def step(u, _):
        inside = lambda i: pa.select(  # noqa: E731 - the equation
            (i > 0) & (i < N - 1), u[i] + 0.1 * kappa[i] * (u[i - 1] - 2 * u[i] + u[i + 1]), u[i]
        )
        return pa.compute((N,), inside, name="u"), None

    u, _ = pa.scan(step, u0, length=T)
    return [u, (u * u).sum()], [u0, kappa]


def gauss_seidel(dtype: str) -> Made:
    """Sweeps that use what the same sweep already wrote: needs in time and space."""
    T, N = pa.sizes("T N")
    f = pa.placeholder((N,), "f", dtype)

    def body(u, t, i):
        left = pa.select(i > 0, u[t, i - 1], 0.0)
        right = pa.select((t > 0) & (i < N - 1), u[t - 1, i + 1], 0.0)
        return 0.4 * (left + right) + pa.sin(f[i])

    u = pa.recurrence((T, N), body, name="u", dtype=dtype)
    return [u], [f]


def triangular(dtype: str) -> Made:
    """Forward substitution: a recurrence whose reduction reads all elements before."""
    N = pa.sizes("N")
    L, b = pa.placeholder((N, N), "L", dtype), pa.placeholder((N,), "b", dtype)

    def body(x, i):
        k = pa.reduce_axis((0, i), name="k")
        return (b[i] - 0.3 * pa.sum(L[i, k] * x[k], axis=k)) / (2.0 + L[i, i] * L[i, i])

    return [pa.recurrence((N,), body, name="x", dtype=dtype)], [L, b]


def triangular_product(dtype: str) -> Made:
    """y = tanh(L x), of a lower triangular matrix that is stored as a square."""
    N = pa.sizes("N")
    L, x = pa.placeholder((N, N), "L", dtype), pa.placeholder((N,), "x", dtype)

    def body(i):
        k = pa.reduce_axis((0, i + 1), name="k")
        return pa.sum(L[i, k] * x[k], axis=k)

    return [pa.tanh(pa.compute((N,), body, name="y"))], [L, x]


def pooling(dtype: str) -> Made:
    """Maxima over overlapping windows, minima over an axis, and the element where a maximum is."""
    N, M = pa.sizes("N M")
    x = pa.placeholder((N, M), "x", dtype)

    def window(i):
        k = pa.reduce_axis((0, 2), name="k")
        return pa.max(pa.select(i + k < N, x[i, 0] * x[N - 1, M - 1], 0.5 * x[i, 0]), axis=k)

    def last_winner(i):
        k = pa.reduce_axis(M, name="k")
        return 2.0 * x[i, pa.argmax(x[i, k] * x[i, 0], axis=k)]

    return [x.min(axis=0), pa.compute((N,), window), pa.compute((N,), last_winner)], [x]


STRUCTURED: dict[str, Structured] = {
    "LSTM": Structured(recurrent(4, pa.nn.lstm_cell, lstm=True), RNN_SIZES),
    "LSTM backwards": Structured(recurrent(4, pa.nn.lstm_cell, lstm=True, reverse=True), RNN_SIZES, slow=True),
    "LSTM with checkpoints": Structured(
        recurrent(4, pa.nn.lstm_cell, lstm=True, checkpoint=pa.checkpoint.every(3)), RNN_SIZES, slow=True
    ),
    "RNN with checkpoints": Structured(
        recurrent(1, pa.nn.rnn_cell, checkpoint=pa.checkpoint.every(2)), RNN_SIZES, slow=True
    ),
    "GRU": Structured(recurrent(3, pa.nn.gru_cell), RNN_SIZES, slow=True),
    "RNN": Structured(recurrent(1, pa.nn.rnn_cell), RNN_SIZES),
    "stacked LSTM": Structured(stacked, RNN_SIZES, slow=True),
    "bidirectional GRU": Structured(bidirectional, RNN_SIZES, slow=True),
    "nested scans": Structured(nested, at("T S H", (1, 1, 1), (3, 2, 1), (2, 5, 3))),
    "soft-DTW": Structured(soft_dtw, at("N M", (1, 1), (1, 4), (5, 1), (7, 6)), slow=True),
    "GARCH": Structured(garch, at("T", (1,), (2,), (9,))),
    "HMM": Structured(hmm, at("T K", (1, 1), (5, 1), (1, 3), (6, 4))),
    "conv1d": Structured(conv1d, at("N C K", (1, 1, 1), (5, 1, 3), (9, 2, 2))),
    "conv2d": Structured(conv2d(padding=1), at("N C", (1, 1), (3, 2)), slow=True),
    "conv2d strided": Structured(conv2d(stride=2, padding=1), at("N C", (1, 1), (2, 3))),
    "conv2d dilated": Structured(conv2d(dilation=2, stride=3), at("N C", (1, 1), (2, 3))),
    "attention": Structured(attention, at("N D", (1, 1), (2, 1), (7, 3))),
    "products": Structured(products, at("N M", (1, 1), (4, 1), (5, 3))),
    "embedding": Structured(embedding, at("T V E", (1, 1, 1), (7, 3, 1), (5, 4, 3))),
    "linear recurrence": Structured(linear_recurrence, at("T H", (1, 1), (6, 1), (1, 5), (9, 17))),
    "heat": Structured(heat, at("T N", (1, 1), (1, 2), (4, 3), (6, 9))),
    "Gauss-Seidel": Structured(gauss_seidel, at("T N", (1, 1), (1, 5), (4, 1), (5, 7))),
    "triangular solve": Structured(triangular, at("N", (1,), (2,), (7,))),
    "triangular product": Structured(triangular_product, at("N", (1,), (2,), (9,))),
    "maxima": Structured(pooling, at("N M", (1, 1), (4, 1), (3, 5)), smooth=False),
}
