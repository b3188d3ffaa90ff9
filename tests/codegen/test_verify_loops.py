"""Each rule of the loop IR refuses a tree that breaks it, and says which line does."""

import re
from collections.abc import Callable

import pytest

from polyad.codegen.loops.nodes import Block
from polyad.codegen.loops.read_text import read_loops
from polyad.codegen.loops.statement_accesses import touches
from polyad.codegen.loops.verify import verify_loops
from polyad.codegen.lower.lowering import StoredProgram
from polyad.codegen.lower.passes import LOOP_PASSES, LoopPass
from polyad.codegen.options import CodegenOptions
from polyad.codegen.plan import plan_kernel
from polyad.errors import DefinitionError
from polyad.ops.program_text import parse_program
from polyad.schedule.scheduler import default_schedule

PROGRAM = parse_program("""
program rows: [N, M] -> { : N >= 1 and M >= 1 }
  input     x: float64[N, M]
  input     w: float64[M, 8]
  temporary r: float64[N]
  output    p: float64[N, 8]
  R0: [N, M] -> { R0[i] : 0 <= i < N }
      r[i] = 0.0
  R: [N, M] -> { R[i, j] : 0 <= i < N and 0 <= j < M }
      r[i] += x[i, j]
  P0: [N, M] -> { P0[i, k] : 0 <= i < N and 0 <= k < 8 }
      p[i, k] = r[i]
  P: [N, M] -> { P[i, k, j] : 0 <= i < N and 0 <= k < 8 and 0 <= j < M }
      p[i, k] += x[i, j] * w[j, k]
""")

RIGHT = """\
copies c of N
pack w_panels from w:
  contraction:
    shape p[i, k] += 1.0 * x[i, j] * w[j, k], float64
    rows i: N by 8, M, 0
    columns k: 8 by 1, 0, 1
    sums j: M by 0, 1, 8
    for i = 0 .. N - 1:
      for k = 0 .. 7:
        for j = 0 .. M - 1:
          P[i, k, j] #9
block:
  pointer r to slot 0
  pointer p to slot 1
region(1 * M > 0.0):
  for i = 0 .. N - 1:
    R0[i] #0 (r: s), declares
    for j = 0 .. M - 1, vector(sum s: float64):
      R[i, j] #1 (r: s)
    for k = 0 .. 7, divided(pieces 8; vector):
      P0[i, k] #2 (r: s)
    if N > 1:
      single:
        P0[i, 0] #2 (r: s)
    barrier
for i = 0 .. N - 1, threads(8 * N > 0.0; pieces N):
  assume i >= 0
  copy mine = i of N in c
  pointer r to copy mine
  let first = min(i, 3)
  declare lanes[4] for r
  for lane = 0 .. 3, vector(float64):
    set lanes[lane] = r[first + lane]
    store r[first + lane] = lanes[lane]
  for k = 0 .. 7 by 2:
    P0[i, k] #2 (r: lanes[mine])
share low .. high of 0 .. N - 1, rows(P: i), threads(8 * N > 0.0):
  contraction fresh packed(w_panels):
    shape p[i, k] += 1.0 * x[i, j] * w[j, k], float64
    rows i: N by 8, M, 0
    columns k: 8 by 1, 0, 1
    sums j: M by 0, 1, 8
    for i = low .. high:
      for k = 0 .. 7, jam(4):
        for j = 0 .. M - 1, simd:
          P[i, k, j] #3
R0[0] #4 (r: s), declares
parts(part, parts, count; 1 * M > 0.0; threads):
  sum s for r: part s_part, parts s_parts
  for j = 0 .. M - 1, vector(sum s_part: float64):
    R[0, j] #5 (r: s_part)
store r[0] = s
"""


def check(text: str, last: bool = True) -> None:
    verify_loops(read_loops(text, PROGRAM), PROGRAM, touches(PROGRAM), last)


def test_what_keeps_the_rules_passes() -> None:
    check(RIGHT)


