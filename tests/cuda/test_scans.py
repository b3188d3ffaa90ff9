"""Prefix scans over a grid: the values of single steps, in one order of evaluation, with the meetings it needs."""

import os
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import polyad as pa
import polyad_c
from polyad.codegen.certify.certify import certify
from polyad.codegen.loops.how import Grid
from polyad.codegen.loops.nodes import Launch, Loop, Node, PrefixScan
from polyad.codegen.loops.read_text import read_loops
from polyad.codegen.loops.text import loops_text
from polyad.codegen.loops.traversal import expand, nodes
from polyad.codegen.loops.verify import verify_loops
from polyad.errors import CallError, CertificationError, DefinitionError
from polyad.kernel import Kernel
from polyad.machine.device import DEVICE
from tests.cuda.device import agrees, in_order, kernel_of, same_values, target
from tests.cuda.test_certified import planned, read_back
from tests.cuda.test_launches import kinds
from tests.cuda.test_programs import arrays

pnp = pa.numpy
TILE, LANES = DEVICE.scan_steps, DEVICE.scan_lanes
ROWS, COLUMNS = (TILE, TILE // LANES)


FEW = {"extra_flags": ("-DPA_SCAN_BLOCKS=4",)}
"""Rows have 4 segments at most, so that each has several tiles."""


def recurrence(a: Any, x: Any, reverse: bool = False) -> Any:
    """s[t] = a[t] s[t - 1] + x[t], from 0; all states."""
    _, states = pa.scan(lambda s, row: (row[0] * s + row[1],) * 2, x[0] * 0.0, (a, x), reverse=reverse)
    return states


def gradient(a: Any, x: Any) -> Any:
    return pa.value_and_grad(lambda a, x: pnp.sum(recurrence(a, x) ** 2), argnums=(0, 1))(a, x)


def over_rows(x: Any) -> Any:
    return pnp.cumsum(x, axis=1), pnp.cumprod(1.0 + x * 1e-3, axis=1)


def over_columns(a: Any, x: Any) -> Any:
    return pnp.cumsum(x, axis=0), recurrence(a, x), recurrence(a, x, reverse=True)


def near_one(x: np.ndarray) -> np.ndarray:
    return np.asarray(0.95 + 0.1 * np.tanh(x), x.dtype)


def sizes(dtype: str, **options: Any) -> Kernel:
    n = pa.sizes("n")
    a, x = (pa.placeholder((n,), name, dtype) for name in "ax")
    outputs = [pnp.cumsum(x), pnp.cumprod(a), recurrence(a, x, reverse=True), *gradient(a, x)]
    return pa.compile(outputs, [a, x], target=target(**options))


SHORT = (1, 2, 3, 32, 33, 34, 256, 257, 258)
LONG = (ROWS, ROWS + 1, ROWS + 2, 2 * ROWS + 1, 4 * ROWS + 5, 5 * ROWS)


@pytest.mark.parametrize(
    ("dtype", "lengths"),
    [("float64", SHORT), ("float32", SHORT), *((d, (n,)) for d in ("float64", "float32") for n in LONG)],
)
@pytest.mark.quick_cases(1)
def test_lengths(dtype: str, lengths: tuple[int, ...]) -> None:
    """Around warps, blocks, tiles, segments of one tile, and of several."""
    kernel = sizes(dtype, **FEW)
    assert kinds(kernel).count("scans") == 2 * 5, "two launches for each of the five"
    for n in lengths:
        a, x = arrays((n,), (n,), dtype=dtype)
        same_values(kernel, near_one(a), x)


@pytest.mark.parametrize("m", [LANES + 5, 1, LANES - 1])
@pytest.mark.parametrize("n", [66, COLUMNS + 2, 2 * COLUMNS + 3, 5 * COLUMNS, 9 * COLUMNS + 2])
@pytest.mark.quick_cases(1)
def test_columns(n: int, m: int) -> None:
    a, x = arrays((n, m), (n, m))
    kernel = agrees(over_columns, near_one(a), x, **FEW)
    assert {launch.lanes for launch in kernel.code.launches if launch.over == "scans"} == {LANES if m > 1 else 1}


@pytest.mark.parametrize("shape", [(1, 90), (3, ROWS + 2), (7, 2 * ROWS + 1), (40, 66)])
@pytest.mark.quick_cases(1)
def test_rows(shape: tuple[int, int]) -> None:
    kernel = agrees(over_rows, *arrays(shape))
    parts = 1 if shape[1] <= ROWS else 2
    assert kinds(kernel).count("scans") == 2 * parts


def test_columns_of_batches() -> None:
    def both(x: Any) -> Any:
        return pa.value_and_grad(lambda x: pnp.sum(recurrence(x * 0.0 + 0.5, x) ** 2))(x)

    kernel = agrees(both, *arrays((70, 2, 17)))
    assert all(launch.lanes == LANES for launch in kernel.code.launches if launch.over == "scans")


def test_rows_of_different_lengths() -> None:
    """Below a diagonal: no row is cut, and none is the lane of another."""
    n = 150

    def body(s: Any, i: Any, j: Any) -> Any:
        return pa.select(j == 0, x[i, 0], 0.5 * s[i, j - 1] + x[i, j])

    x = pa.placeholder((n, n), "x", "float64")
    s = pa.recurrence((n, n), body, "s", "float64")
    kernel = pa.compile([pnp.tril(s)], [x], target=target())
    same_values(kernel, *arrays((n, n)))


@pytest.mark.parametrize("n", [0, 1, 64, 66])
def test_fixed_lengths(n: int) -> None:
    def last(a: Any, x: Any) -> Any:
        state, _ = pa.scan(lambda s, row: (row[0] * s + row[1], None), pnp.sum(x) * 0.0 + 0.5, (a, x))
        return state

    a, x = arrays((n,), (n,))
    kernel = agrees(last, near_one(a), x)
    assert ("scans" in kinds(kernel)) == (n == 66)


def test_one_order_of_evaluation() -> None:
    """The same bits in five orders of blocks and threads, and twice."""
    n = 9 * ROWS - 5
    a, x = arrays((n,), (n,), dtype="float32")
    kernel = kernel_of(recurrence, near_one(a), x, **FEW)
    found = []
    for seed in (0, 0, 1, 2, 3, 4):
        with in_order(seed):
            found.append(np.asarray(Kernel.__call__(kernel, near_one(a), x)).tobytes())
    assert len({*found}) == 1


def test_errors_grow_slowly() -> None:
    """In float32, what is carried over threads and blocks is double."""
    x = np.abs(arrays((9 * ROWS,), dtype="float32")[0])
    found = np.asarray(kernel_of(lambda x: pnp.cumsum(x), x)(x), np.float64)
    wanted = np.cumsum(x.astype(np.float64))
    assert np.max(np.abs(found - wanted) / wanted) < 4 * np.finfo(np.float32).eps


Steps = Callable[[int], tuple[Any, Any, float]]
STEPS: dict[str, Steps] = {
    "small factors": (lambda n: (np.full(n, 0.5), np.zeros(n), 1e300)),
    "small and large": (lambda n: (np.where(np.arange(n) % 1800 < 900, 0.25, 4.0), np.zeros(n), 1e-5)),
    "large factors of nothing": (lambda n: (np.full(n, 3.0), np.zeros(n), 0.0)),
    "to infinity": (lambda n: (np.full(n, 1.5), np.full(n, 1e-3), 1.0)),
    "large numbers that cancel": (lambda n: (np.full(n, 2.0), np.full(n, -1.0), 1.0)),
    "behind a start from nothing": (
        lambda n: (np.full(n, 2.0), np.where(np.arange(n) == 3, 1.0, -1.0 * (np.arange(n) > 3)), 0.0)
    ),
    "a zero": (lambda n: (np.where(np.arange(n) == n // 2, 0.0, 0.999), np.ones(n), 1.0)),
    "an infinity": (lambda n: (np.full(n, 0.5), np.where(np.arange(n) == 70, np.inf, 1.0), 1.0)),
    "an infinity, and a zero": (
        lambda n: (np.where(np.arange(n) == n - 60, 0.0, 0.5), np.where(np.arange(n) == 70, np.inf, 1.0), 1.0)
    ),
    "a nan": (lambda n: (np.full(n, 0.9), np.where(np.arange(n) == n // 3, np.nan, 1.0), 1.0)),
    "from infinity": (lambda n: (np.full(n, 0.5), np.ones(n), -np.inf)),
    "a large factor": (lambda n: (np.where(np.arange(n) % 900 == 7, 1e200, 0.6), np.ones(n), 1.0)),
}  # fmt: skip


@pytest.mark.parametrize("name", STEPS)
@pytest.mark.parametrize("dtype", ["float64", "float32"])
@pytest.mark.quick_cases(2)
def test_what_single_steps_give(name: str, dtype: str) -> None:
    """Results are those of single steps also where combined ones leave the range, or lose what these keep."""
    n = 9 * COLUMNS + 1
    given = [np.stack([np.asarray(v)] * 9, 1).astype(dtype) for v in STEPS[name](n)[:2]]
    start = np.full(9, STEPS[name](n)[2], dtype)

    def states(a: Any, x: Any, start: Any) -> Any:
        return pa.scan(lambda s, row: (row[0] * s + row[1],) * 2, start, (a, x))[1]

    with np.errstate(all="ignore"):
        wanted, now = np.empty_like(given[0]), start
        for t in range(n):
            now = (given[0][t] * now + given[1][t]).astype(dtype)
            wanted[t] = now
    kernel = kernel_of(states, *given, start, **FEW)
    assert "scans" in kinds(kernel)
    rtol = 1e-12 if dtype == "float64" else 1e-5
    np.testing.assert_allclose(kernel(*given, start), wanted, rtol=rtol, atol=np.finfo(dtype).smallest_subnormal * 4)
    rows = [np.ascontiguousarray(g[:, 0]) for g in given]
    found = kernel_of(states, *rows, start[0], **FEW)(*rows, start[0])
    np.testing.assert_allclose(found, wanted[:, 0], rtol=rtol, atol=np.finfo(dtype).smallest_subnormal * 4)


MEETING = "__syncthreads();"
MEETINGS = polyad_c.header("polyad_cuda_scans.h").count(MEETING)


@pytest.mark.parametrize("number", range(MEETINGS))
@pytest.mark.quick_cases(1)
def test_each_meeting_is_needed(number: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without any of the meetings of a block, two of its threads touch one place."""
    if "CUDA_CPU_HOME" not in os.environ:
        pytest.skip("a device names no races")
    texts = polyad_c.header("polyad_cuda_scans.h").split(MEETING)
    without = MEETING.join(texts[: number + 1]) + MEETING.join(["", *texts[number + 1 :]])[len(MEETING) :]
    assert without.count(MEETING) == MEETINGS - 1
    header = polyad_c.header
    (x,) = arrays((9 * COLUMNS, 40))
    x[5] = np.inf
    kernel_of(columns, x, **FEW)
    monkeypatch.setattr(polyad_c, "header", lambda n: without if n == "polyad_cuda_scans.h" else header(n))
    with pytest.raises(CallError, match="LAUNCH_FAILED"):
        in_some_order(kernel_of(columns, x, **FEW), x)


def columns(x: Any) -> Any:
    return pnp.cumsum(x, axis=0)


def in_some_order(kernel: Kernel, *given: np.ndarray) -> None:
    for seed in range(3):
        with in_order(seed):
            Kernel.__call__(kernel, *given)


def test_a_certificate_for_all_sizes() -> None:
    n, m = pa.sizes("n m")
    a, x = (pa.placeholder((n, m), name, "float64") for name in "ax")
    outputs = [pnp.cumsum(x, axis=1), *over_columns(a, x), *pa.grad(pnp.sum(x * recurrence(a, x)), [a])]
    for output in outputs:
        proved = pa.compile([output], [a, x], target=target()).certify()
        assert proved.all_sizes and proved.text is not None


def changed(root: Any, change: Callable[[PrefixScan], PrefixScan | None]) -> Any:
    def one(node: Node) -> Any:
        if not isinstance(node, PrefixScan):
            return None
        found = change(node)
        return [] if found is None else [found]

    return expand(one, root)


WRONG_LOOPS: dict[str, Callable[[PrefixScan], PrefixScan]] = {
    "a step less": lambda s: replace(s, state=replace(s.state, loop=replace(s.state.loop, last=s.state.loop.last - 1))),  # type: ignore[operator]
    "no totals": lambda s: replace(s, part="states"),
    "no states": lambda s: replace(s, part="totals"),
    "all twice": lambda s: replace(s, part="all") if s.part == "states" else s,
    "a statement less": lambda s: replace(s, state=replace(s.state, second=s.state.second[1:])),
    "another kind": lambda s: replace(s, kind="sum"),
}


@pytest.mark.parametrize("name", WRONG_LOOPS)
def test_wrong_loops_are_refused(name: str) -> None:
    plan, _ = planned(kernel_of(recurrence, *arrays((3 * ROWS,), (3 * ROWS,))))
    wrong = replace(plan, loops=changed(plan.loops, WRONG_LOOPS[name]))
    with pytest.raises(CertificationError):
        certify(wrong)


@pytest.mark.parametrize("name", ["no totals", "no states", "all twice"])
def test_parts_stand_in_pairs(name: str) -> None:
    plan, _ = planned(kernel_of(recurrence, *arrays((3 * ROWS,), (3 * ROWS,))))
    verify_loops(plan.loops, plan.program, plan.known.touches, last=True)
    with pytest.raises(DefinitionError, match="without the other one"):
        verify_loops(changed(plan.loops, WRONG_LOOPS[name]), plan.program, plan.known.touches, last=True)


def test_loops_have_their_text() -> None:
    plan, _ = planned(kernel_of(over_columns, *arrays((70, 40), (70, 40))))
    text = loops_text(plan.loops)
    assert "grid(scans)" in text and "part totals, lanes 32" in text and "part states, lanes 32" in text
    assert loops_text(read_loops(text, plan.program)) == text


MUTATIONS = {
    "another step": (r"t = pa_at;", "t = pa_at + 1;"),
    "another row": (r"i = pa_row", "i = pa_segment"),
    "other terms": (r"PA_SCAN_TERM\((.*), (.*)\)", r"PA_SCAN_TERM(\2, \1)"),
    "another start": (r"PA_SCAN_FROM\((\w+)\[", r"PA_SCAN_FROM(\1[1 + "),
    "the state before": (r"pa_after_f64", "pa_before_f64"),
    "the state behind": (r"pa_before_f64", "pa_after_f64"),
    "another part": (r"PA_SCAN_TOTALS\(", "PA_SCAN_STATES("),
    "another kind": (r"\(affine, f64", "(sum, f64"),
    "another type": (r"\(affine, f64", "(affine, f32"),
    "other lanes": (r"PA_SCANS\(32\)", "PA_SCANS(1)"),
    "steps less": (r"pa_steps = pa_count\(0", "pa_steps = pa_count(1"),
    "rows less": (r"pa_n0 = pa_count\(0", "pa_n0 = pa_count(1"),
    "other segments": (r"pa_segments = pa_scan_segments\(pa_rows", "pa_segments = pa_scan_segments(pa_n0 - 1"),
}


def test_a_text_that_says_something_else_is_refused() -> None:
    n, m = pa.sizes("n m")
    a, x = (pa.placeholder((n, m), name, "float64") for name in "ax")
    plan, source = planned(pa.compile([recurrence(a, x)], [a, x], target=target()))
    read_back(plan, source)
    for what, (pattern, new) in MUTATIONS.items():
        places = [*re.finditer(pattern, source.c)]
        assert places, what
        for place in places:
            text = source.c[: place.start()] + place.expand(new) + source.c[place.end() :]
            with pytest.raises(CertificationError):
                read_back(plan, replace(source, c=text))


def test_a_host_that_is_told_something_else_is_refused() -> None:
    plan, source = planned(kernel_of(recurrence, *arrays((90, 40), (90, 40))))
    place = next(n for n, launch in enumerate(source.launches) if launch.over == "scans")
    right = source.launches[place]
    for wrong in (replace(right, lanes=1), replace(right, over="blocks"), replace(right, shared=())):
        launches = (*source.launches[:place], wrong, *source.launches[place + 1 :])
        with pytest.raises(CertificationError):
            read_back(plan, replace(source, launches=launches))


def test_golden(update_golden: bool) -> None:
    """The text of a recurrence and its gradient, as people read it."""
    n = pa.sizes("n")
    a, x = (pa.placeholder((n, 40), name, "float32") for name in "ax")
    outputs = [recurrence(a, x), *pa.grad(pnp.sum(recurrence(a, x) * x), [a])]
    text = pa.compile(outputs, [a, x], target=target(), name="recurrence").source
    path = Path(__file__).parent / "golden" / "recurrence.cu"
    if update_golden:
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    assert text == path.read_text(encoding="utf-8")


def test_it_is_described() -> None:
    n = pa.sizes("n")
    a, x = (pa.placeholder((n, 40), name, "float32") for name in "ax")
    text = pa.compile([recurrence(a, x)], [a, x], target=target()).describe()
    assert "a block for each segment of 32 of 40 rows of (n - 1) steps" in text


def test_blocks_of_a_launch() -> None:
    """As many as segments; all rows together have no more segments than blocks are asked for."""
    kernel = sizes("float32")
    launch = next(launch for launch in kernel.code.launches if launch.over == "scans")
    for steps, blocks in ((0, 1), (TILE, 1), (TILE + 1, 2), (10 * TILE, 10), (1024 * TILE, 1024), (1025 * TILE, 513)):
        assert launch.geometry({"n": steps + 1}).blocks == blocks
    columns = replace(launch, counts=launch.shared[0], lanes=LANES)
    for rows in (1, 31, 33, 5000, 40_000):
        groups = -(-rows // LANES)
        assert groups <= columns.geometry({"n": rows + 1}).blocks <= max(groups, DEVICE.scan_blocks)


def test_scans_are_what_a_launch_runs() -> None:
    plan, _ = planned(kernel_of(over_rows, *arrays((3, ROWS + 2))))
    found = [n for n in nodes(plan.loops) if isinstance(n, PrefixScan)]
    assert [n.part for n in found] == ["totals", "states"] * 2
    grids = [n for n in nodes(plan.loops) if isinstance(n, Loop) and n.how == Grid("scans")]
    assert len(grids) == len(found) and all(isinstance(n, Launch) for n in plan.loops.children)
