"""Memory that the threads of a region share: variables declared in front of it, and arrays."""

import re

import numpy as np
import pytest

import polyad as pa
from polyad.codegen.options import CodegenOptions
from polyad.frontend.compiled import program_of
from polyad.ir.program import Program
from polyad.machine import TINY
from polyad.semantics.evaluate import evaluate
from tests.acceptance.native_batch import NativeBatch
from tests.codegen.compiled import Library, source_of
from tests.codegen.threads import threads
from tests.machines import THREADS
from tests.transforms.equivalence import random_inputs


def of(name: str, *shape: int) -> pa.Tensor:
    return pa.placeholder(shape, name, "float64")


def mean_of_products() -> Program:
    """The mean of what is computed strip by strip, for its gradients."""
    x, w, b, r = of("x", 8, 4, 9), of("w", 4, 4), of("b", 4), of("r", 8, 4, 9)
    loss = pa.numpy.mean(pa.nn.silu(w[:, 0][None, :, None] * x + b[None, :, None]) * r)
    return program_of([loss, *pa.grad(loss, [x, w, b])], [x, w, b, r], "products")[0]


def two_means() -> Program:
    """Two means, the first with a gradient by a number."""
    x, b = of("x", 9, 7), of("b")
    loss = pa.numpy.mean(pa.numpy.abs(x - b)) + pa.numpy.mean(pa.sin(x))
    return program_of([loss, *pa.grad(loss, [x, b])], [x, b], "means")[0]


@pytest.mark.parametrize("make", [mean_of_products, two_means])
def test_a_sum_that_lives_outside_of_a_region_is_added_up_once(make: object) -> None:
    batch, program = NativeBatch(machine=TINY), make()
    (number,) = batch.add(program, (True,))
    text = batch.sources[number].c
    outside = set(re.findall(r"^  double (\w+) = ", text[: text.index("PA_PARALLEL_IF")], re.MULTILINE))
    inside = text[text.index("PA_PARALLEL_IF") : text.index("\n  }\n", text.index("PA_PARALLEL_IF"))]
    assert any(f"{name} += " in inside for name in outside), "no variable in front of a region is added to in it"
    batch.build()
    inputs = random_inputs(program, {})
    expected = evaluate(program, inputs, {})
    for count in (1, 2, 3):
        for name, values in batch.run(number, inputs, {}, count).items():
            np.testing.assert_allclose(values, expected[name], rtol=1e-11, atol=1e-12, err_msg=name)


# `new` takes over the memory of `old` in the loop over t: q is computed by every thread, new by one of them.
OVERLAID = """
program overlaid: [T, N] -> { : T >= 2 and N >= 2 }
  input     x: float64[T]
  input     u: float64[N]
  input     a: float64[N, N]
  temporary total: float64[]
  temporary old: float64[T]
  temporary q: float64[T]
  temporary new: float64[T]
  temporary v: float64[T]
  temporary p: float64[T, N]
  temporary h: float64[T + 1, N]
  output    y: float64[T]
  output    z: float64[N]
  O: [T, N] -> { O[t] : 0 <= t < T }
      old[t] = tanh(x[t])
  S: [T, N] -> { S[t] : 0 <= t < T }
      total[] += old[t]
  H0: [T, N] -> { H0[i] : 0 <= i < N }
      h[0, i] = u[i] + total[]
  Q: [T, N] -> { Q[t] : 0 <= t < T }
      q[t] = old[t] * h[t, 1]
  W: [T, N] -> { W[t] : 0 <= t < T }
      new[t] = tanh(q[t] + h[t, 0])
  V: [T, N] -> { V[t] : 0 <= t < T }
      v[t] = new[t] * q[t]
  P: [T, N] -> { P[t, i, k] : 0 <= t < T and 0 <= i < N and 0 <= k < N }
      p[t, i] += a[i, k] * tanh(h[t, k] * h[t, i])
  H: [T, N] -> { H[t, i] : 0 <= t < T and 0 <= i < N }
      h[t + 1, i] = tanh(q[t] * p[t, i] + v[t])
  Y0: [T, N] -> { Y0[] }
      y[0] = 1.0
  Y: [T, N] -> { Y[t] : 1 <= t < T }
      y[t] = tanh(y[t - 1] * new[T - 1 - t])
  Z: [T, N] -> { Z[i] : 0 <= i < N }
      z[i] = h[T, i]
"""


def test_arrays_in_one_piece_of_memory_are_one_for_threads() -> None:
    program, source = source_of(OVERLAID, CodegenOptions(machine=THREADS))
    assert source.memory.homes["new"] == "old"
    assert re.search(r"double q = old\[t\].*\n *PA_BARRIER\n *PA_SINGLE\n", source.c)
    library = Library(source)
    sizes = {"T": 5, "N": 4}
    inputs = random_inputs(program, sizes)
    expected = evaluate(program, inputs, sizes)
    for count in (1, 2):
        with threads(library.path, count):
            for name, values in library.run(sizes, inputs).items():
                np.testing.assert_allclose(values, expected[name], rtol=1e-12, atol=1e-12, err_msg=name)
