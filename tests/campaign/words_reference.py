"""The words of a program on NumPy and dual numbers: loops in Python, nothing clever."""

import itertools
import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from tests.campaign import layers
from tests.campaign.derivatives import Transforms
from tests.campaign.dual import Dual, broadcast_to, einsum, erf_plain, function, linear, linear_many, primal, where

__all__ = ["Words"]


def _sigmoid_plain(x: Any) -> Any:
    return 0.5 * (np.tanh(0.5 * np.asarray(x)) + 1.0)


def _one_by_one(a: Any, axis: Any, keepdims: bool) -> Any:
    """np.sum by adding each number to those before it."""
    a = np.asarray(a)
    axes = tuple(range(a.ndim)) if axis is None else np.atleast_1d(axis) % max(a.ndim, 1)
    for n in sorted(axes, reverse=True):
        total = np.add.accumulate(a, n).take([-1], n) if a.shape[n] else np.sum(a, n, keepdims=True)
        a = total if keepdims else np.squeeze(total, n)
    return a


exp = function(np.exp, lambda x: exp(x))
sin = function(np.sin, lambda x: cos(x))
cos = function(np.cos, lambda x: -sin(x))
tanh = function(np.tanh, lambda x: 1.0 - tanh(x) * tanh(x))
log = function(np.log, lambda x: 1.0 / x)
log1p = function(np.log1p, lambda x: 1.0 / (1.0 + x))
expm1 = function(np.expm1, lambda x: exp(x))
sqrt = function(np.sqrt, lambda x: 0.5 / sqrt(x))
arctan = function(np.arctan, lambda x: 1.0 / (1.0 + x * x))
sigmoid = function(_sigmoid_plain, lambda x: sigmoid(x) * (1.0 - sigmoid(x)))
erf = function(erf_plain, lambda x: 2.0 / math.sqrt(math.pi) * exp(-x * x))
sign = function(np.sign, lambda x: 0.0)
floor = function(np.floor, lambda x: 0.0)
absolute = function(np.abs, lambda x: sign(x))


def _axis(axis: Any, x: Any) -> tuple[Any, int]:
    """(x, axis): flattened where all axes are meant."""
    return (linear(np.ravel, x), 0) if axis is None else (x, axis)


def _along(x: Any, axis: int, n: int) -> Any:
    key = (slice(None),) * (axis % x.ndim) + (n,)
    return x[key]


class _Reads:
    """A tensor that is being defined: elements so far."""

    def __init__(self, shape: tuple[int, ...]):
        self.shape = shape
        self.found: dict[tuple[int, ...], Any] = {}

    def __getitem__(self, key: Any) -> Any:
        key = tuple(int(k) for k in key) if isinstance(key, tuple) else (int(key),)
        if all(0 <= k < n for k, n in zip(key, self.shape, strict=True)):
            return self.found[key]  # a KeyError: another order is needed
        return 0.0  # outside: some `select` around it takes the other branch


class _Inside:
    """An array whose elements outside count as zero: a `select` around the read takes the other branch there."""

    def __init__(self, of: Any):
        self.of, self.shape = of, of.shape

    def __getitem__(self, key: Any) -> Any:
        items = key if isinstance(key, tuple) else (key,)
        inside = all(0 <= int(k) < n for k, n in zip(items, self.shape, strict=True))
        return self.of[tuple(int(k) for k in items)] if inside else 0.0


