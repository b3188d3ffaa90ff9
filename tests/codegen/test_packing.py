"""Operands packed once: before the loops that leave them as they are, in memory that the workspace has room for."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np
import pytest

import polyad as pa
from polyad.analysis.contraction import contractions_of
from polyad.codegen.loop_names import name_loops
from polyad.codegen.loops.ast.walk import schedule_loops
from polyad.codegen.loops.contractions import mark_contractions, shape_of
from polyad.codegen.loops.how import Parallel
from polyad.codegen.loops.loop_values import Compare, Nonzero
from polyad.codegen.loops.nodes import Block, Cell, Contraction, Guard, Loop, Node, Operand, Pack, Shape, Share
from polyad.codegen.loops.statement_accesses import touches
from polyad.codegen.loops.traversal import nodes
from polyad.codegen.options import CodegenOptions
from polyad.codegen.storage.inside import always_inside
from polyad.codegen.storage.packing import pack_outside
from polyad.frontend.compiled import program_of
from polyad.ir.affine import Affine
from polyad.machine import TINY
from polyad.ops.program_text import parse_program
from polyad.schedule.scheduler import default_schedule
from polyad.schedule.strategies import ALL
from polyad.semantics.evaluate import evaluate
from polyad.transforms.passes.initialise import initialise
from tests.acceptance.native_batch import NativeBatch
from tests.codegen.compiled import Library, source_of
from tests.codegen.samples import INFERENCE
from tests.codegen.test_share_nodes import ALWAYS, inputs_of
from tests.codegen.threads import threads
from tests.programs_gradient import LSTM_GRADIENT
from tests.schedule.test_shares import WEIGHTS_OF_THE_BATCH

# Without a batch: a matrix times a vector in each step.
ALONE = INFERENCE.replace("B, ", "").replace("b, ", "").replace(" and B >= 1", "").replace(" and 0 <= b < B", "")
ALONE = ALONE.replace("0 <= b < B and ", "")
WEIGHTS_OF_THE_STEP = INFERENCE.replace("U: float32[H, H]", "U: float32[T, H, H]").replace("U[k, j]", "U[t, k, j]")
# The weights of the next step are made from the state of this one.
FAST_WEIGHTS = """
program fast: [T, B, H] -> { : T >= 1 and B >= 1 and H >= 1 }
  input     x: float32[T, B, H]
  input     h0: float32[B, H]
  input     U0: float32[H, H]
  temporary z: float32[T, B, H]
  temporary U: float32[T + 1, H, H]
  temporary h: float32[T + 1, B, H]
  output    last: float32[B, H]
  Sh0: [T, B, H] -> { Sh0[b, k] : 0 <= b < B and 0 <= k < H }
      h[0, b, k] = h0[b, k]
  SU0: [T, B, H] -> { SU0[k, j] : 0 <= k < H and 0 <= j < H }
      U[0, k, j] = U0[k, j]
  z_init: [T, B, H] -> { z_init[t, b, k] : 0 <= t < T and 0 <= b < B and 0 <= k < H }
      z[t, b, k] = x[t, b, k]
  Su: [T, B, H] -> { Su[t, b, k, j] : 0 <= t < T and 0 <= b < B and 0 <= k < H and 0 <= j < H }
      z[t, b, k] += h[t, b, j] * U[t, k, j]
  Sh: [T, B, H] -> { Sh[t, b, k] : 0 <= t < T and 0 <= b < B and 0 <= k < H }
      h[t + 1, b, k] = tanh(z[t, b, k])
  SU: [T, B, H] -> { SU[t, k, j] : 0 <= t < T and 0 <= k < H and 0 <= j < H }
      U[t + 1, k, j] = float32(0.9) * U[t, k, j] + float32(0.1) * h[t + 1, 0, j]
  Sl: [T, B, H] -> { Sl[b, k] : 0 <= b < B and 0 <= k < H }
      last[b, k] = h[T, b, k]
