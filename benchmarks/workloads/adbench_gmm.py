"""The Gaussian mixture of the ADBench suite: the log posterior of a mixture of K Gaussians at N points.

With Q_k = diag(exp q_k) + L_k, L_k strictly lower triangular, gamma = 1 and m = 0 of the Wishart prior:

    loss = sum_i logsumexp_k(alpha_k + sum_j q_kj - 1/2 |Q_k (x_i - mu_k)|^2) - N logsumexp(alpha)
           + sum_k gamma^2/2 (|exp q_k|^2 + |L_k|^2) - m sum_j q_kj  + constant

Differentiated with respect to alpha (K,), mu (K, D) and icf (K, D (D + 1) / 2), of which a row holds q, then the
columns of L one after the other.

Source: Srajer, Kukelova, Fitzgibbon, A Benchmark of Selected Algorithmic Differentiation Tools, 2018.
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
    """alpha (K,), mu (K, D), icf (K, D (D + 1) / 2), x (N, D)."""
    D, K, N = case["D"], case["K"], case["N"]
    rng = generator(case)
    return {
        "alpha": rng.normal(size=K),
        "mu": rng.uniform(0, 1, (K, D)),
        "icf": rng.normal(size=(K, D * (D + 1) // 2), scale=0.3 if D > 20 else 1),
        "x": rng.normal(size=(N, D)),
    }


def wrt(case: Case) -> tuple[str, ...]:
    return "alpha", "mu", "icf"


def constant(case: Case) -> float:
    """Return the constant of the loss, with n = D + 1: -N D/2 log(2 pi) + K (n D/2 log 2 + loggamma_D(n/2))."""
    D, K, N = case["D"], case["K"], case["N"]
    n = D + 1
    log_gamma = D * (D - 1) / 4 * math.log(math.pi) + sum(math.lgamma((n + 1 - j) / 2) for j in range(1, D + 1))
    return -N * D / 2 * math.log(2 * math.pi) + K * (n * D / 2 * math.log(2) + log_gamma)


def places(D: int) -> Any:
    """Return the places of L[i, j] in a row of icf: (D, D) integers, zero outside of the triangle."""
    table = np.zeros((D, D), np.int32)
    columns, rows = np.triu_indices(D, 1)
    table[rows, columns] = D + np.arange(len(rows))
    return table


def inputs_and_places(case: Case) -> Arrays:
    return {**inputs(case), "place": places(case["D"])}


def shapes(case: Case, K: Any, N: Any) -> dict[str, Any]:
    """D stays a number: icf has D (D + 1) / 2 columns, and extents are affine."""
    D = case["D"]
    return {"alpha": (K,), "mu": (K, D), "icf": (K, D * (D + 1) // 2), "x": (N, D), "place": (D, D)}


def polyad_loss(case: Case, alpha: Any, mu: Any, icf: Any, x: Any, place: Any) -> Any:
    import polyad as pa

    (K, D), N = mu.shape, x.shape[0]
    Q = pa.compute(
        (K, D, D),
        lambda k, i, j: pa.select(i == j, pa.exp(icf[k, i]), pa.select(j < i, icf[k, place[i, j]], 0.0)),
        name="Q",
    )

    def projected(k: Any, i: Any, point: Any) -> Any:
        j = pa.reduce_axis((0, i + 1), name="j")  # the triangle, and nothing beyond it
        return pa.sum(Q[k, i, j] * point(j), axis=j)

    centre = pa.compute((K, D), lambda k, i: projected(k, i, lambda j: mu[k, j]), name="centre")
    y = pa.compute((N, K, D), lambda n, k, i: projected(k, i, lambda j: x[n, j]) - centre[k, i], name="y")
    q, strict = icf[:, :D], icf[:, D:]
    main = alpha + q.sum(axis=1) - 0.5 * pa.numpy.sum(y**2, axis=2)
    likelihood = pa.numpy.sum(logsumexp(main) - logsumexp(alpha))
    prior = 0.5 * (pa.numpy.sum(pa.exp(q) ** 2) + pa.numpy.sum(strict**2))
    return likelihood + prior + constant(case)


def logsumexp(v: Any) -> Any:
    import polyad as pa

    top = pa.stop_gradient(v.max(axis=-1, keepdims=True))
    return pa.log(pa.numpy.sum(pa.exp(v - top), axis=-1)) + top[..., 0]


def torch_loss(case: Case, alpha: Any, mu: Any, icf: Any, x: Any) -> Any:
    """One product for all components: Q (x - mu) = Q x - Q mu."""
    import torch

    D, K, N = case["D"], case["K"], case["N"]
    scale = torch.exp(icf[:, :D])
    lower = torch.ones(D, D, dtype=x.dtype).tril(-1)
    Q = icf[:, torch.from_numpy(places(D)).long().reshape(-1)].reshape(K, D, D) * lower + torch.diag_embed(scale)
    y = (x @ Q.reshape(K * D, D).T).reshape(N, K, D) - torch.einsum("kij,kj->ki", Q, mu)
    main = alpha + icf[:, :D].sum(1) - 0.5 * (y**2).sum(2)
    likelihood = torch.logsumexp(main, 1).sum() - N * torch.logsumexp(alpha, 0)
    return likelihood + 0.5 * ((scale**2).sum() + (icf[:, D:] ** 2).sum()) + constant(case)


def jax_terms(case: Case, alpha: Any, mu: Any, icf: Any, x: Any, one_product: bool) -> Any:
    import jax
    import jax.numpy as jnp

    D, K, N = case["D"], case["K"], case["N"]
    scale = jnp.exp(icf[:, :D])
    Q = icf[:, places(D)] * np.tril(np.ones((D, D)), -1) + scale[:, :, None] * np.eye(D)
    if one_product:
        y = (x @ Q.reshape(K * D, D).T).reshape(N, K, D) - jnp.einsum("kij,kj->ki", Q, mu)
    else:
        y = jnp.einsum("kij,nkj->nki", Q, x[:, None, :] - mu)
    main = alpha + icf[:, :D].sum(1) - 0.5 * (y**2).sum(2)
    likelihood = jax.nn.logsumexp(main, axis=1).sum() - N * jax.nn.logsumexp(alpha)
    return likelihood + 0.5 * ((scale**2).sum() + (icf[:, D:] ** 2).sum()) + constant(case)


def jax_loss(case: Case, **arrays: Any) -> Any:
    return jax_terms(case, **arrays, one_product=False)


def jax_loss_one_product(case: Case, **arrays: Any) -> Any:
    return jax_terms(case, **arrays, one_product=True)


def case(D: int, K: int, N: int, goal: float, quick: bool = False) -> Case:
    return Case({"D": D, "K": K, "N": N}, "float64", goal={1: goal, 2: goal}, quick=quick)


WORKLOAD = Workload(
    about="ADBench's Gaussian mixture objective with its gradient",
    cases=(
        case(10, 25, 1000, 0.3, quick=True),
        case(10, 100, 1000, 0.3),
        case(64, 25, 1000, 0.7, quick=True),
        case(64, 100, 1000, 0.45),
        case(64, 25, 10_000, 0.35),
        case(64, 100, 10_000, 0.4),
    ),
    contenders={
        "polyad": Polyad(inputs_and_places, polyad_loss, wrt, shapes),
        "torch": with_torch(inputs, torch_loss, wrt),
        "torch compile": with_torch(inputs, torch_loss, wrt, compiled=True),
        "jax": with_jax(inputs, jax_loss, wrt),
        "jax gemm": with_jax(inputs, jax_loss_one_product, wrt),
    },
    tiny={"D": 4, "K": 3, "N": 5},
)
