import numpy as np
import pytest

from polyad.ops.program_text import parse_program
from polyad.semantics.evaluate import evaluate
from polyad.semantics.verify import verify
from polyad.transforms.rewrite.constant_arrays import define_constants

SUM = """
program total: [N] -> { : N >= 1 }
  input     x: float64[N]
  input     c: float64[2, 3]
  input     none: float32[0]
  output    y: float64[N, 2, 3]
  S: [N] -> { S[i, j, k] : 0 <= i < N and 0 <= j < 2 and 0 <= k < 3 }
      y[i, j, k] = x[i] + c[j, k]
"""


@pytest.mark.parametrize(("held", "statements"), [(np.arange(6).reshape(2, 3), 6), (np.full((2, 3), 4.0), 1)])
def test_every_element_has_its_value(held: np.ndarray, statements: int) -> None:
    before = parse_program(SUM)
    after = define_constants(before, {"c": held, "none": np.zeros(0, np.float32)})
    verify(after)
    assert after.inputs == ("x",)
    assert sum(s.array == "c" for s in after.statements) == statements
    x = np.array([0.5, 1.5])
    np.testing.assert_array_equal(evaluate(after, {"x": x})["y"], x[:, None, None] + held)
