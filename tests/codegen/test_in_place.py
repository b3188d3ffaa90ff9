"""Arrays that take over the memory of others, element by element."""

import numpy as np
import pytest

from polyad.codegen.certify.certify import certify
from polyad.codegen.options import CodegenOptions
from polyad.codegen.plan import plan_kernel
from polyad.schedule.scheduler import default_schedule
from polyad.semantics.evaluate import evaluate
from tests.codegen.compiled import Library, source_of

# u is read for the last time where v is made of it; both are read with other elements elsewhere.
RELAY = """
program relay: [N] -> { : N >= 3 }
  input     x: float64[N, N]
  temporary u: float64[N, N]
  temporary v: float64[N, N]
  temporary s: float64[N]
  output    y: float64[N, N]
  U: [N] -> { U[i, j] : 0 <= i < N and 0 <= j < N }
      u[i, j] = exp(x[i, j])
  S: [N] -> { S[i, j] : 0 <= i < N and 0 <= j < N }
      s[j] += u[N - 1 - i, j]
  V: [N] -> { V[i, j] : 0 <= i < N and 0 <= j < N }
      v[i, j] = s[N - 1 - j] * (LAST)
  Y: [N] -> { Y[i, j] : 0 <= i < N and 0 <= j < N }
      y[i, j] = v[N - 1 - i, j] * v[i, N - 1 - j]
"""


def relay(last: str) -> tuple[list[tuple[str, ...]], str]:
    """The arrays that lie in each slot, and the C text; the results are checked."""
    program, source = source_of(RELAY.replace("LAST", last))
    x = np.random.default_rng(0).normal(size=(37, 37))
    found, expected = Library(source).run({"N": 37}, {"x": x}), evaluate(program, {"x": x}, {"N": 37})
    for name, values in expected.items():
        np.testing.assert_allclose(found[name], values, rtol=1e-12)
    memory = source.memory
    found_there = {
        n: (n, *(a for a, home in memory.homes.items() if home == n)) for s in memory.slots for n in s.arrays
    }
    return [tuple(a for n in slot.arrays for a in found_there[n]) for slot in memory.slots], source.c


def test_an_array_begins_where_another_ends() -> None:
    slots, text = relay("tanh(u[i, j]) * x[i, j]")
    assert slots == [("u", "v"), ("s",)]
    # One pointer leads there, so that it may claim the place for itself.
    assert text.count("double *PA_RESTRICT u") == 1 and "*v" not in text and "*PA_RESTRICT v" not in text
    assert "u[i * N + j] = s[N - j - 1] * (pa_tanh_f64(u[i * N + j]) * x[i * N + j]);" in text


@pytest.mark.parametrize(
    "last",
    [
        "tanh(u[N - 1 - i, j])",  # another element of u
        "tanh(u[j, i])",
        "u[i, j] + u[i, N - 1 - j]",  # one that a later iteration has written
    ],
)
def test_elements_that_others_still_need_stay(last: str) -> None:
    slots, _ = relay(last)
    assert sorted(slots) == [("s",), ("u",), ("v",)]


# Of one step, p is done with before q begins, and q before p of the next step; both are read in another order.
TWO = """
program two: [T, N] -> { : T >= 0 and N >= 1 }
  input     x: float64[N]
  temporary h: float64[T + 1, N]
  temporary p: float64[T, N]
  temporary m: float64[T, N]
  temporary q: float64[T, N]
  output    y: float64[N]
  H: [T, N] -> { H[i] : 0 <= i < N }
      h[0, i] = x[i]
  P: [T, N] -> { P[t, i] : 0 <= t < T and 0 <= i < N }
      p[t, i] = exp(0.5 * h[t, N - 1 - i])
  M: [T, N] -> { M[t, i] : 0 <= t < T and 0 <= i < N }
      m[t, i] = tanh(h[t, i] + p[t, N - 1 - i] * p[t, i])
  Q: [T, N] -> { Q[t, i] : 0 <= t < T and 0 <= i < N }
      q[t, i] = exp(0.5 * m[t, N - 1 - i])
  G: [T, N] -> { G[t, i] : 0 <= t < T and 0 <= i < N }
      h[t + 1, i] = tanh(LAST + q[t, N - 1 - i] * q[t, i])
  Y: [T, N] -> { Y[i] : 0 <= i < N }
      y[i] = h[T, i]
"""


def together(text: str) -> set[str]:
    """The temporaries in the place of p; the results are right, and certified."""
    program, source = source_of(text)
    certify(plan_kernel(program, default_schedule(program), CodegenOptions()))
    x = np.random.default_rng(0).normal(size=37)
    for sizes in ({"T": 0, "N": 37}, {"T": 5, "N": 37}, {"T": 4, "N": 1}):
        given = {"x": x[: sizes["N"]]}
        found, expected = Library(source).run(sizes, given), evaluate(program, given, sizes)
        np.testing.assert_allclose(found["y"], expected["y"], rtol=1e-12)
    homes = source.memory.homes
    return {name for name in "pmq" if homes.get(name, name) == homes.get("p", "p")}


def test_arrays_of_one_step_lie_in_one_place() -> None:
    assert together(TWO.replace("LAST", "m[t, i]")) == {"p", "q"}


def test_an_array_that_is_read_after_the_other_begins_lies_elsewhere() -> None:
    assert together(TWO.replace("LAST", "m[t, i] * p[t, i]")) == {"p"}


# y begins as what x is, and is added to.
RESIDUAL = """
program residual: [N] -> { : N >= 1 }
  input     a: float64[N, N]
  input     w: float64[N, N]
  temporary x: float64[N, N]
  temporary u: float64[N, N]
  temporary y: float64[N, N]
  output    z: float64[N, N]
  X: [N] -> { X[i, j, k] : 0 <= i < N and 0 <= j < N and 0 <= k < N }
      x[i, j] += a[i, k] * w[k, j]
  U: [N] -> { U[i, j] : 0 <= i < N and 0 <= j < N }
      u[i, j] = tanh(x[i, j])
  Y: [N] -> { Y[i, j] : 0 <= i < N and 0 <= j < N }
      y[i, j] = x[INDEX]
  S: [N] -> { S[i, j, k] : 0 <= i < N and 0 <= j < N and 0 <= k < N }
      y[i, j] += u[i, k] * w[k, j]
  Z: [N] -> { Z[i, j] : 0 <= i < N and 0 <= j < N }
      z[i, j] = LAST
"""


@pytest.mark.parametrize("n", [1, 2, 7, 40])
@pytest.mark.parametrize(
    ("index", "last", "gone"),
    [
        ("i, j", "y[N - 1 - i, j]", True),
        ("i, j", "y[N - 1 - i, j] + x[i, j]", False),  # x is there for longer
        ("N - 1 - i, j", "y[N - 1 - i, j]", False),  # another element
        ("j, i", "y[N - 1 - i, j]", False),
    ],
)
def test_a_copy_to_its_own_place_does_not_run(index: str, last: str, gone: bool, n: int) -> None:
    program, source = source_of(RESIDUAL.replace("INDEX", index).replace("LAST", last))
    random = np.random.default_rng(n)
    arrays = {name: random.normal(size=(n, n)) for name in "aw"}
    found, expected = Library(source).run({"N": n}, arrays), evaluate(program, arrays, {"N": n})
    np.testing.assert_allclose(found["z"], expected["z"], rtol=1e-12, atol=1e-12)
    options = CodegenOptions()
    plan = plan_kernel(program, default_schedule(program, options.strategies), options)
    assert (plan.storage.gone == {"Y"}) is gone, source.c
    assert certify(plan).sizes
