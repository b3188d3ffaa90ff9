"""Classes of residues: which contractions are split into them, into what, and that results stay."""

import numpy as np
import pytest

import polyad as pa
from polyad.codegen.options import CodegenOptions
from polyad.ops.program_text import parse_program
from polyad.schedule.scheduler import default_schedule
from polyad.semantics.evaluate import evaluate
from polyad.transforms.passes.boxes.pad_operands import pad_operands
from polyad.transforms.passes.boxes.residues import split_residues
from polyad.transforms.passes.initialise import initialise
from tests.codegen.compiled import Library, source_of
from tests.transforms.equivalence import assert_same

# The gradient of a convolution with stride 2 and a filter of 3 with respect to its input.
TRANSPOSED = """
program transposed: [N, C, K, H, I] -> { : N >= 1 and C >= 1 and K >= 1 and H >= 1 and I >= 1 }
  input     w: float64[K, C, 3]
  input     r: float64[N, K, I]
  output    x_bar: float64[N, C, H]
  X: [N, C, K, H, I] -> { X[n, c, a, o, i] : BOX and 0 <= a - 2i + 1 < 3 }
      x_bar[n, c, a] += w[o, c, a - 2 * i + 1] * r[n, o, i]
""".replace("BOX", "0 <= n < N and 0 <= c < C and 0 <= a < H and 0 <= o < K and 0 <= i < I")
THIRDS = TRANSPOSED.replace("2i", "3i").replace("2 * i", "3 * i")
MIRRORED = TRANSPOSED.replace("0 <= a - 2i + 1 < 3", "0 <= 1 - a + 2i < 3").replace("a - 2 * i + 1", "1 - a + 2 * i")
PLAIN = TRANSPOSED.replace("2i", "i").replace("2 * i", "i")
BOX = TRANSPOSED.replace(" and 0 <= a - 2i + 1 < 3", "").replace("C, 3]", "C, H + 2 * I]").replace("+ 1]", "+ 2 * I]")
SIZES = (
    {"N": 1, "C": 1, "K": 1, "H": 1, "I": 1},
    {"N": 2, "C": 2, "K": 3, "H": 7, "I": 4},
    {"N": 2, "C": 2, "K": 3, "H": 8, "I": 3},
)


@pytest.mark.parametrize(
    ("text", "classes"), [(TRANSPOSED, 2), (THIRDS, 3), (MIRRORED, 2)], ids=["halves", "thirds", "mirrored"]
)
def test_each_class_is_a_contraction(text: str, classes: int) -> None:
    before = initialise(parse_program(text))
    split = split_residues(before)
    assert [s.name for s in split.statements if s.reduction] == ["X", *(f"X_{p}" for p in range(1, classes))]
    assert sum(s.array == "x_bar" and s.reduction is None for s in split.statements) == classes, "so are its zeros"
    assert_same(before, split, *SIZES)
    assert_same(before, pad_operands(split), *SIZES)
    assert split_residues(split) is split
    drawn = default_schedule(pad_operands(split)).tree()
    assert drawn.count("contraction for") == classes
    assert sum(a.name.startswith("r_padded") for a in pad_operands(split).arrays.values()) <= 1, "one frame for all"


def test_one_image_becomes_matrices_too() -> None:
    """Without a batch no dimension of the result is that of r alone, until the filter has lost the pixels."""
    text = (
        TRANSPOSED.replace("[N, C, K, H, I] -> { X[n, c", "[N, C, K, H, I] -> { X[c")
        .replace("[n, ", "[")
        .replace("[N, K", "[K")
    )
    text = text.replace("[N, C, H]", "[C, H]").replace("0 <= n < N and ", "")
    before = initialise(parse_program(text))
    split = split_residues(before)
    assert [s.name for s in split.statements if s.reduction] == ["X", "X_1"]
    assert_same(before, pad_operands(split), *SIZES)
    assert default_schedule(pad_operands(split)).tree().count("contraction for") == 2


def test_classes_without_columns_are_none() -> None:
    """A strided sum over one filter: its classes are no products of matrices, so it is one sum."""
    text = """
program alone: [C, H, I] -> { : C >= 1 and H >= 1 and I >= 1 }
  input     w: float64[3]
  input     r: float64[I]
  output    x_bar: float64[H]
  X: [C, H, I] -> { X[a, i] : 0 <= a < H and 0 <= i < I and 0 <= a - 2i + 1 < 3 }
      x_bar[a] += w[a - 2 * i + 1] * r[i]
"""
    before = initialise(parse_program(text))
    assert split_residues(before) is before


@pytest.mark.parametrize("text", [PLAIN, BOX], ids=["stride 1", "box"])
def test_what_has_no_stride_stays(text: str) -> None:
    before = initialise(parse_program(text))
    assert split_residues(before) is before


@pytest.mark.parametrize(
    "text",
    [pytest.param(TRANSPOSED, marks=pytest.mark.slow), pytest.param(THIRDS, marks=pytest.mark.slow), MIRRORED],
    ids=["halves", "thirds", "mirrored"],
)
def test_compiled(text: str) -> None:
    prepared = pad_operands(split_residues(initialise(parse_program(text))))
    _, source = source_of(str(prepared), CodegenOptions())
    random = np.random.default_rng(0)
    for sizes in (*SIZES, {"N": 3, "C": 20, "K": 33, "H": 50, "I": 25}):
        shapes = {"w": ("K", "C", 3), "r": ("N", "K", "I")}
        inputs = {n: random.normal(size=[sizes.get(e, e) for e in shape]) for n, shape in shapes.items()}
        expected = evaluate(parse_program(text), inputs, sizes)
        np.testing.assert_allclose(
            Library(source).run(sizes, inputs)["x_bar"], expected["x_bar"], rtol=1e-11, atol=1e-11
        )


@pytest.mark.parametrize(
    ("options", "products"), [({"dilation": 2, "padding": 2}, 3), ({"stride": 2, "padding": 1}, 6)]
)
def test_a_frame_comes_before_classes(options: dict[str, int], products: int) -> None:
    """The gradient of a dilated image needs a frame of zeros only; that of a strided one, a product for each class."""
    x = pa.placeholder((2, 8, 20, 20), name="x")
    w = pa.placeholder((8, 8, 3, 3), name="w")
    y = pa.nn.conv2d(x, w, **options)
    source = pa.compile([pa.numpy.sum(y * y), *pa.grad(pa.numpy.sum(y * y), [x, w])], [x, w]).source
    assert source.count("pa_contract_f32(") == products
