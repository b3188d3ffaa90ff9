"""The text of the loop IR reads back as the tree that was printed, for every node and every way to run a loop."""

import re
from collections.abc import Mapping
from dataclasses import fields, is_dataclass, replace
from typing import Any, get_args

import pytest

from polyad.codegen.loops.how import Divided, How, InParts, Parallel, Threads
from polyad.codegen.loops.nodes import Block, Contraction, Loop, Node, Pack
from polyad.codegen.loops.read_text import read_loops
from polyad.codegen.loops.text import loops_text
from polyad.codegen.loops.traversal import nodes
from polyad.codegen.options import CodegenOptions
from polyad.codegen.plan import plan_kernel
from polyad.errors import DefinitionError
from polyad.ir.program import Program
from polyad.machine import MACHINE, TINY, Machine
from polyad.ops.program_text import parse_program
from polyad.passes import prepare
from polyad.schedule.scheduler import default_schedule
from polyad.schedule.strategies import ALL
from tests.acceptance.strategy_programs import strategy_program
from tests.machines import THREADS

RUNNING = parse_program("""
program running: [N, T] -> { : N >= 0 and T >= 0 }
  input     a: float64[N, T]
  input     b: float64[N, T]
  temporary z: float64[N, T]
  output    h: float64[N, T + 1]
  Z: [N, T] -> { Z[i, t] : 0 <= i < N and 0 <= t < T }
      z[i, t] = exp(a[i, t])
  H0: [N, T] -> { H0[i] : 0 <= i < N }
      h[i, 0] = 0.5
  H: [N, T] -> { H[i, t] : 0 <= i < N and 0 <= t < T }
      h[i, t + 1] = select(lt(b[i, t], 0.5), z[i, t], 0.25) * h[i, t] + b[i, t] / a[i, t]
""")

EVERYTHING = """\
pack a_panels from a:
  contraction:
    for i = 0 .. N - 1, lanes:
      H[i, 0] #0
region #5(8 > 0.0):
  single:
launch:
  for i = 0 .. N - 1, grid(threads):
    for t = 0 .. T - 1, merged:
      Z[i, t] #1
copies copies_1 of N
let half = -((3 * N + 1) // 4) + 2 * (T // 2) + 1
block:
  pointer z to slot 3
  pointer h to slot 3
  pointer a to copy
region(20 * N * (T - 1) + 3 * (N // 2) > 20000.0):
  for t = T - 1 .. 0 by -2:
    for i = max(0, -half) .. select(T < 3 && (N >= t || half != 1), t, min(N, 9)), divided(pieces N; simd; nowait):
      Z[i, t] #1
    for i = 0 .. N - 1, divided:
      Z[i, t] #1
    for i = 0 .. N - 1, divided(nowait; blocks):
      Z[i, t] #1
    single:
      Z[0, t] #1
    barrier
for i = 0 .. N - 1, threads(8 > 0.0; pieces N; rolled):
  assume i >= 0
  copy copy_1 = i of N in copies_1
  pointer a to copy copy_1
  declare z_1[4] for z
  for lane = 0 .. 3, one_vector:
    set z_1[lane] = z[i + lane, 0]
    store z[i, 0] = z_1[lane]
  subtotal h_wide: float64 of h_0: float32
  Z[i, 0] #2 (z: z_0, a), declares, once
  add up h_wide: float64 to h_0: float32
  load h_0 = h[i, half]
  H[i, -1] #3 (h: h_0, z: z_1[lane])
for i = 0 .. N - 1, threads(0 > 1e-05):
  if N > 1:
  else:
    H[i, 0] #4
for i = 0 .. N - 1, parallel:
  for t = 0 .. 3, vector(float64; sum h_0, h_1: float64; max z_0: float32; rolled):
    H[i, t] #5
  for t = 0 .. 3, vector(rolled):
    H[i, t] #6
  for t = 0 .. 3, vector:
  for t = 0 .. 3, macro:
  for t = 0 .. 3, macro(#3):
  for t = 0 .. 3, region:
  for t = 0 .. 3, region(#4):
  for t = 0 .. 3, simd:
for i = 0 .. N - 1, parallel(jam(4)):
  for t = 0 .. 3, simd(free):
for i = 0 .. N - 1, parts(#1; simd):
  for t = 0 .. 3, prefix(256; #0):
    H[i, t] #12
for i = 0 .. N - 1, parts:
  for t = 0 .. 3, prefix(16):
    H[i, t] #13
share i_first .. i_last of 0 .. N - 1, rows(H: i, Z: i), threads(9 * N > 0.0):
  contraction #6 fresh packed(a_panels):
    shape h[i, t] += -0.5 * a[i, t] * b[0, t] * a[0, 0] * b[i, 0], float64
    rows i: N by -4 * N * (T // 2) + 1, T, 0
    columns t, u: min(4 * T, 2) by 1, 0, -N
    for i = 0 .. N - 1:
      for t = 0 .. T - 1:
        for u = 0 .. 3:
          H[i, t] #7
share i_first .. i_last of 0 .. N - 1, rows():
  H[i_first, 0] #8
parts(part, parts, count; 2 * N > 0.0; threads):
  sum h_sum for h: part h_part, parts h_parts as float64
  max z_max for z: part z_part, parts z_parts
  for i = 0 .. N - 1:
    H[i, 0] #9 (h: h_part)
parts #1(part_1, parts_1, count_1; 2 * N > 0.0):
  prod h_sum for h: part h_part, parts h_parts
  for i = 0 .. N - 1:
    H[i, 0] #9 (h: h_part)
scan #2 affine, 3 steps, in turn, standing(add, mul):
  names mul: h_mul, add: h_add
  first #10, vector(float64)
  second #11, rolled
  for t = T - 1 .. 0 by -1:
    Z[0, -t] #10 (z), declares
    H[0, -t] #11 (z)
"""


