"""The words of a program on JAX; `available()` says whether it is installed."""

import importlib.util
from typing import Any

from tests.campaign.layers import Layers

__all__ = ["available", "words"]


def available() -> bool:
    """Whether JAX is installed; where it is not, only the other references judge."""
    return importlib.util.find_spec("jax") is not None


def words() -> Any:
    """`m` of a program, or an ImportError. Programs with recurrences or definitions by element have no words in JAX."""
    import jax

    jax.config.update("jax_enable_x64", True)
    jax.config.update("jax_platforms", "cpu")
    jnp = jax.numpy

    class Words:
        def __init__(self) -> None:
            self.nn = Layers(self)

        def __getattr__(self, name: str) -> Any:
            return getattr(jnp, name)

        sigmoid = staticmethod(jax.nn.sigmoid)
        erf = staticmethod(jax.lax.erf)
        stop = staticmethod(jax.lax.stop_gradient)

        cond = staticmethod(jax.lax.cond)
        switch = staticmethod(jax.lax.switch)
        counted = staticmethod(jax.lax.fori_loop)
        window = staticmethod(jax.lax.dynamic_slice)
        rewritten = staticmethod(jax.lax.dynamic_update_slice)

        jvp = staticmethod(jax.jvp)
        grad = staticmethod(jax.grad)
        jacfwd = staticmethod(jax.jacfwd)
        jacrev = staticmethod(jax.jacrev)
        hessian = staticmethod(jax.hessian)

        def custom(self, f: Any, fwd: Any, bwd: Any) -> Any:
            found = jax.custom_vjp(f)
            found.defvjp(fwd, bwd)
            return found

        def select(self, condition: Any, a: Any, b: Any) -> Any:
            return jnp.where(condition, a, b)

        def sum(self, x: Any, axis: Any = None, keepdims: bool = False) -> Any:
            return jnp.sum(x, axis=axis, keepdims=keepdims)

        def mean(self, x: Any, axis: Any = None, keepdims: bool = False) -> Any:
            return jnp.mean(x, axis=axis, keepdims=keepdims)

        def cast(self, x: Any, dtype: str) -> Any:
            return jnp.trunc(x).astype(dtype) if dtype.startswith("int") else x.astype("float64")

        def scan(self, step: Any, init: Any, xs: Any = None, checkpoint: Any = None, **rest: Any) -> Any:
            return jax.lax.scan(step, init, xs, **rest)

        def zeros(self, shape: Any, dtype: str = "float64") -> Any:  # JAX judges in float64
            return jnp.zeros(shape, "float64" if dtype.startswith("float") else dtype)

        def ones(self, shape: Any, dtype: str = "float64") -> Any:
            return jnp.ones(shape, "float64" if dtype.startswith("float") else dtype)

        def every(self, *n: int) -> None:
            return None

        def root(self) -> None:
            return None

        def bounded(self, goes: Any, body: Any, init: Any, most: int) -> Any:
            return jax.lax.fori_loop(0, most, lambda i, v: jax.lax.cond(goes(v), body, lambda w: w, v), init)

        def updated(self, x: Any, key: Any, how: str, value: Any) -> Any:
            return getattr(x.at[key], how)(value)

        def each(self, f: Any, xs: Any) -> Any:
            return jax.vmap(f)(xs)

        def inside(self, x: Any) -> Any:
            return x

    return Words()
