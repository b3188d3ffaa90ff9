"""Programs that step: nets, filters, dynamic programs, stencils, sums of prefixes."""

from typing import Any

from benchmarks.cliffs.program import Program, program

__all__ = ["RECURRENT"]


def before(lib: Any, t: Any, value: Any, first: Any = 0.0) -> Any:
    """The values that a recurrence reads of its last step."""
    return lib.select(t == 0, first, value)


def rnn() -> Program:
    def formula(lib: Any, x: Any, W: Any) -> Any:
        k = lib.reduce_axis(W.shape[0])

        def cell(h: Any, t: Any, b: Any, i: Any) -> Any:
            return lib.tanh(x[t, b, i] + before(lib, t, lib.sum(h[t - 1, b, k] * W[k, i], axis=k)))

        return lib.recurrence(x.shape, cell, dtype="float32")

    def step(lib: Any, h: Any, x: Any, W: Any) -> Any:
        h = lib.numpy.tanh(x + h @ W)
        return h, h

    def scan(lib: Any, x: Any, W: Any) -> Any:
        return lib.scan(lambda h, x_t: step(lib, h, x_t, W), lib.numpy.zeros_like(x[0]), x)[1]

    def batched(lib: Any, x: Any, W: Any) -> Any:
        return lib.vmap(lambda x_b: scan(lib, x_b, W), in_axes=1, out_axes=1)(x)

    return program("x: 16 4 N, W: N N", "N N", formula=formula, scan=scan, batched=batched)


def gru() -> Program:
    def formula(lib: Any, x: Any, U: Any, V: Any, W: Any) -> Any:
        k = lib.reduce_axis(U.shape[0])

        def cell(h: Any, t: Any, b: Any, i: Any) -> Any:
            def gate(M: Any) -> Any:
                return x[t, b, i] + before(lib, t, lib.sum(h[t - 1, b, k] * M[k, i], axis=k))

            z, r = lib.sigmoid(gate(U)), lib.sigmoid(gate(V))
            n = lib.tanh(x[t, b, i] + r * before(lib, t, lib.sum(h[t - 1, b, k] * W[k, i], axis=k)))
            return (1.0 - z) * n + z * before(lib, t, h[t - 1, b, i])

        return lib.recurrence(x.shape, cell, dtype="float32")

    def scan(lib: Any, x: Any, U: Any, V: Any, W: Any) -> Any:
        def step(h: Any, x_t: Any) -> Any:
            z, r = lib.sigmoid(x_t + h @ U), lib.sigmoid(x_t + h @ V)
            h = (1.0 - z) * lib.numpy.tanh(x_t + r * (h @ W)) + z * h
            return h, h

        return lib.scan(step, lib.numpy.zeros_like(x[0]), x)[1]

    def stacked(lib: Any, x: Any, U: Any, V: Any, W: Any) -> Any:
        every = lib.numpy.concatenate([U, V, W], axis=1)

        def step(h: Any, x_t: Any) -> Any:
            u, v, w = lib.numpy.split(h @ every, 3, axis=-1)
            z, r = lib.sigmoid(x_t + u), lib.sigmoid(x_t + v)
            h = (1.0 - z) * lib.numpy.tanh(x_t + r * w) + z * h
            return h, h

        return lib.scan(step, lib.numpy.zeros_like(x[0]), x)[1]

    return program("x: 16 4 N, U: N N, V: N N, W: N N", "N N", formula=formula, scan=scan, stacked=stacked)


