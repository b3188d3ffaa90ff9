"""The recipes of CONTRIBUTING.md, each followed once: what it says is enough, and what looks after it does so.

What a recipe puts into a file is a function here, and its line in a table is one that a test takes out again.
"""

import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import polyad as pa
from polyad import passes
from polyad.codegen.certify.certify import certify
from polyad.codegen.generate import generate
from polyad.codegen.loops.how import Serial, Simd
from polyad.codegen.loops.nodes import Block, Loop, Node
from polyad.codegen.loops.text import loops_text
from polyad.codegen.loops.traversal import expand, with_blocks
from polyad.codegen.lower.lowering import StoredProgram
from polyad.codegen.lower.passes import LOOP_PASSES, LoopPass
from polyad.codegen.options import CodegenOptions
from polyad.codegen.plan import plan_kernel
from polyad.errors import BoundsError, CertificationError, DefinitionError, IllegalScheduleError
from polyad.frontend.compiled import program_of
from polyad.frontend.scalar_functions import scalar_function
from polyad.ir.expr import Apply, Const, Expr, map_expr
from polyad.ir.program import Program
from polyad.machine import TINY
from polyad.ops.program_text import parse_program
from polyad.ops.reference import reference_table
from polyad.ops.registry import OPS, ScalarOp, apply, unary
from polyad.passes import PASSES, Pass, prepare
from polyad.schedule.schedule import Schedule
from polyad.schedule.scheduler import default_schedule
from polyad.schedule.strategies import Strategies
from polyad.schedule.transforms import TRANSFORMS, Transform, as_band
from polyad.schedule.transforms.nest import Dims, LoopName, Nest, at_band, rebuild
from polyad.schedule.tree.nodes import Node as TreeNode
from polyad.semantics.evaluate import evaluate
from polyad.targets.target import TARGETS, Backend
from polyad.transforms.passes.initialise import initialise
from tests.codegen.compiled import Library

PAGE = (Path(__file__).resolve().parents[2] / "CONTRIBUTING.md").read_text(encoding="utf-8")
RECIPES = {
    "A scalar operation": "test_a_scalar_operation",
    "A simplification": "test_a_simplification",
    "A loop pass": "test_a_loop_pass",
    "A strategy": "tests/acceptance/strategies_used.py asks it of every strategy",
    "A schedule transform": "test_a_schedule_transform",
    "A target": "test_a_target",
    "An array operation or a layer": "test_an_array_operation",
}


def test_every_recipe_is_followed() -> None:
    recipes = PAGE.partition("## Recipes")[2]
    assert re.findall(r"^\*\*(.*?)\*\*", recipes, re.MULTILINE) == [*RECIPES]
    assert all(name in globals() for name in RECIPES.values() if name.startswith("test_"))


def test_paths_in_the_recipes_are_there() -> None:
    root = Path(__file__).resolve().parents[2]
    named = set(re.findall(r"`((?:polyad|polyad_c|tests)/[\w/.]*)`", PAGE))
    assert named
    assert not [path for path in named if "NAME_OF_PASS" not in path and not (root / path).exists()]


# A scalar operation: cbrt, which the recipe names, and softplus, which is added here.


def test_cbrt_stands_where_the_recipe_says() -> None:
    recipe = PAGE.partition("**A scalar operation**")[2].partition("**A simplification**")[0]
    root = Path(__file__).resolve().parents[2]
    files = [root / path for path in re.findall(r"`((?:polyad|polyad_c|tests|docs)/[\w/-]+\.\w+)`", recipe)]
    named = {str(f.relative_to(root)) for f in files if re.search(r"\bcbrt|_cbrt_", f.read_text(encoding="utf-8"))}
    # The C library has it, so it has no bound of its own; it was taken out of what is absent.
    elsewhere = {"polyad_c/accuracy.py", "polyad_c/README.md", "polyad/frontend/absent_names.py", "docs/api.md"}
    assert named == {str(f.relative_to(root)) for f in files} - elsewhere
    assert len(named) == 6


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.quick_cases(1)
def test_cbrt_has_values_and_derivatives_also_at_zero(dtype: str) -> None:
    x = pa.placeholder((5,), "x", dtype)
    kernel = pa.compile([pa.cbrt(x), *pa.grad(pa.sum(pa.numpy.cbrt(x)), [x])], [x], name=f"cube_roots_{dtype}")
    given = np.array([-8.0, -0.0, 0.0, 1.0, 27.0], dtype)
    value, slope = kernel(given)
    np.testing.assert_allclose(value, [-2.0, -0.0, 0.0, 1.0, 3.0], rtol=1e-6)
    assert np.signbit(value[1]) and not np.signbit(value[2])
    np.testing.assert_allclose(slope, [1 / 12, np.inf, np.inf, 1 / 3, 1 / 27], rtol=1e-6)
    pa.check_grads(lambda t: pa.sum(pa.cbrt(t) * t), (np.array([-2.0, 0.5, 3.0]),), order=2)


