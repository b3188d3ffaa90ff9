"""Nests that go to the macro-kernel: what it is told of them, and that it computes what they say."""

from collections.abc import Mapping
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from polyad import pipeline
from polyad.analysis import contraction as analysis_contraction
from polyad.analysis.contraction import Contractions, contractions_of
from polyad.codegen import plan as plan_module
from polyad.codegen.generate import generate
from polyad.codegen.loops.nodes import Contraction, Shape
from polyad.codegen.loops.traversal import nodes
from polyad.codegen.options import CodegenOptions
from polyad.codegen.plan import Plan, plan_kernel
from polyad.ir.program import Program
from polyad.ops.program_text import parse_program
from polyad.schedule.schedule import Schedule
from polyad.schedule.scheduler import default_schedule
from polyad.schedule.state import problem
from polyad.schedule.strategies import Strategies
from polyad.semantics.evaluate import evaluate
from polyad.transforms.passes.initialise import initialise
from tests.codegen.compiled import Library, generated, source_of
from tests.machines import LOOPS_IN_THREADS

FLAGS = ("-std=c99", "-O2", "-ffp-contract=fast", "-fopenmp", "-Wall", "-Wextra", "-Wpedantic", "-Werror")
HEAD = """
program p: [M, N, K] -> {{ : M >= {low} and N >= {low} and K >= {low} }}
{arrays}
  S: [M, N, K] -> {{ S[{dims}] : 0 <= i < M and 0 <= j < N and 0 <= k < K{more} }}
      {equation}
"""


def text(arrays: str, equation: str, dims: str = "i, j, k", more: str = "", low: int = 0) -> str:
    """A program of one contraction; `arrays` as "float64 a[M, K] b[K, N] -> c[M, N]"."""
    dtype, _, rest = arrays.partition(" ")
    inputs, output = rest.replace("[", f": {dtype}[").split(" -> ")
    lines = [f"  input     {a}" for a in inputs.replace("] ", "]\n").split("\n")]
    return HEAD.format(
        arrays="\n".join([*lines, f"  output    {output}"]), dims=dims, more=more, equation=equation, low=low
    )


# Name -> program, and the lines of the macro-kernel's shape: extents of m, n and k, then strides.
SHAPES: dict[str, tuple[str, list[str]]] = {
    "product": (
        text("float32 a[M, K] b[K, N] -> c[M, N]", "c[i, j] += a[i, k] * b[k, j]"),
        ["{1, {M}}, {1, {N}}, {1, {K}},", "{{K}, {1}},", "{{N}, {1}},", "{{N}, {1}},"],
    ),
    "transposed": (
        text("float64 a[K, M] b[N, K] -> c[M, N]", "c[i, j] += a[k, i] * b[j, k]"),
        ["{1, {M}}, {1, {N}}, {1, {K}},", "{{1}, {M}},", "{{1}, {K}},", "{{N}, {1}},"],
    ),
    "a result by columns: the operands change places": (
        text("float64 a[M, K] b[K, N] -> c[N, M]", "c[j, i] += a[i, k] * b[k, j]"),
        ["{1, {N}}, {1, {M}}, {1, {K}},", "{{1}, {N}},", "{{1}, {K}},", "{{M}, {1}},"],
    ),
    "loops that are one in memory": (
        text(
            "float64 a[M, 8, K] b[K, N] -> c[M, 8, N]",
            "c[i, q, j] += a[i, q, k] * b[k, j]",
            "i, q, j, k",
            " and 0 <= q < 8",
        ),
        ["{1, {8 * M}}, {1, {N}}, {1, {K}},", "{{K}, {1}},", "{{N}, {1}},", "{{N}, {1}},"],
    ),
    "loops that are not": (
        text(
            "float64 a[8, M, K] b[K, N] -> c[M, 8, N]",
            "c[i, q, j] += a[q, i, k] * b[k, j]",
            "i, q, j, k",
            " and 0 <= q < 8",
        ),
        ["{2, {M, 8}}, {1, {N}}, {1, {K}},", "{{K, M * K}, {1}},", "{{8 * N, N}, {1}},"],
    ),
    "numbers, signs, distances and backwards": (
        text(
            "float64 a[2*M, K] b[3*K + 2, N] -> c[M, N]",
            "c[M - 1 - i, j] += -(0.5 * a[2*i + 1, K - 1 - k]) * (b[3*k + 2, N - 1 - j] * 3.0)",
        ),
        ["{{2 * K}, {-1}},", "{{3 * N}, {-1}},", "{{-N}, {1}},", ", -1.5, 1, &pa_space);"],
    ),
    "factors that are one element": (
        text("float64 s[] a[M, K] b[K, N] w[N + 3] -> c[M, N]", "c[i, j] += s[] * a[i, k] * -b[k, j] * w[N + 2]"),
        ["{{K}, {1}},", "{{N}, {1}},", ", -1.0 * s[0] * w[N + 2], 1, &pa_space);"],
    ),
    "an element of the diagonal": (
        text("float64 a[M, K] b[K, N] -> c[M, N, M, 2]", "c[i, j, i, 1] += a[i, k] * b[k, j]"),
        ["{{2 * M * N + 2}, {2 * M}},", "&c[1]"],
    ),
    "every third row, every second term": (
        text(
            "float64 a[M, K] b[K, N] -> c[M, N]",
            "c[i, j] += a[i, k] * b[k, j]",
            more=" and i mod 3 = 1 and k mod 2 = 0 and j >= 1",
        ),
        ["{1, {(M + 1) / 3}}, {1, {N - 1}}, {1, {(K + 1) / 2}},", "{{3 * K}, {2}},"],
    ),
    "strided and dilated windows": (
        text(
            "float32 w[M, K, 3] x[K, 2*N + 4] -> y[M, N]",
            "y[i, j] += w[i, k, r] * x[k, 2*j + 2*r]",
            "i, j, k, r",
            " and 0 <= r < 3",
        ),
        ["{1, {M}}, {1, {N}}, {2, {K, 3}},", "{{2 * N + 4, 2}, {2}},"],
    ),
    "windows over a border, one place after another": (
        text(
            "float64 w[M, K, 3] x[K, N] -> y[M, N]",
            "y[i, j] += w[i, k, r] * x[k, j + r - 1]",
            "i, j, k, r",
            " and 0 <= r < 3 and 0 <= j + r - 1 < N",
        ),
        ["for (int64_t r = pa_max_i64(0, 2 - N); r <= pa_min_i64(2, N); r += 1) {", "{{3 * K}, {3}},"],
    ),
    "batches": (
        text(
            "float64 a[5, M, K] b[5, K, N] -> c[5, M, N]",
            "c[p, i, j] += a[p, i, k] * b[p, k, j]",
            "p, i, j, k",
            " and 0 <= p < 5",
        ),
        ["&a[p_1 * M * K]", "&b[p_1 * K * N]", "&c[p_1 * M * N]"],
    ),
}
SIZES = [(0, 3, 2), (5, 0, 3), (4, 4, 0), (1, 1, 1), (2, 9, 1), (7, 9, 5), (13, 35, 11)]