BREAKS = {
    # Integers.
    "for i = 0 .. K:": "K is not declared before",
    "for i = 0 .. select(K > 1, 1, 2):": "K is not declared before",
    "if N > 1 || i > 2:": "i is not declared before",
    "for i = 0 .. i:": "i is not declared before",
    "for i = 0 .. 3:\nfor k = 0 .. i:": "i is not declared before",
    "block:\n  let n = 3\nlet m = n": "n is not declared before",
    "assume i >= 0": "i is not declared before",
    "P0[i, 0] #0": "i is not declared before",
    "load s = r[i]": "i is not declared before",
    "for i = 0 .. 3, threads(1 * i > 0.0):": "i is not declared before",
    "for i = 0 .. 3, threads(1 * N > 0.0; pieces i):": "i is not declared before",
    "share low .. high of 0 .. low, rows():": "low is not declared before",
    "for N = 0 .. 3:": "N is declared already",
    "for i = 0 .. 3:\n  for i = 0 .. 3:": "i is declared already",
    "let n = 3\nlet n = 3": "n is declared already",
    "share low .. low of 0 .. N, rows():": "low is declared already",
    "copies N of 3": "N is declared already",
    "parts(N, parts, count; 1 > 0.0):\n  for i = 0 .. 3:": "N is declared already",
    # C variables.
    "R[0, 0] #0 (r: s)": "the C variable s is not declared before",
    "store r[0] = s": "the C variable s is not declared before",
    "set s = r[0]": "the C variable s is not declared before",
    "block:\n  load s = r[0]\nstore r[0] = s": "the C variable s is not declared before",
    "store r[0] = s\nload s = r[0]": "the C variable s is not declared before",
    "for i = 0 .. 3, vector(sum s: float64):": "the C variable s is not declared before",
    "parts(part, parts, count; 1 > 0.0):\n  sum s for r: part a, parts b\n  for i = 0 .. 3:": "variable s is not",
    "load s = r[0]\nR0[0] #0 (r: s), declares": "s is declared twice in one block",
    "declare s[4] for r\nstore r[0] = s": "s has lanes",
    "load s = r[0]\nstore r[0] = s[N]": "s has no lanes",
    "declare s[4] for r\nstore r[0] = s[lane]": "lane is not declared before",
    "declare s[0] for r": "a variable has one lane or more",
    "load s[lane] = r[0]": "lanes are declared by `declare`",
    "R0[0] #0 (r: s[lane]), declares": "lanes are declared by `declare`",
    "R0[0] #0, declares": "it declares no variable for r",
    # The program.
    "S[0] #0": "the program has no statement S",
    "R0[0, 1] #0": "R0 has 1 dimensions, not 2",
    "R0[0] #0 (x: s)": "R0 has no access to x",
    "load s = q[0]": "the program has no array q",
    "load s = r[0, 0]": "r has 1 dimensions, not 2",
    "declare s[4] for q": "the program has no array q",
    "pointer q to slot 0": "the program has no array q",
    "pointer q to copy": "the program has no array q",
    "share low .. high of 0 .. N, rows(R: k):": "no statement R has a dimension k",
    # Loops.
    "for i = 0 .. 3 by 0:": "a loop has a step",
    "for i = 0 .. 3, jam(0):": "one iteration or more run at a time",
    "for i = min() .. 3:": "the least or greatest of nothing",
    # Copies and pointers.
    "let n = 3\ncopy c = 0 of 3 in n": "n is no number of copies",
    "copy c = 0 of 3 in n": "n is no number of copies",
    "copies n of 3\ncopy c = 0 of 3 in n\ncopy d = 0 of 3 in c": "c is no number of copies",
    "let n = 3\npointer r to copy n": "n is no copy of a thread",
    "copies n of 3\npointer r to copy n": "n is no copy of a thread",
    "pointer r to slot -1": "slots are counted from 0",
    "pointer r to slot 1\npointer r to slot 2": "the pointer r is declared twice in one block",
    # Contractions.
    "contraction:\n  for i = 0 .. 3:": "a contraction is a perfect nest around one instance",
    "contraction:\n  for i = 0 .. 3:\n    barrier": "a contraction is a perfect nest around one instance",
    "contraction packed(q):\n  for i = 0 .. 3:\n    R0[i] #0": "nothing before it packs q",
    "pack q from x:\n  contraction:\n    for i = 0 .. 3:": "a contraction is a perfect nest around one instance",
    "contraction:\n  shape p[i, t] += 1 * x[0, 0] * w[0, 0], float64\n  for i = 0 .. 3:\n    R0[i] #0": "t is not",
    # Threads.
    "barrier": "it stands outside of regions",
    "single:": "it stands outside of regions",
    "for i = 0 .. 3, divided:": "it stands outside of regions",
    "for i = 0 .. 3, threads(1 > 0.0):\n  barrier": "it stands inside of a loop in threads",
    "region(1 > 0.0):\n  single:\n    barrier": "it stands inside of a single",
    "region(1 > 0.0):\n  single:\n    for i = 0 .. 3, divided:": "it stands inside of a single",
    "region(1 > 0.0):\n  for i = 0 .. 3, divided:\n    single:": "it stands inside of a divided loop",
    "region(1 > 0.0):\n  for i = 0 .. 3:\n    for k = 0 .. 3, threads(1 > 0.0):": "threads start inside of a region",
    "region(1 > 0.0):\n  region(1 > 0.0):": "threads start inside of a region",
    "for i = 0 .. 3, divided(blocks):\n  region(1 > 0.0):": "it stands outside of regions",
    "region(1 > 0.0):\n  for i = 0 .. 3, divided(blocks):\n    barrier": "blocks run a region, and nothing beside it",
    "region(1 > 0.0):\n for i = 0 .. 3, divided(blocks):\n  region(1 > 0.0):\n   for k = 0 .. 3, divided(blocks):\n    "
    "region(1 > 0.0):": "blocks of a team have iterations inside of those of blocks",
    "region(1 > 0.0):\n  single:\n    share a .. b of 0 .. N, rows(), threads(1 > 0.0):": "start inside of a single",
    "for i = 0 .. 3, threads(1 > 0.0):\n  for k = 0 .. 3, threads(1 > 0.0):": "start inside of a loop in threads",
    "share a .. b of 0 .. N, rows(), threads(1 > 0.0):\n  region(1 > 0.0):": "threads start inside of a share",
    "share a .. b of 0 .. 1, rows(), threads(1 > 0.0):\n parts(c, d, e; 1 > 0.0; threads):\n  for k = 0 .. 3:": "start",
    "parts(c, d, e; 1 > 0.0; threads):\n  for k = 0 .. 3, threads(1 > 0.0):": "threads start inside of a loop in parts",
    "for i = 0 .. 3, threads(1 > 0.0; parallel):": "one thread runs its iterations as parallel",
    "load s = r[0]\nfor i = 0 .. 3, threads(1 > 0.0; vector(sum s: float64)):": "threads reduce into no variable",
}
LEFT = {
    "for i = 0 .. 3, simd:": "simd is left",
    "for i = 0 .. 3, parallel:": "parallel is left",
    "for i = 0 .. 3, one_vector:": "one_vector is left",
    "for i = 0 .. 3, threads(1 > 0.0; jam(4)):": "jam(4) is left",
    "contraction:\n  for i = 0 .. 3:\n    R0[i] #0": "it has no shape",
    "pack q from x:\n  contraction:\n    for i = 0 .. 3:\n      R0[i] #0": "it has no shape",
}


