"""Random programs written as users write them: compute, recurrence, scan, array operations; sizes may be fixed.

`random_definition()` is a hypothesis strategy for `Definition`: tensors made from each other by constructions drawn
from a list, each construction one method. All values stay bounded. Indices that turn out to lie outside of their array
(a `BoundsError` at definition) are replaced by safe ones, so the errors of the frontend are part of what is exercised.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from hypothesis import strategies as st

import polyad as pa

__all__ = ["Definition", "random_definition"]

UNARY: tuple[Callable[[Any], Any], ...] = (
    pa.sin,
    pa.tanh,
    pa.sigmoid,
    pa.cos,
    pa.erf,
    pa.atan,
    lambda a: pa.exp(pa.tanh(a)),
    lambda a: pa.sqrt(1.0 + a * a),
    lambda a: pa.log(1.5 + a * a),
    lambda a: pa.log1p(a * a),
    lambda a: -a,
    lambda a: 0.5 * a,
    lambda a: pa.tanh(a) ** 3,
    lambda a: pa.rsqrt(1.0 + a * a),
    lambda a: pa.abs(a - 0.1),
    lambda a: pa.stop_gradient(a) * 0.5 + a,
)
BINARY: tuple[Callable[[Any, Any], Any], ...] = (
    lambda a, b: a + b,
    lambda a, b: a - b,
    lambda a, b: pa.tanh(a) * b,
    lambda a, b: a / (1.5 + b * b),
    pa.maximum,
    pa.minimum,
    lambda a, b: pa.select(a > b, pa.sin(a), 0.3 * b),
    lambda a, b: pa.select((a > b) & (b > -0.5), a, pa.tanh(b)),
    lambda a, b: pa.atan2(a, 2.0 + b * b),
)
KINDS = ("T", "N", "TN", "NT", "NN", "")  # shapes by letters


@dataclass(frozen=True, slots=True, eq=False)
class Definition:
    """One random program.

    Attributes:
        inputs: float placeholders, then integer ones (indices below the smallest size).
        output: a float tensor.
        others: all tensors made, in order.
        fixed: sizes that are numbers.
        told: the constructions, for the message of a failing test.
    """

    inputs: tuple[pa.Tensor, ...]
    output: pa.Tensor
    others: tuple[pa.Tensor, ...]
    fixed: dict[str, int]
    told: tuple[str, ...]

    def __repr__(self) -> str:
        return f"Definition({', '.join(self.told)}; {self.fixed})"

    @property
    def floats(self) -> list[pa.Tensor]:
        """The inputs one can differentiate with respect to."""
        return [t for t in self.inputs if t.dtype.startswith("float")]


class _Writer:
    """Tensors so far, by shape."""

    def __init__(self, draw: st.DrawFn, sizes: dict[str, Any]):
        self.draw = draw
        self.sizes = sizes
        self.tensors: dict[str, list[pa.Tensor]] = {k: [] for k in KINDS}
        self.made: list[pa.Tensor] = []
        self.inputs: list[pa.Tensor] = []
        self.told: list[str] = []
        for name, kind in (("x", "T"), ("w", "N"), ("A", "TN"), ("B", "NN")):
            t = pa.placeholder(self.shape(kind), name, "float64")
            self.inputs.append(t)
            self.tensors[kind].append(t)
        self.ids = [pa.placeholder(self.shape(k), f"ids_{k.lower()}", "int64") for k in ("T", "N")]
        self.tensors["NT"].append(self.tensors["TN"][0].T)
        self.tensors[""].append(pa.compute((), lambda: self.tensors["T"][0][0]))

    def shape(self, kind: str) -> tuple[Any, ...]:
        return tuple(self.sizes[k] for k in kind)

    def pick(self, options: Sequence[Any]) -> Any:
        return self.draw(st.sampled_from(list(options)))

    def any(self, kind: str) -> pa.Tensor:
        """A tensor of that shape, the newest most often."""
        found = self.tensors[kind] or [self.spread(kind)]
        return found[-1] if self.draw(st.booleans()) else self.pick(found)

    def spread(self, kind: str) -> pa.Tensor:
        """A tensor of a shape that has none yet, from a vector."""
        vector = self.any(kind[0])
        return pa.compute(self.shape(kind), lambda *i: vector[i[0]])

    def keep(self, kind: str, tensor: pa.Tensor) -> None:
        self.tensors[kind].append(tensor)
        self.made.append(tensor)

    def index(self, i: Any, extent: Any) -> Any:
        """Something made of an axis, in or out of bounds."""
        return self.pick([i, i, extent - 1 - i, i // 2, 2 * (i // 2), i + 1, i % 2, i - 1, 0])

    def read(self, t: pa.Tensor, axes: Sequence[Any]) -> Any:
        """An element of t at indices made of the axes (one for each dimension)."""
        return t[tuple(self.index(a, e) for a, e in zip(axes, t.shape, strict=True))] if axes else t

    def term(self, elements: Sequence[Any], depth: int = 2) -> Any:
        kind = self.draw(st.integers(0, 2)) if depth else 0
        if kind == 0:
            return self.pick(elements)
        if kind == 1:
            return self.pick(UNARY)(self.term(elements, depth - 1))
        return self.pick(BINARY)(self.term(elements, depth - 1), self.term(elements, depth - 1))

    def within(self, make: Callable[[bool], Any]) -> Any:
        """make(True) may read out of bounds; then make(False) is asked, which does not."""
        try:
            return make(True)
        except pa.BoundsError:
            return make(False)

    # The constructions.

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
        policy = self.pick((None, None, None, pa.checkpoint.every(2), whole))

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
    _Writer.pointwise,
    _Writer.element_by_element,
    _Writer.element_by_element,
    _Writer.affine_select,
    _Writer.reduction,
    _Writer.reduction,
    _Writer.nested_reduction,
    _Writer.position,
    _Writer.gather,
    _Writer.integers,
    _Writer.recurrence,
    _Writer.recurrence,
    _Writer.grid,
    _Writer.mutual,
    _Writer.scan,
    _Writer.scan,
    _Writer.short_scan,
    _Writer.nested_scan,
    _Writer.arrays,
    _Writer.arrays,
    _Writer.arrays,
)


@st.composite
def random_definition(draw: st.DrawFn, most: int = 4) -> Definition:
    """A program of one to `most` constructions over T and N, each symbolic or a number."""
    fixed = {n: draw(st.integers(1, 4)) for n in "TN" if draw(st.integers(0, 3)) == 0}
    symbolic = dict(zip("TN", pa.sizes("T N"), strict=True))
    writer = _Writer(draw, symbolic | fixed)
    for construction in draw(st.lists(st.sampled_from(CONSTRUCTIONS), min_size=1, max_size=most)):
        writer.told.append(construction.__name__)
        construction(writer)
    inputs = (*writer.inputs, *writer.ids)
    return Definition(inputs, writer.made[-1], tuple(writer.made), fixed, tuple(writer.told))


def random_values(definition: Definition, sizes: dict[str, int], seed: int) -> dict[str, np.ndarray]:
    """Normal floats, and integers that are indices of anything."""
    rng = np.random.default_rng(seed)
    values = {}
    for t in definition.inputs:
        shape = tuple(e.evaluate(sizes) for e in t.shape_affine)
        integer = t.dtype.startswith("int")
        values[t.name] = rng.integers(0, min(sizes.values()), shape) if integer else rng.normal(size=shape)
    return values
