"""One more dimension for the statements that depend on batched arrays: every kind of node, and random programs.

The judge is the evaluator, one example after the other.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import get_args

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from polyad import islx
from polyad.ir.affine import Affine
from polyad.ir.align import align_statement
from polyad.ir.expr import Access, Apply, Const, Expr, Index, Indirect, Read, Select
from polyad.ir.lift import Lifted, lift_array, lift_with_arrays
from polyad.ir.program import Program
from polyad.ir.statement import REDUCTIONS
from polyad.ops.program_text import parse_program
from polyad.semantics.evaluate import evaluate
from polyad.semantics.verify import verify
from tests.random_programs import random_inputs, random_program

HEAD = """program p: [N, M] -> { : N >= 1 and M >= 1 }
  input x: float64[N]
  input ids: int64[N]
  input table: float64[N, M]
"""

# What a statement is made of -> a program that has it. A batched input is batched in all of them.
RULES: dict[str, str] = {
    "definition, Const, Read, Apply": """  output y: float64[N]
  S: [N, M] -> { S[i] : 0 <= i < N }
      y[i] = sin(x[i]) * 2.0""",
    "Index": """  output y: float64[N, M]
  S: [N, M] -> { S[i, j] : 0 <= i < N and 0 <= j < M }
      y[i, j] = x[i] * cast_float64(index(i + 2*j))""",
    "Select": """  output y: float64[N]
  S: [N, M] -> { S[i] : 0 <= i < N }
      y[i] = select(gt(x[i], 0.0), x[i], exp(x[N - 1 - i]))""",
    "sum": """  output y: float64[M]
  S: [N, M] -> { S[j, i] : 0 <= i < N and 0 <= j < M }
      y[j] += x[i] * table[i, j]""",
    "prod": """  output y: float64[]
  S: [N, M] -> { S[i] : 0 <= i < N }
      y[] *= x[i]""",
    "max": """  output y: float64[N]
  S: [N, M] -> { S[i, j] : 0 <= j < M and 0 <= i < N }
      y[i] max= table[i, j] * x[i]""",
    "min": """  output y: float64[M]
  S: [N, M] -> { S[i, j] : 0 <= j < M and 0 <= i < N }
      y[j] min= table[i, j] * x[i]""",
    "definition and contributions": """  output y: float64[N]
  S: [N, M] -> { S[i] : 0 <= i < N }
      y[i] = x[i]
  T: [N, M] -> { T[i, j] : 0 <= j <= i < N }
      y[i] += x[j] * x[i]""",
    "contributions alone": """  output y: float64[N + 1]
  T: [N, M] -> { T[j] : 0 <= j < N }
      y[j] += x[j]""",
    "pieces": """  output y: float64[2*N]
  S: [N, M] -> { S[i] : 0 <= i < N }
      y[2*i] = x[i]
  T: [N, M] -> { T[i] : 0 <= i < N }
      y[2*i + 1] = cast_float64(ids[i])""",
    "padding": """  output y: float64[N + 2]
  S: [N, M] -> { S[i] : 1 <= i <= N }
      y[i] = x[i - 1]
  T: [N, M] -> { T[i] : i = 0 or i = N + 1 }
      y[i] = 0.5""",
    "quasi-affine": """  output y: float64[2*N]
  S: [N, M] -> { S[i] : 0 <= i < 2*N }
      y[2*N - 1 - i] = x[i // 2] + table[(i // 2), 0]""",
    "one element": """  output y: float64[]
  S: [N, M] -> { S[] }
      y[] = x[N - 1]""",
    "recurrence": """  output y: float64[N, M]
  S: [N, M] -> { S[i, j] : 1 <= i < N and 0 <= j < M }
      y[i, j] = tanh(y[i - 1, j] * x[i] + table[i, j])
  T: [N, M] -> { T[j] : 0 <= j < M }
      y[0, j] = table[0, j]""",
    "two that need each other": """  output y: float64[N + 1]
  temporary z: float64[N]
  S: [N, M] -> { S[i] : 0 <= i < N }
      y[i + 1] = z[i] + x[i]
  T: [N, M] -> { T[] }
      y[0] = 1.0
  U: [N, M] -> { U[i] : 0 <= i < N }
      z[i] = sin(y[i])""",
    "gather": """  output y: float64[N, M]
  S: [N, M] -> { S[i, j] : 0 <= i < N and 0 <= j < M }
      y[i, j] = table[ids[i], index(j)] * x[i]""",
    "gather at what is gathered": """  output y: float64[N]
  S: [N, M] -> { S[i] : 0 <= i < N }
      y[i] = x[ids[ids[i]]]""",
    "scatter": """  output y: float64[N, M]
  S: [N, M] -> { S[i, j] : 0 <= i < N and 0 <= j < M }
      y[ids[i], index(j)] += table[i, j] * x[i]""",
    "integers": """  output y: int64[N]
  temporary best: float64[]
  S: [N, M] -> { S[i] : 0 <= i < N }
      best[] max= x[i]
  T: [N, M] -> { T[i] : 0 <= i < N }
      y[i] = select(eq(x[i], best[]), ids[i] + index(i), 7)""",
    "what is the same for all": """  output y: float64[N]
  output z: float64[M]
  S: [N, M] -> { S[i] : 0 <= i < N }
      y[i] = x[i]
  T: [N, M] -> { T[j] : 0 <= j < M }
      z[j] = 2.0""",
}

