"""Segments of segments are run again for the states that follow them, and for nothing else."""

from polyad.ad.ended_segments import ended_segments
from polyad.ops.program_text import parse_program

TEXT = """program p: [T] -> { : T > 0 }
    input x: float64[T]
    temporary H: float64[T]
    temporary h: float64[T, 9]
    output y: float64[T]
    first: [T] -> { first[] }
    H[0] = x[0]
    start: [T] -> { start[s] : 0 <= s < T }
    h[s, 0] = H[s]
    step: [T] -> { step[s, t] : 0 <= s < T and 0 <= t < 8 }
    h[s, t + 1] = tanh(h[s, t])
    next: [T] -> { next[s] : 0 <= s < T - 1 }
    H[s + 1] = h[s, 8]
    out: [T] -> { out[s] : 0 <= s < T }
    y[s] = H[s]"""


def test_the_last_part_is_left_out() -> None:
    program = parse_program(TEXT)
    after = {s.name: s for s in ended_segments(program.statements, {"h": 1})}
    assert [n for n, s in after.items() if s is not program.statement(n)] == ["start", "step"]
    for name in ("start", "step"):
        before = program.statement(name)
        kept = before.domain.intersect(before.domain.read_from_str(before.domain.get_ctx(), f"[T] -> {CUT[name]}"))
        assert after[name].domain.is_equal(kept)


CUT = {"start": "{ start[s] : s < T - 1 }", "step": "{ step[s, t] : s < T - 1 }"}


def test_what_others_read_stays() -> None:
    program = parse_program(TEXT.replace("y[s] = H[s]", "y[s] = h[s, 3]"))
    assert ended_segments(program.statements, {"h": 1}) == list(program.statements)