def steps(program: Program, options: CodegenOptions) -> tuple[Program, dict[str, Block]]:
    """The program that is scheduled; its loops as they come from there, after storage, and after each pass."""
    prepared = prepare(program, options.strategies, options.machine)
    found: dict[str, Block] = {}
    order = default_schedule(prepared, options.strategies, options.machine)
    plan_kernel(prepared, order, options, watch=found.__setitem__)
    return prepared, found


def same(one: Any, other: Any) -> bool:
    """Structural equality: what dataclasses, tuples and mappings hold; all else as Python compares it."""
    if one is other:
        return True
    if is_dataclass(one) and type(one).__module__.startswith(("polyad.codegen", "polyad.analysis")):
        return type(one) is type(other) and all(same(getattr(one, f.name), getattr(other, f.name)) for f in fields(one))
    if isinstance(one, tuple):
        return isinstance(other, tuple) and len(one) == len(other) and all(map(same, one, other))
    if isinstance(one, Mapping):
        return one.keys() == other.keys() and all(same(value, other[key]) for key, value in one.items())
    return bool(one == other)


def inside(root: Node) -> list[Node]:
    """All nodes, those that are only packed included."""
    found = [*nodes(root)]
    return [*found, *(n for p in found if isinstance(p, Pack) for n in inside(p.contraction))]


def ways(node: Node) -> list[How]:
    """How loops of a node run, and what their threads do."""
    found = [node.how] if isinstance(node, Loop) else []
    return [*found, *(h.within for h in found if isinstance(h, Parallel | InParts | Threads | Divided))]


def test_every_node_and_every_way_to_run_a_loop_reads_back() -> None:
    tree = read_loops(EVERYTHING, RUNNING)
    assert loops_text(tree) == EVERYTHING
    assert same(tree, read_loops(EVERYTHING, RUNNING))
    assert {type(n) for n in inside(tree)} == {*get_args(Node)}
    assert {type(h) for n in inside(tree) for h in ways(n)} == {*get_args(How)}


@pytest.mark.parametrize(
    ("was", "becomes"),
    [
        ("by -2", "by -1"),
        ("divided:", "divided(nowait):"),
        ("#9 (h: h_part)", "#9"),
        ("-4 * N", "4 * N"),
        ("3 steps", "4 steps"),
    ],
)
def test_other_trees_are_others(was: str, becomes: str) -> None:
    """The comparison of trees sees what is different."""
    assert was in EVERYTHING
    assert not same(read_loops(EVERYTHING, RUNNING), read_loops(EVERYTHING.replace(was, becomes), RUNNING))


@pytest.mark.parametrize("number", [0, 1, 2, 21, 37])
@pytest.mark.parametrize(
    "options",
    [
        CodegenOptions(machine=TINY),
        CodegenOptions(openmp=False, strategies=replace(ALL, contraction=False, share=False), machine=TINY),
    ],
    ids=["threads", "alone"],
)
@pytest.mark.quick_cases(2)
def test_loops_of_programs_read_back(number: int, options: CodegenOptions) -> None:
    program, found = steps(strategy_program(number).program, options)
    for step, tree in found.items():
        text = loops_text(tree)
        again = read_loops(text, program)
        assert loops_text(again) == text, step
        assert same(again, tree), step


