"""Values and derivatives by the evaluator: what a program means, without compiler or scheduler."""

from collections.abc import Sequence
from typing import Any

import numpy as np

import polyad as pa
from polyad.frontend.compiled import program_of
from polyad.semantics.evaluate import evaluate


def values_of(outputs: Any, sizes: Any = None, **inputs: Any) -> Any:
    """The values of one tensor, or of a list of tensors, from the values of the placeholders by name."""
    single = isinstance(outputs, pa.Tensor)
    program, found = program_of([outputs] if single else list(outputs), None, "test")
    given = {name: np.asarray(inputs[name]) for name in program.inputs if name in inputs}
    for name, tensor in zip(program.inputs, found, strict=True):
        if tensor.definition.value is not None:
            given[name] = tensor.definition.value
    results = evaluate(program, given, sizes)
    listed = [results[name] for name in program.outputs]
    return listed[0] if single else listed


def check_derivatives(output: pa.Tensor, wrt: Sequence[pa.Tensor], seed: int = 0, **inputs: Any) -> None:
    """Compare both modes with a central difference along a random direction, for a random combination of the outputs.

    An error in any one element of a gradient shows, because no element of direction and combination is zero.
    """
    rng = np.random.default_rng(seed)
    value = values_of(output, **inputs)
    head = pa.placeholder(output.shape, "head", "float64")
    inputs["head"] = rng.uniform(0.5, 1.5, value.shape)
    loss = pa.numpy.sum(output * head)
    directions = {t.name: rng.uniform(0.5, 1.5, np.shape(inputs[t.name])) for t in wrt}
    dots = {t: pa.placeholder(t.shape, f"{t.name}_dot", "float64") for t in wrt}
    adjoints = pa.differentiate(loss, list(wrt))
    dot_values = {f"{n}_dot": v for n, v in directions.items()}
    *gradients, forward = values_of([*(adjoints[t] for t in wrt), pa.tangent(loss, dots)], **inputs, **dot_values)
    eps = 1e-5
    ahead, behind = (
        values_of(loss, **{n: v + s * eps * directions[n] if n in directions else v for n, v in inputs.items()})
        for s in (1, -1)
    )
    numeric = float(ahead - behind) / (2 * eps)
    reverse = sum(float(np.sum(g * directions[t.name])) for t, g in zip(wrt, gradients, strict=True))
    np.testing.assert_allclose(reverse, forward, rtol=1e-10, atol=1e-12)
    np.testing.assert_allclose(reverse, numeric, rtol=2e-7, atol=1e-8)