@pytest.mark.parametrize("text", [*BREAKS])
def test_what_breaks_a_rule_is_refused(text: str) -> None:
    with pytest.raises(DefinitionError, match=re.escape(BREAKS[text])) as raised:
        check(text, last=False)
    (shown,) = re.findall(r"`([^`]*)`:", str(raised.value))
    assert shown in text, "the message shows the line"


@pytest.mark.parametrize("text", [*LEFT])
def test_after_the_last_pass_nothing_is_left_to_decide(text: str) -> None:
    check(text, last=False)
    with pytest.raises(DefinitionError, match=re.escape(f"{LEFT[text]}, though all passes have run")):
        check(text)


def test_what_a_scan_is_made_of_is_instances_of_their_own() -> None:
    program = parse_program("""
program running: [T] -> { : T >= 1 }
  input     b: float64[T]
  output    h: float64[T + 1]
  H: [T] -> { H[t] : 0 <= t < T }
      h[t + 1] = 0.5 * h[t] + b[t]
""")
    scan = "scan decay, 9 steps:\n  names mul: m, add: a\n  first\n  second #0\n  for t = 0 .. T - 1:\n    H[t] #0\n"
    for text, why in {
        scan.replace("9 steps", "0 steps"): "a block has one step or more",
        scan.replace("add: a", "add: m"): "m is declared already",
        scan.replace("add: a", "add: T"): "T is declared already",
        scan.replace("T - 1", "N"): "N is not declared before",
    }.items():
        with pytest.raises(DefinitionError, match=why):
            verify_loops(read_loops(text, program), program, touches(program))
    verify_loops(read_loops(scan, program), program, touches(program), last=True)


@pytest.mark.parametrize("name", ["vectors", "rolled_loops"])
def test_the_verifier_runs_between_the_passes(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A pass that leaves a loop whose iterator hides a size is found out, and named."""

    def spoilt(apply: Callable[[Block, StoredProgram], Block]) -> Callable[[Block, StoredProgram], Block]:
        def run(root: Block, known: StoredProgram) -> Block:
            return Block((*apply(root, known).children, *read_loops("for N = 0 .. 3:\n", PROGRAM).children))

        return run

    steps = tuple(LoopPass(p.name, spoilt(p.apply)) if p.name == name else p for p in LOOP_PASSES)
    order = default_schedule(PROGRAM)
    monkeypatch.setenv("POLYAD_VERIFY", "0")
    plan_kernel(PROGRAM, order, CodegenOptions(), passes=steps)
    monkeypatch.setenv("POLYAD_VERIFY", "1")
    with pytest.raises(DefinitionError, match="N is declared already") as raised:
        plan_kernel(PROGRAM, order, CodegenOptions(), passes=steps)
    assert raised.value.__notes__[0].startswith(f"found by the verifier after {name}; the loops were:\n")
