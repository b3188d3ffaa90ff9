"""Whether rounding decides what a program gives: that its result differs from its reference then proves nothing.

Maps that are iterated may be chaotic, sums of many numbers of one sign lose digits in float32, and an argmax of what
was rounded may be another one; so may the sign of a zero, where odd numbers are given. Such a program is recognised by
its reference alone: inputs that differ by as much as rounding may, each by itself and all in one direction, give
results that differ by a part of what is allowed. So may the reference in the program's own type, where numbers become
zero that are none (what is chosen by `x * x > 0` is then another thing), and in a longer one, where what grows a
million times larger on the way is not the input's last digit, but that of a later number; and where numbers are added
up one after the other, as loops do it, while NumPy adds in pairs.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import numpy as np

from tests.campaign.dual import Dual, primal
from tests.campaign.judge import RELATIVE, NotFiniteError, Values, WrongError, referenced
from tests.campaign.program import Program

__all__ = ["rounding_excused", "sensitive"]

PART = 0.05  # of the difference that is allowed
STEPS = 16  # roundings that every program has


@contextmanager
def rounding_excused(program: Program, extents: Mapping[str, int], inputs: Values, extra: Values) -> Iterator[None]:
    """A difference from the reference says nothing where that moves with its inputs' last digits.

    Odd programs are excused element by element instead (`sensitive`).
    """
    try:
        yield
    except WrongError:
        if not program.odd and any(np.any(s) for s in sensitive(program, extents, inputs, extra)):
            raise NotFiniteError("rounding decides") from None
        raise


def sensitive(program: Program, extents: Mapping[str, int], inputs: Values, extra: Values) -> list[np.ndarray]:
    """The elements that move with their inputs' last digits, or leave the range of their type.

    One array for each value in order, those of its derivatives after it.
    """
    wanted = _numbers(program, extents, inputs, extra)
    found = [np.isfinite(w) & (np.abs(w) > np.finfo(program.dtype).max) for w in wanted]
    runs = [(_numbers(program, extents, moved, extra), PART) for moved in _moved(program, inputs)]
    runs.append((_numbers(program, extents, inputs, extra, program.dtype), 1.0))
    runs.append((_numbers(program, extents, inputs, extra, "longdouble"), PART))
    runs.append((_numbers(program, extents, inputs, extra, program.dtype, one_by_one=True), 0.5))
    for others, part in runs:
        for n, (w, other) in enumerate(zip(wanted, others, strict=True)):
            scale = np.max(np.abs(w), where=np.isfinite(w), initial=0.0) + 1.0
            with np.errstate(invalid="ignore", over="ignore"):
                near = np.abs(w - other) <= part * RELATIVE[program.dtype] * scale
            found[n] |= ~(near | (w == other) | (np.isnan(w) & np.isnan(other)))
    return found


def _moved(program: Program, inputs: Values) -> Iterator[Values]:
    """The inputs as rounding may leave them."""
    largest = max((max(x.shape, default=1) for x in inputs.values()), default=1)
    relative = float(np.finfo(program.dtype).eps) * (STEPS + largest)
    rng = np.random.default_rng(5)
    for alike in (False, True, False):
        yield {
            n: x.astype("float64") * (1.0 + relative * (1.0 if alike else rng.uniform(-1.0, 1.0, x.shape)))
            if x.dtype.kind == "f"
            else x
            for n, x in inputs.items()
        }
    for zero in (0.0, -0.0) if program.odd else ():
        yield {n: np.where(x == 0, x.dtype.type(zero), x) for n, x in inputs.items()}


def _numbers(
    program: Program,
    extents: Mapping[str, int],
    inputs: Values,
    extra: Values,
    kind: str = "float64",
    one_by_one: bool = False,
) -> list[np.ndarray]:
    """All that the reference says, derivatives along the judge's direction included."""
    found: list[np.ndarray] = []
    for value in referenced(program, extents, inputs, extra, kind, one_by_one)[0]:
        found += [np.asarray(v, "float64") for v in _parts(value)]
    return found


def _parts(value: Any) -> list[Any]:
    if not isinstance(value, Dual):
        return [primal(value)]
    return [*_parts(value.value), *_parts(value.dot)]