def lstm() -> Program:
    def formula(lib: Any, x: Any, W: Any) -> Any:
        k = lib.reduce_axis(x.shape[2])

        def cell(h: Any, c: Any, t: Any, b: Any, j: Any) -> Any:
            def gate(n: int) -> Any:
                return x[t, b, j] + before(lib, t, lib.sum(h[t - 1, b, k] * W[n, k, j], axis=k))

            new = lib.sigmoid(gate(0)) * before(lib, t, c[t - 1, b, j]) + lib.sigmoid(gate(1)) * lib.tanh(gate(2))
            return lib.sigmoid(gate(3)) * lib.tanh(new), new

        return lib.recurrence((x.shape, x.shape), cell, dtype="float32")[0]

    def scan(lib: Any, x: Any, W: Any) -> Any:
        def step(state: Any, x_t: Any) -> Any:
            h, c = state
            f, i, g, o = (x_t + h @ W[n] for n in range(4))
            c = lib.sigmoid(f) * c + lib.sigmoid(i) * lib.numpy.tanh(g)
            h = lib.sigmoid(o) * lib.numpy.tanh(c)
            return (h, c), h

        zero = lib.numpy.zeros_like(x[0])
        return lib.scan(step, (zero, zero), x)[1]

    def einsum(lib: Any, x: Any, W: Any) -> Any:
        def step(state: Any, x_t: Any) -> Any:
            h, c = state
            f, i, g, o = x_t + lib.numpy.einsum("bk,gkj->gbj", h, W)
            c = lib.sigmoid(f) * c + lib.sigmoid(i) * lib.numpy.tanh(g)
            h = lib.sigmoid(o) * lib.numpy.tanh(c)
            return (h, c), h

        zero = lib.numpy.zeros_like(x[0])
        return lib.scan(step, (zero, zero), x)[1]

    return program("x: 16 4 N, W: 4 N N", "N N", formula=formula, scan=scan, einsum=einsum)


def linear_recurrence() -> Program:
    def formula(lib: Any, p_a: Any, x: Any) -> Any:
        def cell(h: Any, t: Any, i: Any) -> Any:
            return x[t, i] + before(lib, t, p_a[t, i] * h[t - 1, i])

        return lib.recurrence(x.shape, cell, dtype="float32")

    def scan(lib: Any, p_a: Any, x: Any) -> Any:
        def step(h: Any, given: Any) -> Any:
            h = given[0] * h + given[1]
            return h, h

        return lib.scan(step, lib.numpy.zeros_like(x[0]), (p_a, x))[1]

    def batched(lib: Any, p_a: Any, x: Any) -> Any:
        def one(a: Any, x: Any) -> Any:
            return lib.scan(lambda h, g: (g[0] * h + g[1],) * 2, 0.0 * x[0], (a, x))[1]

        return lib.vmap(one, in_axes=1, out_axes=1)(p_a, x)

    return program("p_a: 1000 N, x: 1000 N", "N", formula=formula, scan=scan, batched=batched)


def biquad() -> Program:
    """A filter with two taps forward and two back, for N signals."""

    def formula(lib: Any, x: Any, w: Any) -> Any:
        def cell(y: Any, t: Any, i: Any) -> Any:
            back = before(lib, t, w[1] * y[t - 1, i]) + lib.select(t <= 1, 0.0, w[2] * y[t - 2, i])
            return w[0] * x[t, i] + before(lib, t, w[3] * x[t - 1, i]) + back

        return lib.recurrence(x.shape, cell, dtype="float32")

    def scan(lib: Any, x: Any, w: Any) -> Any:
        def step(state: Any, x_t: Any) -> Any:
            x_1, y_1, y_2 = state
            y = w[0] * x_t + w[3] * x_1 + w[1] * y_1 + w[2] * y_2
            return (x_t, y, y_1), y

        zero = lib.numpy.zeros_like(x[0])
        return lib.scan(step, (zero, zero, zero), x)[1]

    def shifted(lib: Any, x: Any, w: Any) -> Any:
        zero = lib.numpy.zeros_like(x[:1])
        given = w[0] * x + w[3] * lib.numpy.concatenate([zero, x[:-1]])

        def step(state: Any, u: Any) -> Any:
            y = u + w[1] * state[0] + w[2] * state[1]
            return lib.numpy.stack([y, state[0]]), y

        return lib.scan(step, lib.numpy.zeros_like(x[:2]), given)[1]

    return program("x: 1000 N, w: 4", "N", formula=formula, scan=scan, shifted=shifted)