@pytest.mark.parametrize("machine", [MACHINE, THREADS], ids=["usual", "threads"])
def test_states_are_found_again(machine: Machine) -> None:
    """The value of a prefix scan is no part of the text: the reader finds it in the statements."""
    program, found = steps(RUNNING, CodegenOptions(machine=replace(machine, long=2)))
    last = found["rolled_loops"]
    text = loops_text(last)
    assert re.search(r"scan #\d+ affine, 256 steps", text)
    assert same(read_loops(text, program), last)
    with pytest.raises(DefinitionError, match=r"the statements say second #\d"):
        read_loops(re.sub(r"second (#\d+ )*#\d+", "second #9", text), program)


WRONG = {
    "for i = 0 .. N - 1": "line 1 of the loops, 'for i = 0 .. N - 1': ':' is expected, not 'its end'",
    "for i = 0 .. N - 1, sideways:": "'sideways' is no way to run a loop",
    "for i = 0 .. 1, threads(pieces N):": "'threads' says no work",
    "for i = 0 .. 1, jam:": "'(' is expected, not ':'",
    "for i = 0 .. 1, parallel(simd: jam(2)):": "')' is expected, not ':'",
    "for i = 0 .. N * T:": "one of two factors is a number",
    "for i = 0 .. min(N, 2) + 1:": "arithmetic is done on affine expressions",
    "for i = 0 .. N < 2:": "':' is expected, not '<'",
    "if N:": "a condition is expected",
    "if N && N > 1:": "&& joins conditions",
    "if (N > 1) > 1:": "> compares numbers",
    "let = 3": "a name is expected, not '='",
    "let n = 3 4": "'4' is too much",
    "let n = ?": "'?' is no word",
    "parts(part, count; 1 > 0.0):\n  for i = 0 .. 1:": "3 are expected, not 2",
    "pointer a to piece 3": "'slot' is expected, not 'piece'",
    "go north": "'go' begins no line",
    "else:": "it does not stand behind an if",
    "barrier\n  barrier": "line 2 of the loops, 'barrier': it is indented below a line that has nothing inside",
    "block:\n    barrier\n  barrier": "line 3 of the loops, 'barrier': it is indented as no line above",
    "contraction:": "a loop is expected below it",
    "pack x from a:\n  barrier": "a contraction is expected below it",
    "contraction:\n  rows i: N by 1, 1, 1\n  for i = 0 .. 1:": "'shape' is expected, not 'rows'",
    "contraction:\n  shape h[] += 1 * a[] * b[], float64\n  rows j: N by 1, 1, 1\n  for i = 0 .. 1:": "names no loop",
    "scan cumulative, 3 steps:": "a scan is one of sum, prod, affine, decay",
    "scan sum, 3 steps:\n  for t = 0 .. 9:\n    Z[0, t] #0": "the loop below it carries no number linearly",
    "scan sum, 3 steps:\n  for t = 0 .. 9:\n    Z[t] #0": "the program has no Z of 1 dimensions",
    "scan sum, 3 steps:\n  for t = 0 .. 9:\n    Y[0, t] #0": "the program has no Y of 2 dimensions",
    "H[0, 1] #first": "an integer is expected, not 'first'",
}


@pytest.mark.parametrize("text", [*WRONG])
def test_what_is_wrong_is_said_with_its_line(text: str) -> None:
    with pytest.raises(DefinitionError, match=re.escape(WRONG[text])) as raised:
        read_loops(text, RUNNING)
    assert re.match(r"line \d+ of the loops, '", str(raised.value))


def test_a_line_without_one_of_its_words_is_read_or_refused() -> None:
    """No text makes the reader fail in another way; what it reads, it prints as it reads it."""
    lines = EVERYTHING.splitlines()
    refused: list[str] = []
    for number, line in enumerate(lines):
        words = [match.span() for match in re.finditer(r"\w+|[^\w\s]", line)]
        start, end = words[number % len(words)]
        text = "\n".join([*lines[:number], line[:start] + line[end:], *lines[number + 1 :]])
        try:
            found = loops_text(read_loops(text, RUNNING))
        except DefinitionError as error:
            refused.append(str(error))
        else:
            assert loops_text(read_loops(found, RUNNING)) == found
    assert len(refused) > len(lines) // 2
    assert all(re.match(r"line \d+ of the loops, '", message) for message in refused)


def test_what_is_packed_is_the_contraction_as_it_stood() -> None:
    tree = read_loops(EVERYTHING, RUNNING)
    (pack,) = (n for n in inside(tree) if isinstance(n, Pack))
    contractions = [n for n in nodes(tree) if isinstance(n, Contraction)]
    assert not pack.contraction.packed and contractions[0].packed == pack.name
