"""Gradients made smaller before they are used."""

from __future__ import annotations

from typing import Any

from polyad.frontend.complex_numbers.parts import is_complex
from polyad.frontend.traced import tree
from polyad.numpy import clip as clipped
from polyad.numpy import maximum, sqrt, sum
from polyad.optim.optimiser import Optimiser

__all__ = ["clip", "clip_by_global_norm", "global_norm"]


def global_norm(gradients: Any) -> Any:
    """The length of all leaves together: sqrt(sum of the squares of all their elements).

    Example:
        >>> print(pa.jit(pa.optim.global_norm)({"a": np.array([3.0, 0.0]), "b": np.array(4.0)}))
        5.0
    """
    squares = tree.map(lambda g: sum(abs(g) ** 2 if is_complex(g) else g * g), gradients)
    return sqrt(tree.reduce(lambda a, b: a + b, squares))


def clip_by_global_norm(max_norm: float) -> Optimiser:
    """Gradients that are no longer than a norm: g * max_norm / max(|g|, max_norm), |g| that of all leaves together.

    Args:
        max_norm: of all of them, above 0.

    Source: Pascanu, Mikolov and Bengio, On the difficulty of training recurrent neural networks, 2013.
    """

    def update(gradients: Any, state: Any, params: Any = None) -> tuple[Any, Any]:
        factor = max_norm / maximum(global_norm(gradients), max_norm)
        return tree.map(lambda g: g * factor, gradients), state

    return Optimiser(lambda params: (), update)


def clip(max_delta: float) -> Optimiser:
    """Gradients whose elements lie between -max_delta and max_delta.

    Args:
        max_delta: above 0.
    """

    def update(gradients: Any, state: Any, params: Any = None) -> tuple[Any, Any]:
        return tree.map(lambda g: clipped(g, -max_delta, max_delta), gradients), state

    return Optimiser(lambda params: (), update)