def running_sum() -> Program:
    def formula(lib: Any, x: Any) -> Any:
        return lib.recurrence(x.shape, lambda s, i, j: x[i, j] + before(lib, j, s[i, j - 1]), dtype="float32")

    def cumsum(lib: Any, x: Any) -> Any:
        return lib.numpy.cumsum(x, axis=1)

    def scan(lib: Any, x: Any) -> Any:
        def step(s: Any, x_j: Any) -> Any:
            return s + x_j, s + x_j

        return lib.scan(step, lib.numpy.zeros_like(x[:, 0]), x.T)[1].T

    sizes = (127, 128, 129, 255, 256, 257, 511, 512, 513)
    return program("x: 256 N", "N", sizes, formula=formula, cumsum=cumsum, scan=scan)


def column_sum() -> Program:
    def formula(lib: Any, x: Any) -> Any:
        return lib.recurrence(x.shape, lambda s, i, j: x[i, j] + before(lib, i, s[i - 1, j]), dtype="float32")

    def cumsum(lib: Any, x: Any) -> Any:
        return lib.numpy.cumsum(x, axis=0)

    def scan(lib: Any, x: Any) -> Any:
        return lib.scan(lambda s, x_i: (s + x_i, s + x_i), lib.numpy.zeros_like(x[0]), x)[1]

    return program("x: 1000 N", "N", formula=formula, cumsum=cumsum, scan=scan)


def heat() -> Program:
    """Forty steps of the heat equation on a square with a fixed border."""

    def formula(lib: Any, x: Any) -> Any:
        N = x.shape[0]

        def cell(u: Any, t: Any, i: Any, j: Any) -> Any:
            near = u[t - 1, i - 1, j] + u[t - 1, i + 1, j] + u[t - 1, i, j - 1] + u[t - 1, i, j + 1]
            inner = (t > 0) & (i > 0) & (j > 0) & (i < N - 1) & (j < N - 1)
            return lib.select(inner, 0.5 * u[t - 1, i, j] + 0.125 * near, x[i, j])

        return lib.recurrence((41, N, N), cell, dtype="float32")[40]

    def inner(lib: Any, u: Any) -> Any:
        near = u[:-2, 1:-1] + u[2:, 1:-1] + u[1:-1, :-2] + u[1:-1, 2:]
        return 0.5 * u[1:-1, 1:-1] + 0.125 * near

    def at(lib: Any, x: Any) -> Any:
        return lib.scan(lambda u, _: (u.at[1:-1, 1:-1].set(inner(lib, u)), None), x, None, length=40)[0]

    def joined(lib: Any, x: Any) -> Any:
        def step(u: Any, _: Any) -> Any:
            rows = lib.numpy.concatenate([u[1:-1, :1], inner(lib, u), u[1:-1, -1:]], axis=1)
            return lib.numpy.concatenate([u[:1], rows, u[-1:]]), None

        return lib.scan(step, x, None, length=40)[0]

    return program("x: N N", "N N", formula=formula, at=at, joined=joined)


def advection() -> Program:
    """Upwind steps on a ring."""

    def formula(lib: Any, x: Any) -> Any:
        N = x.shape[1]

        def cell(u: Any, t: Any, b: Any, i: Any) -> Any:
            return lib.select(t == 0, x[b, i], 0.6 * u[t - 1, b, i] + 0.4 * u[t - 1, b, (i + N - 1) % N])

        return lib.recurrence((101, *x.shape), cell, dtype="float32")[100]

    def roll(lib: Any, x: Any) -> Any:
        return lib.scan(lambda u, _: (0.6 * u + 0.4 * lib.numpy.roll(u, 1, axis=1), None), x, None, length=100)[0]

    def joined(lib: Any, x: Any) -> Any:
        def step(u: Any, _: Any) -> Any:
            return 0.6 * u + 0.4 * lib.numpy.concatenate([u[:, -1:], u[:, :-1]], axis=1), None

        return lib.scan(step, x, None, length=100)[0]

    return program("x: 32 N", "N", formula=formula, roll=roll, joined=joined)


