"""Numbers with a tangent: forward mode over NumPy, the reference that shares nothing with polyad.

    Dual(a, da) + Dual(b, db) = Dual(a + b, da + db)
    Dual(a, da) * Dual(b, db) = Dual(a * b, da * b + a * db)

Value and tangent are arrays of one shape, or again duals: duals of duals carry second derivatives. Every function below
takes arrays, numbers and duals alike. Ties follow docs/mathematics.md.
"""

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

__all__ = ["Dual", "broadcast_to", "einsum", "function", "linear", "linear_many", "primal", "where"]


class Dual:
    """A value with its tangent, of the same shape."""

    __slots__ = ("dot", "value")
    __array_ufunc__ = None  # arrays leave operations with duals to them

    def __init__(self, value: Any, dot: Any):
        self.value = value
        shape = np.shape(primal(value))
        self.dot = dot if np.shape(primal(dot)) == shape else broadcast_to(dot, shape)

    @property
    def shape(self) -> tuple[int, ...]:
        return np.shape(primal(self))

    @property
    def ndim(self) -> int:
        return len(self.shape)

    @property
    def dtype(self) -> Any:
        return np.asarray(primal(self)).dtype

    @property
    def T(self) -> "Dual":
        return linear(np.transpose, self)

    def reshape(self, *shape: Any) -> "Dual":
        return linear(lambda a: np.reshape(a, shape[0] if isinstance(shape[0], tuple) else shape), self)

    def sum(self, axis: Any = None) -> "Dual":
        return linear(lambda a: np.sum(a, axis), self)

    def __len__(self) -> int:
        return self.shape[0]

    def __getitem__(self, key: Any) -> "Dual":
        return linear(lambda a: a[key], self)

    def __add__(self, other: Any) -> "Dual":
        a, da, b, db = *_parts(self), *_parts(other)
        return Dual(a + b, da + db)

    def __sub__(self, other: Any) -> "Dual":
        a, da, b, db = *_parts(self), *_parts(other)
        return Dual(a - b, da - db)

    def __rsub__(self, other: Any) -> "Dual":
        return -self + other

    def __mul__(self, other: Any) -> "Dual":
        a, da, b, db = *_parts(self), *_parts(other)
        return Dual(a * b, da * b + a * db)

    def __truediv__(self, other: Any) -> "Dual":
        a, da, b, db = *_parts(self), *_parts(other)
        return Dual(a / b, (da - a / b * db) / b)

    def __rtruediv__(self, other: Any) -> "Dual":
        return Dual(other / self.value, -(other / self.value) / self.value * self.dot)

    def __neg__(self) -> "Dual":
        return Dual(-self.value, -self.dot)

    def __pow__(self, n: Any) -> "Dual":
        assert isinstance(n, int), "powers of the campaign are whole numbers"
        if n == 0:
            return Dual(self.value**0, self.dot * 0.0)
        return Dual(self.value**n, n * self.value ** (n - 1) * self.dot)

    __radd__ = __add__
    __rmul__ = __mul__

    def __matmul__(self, other: Any) -> Any:
        return _matmul(self, other)

    def __rmatmul__(self, other: Any) -> Any:
        return _matmul(other, self)

    def __gt__(self, other: Any) -> Any:
        return primal(self) > primal(other)

    def __ge__(self, other: Any) -> Any:
        return primal(self) >= primal(other)

    def __lt__(self, other: Any) -> Any:
        return primal(self) < primal(other)

    def __le__(self, other: Any) -> Any:
        return primal(self) <= primal(other)


def _parts(x: Any) -> tuple[Any, Any]:
    return (x.value, x.dot) if isinstance(x, Dual) else (x, 0.0)


def primal(x: Any) -> Any:
    """The value below all tangents."""
    while isinstance(x, Dual):
        x = x.value
    return x


def linear(f: Callable[[Any], Any], x: Any) -> Any:
    """Apply a linear function of one array."""
    return Dual(linear(f, x.value), linear(f, x.dot)) if isinstance(x, Dual) else f(x)


def linear_many(f: Callable[[list[Any]], Any], xs: Sequence[Any]) -> Any:
    """Apply a function that is linear in all of its arrays together, such as a concatenation."""
    if not any(isinstance(x, Dual) for x in xs):
        return f(list(xs))
    dots = [x.dot if isinstance(x, Dual) else np.zeros(np.shape(x)) for x in xs]
    return Dual(linear_many(f, [_parts(x)[0] for x in xs]), linear_many(f, dots))


def broadcast_to(x: Any, shape: tuple[int, ...]) -> Any:
    """As NumPy's."""
    return linear(lambda a: np.broadcast_to(a, shape), x)


def function(plain: Callable[[Any], Any], partial: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """A function of one number, from its values and its derivative; the latter may use such functions again."""

    def apply(x: Any) -> Any:
        if isinstance(x, Dual):
            return Dual(apply(x.value), partial(x.value) * x.dot)
        return plain(x)

    return apply


def where(condition: Any, a: Any, b: Any) -> Any:
    """The derivative is that of the branch taken."""
    c = primal(condition)
    if isinstance(a, Dual) or isinstance(b, Dual):
        (av, ad), (bv, bd) = _parts(a), _parts(b)
        return Dual(where(c, av, bv), where(c, ad, bd))
    return np.where(c, a, b)


def einsum(spec: str, *operands: Any) -> Any:
    """Linear in each operand."""
    if not any(isinstance(x, Dual) for x in operands):
        return np.einsum(spec, *operands)
    values = [_parts(x)[0] for x in operands]
    dot = 0.0
    for n, x in enumerate(operands):
        if isinstance(x, Dual):
            dot = dot + einsum(spec, *values[:n], x.dot, *values[n + 1 :])
    return Dual(einsum(spec, *values), dot)


def _matmul(a: Any, b: Any) -> Any:
    if not isinstance(a, Dual) and not isinstance(b, Dual):
        return a @ b
    (av, ad), (bv, bd) = _parts(a), _parts(b)
    left = _matmul(ad, bv) if isinstance(a, Dual) else 0.0
    right = _matmul(av, bd) if isinstance(b, Dual) else 0.0
    return Dual(_matmul(av, bv), left + right)


erf_plain = np.vectorize(math.erf, otypes=[float])
