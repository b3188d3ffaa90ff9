"""Sizes at which a slice or a window ends before it begins: refused by name, as NumPy's cut cannot be said for all."""

import numpy as np
import pytest

import polyad as pa
from polyad.errors import CallError

N, K = pa.sizes("N K")
x = pa.placeholder((N,), "x", "float64")


def test_slices_ask_for_sizes_that_they_fit_into() -> None:
    """u[1:-1] has N - 2 elements; NumPy says 0 where N = 1, and a pad back makes 2 of them."""
    kernel = pa.compile([pa.numpy.pad(x[1:-1], ((1, 1),))], [x])
    assert kernel(np.ones(3)).tolist() == [0.0, 1.0, 0.0] and kernel(np.ones(2)).tolist() == [0.0, 0.0]
    with pytest.raises(
        CallError, match=r"at N = 1, x_part \(.*py:\d+\) of shape \(N - 2\) would have the shape \(-1,\)"
    ):
        kernel(np.ones(1))
    with pytest.raises(CallError, match="x_part"):
        kernel.memory_plan(N=1)


@pytest.mark.parametrize("part", [pa.numpy.mean(x[2:]), pa.numpy.concatenate([x[1:-1], x]), x[3:]])
def test_the_evaluator_and_the_text_assume_the_same(part: pa.Tensor) -> None:
    kernel = pa.compile([part], [x])
    least = 3 if part.ndim == 1 and "N - 3" in str(kernel.definition) else 2
    assert kernel.program.context.is_equal(type(kernel.program.context)(f"[N] -> {{ : N >= {least} }}"))


def test_windows_of_another_size() -> None:
    w = pa.placeholder((K,), "w", "float64")
    k = pa.reduce_axis(K)
    valid = pa.compute((N - K + 1,), lambda i: pa.sum(x[i + k] * w[k], axis=k), "valid")
    kernel = pa.compile([valid], [x, w])
    assert kernel(np.ones(2), np.ones(3)).shape == (0,)
    with pytest.raises(CallError, match=r"at K = 4, N = 2, valid .* would have the shape \(-1,\)"):
        kernel(np.ones(2), np.ones(4))


def test_sizes_that_always_fit_are_not_asked_for() -> None:
    program = pa.compile([x[1:], x[::2], x[:-1], pa.numpy.pad(x, ((1, 1),))], [x]).program
    assert str(program.context).replace(" ", "") in ("[N]->{:N>0}", "[N]->{:N>=1}")


def test_numbers_are_cut() -> None:
    one = pa.placeholder((1,), "one", "float64")
    assert pa.compile([pa.numpy.pad(one[1:-1], ((1, 1),))], [one])(np.ones(1)).tolist() == [0.0, 0.0]