"""


def loops_of(text: str) -> tuple[Block, dict[str, object]]:
    """The loops of a program, contractions marked, and what `pack_outside` asks of it."""
    program = initialise(parse_program(text))
    dims = {s.name: s.dims for s in program.statements}
    loops = schedule_loops(default_schedule(program).isl, program.context, dims, set(program.params))
    loops = mark_contractions(name_loops(loops, dims, set(program.params)), contractions_of(program))

    def shape(node: Contraction) -> Shape | None:
        return shape_of(node, program.arrays, slots={}, skewed=())

    def inside(b: Operand, around: Sequence[Loop]) -> bool:
        return always_inside(Cell(b.array, b.index), program.arrays[b.array], around, program.context, program.params)

    fresh = {"fresh": lambda array: f"{array}_panels", "sizes": program.params}
    return loops, {"shape_of": shape, "inside": inside, "touches": touches(program), **fresh}


def packs(loops: Block) -> Iterator[Pack]:
    return (n for n in nodes(loops) if isinstance(n, Pack))


def lines_before(c: str, packing: str, loop: str) -> bool:
    return 0 < c.index(packing) < c.index(loop, c.index(packing))


def indent(c: str, text: str) -> int:
    line = next(x for x in c.splitlines() if text in x)
    return len(line) - len(line.lstrip())


def test_weights_are_packed_before_the_time_loop_in_both_directions() -> None:
    source = source_of(LSTM_GRADIENT, ALWAYS)[1]
    body = source.c.split("return POLYAD_ERROR_WORKSPACE;")[1]
    assert body.count("pa_pack_f64(") == 2
    forward, backward = (m.start() for m in re.finditer(r"pa_pack_f64\(", body))
    there, back = body.index("for (int64_t t = 0; t < T", forward), body.index("for (int64_t t = T - 1; t >= 0")
    assert forward < body.index("pa_share(") < there < backward < body.rindex("pa_share(") < back
    # U and its transpose; outside of the parallel regions, so that there is one copy for all threads.
    assert indent(body, "pa_pack_f64(&pa_shape, U, U_panels);") == 4
    panels = [slot for slot in source.memory.slots if "panels" in slot.arrays[0]]
    assert len(panels) == 2 and all(len(slot.arrays) == 1 for slot in panels)


@pytest.mark.parametrize("text", [INFERENCE, ALONE])
def test_the_memory_plan_shows_the_panels_and_c_agrees(text: str) -> None:
    program, source = source_of(text)
    sizes = {name: {"T": 5, "B": 3, "H": 20}[name] for name in program.params}
    use = source.memory.at(sizes)
    assert use["U_panels"] == 20 * (20 + 63) * 4
    assert "U_panels" in str(use)
    library = Library(source)
    for factor in (1, 2, 7):
        scaled = {n: v * factor for n, v in sizes.items()}
        assert library.workspace_bytes(scaled) == source.workspace_bytes(scaled, library.threads)
    inputs = inputs_of(source, sizes)
    expected = evaluate(program, inputs, sizes)["last"]
    np.testing.assert_allclose(library.run(sizes, inputs)["last"], expected, rtol=1e-5, atol=1e-6)


def test_without_the_strategy_panels_are_made_on_the_way() -> None:
    source = source_of(INFERENCE, CodegenOptions(strategies=replace(ALL, pack=False)))[1]
    assert "pa_pack" not in source.c and "panels" not in source.c
    assert "pa_contract_share_f32(" in source.c  # of a share of the rows: bits do not depend on the number of threads


def test_what_is_used_once_is_not_packed_beforehand() -> None:
    """The input's part and the gradients of the weights are one contraction each, outside of all loops."""
    c = source_of(LSTM_GRADIENT)[1].c
    assert c.count("pa_contract_packed_f64(") == 2 and c.count("pa_contract_f64(") == 4


@pytest.mark.parametrize("text", [WEIGHTS_OF_THE_STEP, FAST_WEIGHTS], ids=["depends on t", "written in the loop"])
def test_an_operand_that_changes_with_the_loop_is_not_packed_before_it(text: str) -> None:
    program, source = source_of(text, ALWAYS)
    assert re.search(r"pa_contract_(share_)?f32\(", source.c) and "pa_pack" not in source.c
    sizes = {"T": 4, "B": 3, "H": 20}
    inputs = inputs_of(source, sizes)
    expected = evaluate(program, inputs, sizes)["last"]
    np.testing.assert_allclose(Library(source).run(sizes, inputs)["last"], expected, rtol=1e-5, atol=1e-6)


