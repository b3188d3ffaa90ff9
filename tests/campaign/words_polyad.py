"""The words of a program on polyad: `m.sin` is `polyad.numpy.sin`, `m.scan` is `polyad.scan`."""

from collections.abc import Callable
from typing import Any

import polyad as pa

__all__ = ["Words"]


class _Layers:
    """`m.nn`."""

    def __getattr__(self, name: str) -> Any:
        return getattr(pa.nn, name)

    def elu(self, x: Any) -> Any:
        return pa.nn.elu(x)

    def rnn_cell(self, x: Any, h: Any, W: Any, U: Any, b: Any) -> Any:
        return pa.nn.rnn_cell(x, h, W, U, b)


class Words:
    """`m` of a program."""

    exact = False

    def __init__(self) -> None:
        self.nn = _Layers()

    def __getattr__(self, name: str) -> Any:
        return getattr(pa.numpy, name)

    scan = staticmethod(pa.scan)
    select = staticmethod(pa.select)
    stop = staticmethod(pa.stop_gradient)
    cast = staticmethod(pa.cast)
    every = staticmethod(pa.checkpoint.every)
    root = staticmethod(pa.checkpoint.sqrt)
    recurrence = staticmethod(pa.recurrence)
    compute = staticmethod(pa.compute)

    cond = staticmethod(pa.cond)
    switch = staticmethod(pa.switch)
    counted = staticmethod(pa.fori_loop)
    window = staticmethod(pa.dynamic_slice)
    rewritten = staticmethod(pa.dynamic_update_slice)

    jvp = staticmethod(pa.jvp)
    grad = staticmethod(pa.grad)
    jacfwd = staticmethod(pa.jacfwd)
    jacrev = staticmethod(pa.jacrev)
    hessian = staticmethod(pa.hessian)

    def custom(self, f: Callable[..., Any], fwd: Callable[..., Any], bwd: Callable[..., Any]) -> Any:
        """A function with a rule of its own."""
        found = pa.custom_vjp(f)
        found.defvjp(fwd, bwd)
        return found

    def total(self, low: Any, high: Any, fn: Callable[[Any], Any]) -> Any:
        """The sum of fn(k) for low <= k < high."""
        k = pa.reduce_axis((low, high))
        return pa.sum(fn(k), axis=k)

    def bounded(self, goes: Any, body: Any, init: Any, most: int) -> Any:
        return pa.while_loop(goes, body, init, max_steps=most)

    def updated(self, x: Any, key: Any, how: str, value: Any) -> Any:
        return getattr(x.at[key], how)(value)

    def each(self, f: Callable[..., Any], xs: Any) -> Any:
        return pa.vmap(f)(xs)

    def inside(self, x: Any) -> Any:
        return x
