"""Stencils as users write them, in polyad and in PyTorch: heat in the plane, waves in space."""

from collections.abc import Callable, Sequence
from typing import Any

import polyad as pa

INNER = slice(1, -1)


def _torch() -> Any:
    import torch  # here, as importing it takes a second in every process of tests

    return torch


def laplacian(u: Any) -> Any:
    """The sum of all neighbours less as many times the element, inside of the border."""
    rank = len(u.shape)
    total = -2 * rank * u[(INNER,) * rank]
    for d in range(rank):
        for side in (slice(None, -2), slice(2, None)):
            total = total + u[(INNER,) * d + (side,) + (INNER,) * (rank - d - 1)]
    return total


def heat(dtype: str, form: str) -> tuple[list[pa.Tensor], list[pa.Tensor]]:
    """u[t + 1] = u[t] + a lap(u[t]) inside, u[t + 1] = u[t] on the border; the mean square of u[T] - y."""
    N, T = pa.sizes("N", min=3), pa.sizes("T")
    u0, a, y = (pa.placeholder((N, N), name=n, dtype=dtype) for n in ("u0", "a", "y"))

    def padded(u: pa.Tensor, _: None) -> tuple[pa.Tensor, None]:
        return u + a * pa.numpy.pad(laplacian(u), 1), None

    def selected(u: pa.Tensor, _: None) -> tuple[pa.Tensor, None]:
        def body(i: Any, j: Any) -> Any:
            around = u[i - 1, j] + u[i + 1, j] + u[i, j - 1] + u[i, j + 1] - 4 * u[i, j]
            inside = (i >= 1) & (i <= N - 2) & (j >= 1) & (j <= N - 2)
            return pa.select(inside, u[i, j] + a[i, j] * around, u[i, j])

        return pa.compute((N, N), body), None

    u, _ = pa.scan({"pad": padded, "select": selected}[form], u0, None, length=T)
    loss = pa.numpy.mean((u - y) ** 2)
    return [loss, *pa.grad(loss, [u0, a])], [u0, a, y]


def heat_in_torch(T: int, u0: Any, a: Any, y: Any) -> Any:
    u = u0
    for _ in range(T):
        u = u + a * _torch().nn.functional.pad(laplacian(u), (1,) * 4)
    return ((u - y) ** 2).mean()


def wave(dtype: str) -> tuple[list[pa.Tensor], list[pa.Tensor]]:
    """u[t + 1] = 2 u[t] - u[t - 1] + c lap(u[t]) inside, 0 on the border."""
    N, T = pa.sizes("N", min=3), pa.sizes("T")
    u0, c, y = (pa.placeholder((N, N, N), name=n, dtype=dtype) for n in ("u0", "c", "y"))

    def step(state: Any, _: None) -> Any:
        before, u = state
        inner = (INNER,) * 3
        return (u, pa.numpy.pad(2 * u[inner] - before[inner] + c[inner] * laplacian(u), 1)), None

    (_, u), _ = pa.scan(step, (u0, u0), None, length=T)
    loss = pa.numpy.mean((u - y) ** 2)
    return [loss, *pa.grad(loss, [u0, c])], [u0, c, y]


def wave_in_torch(T: int, u0: Any, c: Any, y: Any) -> Any:
    before, u = u0, u0
    inner = (INNER,) * 3
    for _ in range(T):
        new = 2 * u[inner] - before[inner] + c[inner] * laplacian(u)
        before, u = u, _torch().nn.functional.pad(new, (1,) * 6)
    return ((u - y) ** 2).mean()


def wave_step(dtype: str) -> tuple[list[pa.Tensor], list[pa.Tensor]]:
    """One step of the wave, weighed by r."""
    N = pa.sizes("N", min=3)
    u, before, c, r = (pa.placeholder((N, N, N), name=n, dtype=dtype) for n in ("u", "before", "c", "r"))
    inner = (INNER,) * 3
    new = pa.numpy.pad(2 * u[inner] - before[inner] + c[inner] * laplacian(u), 1)
    loss = pa.numpy.sum(new * r)
    return [loss, *pa.grad(loss, [u, before, c])], [u, before, c, r]


def wave_step_in_torch(T: int, u: Any, before: Any, c: Any, r: Any) -> Any:
    inner = (INNER,) * 3
    new = 2 * u[inner] - before[inner] + c[inner] * laplacian(u)
    return (_torch().nn.functional.pad(new, (1,) * 6) * r).sum()


def gradients(function: Callable[..., Any], T: int, inputs: Sequence[Any], wrt: int) -> list[Any]:
    """The value and its gradient to the first `wrt` inputs, by PyTorch."""
    tensors = [_torch().tensor(x, requires_grad=i < wrt) for i, x in enumerate(inputs)]
    loss = function(T, *tensors)
    found = _torch().autograd.grad(loss, tensors[:wrt])
    return [loss.detach().numpy(), *(g.numpy() for g in found)]
