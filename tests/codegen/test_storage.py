"""Storage of temporaries: variables, circular buffers, shared workspace."""

from collections.abc import Mapping
from dataclasses import replace

import islpy as isl
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from polyad.codegen.loops.statement_accesses import touches
from polyad.codegen.options import CodegenOptions
from polyad.codegen.record_json import as_json, from_json
from polyad.codegen.storage.folding import fold
from polyad.codegen.storage.layouts import layouts
from polyad.codegen.storage.lifetimes import share
from polyad.codegen.storage.memory_plan import MemoryPlan, Slot
from polyad.codegen.storage.schedule_rows import Occurrence, Row, occurrences
from polyad.ir.affine import Affine
from polyad.ir.array import Array
from polyad.ir.expr import access_relation
from polyad.ir.program import Program
from polyad.ops.program_text import parse_program
from polyad.schedule.schedule import Schedule
from polyad.schedule.scheduler import default_schedule
from polyad.schedule.strategies import ALL, Strategies
from polyad.semantics.evaluate import evaluate
from polyad.transforms.passes.initialise import initialise
from tests import programs
from tests.codegen.compiled import Library, source_of
from tests.codegen.samples import BACKWARDS, CASES, INFERENCE
from tests.programs_gradient import LSTM_GRADIENT
from tests.random_programs import random_program
from tests.schedule.test_scheduler import LOOPS
from tests.schedule.test_sinking import LEAPFROG

CHAIN = """
program chain: [N] -> { : N >= 3 }
  input     x: float64[N]
  temporary s: float64[N]
  output    y: float64[N]
  S0: [N] -> { S0[i] : 0 <= i < 2 }
      s[i] = x[i]
  S1: [N] -> { S1[i] : 2 <= i < N }
      s[i] = s[i - 1] + s[i - 2]
  S2: [N] -> { S2[i] : 0 <= i < N }
      y[i] = s[i]
"""

LAYERS = """
program layers: [T] -> { : T >= 1 }
  input     x: float64[T, 14]
  temporary h: float64[T + 1, 4, 14]
  temporary z: float64[T, 3, 14]
  output    y: float64[T, 14]
  X: [T] -> { X[t, b] : 0 <= t < T and 0 <= b < 14 }
      h[t + 1, 0, b] = x[t, b]
  S: [T] -> { S[l, b] : 0 <= l < 3 and 0 <= b < 14 }
      h[0, l + 1, b] = 0.0
  Z: [T] -> { Z[t, l, b] : 0 <= t < T and 0 <= l < 3 and 0 <= b < 14 }
      z[t, l, b] = h[t + 1, l, b] + 0.5 * h[t, l + 1, b]
  H: [T] -> { H[t, l, b] : 0 <= t < T and 0 <= l < 3 and 0 <= b < 14 }
      h[t + 1, l + 1, b] = tanh(z[t, l, b]) * z[t, l, b]
  Y: [T] -> { Y[t, b] : 0 <= t < T and 0 <= b < 14 }
      y[t, b] = h[t + 1, 3, b]
"""


def slots_of(text: str, schedule: str | None = None, strategies: Strategies = ALL) -> dict[str, dict[int, int]]:
    program = initialise(parse_program(text))
    order = default_schedule(program, strategies) if schedule is None else Schedule.from_yaml(schedule)
    found = occurrences(order.isl, program)
    assert found is not None
    return folded(program, found)


def folded(program: Program, found: list[Occurrence]) -> dict[str, dict[int, int]]:
    """As the storage does it: along wavefronts, what is not stored along them."""
    temporaries = [a for a in program.arrays.values() if a.role == "temporary"]
    slots = fold(temporaries, found, touches(program))
    rest = [a for a in temporaries if a.name not in slots]
    skewed = layouts(rest, found, touches(program))
    return slots | fold([a for a in rest if a.name not in skewed], found, touches(program), slanted=True)