def inputs_of(source: object, sizes: Mapping[str, int]) -> dict[str, np.ndarray]:
    random = np.random.default_rng(3)
    return {
        a.name: random.standard_normal(tuple(e.evaluate(sizes) for e in a.shape)).astype(a.dtype)
        for a in source.arguments  # type: ignore[attr-defined]
        if not a.is_output
    }


@pytest.mark.parametrize("name", SHAPES)
def test_the_shape_that_the_macro_kernel_is_told(name: str) -> None:
    program, expected = SHAPES[name]
    c = source_of(program)[1].c
    assert c.count("pa_contract_") == 1
    for line in expected:
        assert line in c, f"{line}\n{c}"


@pytest.mark.parametrize("name", SHAPES)
@pytest.mark.quick_cases(2)
def test_it_computes_what_the_equation_says(name: str) -> None:
    program, source = source_of(SHAPES[name][0], CodegenOptions(machine=LOOPS_IN_THREADS))
    library = Library(source, flags=FLAGS)
    for m, n, k in SIZES:
        sizes = {"M": m, "N": n, "K": k}
        inputs = inputs_of(source, sizes)
        expected = evaluate(program, inputs, sizes)
        tolerance = 1e-4 if "float32" in SHAPES[name][0] else 1e-12
        for output, values in library.run(sizes, inputs).items():
            np.testing.assert_allclose(values, expected[output], rtol=tolerance, atol=tolerance)


def test_a_factor_in_a_c_variable() -> None:
    lines = text("float64 s[] a[M, K] b[K, N] -> c[M, N]", "c[i, j] += a[i, k] * b[k, j] * t[]").splitlines()
    squared = ["  T: [M, N, K] -> { T[] : }", "      t[] = s[] * s[]"]
    at = next(n for n, line in enumerate(lines) if line.startswith("  S:"))
    program, source = source_of("\n".join([*lines[:at], "  temporary t: float64[]", *squared, *lines[at:]]))
    assert "double t = s[0] * s[0];" in source.c and ", t, 1, &pa_space);" in source.c
    library = Library(source, flags=FLAGS)
    sizes = {"M": 7, "N": 9, "K": 5}
    inputs = inputs_of(source, sizes)
    expected = evaluate(program, inputs, sizes)
    np.testing.assert_allclose(library.run(sizes, inputs)["c"], expected["c"], rtol=1e-12)


def test_without_the_strategy_there_are_loops_and_one_header() -> None:
    c = source_of(SHAPES["product"][0], CodegenOptions(strategies=Strategies.at_level(1)))[1].c
    assert "pa_contract" not in c and "polyad_contraction.h" not in c
    assert '#include "polyad_contraction.h"' in source_of(SHAPES["product"][0])[1].c


def test_the_header_of_the_kernel_does_not_include_the_macro_kernel() -> None:
    assert "polyad_contraction" not in source_of(SHAPES["product"][0])[1].header


# ---- found once, and carried -----------------------------------------------------------------------------------------


def shapes(plan: Plan) -> list[Shape | None]:
    return [n.shape for n in nodes(plan.loops) if isinstance(n, Contraction)]


