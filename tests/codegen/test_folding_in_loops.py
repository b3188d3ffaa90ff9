"""States of loops in loops in few slots, where what stands outside of them touches the last or the first ones."""

from itertools import product

import pytest

import polyad as pa
from polyad.codegen.loops.statement_accesses import touches
from polyad.codegen.storage.folding import fold
from polyad.codegen.storage.schedule_rows import occurrences
from polyad.frontend.compiled import program_of
from polyad.ir.program import Program
from polyad.ops.program_text import parse_program
from polyad.passes import prepare
from polyad.schedule.scheduler import default_schedule
from tests.codegen.test_storage import conflicts

# Three steps in each of S segments; something reads one state after all of them, something else one in each segment.
LEVELS = """
program levels: [S] -> {{ : S >= 3 }}
  input     x: float64[S, 3]
  temporary H: float64[S + 1]
  temporary h: float64[S, 4]
  output    y: float64[S]
  output    z: float64[]
  H0: [S] -> {{ H0[] }}
      H[0] = 1.0
  h0: [S] -> {{ h0[s] : 0 <= s < S }}
      h[s, 0] = H[s]
  h1: [S] -> {{ h1[s, t] : 0 <= s < S and 0 <= t < 3 }}
      h[s, t + 1] = tanh(h[s, t] + x[s, t])
  H1: [S] -> {{ H1[s] : 0 <= s < S }}
      H[s + 1] = h[s, {each}]
  Z: [S] -> {{ Z[] }}
      z[] = h[{segment}, {step}] * H[S]
  Y: [S] -> {{ Y[s] : 0 <= s < S }}
      y[s] = H[s]
"""


def slots(program: Program, sizes: dict[str, int]) -> dict[str, dict[int, int]]:
    """Of all temporaries; no two elements of one slot are alive together."""
    schedule = default_schedule(program)
    found = occurrences(schedule.isl, program)
    assert found is not None
    result = fold([a for a in program.arrays.values() if a.is_temporary], found, touches(program))
    for name, few in result.items():
        assert not conflicts(program, schedule.isl, name, few, sizes), (name, few)
    return result


@pytest.mark.parametrize(("segment", "step", "each"), [*product(("0", "1", "S - 2", "S - 1"), (0, 2, 3), (1, 3))])
def test_only_the_last_elements_may_be_read_outside(segment: str, step: int, each: int) -> None:
    few = slots(parse_program(LEVELS.format(segment=segment, step=step, each=each)), {"S": 4}).get("h", {})
    if each == 3:
        # With two slots the last two states of a segment, and the last segment, are there at the end.
        assert few.get(0) == (1 if segment == "S - 1" else None)
        assert few.get(1) == (2 if step > 1 else None)


@pytest.mark.parametrize("segments", [(4,), (4, 2), (6, 3), (6, 2, 1)])
@pytest.mark.parametrize("reverse", [False, True])
@pytest.mark.quick_cases(3)
def test_gradients_in_segments_fold_safely(segments: tuple[int, ...], reverse: bool) -> None:
    T = pa.sizes("T")
    x, h0 = pa.placeholder((T,), "x", "float64"), pa.placeholder((), "h0", "float64")
    w = pa.placeholder((), "w", "float64")
    last, ys = pa.scan(
        lambda h, v: (pa.sin(h * w + v), h * v), h0, x, checkpoint=pa.checkpoint.every(*segments), reverse=reverse
    )
    program = prepare(program_of(pa.grad(last * last + (ys * ys).sum(), [x, h0, w]), None, "gradient")[0])
    for length in (1, 5, 8, 13):
        found = slots(program, {"T": length})
    deepest = len(segments) - 1
    states = [few for name, few in found.items() if name.startswith("h_segment_again")]
    assert all([few.get(d) for d in range(deepest)] == [1] * deepest for few in states if len(few) > 1)
