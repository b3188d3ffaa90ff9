import numpy as np

from polyad.ops.program_text import parse_program
from polyad.semantics.evaluate import evaluate
from polyad.semantics.verify import verify
from polyad.transforms.rewrite.other_outputs import other_outputs

STATES = """
program states: [T] -> { : T >= 1 }
  input     x: float64[T]
  input     w: float64[T]
  temporary h: float64[T + 1]
  output    y: float64[T]
  S: [T] -> { S[t] : 0 <= t < T }
      h[t] = 2.0 * x[t]
  Y: [T] -> { Y[t] : 0 <= t < T }
      y[t] = h[t] * w[t]
"""


def test_a_temporary_becomes_an_output_that_is_defined_everywhere() -> None:
    program = other_outputs(parse_program(STATES), ["h"])
    verify(program)
    assert program.outputs == ("h",)
    assert "y" not in program.arrays
    found = evaluate(program, {"x": np.array([1.0, 3.0]), "w": np.zeros(2)})
    assert found["h"].tolist() == [2.0, 6.0, 0.0]
