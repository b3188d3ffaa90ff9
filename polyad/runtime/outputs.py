"""The arrays that a call fills: the caller's (`out=`) or new ones."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from polyad.codegen.source import Argument
from polyad.errors import CallError
from polyad.ir.element_types import COMPLEX
from polyad.runtime.arguments import NumpyArray, shape_text
from polyad.runtime.foreign_arrays import is_foreign, pairs_of, shared_array

__all__ = ["OutputSpec", "given_outputs", "lent_memory", "targets_to_fill"]

OutputSpec = tuple[tuple[int, ...], "np.dtype[Any]"]
"""Shape and element type of one output at the sizes of a call."""

_OVERLAP_WORK = 100_000
"""Steps that numpy may spend on deciding whether two strided views meet; beyond them they count as meeting."""


def lent_memory(kernel: str, name: str, array: Any) -> Any:
    """Return the memory to fill for a given array: itself, or what another library's array lends."""
    if not isinstance(array, np.ndarray):
        array = shared_array(array, f"{kernel}: out: {name}", name) if is_foreign(array) else array
    if isinstance(array, np.ndarray) and array.dtype.name in COMPLEX and array.flags.c_contiguous:
        return pairs_of(array) if array.dtype.isnative else array
    return array


def given_outputs(
    kernel: str,
    outputs: Sequence[Argument],
    out: Any,
    memory: Callable[[str, str, Any], Any] = lent_memory,
) -> list[Any]:
    """Sort what was given as `out=`: one entry an output, None where none was given.

    Args:
        kernel: its name.
        outputs: what it returns, in order.
        out: one array for a single output, a sequence in order, or a mapping by name; None stands for a new array.
        memory: (kernel, name, array) -> what is to be filled for it.

    Raises:
        CallError: too many, too few, or an unknown name; or an array of another library that lends no memory.
    """
    names = [a.name for a in outputs]
    if isinstance(out, Mapping):
        unknown = [name for name in out if name not in names]
        if unknown:
            raise CallError(f"{kernel}: out={{{unknown[0]!r}: ...}}: the outputs are {_listed(outputs)}", unknown[0])
        return [memory(kernel, name, out.get(name)) for name in names]
    if is_foreign(out):
        out = (out,)
    if not isinstance(out, Sequence) or len(out) != len(names):
        got = f"{len(out)} arrays" if isinstance(out, Sequence) else type(out).__name__
        raise CallError(f"{kernel}: out= takes {len(names)} arrays ({_listed(outputs)}), got {got}", "out")
    return [memory(kernel, name, array) for name, array in zip(names, out, strict=True)]


def _listed(outputs: Sequence[Argument]) -> str:
    """The outputs as callers know them: by the input that one lies over."""
    return ", ".join(a.over or a.name for a in outputs)


def targets_to_fill(
    kernel: str,
    outputs: Sequence[Argument],
    specs: Sequence[OutputSpec],
    given: Sequence[Any],
    inputs: Iterable[NumpyArray],
    names: Sequence[str] = (),
    direct: bool = True,
) -> list[NumpyArray]:
    """The arrays that the C function is to write, one an output.

    A given array is written directly where C can: C-contiguous, aligned, in native byte order, and apart from every
    input, but for the one that the kernel overwrites with it. Otherwise a new array is, and the caller copies from
    there.

    Args:
        kernel: its name.
        outputs: what it returns.
        specs: their shapes and types at the sizes of this call.
        given: the caller's arrays, None where a new one is wanted.
        inputs: the arrays that the kernel reads.
        names: of these.
        direct: False when nothing given may be written before the kernel has succeeded.

    Raises:
        CallError: a given array has another type, shape or element type, is read-only, or overlaps with another one or
            with itself.
    """
    sources = list(inputs)
    views = [source for source in sources if not source.flags.owndata]
    result: list[NumpyArray] = []
    for i, (argument, (shape, dtype), array) in enumerate(zip(outputs, specs, given, strict=True)):
        if array is None:
            result.append(np.empty(shape, dtype))
            continue
        _check_given(kernel, argument, shape, dtype, array)
        for other, earlier in zip(outputs[:i], given[:i], strict=True):
            if earlier is not None and _overlap(array, earlier):
                raise CallError(
                    f"{kernel}: out: {other.name} and {argument.name} share memory, so one would overwrite the other; "
                    "pass arrays of their own",
                    argument.name,
                )
        writable_by_c = array.dtype == dtype and array.flags.carray
        place = names.index(argument.over) if argument.over else -1
        if place >= 0 and sources[place].ctypes.data == array.ctypes.data:
            others = [*sources[:place], *sources[place + 1 :]]
            apart = not _meets_any(array, others, [s for s in others if not s.flags.owndata])
        else:
            apart = not _meets_any(array, sources, views)
        if direct and writable_by_c and apart:
            result.append(array)
        else:
            result.append(np.empty(shape, dtype))
    return result