def alignment() -> Program:
    """Needleman-Wunsch with a log-sum-exp of three."""

    def soft(lib: Any, a: Any, b: Any, c: Any) -> Any:
        return lib.numpy.logaddexp(lib.numpy.logaddexp(a, b), c)

    def formula(lib: Any, x: Any) -> Any:
        N = x.shape[0]

        def cell(d: Any, i: Any, j: Any) -> Any:
            inside = soft(lib, d[i - 1, j - 1] + x[i - 1, j - 1], d[i - 1, j] - 1.0, d[i, j - 1] - 1.0)
            return lib.select(i == 0, -1.0 * j, lib.select(j == 0, -1.0 * i, inside))

        return lib.recurrence((N + 1, N + 1), cell, dtype="float32")[1:, 1:]

    def borders(lib: Any, x: Any) -> Any:
        N = x.shape[0]

        def cell(d: Any, i: Any, j: Any) -> Any:
            inside = soft(lib, d[i - 1, j - 1] + x[i - 1, j - 1], d[i - 1, j] - 1.0, d[i, j - 1] - 1.0)
            first = lib.select(j == 0, 0.0, d[0, j - 1] - 1.0)
            return lib.select(i == 0, first, lib.select(j == 0, d[i - 1, 0] - 1.0, inside))

        return lib.recurrence((N + 1, N + 1), cell, dtype="float32")[1:, 1:]

    def nested(lib: Any, x: Any) -> Any:
        np, N = lib.numpy, x.shape[0]

        def row(above: Any, given: Any) -> Any:
            x_i, first = given

            def cell(left: Any, near: Any) -> Any:
                d = soft(lib, near[1] + near[0], near[2] - 1.0, left - 1.0)
                return d, d

            cells = lib.scan(cell, first, (x_i, above[:-1], above[1:]))[1]
            return np.concatenate([np.reshape(first, (1,)), cells]), cells

        top = -1.0 * np.arange(N + 1, dtype="float32")
        return lib.scan(row, top, (x, -1.0 * np.arange(1, N + 1, dtype="float32")))[1]

    return program("x: N N", "N N", formula=formula, borders=borders, nested=nested)


def forward_products() -> Program:
    """The forward variables of a hidden Markov model with N states."""

    def formula(lib: Any, p_A: Any, p_e: Any) -> Any:
        k = lib.reduce_axis(p_A.shape[0])

        def cell(a: Any, t: Any, j: Any) -> Any:
            last = lib.sum(a[t - 1, k] * p_A[k, j], axis=k) * (1.3 / p_A.shape[0])
            return lib.select(t == 0, p_e[0, j], last * p_e[t, j])

        return lib.recurrence(p_e.shape, cell, dtype="float32")

    def scan(lib: Any, p_A: Any, p_e: Any) -> Any:
        def step(a: Any, e: Any) -> Any:
            a = (a @ p_A) * (1.3 / p_A.shape[0]) * e
            return a, a

        later = lib.scan(step, p_e[0], p_e[1:])[1]
        return lib.numpy.concatenate([p_e[:1], later])

    def broadcast(lib: Any, p_A: Any, p_e: Any) -> Any:
        def step(a: Any, e: Any) -> Any:
            a = lib.numpy.sum(a[:, None] * p_A, axis=0) * (1.3 / p_A.shape[0]) * e
            return a, a

        later = lib.scan(step, p_e[0], p_e[1:])[1]
        return lib.numpy.concatenate([p_e[:1], later])

    return program("p_A: N N, p_e: 100 N", "N N", formula=formula, scan=scan, broadcast=broadcast)


