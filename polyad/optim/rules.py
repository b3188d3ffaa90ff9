"""Rules that make steps of gradients."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from polyad.errors import CallError, DTypeError
from polyad.frontend.complex_numbers.parts import is_complex
from polyad.frontend.traced import tree
from polyad.numpy import asarray, sqrt, zeros_like
from polyad.optim.optimiser import Optimiser

__all__ = ["adam", "adamw", "sgd"]

Rate = float | Callable[[Any], Any]
"""A number, or a function of the steps before."""


class Momentum(NamedTuple):
    """The state of `sgd`: how many steps there were, and the sum of the gradients, () without momentum."""

    count: Any
    trace: Any


class Moments(NamedTuple):
    """The state of `adam`: how many steps there were, and the means of gradients and of their squares."""

    count: Any
    mu: Any
    nu: Any


def sgd(learning_rate: Rate, momentum: float | None = None, nesterov: bool = False) -> Optimiser:
    """Gradient descent: trace = gradient + momentum * trace, and a step of -learning_rate * trace.

    Args:
        learning_rate: a number, or a function of the number of steps before.
        momentum: of the trace; None for a step along the gradient.
        nesterov: whether the step is along gradient + momentum * trace, the trace behind it.

    Example:
        >>> optimiser = pa.optim.sgd(0.1)
        >>> optimiser.update({"w": 2.0}, optimiser.init({"w": 1.0}), {"w": 1.0})[0]
        {'w': -0.2}
    """

    def init(params: Any) -> Momentum:
        return Momentum(_none_yet(), () if momentum is None else _zeros(params))

    def update(gradients: Any, state: Momentum, params: Any = None) -> tuple[Any, Momentum]:
        rate = _rate(learning_rate, state.count)
        if momentum is None:
            return tree.map(lambda g: _step(rate, g), gradients), Momentum(state.count + 1, ())
        trace = tree.map(lambda g, t: g + momentum * t, gradients, state.trace)
        along = tree.map(lambda g, t: g + momentum * t, gradients, trace) if nesterov else trace
        return tree.map(lambda t: _step(rate, t), along), Momentum(state.count + 1, trace)

    return Optimiser(init, update)


def adam(learning_rate: Rate, b1: float = 0.9, b2: float = 0.999, eps: float = 1e-8) -> Optimiser:
    """Adam: steps of -learning_rate * m / (sqrt(v) + eps).

    m and v are the means of gradients and of their squares, mu = b1 * mu + (1 - b1) * g and nu = b2 * nu + (1 - b2) *
    g^2, divided by 1 - b1^t and 1 - b2^t in step t = 1, 2, ..., as they begin with zeros.

    Args:
        learning_rate: a number, or a function of the number of steps before.
        b1: the share of the mean of gradients that stays.
        b2: the same of their squares.
        eps: keeps what is divided by from 0.

    Source: Kingma and Ba, Adam: a method for stochastic optimization, 2015.
    """
    return adamw(learning_rate, b1, b2, eps, 0.0)


def adamw(
    learning_rate: Rate, b1: float = 0.9, b2: float = 0.999, eps: float = 1e-8, weight_decay: float = 1e-4
) -> Optimiser:
    """Adam with weights that decay: steps of -learning_rate * (m / (sqrt(v) + eps) + weight_decay * params).

    Args:
        learning_rate: as for `adam`, with b1, b2 and eps.
        b1: the share of the mean of gradients that stays.
        b2: the same of their squares.
        eps: keeps what is divided by from 0.
        weight_decay: of the params, each step; `update` is given them then.

    Source: Loshchilov and Hutter, Decoupled weight decay regularization, 2019.
    """

    def init(params: Any) -> Moments:
        if any(map(is_complex, tree.leaves(params))):
            raise DTypeError("adam: params are complex: give their .real and .imag as two arrays")
        return Moments(_none_yet(), _zeros(params), _zeros(params))

    def update(gradients: Any, state: Moments, params: Any = None) -> tuple[Any, Moments]:
        if weight_decay and params is None:
            raise CallError("adamw: update needs the params, which decay: update(gradients, state, params)", "params")
        rate, count = _rate(learning_rate, state.count), state.count + 1
        mu = tree.map(lambda g, m: b1 * m + (1.0 - b1) * g, gradients, state.mu)
        nu = tree.map(lambda g, v: b2 * v + (1.0 - b2) * g * g, gradients, state.nu)

        def step(m: Any, v: Any, *p: Any) -> Any:
            power = asarray(count).astype(asarray(m).dtype)
            along = m / (1.0 - b1**power) / (sqrt(v / (1.0 - b2**power)) + eps)
            return _step(rate, along + weight_decay * p[0] if p else along)

        return tree.map(step, mu, nu, *([params] if weight_decay else [])), Moments(count, mu, nu)

    return Optimiser(init, update)


def _none_yet() -> Any:
    """Return how many steps there were before the first."""
    return np.zeros((), "int32")


def _zeros(params: Any) -> Any:
    return tree.map(lambda p: zeros_like(p) if hasattr(p, "definition") else np.zeros_like(p), params)


def _step(rate: Any, along: Any) -> Any:
    """A step against a direction, of its element type whatever that of the rate."""
    return -(rate if isinstance(rate, float | int) else asarray(rate).astype(asarray(along).dtype)) * along


def _rate(rate: Rate, count: Any) -> Any:
    return rate(count) if callable(rate) else rate
