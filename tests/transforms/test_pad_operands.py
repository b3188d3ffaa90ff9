import numpy as np
import pytest

from polyad.codegen.options import CodegenOptions
from polyad.ops.program_text import parse_program
from polyad.schedule.scheduler import default_schedule
from polyad.semantics.evaluate import evaluate
from polyad.transforms.passes.boxes.pad_operands import pad_operands
from polyad.transforms.passes.initialise import initialise
from tests.codegen.compiled import Library, source_of
from tests.transforms.equivalence import assert_same

CONVOLUTION = """
program convolution: [C, K, H] -> { : C >= 1 and K >= 1 and H >= 3 }
  input     x: float64[C, H]
  input     w: float64[K, C, 3]
  input     r: float64[K, H]
  output    y: float64[K, H]
  output    w_bar: float64[K, C, 3]
  Y: [C, K, H] -> { Y[o, i, c, k] : 0 <= o < K and 0 <= i < H and 0 <= c < C and 0 <= k < 3 and 1 <= i + k <= H }
      y[o, i] += w[o, c, k] * x[c, i + k - 1]
  W: [C, K, H] -> { W[o, c, k, i] : 0 <= o < K and 0 <= i < H and 0 <= c < C and 0 <= k < 3 and 1 <= i + k <= H }
      w_bar[o, c, k] += r[o, i] * x[c, i + k - 1]
"""
STRIDE = (
    CONVOLUTION.replace("1 <= i + k <= H", "1 <= 2 * i + k <= H")
    .replace("x[c, i + k - 1]", "x[c, 2 * i + k - 1]")
    .replace("[K, H]\n  output", "[K, 4]\n  output")
    .replace("y: float64[K, H]", "y: float64[K, 4]")
    .replace("0 <= i < H", "0 <= i < 4")
    .replace("H >= 3", "H = 7")
)
SIZES = ({"C": 1, "K": 1, "H": 3}, {"C": 2, "K": 3, "H": 5})
TRIANGLE = CONVOLUTION.replace("1 <= i + k <= H", "k <= i < H - 2")
POLYNOMIALS = """
program polynomials: [M, N] -> { : M >= 1 and N >= 1 }
  input     a: float64[M, N]
  input     b: float64[M, N]
  output    c: float64[M, M, 2 * N]
  S: [M, N] -> { S[i, j, n, k] : 0 <= i < M and 0 <= j < M and 0 <= k < N and 0 <= n - k < N }
      c[i, j, n] += a[i, k] * b[j, n - k]
"""
ALONE = """
program alone: [H] -> { : H >= 3 }
  input     x: float64[H]
  input     w: float64[3]
  output    y: float64[H]
  S: [H] -> { S[i, k] : 0 <= i < H and 0 <= k < 3 and 1 <= i + k <= H }
      y[i] += w[k] * x[i + k - 1]
"""


def test_both_products_share_one_copy() -> None:
    before = initialise(parse_program(CONVOLUTION))
    after = pad_operands(before)
    assert [str(a) for a in after.arrays.values() if a.name not in before.arrays] == ["x_padded: float64[C, H + 2]"]
    assert [s.name for s in after.statements if s.array == "x_padded"] == [
        "x_padded",
        "x_padded_border",
        "x_padded_border_1",
    ]
    drawn = default_schedule(after).tree()
    assert drawn.count("contraction for") == 2
    assert_same(before, after, *SIZES)
    assert pad_operands(after) is after


def test_strides() -> None:
    before = initialise(parse_program(STRIDE))
    after = pad_operands(before)
    assert str(after.arrays["x_padded"]) == "x_padded: float64[C, H + 2]"
    assert_same(before, after, {"C": 2, "K": 3, "H": 7})


@pytest.mark.parametrize("text", [TRIANGLE, POLYNOMIALS, ALONE], ids=["triangle", "polynomials", "alone"])
def test_what_is_no_frame_stays(text: str) -> None:
    """A triangle, a frame as wide as the operand, and a sum that is no product of matrices."""
    before = initialise(parse_program(text))
    assert pad_operands(before) is before


def test_compiled() -> None:
    program, source = source_of(str(pad_operands(initialise(parse_program(CONVOLUTION)))), CodegenOptions())
    random = np.random.default_rng(0)
    for sizes in (*SIZES, {"C": 8, "K": 16, "H": 100}):
        shapes = {"x": ("C", "H"), "w": ("K", "C", 3), "r": ("K", "H")}
        inputs = {n: random.normal(size=[sizes.get(e, e) for e in shape]) for n, shape in shapes.items()}
        expected = evaluate(program, inputs, sizes)
        for name, values in Library(source).run(sizes, inputs).items():
            np.testing.assert_allclose(values, expected[name], rtol=1e-11, atol=1e-11)