def test_the_macro_kernel_is_told_what_the_scheduler_had() -> None:
    program = initialise(parse_program(SHAPES["product"][0]))
    (found,) = contractions_of(program).values()
    thrice = {found.statement.name: replace(found, scale=3.0)}
    order = default_schedule(program, contractions=thrice)
    (shape,) = shapes(plan_kernel(program, order, CodegenOptions(), contractions=thrice))
    assert shape is not None
    assert shape.scale == 3.0
    assert "contraction" in order.tree()
    assert "contraction" not in default_schedule(program, contractions={}).tree()
    assert not shapes(plan_kernel(program, order, CodegenOptions(), contractions={}))


def test_nobody_asks_again_what_was_found(monkeypatch: pytest.MonkeyPatch) -> None:
    program = initialise(parse_program(SHAPES["product"][0]))
    found = contractions_of(program)
    for name in ("contraction_of", "factors"):
        monkeypatch.setattr(analysis_contraction, name, lambda *_: pytest.fail("it is recognised again"))
    order = default_schedule(program, contractions=found)
    assert len(shapes(plan_kernel(program, order, CodegenOptions(), contractions=found))) == 1


def test_a_compiled_program_is_looked_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    looked: list[Program] = []

    def counted(program: Program) -> Contractions:
        looked.append(program)
        return contractions_of(program)

    for module in (pipeline, plan_module, problem):
        monkeypatch.setattr(module, "contractions_of", counted)
    monkeypatch.setattr(pipeline, "Kernel", lambda *_, **__: SimpleNamespace())
    pipeline.compile_program(parse_program(SHAPES["product"][0].replace("program p", "program looked_at_once")))
    assert len(looked) == 1


# ---- marks made by hand ----------------------------------------------------------------------------------------------


def by_hand(program: str, rows: str) -> tuple[str, Library, object]:
    """The C and the library of a program whose statement S runs in one band of loops marked as a contraction."""
    p = initialise(parse_program(program))
    domain = str(default_schedule(p).isl.get_domain()).replace('"', "")
    (identity,) = (s for s in p.statements if s.name != "S")
    first = f"{identity.name}[{', '.join(identity.dims)}]"
    dims = ", ".join(p.statement("S").dims)
    maps = ", ".join(f"{{ S[{dims}] -> [({row.strip()})] }}" for row in rows.split(","))
    fill = ", ".join(f"{{ {first} -> [({d})] }}" for d in identity.dims)
    tree = (
        f'{{ domain: "{domain}", child: {{ sequence: [ {{ filter: "[M, N, K] -> {{ {first} }}", '
        f'child: {{ schedule: "[M, N, K] -> [{fill}]" }} }}, {{ filter: "[M, N, K] -> {{ S[{dims}] }}", '
        f'child: {{ mark: "contraction", child: {{ schedule: "[M, N, K] -> [{maps}]" }} }} }} ] }} }}'
    )
    schedule = Schedule.from_yaml(tree)
    schedule.check(p)
    source = generate(p, schedule, CodegenOptions())
    return source.c, Library(source, flags=FLAGS), p


@pytest.mark.parametrize(
    ("program", "rows", "taken"),
    [
        (SHAPES["product"][0], "i, j, k", True),
        (SHAPES["product"][0], "k, j, i", True),
        (SHAPES["product"][0], "i, i + j, k", True),
        (
            text("float64 a[M, K] b[K, N] -> c[M, N]", "c[i, j] += a[i, k] * b[k, j]", more=" and k <= i"),
            "i, j, k",
            False,
        ),
        (text("float64 a[M, K] b[K, N] -> c[M, N]", "c[i, j] += a[i, k] + b[k, j]"), "i, j, k", False),
        (text("float64 a[M, K] b[K, N] -> c[M, N]", "c[i, j] += a[i, k // 2] * b[k, j]"), "i, j, k", False),
        (text("float64 a[M + N, K] b[K, N] -> c[M, N]", "c[i, j] += a[i + j, k] * b[k, j]"), "i, j, k", False),
        (text("float64 a[M, K] b[K, N] -> c[M + N]", "c[i + j] += a[i, k] * b[k, j]"), "i, j, k", False),
    ],
)
def test_a_mark_asks_and_the_loops_decide(program: str, rows: str, taken: bool) -> None:
    """Whatever is marked, the result is right: a nest that the macro-kernel cannot do is printed as its loops."""
    c, library, p = by_hand(program, rows)
    assert ("pa_contract_" in c) == taken
    for m, n, k in ((3, 4, 5), (20, 30, 10)):
        sizes = {"M": m, "N": n, "K": k}
        inputs = inputs_of(library.source, sizes)
        expected = evaluate(p, inputs, sizes)  # type: ignore[arg-type]
        for output, values in library.run(sizes, inputs).items():
            np.testing.assert_allclose(values, expected[output], rtol=1e-4, atol=1e-4)


def test_generated_text_is_the_same_each_time() -> None:
    program = initialise(parse_program(SHAPES["numbers, signs, distances and backwards"][0]))
    assert generated(program).c == generated(program).c
