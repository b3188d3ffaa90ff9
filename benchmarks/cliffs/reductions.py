"""Programs that reduce and normalise: sums, softmax, norms, pairs, filters of neighbours."""

from typing import Any

from benchmarks.cliffs.program import Program, program

__all__ = ["REDUCTIONS"]

LARGE = (127, 128, 129, 255, 256, 257, 511, 512, 513)


def row_sums() -> Program:
    def formula(lib: Any, x: Any) -> Any:
        k = lib.reduce_axis(x.shape[1])
        return lib.compute(x.shape[:1], lambda i: lib.sum(lib.sin(x[i, k]), axis=k))

    def whole(lib: Any, x: Any) -> Any:
        return lib.numpy.sum(lib.numpy.sin(x), axis=1)

    def scan(lib: Any, x: Any) -> Any:
        return lib.scan(lambda s, x_k: (s + lib.numpy.sin(x_k), None), 0.0 * x[:, 0], x.T)[0]

    return program("x: 512 N", "N", formula=formula, whole=whole, scan=scan)


def column_means() -> Program:
    def formula(lib: Any, x: Any) -> Any:
        k = lib.reduce_axis(x.shape[0])
        return lib.compute(x.shape[1:], lambda j: lib.sum(x[k, j] ** 2, axis=k) / 4000.0)

    def whole(lib: Any, x: Any) -> Any:
        return lib.numpy.mean(x**2, axis=0)

    def scan(lib: Any, x: Any) -> Any:
        return lib.scan(lambda s, x_k: (s + x_k * x_k / 4000.0, None), 0.0 * x[0], x)[0]

    return program("x: 4000 N", "N", formula=formula, whole=whole, scan=scan)


def middle_sum() -> Program:
    def formula(lib: Any, x: Any) -> Any:
        k = lib.reduce_axis(x.shape[1])
        return lib.compute((x.shape[0], x.shape[2]), lambda i, j: lib.sum(lib.exp(x[i, k, j]), axis=k))

    def whole(lib: Any, x: Any) -> Any:
        return lib.numpy.sum(lib.numpy.exp(x), axis=1)

    def batched(lib: Any, x: Any) -> Any:
        return lib.vmap(lambda row: lib.numpy.exp(row).sum(axis=0))(x)

    return program("x: 64 64 N", "N", formula=formula, whole=whole, batched=batched)


def softmax() -> Program:
    def formula(lib: Any, x: Any) -> Any:
        k = lib.reduce_axis(x.shape[1])
        most = lib.compute(x.shape[:1], lambda i: lib.max(x[i, k], axis=k))
        powers = lib.compute(x.shape, lambda i, j: lib.exp(x[i, j] - most[i]))
        total = lib.compute(x.shape[:1], lambda i: lib.sum(powers[i, k], axis=k))
        return lib.compute(x.shape, lambda i, j: powers[i, j] / total[i])

    def layer(lib: Any, x: Any) -> Any:
        return lib.nn.softmax(x, axis=-1)

    def batched(lib: Any, x: Any) -> Any:
        def row(v: Any) -> Any:
            powers = lib.numpy.exp(v - lib.numpy.max(v))
            return powers / lib.numpy.sum(powers)

        return lib.vmap(row)(x)

    return program("x: 256 N", "N", formula=formula, layer=layer, batched=batched)


def logsumexp() -> Program:
    """Along the first axis."""

    def formula(lib: Any, x: Any) -> Any:
        k = lib.reduce_axis(x.shape[0])

        def element(j: Any) -> Any:
            most = lib.max(x[k, j], axis=k)
            return most + lib.log(lib.sum(lib.exp(x[k, j] - most), axis=k))

        return lib.compute(x.shape[1:], element)

    def layer(lib: Any, x: Any) -> Any:
        return lib.nn.logsumexp(x, axis=0)

    def batched(lib: Any, x: Any) -> Any:
        def column(v: Any) -> Any:
            most = lib.numpy.max(v)
            return most + lib.numpy.log(lib.numpy.sum(lib.numpy.exp(v - most)))

        return lib.vmap(column, in_axes=1)(x)

    return program("x: 1024 N", "N", formula=formula, layer=layer, batched=batched)


