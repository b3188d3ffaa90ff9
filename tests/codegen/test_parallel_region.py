"""Parallel regions around sequential loops: structure, and the same bytes for any number of threads."""

import ctypes
import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import polyad as pa
from polyad.codegen.generate import generate
from polyad.codegen.loops.text import loops_text
from polyad.codegen.options import CodegenOptions
from polyad.codegen.plan import plan_kernel
from polyad.frontend.compiled import program_of
from polyad.ops.program_text import parse_program
from polyad.passes import prepare
from polyad.runtime.compiler import find_compiler
from polyad.schedule.scheduler import default_schedule
from polyad.schedule.strategies import ALL
from polyad.targets.target import Target


def scan_with_sums(dtype: str = "float64") -> pa.Kernel:
    """h[t + 1] = tanh(A h[t] + x[t]); s[t] = sum h[t + 1]; g[t + 1] = g[t] + s[t] h[t + 1]."""
    T, N = pa.sizes("T N")
    x = pa.placeholder((T, N), "x", dtype)
    A = pa.placeholder((N, N), "A", dtype)
    h0 = pa.placeholder((N,), "h0", dtype)

    def step(carry, x_t):
        h, g, weight = carry
        new = pa.tanh(A @ h * weight + x_t)
        total = pa.numpy.sum(new * new)
        return (new, g + total * new, 1.0 / (1.0 + total)), total

    (h, g, _), sums = pa.scan(step, (h0, h0, pa.numpy.sum(h0)), x)
    loss = pa.numpy.sum(g * h) + pa.numpy.sum(sums)
    return pa.compile([loss, sums, *pa.grad(loss, [x, A, h0])], [x, A, h0], name="sums")


@pytest.fixture(scope="module")
def kernel(tmp_path_factory: pytest.TempPathFactory) -> pa.Kernel:
    """The scan in loops: the product A h would go to the macro-kernel, which has a region of its own."""
    loops = replace(ALL, contraction=False)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Target, "strategies", property(lambda self: loops))
        patch.setenv("POLYAD_CACHE_DIR", str(tmp_path_factory.mktemp("cache")))
        return scan_with_sums()


def code(text: str) -> str:
    """A C text without comments."""
    return re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL)


def test_one_region_around_each_time_loop(kernel: pa.Kernel) -> None:
    text = code(kernel.source)
    body = text[text.index("int sums(const sums_sizes *sizes, const double *PA_RESTRICT") :]
    assert body.count("PA_PARALLEL_IF(") == 2  # forward and backward
    for region in re.findall(r"PA_PARALLEL_IF\(.*?\n  \}\n", body, re.DOTALL):
        assert "PA_PARALLEL_FOR" not in region
        assert "PA_FOR" in region


@pytest.mark.slow
def test_what_one_thread_writes_is_inside_of_single(kernel: pa.Kernel) -> None:
    """Between the parts of a region nothing but variables of the threads is assigned."""
    text = code(kernel.source)
    found = 0
    for region in re.findall(r"PA_PARALLEL_IF\([^\n]*\n  \{\n(.*?)\n  \}\n", text, re.DOTALL):
        found += 1
        for line in region.split("\n"):
            if re.match(r" {6}\w+\[.*\] \+?= ", line):
                pytest.fail(f"every thread would run {line.strip()}")
    assert found


def set_threads(count: int) -> None:
    if not find_compiler().openmp or "gcc" not in find_compiler().command[0]:
        pytest.skip("the number of threads is set through gcc's OpenMP library")
    ctypes.CDLL("libgomp.so.1").omp_set_num_threads(count)


@pytest.mark.parametrize("size", [1, 3, 200])
def test_threads_do_not_change_results(kernel: pa.Kernel, size: int) -> None:
    rng = np.random.default_rng(0)
    x, h0 = rng.normal(size=(7, size)), rng.normal(size=size)
    A = rng.normal(size=(size, size)) / np.sqrt(size)
    results = []
    for count in (1, 2, 8, 3):
        set_threads(count)
        results.append([np.array(r) for r in kernel(x, A, h0)])
    for other in results[1:]:
        for first, second in zip(results[0], other, strict=True):
            assert first.tobytes() == second.tobytes()


def test_small_problems_keep_one_thread(kernel: pa.Kernel) -> None:
    """The work of one iteration is worth as many meetings of threads as it has."""
    regions = re.findall(r"PA_PARALLEL_IF\([^\n]* > (\d+)\.0\)\n(.*?)\n  \}\n", code(kernel.source), re.DOTALL)
    meetings = [len(re.findall(r"PA_BARRIER", body)) for _, body in regions]
    assert [int(least) for least, _ in regions] == [40_000 * n for n in meetings] and all(n > 1 for n in meetings)