def band(rows: Mapping[str, str], child: str = "") -> str:
    inside = "; ".join(f"{s} -> [({row})]" for s, row in rows.items())
    return f'schedule: "[N] -> [{{ {inside} }}]"{child}'


def chain_schedule(mark: str = "", last: str = "i", separate: bool = False) -> str:
    """S0 first, then one loop over S1 and S2 (or two); S2 follows at iteration `last`."""
    domain = "[N] -> { S0[i] : 0 <= i < 2; S1[i] : 2 <= i < N; S2[i] : 0 <= i < N }"
    order = ', child: { sequence: [ { filter: "[N] -> { S1[i] }" }, { filter: "[N] -> { S2[i] }" } ] }'
    loop = f"{{ {band({'S1[i]': 'i', 'S2[i]': last}, order)} }}"
    marked = f'{{ mark: "{mark}", child: {loop} }}' if mark else loop
    first = f'{{ filter: "[N] -> {{ S0[i] }}", child: {{ {band({"S0[i]": "i"})} }} }}'
    if separate:
        rest = (
            f'{{ filter: "[N] -> {{ S1[i] }}", child: {{ {band({"S1[i]": "i"})} }} }}, '
            f'{{ filter: "[N] -> {{ S2[i] }}", child: {{ {band({"S2[i]": "i"})} }} }}'
        )
    else:
        rest = f'{{ filter: "[N] -> {{ S1[i]; S2[i] }}", child: {marked} }}'
    return f'{{ domain: "{domain}", child: {{ sequence: [ {first}, {rest} ] }} }}'


def test_three_slots_for_a_distance_of_two() -> None:
    assert slots_of(CHAIN, chain_schedule()) == {"s": {0: 3}}


def test_a_late_reader_needs_more_slots() -> None:
    assert slots_of(CHAIN, chain_schedule(last="i + 4")) == {"s": {0: 5}}


def test_a_reader_in_another_loop_needs_all() -> None:
    assert slots_of(CHAIN, chain_schedule(separate=True)) == {}


@pytest.mark.parametrize("mark", ["parallel", "simd"])
def test_never_over_concurrent_loops(mark: str) -> None:
    """Illegal for the program, of course; what matters is that a concurrent loop never folds."""
    assert slots_of(CHAIN, chain_schedule(mark)) == {}


def test_initial_values_must_not_share_a_slot() -> None:
    """Three elements exist before the loop starts, though the loop needs two of them at a time."""
    text = CHAIN.replace("0 <= i < 2 }", "0 <= i < 3 }").replace("2 <= i < N }", "3 <= i < N }")
    text = text.replace("s[i - 1] + s[i - 2]", "s[i - 1]").split("  S2:")[0]
    text = text.replace("output    y: float64[N]", "output    y: float64[]")
    text += "  S2: [N] -> { S2[] }\n      y[] = s[N - 1]\n"
    domain = "[N] -> { S0[i] : 0 <= i < 3; S1[i] : 3 <= i < N; S2[] }"
    tree = (
        f'{{ domain: "{domain}", child: {{ sequence: [ {{ filter: "[N] -> {{ S0[i] }}", child: {{ '
        f'{band({"S0[i]": "i"})} }} }}, {{ filter: "[N] -> {{ S1[i] }}", child: {{ {band({"S1[i]": "i"})} }} }}, '
        f'{{ filter: "[N] -> {{ S2[] }}" }} ] }} }}'
    )
    assert slots_of(text, tree) == {}
    # One initial value fits.
    one = text.replace("0 <= i < 3 }", "i = 0 }").replace("3 <= i < N }", "1 <= i < N }")
    assert slots_of(one, tree.replace("0 <= i < 3", "i = 0").replace("3 <= i < N", "1 <= i < N")) == {"s": {0: 2}}


