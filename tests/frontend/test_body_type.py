"""Types do not depend on what is simplified away."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import polyad as pa
from polyad import nn
from polyad import numpy as pn
from polyad.frontend.body_type import kind_of
from polyad.frontend.lower import Lowering
from polyad.frontend.scalar import Reduced, Scalar, as_scalar
from polyad.frontend.symbols import merge_symbols
from polyad.islx import LOCK
from tests.evaluated import values_of

X = np.array([[1.0, 2.0], [3.0, 4.0]], np.float32)

ALL_ZERO: dict[str, Callable[[pa.Tensor], pa.Tensor]] = {
    "triu": lambda x: pn.triu(x, 9),
    "tril": lambda x: pn.tril(x, -9),
    "conv2d": lambda x: nn.conv2d(x[None, None, :1], np.ones((1, 1, 1, 1), "float32"), stride=3, padding=(2, 0)),
    "compute": lambda x: pa.compute((2, 2), lambda i, j: pa.select(i + j < 0, x[i, j], 0)),
    "nested": lambda x: pa.compute((2,), lambda i: pa.select(i < 2, 0, pa.select(i < 9, x[i, 0], 1))),
    "sum": lambda x: pa.compute((2,), lambda i: pa.select(i < 2, 0, pn.sum(x))),
    "python": lambda x: pa.select(False, x, 0),
}


@pytest.mark.parametrize("name", ALL_ZERO)
def test_zeros_keep_the_type_of_the_tensor(name: str) -> None:
    x = pa.placeholder((2, 2), "x", "float32")
    y = ALL_ZERO[name](x)
    assert y.dtype == "float32"
    slope = pa.differentiate(pn.sum(y), [x])[x]
    for value in values_of([y, slope], x=X):
        assert not np.any(value)


def test_no_condition_changes_a_type() -> None:
    x, n = pa.placeholder((2,), "x", "float32"), pa.placeholder((2,), "n", "int32")
    pairs: list[tuple[Callable[[Any], Any], Callable[[Any], Any], str]] = [
        (lambda i: x[i], lambda i: n[i], "float64"),
        (lambda i: n[i], lambda i: 0.5, "float64"),
        (lambda i: n[i], lambda i: 1, "int32"),
        (lambda i: x[i] > 0, lambda i: n[i], "int32"),
        (lambda i: i, lambda i: x[i], "float32"),
    ]
    for a, b, expected in pairs:
        for bound in (-1, 0, 1, 2, 5):
            y = pa.compute((2,), lambda i, a=a, b=b, bound=bound: pa.select(i < bound, a(i), b(i)))
            assert y.dtype == expected, (bound, expected)


def test_types_are_those_that_lowering_finds() -> None:
    x, n = pa.placeholder((3,), "x", "float32"), pa.placeholder((3,), "n", "int32")
    k = pa.reduce_axis(3, "k")
    bodies: list[Any] = [
        1,
        2.5,
        True,
        k,
        x[k],
        n[k] + 1,
        n[k] * 0.5,
        x[k] + n[k],
        n[k] / 2,
        n[k] // 2,
        pa.exp(n[k]),
        pa.sqrt(2 * k),
        x[k] > 0,
        (x[k] > 0) & ~(n[k] == 1),
        (x[k] > 0) + (x[k] > 1),
        pa.abs(x[k] > 0),
        pa.cast(x[k], "int32"),
        pa.select(x[k] > 0, n[k], 1.5),
        pa.select(x[k] > 0, k, 1.0),
    ]
    for body in bodies:
        with LOCK:
            node: Scalar = as_scalar(body)
            axis = k.axes[0]
            lowering = Lowering("y", "here", merge_symbols({axis.name: axis}))
            found = lowering.lower(node, lowering.scope([axis], "S"))
        assert kind_of(node, {}) == found.kind, body
        if found.kind.dtype == "bool":
            continue
        total = Reduced("max", (axis,), node)
        assert pa.compute((), lambda total=total: total).dtype == kind_of(total, {}).dtype