def test_levels_below_three_have_no_region() -> None:
    N, T = pa.sizes("N T")
    u0 = pa.placeholder((N, N), "u0", "float64")
    u, _ = pa.scan(lambda u, _: (u + pa.numpy.transpose(u), None), u0, None, length=T)
    with_region = pa.compile([u], [u0], name="turn")
    without = pa.compile([u], [u0], name="turn", target=pa.Target("openmp", optimize=2))
    assert "PA_PARALLEL_IF(" in with_region.source
    assert "PA_PARALLEL_IF(" not in without.source
    value = np.random.default_rng(1).normal(size=(5, 5))
    np.testing.assert_allclose(with_region(value, T=3), without(value, T=3))


@pytest.mark.slow
def test_products_in_a_shared_loop_run_in_its_threads(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One matrix product for each of B matrices in every step, and a sum over all of them."""
    monkeypatch.setenv("POLYAD_CACHE_DIR", str(tmp_path))
    T, B, N = pa.sizes("T B N")
    x, A, h0 = (pa.placeholder(s, n, "float64") for s, n in (((T,), "x"), ((B, N, N), "A"), ((B, N, N), "h0")))

    def step(h, x_t):
        total = pa.numpy.sum(h * h) * x_t
        return pa.tanh(A @ h) / (1.0 + total), total

    h, sums = pa.scan(step, h0, x)
    loss = pa.numpy.sum(h) + pa.numpy.sum(sums)
    products = pa.compile([loss, *pa.grad(loss, [x, A, h0])], [x, A, h0], name="products")
    regions = re.findall(r"PA_PARALLEL_IF\(.*?\n  \}\n", code(products.source), re.DOTALL)
    assert len(regions) == 2 and all("PA_FOR" in r and "pa_contract_f64(" in r for r in regions)
    rng = np.random.default_rng(0)
    for count, size in ((1, 3), (5, 40)):
        given = (
            rng.uniform(0.1, 1.0, size=4),
            rng.normal(size=(count, size, size)),
            rng.normal(size=(count, size, size)),
        )
        results = []
        for threads in (1, 2, 8):
            set_threads(threads)
            results.append([np.array(r) for r in products(*given)])
        plain = pa.compile([loss, *pa.grad(loss, [x, A, h0])], [x, A, h0], target=pa.Target("c", optimize=0))(*given)
        for a, b, c, d in zip(*results, plain, strict=True):
            assert a.tobytes() == b.tobytes() == c.tobytes()
            np.testing.assert_allclose(a, d, rtol=1e-10, atol=1e-12)


@pytest.mark.parametrize(("element", "times"), [("a[k, 0]", 16), ("a[0, k]", 1)])
def test_a_column_that_one_thread_writes_costs_cache_lines(element: str, times: int) -> None:
    """Those of the others, of which a row has one for many elements."""
    written = element.replace("a", "u").replace("u[", "u[t, ")
    program = parse_program(f"""
program steps: [T, N] -> {{ : T >= 1 and N >= 4 }}
  input     a: float64[N, N]
  output    u: float64[T + 1, N, N]
  U0: [T, N] -> {{ U0[i, j] : 0 <= i < N and 0 <= j < N }}
      u[0, i, j] = a[i, j]
  B: [T, N] -> {{ B[t, k] : 1 <= t <= T and 0 <= k < N }}
      {written} = 0.5 * u[t - 1, 1, 1]
  U: [T, N] -> {{ U[t, i, j] : 1 <= t <= T and 0 <= i < N and 0 <= j < N and {"j" if times == 16 else "i"} >= 1 }}
      u[t, i, j] = 0.5 * u[t - 1, j, i]
""")
    source = generate(program, default_schedule(program, replace(ALL, time_tiles=False)), CodegenOptions())
    (least,) = re.findall(r"PA_PARALLEL_IF\([^\n]* > (\d+)\.0\)", source.c)
    assert int(least) % (40_000 * times) == 0 and (times > 1 or int(least) < 640_000), source.c


def test_a_region_that_is_not_worth_it_needs_no_second_plan() -> None:
    """Its loops are those of the schedule without the mark, which is what the plan keeps."""

    def step(b: pa.Tensor, _: object) -> tuple[pa.Tensor, None]:
        near = pa.numpy.roll(b, 1, axis=0) + pa.numpy.roll(b, -1, axis=0)
        return pa.numpy.where(near > 1.0, b, 0.5 * near), None

    board = pa.placeholder((64, 64), name="board", dtype="float32")
    program = prepare(program_of([pa.scan(step, board, None, length=5)[0]], [board], "rolls")[0])
    order = default_schedule(program)
    assert "region" in str(order)
    steps: list[str] = []
    plan = plan_kernel(program, order, CodegenOptions(openmp=True), watch=lambda name, _: steps.append(name))
    assert steps.count("storage") == 1
    assert "region" not in str(plan.schedule)
    again = plan_kernel(program, plan.schedule, CodegenOptions(openmp=True))
    assert loops_text(again.loops) == loops_text(plan.loops)
