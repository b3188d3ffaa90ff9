"""Value and gradient by JAX: compiled ahead of time, x64 allowed."""

import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from benchmarks.workload import Case, Contender, Ready

__all__ = ["with_jax"]


def with_jax(
    inputs: Callable[[Case], Mapping[str, Any]], loss: Callable[..., Any], wrt: Callable[[Case], Sequence[str]]
) -> Contender:
    """The contender for loss(case, **arrays).

    Args:
        inputs: the arrays of a case, by name.
        loss: the loss in JAX.
        wrt: the inputs to differentiate with respect to.
    """

    def set_up(case: Case) -> Ready:
        import jax

        jax.config.update("jax_enable_x64", True)
        arrays = {n: jax.numpy.asarray(a) for n, a in inputs(case).items()}
        variables = {n: arrays.pop(n) for n in wrt(case)}

        def run(variables: Any, rest: Any) -> Any:
            return loss(case, **variables, **rest)

        start = time.perf_counter()
        function = jax.jit(jax.value_and_grad(run)).lower(variables, arrays).compile()
        seconds = time.perf_counter() - start
        return Ready(
            lambda: jax.block_until_ready(function(variables, arrays)),
            lambda r: [np.asarray(r[0]), *(np.asarray(r[1][n]) for n in variables)],
            compile_seconds=seconds,
        )

    return set_up
