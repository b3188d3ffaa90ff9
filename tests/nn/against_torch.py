"""Values and gradients of compiled kernels against PyTorch, many kernels compiled by one run of the C compiler.

    against_torch(ours, theirs, x, w)       in a test: differentiates by every array of floats, schedules and generates
    settle()                                behind the last test of a module: compiles all, runs, judges

The outputs are weighted at random, so that an error in any one element shows; all are float64, and agree to 1e-9.
"""

import os
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

import polyad as pa
from polyad.frontend.compiled import program_of
from polyad.ir.program import Program
from polyad.machine import TINY
from tests.acceptance.native_batch import NativeBatch
from tests.compiled_derivatives import judge_all

__all__ = ["against_torch", "settle"]

NAMES = "xyzuvwpq"
CLOSE: dict[str, Any] = {"rtol": 1e-9, "atol": 1e-11}


@dataclass(frozen=True, slots=True)
class _Case:
    """One kernel: outputs, then the gradients of their weighted sum.

    Attributes:
        test: that asked for it.
        number: of the kernel in its batch.
        program: what it computes.
        inputs: their values.
        expected: one array per output of the program.
    """

    test: str
    number: int
    program: Program
    inputs: dict[str, np.ndarray]
    expected: list[np.ndarray]

    def judge(self, batch: NativeBatch) -> None:
        found = batch.run(self.number, self.inputs, {}, 1)
        for name, expected in zip(self.program.outputs, self.expected, strict=True):
            assert found[name].shape == expected.shape, f"{name}: {found[name].shape} instead of {expected.shape}"
            np.testing.assert_allclose(found[name], expected, **CLOSE, err_msg=name)


class Unsettled:
    """Requests since kernels were compiled last."""

    batch = NativeBatch(machine=TINY)
    cases: ClassVar[list[_Case]] = []


def against_torch(
    ours: Callable[..., Any], theirs: Callable[..., Any], *arrays: Any, gradients: bool = True, seed: int = 0
) -> None:
    """Ask for a function of arrays to be judged by one of PyTorch's tensors.

    Args:
        ours: tensors -> one tensor or a tuple of them.
        theirs: PyTorch's tensors -> as many.
        arrays: arguments; derivatives are taken by those of floats.
        gradients: whether there are any.
        seed: of the weights.
    """
    import torch  # here, as importing it takes a second in every process of tests

    rng = np.random.default_rng(seed)
    values = {n: np.asarray(a) for n, a in zip(NAMES, arrays, strict=False)}
    given = {n: pa.placeholder(a.shape, n, a.dtype) for n, a in values.items()}
    wrt = [n for n, a in values.items() if gradients and a.dtype.kind == "f"]
    leaves = {n: torch.from_numpy(a.copy()).requires_grad_(n in wrt) for n, a in values.items()}

    outputs, expected = (r if isinstance(r, tuple) else (r,) for r in (ours(*given.values()), theirs(*leaves.values())))
    made = list(outputs)
    wanted = [e.detach().numpy() for e in expected]
    if wrt:
        weights = [rng.uniform(0.5, 1.5, e.shape) for e in wanted]
        terms = [pa.numpy.sum(y * pa.numpy.asarray(h)) for y, h in zip(outputs, weights, strict=True)]
        adjoints = pa.differentiate(sum(terms[1:], start=terms[0]), [given[n] for n in wrt])
        made += [adjoints[given[n]] for n in wrt]
        sum((e * torch.from_numpy(h)).sum() for e, h in zip(expected, weights, strict=True)).backward()
        wanted += [np.zeros(values[n].shape) if leaves[n].grad is None else leaves[n].grad.numpy() for n in wrt]
    program, found = program_of(made, None, "case")
    captured = {n: t.definition.value for n, t in zip(program.inputs, found, strict=True)}
    inputs = {n: v if v is not None else values[n] for n, v in captured.items()}
    (number,) = Unsettled.batch.add(program)
    test = os.environ.get("PYTEST_CURRENT_TEST", "").rsplit(" (", 1)[0]
    Unsettled.cases.append(_Case(test, number, program, inputs, wanted))


def settle() -> None:
    """Compile and judge what was asked for.

    Raises:
        AssertionError: naming each test whose values or gradients are wrong.
    """
    judge_all(Unsettled)
