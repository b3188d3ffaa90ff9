"""Steps written with slices, `concatenate`, `pad` or `roll` cost what their recurrence costs: instances and memory."""

from collections.abc import Callable
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


def neighbours(p: Any) -> Any:
    """A step of Burgers' equation on the inside of a padded row."""
    return burgers(p[:-2], p[1:-1], p[2:])


def five(p: Any) -> Any:
    """A step of the heat equation on the inside of a padded grid."""
    u = p[1:-1, 1:-1]
    return u + D * (p[:-2, 1:-1] + p[2:, 1:-1] + p[1:-1, :-2] + p[1:-1, 2:] - 4 * u)


def turned(m: Any, u: Any, by: int, axis: int = 0) -> Any:
    """`roll` by slices."""
    parts = m.split(u, [u.shape[axis] - 1 if by > 0 else 1], axis)
    return m.concatenate(parts[::-1], axis)


Step = Callable[[Any, Any], Any]  # of the module, NumPy or polyad.numpy, and the state
RING: dict[str, Step] = {
    "roll": lambda m, u: burgers(m.roll(u, 1), u, m.roll(u, -1)),
    "concatenate": lambda m, u: burgers(m.concatenate([u[-1:], u[:-1]]), u, m.concatenate([u[1:], u[:1]])),
    "pad": lambda m, u: neighbours(m.pad(u, 1, mode="wrap")),
    "a longer row": lambda m, u: neighbours(m.concatenate([u[-1:], u, u[:1]])),
    "hstack": lambda m, u: burgers(m.hstack([u[-1:], u[:-1]]), u, m.hstack([u[1:], u[:1]])),
    "flip": lambda m, u: burgers(m.flip(turned(m, m.flip(u, 0), -1), 0), u, m.roll(u, -1)),
}
ENDS: dict[str, Step] = {
    "slices": lambda m, u: m.concatenate([u[:1], burgers(u[:-2], u[1:-1], u[2:]), u[-1:]]),
    "zeros around": lambda m, u: neighbours(m.pad(u, 1)),
    "zeros beside": lambda m, u: burgers(m.concatenate([m.zeros(1), u[:-1]]), u, m.concatenate([u[1:], m.zeros(1)])),
    "edge": lambda m, u: neighbours(m.pad(u, 1, mode="edge")),
    "reflect": lambda m, u: neighbours(m.pad(u, 1, mode="reflect")),
    "zeros put there": lambda m, u: m.pad(burgers(u[:-2], u[1:-1], u[2:]), 1),
    "values put there": lambda m, u: m.concatenate(
        [m.ones(1), burgers(m.roll(u, 1), u, m.roll(u, -1))[1:-1], m.full(1, 2.0)]
    ),
}
GRID_RING: dict[str, Step] = {
    "roll": lambda m, u: u + D * (sum(m.roll(u, s, d) for s in (1, -1) for d in (0, 1)) - 4 * u),
    "concatenate": lambda m, u: u + D * (sum(turned(m, u, s, d) for s in (1, -1) for d in (0, 1)) - 4 * u),
    "pad": lambda m, u: five(m.pad(u, 1, mode="wrap")),
}
GRID_ENDS: dict[str, Step] = {
    "zeros around": lambda m, u: five(m.pad(u, 1)),
    "edge": lambda m, u: five(m.pad(u, 1, mode="edge")),
    "zeros added": lambda m, u: u + m.pad(D * (u[:-2, 1:-1] + u[2:, 1:-1] - 2 * u[1:-1, 1:-1]), 1),
}
ROWS: dict[str, Step] = {
    "stack": lambda m, u: m.stack([u[0] + D * u[1], u[1] - D * u[0]]),
    "stack and turn": lambda m, u: m.stack([m.roll(u[0], 1) + D * u[1], turned(m, u[1], -1) - D * u[0]]),
    "exchanged": lambda m, u: 0.5 * u + D * m.stack([u[1], u[0]]),
    "turned": lambda m, u: 0.5 * u + D * m.concatenate([u[1:], u[:1]]),
    "flip": lambda m, u: 0.5 * u + D * m.flip(u),
}
SPELLINGS = [
    (f"{kind}, {name}", shape, step, bounds)
    for kind, shape, steps, bounds in (
        ("ring", (N,), RING, (1.1, 3, 6.2, 44)),
        ("ends", (N,), ENDS, (1.1, 3, 6.2, 44)),
        ("grid on a ring", (N, M), GRID_RING, (1.1, 3, 3.2, 3)),
        ("grid", (N, M), GRID_ENDS, (1.1, 3, 3.4, 4)),
        ("rows", (2, N), ROWS, (2.1, 3, 4.2, 4)),  # each row is loaded once, by an instance of its own
    )
    for name, step in steps.items()
]


@pytest.mark.parametrize(("shape", "step", "bounds"), [s[1:] for s in SPELLINGS], ids=[s[0] for s in SPELLINGS])
def test_every_spelling_is_one_sweep(shape: tuple[int, ...], step: Step, bounds: tuple[float, ...]) -> None:
    """Each cell is computed once a step: without a copy of the state, and with no memory but that of two.

    Backwards a cell costs what it costs with `roll`, in the worst of the spellings: instances and memory.
    """
    u0 = pa.placeholder(shape, "u0", "float64")
    y = pa.scan(lambda u, _: (step(pn, u), None), u0, None, length=T)[0]
    cells = int(np.prod(shape))
    instances, size = cost(y)
    assert instances <= bounds[0] * T * cells
    assert size <= bounds[1] * 8 * cells
    back, size = cost(pa.differentiate(pn.sum(y * y), [u0])[u0])
    assert back <= bounds[2] * T * cells
    assert size <= bounds[3] * 8 * cells


SIZED = [
    (f"{s[0]}, {'fixed' if k else 'sizes'}", *s[1:3], k) for s in SPELLINGS for k in (True, False) if k or s[1][0] != 2
]


@pytest.mark.parametrize(("shape", "step", "known"), [s[1:] for s in SIZED], ids=[s[0] for s in SIZED])
@pytest.mark.quick_cases(6)
def test_every_spelling_is_numpy_s(shape: tuple[int, ...], step: Step, known: bool) -> None:
    """Values after some steps, and products of the derivative with a direction, at two lengths of rows."""
    lengths = [(n, 7)[: len(shape)] if shape[0] == N else (2, n) for n in (40, 5)]
    f = pa.jit(lambda u: pa.scan(lambda u, _: (step(pn, u), None), u, None, length=3)[0], dynamic_shapes=not known)
    g = pa.jit(pa.grad(lambda u, h: pn.sum(f(u) * h)), dynamic_shapes=not known)
    for length in lengths:
        u, h, e = np.random.default_rng(1).normal(size=(3, *length))

        def stepped(u: Any) -> Any:
            for _ in range(3):
                u = step(np, u)
            return u

        np.testing.assert_allclose(f(u), stepped(u), rtol=1e-12, atol=1e-13)
        slope = (stepped(u + 1e-6 * e) - stepped(u - 1e-6 * e)) / 2e-6
        np.testing.assert_allclose(np.sum(g(u, h) * e), np.sum(slope * h), rtol=1e-7)


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