class Words(Transforms):
    """`m` of a program."""

    exact = True
    pi = math.pi

    exp, sin, cos, tanh, log, log1p, expm1, sqrt = map(staticmethod, (exp, sin, cos, tanh, log, log1p, expm1, sqrt))
    arctan, sigmoid, erf, sign, floor, abs = map(staticmethod, (arctan, sigmoid, erf, sign, floor, absolute))
    where, einsum = staticmethod(where), staticmethod(einsum)

    def __init__(self, one_by_one: bool = False) -> None:
        self.nn = layers.Layers(self)
        self.one_by_one = one_by_one

    # elementwise
    def maximum(self, a: Any, b: Any) -> Any:
        return where(_gt(a, b), a, where(_gt(b, a), b, 0.5 * a + 0.5 * b))

    def minimum(self, a: Any, b: Any) -> Any:
        return where(_gt(b, a), a, where(_gt(a, b), b, 0.5 * a + 0.5 * b))

    def clip(self, x: Any, low: float, high: float) -> Any:
        return self.minimum(self.maximum(x, low), high)

    def logaddexp(self, a: Any, b: Any) -> Any:
        # Where one is much larger, its tangents must not be squared: of a second derivative nothing would be left.
        above = np.asarray(primal(a) >= primal(b))
        return where(above, a, b) + log1p(exp(where(above, b - a, a - b)))

    def hypot(self, a: Any, b: Any) -> Any:
        return sqrt(a * a + b * b)

    def arctan2(self, a: Any, b: Any) -> Any:
        """Of numbers; its derivatives for positive b."""
        return arctan(a / b) if isinstance(a, Dual) or isinstance(b, Dual) else np.arctan2(a, b)

    def select(self, condition: Any, a: Any, b: Any) -> Any:
        """Of numbers, or as `where`."""
        return (a if condition else b) if np.ndim(condition) == 0 else where(condition, a, b)

    def stop(self, x: Any) -> Any:
        return primal(x)

    def cast(self, x: Any, dtype: str) -> Any:
        x = primal(x) if dtype.startswith("int") else x
        return np.trunc(x).astype(dtype) if dtype.startswith("int") else linear(lambda a: a.astype("float64"), x)

    # reductions
    def sum(self, x: Any, axis: Any = None, keepdims: bool = False) -> Any:
        if self.one_by_one:
            return linear(lambda a: _one_by_one(a, axis, keepdims), x)
        return linear(lambda a: np.sum(a, axis=axis, keepdims=keepdims), x)

    def mean(self, x: Any, axis: Any = None, keepdims: bool = False) -> Any:
        return linear(lambda a: np.mean(a, axis=axis, keepdims=keepdims), x)

    def var(self, x: Any, axis: Any = None) -> Any:
        centred = x - self.mean(x, axis, True)
        return self.mean(centred * centred, axis)

    def max(self, x: Any, axis: Any = None) -> Any:
        x, axis = _axis(axis, x)
        at = np.expand_dims(np.argmax(primal(x), axis), axis)
        return linear(lambda a: np.squeeze(np.take_along_axis(a, at, axis), axis), x)

    def min(self, x: Any, axis: Any = None) -> Any:
        return -self.max(-x, axis)

    def argmax(self, x: Any, axis: Any = None) -> Any:
        return np.argmax(primal(x), axis)

    def argmin(self, x: Any, axis: Any = None) -> Any:
        return np.argmin(primal(x), axis)

    def prod(self, x: Any, axis: Any = None) -> Any:
        x, axis = _axis(axis, x)
        result: Any = np.ones([n for d, n in enumerate(x.shape) if d != axis % x.ndim], x.dtype)
        for n in range(x.shape[axis]):
            result = result * _along(x, axis, n)
        return result

    def cumsum(self, x: Any, axis: int) -> Any:
        return linear(lambda a: np.cumsum(a, axis), x)

    def cumprod(self, x: Any, axis: int) -> Any:
        parts: list[Any] = []
        for n in range(x.shape[axis]):
            parts.append(parts[-1] * _along(x, axis, n) if parts else _along(x, axis, n))
        return self.stack(parts, axis) if parts else x

    # shapes
    def reshape(self, x: Any, shape: Any) -> Any:
        return linear(lambda a: np.reshape(a, shape), x)

    def transpose(self, x: Any, axes: Any = None) -> Any:
        return linear(lambda a: np.transpose(a, axes), x)

    def concatenate(self, xs: Sequence[Any], axis: int = 0) -> Any:
        return linear_many(lambda parts: np.concatenate(parts, axis), xs)

    def stack(self, xs: Sequence[Any], axis: int = 0) -> Any:
        return linear_many(lambda parts: np.stack(parts, axis), xs)

    def split(self, x: Any, sections: Any, axis: int = 0) -> list[Any]:
        size = x.shape[axis] // sections
        before = (slice(None),) * (axis % x.ndim)
        return [x[(*before, slice(n * size, (n + 1) * size))] for n in range(sections)]

    def pad(self, x: Any, widths: Any, mode: str = "constant") -> Any:
        return linear(lambda a: np.pad(a, widths, mode), x)

    def roll(self, x: Any, shift: int, axis: int) -> Any:
        return linear(lambda a: np.roll(a, shift, axis), x)

    def flip(self, x: Any, axis: int) -> Any:
        return linear(lambda a: np.flip(a, axis), x)

    def tril(self, x: Any, k: int = 0) -> Any:
        return linear(lambda a: np.tril(a, k), x)

    def triu(self, x: Any, k: int = 0) -> Any:
        return linear(lambda a: np.triu(a, k), x)

    def diagonal(self, x: Any, offset: int = 0) -> Any:
        return linear(lambda a: np.diagonal(a, offset), x)

    def trace(self, x: Any) -> Any:
        return linear(np.trace, x)

    def repeat(self, x: Any, n: int, axis: int) -> Any:
        return linear(lambda a: np.repeat(a, n, axis), x)

    def tile(self, x: Any, reps: Any) -> Any:
        return linear(lambda a: np.tile(a, reps), x)

    def take(self, x: Any, ids: Any, axis: int) -> Any:
        return linear(lambda a: np.take(a, ids, axis), x)

    def take_along_axis(self, x: Any, ids: Any, axis: int) -> Any:
        return linear(lambda a: np.take_along_axis(a, ids, axis), x)

    def zeros(self, shape: Any, dtype: str = "float64") -> Any:
        return np.zeros(shape, "float64" if dtype.startswith("float") else dtype)

    def ones(self, shape: Any, dtype: str = "float64") -> Any:
        return np.ones(shape, "float64" if dtype.startswith("float") else dtype)

    def full(self, shape: Any, value: float) -> Any:
        return np.full(shape, value)

    def arange(self, n: int) -> Any:
        return np.arange(n)

    # contractions
    def matmul(self, a: Any, b: Any) -> Any:
        return a @ b

    def outer(self, a: Any, b: Any) -> Any:
        return einsum("i,j->ij", a, b)

    # definitions
    def scan(
        self,
        step: Any,
        init: Any,
        xs: Any = None,
        length: Any = None,
        reverse: bool = False,
        checkpoint: Any = None,
        lengths: Any = None,
    ) -> Any:
        if lengths is not None:
            return self._stopping(step, init, xs, reverse, lengths)
        first = xs[0] if isinstance(xs, tuple) else xs
        count = length if first is None else first.shape[0]
        carry, found = init, [None] * count
        for t in reversed(range(count)) if reverse else range(count):
            x_t = tuple(x[t] for x in xs) if isinstance(xs, tuple) else (None if xs is None else xs[t])
            carry, found[t] = step(carry, x_t)
        if not count:  # a step over zeros says which shapes there would be
            arrays = xs if isinstance(xs, tuple) else (xs,)
            x_t = tuple(None if x is None else np.zeros(x.shape[1:], x.dtype) for x in arrays)
            _, one = step(init, x_t if isinstance(xs, tuple) else x_t[0])
            found = [one]
        if found[0] is None:
            return carry, None
        if isinstance(found[0], tuple):
            return carry, tuple(self.stack(list(ys), 0)[:count] for ys in zip(*found, strict=True))
        return carry, self.stack(found, 0)[:count]

    def _stopping(self, step: Any, init: Any, xs: Any, reverse: bool, lengths: Any) -> Any:
        """A scan of one state over one array, of which each row has steps of its own."""

        def stopped(carry: Any, x_t: Any) -> Any:
            x, t = x_t
            going = (t < lengths).reshape(-1, *(1 for _ in x.shape[1:]))
            new, y = step(carry, where(going, x, 0.0 * x))
            return where(going, new, carry), where(going, y, 0.0 * y)

        return self.scan(stopped, init, (xs, np.arange(xs.shape[0])), reverse=reverse)

    # control flow
    def cond(self, test: Any, yes: Any, no: Any, *operands: Any) -> Any:
        return (yes if bool(primal(test)) else no)(*operands)

    def switch(self, index: Any, branches: Sequence[Any], *operands: Any) -> Any:
        return branches[min(max(int(index), 0), len(branches) - 1)](*operands)

    def counted(self, low: int, high: int, body: Any, init: Any) -> Any:
        for i in range(low, high):
            init = body(i, init)
        return init

    def bounded(self, goes: Any, body: Any, init: Any, most: int) -> Any:
        for _ in range(most):
            init = body(init) if bool(goes(init)) else init
        return init

    def each(self, f: Callable[..., Any], xs: Any) -> Any:
        return self.stack([f(xs[n]) for n in range(xs.shape[0])], 0)

    # places
    def updated(self, x: Any, key: Any, how: str, value: Any) -> Any:
        old = x[key]
        combined = {
            "set": lambda: 0.0 * old + value,
            "add": lambda: old + value,
            "multiply": lambda: old * value,
            "max": lambda: self.maximum(old, value),
        }
        return linear_many(lambda parts: _written(parts, key), [x, combined[how]()])

    def window(self, x: Any, starts: Sequence[Any], sizes: Sequence[int]) -> Any:
        return x[_cut(x, starts, sizes)]

    def rewritten(self, x: Any, update: Any, starts: Sequence[Any]) -> Any:
        return linear_many(lambda parts: _written(parts, _cut(x, starts, update.shape)), [x, update])

    def every(self, *n: int) -> None:
        return None

    def root(self) -> None:
        return None

    def compute(self, shape: tuple[int, ...], fn: Callable[..., Any]) -> Any:
        flat = [fn(*index) for index in itertools.product(*map(range, shape))]
        return self.reshape(self.stack(flat, 0), shape) if flat else np.zeros(shape)

    def total(self, low: int, high: int, fn: Callable[[int], Any]) -> Any:
        result: Any = 0.0
        for k in range(low, high):
            result = result + fn(k)
        return result

    def inside(self, x: Any) -> Any:
        """Reads outside of x that a `select` rules out do not matter."""
        return _Inside(x)

    def recurrence(self, shape: tuple[int, ...], fn: Callable[..., Any]) -> Any:
        for directions in itertools.product((1, -1), repeat=len(shape)):
            found = _Reads(shape)
            try:
                for index in itertools.product(*(range(n)[::d] for n, d in zip(shape, directions, strict=True))):
                    found.found[index] = fn(found, *index)
            except KeyError:
                continue
            flat = [found.found[index] for index in itertools.product(*map(range, shape))]
            return self.reshape(self.stack(flat, 0), shape) if flat else np.zeros(shape)
        raise AssertionError("no order of rows and columns")


def _written(parts: list[Any], key: Any) -> Any:
    """The first array with the second one at a place."""
    found = np.array(parts[0])
    found[key] = parts[1]
    return found


def _cut(x: Any, starts: Sequence[Any], sizes: Sequence[int]) -> tuple[slice, ...]:
    """The place of a window, inside of x."""
    inside = [min(max(int(s), 0), n - size) for s, n, size in zip(starts, x.shape, sizes, strict=True)]
    return tuple(slice(s, s + size) for s, size in zip(inside, sizes, strict=True))


def _gt(a: Any, b: Any) -> Any:
    return primal(a) > primal(b)


__all__ += ["Dual", "broadcast_to"]
