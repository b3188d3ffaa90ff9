"""Optimisers: two functions, and what is made of several of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from polyad.frontend.traced import tree

__all__ = ["Optimiser", "apply_updates", "chain"]


class Optimiser(NamedTuple):
    """A pair of pure functions.

    Attributes:
        init: params -> the state before the first step, a pytree of arrays.
        update: (gradients, state, params) -> (what is to be added to the params, the state behind the step).
    """

    init: Callable[[Any], Any]
    update: Callable[[Any, Any, Any], tuple[Any, Any]]


def apply_updates(params: Any, updates: Any) -> Any:
    """The params behind a step: params + updates, leaf by leaf.

    Args:
        params: a pytree of tensors or arrays.
        updates: one like it, as `update` returns it.

    Raises:
        DefinitionError: the structures differ.

    Example:
        >>> pa.optim.apply_updates({"w": 3.0}, {"w": -0.5})
        {'w': 2.5}
    """
    return tree.map(lambda p, u: p + u, params, updates)


def chain(*optimisers: Optimiser) -> Optimiser:
    """One after another: the updates of each are the gradients of the next.

    Args:
        optimisers: in their order; the state of all is a tuple of theirs.

    Example:
        >>> optimiser = pa.optim.chain(pa.optim.clip(0.5), pa.optim.sgd(0.1))
        >>> optimiser.update({"w": 2.0}, optimiser.init({"w": 1.0}), {"w": 1.0})[0]
        {'w': -0.05}
    """

    def init(params: Any) -> Any:
        return tuple(one.init(params) for one in optimisers)

    def update(gradients: Any, state: Any, params: Any = None) -> tuple[Any, Any]:
        behind = []
        for one, own in zip(optimisers, state, strict=True):
            gradients, new = one.update(gradients, own, params)
            behind.append(new)
        return gradients, tuple(behind)

    return Optimiser(init, update)
