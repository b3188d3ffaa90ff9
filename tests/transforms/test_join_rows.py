"""Short rows in memory as one long row: which are joined, into what, and that results stay."""

import numpy as np
import pytest

import polyad as pa
from polyad.ir.program import Program
from polyad.machine import Machine
from polyad.ops.program_text import parse_program
from polyad.transforms.passes.layout.join_rows import join_rows
from tests.transforms.equivalence import assert_same

IMAGES = """
program images: [N] -> { : N >= 1 }
  input     x: float64[N, 4, 5]
  temporary t: float64[N, 4, 5]
  temporary m: float64[N]
  output    y: float64[N, 4, 5]
  T: [N] -> { T[n, i, j] : EVERY }
      t[n, i, j] = tanh(x[n, i, j])
  M: [N] -> { M[n, i, j] : EVERY }
      m[n] += t[n, i, j] * t[n, i, j]
  Y: [N] -> { Y[n, i, j] : EVERY }
      y[n, i, j] = t[n, i, j] - m[n]
MORE""".replace("EVERY", "0 <= n < N and 0 <= i < 4 and 0 <= j < 5")
EVERY = "0 <= n < N and 0 <= i < 4 and 0 <= j < 5"
SIZES = ({"N": 1}, {"N": 3})


def images(more: str = "") -> Program:
    return parse_program(IMAGES.replace("MORE", more))


def ranks(program: Program) -> dict[str, int]:
    return {s.name: len(s.dims) for s in program.statements}


def test_pixels_are_one_dimension() -> None:
    joined = join_rows(before := images())
    assert ranks(joined) == {"T": 2, "M": 2, "Y": 2}
    assert [str(e) for e in joined.arrays["t"].shape] == ["N", "20"]
    assert joined.arrays["x"] == before.arrays["x"], "arrays of the caller stay"
    assert_same(before, joined, *SIZES)
    assert join_rows(joined) is joined


@pytest.mark.parametrize(
    ("machine", "why"),
    [
        (Machine(joined=(5, 4096)), "rows of 5 are not short"),
        (Machine(joined=(64, 19)), "20 pixels are too many"),
        (Machine(piece=5), "rows of 5 are whole vectors"),
    ],
)
def test_how_much_is_joined_is_for_the_machine_to_say(machine: Machine, why: str) -> None:
    before = images()
    assert join_rows(before, machine) is before, why


@pytest.mark.parametrize(
    ("more", "stays"),
    [
        (f"  output s: float64[N, 4]\n  S: [N] -> {{ S[n, i, j] : {EVERY} }}\n      s[n, i] += t[n, i, j]\n", "TMYS"),
        (
            "  input b: float64[5]\n  output z: float64[N, 4, 5]\n"
            f"  Z: [N] -> {{ Z[n, i, j] : {EVERY} }}\n      z[n, i, j] = t[n, i, j] + b[j]\n",
            "Z",
        ),
        (
            f"  output z: float64[N, 4, 5]\n  Z: [N] -> {{ Z[n, i, j] : {EVERY} }}\n"
            "      z[n, i, j] = t[n, i, j] * select(lt(index(i), index(2)), 2.0, 1.0)\n",
            "Z",
        ),
        (
            f"  output z: float64[N, 4, 5]\n  Z: [N] -> {{ Z[n, i, j] : {EVERY} and i >= 1 }}\n"
            "      z[n, i, j] = t[n, i, j]\n"
            f"  Z0: [N] -> {{ Z0[n, i, j] : {EVERY} and i = 0 }}\n      z[n, i, j] = 0.0\n",
            ("Z", "Z0"),
        ),
        (
            f"  output z: float64[N, 4, 5]\n  Z: [N] -> {{ Z[n, i, j] : {EVERY} }}\n"
            "      z[n, i, j] = t[n, i, 4 - j]\n",
            "Z",
        ),
        (
            f"  output z: float64[N, 5, 4]\n  Z: [N] -> {{ Z[n, i, j] : {EVERY} }}\n      z[n, j, i] = t[n, i, j]\n",
            "Z",
        ),
    ],
    ids=["sums of rows", "a row for all", "its number", "some rows", "backwards", "turned"],
)
def test_what_depends_on_one_of_the_two_stays(more: str, stays: str) -> None:
    """It reads joined arrays where they lie; a sum of each row keeps the rows of all that it reads."""
    joined = join_rows(before := images(more))
    assert {name for name, rank in ranks(joined).items() if rank == 3} == {*stays}
    assert_same(before, joined, *SIZES)


def test_states_of_a_recurrence_keep_their_rows() -> None:
    text = """
program steps: [T] -> { : T >= 1 }
  input     x: float64[4, 5]
  output    h: float64[T + 1, 4, 5]
  I: [T] -> { I[i, j] : 0 <= i < 4 and 0 <= j < 5 }
      h[0, i, j] = x[i, j]
  S: [T] -> { S[t, i, j] : 0 <= t < T and 0 <= i < 4 and 0 <= j < 5 }
      h[t + 1, i, j] = tanh(h[t, i, j])
"""
    before = parse_program(text)
    assert join_rows(before) is before


def test_a_normalised_convolution_runs_along_pixels() -> None:
    """Loops and products of matrices of a layer with its gradient, and the same numbers."""
    rng = np.random.default_rng(3)
    x, w = (rng.standard_normal(shape).astype("float32") for shape in ((2, 3, 7, 7), (4, 3, 3, 3)))

    def layer(x: pa.Tensor, w: pa.Tensor) -> pa.Tensor:
        y = pa.nn.conv2d(x, w, padding=1)
        y = (y - pa.numpy.mean(y, axis=(0, 2, 3), keepdims=True)) ** 2
        return pa.numpy.mean(pa.nn.relu(y) * y)

    made = pa.jit(pa.value_and_grad(layer, argnums=(0, 1)))
    value, (x_bar, w_bar) = made(x, w)
    plain = pa.jit(pa.value_and_grad(layer, argnums=(0, 1)), target=pa.Target(optimize=1))
    expected, (x_expected, w_expected) = plain(x, w)
    np.testing.assert_allclose(value, expected, rtol=1e-5)
    np.testing.assert_allclose(x_bar, x_expected, rtol=1e-4, atol=1e-7)
    np.testing.assert_allclose(w_bar, w_expected, rtol=1e-4, atol=1e-6)
    source = made.kernel.source
    assert source.count("pa_contract_f32(") == 3
    assert source.count("< 49; ") >= 3
