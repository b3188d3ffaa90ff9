"""Steps written with slices, `concatenate`, `pad` or `roll` cost what their recurrence costs: instances and memory."""

from random import Random
from typing import Any

import numpy as np
import pytest

import polyad as pa
from polyad import numpy as pn

T, N, M = 20, 64, 48
A, D = 0.1, 0.05


def cost(outputs: Any) -> tuple[int, int]:
    """Instances and bytes of workspace."""
    kernel = pa.compile(outputs)
    return sum(kernel.instances().values()), kernel.memory_plan().total_bytes


def burgers(left: Any, here: Any, right: Any) -> Any:
    return here - A * here * (here - left) + D * (right - 2 * here + left)


FIXED: dict[str, Any] = {
    "concatenate": lambda u: pn.concatenate([u[:1], burgers(u[:-2], u[1:-1], u[2:]), u[-1:]]),
    "at": lambda u: pn.concatenate([u[:1], burgers(u[:-2], u[1:-1], u[2:]), u[N - 1 : N]]),
}


def ring() -> Any:
    """Burgers' equation on a ring by indices alone."""
    u0 = pa.placeholder((N,), "u0", "float64")

    def cell(u: Any, t: Any, i: Any) -> Any:
        def at(j: Any) -> Any:
            return u[t - 1, j % N]

        return pa.select(t == 0, u0[i], pa.select(t > 0, burgers(at(i + N - 1), at(i), at(i + 1)), 0.0))

    return pa.recurrence((T + 1, N), cell, dtype="float64")[T]


def stepped(step: Any) -> Any:
    u0 = pa.placeholder((N,), "u0", "float64")
    return pa.scan(lambda u, _: (step(u), None), u0, None, length=T)[0]


def test_a_ring_is_one_sweep() -> None:
    """Its first state is copied in, its last one out."""
    instances, size = cost(stepped(lambda u: burgers(pn.roll(u, 1), u, pn.roll(u, -1))))
    by_indices = cost(ring())
    assert instances == (T + 2) * N
    assert (instances - N, size) <= by_indices


@pytest.mark.parametrize("name", FIXED)
def test_fixed_ends_are_one_sweep(name: str) -> None:
    instances, size = cost(stepped(FIXED[name]))
    assert instances == (T + 2) * N
    assert size <= 3 * 8 * N + 128


def laplacian(u: Any) -> Any:
    return sum((pn.roll(u, s, d) for s, d in ((1, 0), (-1, 0), (1, 1), (-1, 1))), start=-4 * u)


def gray_scott(carry: Any) -> Any:
    u, v = carry
    uvv = u * v * v
    return u + 0.16 * laplacian(u) - uvv + 0.06 * (1 - u), v + 0.08 * laplacian(v) + uvv - 0.12 * v


def test_gray_scott_has_no_copies() -> None:
    """Two species and their reaction, each cell once a step; backwards no more than forwards for each of them."""
    a, b = (pa.placeholder((N, M), n, "float64") for n in "ab")
    u, v = pa.scan(lambda c, _: (gray_scott(c), None), (a, b), None, length=T)[0]
    cells = T * N * M
    kernel = pa.compile([u, v])
    assert sum(kernel.instances().values()) <= 3 * cells + 4 * N * M
    assert kernel.memory_plan().total_bytes <= 5 * 8 * N * M + 1024
    back = pa.compile(pa.differentiate(pn.sum(u * v), [a])[a])
    assert not any("rolled" in name for name in back.instances())
    assert sum(back.instances().values()) <= 11 * cells


@pytest.mark.parametrize("number", range(30))
@pytest.mark.quick_cases(6)
def test_random_rolls_in_steps(number: int) -> None:
    """Any shift, in steps and out of them: the values and derivatives of NumPy's roll."""
    random = Random(f"rolls {number}")
    shape = tuple(random.choice([1, 2, 5, 9, 33, 40, 64]) for _ in range(random.randint(1, 2)))
    shifts = [(random.randint(-9, 9), random.randrange(len(shape))) for _ in range(random.randint(1, 3))]
    steps = random.randint(0, 3)

    def step(u: Any, m: Any) -> Any:
        return 0.5 * u + sum(m.roll(u, s, d) * w for (s, d), w in zip(shifts, (0.3, -0.2, 0.1), strict=False))

    f = pa.jit(lambda u: pa.scan(lambda u, _: (step(u, pn), None), u, None, length=steps)[0])
    u = np.random.default_rng(number).normal(size=shape)
    expected = u
    for _ in range(steps):
        expected = step(expected, np)
    np.testing.assert_allclose(f(u), expected, rtol=1e-12, atol=1e-13)
    h = np.random.default_rng(number + 1).normal(size=shape)
    back = pa.jit(pa.grad(lambda u, h: pn.sum(pa.scan(lambda u, _: (step(u, pn), None), u, None, length=steps)[0] * h)))
    expected = h
    for _ in range(steps):
        expected = 0.5 * expected + sum(
            np.roll(expected, -s, d) * w for (s, d), w in zip(shifts, (0.3, -0.2, 0.1), strict=False)
        )
    np.testing.assert_allclose(back(u, h), expected, rtol=1e-12, atol=1e-13)