def cross_entropy() -> Program:
    def formula(lib: Any, x: Any, i_y: Any) -> Any:
        k = lib.reduce_axis(x.shape[1])
        most = lib.compute(x.shape[:1], lambda i: lib.max(x[i, k], axis=k))
        total = lib.compute(x.shape[:1], lambda i: lib.log(lib.sum(lib.exp(x[i, k] - most[i]), axis=k)))
        return lib.compute(x.shape[:1], lambda i: total[i] + most[i] - x[i, i_y[i]])

    def picked(lib: Any, x: Any, i_y: Any) -> Any:
        return lib.nn.logsumexp(x, axis=1) - lib.numpy.take_along_axis(x, i_y[:, None], axis=1)[:, 0]

    def masked(lib: Any, x: Any, i_y: Any) -> Any:
        here = lib.numpy.arange(x.shape[1])[None, :] == i_y[:, None]
        return -lib.numpy.sum(lib.numpy.where(here, lib.nn.log_softmax(x, axis=-1), 0.0), axis=1)

    return program("x: 256 N, i_y: 256", "N", formula=formula, picked=picked, masked=masked)


def layer_norm() -> Program:
    def formula(lib: Any, x: Any, g: Any) -> Any:
        N = x.shape[1]
        k = lib.reduce_axis(N)
        mean = lib.compute(x.shape[:1], lambda i: lib.sum(x[i, k], axis=k) / N)
        var = lib.compute(x.shape[:1], lambda i: lib.sum((x[i, k] - mean[i]) ** 2, axis=k) / N)
        return lib.compute(x.shape, lambda i, j: (x[i, j] - mean[i]) / lib.sqrt(var[i] + 1e-3) * g[j])

    def whole(lib: Any, x: Any, g: Any) -> Any:
        mean = lib.numpy.mean(x, axis=-1, keepdims=True)
        var = lib.numpy.mean((x - mean) ** 2, axis=-1, keepdims=True)
        return (x - mean) / lib.numpy.sqrt(var + 1e-3) * g

    def batched(lib: Any, x: Any, g: Any) -> Any:
        def row(v: Any) -> Any:
            v = v - lib.numpy.mean(v)
            return v / lib.numpy.sqrt(lib.numpy.mean(v * v) + 1e-3) * g

        return lib.vmap(row)(x)

    return program("x: 256 N, g: N", "N", formula=formula, whole=whole, batched=batched)


def batch_norm() -> Program:
    def formula(lib: Any, x: Any, g: Any) -> Any:
        B = x.shape[0]
        k = lib.reduce_axis(B)
        mean = lib.compute(x.shape[1:], lambda j: lib.sum(x[k, j], axis=k) / B)
        var = lib.compute(x.shape[1:], lambda j: lib.sum((x[k, j] - mean[j]) ** 2, axis=k) / B)
        return lib.compute(x.shape, lambda i, j: lib.maximum((x[i, j] - mean[j]) / lib.sqrt(var[j] + 1e-3) * g[j], 0.0))

    def whole(lib: Any, x: Any, g: Any) -> Any:
        mean = lib.numpy.mean(x, axis=0)
        var = lib.numpy.mean((x - mean) ** 2, axis=0)
        return lib.numpy.maximum((x - mean) / lib.numpy.sqrt(var + 1e-3) * g, 0.0)

    def batched(lib: Any, x: Any, g: Any) -> Any:
        def column(v: Any, g_j: Any) -> Any:
            v = v - lib.numpy.mean(v)
            return lib.numpy.maximum(v / lib.numpy.sqrt(lib.numpy.mean(v * v) + 1e-3) * g_j, 0.0)

        return lib.vmap(column, in_axes=(1, 0), out_axes=1)(x, g)

    return program("x: 1024 N, g: N", "N", formula=formula, whole=whole, batched=batched)


def distances() -> Program:
    def formula(lib: Any, x: Any, y: Any) -> Any:
        k = lib.reduce_axis(x.shape[1])
        shape = (x.shape[0], y.shape[0])
        return lib.compute(shape, lambda i, j: lib.sum((x[i, k] - y[j, k]) ** 2, axis=k))

    def broadcast(lib: Any, x: Any, y: Any) -> Any:
        return lib.numpy.sum((x[:, None, :] - y[None, :, :]) ** 2, axis=-1)

    def batched(lib: Any, x: Any, y: Any) -> Any:
        return lib.vmap(lambda a: lib.vmap(lambda b: lib.numpy.sum((a - b) ** 2))(y))(x)

    return program("x: N 8, y: N 8", "N N", LARGE, formula=formula, broadcast=broadcast, batched=batched)


