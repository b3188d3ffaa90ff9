"""Tensors of a random program, by shape, and expressions of their elements: what constructions draw from."""

from collections.abc import Callable, Sequence
from typing import Any

from hypothesis import strategies as st

import polyad as pa

__all__ = ["BINARY", "KINDS", "UNARY", "TensorWriter"]

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


class TensorWriter:
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
