"""Checking a kernel on the caller's own arrays: beside it run the same equations by other ways.

- The kernel itself, and what `optimize=0` makes of the definition, each twice, in memory full of NaN and then of huge
  numbers (guarded.py): what reads elements that nobody wrote gives two results.
- The evaluator (polyad.semantics.evaluate), which takes the definition word by word and knows no order, no storage and
  no C, where the sizes are small enough for it.

Two floating-point results agree where they differ by no more than `TOLERANCES` times the largest value of that output,
or a thousandth of the largest input where that is more: a sum that cancels has errors of the size of its terms. What is
not finite has to be the same. Integers have to be equal.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from polyad.analysis.counting import instances
from polyad.errors import CheckError
from polyad.ir.array import Array
from polyad.ir.program import Program
from polyad.runtime.arguments import NumpyArray
from polyad.runtime.guarded import FILL
from polyad.semantics.evaluate import evaluate

__all__ = ["EVALUATED", "POISONS", "TOLERANCES", "Result", "compare", "evaluated"]

TOLERANCES = {"bfloat16": 5e-2, "float16": 1e-2, "float32": 1e-3, "float64": 1e-8}
"""Of the results of two ways, relative to the largest value."""

EVALUATED = 100_000
"""Statement instances that the evaluator runs: some seconds. Beyond, only `optimize=0` is compared with."""

POISONS = {"NaN": FILL, "huge numbers": 0x7F}
"""What memory is full of -> the byte: as float32 0x7f7f7f7f is 3.4e38, as int32 2139062143."""


@dataclass(frozen=True, slots=True)
class Result:
    """The outputs as one way computed them.

    Attributes:
        way: `the kernel in memory full of NaN`, for messages.
        values: output name -> array.
    """

    way: str
    values: Mapping[str, NumpyArray]


def evaluated(program: Program, inputs: Mapping[str, NumpyArray], sizes: Mapping[str, int]) -> list[Result]:
    """Return the evaluator's results, nothing where that would take too long; call it under the lock of isl.

    Args:
        program: the definition, as it was before any pass.
        inputs: name -> array.
        sizes: all parameters of the program.
    """
    if sum(_elements(a, sizes) for a in program.arrays.values()) > EVALUATED:
        return []
    if sum(instances(program, sizes).values()) > EVALUATED:
        return []
    values = evaluate(program, {name: inputs[name] for name in program.inputs}, sizes)
    return [Result("the evaluator", values)]


def _elements(array: Array, sizes: Mapping[str, int]) -> int:
    count = 1
    for extent in array.shape:
        count *= max(0, extent.evaluate(sizes))
    return count


def compare(kernel: str, results: Sequence[Result], inputs: Mapping[str, NumpyArray]) -> None:
    """Hold results against each other, the last one being what the others are held against.

    Raises:
        CheckError: two differ by more than rounding; with the output, the worst element, and all values of it.
    """
    *others, wanted = results
    floor = max((_largest(array) for array in inputs.values()), default=0.0) * 1e-3
    for name in wanted.values:
        for other in others:
            position = _worst(other.values[name], wanted.values[name], floor)
            if position is not None:
                raise _difference(kernel, name, position, other, wanted, results)


def _worst(a: NumpyArray, b: NumpyArray, floor: float) -> tuple[int, ...] | None:
    """Return the index at which two results of one output differ most, None where they agree."""
    if not a.size:
        return None
    if a.dtype.name not in TOLERANCES:
        wrong = (a != b).astype(np.float64)
    else:
        with np.errstate(all="ignore"):
            b = b.astype(a.dtype)
            allowed = TOLERANCES[a.dtype.name] * max(_largest(b), floor)
            left, right = a.astype(np.float64), b.astype(np.float64)
            same = (left == right) | (np.isnan(left) & np.isnan(right))
            distance = np.abs(left - right)
            wrong = np.where(same, 0.0, np.where(np.isfinite(distance), distance, np.inf))
            wrong[wrong <= allowed] = 0.0
    worst = int(np.argmax(wrong))
    if not wrong.flat[worst]:
        return None
    return tuple(int(i) for i in np.unravel_index(worst, a.shape))


def _largest(array: NumpyArray) -> float:
    """The largest finite magnitude."""
    values = np.abs(array.astype(np.float64))
    return float(np.max(values, initial=0.0, where=np.isfinite(values)))


def _difference(
    kernel: str, name: str, position: tuple[int, ...], one: Result, other: Result, results: Sequence[Result]
) -> CheckError:
    element = f"{name}[{', '.join(map(str, position))}]"
    values = {r.way: r.values[name][position].item() for r in results}
    listed = "".join(f"\n  {value!r} by {way}" for way, value in values.items())
    return CheckError(
        f"{kernel}: {element} is not the same by {one.way} and by {other.way}:{listed}\n"
        "Where a rounded value decides something (a comparison, floor, argmax), two ways may rightly differ. Else this "
        "is an error of polyad: please report it, and meanwhile use Target(optimize=0) if that is right",
        name,
        position,
        values,
    )
