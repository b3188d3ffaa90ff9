"""`step_function`: a step whose state stays where it is, the same numbers as the scan with the same weights."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import polyad as pa

H, I = pa.sizes("H I")
X = pa.placeholder((I,), "x")
W_IH, W_HH = pa.placeholder((4 * H, I), "W_ih"), pa.placeholder((4 * H, H), "W_hh")
RNG = np.random.default_rng(0)
WEIGHTS = [RNG.normal(size=s).astype(np.float32) for s in ((16, 3), (16, 4))]
XS = RNG.normal(size=(5, 3)).astype(np.float32)


def step(carry: Any, x: Any) -> Any:
    h, c = pa.nn.lstm_cell(x, carry, W_IH, W_HH)
    return (h, c), {"y": h * 2.0}


def model() -> Any:
    zero = pa.numpy.zeros((H,), "float32")
    return pa.step_function(step, (zero, zero), X, name="net")


def test_steps_are_those_of_the_scan() -> None:
    net = model()
    state = net.init(H=4)
    for array in state:
        np.testing.assert_array_equal(array, np.zeros(4))
    xs, zero = pa.placeholder((5, I), "xs"), pa.numpy.zeros((H,), "float32")
    last, ys = pa.scan(step, (zero, zero), xs)
    (h, c), expected = pa.compile((last, ys["y"]), [xs, W_IH, W_HH])(XS, *WEIGHTS)
    for x, row in zip(XS, expected, strict=True):
        state, outputs = net.step(*state, x, *WEIGHTS)
        np.testing.assert_allclose(outputs["y"], row, rtol=2e-6)
    np.testing.assert_allclose(state[0], h, rtol=2e-6)
    np.testing.assert_allclose(state[1], c, rtol=2e-6)


def test_the_state_is_one_argument_of_c(tmp_path: Path) -> None:
    net = model()
    states = [a.name for a in net.step.code.arguments if a.overwritten]
    assert len(states) == 2
    head = " ".join(net.step.source.split())
    assert f"net_step_sizes *sizes, float *{states[0]}, float *{states[1]}, const float *x, const float *W_ih" in head
    files = {f.name for f in net.export(tmp_path, source_only=True)}
    assert {"net_init.c", "net_init.h", "net_step.c", "net_step.h"} <= files
    assert "proved" in str(net.step.certify(H=4, I=3))


def test_arrays_of_the_state_are_updated_where_they_are() -> None:
    decay = pa.step_function(
        lambda m, x: (0.5 * m + x, None), pa.numpy.zeros((3,)), pa.placeholder((3,), "x", "float64")
    )
    state, x = np.ones(3), np.arange(3.0)
    pointer = state.ctypes.data
    for _ in range(2):
        decay.step(state, x, out=[state])
    assert state.ctypes.data == pointer
    np.testing.assert_allclose(state, 0.25 + 1.5 * x)


def test_numbers_as_first_states_and_inputs_that_are_none() -> None:
    count = pa.step_function(lambda n, _: (n + 1, n), 3, name="count")
    assert count.init() == 3
    assert count.step(np.array(5)) == (6, 5)


def test_refusals() -> None:
    two = (pa.numpy.zeros((H,)),) * 2
    with pytest.raises(pa.DefinitionError, match="cannot be updated in place"):
        pa.step_function(lambda s, x: ((s[1], s[0]), None), two, X)
    with pytest.raises(pa.DefinitionError, match="no state to keep"):
        pa.step_function(lambda s, x: (s, x), (), X)
    with pytest.raises(pa.ShapeError, match="starts with shape"):
        pa.step_function(lambda s, x: (x, None), two[0], X)
