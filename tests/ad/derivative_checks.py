"""The checks every derivative has to pass, run by the evaluator."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from polyad.ad.derivative import Derivative
from polyad.ad.forward import tangent
from polyad.ad.reverse import reverse
from polyad.ir.array import Role
from polyad.ir.program import Program
from polyad.semantics.evaluate import evaluate
from polyad.semantics.verify import verify

Values = dict[str, np.ndarray]


def with_seeds(program: Program, seeds: Mapping[str, str]) -> Program:
    """The program with one more input for each seed, of the shape of its array: array name -> seed name."""
    arrays = dict(program.arrays)
    for name, seed in seeds.items():
        arrays[seed] = replace(program.arrays[name].with_role("input"), name=seed)
    return replace(program, arrays=arrays, inputs=(*program.inputs, *seeds.values()))


def asking(program: Program, outputs: Sequence[str]) -> Program:
    """The program with other outputs."""

    def role(name: str) -> Role:
        return "output" if name in outputs else "input" if name in program.inputs else "temporary"

    arrays = {n: a.with_role(role(n)) for n, a in program.arrays.items()}
    return replace(program, arrays=arrays, outputs=tuple(dict.fromkeys(outputs)))


def floats(program: Program, names: Sequence[str]) -> list[str]:
    return [n for n in names if program.arrays[n].dtype.startswith("float")]


def random_values(program: Program, names: Sequence[str], sizes: Mapping[str, int], seed: int) -> Values:
    """Normal floats; integers below the smallest size, so that they can be indices of anything."""
    rng = np.random.default_rng(seed)
    result = {}
    for name in names:
        array = program.arrays[name]
        shape = tuple(e.evaluate(sizes) for e in array.shape)
        integer = array.dtype.startswith("int")
        result[name] = rng.integers(0, min(sizes.values(), default=1), shape) if integer else rng.normal(size=shape)
    return result


def vjp(program: Program, wrt: Sequence[str]) -> Derivative:
    """Reverse mode with an input `<output>_seed` for each output."""
    seeds = {o: f"{o}_seed" for o in floats(program, program.outputs)}
    return reverse(with_seeds(program, seeds), seeds, wrt)


def jvp(program: Program, wrt: Sequence[str]) -> Derivative:
    """Forward mode with an input `<array>_tangent` for each variable."""
    seeds = {w: f"{w}_tangent" for w in wrt}
    return tangent(with_seeds(program, seeds), seeds, floats(program, program.outputs))


def asking_derivative(derivative: Derivative, names: Sequence[str]) -> tuple[Program, list[str]]:
    """The program that returns the derivatives of `names`, verified, and their array names."""
    arrays = [derivative.arrays[n] for n in names]
    program = asking(derivative.program, [a for a in arrays if a not in derivative.program.inputs])
    verify(program)
    return program, arrays


def check_derivatives(
    program: Program,
    sizes: Mapping[str, int],
    wrt: Sequence[str] | None = None,
    inputs: Mapping[str, np.ndarray] | None = None,
    differences: bool = True,
    seed: int = 0,
) -> None:
    """<Jv, u> = <v, J'u> to 1e-12, and Jv against central differences.

    Args:
        program: any program.
        sizes: where it is tried.
        wrt: variables, by default all floating point inputs.
        inputs: values of some inputs; the others are random.
        differences: False where the function is not smooth at the inputs.
        seed: of the random values.
    """
    wrt = floats(program, program.inputs) if wrt is None else list(wrt)
    outputs = floats(program, program.outputs)
    values = random_values(program, program.inputs, sizes, seed) | dict(inputs or {})
    v = random_values(program, wrt, sizes, seed + 1)
    u = random_values(program, outputs, sizes, seed + 2)

    back, bars = asking_derivative(vjp(program, wrt), wrt)
    forth, dots = asking_derivative(jvp(program, wrt), outputs)
    pulled = evaluate(back, values | {f"{o}_seed": u[o] for o in outputs}, sizes)
    pushed = evaluate(forth, values | {f"{w}_tangent": v[w] for w in wrt}, sizes)
    pushed |= {f"{w}_tangent": v[w] for w in wrt}
    left = sum(float(np.sum(u[o] * pushed[d])) for o, d in zip(outputs, dots, strict=True))
    right = sum(float(np.sum(v[w] * pulled[b])) for w, b in zip(wrt, bars, strict=True))
    size = sum(float(np.sum(np.abs(u[o] * pushed[d]))) for o, d in zip(outputs, dots, strict=True)) + 1.0
    assert abs(left - right) <= 1e-12 * size, (left, right)

    if differences and all(w in program.inputs for w in wrt):
        step = 1e-5
        plus = evaluate(program, values | {w: values[w] + step * v[w] for w in wrt}, sizes)
        minus = evaluate(program, values | {w: values[w] - step * v[w] for w in wrt}, sizes)
        for o, d in zip(outputs, dots, strict=True):
            slope = (plus[o] - minus[o]) / (2 * step)
            np.testing.assert_allclose(pushed[d], slope, rtol=2e-6, atol=2e-7 * (1 + np.max(np.abs(slope), initial=0)))


def check_second_order(program: Program, sizes: Mapping[str, int], wrt: str, seed: int = 0) -> None:
    """Hessian-vector products of a scalar program: forward over reverse, reverse over reverse, central differences."""
    values = random_values(program, program.inputs, sizes, seed)
    v = random_values(program, [wrt], sizes, seed + 1)[wrt]
    (loss,) = program.outputs
    first = reverse(program, {loss: None}, [wrt])
    bar = first.adjoints[wrt]
    gradient = asking(first.program, [bar])

    forth, (dot,) = asking_derivative(jvp(gradient, [wrt]), [bar])
    forward = evaluate(forth, values | {f"{wrt}_tangent": v}, sizes)[dot]
    back, (barbar,) = asking_derivative(vjp(gradient, [wrt]), [wrt])
    reverse_again = evaluate(back, values | {f"{bar}_seed": v}, sizes)[barbar]
    step = 1e-5
    plus = evaluate(gradient, values | {wrt: values[wrt] + step * v}, sizes)[bar]
    minus = evaluate(gradient, values | {wrt: values[wrt] - step * v}, sizes)[bar]
    slope = (plus - minus) / (2 * step)
    scale = 1 + np.max(np.abs(slope), initial=0)
    np.testing.assert_allclose(forward, slope, rtol=1e-5, atol=1e-6 * scale)
    # The Hessian is symmetric.
    np.testing.assert_allclose(reverse_again, forward, rtol=1e-9, atol=1e-11 * scale)