@pytest.mark.parametrize(
    ("text", "sizes"),
    [
        (INFERENCE, {"T": 4, "B": 2, "H": 2}),
        (BACKWARDS, {"T": 5, "B": 2}),
        (programs.LSTM, {"T": 3, "B": 2, "I": 1, "H": 2}),
        pytest.param(LSTM_GRADIENT, {"T": 3, "B": 2, "I": 1, "H": 2}, marks=pytest.mark.slow),
        (programs.DTW, {"N": 3, "M": 3}),
        (LEAPFROG, {"T": 7, "N": 2}),
        (LAYERS, {"T": 4}),
    ],
)
@pytest.mark.quick_cases(2)
def test_elements_that_share_a_slot_are_never_alive_together(text: str, sizes: dict[str, int]) -> None:
    """By definition, at fixed sizes: one is first accessed after the last access of the other, whatever is parallel."""
    program = initialise(parse_program(text))
    for strategies in (ALL, LOOPS, replace(LOOPS, jam=False)):
        schedule = default_schedule(program, strategies)
        slots = slots_of(text, strategies=strategies)
        for name, folded in slots.items():
            assert not conflicts(program, schedule.isl, name, folded, sizes)
    # The check can fail: one slot less, where there are several. Around contractions and jammed sums there may be one
    # to spare, since they read all of a state before the first element of the next one is written.
    for name, folded in slots.items():
        for d, m in folded.items():
            if m > 1:
                assert conflicts(program, schedule.isl, name, folded | {d: m - 1}, sizes)


@given(random_program(most=3))
@settings(max_examples=40)
def test_random_programs_fold_safely(program: Program) -> None:
    prepared = initialise(program)
    tree = default_schedule(prepared).isl
    found = occurrences(tree, prepared)
    assert found is not None
    for name, slots in folded(prepared, found).items():
        assert not conflicts(prepared, tree, name, slots, {"N": 4, "M": 3})


def conflicts(
    program: Program, tree: isl.Schedule, array: str, slots: Mapping[int, int], sizes: Mapping[str, int]
) -> bool:
    """Whether two elements with one slot are alive together."""
    times: dict[tuple[int, ...], list[tuple[tuple[int, bool], ...]]] = {}
    found = occurrences(tree, program)
    assert found is not None
    for occurrence in found:
        statement = program.statement(occurrence.statement)
        for touch in touches(program)[statement.name]:
            if touch.array != array:
                continue
            for point, element in _pairs(access_relation(touch.access), occurrence.domain, sizes):
                values = dict(sizes) | dict(zip(statement.dims, point, strict=True))
                time = tuple(
                    (step.value.evaluate(values), step.concurrent)  # type: ignore[union-attr]  # rows are affine here
                    if isinstance(step, Row)
                    else (step.position or 0, False)
                    for step in occurrence.path
                )
                times.setdefault(element, []).append(time)
    elements = list(times)
    for a in elements:
        for b in elements:
            pairs = enumerate(zip(a, b, strict=True))
            same = all(i == j if d not in slots else i % slots[d] == j % slots[d] for d, (i, j) in pairs)
            if a < b and same and _may_precede(times[a], times[b]) and _may_precede(times[b], times[a]):
                return True
    return False


def _may_precede(first: list[tuple[tuple[int, bool], ...]], second: list[tuple[tuple[int, bool], ...]]) -> bool:
    return any(_before(x, y) for x in first for y in second)


def _before(x: tuple[tuple[int, bool], ...], y: tuple[tuple[int, bool], ...]) -> bool:
    for (a, concurrent), (b, _) in zip(x, y, strict=False):
        if a != b:
            return concurrent or a < b
    return True


