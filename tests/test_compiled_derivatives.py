"""The check of compiled derivatives sees kernels that are wrong, and says which test asked for them."""

from dataclasses import replace

import numpy as np
import pytest

import polyad as pa
from tests.compiled_derivatives import Unsettled, check_derivatives, settle


def ask() -> None:
    n = pa.sizes("N")
    x = pa.placeholder((n,), "x", "float64")
    check_derivatives(pa.sin(x) * x, [x], x=np.array([0.3, -0.7, 1.1]))


def test_right_kernels_pass() -> None:
    ask()
    settle()
    assert not Unsettled.cases


@pytest.mark.parametrize(
    ("before", "after", "message"),
    [
        ("pa_sin_f64(x[n])", "pa_cos_f64(x[n])", "value"),
        ("pa_cos_f64(x[n])", "pa_sin_f64(x[n])", "slope"),
        ("x_dot[n]", "x[n]", "gradient and tangent"),
    ],
)
def test_wrong_kernels_are_seen(before: str, after: str, message: str) -> None:
    ask()
    (source,) = Unsettled.batch.sources
    assert before in source.c, source.c
    Unsettled.batch.sources[0] = replace(source, c=source.c.replace(before, after))
    with pytest.raises(AssertionError, match=f"(?s)test_wrong_kernels_are_seen.*{message}"):
        settle()