def kernel_sum() -> Program:
    """A Gaussian kernel of all pairs times a vector."""

    def formula(lib: Any, x: Any, v: Any) -> Any:
        N, D = x.shape
        j, k = lib.reduce_axis(N, name="j"), lib.reduce_axis(D)
        square = lib.compute((N, N), lambda i, j: lib.sum((x[i, k] - x[j, k]) ** 2, axis=k))
        return lib.compute((N,), lambda i: lib.sum(lib.exp(-square[i, j]) * v[j], axis=j))

    def broadcast(lib: Any, x: Any, v: Any) -> Any:
        return lib.numpy.exp(-lib.numpy.sum((x[:, None, :] - x[None, :, :]) ** 2, axis=-1)) @ v

    def batched(lib: Any, x: Any, v: Any) -> Any:
        return lib.vmap(lambda a: lib.numpy.sum(lib.numpy.exp(-lib.numpy.sum((a - x) ** 2, axis=1)) * v))(x)

    return program("x: N 3, v: N", "N N", LARGE, formula=formula, broadcast=broadcast, batched=batched)


def absolute_pairs() -> Program:
    """Sums of |x_i - y_j| over j, of coordinates that are summed too."""

    def formula(lib: Any, x: Any, y: Any) -> Any:
        j, k = lib.reduce_axis(y.shape[0], name="j"), lib.reduce_axis(x.shape[1])
        return lib.compute(x.shape[:1], lambda i: lib.sum(lib.abs(x[i, k] - y[j, k]), axis=(j, k)))

    def broadcast(lib: Any, x: Any, y: Any) -> Any:
        return lib.numpy.sum(lib.numpy.abs(x[:, None] - y[None]), axis=(1, 2))

    def scan(lib: Any, x: Any, y: Any) -> Any:
        return lib.scan(lambda s, y_j: (s + lib.numpy.sum(lib.numpy.abs(x - y_j), axis=1), None), 0.0 * x[:, 0], y)[0]

    return program("x: 100 N, y: 50 N", "N", formula=formula, broadcast=broadcast, scan=scan)


def smoothing() -> Program:
    """A filter of nine taps."""

    def formula(lib: Any, x: Any, w: Any) -> Any:
        k = lib.reduce_axis(9)
        return lib.compute((64, x.shape[1] - 8), lambda b, t: lib.sum(w[k] * x[b, t + k], axis=k))

    def slices(lib: Any, x: Any, w: Any) -> Any:
        return sum(w[k] * x[:, k : x.shape[1] - 8 + k] for k in range(9))

    def batched(lib: Any, x: Any, w: Any) -> Any:
        return lib.vmap(lambda row: lib.numpy.correlate(row, w, mode="valid"))(x)

    return program("x: 64 N, w: 9", "N", LARGE, formula=formula, slices=slices, batched=batched)


def gradient_image() -> Program:
    """Total variation of an image."""

    def formula(lib: Any, x: Any) -> Any:
        N = x.shape[0]

        def element(i: Any, j: Any) -> Any:
            down, right = x[i + 1, j] - x[i, j], x[i, j + 1] - x[i, j]
            return lib.sqrt(down * down + right * right + 1e-3)

        return lib.compute((N - 1, N - 1), element)

    def slices(lib: Any, x: Any) -> Any:
        down, right = x[1:, :-1] - x[:-1, :-1], x[:-1, 1:] - x[:-1, :-1]
        return lib.numpy.sqrt(down**2 + right**2 + 1e-3)

    def diff(lib: Any, x: Any) -> Any:
        down, right = lib.numpy.diff(x, axis=0)[:, :-1], lib.numpy.diff(x, axis=1)[:-1]
        return lib.numpy.sqrt(down**2 + right**2 + 1e-3)

    return program("x: N N", "N N", LARGE[:6], formula=formula, slices=slices, diff=diff)


def pooling() -> Program:
    def formula(lib: Any, x: Any) -> Any:
        r, s = lib.reduce_axis(2, name="r"), lib.reduce_axis(2, name="s")
        C, _, N = x.shape
        return lib.compute((C, 16, N // 2), lambda c, i, j: lib.max(x[c, 2 * i + r, 2 * j + s], axis=(r, s)))

    def reshape(lib: Any, x: Any) -> Any:
        C, _, N = x.shape
        return lib.numpy.max(x[:, :, : N // 2 * 2].reshape((C, 16, 2, N // 2, 2)), axis=(2, 4))

    def slices(lib: Any, x: Any) -> Any:
        x = x[:, :, : x.shape[2] // 2 * 2]
        rows = lib.numpy.maximum(x[:, ::2], x[:, 1::2])
        return lib.numpy.maximum(rows[:, :, ::2], rows[:, :, 1::2])

    return program("x: 16 32 N", "N", formula=formula, reshape=reshape, slices=slices)


REDUCTIONS = (
    row_sums, column_means, middle_sum, softmax, logsumexp, cross_entropy, layer_norm, batch_norm, distances,
    kernel_sum, absolute_pairs, smoothing, gradient_image, pooling,
)  # fmt: skip
