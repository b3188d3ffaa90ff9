"""Checkpointed scans of any body and any length: recurrences and scans in the body belong to a segment, too."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import polyad as pa
from polyad.frontend.compiled import program_of
from polyad.semantics.evaluate import evaluate

m = pa.numpy
H = 3
RNG = np.random.default_rng(0)


def chain(c: Any) -> Any:
    return pa.recurrence(H, lambda s, i: pa.select(i == 0, c[0], pa.sin(s[i - 1]) + c[i]), "chain", "float64")


def grid(c: Any) -> Any:
    def element(s: Any, i: Any, j: Any) -> Any:
        return pa.select(i == 0, c[j], pa.select(j == 0, c[i], 0.3 * s[i - 1, j] + 0.2 * s[i, j - 1]))

    return pa.recurrence((2, H), element, "grid", "float64")[1]


def inner(c: Any, x: Any) -> Any:
    return pa.scan(lambda h, v: (pa.sin(h) + 0.1 * v, h * v), c, m.stack([x, 0.5 * c]))


BODIES: dict[str, Callable[[Any, Any], tuple[Any, Any]]] = {
    "cumsum": lambda c, x: (0.3 * m.cumsum(c) + x, c),
    "cumprod": lambda c, x: (0.3 * m.cumprod(c) + x, c * x),
    "recurrence": lambda c, x: (chain(0.5 * c) + x, c),
    "recurrence in two dimensions": lambda c, x: (grid(0.5 * c) + x, c),
    "of the inputs": lambda c, x: (m.cumsum(x) * c, x),
    "for the output": lambda c, x: (pa.tanh(c) + x, m.cumsum(c)),
    "scan": lambda c, x: inner(c, x),
    "cumsum in a scan": lambda c, x: (0.1 * pa.scan(lambda h, v: (m.cumsum(h) * v, None), c, m.stack([x, c]))[0], c),
}


def gradient(body: Callable[..., Any], length: Any, checkpoint: pa.checkpoint.Checkpoint | None) -> tuple[Any, Any]:
    """(loss, gradients), (inputs)."""
    c, x = pa.placeholder((H,), "c", "float64"), pa.placeholder((length, H), "x", "float64")
    last, states = pa.scan(body, c, x, checkpoint=checkpoint)
    loss = m.sum(last * last) + m.sum(m.sin(states))
    return [loss, *pa.grad(loss, [c, x])], [c, x]


QUICK = ("cumsum", "for the output", "scan")


@pytest.mark.parametrize("body", [b if b in QUICK else pytest.param(b, marks=pytest.mark.slow) for b in BODIES])
@pytest.mark.parametrize(
    ("length", "checkpoint"),
    [(4, pa.checkpoint.every(3)), pytest.param(3, pa.checkpoint.sqrt(), marks=pytest.mark.slow)],
)
def test_equations(body: str, length: int, checkpoint: pa.checkpoint.Checkpoint) -> None:
    """The last segment is shorter."""
    values = {"c": RNG.normal(size=H), "x": RNG.normal(size=(length, H))}
    found = []
    for policy in (None, checkpoint):
        program, _ = program_of(*gradient(BODIES[body], length, policy), "gradient")
        found.append([evaluate(program, values, {})[name] for name in program.outputs])
    for a, b in zip(*found, strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-11, atol=1e-13)


@pytest.mark.slow
@pytest.mark.parametrize("body", BODIES)
def test_kernels_of_any_length(body: str) -> None:
    T = pa.sizes("T")
    plain, segmented = (pa.compile(*gradient(BODIES[body], T, c), name="k") for c in (None, pa.checkpoint.every(3)))
    for length in (1, 2, 3, 4, 5, 7):
        values = {"c": RNG.normal(size=H), "x": RNG.normal(size=(length, H))}
        for a, b in zip(plain(**values), segmented(**values), strict=True):
            np.testing.assert_allclose(a, b, rtol=1e-11, atol=1e-13)
