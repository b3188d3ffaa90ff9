"""Factors of scans that begin with a sign: a minus in front of them is no decrement of what they name."""

from collections.abc import Callable

import numpy as np
import pytest

import polyad as pa

STEPS = [40, 100, 300]


@pa.custom_vjp
def falling(x: pa.Tensor) -> pa.Tensor:
    return 1 - 0.5 * x * x


falling.defvjp(lambda x: (falling(x), x), lambda x, g: (g * (-x),))


def steps(body: Callable[..., pa.Tensor]) -> Callable[..., pa.Tensor]:
    """The states of a scan that carries one number, as sines of them are summed."""

    def loss(x: pa.Tensor, y: pa.Tensor) -> pa.Tensor:
        out = pa.scan(lambda c, v: (body(c, v[0], v[1]),) * 2, 0.0 * x[0], (x, y))[1]
        return pa.numpy.sum(pa.sin(out))

    return loss


BODIES: dict[str, Callable[..., pa.Tensor]] = {
    "a derivative of the user's": lambda c, x, y: falling(x - c),
    "a logistic step": lambda c, x, y: 1 / (1 + pa.exp(-(x - c))),
    "a quotient": lambda c, x, y: x - 0.5 * c * (-(x / y)),
    "a power": lambda c, x, y: 0.5 * c - (-((x - c) ** 2)) * 0.1,
    "a difference of differences": lambda c, x, y: x - (y - (c - x)) * -0.4,
}


@pytest.mark.parametrize("named", [False, True], ids=["fixed", "named"])
@pytest.mark.parametrize("body", BODIES)
@pytest.mark.quick_cases(1)
def test_derivatives_of_scans_are_the_same_at_every_level(body: str, named: bool) -> None:
    loss, random = steps(BODIES[body]), np.random.default_rng(0)
    for n in STEPS[-1:] if named else STEPS:
        size = pa.sizes("n") if named else n
        x, y = (pa.placeholder((size,), name=name, dtype="float64") for name in "xy")
        value = loss(x, y)
        given = [random.random(n) + 0.5 for _ in range(2)]
        found = []
        for level in (0, 3):
            kernel = pa.compile([value, *pa.grad(value, [x, y])], [x, y], target=pa.Target("c", optimize=level))
            assert kernel.certify(**({"n": 9} if named else {})).text is not None
            found.append([np.asarray(a) for a in kernel(*(a.copy() for a in given))])
        for one, other in zip(*found, strict=True):
            np.testing.assert_allclose(one, other, rtol=1e-9, atol=1e-12)


def test_an_output_that_is_a_factor_stays_what_it_is() -> None:
    v, s = (pa.placeholder((300,), name=n, dtype="float64") for n in "vs")

    def step(h: pa.Tensor, given: tuple[pa.Tensor, pa.Tensor]) -> tuple[pa.Tensor, tuple[pa.Tensor, pa.Tensor]]:
        q = pa.exp(given[0]) * given[0] * 0.3
        n = given[0] - (-q) * h + given[1]
        return n, (n, q)

    _, (h, q) = pa.scan(step, 0.0 * v[0], (v, s))
    given = [np.random.default_rng(1).random(300) * 0.5 for _ in range(2)]
    slow, fast = (
        [np.asarray(a) for a in pa.compile([h, q], [v, s], target=pa.Target("c", optimize=o))(*given)] for o in (0, 3)
    )
    for one, other in zip(slow, fast, strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-12)
    np.testing.assert_allclose(slow[1], np.exp(given[0]) * given[0] * 0.3, rtol=1e-14)
