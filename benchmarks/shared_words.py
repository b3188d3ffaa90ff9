"""Words of polyad and JAX for the things that a program needs, so that one text serves both."""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

__all__ = ["WORDS", "Words"]


class Words(NamedTuple):
    """The words of a library for the things that the programs need.

    Attributes:
        np: functions named as NumPy's.
        scan: with the arguments of JAX's.
        conv2d: (images of N, C, H, W; weights of O, C, H, W), no border.
        max_pool: by 2 x 2.
        custom_vjp: as JAX's.
        value_and_grad: as JAX's.
        call: the first call of a function, given how many of its leading arguments a gradient is wanted of.
    """

    np: Any
    scan: Callable[..., Any]
    sigmoid: Callable[..., Any]
    softmax: Callable[..., Any]
    conv2d: Callable[..., Any]
    max_pool: Callable[..., Any]
    custom_vjp: Callable[..., Any]
    value_and_grad: Callable[..., Any]
    call: Callable[[Callable[..., Any], int, tuple[Any, ...]], Any]


def polyad() -> Words:
    import polyad as pa

    def call(function: Callable[..., Any], variables: int, arrays: tuple[Any, ...]) -> Any:
        made = pa.value_and_grad(function, argnums=tuple(range(variables))) if variables else pa.jit(function)
        return made(*arrays)

    return Words(
        pa.numpy,
        pa.scan,
        pa.sigmoid,
        pa.nn.softmax,
        pa.nn.conv2d,
        lambda x: pa.nn.max_pool2d(x, 2),
        pa.custom_vjp,
        pa.value_and_grad,
        call,
    )


def jax() -> Words:
    import jax
    from jax import lax

    def call(function: Callable[..., Any], variables: int, arrays: tuple[Any, ...]) -> Any:
        made = jax.value_and_grad(function, argnums=tuple(range(variables))) if variables else function
        return jax.block_until_ready(jax.jit(made)(*arrays))

    def pool(x: Any) -> Any:
        return lax.reduce_window(x, -np.inf, lax.max, (1, 1, 2, 2), (1, 1, 2, 2), "VALID")

    return Words(
        jax.numpy,
        lax.scan,
        jax.nn.sigmoid,
        jax.nn.softmax,
        lambda x, w: lax.conv(x, w, (1, 1), "VALID"),
        pool,
        jax.custom_vjp,
        jax.value_and_grad,
        call,
    )


WORDS: dict[str, Callable[[], Words]] = {"polyad": polyad, "jax": jax}
"""The libraries, by name; each is imported when it is asked for."""
