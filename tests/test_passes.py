"""The list of passes: what each switch leaves out, and programs that some pass once got wrong."""

from dataclasses import fields, replace
from typing import Any

import numpy as np
import pytest

import polyad as pa
from polyad import passes
from polyad.errors import DefinitionError
from polyad.frontend.compiled import program_of
from polyad.ir.program import Program
from polyad.ir.statement import Statement
from polyad.machine import MACHINE, TINY, Machine
from polyad.passes import PASSES, Pass, prepare
from polyad.schedule.strategies import ALL, Strategies
from polyad.semantics.evaluate import evaluate
from polyad.semantics.verify import verify


def gradient(f: Any, *shapes: tuple[int, ...], of: int = 0) -> Program:
    """The gradient of a sum of squares of `f` by one of its arguments."""
    x = [pa.placeholder(shape, f"x{i}", "float64") for i, shape in enumerate(shapes)]
    y = f(*x)
    return program_of(pa.grad(pa.numpy.sum(y * y), [x[of]]), None, "p")[0]


def checkpointed(length: int, segment: int) -> Program:
    """The gradient of a plain RNN by its input weights; the last segment is shorter where the length is no multiple."""

    def f(w: Any, u: Any, xs: Any, start: Any) -> Any:
        def step(h: Any, v: Any) -> Any:
            h = pa.tanh(v @ w.T + h @ u.T)
            return h, h

        return pa.scan(step, start, xs, checkpoint=pa.checkpoint.every(segment))[1]

    return gradient(f, (2, 2), (2, 2), (length, 1, 2), (1, 2))


def layers(length: int, segment: int) -> Program:
    """The gradient of a second checkpointed scan over the states of a first one, by its weights."""

    def f(w: Any, xs: Any, start: Any) -> Any:
        def first(h: Any, v: Any) -> Any:
            h = pa.tanh(v + 0.5 * h)
            return h, h

        def second(h: Any, v: Any) -> Any:
            h = pa.tanh(v @ w + h)
            return h, h

        every = pa.checkpoint.every(segment)
        return pa.scan(second, start, pa.scan(first, start, xs, checkpoint=every)[1], checkpoint=every)[1]

    return gradient(f, (2, 2), (length, 1, 2), (1, 2))


def conv(x: tuple[int, ...], w: tuple[int, ...], of: int = 0, **options: Any) -> Program:
    return gradient(lambda a, b: pa.nn.conv2d(a, b, **options), x, w, of=of)


WRONG_ONCE = {
    # A sum was widened to where its other operand has no values.
    "checkpoints, 7 steps in segments of 3": lambda: checkpointed(7, 3),
    "checkpoints, 3 steps in segments of 2": lambda: checkpointed(3, 2),
    "two layers of checkpoints, 5 steps": lambda: layers(5, 2),
    # A sum was widened to where an index is no whole number.
    "convolution, stride 2, kernel 1 x 3": lambda: conv((1, 2, 7, 6), (2, 2, 1, 3), stride=2),
    "convolution, stride 4, dilation 2": lambda: conv((1, 2, 2, 13), (2, 2, 2, 4), stride=4, dilation=(1, 2)),
}


@pytest.mark.parametrize("machine", [MACHINE, TINY], ids=["default", "tiny"])
@pytest.mark.parametrize("name", WRONG_ONCE)
def test_what_was_wrong_once(name: str, machine: Machine) -> None:
    """Valid after every pass, and the same values: by the verifier and the evaluator."""
    program = WRONG_ONCE[name]()
    rng = np.random.default_rng(0)
    sizes: dict[str, int] = {}
    shapes = {n: [e.constant for e in program.arrays[n].shape] for n in program.inputs}
    inputs = {n: rng.uniform(0.5, 1.5, shape) for n, shape in shapes.items()}
    after = prepare(program, machine=machine)
    expected, found = evaluate(program, inputs, sizes), evaluate(after, inputs, sizes)
    for output, value in expected.items():
        np.testing.assert_allclose(found[output], value, rtol=1e-10, atol=1e-12, err_msg=output)


def test_switches_are_those_of_the_strategies() -> None:
    known = {f.name for f in fields(Strategies)}
    assert {p.switch for p in PASSES} - {""} <= known


def test_what_is_switched_off_is_left_out() -> None:
    program = conv((1, 1, 4, 4), (1, 1, 3, 3), padding=1)
    ran: list[str] = []
    prepare(program, replace(ALL, contraction=False), watch=lambda step, before, after: ran.append(step.name))
    assert "pad_operands" not in ran and "row_sums" in ran
    everything: list[Pass] = []
    prepare(program, replace(ALL, nested=True), watch=lambda step, before, after: everything.append(step))
    assert everything == list(PASSES)


def test_the_verifier_names_the_pass_that_gave_another_program(monkeypatch: pytest.MonkeyPatch) -> None:
    program = conv((1, 1, 4, 4), (1, 1, 2, 2))

    def broken(p: Program) -> Program:
        return replace(p, statements=p.statements[1:])

    def nothing(p: Program) -> Program:
        return p

    verified = []
    monkeypatch.setattr(passes, "verify", lambda p, *before: (verified.append(p), verify(p, *before))[1])
    monkeypatch.setattr(passes, "PASSES", (Pass(nothing), Pass(nothing)))
    prepare(program)
    assert [*map(str, verified)] == [str(program)]
    monkeypatch.setattr(passes, "PASSES", (Pass(nothing), Pass(broken)))
    with pytest.raises(DefinitionError) as caught:
        prepare(program)
    assert "after broken" in caught.value.__notes__[0]


def test_passes_look_at_the_equations_a_fixed_number_of_times(monkeypatch: pytest.MonkeyPatch) -> None:
    """Once for each array made minutes of programs of some thousand equations."""
    looked, found = 0, Statement.reads

    def counted(statement: Statement) -> Any:
        nonlocal looked
        looked += 1
        return found(statement)

    def f(x: Any, steps: int) -> Any:
        for n in range(steps):
            x = pa.tanh(x @ x) if n % 2 else pa.numpy.roll(pa.sin(x), 1, 1)
        return pa.numpy.sum(x)

    monkeypatch.setattr(Statement, "reads", counted)
    counts: list[dict[str, int]] = []
    for steps in (8, 32):
        program, counts = pa.make_program(lambda x, steps=steps: f(x, steps))(np.ones((5, 5))), [*counts, {}]
        for step in PASSES:
            looked = 0
            program = step.run(program)
            counts[-1][step.name] = looked
    few, many = counts
    for name in ("forward_sums", "memory_order", "vector_layout", "join_rows"):
        assert many[name] < 6 * few[name], (name, few[name], many[name])
