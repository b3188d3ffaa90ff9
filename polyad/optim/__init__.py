"""Optimisers as pure functions on pytrees, under the names and with the arguments of optax.

An optimiser is a pair of functions, `init(params) -> state` and `update(gradients, state, params) -> (updates, state)`;
`apply_updates(params, updates)` adds. All of them are equations, so that a step is compiled with the gradient into one
kernel::

    optimiser = pa.optim.chain(pa.optim.clip_by_global_norm(1.0), pa.optim.adam(1e-3))

    @pa.jit
    def step(params, state, batch):
        loss, gradients = pa.value_and_grad(loss_of)(params, batch)
        updates, state = optimiser.update(gradients, state, params)
        return pa.optim.apply_updates(params, updates), state, loss
"""

from polyad.optim.clipping import clip, clip_by_global_norm, global_norm
from polyad.optim.optimiser import Optimiser, apply_updates, chain
from polyad.optim.rules import adam, adamw, sgd

__all__ = [
    "Optimiser",
    "adam",
    "adamw",
    "apply_updates",
    "chain",
    "clip",
    "clip_by_global_norm",
    "global_norm",
    "sgd",
]
