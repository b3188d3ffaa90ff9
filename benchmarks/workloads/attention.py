"""Softmax attention, plain and causal.

Loss: sum of softmax(q k^T / sqrt(D)) v r, differentiated with respect to q, k and v. Row i of the causal one sees
j <= i only.
"""

import math
from typing import Any

import numpy as np

from benchmarks.with_jax import with_jax
from benchmarks.with_polyad import Polyad
from benchmarks.with_torch import with_torch
from benchmarks.workload import Arrays, Case, Workload, generator

__all__ = ["WORKLOAD"]


def inputs(case: Case) -> Arrays:
    """q, k, v, r (N, L, D): N heads, L positions."""
    rng = generator(case)
    shape = case["N"], case["L"], case["D"]
    return {n: rng.normal(size=shape).astype(case.dtype) for n in ("q", "k", "v", "r")}


def wrt(case: Case) -> tuple[str, ...]:
    return "q", "k", "v"


def shapes(case: Case, N: Any, L: Any) -> dict[str, Any]:
    return dict.fromkeys(("q", "k", "v", "r"), (N, L, case["D"]))


def polyad_loss(case: Case, q: Any, k: Any, v: Any, r: Any) -> Any:
    import polyad as pa

    o = causal(case, q, k, v) if case.kind == "causal" else plain(case, q, k, v)
    return pa.numpy.sum(o * r)


def plain(case: Case, q: Any, k: Any, v: Any) -> Any:
    import polyad as pa

    scores = q @ k.transpose(0, 2, 1) / math.sqrt(case["D"])
    return pa.nn.softmax(scores, axis=-1) @ v


def causal(case: Case, q: Any, k: Any, v: Any) -> Any:
    """The triangle j <= i, and nothing beyond it."""
    import polyad as pa

    N, L, D = q.shape

    def over_past(term: Any, reduce: Any) -> Any:
        def row(n: Any, i: Any, *d: Any) -> Any:
            j = pa.reduce_axis((0, i + 1), name="j")
            return reduce(term(n, i, j, *d), axis=j)

        return row

    def in_triangle(term: Any, name: str) -> Any:
        return pa.compute((N, L, L), lambda n, i, j: pa.select(j <= i, term(n, i, j), 0.0), name=name)

    d = pa.reduce_axis(D, name="d")
    s = in_triangle(lambda n, i, j: pa.sum(q[n, i, d] * k[n, j, d], axis=d) / math.sqrt(D), "s")
    top = pa.stop_gradient(pa.compute((N, L), over_past(lambda n, i, j: s[n, i, j], pa.max), name="top"))
    p = in_triangle(lambda n, i, j: pa.exp(s[n, i, j] - top[n, i]), "p")
    total = pa.compute((N, L), over_past(lambda n, i, j: p[n, i, j], pa.sum), name="total")
    o = pa.compute((N, L, D), over_past(lambda n, i, j, d: p[n, i, j] * v[n, j, d], pa.sum), name="o")
    return o / total[:, :, None]


def torch_loss(case: Case, q: Any, k: Any, v: Any, r: Any) -> Any:
    import torch

    scores = q @ k.transpose(1, 2) / math.sqrt(case["D"])
    if case.kind == "causal":
        scores = scores + torch.full((case["L"], case["L"]), -math.inf, dtype=q.dtype).triu(1)
    return ((torch.softmax(scores, -1) @ v) * r).sum()


def torch_loss_fused(case: Case, q: Any, k: Any, v: Any, r: Any) -> Any:
    import torch

    attend = torch.nn.functional.scaled_dot_product_attention
    return (attend(q[None], k[None], v[None], is_causal=case.kind == "causal")[0] * r).sum()


def jax_loss(case: Case, q: Any, k: Any, v: Any, r: Any) -> Any:
    import jax
    import jax.numpy as jnp

    scores = jnp.einsum("nid,njd->nij", q, k) / math.sqrt(case["D"])
    if case.kind == "causal":
        scores = jnp.where(np.tril(np.ones((case["L"], case["L"]), bool)), scores, -jnp.inf)
    return jnp.sum(jnp.einsum("nij,njd->nid", jax.nn.softmax(scores, -1), v) * r)


SIZES = {"N": 16, "L": 256, "D": 64}
WORKLOAD = Workload(
    about="softmax attention with its gradient",
    cases=(
        Case(SIZES, "float32", "plain", goal={1: 0.95, 2: 0.95}, quick=True),
        Case(SIZES, "float32", "causal", goal={1: 0.75, 2: 0.75}, quick=True),
    ),
    contenders={
        "polyad": Polyad(inputs, polyad_loss, wrt, shapes),
        "torch": with_torch(inputs, torch_loss, wrt),
        "torch sdpa": with_torch(inputs, torch_loss_fused, wrt),
        "torch compile": with_torch(inputs, torch_loss, wrt, compiled=True),
        "jax": with_jax(inputs, jax_loss, wrt),
    },
    tiny={"N": 2, "L": 4, "D": 3},
)