def _pairs(
    relation: isl.Map, domain: isl.Set, sizes: Mapping[str, int]
) -> list[tuple[tuple[int, ...], tuple[int, ...]]]:
    wrapped = relation.intersect_domain(domain)
    for name, value in sizes.items():
        position = wrapped.find_dim_by_name(isl.dim_type.param, name)
        wrapped = wrapped.fix_val(isl.dim_type.param, position, isl.Val(value))
    wrapped = wrapped.project_out(isl.dim_type.param, 0, wrapped.dim(isl.dim_type.param))
    inputs = wrapped.dim(isl.dim_type.in_)
    points: list[tuple[int, ...]] = []
    flat = wrapped.wrap().flatten()
    n = flat.dim(isl.dim_type.set)
    flat.foreach_point(
        lambda p: points.append(tuple(int(p.get_coordinate_val(isl.dim_type.set, i).to_python()) for i in range(n)))
    )
    return [(p[:inputs], p[inputs:]) for p in points]


def test_layers_skewed_against_time_keep_two_steps() -> None:
    assert slots_of(LAYERS) == {"h": {0: 2}, "z": {0: 1}}
    program, source = source_of(LAYERS)
    x = np.random.default_rng(0).normal(size=(9, 14))
    expected = evaluate(program, {"x": x}, {"T": 9})["y"]
    np.testing.assert_allclose(Library(source).run({"T": 9}, {"x": x})["y"], expected, rtol=1e-12)
    # Not where vectors run along the diagonal: they would step from slot to slot.
    assert slots_of(programs.DTW) == {}


def test_elements_may_be_written_after_the_loop() -> None:
    """The last step of a recurrence, which is unlike the others, goes into a slot that the loop has left."""
    assert slots_of(LEAPFROG) == {"w_bar": {0: 3}}
    # Not into that of an element that is still to be read.
    assert slots_of(LEAPFROG.replace("w_bar[0, i] + w_bar[1, i]", "w_bar[0, i] + w_bar[3, i]")) == {}


def test_inference_does_not_grow_with_time() -> None:
    source = source_of(INFERENCE)[1]
    small = source.workspace_bytes({"T": 4, "B": 3, "H": 8})
    assert small == source.workspace_bytes({"T": 4000, "B": 3, "H": 8})
    assert source.memory.at({"T": 4000, "B": 3, "H": 8})["h"] == 2 * 3 * 8 * 4


@pytest.mark.parametrize("name", CASES)
def test_python_and_c_agree_on_the_workspace(name: str) -> None:
    text, sizes = CASES[name]
    source = source_of(text)[1]
    library = Library(source)
    for factor in (1, 3, 50):
        scaled = {s: v * factor for s, v in sizes.items()}
        assert library.workspace_bytes(scaled) == source.workspace_bytes(scaled, library.threads)


def test_values_used_once_are_variables() -> None:
    source = source_of(LSTM_GRADIENT, CodegenOptions(strategies=LOOPS))[1]
    assert "hu" in source.memory.variables
    assert source.memory.at({"T": 2, "B": 2, "I": 2, "H": 2})["hu"] == 0


def test_arrays_share_memory_after_their_time() -> None:
    source = source_of(LSTM_GRADIENT)[1]
    shared = [slot.arrays for slot in source.memory.slots if len(slot.arrays) > 1]
    assert shared
    sizes = {"T": 8, "B": 8, "I": 8, "H": 8}
    use = source.memory.at(sizes)
    assert use.total_bytes == source.workspace_bytes(sizes) < sum(use.arrays.values())


def test_memory_plan_prints_a_table() -> None:
    plan = MemoryPlan((Slot(("a", "b"), "float32", (Affine.of("N"), Affine.of(3))),), ("c",))
    use = plan.at({"N": 10})
    assert use.arrays == {"a": 120, "b": 120, "c": 0} and use.total_bytes == 128 + 64  # room to start on a cache line
    assert str(use) == (
        "a                 120 bytes\n"
        "b                 120 bytes\n"
        "c                   0 bytes\n"
        "workspace in all  192 bytes"
    )
    assert from_json(MemoryPlan, as_json(plan)) == plan
    assert plan.at({"N": -4}).total_bytes == 0


