"""Twenty programs that people write first, in words that polyad and JAX share: one text for both.

They are small, as first tries are: what counts is how long a library takes until the first number is there.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from benchmarks.shared_words import Words

__all__ = ["PROGRAMS", "Program"]


class Program(NamedTuple):
    """A program and what it is called with first.

    Attributes:
        function: of a library's words and the arrays.
        arrays: its arguments.
        variables: of how many of these, from the first on, a gradient is taken; none: the value alone.
    """

    function: Callable[..., Any]
    arrays: tuple[Any, ...]
    variables: int = 0


def array(*shape: int, scale: float = 0.3) -> Any:
    return np.random.default_rng([1, *shape]).normal(size=shape, scale=scale).astype(np.float32)


def numbers(most: int, *shape: int) -> Any:
    return np.random.default_rng([2, *shape]).integers(0, most, shape).astype(np.int32)


def uniform(*shape: int) -> Any:
    return np.random.default_rng([3, *shape]).random(shape).astype(np.float32)


def life(lib: Words, board: Any) -> Any:
    def step(b: Any, _: Any) -> Any:
        near = 0.0
        for i in (-1, 0, 1):
            for j in (-1, 0, 1):
                if i or j:
                    near = near + lib.np.roll(lib.np.roll(b, i, axis=0), j, axis=1)
        born = lib.np.where(near == 3.0, 1.0, 0.0)
        stays = lib.np.where(near == 2.0, b, 0.0)
        return born + stays, None

    return lib.scan(step, board, None, length=20)[0]


def ising(lib: Words, spins: Any, chance: Any, even: Any) -> Any:
    def half(s: Any, c: Any, mask: Any) -> Any:
        near = sum(lib.np.roll(s, n, axis=a) for a in (0, 1) for n in (1, -1))
        flips = (c < lib.np.exp(-0.8 * s * near)) & (mask > 0.5)
        return lib.np.where(flips, -s, s)

    def step(s: Any, c: Any) -> Any:
        s = half(half(s, c[0], even), c[1], 1.0 - even)
        return s, lib.np.mean(s)

    return lib.scan(step, spins, chance)


def inverse(lib: Words, S: Any) -> Any:
    """Of a matrix of 2 x 2."""
    turned = lib.np.stack([lib.np.stack([S[1, 1], -S[0, 1]]), lib.np.stack([-S[1, 0], S[0, 0]])])
    return turned / (S[0, 0] * S[1, 1] - S[0, 1] * S[1, 0])


def kalman(lib: Words, A: Any, C: Any, q: Any, r: Any, y: Any) -> Any:
    unit = lib.np.eye(2, dtype="float32")

    def forward(state: Any, y_t: Any) -> Any:
        mean, P = state
        mean_p, P_p = A @ mean, A @ P @ A.T + lib.np.exp(q) * unit
        K = P_p @ C.T @ inverse(lib, C @ P_p @ C.T + lib.np.exp(r) * unit)
        mean_f = mean_p + K @ (y_t - C @ mean_p)
        P_f = P_p - K @ C @ P_p
        return (mean_f, P_f), (mean_f, P_f, mean_p, P_p)

    def backward(state: Any, given: Any) -> Any:
        mean_s, P_s, mean_n, P_n = state
        mean_f, P_f, mean_p, P_p = given
        G = P_f @ A.T @ inverse(lib, P_n)
        mean_s = mean_f + G @ (mean_s - mean_n)
        P_s = P_f + G @ (P_s - P_n) @ G.T
        return (mean_s, P_s, mean_p, P_p), mean_s

    last, kept = lib.scan(forward, (lib.np.zeros((2,), dtype="float32"), unit), y)
    start = (*last, kept[2][-1], kept[3][-1])
    smoothed = lib.scan(backward, start, tuple(k[:-1] for k in kept), reverse=True)[1]
    return lib.np.mean((y[:-1] - smoothed @ C.T) ** 2)


def attention(lib: Words, x: Any, Wq: Any, Wk: Any, Wv: Any, Wo: Any) -> Any:
    heads, (T, D) = 4, x.shape

    def split(z: Any) -> Any:
        return z.reshape((T, heads, D // heads))

    q, k, v = split(x @ Wq), split(x @ Wk), split(x @ Wv)
    scores = lib.np.einsum("qhd,khd->hqk", q, k) / (D // heads) ** 0.5
    causal = lib.np.arange(T)[:, None] >= lib.np.arange(T)[None, :]
    weights = lib.softmax(lib.np.where(causal, scores, -1e9), axis=-1)
    return lib.np.mean((lib.np.einsum("hqk,khd->qhd", weights, v).reshape((T, D)) @ Wo) ** 2)


def vae_loss(lib: Words, p: Any, x: Any, noise: Any) -> Any:
    W1, b1, Wm, bm, Ws, bs, W2, b2, W3, b3 = p
    h = lib.np.tanh(x @ W1 + b1)
    mean, log_var = h @ Wm + bm, h @ Ws + bs
    z = mean + lib.np.exp(0.5 * log_var) * noise
    out = lib.np.tanh(z @ W2 + b2) @ W3 + b3
    fit = lib.np.sum(lib.np.logaddexp(0.0, out) - x * out)
    return (fit - 0.5 * lib.np.sum(1.0 + log_var - mean**2 - lib.np.exp(log_var))) / x.shape[0]


VAE = tuple(array(*s) for s in ((64, 32), (32,), (32, 8), (8,), (32, 8), (8,), (8, 32), (32,), (32, 64), (64,)))


def vae_step(lib: Words, *arrays: Any) -> Any:
    n = len(VAE)
    p, m, v, x, noise = arrays[:n], arrays[n : 2 * n], arrays[2 * n : 3 * n], arrays[-2], arrays[-1]
    loss, grads = lib.value_and_grad(lambda p: vae_loss(lib, p, x, noise))(p)
    m = tuple(0.9 * a + 0.1 * g for a, g in zip(m, grads, strict=True))
    v = tuple(0.999 * a + 0.001 * g * g for a, g in zip(v, grads, strict=True))
    p = tuple(w - 0.001 * a / (lib.np.sqrt(b) + 1e-8) for w, a, b in zip(p, m, v, strict=True))
    return loss, p, m, v


def rk4(lib: Words, start: Any, rates: Any) -> Any:
    def slope(y: Any) -> Any:
        return lib.np.stack([rates[0] * (y[1] - y[0]), y[0] * (rates[1] - y[2]) - y[1], y[0] * y[1] - rates[2] * y[2]])

    def step(y: Any, _: Any) -> Any:
        k1 = slope(y)
        k2 = slope(y + 0.005 * k1)
        k3 = slope(y + 0.005 * k2)
        k4 = slope(y + 0.01 * k3)
        y = y + (0.01 / 6.0) * (k1 + 2.0 * k2 + 2.0 * k3 + k4)
        return y, y

    return lib.np.mean(lib.scan(step, start, None, length=100)[1] ** 2)


def spiking(lib: Words, W: Any, V: Any, x: Any) -> Any:
    @lib.custom_vjp
    def spike(v: Any) -> Any:
        return lib.np.where(v > 0.0, 1.0, 0.0)

    def there(v: Any) -> Any:
        return spike(v), v

    def back(v: Any, g: Any) -> Any:
        return (g / (1.0 + 10.0 * lib.np.abs(v)) ** 2,)

    spike.defvjp(there, back)

    def step(state: Any, x_t: Any) -> Any:
        v, s = state
        v = 0.9 * v * (1.0 - s) + x_t @ W + s @ V
        s = spike(v - 1.0)
        return (v, s), s

    zero = lib.np.zeros((x.shape[1], V.shape[0]), dtype="float32")
    return lib.np.mean((lib.np.mean(lib.scan(step, (zero, zero), x)[1], axis=0) - 0.2) ** 2)


def conv_net(lib: Words, w1: Any, w2: Any, W: Any, b: Any, x: Any, labels: Any) -> Any:
    h = lib.max_pool(lib.np.maximum(lib.conv2d(x, w1), 0.0))
    h = lib.max_pool(lib.np.maximum(lib.conv2d(h, w2), 0.0))
    z = h.reshape((x.shape[0], -1)) @ W + b
    p = lib.softmax(z, axis=-1)
    return -lib.np.mean(lib.np.log(lib.np.sum(p * labels, axis=-1)))


def min_gru(lib: Words, Wz: Any, Wh: Any, x: Any) -> Any:
    z, candidate = lib.sigmoid(x @ Wz), lib.np.tanh(x @ Wh)

    def step(h: Any, given: Any) -> Any:
        z_t, c_t = given
        h = (1.0 - z_t) * h + z_t * c_t
        return h, h

    return lib.np.mean(lib.scan(step, lib.np.zeros(z.shape[1:], "float32"), (z, candidate))[1] ** 2)


def mlp(lib: Words, *arrays: Any) -> Any:
    *weights, x = arrays
    for n in range(0, len(weights), 4):
        scale, shift, W1, W2 = weights[n : n + 4]
        mean = lib.np.mean(x, axis=-1, keepdims=True)
        spread = lib.np.mean((x - mean) ** 2, axis=-1, keepdims=True)
        y = (x - mean) / lib.np.sqrt(spread + 1e-5) * scale + shift
        x = x + lib.np.maximum(y @ W1, 0.0) @ W2
    return lib.np.mean(x**2)


def lstm_layers(lib: Words, *arrays: Any) -> Any:
    *weights, x = arrays
    for n in range(0, len(weights), 3):
        W, U, b = weights[n : n + 3]

        def step(carry: Any, x_t: Any, W: Any = W, U: Any = U, b: Any = b) -> Any:
            h, c = carry
            i, f, g, o = lib.np.split(x_t @ W + h @ U + b, 4, axis=-1)
            c = lib.sigmoid(f) * c + lib.sigmoid(i) * lib.np.tanh(g)
            h = lib.sigmoid(o) * lib.np.tanh(c)
            return (h, c), h

        zero = lib.np.zeros((x.shape[1], U.shape[0]), dtype="float32")
        x = lib.scan(step, (zero, zero), x)[1]
    return lib.np.mean(x**2)


def rwkv(lib: Words, w: Any, u: Any, k: Any, v: Any) -> Any:
    def step(state: Any, given: Any) -> Any:
        a, b, top = state
        k_t, v_t = given
        most = lib.np.maximum(top, u + k_t)
        e1, e2 = lib.np.exp(top - most), lib.np.exp(u + k_t - most)
        out = (e1 * a + e2 * v_t) / (e1 * b + e2)
        most = lib.np.maximum(top - w, k_t)
        e1, e2 = lib.np.exp(top - w - most), lib.np.exp(k_t - most)
        return (e1 * a + e2 * v_t, e1 * b + e2, most), out

    zero = lib.np.zeros(k.shape[1:], "float32")
    return lib.np.mean(lib.scan(step, (zero, zero, zero - 1e4), (k, v))[1] ** 2)


def biquad(lib: Words, b: Any, a: Any, x: Any) -> Any:
    def step(state: Any, x_t: Any) -> Any:
        s1, s2 = state
        y = b[0] * x_t + s1
        return (b[1] * x_t - a[0] * y + s2, b[2] * x_t - a[1] * y), y

    zero = lib.np.zeros((), "float32")
    return lib.np.mean(lib.scan(step, (zero, zero), x)[1] ** 2)


def garch(lib: Words, p: Any, r: Any) -> Any:
    omega, alpha, beta = lib.np.exp(p[0]), lib.sigmoid(p[1]), lib.sigmoid(p[2])

    def step(h: Any, r_t: Any) -> Any:
        return omega + alpha * r_t**2 + beta * h, lib.np.log(h) + r_t**2 / h

    return 0.5 * lib.np.mean(lib.scan(step, lib.np.var(r), r)[1])


def crf(lib: Words, change: Any, scores: Any, tags: Any) -> Any:
    def step(alpha: Any, s: Any) -> Any:
        paths = alpha[:, None] + change
        top = lib.np.max(paths, axis=0)
        return top + lib.np.log(lib.np.sum(lib.np.exp(paths - top), axis=0)) + s, None

    last = lib.scan(step, scores[0], scores[1:])[0]
    top = lib.np.max(last)
    gold = lib.np.sum(scores * tags) + lib.np.sum(tags[:-1] * (tags[1:] @ change.T))
    return top + lib.np.log(lib.np.sum(lib.np.exp(last - top))) - gold


def word2vec(lib: Words, inside: Any, outside: Any, centre: Any, near: Any, others: Any) -> Any:
    c = inside[centre]
    good = lib.np.sum(c * outside[near], axis=-1)
    bad = lib.np.sum(c[:, None, :] * outside[others], axis=-1)
    return lib.np.mean(lib.np.logaddexp(0.0, -good) + lib.np.sum(lib.np.logaddexp(0.0, bad), axis=-1))


def particles(lib: Words, start: Any, noise: Any, points: Any, y: Any) -> Any:
    def step(x: Any, given: Any) -> Any:
        n, u, y_t = given
        x = 0.9 * x + lib.np.sin(x) + n
        log_w = -0.5 * (y_t - x) ** 2
        top = lib.np.max(log_w)
        w = lib.np.exp(log_w - top)
        total = lib.np.cumsum(w)
        index = lib.np.sum(total[None, :] < u[:, None] * total[-1], axis=1)
        return x[index], top + lib.np.log(lib.np.mean(w))

    return lib.np.sum(lib.scan(step, start, (noise, points, y))[1])


def heat(lib: Words, start: Any, rate: Any) -> Any:
    def step(u: Any, _: Any) -> Any:
        p = lib.np.pad(u, 1)
        around = p[:-2, 1:-1] + p[2:, 1:-1] + p[1:-1, :-2] + p[1:-1, 2:]
        return u + rate * (around - 4.0 * u), None

    return lib.np.sum(lib.scan(step, start, None, length=20)[0] ** 2)


def sinkhorn(lib: Words, a: Any, b: Any) -> Any:
    cost = lib.np.sum((a[:, None, :] - b[None, :, :]) ** 2, axis=-1)
    kernel = lib.np.exp(-cost / 0.5)

    def step(state: Any, _: Any) -> Any:
        u = 1.0 / (kernel @ state)
        return 1.0 / (kernel.T @ u), u

    v, us = lib.scan(step, lib.np.ones((b.shape[0],), "float32"), None, length=30)
    return lib.np.sum(us[-1][:, None] * kernel * v[None, :] * cost)


def bodies(lib: Words, place: Any, speed: Any, mass: Any) -> Any:
    def pull(x: Any) -> Any:
        d = x[None, :, :] - x[:, None, :]
        far = lib.np.sum(d * d, axis=-1) + 0.01
        return lib.np.sum(mass[None, :, None] * d / (far * lib.np.sqrt(far))[:, :, None], axis=1)

    def step(state: Any, _: Any) -> Any:
        x, v = state
        v = v + 0.01 * pull(x)
        return (x + 0.01 * v, v), None

    x, v = lib.scan(step, (place, speed), None, length=50)[0]
    return lib.np.sum(x**2) + lib.np.sum(v**2)


def zeros_as(arrays: tuple[Any, ...]) -> tuple[Any, ...]:
    return tuple(np.zeros_like(a) for a in arrays)


def signs(*shape: int) -> Any:
    return np.where(uniform(*shape) < 0.5, -1, 1).astype(np.float32)


BLOCKS = tuple(a for _ in range(8) for a in (array(32), array(32), array(32, 64), array(64, 32)))
LAYERS = tuple(a for _ in range(8) for a in (array(16, 64), array(16, 64), array(64)))
ONE_OF_TEN = np.eye(10, dtype=np.float32)[numbers(10, 8)]
ONE_OF_FIVE = np.eye(5, dtype=np.float32)[numbers(5, 40)]
EVEN = (np.indices((32, 32)).sum(axis=0) % 2 == 0).astype(np.float32)

PROGRAMS: dict[str, Program] = {
    "game of life": Program(life, ((uniform(64, 64) < 0.3).astype(np.float32),)),
    "Ising": Program(ising, (signs(32, 32), uniform(20, 2, 32, 32), EVEN)),
    "Kalman smoother": Program(kalman, (array(2, 2), array(2, 2, scale=1.0), array(), array(), array(50, 2)), 4),
    "attention": Program(attention, (array(32, 16), *(array(16, 16) for _ in range(4))), 5),
    "VAE with Adam": Program(vae_step, (*VAE, *zeros_as(VAE), *zeros_as(VAE), uniform(16, 64), array(16, 8))),
    "RK4": Program(rk4, (np.ones(3, np.float32), np.array([10, 28, 8 / 3], np.float32)), 2),
    "spiking net": Program(spiking, (array(20, 32), array(32, 32), uniform(30, 8, 20)), 2),
    "conv net": Program(
        conv_net, (array(4, 1, 3, 3), array(8, 4, 3, 3), array(200, 10), array(10), array(8, 1, 28, 28), ONE_OF_TEN), 4
    ),
    "minGRU": Program(min_gru, (array(16, 32), array(16, 32), array(40, 4, 16)), 2),
    "MLP of 8 blocks": Program(mlp, (*BLOCKS, array(16, 32)), len(BLOCKS)),
    "LSTM of 8 layers": Program(lstm_layers, (*LAYERS, array(20, 4, 16)), len(LAYERS)),
    "RWKV": Program(rwkv, (uniform(32), array(32), array(50, 32), array(50, 32)), 4),
    "biquad": Program(biquad, (array(3), array(2), array(400)), 3),
    "GARCH": Program(garch, (array(3), array(500)), 1),
    "CRF": Program(crf, (array(5, 5), array(40, 5), ONE_OF_FIVE), 2),
    "word2vec": Program(
        word2vec, (array(100, 16), array(100, 16), numbers(100, 32), numbers(100, 32), numbers(100, 32, 5)), 2
    ),
    "particle filter": Program(particles, (array(64), array(30, 64), uniform(30, 64), array(30))),
    "heat in 2-D": Program(heat, (array(32, 32), array()), 2),
    "Sinkhorn": Program(sinkhorn, (array(20, 2), array(24, 2)), 2),
    "bodies": Program(bodies, (array(16, 3), array(16, 3), uniform(16)), 3),
}