@pytest.mark.slow
def test_threads_never_share_panels_that_one_of_them_makes() -> None:
    """Weights of each element of the batch, whose loop is parallel: the workspace has room for one copy only."""
    text = WEIGHTS_OF_THE_BATCH.replace("B, H]", "B, M, H]").replace("[T, B, H] ->", "[T, B, M, H] ->")
    text = text.replace("[T, B, M, H, H]", "[T, B, H, H]").replace("U: float32[B, M, H]", "U: float32[B, H, H]")
    text = text.replace("0 <= b < B", "0 <= b < B and 0 <= i < M").replace("B >= 1", "B >= 1 and M >= 1")
    text = re.sub(r"(?<!U)\[(0, |t, |t \+ 1, |T, )?b, ", lambda m: f"{m[0]}i, ", text)
    program, source = source_of(text, ALWAYS)
    assert "PA_PARALLEL_FOR_IF" in source.c and "pa_contract_" in source.c
    regions = source.c.split("PA_PARALLEL_")[1:]
    assert not any("pa_pack_" in r.split("\n  }\n")[0] for r in regions)
    library = Library(source)
    sizes = {"T": 6, "B": 9, "M": 10, "H": 20}
    inputs = inputs_of(source, sizes)
    expected = evaluate(program, inputs, sizes)["last"]
    for number in (1, 2, 8):
        with threads(library.path, number):
            np.testing.assert_allclose(library.run(sizes, inputs)["last"], expected, rtol=1e-4, atol=1e-4)


def test_what_is_packed_outside_of_a_condition() -> None:
    """All of an operand that is there in any case; not what may not be there when the condition does not hold.

    Nor what is used in one iteration, or where data say so.
    """
    loops, needs = loops_of(INFERENCE)
    packed, slots = pack_outside(loops, **needs)  # type: ignore[arg-type]  # all of them
    assert [p.name for p in packs(packed)] == [s.arrays[0] for s in slots] == ["U_panels"]

    def guarded(node: Node) -> Node:
        match node:
            case Block(children):
                return Block(tuple(guarded(c) for c in children))
            case Contraction():
                return Guard(condition, Block((node,)))
            case Loop() as loop:
                return replace(loop, body=Block(tuple(guarded(c) for c in loop.body.children)))
            case _ if hasattr(node, "body"):
                return replace(node, body=Block(tuple(guarded(c) for c in node.body.children)))
            case _:
                return node

    often = Compare(">=", Affine.of("t"), Affine.of(1))
    once, data = Compare("==", Affine.of("t"), Affine.of(1)), Nonzero("h0", (Affine(), Affine()))
    for condition in (often, once, data):
        conditional = guarded(loops)
        assert isinstance(conditional, Block) and any(isinstance(n, Guard) for n in nodes(conditional))
        packed, slots = pack_outside(conditional, **needs)  # type: ignore[arg-type]
        assert [s.arrays[0] for s in slots] == (["U_panels"] if condition is often else [])
        assert [c for c in packed.children if isinstance(c, Pack)] == list(packs(packed))
        assert len(list(packs(packed))) == len(slots)
        elsewhere = {**needs, "inside": lambda b, around: False}
        packed, slots = pack_outside(conditional, **elsewhere)  # type: ignore[arg-type]
        assert slots == () and not list(packs(packed))
        assert all(n.packed == "" for n in nodes(packed) if isinstance(n, Contraction))


WINDOW = """
program window: [T, B, H] -> { : T >= 1 and B >= 1 and H >= 1 }
  input     h0: float32[B, H]
  input     U: float32[T, H, H]
  temporary z: float32[T, B, H]
  temporary h: float32[T + 1, B, H]
  output    last: float32[B, H]
  S0: [T, B, H] -> { S0[b, j] : 0 <= b < B and 0 <= j < H }
      h[0, b, j] = h0[b, j]
  z_init: [T, B, H] -> { z_init[t, b, j] : 0 <= t < T and 0 <= b < B and 0 <= j < H }
      z[t, b, j] = float32(0.5) * h[t, b, j]
  Sz: [T, B, H] -> { Sz[t, b, j, k] : PLACE <= t < T and 0 <= b < B and 0 <= j < H and 0 <= k < H }
      z[t, b, j] += h[t, b, k] * U[PLACE, j, k]
  Sh: [T, B, H] -> { Sh[t, b, j] : 0 <= t < T and 0 <= b < B and 0 <= j < H }
      h[t + 1, b, j] = tanh(z[t, b, j])
  Sl: [T, B, H] -> { Sl[b, j] : 0 <= b < B and 0 <= j < H }
      last[b, j] = h[T, b, j]
"""


