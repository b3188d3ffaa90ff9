"""The linear recurrence h[t] = a[t] h[t - 1] + b[t], for one number or C of them side by side.

Loss: sum of h times r, differentiated with respect to a and b.
"""

from typing import Any

from benchmarks.with_jax import with_jax
from benchmarks.with_polyad import Polyad
from benchmarks.workload import Arrays, Case, Workload, generator

__all__ = ["WORKLOAD"]


def inputs(case: Case) -> Arrays:
    """a, b, r (T,) or (T, C)."""
    shape = tuple(case.sizes.values())
    rng = generator(case)
    arrays = {"a": rng.uniform(0.5, 1, shape), "b": rng.normal(size=shape), "r": rng.normal(size=shape) / 100}
    return {n: v.astype(case.dtype) for n, v in arrays.items()}


def wrt(case: Case) -> tuple[str, ...]:
    return "a", "b"


def shapes(case: Case, T: Any, C: Any) -> dict[str, Any]:
    return dict.fromkeys(("a", "b", "r"), (T, C) if "C" in case.sizes else (T,))


def polyad_loss(case: Case, a: Any, b: Any, r: Any) -> Any:
    import polyad as pa

    def step(h: Any, now: Any) -> Any:
        a_t, b_t = now
        h = a_t * h + b_t
        return h, h

    _, hs = pa.scan(step, init=pa.numpy.zeros_like(b[0]), xs=(a, b))
    return pa.numpy.sum(hs * r)


def jax_loss(case: Case, a: Any, b: Any, r: Any) -> Any:
    import jax

    def step(h: Any, now: Any) -> Any:
        a_t, b_t = now
        h = a_t * h + b_t
        return h, h

    _, hs = jax.lax.scan(step, jax.numpy.zeros_like(b[0]), (a, b))
    return (hs * r).sum()


def jax_loss_associative(case: Case, a: Any, b: Any, r: Any) -> Any:
    import jax

    def combine(first: Any, second: Any) -> Any:
        return first[0] * second[0], second[0] * first[1] + second[1]

    _, hs = jax.lax.associative_scan(combine, (a, b))
    return (hs * r).sum()


WORKLOAD = Workload(
    about="a linear recurrence with its gradient",
    cases=(
        Case({"T": 1_000_000}, goal={1: 0.5, 2: 0.5}, quick=True),
        Case({"T": 2048, "C": 512}, goal={1: 0.6, 2: 0.6}, quick=True),
    ),
    contenders={
        "polyad": Polyad(inputs, polyad_loss, wrt, shapes),
        "jax": with_jax(inputs, jax_loss, wrt),
        "jax associative": with_jax(inputs, jax_loss_associative, wrt),
    },
    tiny={"T": 5},
)