def test_arrays_of_known_sizes_share_whatever_their_extents() -> None:
    text = """
program p: [] -> {  :  }
  input     x: float64[10]
  temporary a: float64[3, 2]
  temporary b: float64[2, 5]
  temporary c: float64[4]
  output    y: float64[4]
  A: { A[i, j] : 0 <= i < 3 and 0 <= j < 2 }
      a[i, j] = exp(x[2 * i + j])
  B: { B[i, j] : 0 <= i < 2 and 0 <= j < 5 }
      b[i, j] = a[1, i] * x[j] + a[2, 1 - i]
  C: { C[i] : 0 <= i < 4 }
      c[i] = b[1, i] * b[0, 4 - i]
  Y: { Y[i] : 0 <= i < 4 }
      y[i] = c[3 - i] + c[i]
"""
    _, source = source_of(text)
    found = {slot.arrays: slot.bytes({}) for slot in source.memory.slots}
    assert found == {("a", "c"): 6 * 8, ("b",): 10 * 8}


def test_large_arrays_find_large_places() -> None:
    """Taken by their beginnings, the small b would lie where a was, and the large c would need a place of its own."""
    arrays = {n: Array(n, (Affine.of(size),), "float64") for n, size in {"a": 100, "b": 10, "c": 100, "d": 30}.items()}
    extents = {n: a.shape for n, a in arrays.items()}
    lives = {"a": [0, 1], "b": [2, 3], "c": [3, 4], "d": [3, 5]}
    assert {slot.arrays for slot in share(arrays, extents, lives, ()).slots} == {("a", "c"), ("b",), ("d",)}
    # Where c follows upon b in one nest, element by element, it may lie there if they are alike.
    arrays["b"] = Array("b", (Affine.of(100),), "float64")
    extents = {n: a.shape for n, a in arrays.items()}
    found = share(arrays, extents, lives, (), lambda new, old, nest: (new, old, nest) == ("c", "b", 3))
    assert {slot.arrays for slot in found.slots} == {("a", "b"), ("d",)}
    assert found.of == {"c": "b"} and found.users["b"] == [2, 3, 4]


@given(
    st.lists(st.tuples(st.integers(0, 2), st.integers(-2, 2)).filter(lambda d: d > (0, 0)), min_size=1, max_size=3),
    st.integers(-1, 1),
    st.integers(-1, 1),
    st.sampled_from(["i, j", "i, N - 1", "N - 1, j"]),
    st.sampled_from([1, 3]),
)
@settings(max_examples=40)
def test_random_wavefronts_fold_safely(
    distances: list[tuple[int, int]], skew: int, other: int, read: str, length: int
) -> None:
    """Recurrences in two dimensions around a short one, under a change of coordinates; some elements are read."""
    hidden = [(p + other * (q + skew * p), q + skew * p) for p, q in distances]
    inside = " and ".join(f"0 <= i - {p} < N and 0 <= j - {q} < N".replace("- -", "+ ") for p, q in hidden)
    outside = " or ".join(f"i < {p} or i >= N + {p} or j < {q} or j >= N + {q}" for p, q in hidden)
    body = " + ".join(f"a[i - {p}, j - {q}, b]".replace("- -", "+ ") for p, q in hidden)
    box = f"0 <= i < N and 0 <= j < N and 0 <= b < {length}"
    program = initialise(
        parse_program(f"""
program random: [N] -> {{ : N >= 3 }}
  input     x: float64[N, N, {length}]
  temporary a: float64[N, N, {length}]
  output    y: float64[N, N, {length}]
  X: [N] -> {{ X[i, j, b] : {box} and ({outside}) }}
      a[i, j, b] = x[i, j, b]
  S: [N] -> {{ S[i, j, b] : {box} and {inside} }}
      a[i, j, b] = tanh({body})
  Y: [N] -> {{ Y[i, j, b] : {box} }}
      y[i, j, b] = a[{read}, b]
""")
    )
    tree = default_schedule(program).isl
    found = occurrences(tree, program)
    assert found is not None
    for name, slots in folded(program, found).items():
        assert not conflicts(program, tree, name, slots, {"N": 4})