def add_softplus() -> ScalarOp:
    return unary(
        "softplus",
        lambda x: np.logaddexp(x, 0.0),
        lambda x, y: apply("sigmoid", x),
        (-2.0, 2.0),
        c="pa_logaddexp_{f}({0}, 0)",
        cost=20,
        doc="log(1 + e^x)",
    )


def test_a_scalar_operation(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(OPS, "softplus", OPS["exp"])  # so that it is taken out in the end
    del OPS["softplus"]
    add_softplus()
    softplus = scalar_function("softplus")  # its line in operator_functions.py
    x = pa.placeholder((3,), "x", "float64")
    kernel = pa.compile([softplus(x), *pa.grad(pa.sum(softplus(x) ** 2), [x])], [x], name="recipe_operator")
    given = np.array([-1.0, 0.5, 2.0])
    value, slope = kernel(given)
    np.testing.assert_allclose(value, np.log1p(np.exp(given)), rtol=1e-14)
    np.testing.assert_allclose(slope, 2 * value / (1 + np.exp(-given)), rtol=1e-14)
    pa.check_grads(lambda t: pa.sum(softplus(t) * t), (given,), order=2)
    program, _ = program_of([softplus(x)], [x], "p")
    assert str(parse_program(str(program))) == str(program)
    assert softplus(0.0) == np.log(2.0)
    assert "| `softplus(x)` | `pa.softplus(x)` | log(1 + e^x) |" in reference_table()
    with pytest.raises(DefinitionError, match="'softplus' is registered twice"):
        add_softplus()


# A simplification: x * 2 is x + x.


def doublings(program: Program) -> Program:
    """Add what is doubled to itself. Makes smaller: the number of products."""

    def leaf(expr: Expr) -> Expr:
        match expr:
            case Apply("mul", (x, Const(2)), dtype) | Apply("mul", (Const(2), x), dtype):
                return Apply("add", (x, x), dtype)
        return expr

    statements = tuple(replace(s, body=map_expr(s.body, leaf)) for s in program.statements)
    return replace(program, statements=statements)


def beyond(program: Program) -> Program:
    """A wrong pass: read outside of an array."""
    return parse_program(str(program).replace("x[i]", "x[i + 1]"))


DOUBLED = """
program doubled: [N] -> { : N >= 1 }
  input     x: float64[N]
  output    y: float64[N]
  S: [N] -> { S[i] : 0 <= i < N }
      y[i] = 2.0 * x[i] * x[i]
"""


def test_a_simplification(monkeypatch: pytest.MonkeyPatch) -> None:
    program, given = parse_program(DOUBLED), {"x": np.array([1.0, 3.0])}
    monkeypatch.setattr(passes, "PASSES", (*PASSES, Pass(doublings, "reciprocals")))
    result = prepare(program)
    assert "mul(add(x[i], x[i]), x[i])" in str(result)
    np.testing.assert_array_equal(evaluate(result, given, {"N": 2})["y"], [2.0, 18.0])
    assert "add" not in str(prepare(program, Strategies.at_level(0))), "its switch leaves it out"
    seen: list[object] = []
    by_machine = Pass(lambda p, machine: seen.append(machine) or p, by_machine=True)
    monkeypatch.setattr(passes, "PASSES", (by_machine,))
    assert str(prepare(program, machine=TINY)) == str(program) and seen == [TINY]
    monkeypatch.setattr(passes, "PASSES", (*PASSES, Pass(beyond)))
    with pytest.raises(BoundsError) as caught:
        prepare(program)
    assert caught.value.__notes__[0].startswith("found by the verifier after beyond")


# A loop pass: no vectors.


def scalars(root: Block, known: StoredProgram) -> Block:
    """Run loops marked `simd` one iteration after the other."""

    def one(node: Node) -> Sequence[Node] | None:
        if isinstance(node, Loop) and isinstance(node.how, Simd):
            node = replace(node, how=Serial())
            return [with_blocks(lambda b: expand(one, b), node)]
        return None

    return expand(one, root)


def misnamed(root: Block, known: StoredProgram) -> Block:
    """A wrong pass: instances go on using the old name of an iterator."""
    return expand(lambda node: [replace(node, iterator="q")] if isinstance(node, Loop) else None, root)


def forgotten(root: Block, known: StoredProgram) -> Block:
    """A wrong pass: leave instances out."""
    return replace(root, children=())


def test_a_loop_pass() -> None:
    program = initialise(parse_program(DOUBLED))
    order, options = default_schedule(program), CodegenOptions(openmp=False)
    seen: dict[str, str] = {}

    def watch(step: str, loops: Block) -> None:
        seen[step] = loops_text(loops)

    place = [step.name for step in LOOP_PASSES].index("vectors")
    with_scalars = (*LOOP_PASSES[:place], LoopPass("scalars", scalars), *LOOP_PASSES[place:])
    plan_kernel(program, order, options, watch=watch, passes=with_scalars)
    assert seen["prefix_scans"] == "for i = 0 .. N - 1, simd(free):\n  S[i] #0\n"
    assert seen["scalars"] == seen["vectors"] == "for i = 0 .. N - 1:\n  S[i] #0\n"
    with pytest.raises(DefinitionError) as caught:
        plan_kernel(program, order, options, passes=(LoopPass("misnamed", misnamed), *LOOP_PASSES))
    assert caught.value.__notes__[0].startswith("found by the verifier after misnamed")
    with pytest.raises(CertificationError):
        certify(plan_kernel(program, order, options, passes=(*LOOP_PASSES, LoopPass("forgotten", forgotten))))


# A schedule transform: a loop goes outside of those around it.


def outermost(tree: TreeNode, dims: Dims, band: LoopName) -> TreeNode:
    """Put a loop around all others of its nest."""

    def change(nest: Nest, index: int) -> TreeNode:
        loops = list(nest.loops)
        return rebuild(Nest((loops.pop(index), *loops), nest.child))

    return at_band(tree, dims, band, change)


ROWS = """
program rows: [N, M] -> {{ : N >= 2 and M >= 2 }}
  input     x: float64[N, M]
  output    y: float64[N, M]
  B: [N, M] -> {{ B[i, j] : 0 <= i < N and 0 <= j < M and (i = 0 or j = 0 or j = M - 1) }}
      y[i, j] = x[i, j]
  S: [N, M] -> {{ S[i, j] : 1 <= i < N and 1 <= j < M - 1 }}
      y[i, j] = {0} + x[i, j]
"""


def test_a_schedule_transform(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(TRANSFORMS, "outermost", Transform("outermost", outermost, "for i, for j -> for j, for i"))

    def method(schedule: Schedule, band: tuple[str, str]) -> Schedule:
        """Put the loop of `band` around all others of its nest."""
        return schedule._transformed("outermost", as_band(band))

    def moved(read: str) -> tuple[Program, Schedule]:
        program = parse_program(ROWS.format(read))
        by_rows = Schedule.from_yaml(
            'domain: "[N, M] -> { B[i, j] : 0 <= i < N and 0 <= j < M and (i = 0 or j = 0 or j = M - 1); '
            'S[i, j] : 1 <= i < N and 1 <= j < M - 1 }"\nchild:\n  sequence:\n  - filter: "[N, M] -> { B[i, j] }"\n'
            '    child:\n      schedule: "[N, M] -> [{ B[i, j] -> [(i)] }, { B[i, j] -> [(j)] }]"\n'
            '  - filter: "[N, M] -> { S[i, j] }"\n'
            '    child:\n      schedule: "[N, M] -> [{ S[i, j] -> [(i)] }, { S[i, j] -> [(j)] }]"\n'
        )
        assert by_rows.is_legal(program)
        return program, method(by_rows, ("S", "j"))

    legal, order = moved("y[i - 1, j]")
    assert order.tree().endswith("for j\n└─ for i\n   └─ S[i, j]\n")
    given = np.arange(12.0).reshape(4, 3)
    found = Library(generate(legal, order, CodegenOptions())).run({"N": 4, "M": 3}, {"x": given})["y"]
    np.testing.assert_array_equal(found, evaluate(legal, {"x": given}, {"N": 4, "M": 3})["y"])
    illegal, order = moved("y[i - 1, j + 1]")
    with pytest.raises(IllegalScheduleError) as caught:
        order.check(illegal)
    assert caught.value.source_instance and caught.value.sink_instance


# A target: a C compiler that is told not to reorder sums.


def test_a_target(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(TARGETS, "exact", Backend("exact", openmp=False, summary="C99 on one core"))
    x = pa.placeholder((5,), "x", "float64")
    target = pa.Target("exact", march=None, optimize=1, extra_flags=("-ffp-contract=off",))
    kernel = pa.compile(pa.sum(x * x), [x], name="recipe_target", target=target)
    assert kernel(np.arange(5.0)) == 30.0
    assert "-ffp-contract=off" in kernel.describe() and "pragma omp parallel" not in kernel.source


# An array operation: the sums of neighbours.


def test_an_array_operation() -> None:
    def neighbours(x: object) -> object:
        t = pa.numpy.asarray(x)
        return t[:-1] + t[1:]

    given = np.arange(5.0) ** 2
    np.testing.assert_array_equal(pa.jit(neighbours)(given), given[:-1] + given[1:])
    pa.check_grads(neighbours, (given,))