def _check_given(kernel: str, argument: Argument, shape: tuple[int, ...], dtype: np.dtype[Any], array: Any) -> None:
    name = argument.name
    if not isinstance(array, np.ndarray) or isinstance(array, np.ma.MaskedArray):
        raise CallError(f"{kernel}: out: {name}: expected a NumPy array, got {type(array).__name__}", name)
    if array.dtype != dtype and array.dtype.newbyteorder("=") != dtype:
        raise CallError(f"{kernel}: out: {name}: expected {dtype}, got {array.dtype}", name)
    if array.shape != shape:
        expected = shape_text(argument.shape)
        values = "" if expected == shape_text(shape) else f" = {shape_text(shape)}"
        raise CallError(
            f"{kernel}: out: {name}: expected shape {expected}{values}, got {shape_text(array.shape)}", name
        )
    if not array.flags.writeable:
        raise CallError(f"{kernel}: out: {name} is read-only; pass an array that may be written", name)
    if _meets_itself(array):
        raise CallError(
            f"{kernel}: out: {name} is a view of which several elements are one (strides {array.strides}): it cannot "
            "hold a result; pass an array of its own, such as numpy.empty(...)",
            name,
        )


def _meets_itself(array: NumpyArray) -> bool:
    """Whether elements of a view share memory: a stride is 0, or windows overlap."""
    if array.flags.c_contiguous or array.size < 2:
        return False
    reach = array.itemsize  # bytes from the first to behind the last element along the dimensions that were looked at
    for stride, extent in sorted((abs(s), n) for s, n in zip(array.strides, array.shape, strict=True) if n > 1):
        if stride < reach:
            break
        reach += stride * (extent - 1)
    else:
        return False
    places = np.zeros((), np.int64)
    for stride, extent in zip(array.strides, array.shape, strict=True):
        places = np.add.outer(places, stride * np.arange(extent, dtype=np.int64))
    return bool(np.any(np.diff(np.sort(places, axis=None)) < array.itemsize))


def _meets_any(array: NumpyArray, sources: Sequence[NumpyArray], views: Sequence[NumpyArray]) -> bool:
    """Whether an array may overlap with an input; `views` are those inputs that do not own their memory."""
    if not array.flags.owndata:
        return any(np.may_share_memory(array, source) for source in sources)
    # An owner meets itself and views of it, no other owner.
    return any(array is source for source in sources) or any(np.may_share_memory(array, view) for view in views)


def _overlap(a: NumpyArray, b: NumpyArray) -> bool:
    if a is b:
        return True
    if (a.flags.owndata and b.flags.owndata) or not np.may_share_memory(a, b):
        return False
    try:
        # numpy's annotation knows only its two named limits; any number of steps is documented.
        return bool(np.shares_memory(a, b, max_work=_OVERLAP_WORK))  # type: ignore[arg-type]
    except np.exceptions.TooHardError:
        return True
