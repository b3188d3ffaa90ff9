"""Programs of products: dense layers, convolutions, attention, solves, gathers."""

from typing import Any

from benchmarks.cliffs.program import Program, program

__all__ = ["PRODUCTS"]


def matmul() -> Program:
    def formula(lib: Any, A: Any, B: Any) -> Any:
        k = lib.reduce_axis(A.shape[1])
        return lib.compute((A.shape[0], B.shape[1]), lambda i, j: lib.sum(A[i, k] * B[k, j], axis=k))

    def operator(lib: Any, A: Any, B: Any) -> Any:
        return A @ B

    def batched(lib: Any, A: Any, B: Any) -> Any:
        return lib.vmap(lambda a: lib.numpy.sum(a[:, None] * B, axis=0))(A)

    sizes = (31, 32, 33, 63, 64, 65, 127, 128, 129, 191, 192, 193, 255, 256, 257)
    return program("A: N N, B: N N", "N N N", sizes, formula=formula, operator=operator, batched=batched)


def transposed() -> Program:
    """A.T B.T."""

    def formula(lib: Any, A: Any, B: Any) -> Any:
        k = lib.reduce_axis(A.shape[0])
        return lib.compute((A.shape[1], B.shape[0]), lambda i, j: lib.sum(A[k, i] * B[j, k], axis=k))

    def operator(lib: Any, A: Any, B: Any) -> Any:
        return (B @ A).T

    def einsum(lib: Any, A: Any, B: Any) -> Any:
        return lib.numpy.einsum("ki,jk->ij", A, B)

    return program("A: N N, B: N N", "N N N", formula=formula, operator=operator, einsum=einsum)


def small_batch() -> Program:
    """A dense layer of eight rows."""

    def formula(lib: Any, x: Any, W: Any, b: Any) -> Any:
        k = lib.reduce_axis(x.shape[1])
        return lib.compute((8, 256), lambda i, j: lib.tanh(lib.sum(x[i, k] * W[j, k], axis=k) + b[j]))

    def operator(lib: Any, x: Any, W: Any, b: Any) -> Any:
        return lib.numpy.tanh(x @ W.T + b)

    def batched(lib: Any, x: Any, W: Any, b: Any) -> Any:
        return lib.vmap(lambda row: lib.numpy.tanh(W @ row + b))(x)

    sizes = (63, 64, 65, 127, 128, 129, 255, 256, 257, 511, 512, 513)
    return program("x: 8 N, W: 256 N, b: 256", "N", sizes, formula=formula, operator=operator, batched=batched)


def two_layers() -> Program:
    def formula(lib: Any, x: Any, U: Any, V: Any) -> Any:
        (B, D), H = x.shape, U.shape[1]
        k, m = lib.reduce_axis(D), lib.reduce_axis(H, name="m")
        h = lib.compute((B, H), lambda i, j: lib.maximum(lib.sum(x[i, k] * U[k, j], axis=k), 0.0))
        return lib.compute((B, 16), lambda i, j: lib.sum(h[i, m] * V[m, j], axis=m))

    def operator(lib: Any, x: Any, U: Any, V: Any) -> Any:
        return lib.numpy.maximum(x @ U, 0.0) @ V

    def batched(lib: Any, x: Any, U: Any, V: Any) -> Any:
        return lib.vmap(lambda row: lib.numpy.maximum(row @ U, 0.0) @ V)(x)

    return program("x: 256 32, U: 32 N, V: N 16", "N", formula=formula, operator=operator, batched=batched)


def bilinear() -> Program:
    """x_b A y_b for each b."""

    def formula(lib: Any, x: Any, A: Any, y: Any) -> Any:
        i, j = lib.reduce_axis(A.shape[0], name="i"), lib.reduce_axis(A.shape[1], name="j")
        return lib.compute(x.shape[:1], lambda b: lib.sum(x[b, i] * A[i, j] * y[b, j], axis=(i, j)))

    def operator(lib: Any, x: Any, A: Any, y: Any) -> Any:
        return lib.numpy.sum((x @ A) * y, axis=1)

    def einsum(lib: Any, x: Any, A: Any, y: Any) -> Any:
        return lib.numpy.einsum("bi,ij,bj->b", x, A, y)

    return program("x: 256 N, A: N N, y: 256 N", "N N", formula=formula, operator=operator, einsum=einsum)


def triangle() -> Program:
    """The lower triangle of a matrix times vectors."""

    def formula(lib: Any, A: Any, x: Any) -> Any:
        def element(i: Any, b: Any) -> Any:
            k = lib.reduce_axis((0, i + 1))
            return lib.sum(A[i, k] * x[k, b], axis=k)

        return lib.compute(x.shape, element)

    def tril(lib: Any, A: Any, x: Any) -> Any:
        return lib.numpy.tril(A) @ x

    def where(lib: Any, A: Any, x: Any) -> Any:
        i = lib.numpy.arange(A.shape[0])
        return lib.numpy.einsum("ik,kb->ib", lib.numpy.where(i[:, None] >= i[None, :], A, 0.0), x)

    return program("A: N N, x: N 64", "N N", formula=formula, tril=tril, where=where)


