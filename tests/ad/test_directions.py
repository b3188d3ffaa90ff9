"""Jacobians: one adjoint or tangent per direction, seeded with the identity."""

import numpy as np
import pytest

from polyad.ad.forward import tangent
from polyad.ad.reverse import reverse
from polyad.analysis.counting import instances
from polyad.ops.program_text import parse_program
from polyad.semantics.evaluate import evaluate
from tests import programs
from tests.ad import samples
from tests.ad.derivative_checks import asking_derivative, floats, random_values

CASES = [
    *[
        (samples.ACCESSES[n], {"N": 2, "M": 3})
        for n in ("strided convolution", "upsample", "pieces", "many uses", "broadcast")
    ],
    (samples.RECURRENCES["two-dimensional"], {"N": 2, "M": 2}),
    (samples.RECURRENCES["gru"], {"N": 2, "M": 2}),
    *[(samples.reduction(op)["rows"], {"N": 2, "M": 3}) for op in ("*=", "max=")],
    (programs.CUMSUM, {"N": 3}),
    (programs.LSTM, {"T": 2, "B": 1, "I": 1, "H": 2}),
]


@pytest.mark.parametrize(("text", "sizes"), CASES)
def test_reverse_and_forward_jacobians_agree_with_differences(text: str, sizes: dict[str, int]) -> None:
    program = parse_program(text)
    (output,), variable = program.outputs, program.inputs[0]
    values = random_values(program, program.inputs, sizes, 0)
    back = reverse(program, {output: None}, [variable], directions=program.arrays[output].shape)
    forth = tangent(program, {variable: None}, [output], directions=program.arrays[variable].shape)
    rows = _value(back, variable, values, sizes)
    columns = _value(forth, output, values, sizes)
    n = values[variable].size
    rows, columns = rows.reshape(-1, n), columns.reshape(n, -1)
    np.testing.assert_allclose(rows, columns.T, rtol=1e-12, atol=1e-13)
    for k in range(n):
        step = np.zeros(n)
        step[k] = 1e-5
        step = step.reshape(values[variable].shape)
        plus = evaluate(program, values | {variable: values[variable] + step}, sizes)[output]
        minus = evaluate(program, values | {variable: values[variable] - step}, sizes)[output]
        np.testing.assert_allclose(rows[:, k], ((plus - minus) / 2e-5).ravel(), rtol=1e-6, atol=1e-7)


def _value(derivative, name, values, sizes):
    program, (array,) = asking_derivative(derivative, [name])
    return evaluate(program, values, sizes)[array]


def test_an_elementwise_jacobian_visits_the_diagonal_only() -> None:
    program = parse_program(samples.vector(samples.stmt("S", "i", samples.I, "y[i] = sin(x[i])")))
    n = 50
    for derivative in (
        reverse(program, {"y": None}, ["x"], directions=program.arrays["y"].shape),
        tangent(program, {"x": None}, ["y"], directions=program.arrays["x"].shape),
    ):
        counts = instances(derivative.program, {"N": n, "M": 1})
        own = [s for s in derivative.program.statements if "_bar" in s.name or "_dot" in s.name]
        assert sum(counts[s.name] for s in own if "_init" not in s.name) == 2 * n


def test_jacobian_of_a_jacobian() -> None:
    """The Hessian of a scalar by directions twice."""
    program = parse_program(samples.ACCESSES["sum over all"].replace("x[i, j] * x[i, j]", "sin(x[i, j]) * x[i, 0]"))
    sizes = {"N": 2, "M": 2}
    values = random_values(program, program.inputs, sizes, 1)
    first = reverse(program, {"y": None}, ["x"])
    gradient, (bar,) = asking_derivative(first, ["x"])
    shape = program.arrays["x"].shape
    by_rows = _value(reverse(gradient, {bar: None}, ["x"], directions=shape), "x", values, sizes)
    by_columns = _value(tangent(gradient, {"x": None}, [bar], directions=shape), bar, values, sizes)
    np.testing.assert_allclose(by_rows, by_columns, atol=1e-13)
    np.testing.assert_allclose(by_rows.reshape(4, 4), by_rows.reshape(4, 4).T, atol=1e-13)
    assert floats(program, program.inputs) == ["x"]
