"""The constructions of random programs: each makes one tensor or more from those there are."""

from collections.abc import Callable
from typing import Any

from hypothesis import strategies as st

import polyad as pa
from tests.acceptance.tensor_writer import BINARY, KINDS, UNARY, TensorWriter

__all__ = ["CONSTRUCTIONS", "Constructions"]


class Constructions(TensorWriter):
    """One method a construction; all values stay bounded."""

    def pointwise(self) -> None:
        """Whole tensors and numbers."""
        kind = self.pick(KINDS)
        found = self.term([self.any(kind), self.any(kind), self.any("")])
        self.keep(kind, found + 0.5 if found.ndim == len(kind) else found * self.any(kind))

    def element_by_element(self) -> None:
        """compute over quasi-affine reads."""
        kind = self.pick(KINDS[:5])
        t, u = self.any(kind), self.any(kind[0])

        def make(free: bool) -> pa.Tensor:
            def body(*i: Any) -> Any:
                a = self.read(t, i) if free else t[i]
                return self.term([a, u[i[0]], t[i]])

            return pa.compute(self.shape(kind), body)

        self.keep(kind, self.within(make))

    def affine_select(self) -> None:
        """Pieces of the domain, each reading what the others may not."""
        kind = self.pick(("T", "N"))
        t, u = self.any(kind), self.any(kind)
        (n,) = self.shape(kind)
        case = self.draw(st.integers(0, 3))

        def body(i: Any) -> Any:
            if case == 0:
                return pa.select(i > 0, t[i - 1] * 0.5 + u[i], pa.sin(u[i]))
            if case == 1:
                return pa.select(i + 1 < n, t[i + 1], u[n - 1 - i])
            if case == 2:
                return pa.select(i % 2 == 0, t[i], pa.tanh(u[i - 1]))
            return pa.select((i >= 1) & (i < n - 1), t[i - 1] + t[i + 1] - 2 * t[i], 0.0)

        self.keep(kind, pa.compute((n,), body))

    def reduction(self) -> None:
        """A reduction over a box or a triangle, inside of an expression."""
        kind = self.pick(("T", "N"))
        m, u = self.any({"T": "TN", "N": "NN"}[kind]), self.any("N")
        (n,) = self.shape(kind)
        op = self.pick((pa.sum, pa.sum, pa.max, pa.min, pa.prod))
        wrap = self.pick((pa.tanh, pa.sin, lambda v: v / self.sizes["N"] if op is pa.sum else v))
        triangle = kind == "N" and self.draw(st.booleans())
        inner = self.term_of_elements()

        def body(i: Any) -> Any:
            k = pa.reduce_axis((0, i + 1) if triangle else self.sizes["N"], name="k")
            e = inner(m[i, k], u[k])
            if op is pa.prod:
                e = 1.0 + 0.3 * pa.tanh(e)
            return wrap(op(e, axis=k)) + 0.1 * u[0]

        self.keep(kind, pa.compute((n,), body))

    def term_of_elements(self) -> Callable[[Any, Any], Any]:
        unary, binary = self.pick(UNARY), self.pick(BINARY)
        return lambda a, b: binary(unary(a), b)

    def nested_reduction(self) -> None:
        """A reduction of a reduction; the whole becomes a scalar or a vector."""
        m, b = self.any("TN"), self.any("NN")
        outer, inner = self.pick((pa.sum, pa.max, pa.min)), self.pick((pa.sum, pa.max, pa.prod))
        T, N = self.sizes["T"], self.sizes["N"]
        if self.draw(st.booleans()):
            i, j = pa.reduce_axis(T, name="i"), pa.reduce_axis(N, name="j")
            self.keep("", pa.compute((), lambda: pa.tanh(outer(inner(pa.tanh(m[i, j]), axis=j), axis=i))))
        else:

            def body(t: Any) -> Any:
                j = pa.reduce_axis(N, name="j")
                k = pa.reduce_axis((j, N), name="k")
                return pa.sin(outer(m[t, j] * inner(pa.sigmoid(b[j, k]), axis=k), axis=j))

            self.keep("T", pa.compute((T,), body))

    def position(self) -> None:
        """argmax or argmin as an index."""
        m, u = self.any("TN"), self.any("N")
        arg = self.pick((pa.argmax, pa.argmin))(m, axis=1)
        self.keep("T", pa.compute(self.shape("T"), lambda t: u[arg[t]] + m[t, arg[t]]))

    def gather(self) -> None:
        """Data-dependent reads, of a vector or of rows."""
        kind = self.pick(("T", "N"))
        ids = self.ids[("T", "N").index(kind)]
        if self.draw(st.booleans()):
            v = self.any(self.pick(("T", "N")))
            self.keep(kind, pa.compute(self.shape(kind), lambda i: v[ids[i]] * 0.9 + v[0]))
        else:
            m = self.any("NN")
            self.keep(kind + "N", pa.compute((*self.shape(kind), self.sizes["N"]), lambda i, j: m[ids[i], j]))

    def integers(self) -> None:
        """Rounding, floor division and remainders, integer reductions, and an index made of them."""
        kind = self.pick(("T", "N"))
        t, u = self.any(kind), self.any("N")
        n = self.sizes["N"]
        dtype, divisor = self.pick(("int32", "int64")), self.pick((2, 3, -2))
        round_ = self.pick((pa.floor, pa.ceil, pa.round, pa.trunc))
        k = pa.cast(round_(4.0 * pa.tanh(t)), dtype)
        mixed = (k // divisor) * 5 + k % divisor + pa.abs(k) - pa.sign(k)
        if self.draw(st.booleans()):
            top = self.pick((pa.max, pa.min, pa.sum, pa.prod))(mixed, axis=0)
            self.keep(kind, t * pa.cast(top % 7, "float64") + pa.sin(pa.cast(mixed, "float64")))
        else:
            self.keep(kind, pa.compute(self.shape(kind), lambda i: u[mixed[i] % n] * t[i]))

    def recurrence(self) -> None:
        """One dimension, forwards or backwards, one or two steps back."""
        kind = self.pick(("T", "N"))
        t = self.any(kind)
        (n,) = self.shape(kind)
        f = self.term_of_elements()
        case = self.draw(st.integers(0, 2))

        def body(s: Any, i: Any) -> Any:
            if case == 0:
                return pa.select(i == 0, t[0], pa.tanh(f(s[i - 1], t[i])))
            if case == 1:
                return pa.select(i == n - 1, t[i], pa.tanh(f(s[i + 1], t[i])))
            return pa.select(i < 2, t[i], pa.tanh(f(s[i - 1], t[i]) + 0.5 * s[i - 2]))

        self.keep(kind, pa.recurrence((n,), body, dtype="float64"))

    def grid(self) -> None:
        """Two dimensions, a wavefront."""
        t = self.any("TN")
        T, N = self.sizes["T"], self.sizes["N"]
        back = self.draw(st.booleans())

        def body(s: Any, i: Any, j: Any) -> Any:
            first = (i == T - 1) if back else (i == 0)
            before = s[i + 1, j] if back else s[i - 1, j]
            side = pa.select(j == 0, 0.0, s[i, j - 1])
            return pa.sin(t[i, j] + 0.5 * side + pa.select(first, 0.0, before))

        self.keep("TN", pa.recurrence((T, N), body, dtype="float64"))

    def mutual(self) -> None:
        """Two tensors that need each other."""
        t, u = self.any("T"), self.any("T")
        T = self.sizes["T"]
        a, b = pa.recurrence(
            ((T,), (T,)),
            lambda a, b, i: (pa.select(i == 0, t[i], pa.tanh(b[i - 1] + t[i])), pa.sin(a[i] * u[i])),
            dtype="float64",
        )
        self.keep("T", a)
        self.keep("T", b)

    def scan(self) -> None:
        """A scan over T with a vector and a scalar as states."""
        A, B, x, w = self.any("TN"), self.any("NN"), self.any("T"), self.any("N")
        f = self.pick(UNARY)
        whole = pa.checkpoint.sqrt() if isinstance(self.sizes["T"], int) else pa.checkpoint.every(3)
        policy = self.pick((None, None, None, pa.checkpoint.every(2), pa.checkpoint.every(4, 2), whole))

        def step(carry: Any, step_inputs: Any) -> Any:
            h, c = carry
            a, b = step_inputs
            z = pa.tanh(a + h @ B / self.sizes["N"])
            c = pa.tanh(0.5 * c + b * z[0])
            return (z, c), f(z) * c

        (h, c), ys = pa.scan(step, (w, self.any("")), (A, x), reverse=self.draw(st.booleans()), checkpoint=policy)
        self.keep("TN", ys)
        self.keep("N", h)
        self.keep("", c + 0.0)

    def short_scan(self) -> None:
        """A scan of fixed length, 0 and 1 included, without xs."""
        w, u = self.any("N"), self.any("N")
        carry, ys = pa.scan(lambda h, _: (pa.sin(h + u), h * u), w, length=self.draw(st.integers(0, 3)))
        self.keep("N", carry + pa.sum(ys, axis=0))

    def nested_scan(self) -> None:
        """A scan inside of a scan; the inner one starts where the outer one is."""
        A, w = self.any("TN"), self.any("N")
        backwards = self.draw(st.booleans())

        def outer(c: Any, a: Any) -> Any:
            last, inner = pa.scan(lambda h, v: (pa.tanh(h + v), h * v), pa.sum(c) * 0.1, a, reverse=backwards)
            return pa.tanh(c * 0.5 + inner), last

        c, ys = pa.scan(outer, w, A)
        self.keep("N", c)
        self.keep("T", ys)

    def arrays(self) -> None:
        """NumPy's words."""
        case = self.draw(st.integers(0, 11))
        x, w, A, B = (self.any(k) for k in ("T", "N", "TN", "NN"))
        np_ = pa.numpy
        match case:
            case 0:
                self.keep("TN", A @ B / self.sizes["N"])
            case 1:
                self.keep("N", pa.tanh(x @ A))
            case 2:
                self.keep("N", pa.tanh(np_.cumsum(w)))
            case 3:
                self.keep("N", np_.cumprod(pa.tanh(w)))
            case 4:
                self.keep("N", np_.flip(w) + np_.roll(w, 1, 0))
            case 5:
                self.keep("TN", np_.where(A > 0.1, A, A * 0.2) + x[:, None])
            case 6:
                self.keep("NN", np_.tril(B) - np_.triu(B, 1).T)
            case 7:
                self.keep("TN", np_.stack([A, A * 2.0], axis=2)[:, :, 1] - np_.pad(A, ((1, 0), (0, 0)))[:-1])
            case 8:
                self.keep("T", np_.concatenate([x, pa.sin(x)])[1 : self.sizes["T"] + 1])
            case 9:
                self.keep("NT", A.T - A.mean(axis=0)[:, None])
            case 10:
                self.keep("T", np_.einsum("tn,nm,tm->t", pa.tanh(A), pa.tanh(B), A) / (1.0 + (A * A).sum(axis=1)))
            case _:
                e = pa.exp(A - A.max(axis=1, keepdims=True))
                self.keep("TN", e / e.sum(axis=1, keepdims=True))


CONSTRUCTIONS = (
    Constructions.pointwise,
    Constructions.element_by_element,
    Constructions.element_by_element,
    Constructions.affine_select,
    Constructions.reduction,
    Constructions.reduction,
    Constructions.nested_reduction,
    Constructions.position,
    Constructions.gather,
    Constructions.integers,
    Constructions.recurrence,
    Constructions.recurrence,
    Constructions.grid,
    Constructions.mutual,
    Constructions.scan,
    Constructions.scan,
    Constructions.short_scan,
    Constructions.nested_scan,
    Constructions.arrays,
    Constructions.arrays,
    Constructions.arrays,
)
