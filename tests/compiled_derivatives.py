"""Derivatives of layers and array functions by compiled kernels, many of them compiled by one run of the C compiler.

    check_derivatives(output, [x, w], x=..., w=...)     in a test: differentiates, schedules and generates
    settle()                                            behind the last test of a module: compiles all, runs, judges

What is judged, with u the directions and h the weights of the outputs, both random without zeros, so that an error in
any one element of a gradient shows:

    value       compiled <y, h>  ==  that of the evaluator
    garbage     the same bits over NaN and over large numbers, with one thread and with two
    identity    <gradient, u>  ==  the tangent of <y, h> along u
    slope       that  ==  (f(x + e u) - f(x - e u)) / 2e
"""

import os
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

import polyad as pa
from polyad.frontend.compiled import program_of
from polyad.ir.program import Program
from polyad.machine import TINY
from polyad.semantics.evaluate import evaluate
from polyad.semantics.sizes import SizeSolver
from tests.acceptance.native_batch import NativeBatch

__all__ = ["Unsettled", "check_derivatives", "settle"]

Values = dict[str, np.ndarray]

EPS = 1e-5


@dataclass(frozen=True, slots=True)
class _Case:
    """One kernel that gives (<y, h>, its gradients, its tangent).

    Attributes:
        test: that asked for it.
        number: of the kernel in its batch.
        program: what it computes.
        value: of <y, h>, by the evaluator.
        inputs: all of them.
        directions: input -> u.
    """

    test: str
    number: int
    program: Program
    value: float
    inputs: Values
    directions: Values

    def judge(self, batch: NativeBatch) -> None:
        """Raise an AssertionError where something is wrong."""
        loss, *bars, dot = self.program.outputs
        found = self.run(batch, {}, 1)
        for name, values in self.run(batch, {}, 2).items():
            assert values.tobytes() == found[name].tobytes(), f"{name} differs with two threads"
        np.testing.assert_allclose(found[loss], self.value, rtol=1e-11, atol=1e-12, err_msg="value")
        pairs = zip(bars, self.directions.values(), strict=True)
        reverse = sum(float(np.sum(found[bar] * u)) for bar, u in pairs)
        np.testing.assert_allclose(reverse, found[dot], rtol=1e-10, atol=1e-12, err_msg="gradient and tangent")
        ahead, behind = (
            float(self.run(batch, {n: self.inputs[n] + s * EPS * u for n, u in self.directions.items()}, 1)[loss])
            for s in (1, -1)
        )
        np.testing.assert_allclose(reverse, (ahead - behind) / (2 * EPS), rtol=2e-7, atol=1e-8, err_msg="slope")

    def run(self, batch: NativeBatch, changed: Values, threads: int) -> Values:
        values = {**self.inputs, **changed}
        return batch.run(self.number, values, sizes_of(self.program, values), threads)


class Unsettled:
    """Requests since kernels were compiled last."""

    batch = NativeBatch(machine=TINY)
    cases: ClassVar[list[_Case]] = []


def sizes_of(program: Program, values: Values) -> dict[str, int]:
    arrays = [program.arrays[name] for name in program.inputs]
    return SizeSolver(arrays, program.params, program.context).solve({n: values[n].shape for n in program.inputs}, {})


def check_derivatives(output: pa.Tensor, wrt: Sequence[pa.Tensor], seed: int = 0, **inputs: np.ndarray) -> None:
    """Ask for the derivatives of a tensor by some of its inputs to be judged."""
    rng = np.random.default_rng(seed)
    head = pa.placeholder(output.shape, "head", "float64")
    loss = pa.numpy.sum(output * head)
    dots = {t: pa.placeholder(t.shape, f"{t.name}_dot", "float64") for t in wrt}
    adjoints = pa.differentiate(loss, list(wrt))
    program, found = program_of([loss, *(adjoints[t] for t in wrt), pa.tangent(loss, dots)], None, "derivatives")
    values = {n: np.asarray(inputs[n]) for n in program.inputs if n in inputs}
    captured = {n: t.definition.value for n, t in zip(program.inputs, found, strict=True)}
    values |= {n: v for n, v in captured.items() if v is not None}
    directions = {t.name: rng.uniform(0.5, 1.5, np.shape(inputs[t.name])) for t in wrt}
    values |= {f"{n}_dot": u for n, u in directions.items() if f"{n}_dot" in program.inputs}
    primal, _ = program_of([output], None, "primal")
    value = evaluate(primal, values)[primal.outputs[0]]
    weights = rng.uniform(0.5, 1.5, value.shape)
    test = os.environ.get("PYTEST_CURRENT_TEST", "").rsplit(" (", 1)[0]
    (number,) = Unsettled.batch.add(program, (True,))
    values |= {"head": weights} if "head" in program.inputs else {}
    case = _Case(test, number, program, float(np.sum(value * weights)), values, directions)
    Unsettled.cases.append(case)


def settle() -> None:
    """Compile and judge what was asked for.

    Raises:
        AssertionError: naming each test whose derivatives are wrong.
    """
    judge_all(Unsettled)


def judge_all(requests: Any) -> None:
    """Compile the batch of a class of requests, judge its cases, and begin anew."""
    batch, cases = requests.batch, requests.cases
    requests.batch, requests.cases = NativeBatch(machine=TINY), []
    if not cases:
        return
    batch.build()
    wrong = []
    for case in cases:
        try:
            case.judge(batch)
        except AssertionError as problem:
            wrong.append(f"{case.test}: {problem}\n{case.program}")
    assert not wrong, "\n\n".join(wrong)
