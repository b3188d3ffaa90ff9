"""Values by the evaluator: what a program means, without compiler or scheduler."""

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
