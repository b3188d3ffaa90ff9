"""A kernel explained: every stage that changed something, in order, and what is compiled in the end."""

import pickle
import re
from itertools import pairwise
from typing import Any

import pytest

import polyad as pa
from polyad.codegen.lower.passes import LOOP_PASSES
from polyad.inspect.orders import order_lines
from polyad.ir.program import Program
from polyad.ops.program_text import parse_program
from polyad.passes import PASSES
from polyad.pipeline import compile_program

SCALED = parse_program("""
program scaled: [N, M] -> { : N >= 1 and M >= 1 }
  input     x: float64[N, M]
  temporary twice: float64[N, M]
  temporary e: float64[N, M]
  output    y: float64[N]
  Twice: [N, M] -> { Twice[i, j] : 0 <= i < N and 0 <= j < M }
      twice[i, j] = 2.0 * x[i, j]
  E: [N, M] -> { E[i, j] : 0 <= i < N and 0 <= j < M }
      e[i, j] = exp(twice[i, j])
  Y: [N, M] -> { Y[i, j] : 0 <= i < N and 0 <= j < M }
      y[i] += e[i, j]
""")


def titles(kernel: pa.Kernel) -> list[str]:
    """The titles of all sections, without what a pass does."""
    return [line.partition(":")[0] for line in kernel.explain().splitlines()[1:] if line and not line.startswith(" ")]


def explained(program: Program, **options: object) -> pa.Kernel:
    return compile_program(program, **options)  # type: ignore[arg-type]


def test_the_stages_stand_in_order() -> None:
    kernel = explained(SCALED)
    text = kernel.explain()
    assert text.startswith("kernel scaled, target openmp (march=native, optimize=3), stage by stage\n\nthe program as")
    found = titles(kernel)
    assert found[0] == "the program as it was defined"
    assert [t for t in found if not t.startswith(("the program after", "the loops after"))] == [
        "the program as it was defined",
        "the schedule",
        "the price of the schedule",
        "the loops of the schedule",
        "the workspace",
        "the C",
    ]
    passes = [step.name for step in PASSES]
    programs = [passes.index(t.rpartition(" ")[2]) for t in found if t.startswith("the program after")]
    assert programs == sorted(programs) and len(programs) > 1
    steps = ["storage", *(step.name for step in LOOP_PASSES)]
    loops = [steps.index(t.rpartition(" ")[2]) for t in found if t.startswith("the loops after")]
    assert loops == sorted({*loops}) and loops[0] == 0


def test_what_changed_nothing_is_left_out_and_the_rest_is_shown_whole() -> None:
    kernel = explained(SCALED)
    text = kernel.explain()
    assert "after drop_unit_dims" not in text and "after contraction_shapes" not in text
    assert "the program after inline: Substitute the definitions of temporaries into their readers\n  program" in text
    sections = re.split(r"\n\n(?=the )", text)
    bodies = [section.partition("\n")[2].strip() for section in sections]
    assert all(one != other for one, other in pairwise(bodies)), "each section is another one"
    assert "twice[i, j]" in bodies[1] and "twice" not in bodies[-1]
    last = next(s for s in reversed(sections) if s.startswith("the loops after"))
    assert "threads(" in last and "vector(sum y_sum: float64)" in last and "parallel" not in last
    for line in kernel.source.strip().splitlines():
        assert line in sections[-1]


def test_fixed_sizes_are_a_step() -> None:
    text = explained(SCALED, sizes={"M": 3}).explain()
    assert "\n\nthe program with M = 3\n  program scaled: [N] -> " in text


def test_the_loops_are_those_of_the_target() -> None:
    alone, plain = explained(SCALED, target="c"), explained(SCALED, target=pa.Target("c", optimize=0))
    assert "threads(" not in alone.explain().partition("the C\n")[0]
    assert "vector(sum y_sum: float64)" in alone.explain()
    assert "vector(" not in plain.explain().partition("the C\n")[0]


def test_the_loops_are_those_of_a_given_schedule() -> None:
    given = explained(SCALED).schedule.tile(("e", "i"), [4])
    assert "by 4" in explained(SCALED, schedule=given).explain()
    assert "by 4" not in explained(SCALED).explain()


def test_a_pickled_kernel_explains_itself_alike() -> None:
    kernel = explained(SCALED)
    assert pickle.loads(pickle.dumps(kernel)).explain() == kernel.explain()


def test_no_compiler_is_needed(monkeypatch: pytest.MonkeyPatch) -> None:
    wanted = explained(SCALED).explain()
    monkeypatch.setenv("CC", "nothere")
    assert explained(SCALED).explain() == wanted


def test_every_pass_says_in_one_line_what_it_does() -> None:
    functions = [*(step.function for step in PASSES), *(step.apply for step in LOOP_PASSES)]
    for function in functions:
        first = (function.__doc__ or "").splitlines()[0]
        assert first.endswith(".") and len(first) > 20, function.__name__


def test_orders_one_move_away_have_prices() -> None:
    """Rows of a product of matrices, one by one: vectors along what is contiguous are the best next step."""
    n = 64
    a, b = (pa.placeholder((n, n), name, "float32") for name in "ab")

    def element(i: Any, j: Any) -> Any:
        k = pa.reduce_axis(n, "k")
        return pa.sum(a[i, k] * b[k, j], axis=k)

    kernel = pa.compile(pa.compute((n, n), element, name="c"), target=pa.Target(optimize=0))
    lines = order_lines(kernel).splitlines()
    assert lines[0] == str(pa.schedule.price(kernel)) and len(lines) == 8
    found = [re.fullmatch(r" +(\d+\.\d\d) times  s = (s\..*)", line) for line in lines[3:]]
    ratios = [float(m[1]) for m in found if m is not None]
    assert len(ratios) == 5 and ratios == sorted(ratios) and ratios[0] < 0.5
    for m in found:
        assert m is not None
        schedule = eval(m[2], {"s": kernel.schedule})  # what is printed is what a user writes
        assert schedule.is_legal(kernel.program)
        assert float(m[1]) == pytest.approx(schedule.price(kernel).total / pa.schedule.price(kernel).total, abs=0.006)


def test_orders_that_are_illegal_are_not_shown() -> None:
    """A running product: its loop may not be reversed, parallel or a vector's; its tree allows nothing else."""
    x = pa.placeholder((50,), "x", "float64")
    s = pa.recurrence(50, lambda s, i: pa.select(i == 0, x[0], pa.select(i > 0, pa.sin(s[i - 1]), 0.0)), name="s")
    kernel = pa.compile(s, target=pa.Target(optimize=0))
    for line in order_lines(kernel).splitlines()[3:]:
        assert not re.search(r"reverse|parallel|vectorize|interchange", line), line