@pytest.mark.parametrize("place", [0, 1])
def test_steps_from_one_on_use_panels(place: int) -> None:
    """Weights that are there for any number of steps are packed before them; U[1] is not where there is one step."""
    program, source = source_of(WINDOW.replace("PLACE <= t", "1 <= t").replace("PLACE", str(place)), ALWAYS)
    library = Library(source)
    assert ("pa_pack_f32(" in source.c) == (place == 0)
    for steps, batch, width in ((1, 3, 20), (2, 1, 5), (6, 9, 33)):
        sizes = {"T": steps, "B": batch, "H": width}
        inputs = inputs_of(source, sizes)
        expected = evaluate(program, inputs, sizes)["last"]
        for number in (1, 2):
            with threads(library.path, number):
                np.testing.assert_allclose(library.run(sizes, inputs)["last"], expected, rtol=1e-4, atol=1e-5)


def test_panels_have_as_many_columns_as_sizes_say() -> None:
    """Rows of the result that a row of the window reaches are two or one: a number that the workspace cannot know."""
    x, w = (pa.placeholder(s, n, "float64") for s, n in (((1, 2, 3, 3), "x"), ((2, 2, 3, 2), "w")))
    convolved = pa.nn.conv2d(pa.nn.relu(x), w, stride=(2, 2), padding=(1, 2), dilation=(1, 2))
    equations, _ = program_of([convolved], [x, w], "kernel")
    batch = NativeBatch(0, ALL, TINY)
    (number,) = batch.add(equations)
    assert "pa_contract" in batch.sources[number].c
    batch.build()
    rng = np.random.default_rng(0)
    values = {"x": rng.normal(size=(1, 2, 3, 3)), "w": rng.normal(size=(2, 2, 3, 2))}
    exact = evaluate(equations, values, {})
    for name, found in batch.run(number, values, {}, 1).items():
        np.testing.assert_allclose(found, exact[name], rtol=1e-12)


def test_threads_do_not_pack_under_a_condition_inside_of_their_loop() -> None:
    """Each of them would write the one copy that all read."""
    loops, needs = loops_of(INFERENCE)
    needs["inside"] = lambda b, around: False
    inside = Block((Guard(Compare(">=", Affine.of("H"), Affine.of(1)), loops),))
    packed, _ = pack_outside(inside, **needs)  # type: ignore[arg-type]
    assert len(list(packs(packed))) == 1
    for around in (
        Share("first", "last", Affine.of(0), Affine.of("H"), inside, {}),
        Loop("k", Affine.of(0), Affine.of("H"), 1, inside, Parallel()),
    ):
        packed, slots = pack_outside(Block((around,)), **needs)  # type: ignore[arg-type]
        assert slots == () and not list(packs(packed))


def test_panels_of_an_array_that_shares_its_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    """The block that declares the array's pointer has all that uses its panels."""
    monkeypatch.setenv("POLYAD_VERIFY", "1")
    n, t = pa.sizes("N T")
    x, y = pa.placeholder((n, n), "x", "float64"), pa.placeholder((t, n), "y", "float64")
    h0 = pa.placeholder((n,), "h0", "float64")
    weights = pa.compute((n, n), lambda i, j: pa.tanh(x[i, j]), "weights")
    h, _ = pa.scan(lambda h, row: (h @ weights + row, None), h0, y)
    outer = pa.compute((n, n), lambda i, j: pa.exp(h[i]) * x[j, i], "outer")
    both = pa.compute((n, n), lambda i, j: outer[j, i] + outer[i, j], "both")
    kernel = pa.compile([both], [x, y, h0], target=pa.Target("c", machine=TINY))
    rng = np.random.default_rng(0)
    xs, ys, hs = rng.normal(size=(9, 9)), rng.normal(size=(4, 9)), rng.normal(size=9)
    found = kernel(xs, ys, hs)
    for row in ys:
        hs = hs @ np.tanh(xs) + row
    wanted = np.exp(hs)[:, None] * xs.T
    np.testing.assert_allclose(found, wanted + wanted.T, rtol=1e-12)