BATCHED = [("x",), ("ids",), ("table",), ("x", "ids"), ("table", "ids"), ("x", "table", "ids")]


def batched(program: Program, inputs: tuple[str, ...], place: int) -> tuple[Program, dict[str, Lifted]]:
    """The program for B examples of some inputs, and the arrays that have them; as far back as `place` in each."""
    found = set(inputs)
    while more := {s.array for s in program.statements if any(r.array in found for r in s.reads())} - found:
        found |= more
    params = (*program.params, "B")
    space = islx.space(params, "", []).params()
    context = program.context.align_params(space)
    extent = (Affine.of("B"),)
    arrays = {
        n: lift_array(a, f"{n}_b", extent, min(place, len(a.shape))) for n, a in program.arrays.items() if n in found
    }
    statements = []
    for s in program.statements:
        aligned = align_statement(s, space)
        statements.append(lift_with_arrays(aligned, arrays, extent, ("b",), params) if s.array in found else aligned)
    names = {n: lifted.array.name for n, lifted in arrays.items()}
    return replace(
        program,
        context=context,
        arrays={names.get(n, n): arrays[n].array if n in arrays else a for n, a in program.arrays.items()},
        statements=tuple(statements),
        inputs=tuple(names.get(n, n) for n in program.inputs),
        outputs=tuple(names.get(n, n) for n in program.outputs),
    ), arrays


def assert_batched(program: Program, inputs: tuple[str, ...], place: int, count: int, sizes: Mapping[str, int]) -> None:
    """Every example of the batched program is the program's."""
    whole, arrays = batched(program, inputs, place)
    verify(whole)
    examples = [random_inputs(program, sizes, seed) for seed in range(max(count, 1))]
    given_ = {}
    for n in program.inputs:
        if n in arrays:
            given_[arrays[n].array.name] = np.stack([e[n] for e in examples], arrays[n].place)[
                (slice(None),) * arrays[n].place + (slice(count),)
            ]
        else:
            given_[n] = examples[0][n]
    found = evaluate(whole, given_, {**sizes, "B": count})
    for n in program.outputs:
        if n in arrays:
            values = found[arrays[n].array.name]
            assert values.shape[arrays[n].place] == count
        for b in range(count):
            own = {k: examples[b if k in arrays else 0][k] for k in program.inputs}
            one = np.take(values, b, arrays[n].place) if n in arrays else found[n]
            np.testing.assert_array_equal(one, evaluate(program, own, sizes)[n], err_msg=f"{n}, example {b}")


def parsed(rule: str) -> Program:
    return parse_program(f"{HEAD}{RULES[rule]}\n")


def test_every_kind_of_node_has_its_line() -> None:
    nodes: set[object] = set()
    for rule in RULES:
        for s in parsed(rule).statements:
            nodes |= {type(e) for e in s.expressions()} | {s.reduction, ("write", type(s.write))}
            nodes |= {("read", type(r.access)) for r in s.reads()}
    assert nodes >= set(get_args(Expr)) == {Const, Index, Read, Apply, Select}
    assert nodes >= {None, *REDUCTIONS}
    assert nodes >= {(what, kind) for what in ("read", "write") for kind in get_args(Access)}
    assert Indirect in get_args(Access)


@pytest.mark.parametrize("inputs", BATCHED, ids="-".join)
@pytest.mark.parametrize("rule", RULES)
def test_rules(rule: str, inputs: tuple[str, ...]) -> None:
    for place, count in ((0, 2), (1, 5), (2, 1), (0, 0)):
        assert_batched(parsed(rule), inputs, place, count, {"N": 3, "M": 2})


def test_what_is_the_same_for_all_has_no_instance_for_each() -> None:
    whole, arrays = batched(parsed("what is the same for all"), ("x",), 0)
    assert [s.dims for s in whole.statements] == [("b", "i"), ("j",)] and set(arrays) == {"x", "y"}


def test_the_dimension_stands_in_a_statement_as_in_its_array() -> None:
    whole, _ = batched(parsed("recurrence"), ("x",), 1)
    assert [s.dims for s in whole.statements] == [("i", "b", "j"), ("b", "j")]


@given(random_program(), st.data())
def test_random_programs(program: Program, data: st.DataObject) -> None:
    inputs = data.draw(st.sampled_from([("x",), ("w",), ("ids",), ("x", "ids"), ("x", "w", "ids")]))
    place, count = data.draw(st.integers(0, 2)), data.draw(st.sampled_from([0, 1, 2, 5]))
    try:
        assert_batched(program, inputs, place, count, data.draw(st.sampled_from([{"N": 1, "M": 1}, {"N": 3, "M": 2}])))
    except Exception as problem:
        problem.add_note(f"{program}\n{inputs} at {place}, {count} examples")
        raise