def attention() -> Program:
    def formula(lib: Any, q: Any, k: Any, v: Any) -> Any:
        (H, T, D), s = q.shape, lib.reduce_axis(q.shape[1], name="s")
        d = lib.reduce_axis(D, name="d")
        scores = lib.compute((H, T, T), lambda h, i, j: lib.sum(q[h, i, d] * k[h, j, d], axis=d))
        most = lib.compute((H, T), lambda h, i: lib.max(scores[h, i, s], axis=s))
        powers = lib.compute((H, T, T), lambda h, i, j: lib.exp(scores[h, i, j] - most[h, i]))
        total = lib.compute((H, T), lambda h, i: lib.sum(powers[h, i, s], axis=s))
        return lib.compute(q.shape, lambda h, i, d: lib.sum(powers[h, i, s] / total[h, i] * v[h, s, d], axis=s))

    def einsum(lib: Any, q: Any, k: Any, v: Any) -> Any:
        weights = lib.nn.softmax(lib.numpy.einsum("hid,hjd->hij", q, k), axis=-1)
        return lib.numpy.einsum("hij,hjd->hid", weights, v)

    def batched(lib: Any, q: Any, k: Any, v: Any) -> Any:
        return lib.vmap(lambda q, k, v: lib.nn.softmax(q @ k.T, axis=-1) @ v)(q, k, v)

    return program("q: 4 N 16, k: 4 N 16, v: 4 N 16", "N N", formula=formula, einsum=einsum, batched=batched)


def causal() -> Program:
    """Attention to what came before, without normalisation."""

    def formula(lib: Any, q: Any, k: Any, v: Any) -> Any:
        T, D = q.shape
        d = lib.reduce_axis(D, name="d")
        scores = lib.compute((T, T), lambda i, j: lib.sum(q[i, d] * k[j, d], axis=d))

        def element(i: Any, e: Any) -> Any:
            s = lib.reduce_axis((0, i + 1), name="s")
            return lib.sum(scores[i, s] * v[s, e], axis=s)

        return lib.compute((T, D), element)

    def masked(lib: Any, q: Any, k: Any, v: Any) -> Any:
        return lib.numpy.tril(q @ k.T) @ v

    def where(lib: Any, q: Any, k: Any, v: Any) -> Any:
        i = lib.numpy.arange(q.shape[0])
        return lib.numpy.where(i[:, None] >= i, lib.numpy.einsum("id,jd->ij", q, k), 0.0) @ v

    return program("q: N 32, k: N 32, v: N 32", "N N", formula=formula, masked=masked, where=where)


def linear_attention() -> Program:
    """A state of D x N that grows by outer products."""

    def formula(lib: Any, p_a: Any, k: Any, v: Any) -> Any:
        T, D = k.shape
        N = v.shape[1]

        def cell(S: Any, t: Any, i: Any, j: Any) -> Any:
            return k[t, i] * v[t, j] + lib.select(t == 0, 0.0, p_a[t] * S[t - 1, i, j])

        S = lib.recurrence((T, D, N), cell, dtype="float32")
        i = lib.reduce_axis(D, name="i")
        return lib.compute((T, N), lambda t, j: lib.sum(k[t, i] * S[t, i, j], axis=i))

    def scan(lib: Any, p_a: Any, k: Any, v: Any) -> Any:
        def step(S: Any, given: Any) -> Any:
            a, k_t, v_t = given
            S = a * S + lib.numpy.outer(k_t, v_t)
            return S, k_t @ S

        return lib.scan(step, lib.numpy.zeros((k.shape[1], v.shape[1]), dtype="float32"), (p_a, k, v))[1]

    def broadcast(lib: Any, p_a: Any, k: Any, v: Any) -> Any:
        def step(S: Any, given: Any) -> Any:
            a, k_t, v_t = given
            S = a * S + k_t[:, None] * v_t[None, :]
            return S, lib.numpy.sum(k_t[:, None] * S, axis=0)

        return lib.scan(step, lib.numpy.zeros((k.shape[1], v.shape[1]), dtype="float32"), (p_a, k, v))[1]

    return program("p_a: 64, k: 64 16, v: 64 N", "N", formula=formula, scan=scan, broadcast=broadcast)


