"""Steps behind the length of an example: its products are not computed, by loops that run with numbers, counted."""

from collections import Counter
from random import Random
from typing import Any

import numpy as np
import pytest

import polyad as pa
from polyad import numpy as pn
from polyad.codegen.loops.instance import Instance
from polyad.codegen.plan import CodegenOptions, Plan, plan_kernel
from polyad.frontend.compiled import program_of
from polyad.ir.expr import Apply
from polyad.ir.statement import Statement
from polyad.machine import MACHINE
from polyad.passes import prepare
from polyad.schedule.scheduler import default_schedule
from polyad.schedule.strategies import Strategies
from tests.codegen.interpreter import interpreter
from tests.codegen.interpreter.interpreter import Interpreter, interpret

T, B, H = 5, 4, 3


def program(reverse: bool) -> Any:
    """A state for each example, its last value and all of them, and derivatives by the first and by the inputs."""
    v, h0 = pa.placeholder((T, B, H), "v", "float64"), pa.placeholder((B, H), "h0", "float64")
    W, n = pa.placeholder((H, H), "W", "float64"), pa.placeholder((B,), "n", "int64")

    def step(h: Any, x: Any) -> Any:
        new = pn.tanh(x + h @ W)
        return new, new

    last, ys = pa.scan(step, h0, v, lengths=n, reverse=reverse)
    bars = pa.differentiate(pn.sum(last * last) + pn.sum(ys * ys), [h0, v])
    return program_of([last, ys, bars[h0], bars[v]], [v, h0, W, n], "lengths")[0]


def planned(reverse: bool, level: int) -> Plan:
    strategies = Strategies.at_level(level)
    prepared = prepare(program(reverse), strategies, MACHINE)
    schedule = default_schedule(prepared, strategies, MACHINE)
    return plan_kernel(prepared, schedule, CodegenOptions(False, strategies, MACHINE))


def operators(s: Statement) -> set[str]:
    return {e.op for e in s.expressions() if isinstance(e, Apply)}


@pytest.mark.parametrize("level", [1, 3])
@pytest.mark.parametrize("reverse", [False, True])
def test_products_are_those_of_the_steps_that_examples_have(
    reverse: bool, level: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    plan = planned(reverse, level)
    count: Counter[str] = Counter()

    class Counting(Interpreter):
        def instance(self, node: Instance) -> None:
            count[node.statement] += 1
            Interpreter.instance(self, node)

    monkeypatch.setattr(interpreter, "Interpreter", Counting)
    rng = np.random.default_rng(level)
    products = [s.name for s in plan.program.statements if len(s.dims) == 4]
    assert len(products) == 2, "one forward, one backward"
    (function,) = (s.name for s in plan.program.statements if "tanh" in operators(s))
    for lengths in ([0, 0, 0, 0], [5, 5, 5, 5], [3, 0, 5, 1], [1, 2, 0, 0], *rng.integers(0, T + 1, (4, B)).tolist()):
        count.clear()
        inputs = {"v": rng.normal(size=(T, B, H)), "h0": rng.normal(size=(B, H)), "W": rng.normal(size=(H, H))}
        inputs["n"] = np.array(lengths)
        found = interpret(plan, inputs, {}, Random(0))
        assert {count[name] for name in products} == {sum(lengths) * H * H}, lengths
        assert count[function] == sum(lengths) * H
        h = inputs["h0"].copy()
        for t in range(T)[:: -1 if reverse else 1]:
            new = np.tanh(inputs["v"][t] + h @ inputs["W"])
            h = np.where((t < inputs["n"])[:, None], new, h)
        np.testing.assert_allclose(next(iter(found.values())), h, rtol=1e-12)


def test_a_product_for_all_examples_runs_while_one_has_a_step() -> None:
    """Large steps are products of matrices, over all examples: left out behind the longest of them, in all loops."""
    v, h0 = pa.placeholder((T, 8, 64), "v", "float32"), pa.placeholder((8, 64), "h0", "float32")
    W, n = pa.placeholder((64, 64), "W", "float32"), pa.placeholder((8,), "n", "int64")
    last, _ = pa.scan(lambda h, x: (pn.tanh(x + h @ W), None), h0, v, lengths=n)
    source = pa.compile(last).source
    assert source.count("if (running[t] != 0)") == 1
    assert source.index("if (running[t] != 0)") < source.index("pa_contract_packed_f32(&")


@pytest.mark.parametrize("kind", ["last", "outputs"])
def test_functions_of_elements_are_left_out_too(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Steps without products: each example computes in its own steps, in vectors, and what selects stands beside."""
    v, h0 = pa.placeholder((T, B, 32), "v", "float32"), pa.placeholder((B, 32), "h0", "float32")
    n = pa.placeholder((B,), "n", "int64")
    last, ys = pa.scan(lambda h, x: ((new := pn.tanh(0.5 * h + x)), new), h0, v, lengths=n)
    outputs = [last] if kind == "last" else [last, ys]
    count: Counter[str] = Counter()

    class Counting(Interpreter):
        def instance(self, node: Instance) -> None:
            count[node.statement] += 1
            Interpreter.instance(self, node)

    monkeypatch.setattr(interpreter, "Interpreter", Counting)
    prepared = prepare(program_of(outputs, [v, h0, n], "elements")[0])
    plan = plan_kernel(prepared, default_schedule(prepared), CodegenOptions(False))
    (function,) = (s.name for s in plan.program.statements if "tanh" in operators(s))
    interpret(plan, {"v": np.ones((T, B, 32)), "h0": np.ones((B, 32)), "n": np.array([5, 0, 2, 1])}, {}, Random(0))
    assert count[function] == 8 * 32
    source = pa.compile(outputs).source
    inner = source[source.index("pa_tanh_f32(") - 400 : source.index("pa_tanh_f32(")]
    assert "if (has_step != 0)" in inner and "PA_SIMD" in inner
    assert "pa_select_f32(running" not in source  # of one truth value in another gcc makes branches, and no vectors
