"""Which arrays take over the memory of others, element by element."""

import numpy as np
import pytest

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
    """The arrays in each slot, and the C text; the results are checked."""
    program, source = source_of(RELAY.replace("LAST", last))
    x = np.random.default_rng(0).normal(size=(37, 37))
    found, expected = Library(source).run({"N": 37}, {"x": x}), evaluate(program, {"x": x}, {"N": 37})
    for name, values in expected.items():
        np.testing.assert_allclose(found[name], values, rtol=1e-12)
    return [slot.arrays for slot in source.memory.slots], source.c


def test_an_array_begins_where_another_ends() -> None:
    slots, text = relay("tanh(u[i, j]) * x[i, j]")
    assert slots == [("u", "v"), ("s",)]
    # In that nest both pointers lead to one place, so neither may claim it for itself.
    nest = text.split("/* V: ")[0].rpartition("double *u =")[2]
    assert "double *v = (double *)slot_0;" in nest and "PA_RESTRICT" not in nest
    assert text.count("double *PA_RESTRICT u") >= 1


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