def triangular_solve() -> Program:
    def formula(lib: Any, p_L: Any, b: Any) -> Any:
        def cell(x: Any, i: Any, c: Any) -> Any:
            k = lib.reduce_axis((0, i))
            return b[i, c] - 0.02 * lib.sum(p_L[i, k] * x[k, c], axis=k)

        return lib.recurrence(b.shape, cell, dtype="float32")

    def matrix(lib: Any, L: Any) -> Any:
        return 0.02 * L * (1.0 - lib.numpy.eye(L.shape[0], dtype="float32")) + lib.numpy.eye(
            L.shape[0], dtype="float32"
        )

    def library(lib: Any, p_L: Any, b: Any) -> Any:
        return lib.linalg.solve_triangular(matrix(lib, p_L), b, lower=True)

    def columns(lib: Any, p_L: Any, b: Any) -> Any:
        M = matrix(lib, p_L)
        return lib.vmap(lambda c: lib.linalg.solve_triangular(M, c, lower=True), in_axes=1, out_axes=1)(b)

    return program("p_L: N N, b: N 32", "N N", formula=formula, library=library, columns=columns)


def cholesky() -> Program:
    def matrix(lib: Any, A: Any) -> Any:
        return A @ A.T / A.shape[0] + lib.numpy.eye(A.shape[0], dtype="float32")

    def formula(lib: Any, A: Any) -> Any:
        S = matrix(lib, A)

        def cell(L: Any, i: Any, j: Any) -> Any:
            k = lib.reduce_axis((0, j))
            rest = S[i, j] - lib.sum(L[i, k] * L[j, k], axis=k)
            return lib.select(j > i, 0.0, lib.select(i == j, lib.sqrt(rest), rest / L[j, j]))

        return lib.recurrence(A.shape, cell, dtype="float32")

    def library(lib: Any, A: Any) -> Any:
        return lib.linalg.cholesky(matrix(lib, A), symmetrize_input=False)

    def doubled(lib: Any, A: Any) -> Any:
        return lib.linalg.cholesky(matrix(lib, A))

    return program("A: N N", "N N N", formula=formula, library=library, doubled=doubled)


def convolution() -> Program:
    """Images of 12 x N with 3 x 3 filters from 8 to 16 channels."""

    def formula(lib: Any, x: Any, w: Any) -> Any:
        c, r, s = (lib.reduce_axis(n, name=name) for n, name in ((8, "c"), (3, "r"), (3, "s")))
        shape = (x.shape[0], 16, 10, x.shape[3] - 2)

        def element(n: Any, o: Any, i: Any, j: Any) -> Any:
            return lib.sum(x[n, c, i + r, j + s] * w[o, c, r, s], axis=(c, r, s))

        return lib.compute(shape, element)

    def slices(lib: Any, x: Any, w: Any) -> Any:
        N = x.shape[3] - 2
        parts = (lib.numpy.einsum("ncij,oc->noij", x[:, :, r : r + 10, s : s + N], w[:, :, r, s])
                 for r in range(3) for s in range(3))  # fmt: skip
        return sum(parts)

    def layer(lib: Any, x: Any, w: Any) -> Any:
        return lib.nn.conv2d(x, w)

    return program("x: 2 8 12 N, w: 16 8 3 3", "N", formula=formula, slices=slices, layer=layer)


def depthwise() -> Program:
    def formula(lib: Any, x: Any, w: Any) -> Any:
        k = lib.reduce_axis(4)
        C, T = x.shape
        return lib.compute((C, T - 3), lambda c, t: lib.sum(w[c, k] * x[c, t + k], axis=k))

    def slices(lib: Any, x: Any, w: Any) -> Any:
        return sum(w[:, k : k + 1] * x[:, k : x.shape[1] - 3 + k] for k in range(4))

    def layer(lib: Any, x: Any, w: Any) -> Any:
        return lib.nn.conv1d(x[None], w[:, None], groups=x.shape[0])[0]

    return program("x: 256 N, w: 256 4", "N", formula=formula, slices=slices, layer=layer)


def embedding() -> Program:
    """Sums of rows of a table."""

    def formula(lib: Any, table: Any, i_ids: Any) -> Any:
        k = lib.reduce_axis(i_ids.shape[1])
        shape = (i_ids.shape[0], table.shape[1])
        return lib.compute(shape, lambda b, j: lib.sum(table[i_ids[b, k], j], axis=k))

    def subscript(lib: Any, table: Any, i_ids: Any) -> Any:
        return lib.numpy.sum(table[i_ids], axis=1)

    def batched(lib: Any, table: Any, i_ids: Any) -> Any:
        return lib.vmap(lambda ids: lib.numpy.sum(lib.numpy.take(table, ids, axis=0), axis=0))(i_ids)

    return program("table: 31 N, i_ids: 64 8", "N", formula=formula, subscript=subscript, batched=batched)


PRODUCTS = (
    matmul, transposed, small_batch, two_layers, bilinear, triangle, attention, causal, linear_attention,
    triangular_solve, cholesky, convolution, depthwise, embedding,
)  # fmt: skip