def forward_logarithms() -> Program:
    def formula(lib: Any, A: Any, e: Any) -> Any:
        k = lib.reduce_axis(A.shape[0])

        def cell(a: Any, t: Any, j: Any) -> Any:
            most = lib.max(a[t - 1, k] + A[k, j], axis=k)
            total = lib.log(lib.sum(lib.exp(a[t - 1, k] + A[k, j] - most), axis=k))
            return lib.select(t == 0, e[0, j], most + total + e[t, j])

        return lib.recurrence(e.shape, cell, dtype="float32")

    def scan(lib: Any, A: Any, e: Any) -> Any:
        def step(a: Any, e_t: Any) -> Any:
            a = lib.nn.logsumexp(a[:, None] + A, axis=0) + e_t
            return a, a

        return lib.numpy.concatenate([e[:1], lib.scan(step, e[0], e[1:])[1]])

    def turned(lib: Any, A: Any, e: Any) -> Any:
        def step(a: Any, e_t: Any) -> Any:
            scores = A.T + a
            most = lib.numpy.max(scores, axis=1, keepdims=True)
            a = most[:, 0] + lib.numpy.log(lib.numpy.sum(lib.numpy.exp(scores - most), axis=1)) + e_t
            return a, a

        return lib.numpy.concatenate([e[:1], lib.scan(step, e[0], e[1:])[1]])

    return program("A: N N, e: 32 N", "N N", formula=formula, scan=scan, turned=turned)


def viterbi() -> Program:
    def formula(lib: Any, A: Any, e: Any) -> Any:
        k = lib.reduce_axis(A.shape[0])

        def cell(a: Any, t: Any, j: Any) -> Any:
            return e[t, j] + before(lib, t, lib.max(a[t - 1, k] + A[k, j], axis=k))

        return lib.recurrence(e.shape, cell, dtype="float32")

    def scan(lib: Any, A: Any, e: Any) -> Any:
        def step(a: Any, e_t: Any) -> Any:
            a = lib.numpy.max(a[:, None] + A, axis=0) + e_t
            return a, a

        return lib.numpy.concatenate([e[:1], lib.scan(step, e[0], e[1:])[1]])

    def turned(lib: Any, A: Any, e: Any) -> Any:
        def step(a: Any, e_t: Any) -> Any:
            a = lib.numpy.max(A.T + a[None, :], axis=1) + e_t
            return a, a

        return lib.numpy.concatenate([e[:1], lib.scan(step, e[0], e[1:])[1]])

    return program("A: N N, e: 32 N", "N N", formula=formula, scan=scan, turned=turned)


def lorenz() -> Program:
    """Euler steps of N systems of three."""

    def formula(lib: Any, x: Any) -> Any:
        def cell(a: Any, b: Any, c: Any, t: Any, i: Any) -> Any:
            u, v, w = (s[t - 1, i] for s in (a, b, c))
            slopes = (2.0 * (v - u), u * (3.0 - w) - v, u * v - w)
            now = zip((u, v, w), slopes, range(3), strict=True)
            return tuple(lib.select(t == 0, x[n, i], s + 0.002 * slope) for s, slope, n in now)

        states = lib.recurrence(((1001, x.shape[1]),) * 3, cell, dtype="float32")
        return lib.numpy.stack([s[1000] for s in states])

    def slopes(u: Any, v: Any, w: Any) -> Any:
        return 2.0 * (v - u), u * (3.0 - w) - v, u * v - w

    def scan(lib: Any, x: Any) -> Any:
        def step(state: Any, _: Any) -> Any:
            return tuple(s + 0.002 * d for s, d in zip(state, slopes(*state), strict=True)), None

        return lib.numpy.stack(lib.scan(step, (x[0], x[1], x[2]), None, length=1000)[0])

    def stacked(lib: Any, x: Any) -> Any:
        return lib.scan(lambda s, _: (s + 0.002 * lib.numpy.stack(slopes(*s)), None), x, None, length=1000)[0]

    return program("x: 3 N", "N", formula=formula, scan=scan, stacked=stacked)


RECURRENT = (
    rnn, gru, lstm, linear_recurrence, biquad, running_sum, column_sum, heat, advection, alignment,
    forward_products, forward_logarithms, viterbi, lorenz,
)  # fmt: skip
