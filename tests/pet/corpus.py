"""The corpus: loop nests in C, and the C itself, compiled by the host, to compare derivatives with."""

from __future__ import annotations

import ctypes
import os
import re
import subprocess
import tempfile
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from tests.pet.case import DTYPES, FOLDER, Array, Case
from tests.pet.cases_adbench import ADBENCH
from tests.pet.cases_algebra import ALGEBRA
from tests.pet.cases_branches import BRANCHES
from tests.pet.cases_sequences import SEQUENCES
from tests.pet.cases_stencils import STENCILS

__all__ = ["CASES", "Case", "central_differences", "library", "output_weights", "reference"]

CASES = {case.name: case for case in (*ALGEBRA, *STENCILS, *SEQUENCES, *BRANCHES, *ADBENCH)}

FLAGS = ("-std=c99", "-O1", "-fPIC", "-ffp-contract=off")
SCALARS: dict[str, Any] = {
    "int": ctypes.c_int,
    "unsigned": ctypes.c_uint,
    "size_t": ctypes.c_size_t,
    "float": ctypes.c_float,
    "double": ctypes.c_double,
}


def in_double(text: str, function: str) -> str:
    """The C text of a float32 function as `FUNCTION_in_double`, so that differences of it are exact enough."""
    text = re.sub(r"\bfloat\b", "double", text)
    text = re.sub(r"(\b[\d.]+(?:e-?\d+)?)f\b", r"\1", text)
    text = re.sub(r"\b(exp|log|sqrt|tanh|fabs|fmax|fmin|pow|sin|cos)f\b", r"\1", text)
    return re.sub(rf"\b{function}\b", f"{function}_in_double", text)


_scratch: list[tempfile.TemporaryDirectory[str]] = []  # removed when the process ends


@cache
def library() -> ctypes.CDLL:
    """All files of `c/` in one library, those in float32 a second time in float64."""
    _scratch.append(tempfile.TemporaryDirectory(prefix="polyad_corpus_"))
    folder = Path(_scratch[-1].name)
    sources = sorted(FOLDER.glob("*.c"))
    for path in tuple(sources):
        text = path.read_text()
        if re.search(r"\bfloat\b", text):
            sources.append(folder / f"{path.stem}_in_double.c")
            sources[-1].write_text(in_double(text, path.stem))
    shared = folder / "libcorpus.so"
    compiler = os.environ.get("CC", "cc")
    subprocess.run([compiler, *FLAGS, "-shared", "-o", str(shared), *map(str, sources), "-lm"], check=True)
    return ctypes.CDLL(str(shared))


def reference(case: Case, arguments: Mapping[str, Any], *, double: bool = False) -> dict[str, Array]:
    """Return `case.updates` and `case.results` after a call of the C function.

    Args:
        case: what is called.
        arguments: of all parameters, by name; arrays are copied.
        double: whether a float32 function computes in float64.
    """
    double = double and case.single
    passed: list[Any] = []
    after: dict[str, Array] = {}
    for parameter in case.parameters:
        value = arguments[parameter.name]
        type_ = "double" if double and parameter.type == "float" else parameter.type
        if parameter.is_array:
            array = np.array(value, DTYPES[type_], order="C", copy=True)
            passed.append(ctypes.c_void_p(array.ctypes.data))
            after[parameter.name] = array
        else:
            passed.append(SCALARS[type_](DTYPES[type_].type(value).item()))
    function = getattr(library(), case.function + "_in_double" * double)
    function.restype = None
    function(*passed)
    return {name: after[name] for name in (*case.updates, *case.results)}


def central_differences(
    case: Case,
    name: str,
    arguments: Mapping[str, Any] | None = None,
    weights: Array | None = None,
    *,
    seed: int = 0,
    step: float | None = None,
) -> Array:
    """Gradient of <weights, output `case.of`> by the argument `name`, by central differences of the C function.

    Args:
        case: what is differentiated.
        name: one of `case.wrt`.
        arguments: where; drawn if left out.
        weights: of the shape of the output; drawn with `seed` if left out, as `output_weights` does.
        seed: of what is drawn.
        step: half the distance of the two points; that of the case if left out.
    """
    step = case.step if step is None else step
    arguments = case.arguments(seed) if arguments is None else arguments
    weights = output_weights(case, arguments, seed) if weights is None else weights

    def value(point: Array) -> Any:
        return np.vdot(weights, reference(case, {**arguments, name: point}, double=True)[case.of])

    point = np.array(arguments[name], np.float64)
    gradient = np.empty(point.shape)
    for place in np.ndindex(point.shape):
        lower, upper = point.copy(), point.copy()
        lower[place] -= step
        upper[place] += step
        gradient[place] = (value(upper) - value(lower)) / (upper[place] - lower[place])
    return gradient


def output_weights(case: Case, arguments: Mapping[str, Any], seed: int = 0) -> Array:
    """Random weights of the output that is differentiated."""
    return np.random.default_rng([seed, 1, *case.name.encode()]).normal(size=np.shape(arguments[case.of]))
