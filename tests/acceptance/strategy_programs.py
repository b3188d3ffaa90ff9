"""Random programs aimed at the strategies of the scheduler and the code generator, values with gradients.

`strategy_program(number)` is the program of that number, the same each time: of one kind of computation, with random
sizes (1 to 20, numbers or symbols), functions, directions, losses and extras. Values stay bounded. On the machine
`TINY` all of it pays: circular buffers, regions, copies, tiles and the others meet in combinations that nobody chose.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random
from typing import Any

import numpy as np

import polyad as pa
from polyad.frontend.compiled import program_of
from polyad.ir.program import Program

__all__ = ["KINDS", "StrategyProgram", "strategy_program"]

Function = Callable[[Any], Any]
m = pa.numpy


@dataclass(frozen=True, slots=True)
class StrategyProgram:
    """A program, the sizes at which it is run, and below which value its integer inputs lie."""

    title: str
    program: Program
    sizes: dict[str, int]
    below: int

    def inputs(self, random: np.random.Generator) -> dict[str, np.ndarray]:
        """Random inputs; integers are indices."""
        found = {}
        for array in (self.program.arrays[name] for name in self.program.inputs):
            shape = tuple(e.evaluate(self.sizes) for e in array.shape)
            values = random.normal(size=shape) * 0.7
            indices = array.dtype == "int64"
            found[array.name] = random.integers(0, self.below, shape) if indices else values.astype(array.dtype)
        return found


@dataclass(slots=True)
class Writer:
    """Random choices, and the inputs made so far."""

    random: Random
    inputs: list[pa.Tensor] = field(default_factory=list)
    sizes: dict[str, int] = field(default_factory=dict)
    below: int = 1

    def maybe(self, chance: float = 0.5) -> bool:
        return self.random.random() < chance

    def extent(self, name: str, low: int, high: int, symbol: float = 0.5) -> Any:
        """A number, or a size of that name."""
        value = self.random.randint(low, high)
        if not self.maybe(symbol):
            return value
        self.sizes[name] = value
        return pa.sizes(name)

    def array(self, name: str, *shape: Any, dtype: str = "float64") -> pa.Tensor:
        self.inputs.append(pa.placeholder(shape, name, dtype))
        return self.inputs[-1]

    def dear(self) -> Function:
        """A bounded function that is worth keeping the result of."""
        return self.random.choice([pa.tanh, pa.sigmoid, lambda v: pa.exp(pa.tanh(v))])

    def smooth(self) -> Function:
        """A function, dear or cheap."""
        return self.random.choice([self.dear(), pa.sin, lambda v: 0.5 * v])

    def loss(self, tensors: list[pa.Tensor]) -> pa.Tensor:
        """A number that depends on all elements, by sums or means."""
        total = pa.compute((), lambda: 0.0)
        for t in tensors:
            part = self.smooth()(t)
            if t.ndim:
                part = m.sum(part * t) if self.maybe() else m.mean(part)
            total = total + part
        return total


def state_with_sums(w: Writer) -> list[pa.Tensor]:
    """Steps of a vector, in each of them sums over it that the next step needs: one region, with all kinds of parts."""
    T, N = w.extent("T", 1, 6), w.extent("N", 2, 9)
    x, a, h0 = w.array("x", T, N), w.array("A", N, N), w.array("h0", N)
    loops, triangle = w.maybe(0.85), w.maybe(0.4)

    def product(h: pa.Tensor) -> pa.Tensor:
        if not loops:
            return a @ h * 0.3

        def cell(i: Any) -> Any:
            k = pa.reduce_axis((0, i) if triangle else N, name="k")
            return pa.sum(a[i, k] * pa.tanh(h[k] * h[i]), axis=k)

        return pa.compute((N,), cell) * 0.3

    linear, extra, most, two = w.maybe(), w.maybe(), w.maybe(0.2), w.maybe(0.7)

    def step(carry: Any, x_t: pa.Tensor) -> Any:
        h, weight, total = carry
        new = pa.tanh(product(h) * weight + x_t)
        if two:
            new = new + 0.3 * pa.sin(product(x_t) * h)
        some = m.max(new) if most else m.sum(new * new)
        moved = 0.5 * total + some if linear else pa.tanh(total + some)
        return (new, 1.0 / (1.0 + some * some), moved), (new * moved, some) if extra else some

    options: dict[str, Any] = {"reverse": w.maybe(0.3)}
    if w.maybe(0.25):
        options["checkpoint"] = pa.checkpoint.every(w.random.randint(1, 4))
    (h, _, total), outs = pa.scan(step, (h0, m.sum(h0), h0[0]), x, **options)
    return [h, total, *(outs if extra else [outs])]


def batch_of_scans(w: Writer) -> list[pa.Tensor]:
    """A recurrent network over a batch: parts of it for each thread, weights that are packed once."""
    T, B, H = w.extent("T", 1, 5), w.extent("B", 2, 6), w.extent("H", 2, 7)
    x, weights, h0 = w.array("x", T, B, H), w.array("W", H, H), w.array("h0", B, H)
    other = w.array("V", H, H) if w.maybe() else None
    function = w.random.choice([pa.tanh, pa.sigmoid, pa.sin])

    def step(h: pa.Tensor, x_t: pa.Tensor) -> Any:
        z = h @ weights.T * 0.4 + x_t if other is None else (h @ weights.T + x_t @ other) * 0.3
        new = function(z)
        return new, new

    last, states = pa.scan(step, h0, x, reverse=w.maybe(0.3))
    return [last, states] if w.maybe(0.6) else [last]


def rows_of_scans(w: Writer) -> list[pa.Tensor]:
    """Recurrences along rows, linear or not, inside of another scan or in a batch."""
    S, N = w.extent("S", 1, 4), w.extent("N", 2, 12)
    c, x = w.array("c"), w.array("x", S, N)
    first, backwards = w.smooth(), w.maybe()
    factor = w.random.choice(["one", "number", "input", "row", "row"])

    def linear(h: Any, v: Any) -> Any:
        if factor == "one":
            return h + v
        return (0.5 if factor == "number" else c if factor == "input" else pa.tanh(v)) * h + v

    if w.maybe(0.4):
        h = pa.recurrence(
            (S, N), lambda h, s, i: pa.select(i == 0, x[s, 0], linear(h[s, i - 1], x[s, i])), dtype="float64"
        )
        g = pa.recurrence(
            (S, N),
            lambda g, s, i: pa.select(i == 0, c, 0.9 * pa.tanh(g[s, i - 1])) + h[s, N - 1 - i if backwards else i],
            dtype="float64",
        )
        return [first(g), h] if w.maybe() else [g]
    options: dict[str, Any] = {}
    if w.maybe(0.4):
        options["checkpoint"] = pa.checkpoint.every(w.random.randint(1, 5))

    def outer(carry: Any, row: pa.Tensor) -> Any:
        h, states = pa.scan(lambda h, v: (linear(h, v), h), carry, row, **options)
        g, _ = pa.scan(lambda g, u: (0.9 * pa.tanh(g + u), None), carry, states, reverse=backwards)
        return pa.tanh(g + h), h

    last, ends = pa.scan(outer, c * 0.5, x)
    return [last, ends] if w.maybe() else [last]


def running(w: Writer) -> list[pa.Tensor]:
    """Running sums and products in one dimension, forwards and backwards, with what is around them."""
    N = w.extent("N", 2, 14)
    a, b, r = w.array("a", N), w.array("b", N), w.array("r", N)
    factor = w.random.choice([lambda i: 1.0, lambda i: 1.0, lambda i: 0.8, lambda i: r[0], lambda i: pa.tanh(a[i])])
    back, given = w.maybe(), b if w.maybe() else w.dear()(b)

    def step(h: Any, t: Any) -> Any:
        before, edge = (h[t + 1], t == N - 1) if back else (h[t - 1], t == 0)
        return pa.select(edge, b[t], factor(t) * before + given[t])

    h = pa.recurrence((N,), step, dtype="float64")
    y = w.smooth()(h) * a
    product = m.cumprod(pa.tanh(a) + 1.0) if w.maybe(0.4) else r
    total = m.cumsum(w.smooth()(r)) if w.maybe(0.6) else a
    return [y + product, m.sum(h * r), total] if w.maybe() else [m.sum(y * product), m.sum(total * h)]


def wavefront(w: Writer) -> list[pa.Tensor]:
    """A table whose elements need three neighbours: diagonals, and arrays that are stored along them."""
    N, M = w.extent("N", 2, 9), w.extent("M", 2, 9)
    d = w.array("d", N, M)
    costs = w.dear()(d) if w.maybe() else d
    soft, corner = w.maybe(), w.maybe(0.8)

    def cell(r: Any, i: Any, j: Any) -> Any:
        up, left, both = r[i - 1, j], r[i, j - 1], r[i - 1, j - 1] if corner else r[i - 1, j]
        if soft:
            least = pa.stop_gradient(pa.minimum(pa.minimum(up, left), both))
            value = least - pa.log(pa.exp(least - up) + pa.exp(least - left) + pa.exp(least - both))
        else:
            value = pa.tanh(up + 0.5 * left) * 0.7 + pa.sin(both)
        return pa.select((i == 0) | (j == 0), costs[i, j], costs[i, j] + value)

    r = pa.recurrence((N, M), cell, name="r")
    last = pa.compute((), lambda: r[N - 1, M - 1])
    return [last, m.sum(r, axis=0)] if w.maybe(0.3) else [last]


def stencil(w: Writer) -> list[pa.Tensor]:
    """Steps on a line or a plane whose ends stay: tiles in space and time."""
    steps, rows = w.random.randint(5, 9), w.random.randint(10, 20)
    plane = w.maybe(0.3)
    shape = (rows, w.random.randint(3, 4)) if plane else (rows,)
    x, c = w.array("x", *shape), w.array("c", *shape)
    function = w.random.choice([lambda v: v, pa.tanh, pa.sin])

    def cell(u: Any, t: Any, i: Any, *rest: Any) -> Any:
        here = u[(t - 1, i, *rest)]
        around = u[(t - 1, i - 1, *rest)] + u[(t - 1, i + 1, *rest)]
        new = here + 0.2 * c[(i, *rest)] * function(around - 2 * here)
        return pa.select(t == 0, x[(i, *rest)], pa.select((i > 0) & (i < rows - 1), new, here))

    u = pa.recurrence((steps + 1, *shape), cell, name="u")
    return [pa.compute(shape, lambda *i: u[(steps, *i)])]


def turned(w: Writer) -> list[pa.Tensor]:
    """An array read in another order than it is written, for each element of a batch: one copy for each thread."""
    B, N = w.extent("B", 2, 5), w.extent("N", 2, 7)
    x = w.array("x", B, N, N)
    a = w.dear()(x)
    c = m.transpose(a, (0, 2, 1)) + x if w.maybe() else m.cumsum(a, axis=1)
    return [m.transpose(a, (0, 2, 1)) * m.transpose(c, (0, 2, 1))]


def attention(w: Writer) -> list[pa.Tensor]:
    """Heads of an attention: scores that live in one iteration of the loop over heads."""
    B, N, D = w.extent("B", 2, 4), w.extent("N", 2, 8), w.extent("D", 1, 5)
    q, k, v = (w.array(name, B, N, D) for name in "qkv")
    scores = q @ m.transpose(k, (0, 2, 1)) * 0.5
    if w.maybe():
        scores = pa.compute((B, N, N), lambda b, i, j: pa.select(j <= i, scores[b, i, j], -1e9))
    return [pa.nn.softmax(scores, axis=-1) @ v]


def products(w: Writer) -> list[pa.Tensor]:
    """Products of matrices, in a row, with functions between them, or for each matrix of a list."""
    N, M, K = w.extent("N", 2, 9), w.extent("M", 2, 9), w.extent("K", 1, 9)
    a, b = w.array("a", N, K), w.array("b", K, M)
    c = a @ b
    if w.maybe(0.9):
        d = w.array("d", N, M)
        c = c + d @ w.array("e", M, M) + d @ w.array("f", M, M).T
    if w.maybe():
        c = w.smooth()(c) @ w.array("c", M, N)
    if w.maybe(0.6):
        S = w.extent("S", 1, 4)
        stack = w.array("s", S, N, K)
        return [c, m.tanh(stack @ b)]
    return [w.smooth()(c)]


def strips(w: Writer) -> list[pa.Tensor]:
    """Means of what is computed element by element, with gradients by rows and by numbers."""
    A, B, C = w.random.randint(2, 9), w.random.randint(2, 9), w.random.randint(2, 12)
    x, s, b = w.array("x", A, B, C), w.array("s", B), w.array("b")
    z = s[None, :, None] * x + b
    first = m.mean(pa.nn.silu(z) * w.array("r", A, B, C)) if w.maybe() else m.mean(m.abs(z))
    return [first + m.mean(pa.sin(x))] if w.maybe() else [first]


def gathers(w: Writer) -> list[pa.Tensor]:
    """Rows of a table by numbers that are given or computed, and the scatter of their gradients."""
    T, V, E = w.extent("T", 1, 7), w.extent("V", 2, 5, 0.0), w.extent("E", 1, 9)
    w.below = V
    ids, table = w.array("ids", T, dtype="int64"), w.array("table", V, E)
    rows = pa.nn.embedding(ids, table)
    found = [w.dear()(rows), pa.nn.embedding(w.array("other", T, dtype="int64"), table)]
    if w.maybe(0.9):
        best = m.argmax(table, axis=0)
        found.append(pa.compute((E,), lambda e: pa.sin(table[best[e], e]) * table[best[e], 0] + table[best[0], e]))
    return found


def short_rows(w: Writer) -> list[pa.Tensor]:
    """Dear functions over few elements, whose vectors overlap, and sums over rows, in registers."""
    N, K = w.extent("N", 1, 7), w.random.choice([3, 5, 6, 7, 9, 10, 11, 13, 14])
    x, b = w.array("x", N, K), w.array("b", K)
    y = w.dear()(x + b)
    z = w.dear()(y * x) if w.maybe() else m.maximum(y, x)
    return [y * z, m.sum(y, axis=1)] if w.maybe() else [z, m.max(y * z, axis=0), m.sum(z * y, axis=0)]


def sums(w: Writer) -> list[pa.Tensor]:
    """Sums, products and extrema of all elements: parts for threads."""
    N, M = w.extent("N", 1, 40), w.extent("M", 1, 5)
    x, y = w.array("x", N, M), w.array("y", N)
    found = [m.sum(w.smooth()(x)), m.sum(y * y), m.sum(x * y[:, None]) if w.maybe() else m.sum(y)]
    return [*found, m.max(x), m.min(y), m.prod(1.0 + 0.1 * y)] if w.maybe(0.8) else found


def vectors(w: Writer) -> list[pa.Tensor]:
    """Matrices times vectors, whole and triangular: rows at a time."""
    N, K = w.extent("N", 1, 9), w.extent("K", 1, 9)
    a, x, square = w.array("a", N, K), w.array("x", K), w.array("s", N, N)
    y = w.smooth()(a @ x)
    z = a.T @ y if w.maybe() else m.sum(a * y[:, None], axis=0)

    def triangle(i: Any) -> Any:
        k = pa.reduce_axis((0, i), name="k")
        return pa.sum(pa.sin(square[i, k] * y[k]), axis=k)

    def other(i: Any) -> Any:
        k = pa.reduce_axis((i, N), name="k")
        return pa.sum(pa.tanh(square[i, k]) * y[i] + y[k], axis=k)

    corners = [pa.compute((N,), f) for f in (triangle, other)]
    return [w.smooth()(z), *corners] if w.maybe(0.9) else [z * x, y]


KINDS: tuple[Callable[[Writer], list[pa.Tensor]], ...] = (
    state_with_sums,
    batch_of_scans,
    rows_of_scans,
    running,
    wavefront,
    stencil,
    vectors,
    turned,
    attention,
    products,
    strips,
    gathers,
    short_rows,
    sums,
    state_with_sums,
    stencil,
    batch_of_scans,
    running,
    rows_of_scans,
    wavefront,
    state_with_sums,
    vectors,
    products,
)


def strategy_program(number: int) -> StrategyProgram:
    """The program of a number: the kinds take turns."""
    w = Writer(Random(number))
    make = KINDS[number % len(KINDS)]
    outputs = make(w)
    floats = [t for t in w.inputs if t.dtype == "float64"]
    chosen = [t for t in floats if w.maybe(0.8)] or floats
    if w.maybe(0.2):
        wanted = outputs
    else:
        loss = w.loss(outputs)
        wanted = [*(outputs if w.maybe(0.3) else [loss]), *pa.grad(loss, chosen)]
    program, _ = program_of(wanted, w.inputs, make.__name__)
    return StrategyProgram(f"{make.__name__} ({number})", program, w.sizes, w.below)
