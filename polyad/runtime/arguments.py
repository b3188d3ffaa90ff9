"""The inputs of a call: names, element types, layout.

A float32 argument takes float32 arrays as they are. What converts without loss and Python numbers and lists of the
right kind are converted into a copy; anything else is refused with the conversion to write. Without loss is what NumPy
calls a "safe" cast, but for integers of 64 bits that the floating-point type does not hold: those are refused by value.
Inputs are only read, and copied where the C code could not read them: strided, byte-swapped or misaligned.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from polyad.codegen.source import Argument
from polyad.errors import CallError
from polyad.ir.affine import Affine
from polyad.ir.element_types import COMPLEX, accepted_type, first_inexact, instead_of
from polyad.runtime.foreign_arrays import is_foreign, numpy_array, pairs_of

__all__ = ["NumpyArray", "bind", "convert", "shape_text", "signature"]

NumpyArray = NDArray[Any]

# Kinds of NumPy types that are real numbers: bool, signed, unsigned, floating point.
_NUMBERS = "biuf"


def signature(name: str, inputs: Sequence[Argument], sizes: Sequence[str] = ()) -> str:
    """lstm(x, W, *, T), for messages."""
    return f"{name}({', '.join([a.name for a in inputs] + (['*', *sizes] if sizes else []))})"


def shape_text(shape: Sequence[object]) -> str:
    """(T, B) as Python writes a tuple."""
    inside = ", ".join(map(str, shape))
    return f"({inside},)" if len(shape) == 1 else f"({inside})"


def bind(
    kernel: str, inputs: Sequence[Argument], sizes: Sequence[str], args: Sequence[Any], kwargs: Mapping[str, Any]
) -> tuple[list[Any], dict[str, Any]]:
    """Sort the arguments of a call.

    Args:
        kernel: its name.
        inputs: what it takes, in order.
        sizes: the sizes, each of which may be given by name.
        args: the positional arguments.
        kwargs: the named ones.

    Returns:
        (one value an input, the sizes that were given).

    Raises:
        CallError: an argument too many, unknown, given twice, or missing.
    """
    names = [a.name for a in inputs]
    if len(args) > len(names):
        raise CallError(
            f"{kernel} takes {len(names)} array{'s' * (len(names) != 1)}, got {len(args)}: {signature(kernel, inputs)}"
        )
    values = dict(zip(names, args, strict=False))
    known: dict[str, Any] = {}
    for name, value in kwargs.items():
        if name in values and name in names[: len(args)]:
            raise CallError(f"{kernel}: argument {name!r} was given twice, by position and by name", name)
        if name in names:
            values[name] = value
        elif name in sizes:
            known[name] = value
        else:
            raise CallError(f"{kernel} has no argument {name!r}; it is {signature(kernel, inputs, sizes)}", name)
    missing = [name for name in names if name not in values]
    if missing:
        hint = " ('out' by position: out= takes the arrays to fill)" if "out" in missing else ""
        raise CallError(
            f"{kernel}: missing {', '.join(map(repr, missing))}{hint}; it is {signature(kernel, inputs)}", missing[0]
        )
    return [values[name] for name in names], known


def convert(kernel: str, argument: Argument, value: Any) -> NumpyArray:
    """`value` as a C-contiguous, aligned array of the argument's element type; a copy only where it has to be.

    Raises:
        CallError: it holds something else than numbers, or numbers that would not all keep their value.
    """
    dtype = argument.numpy_type
    if isinstance(value, np.ma.MaskedArray):
        raise CallError(
            f"{kernel}: {argument.name} is a masked array; kernels know no masks: pass {argument.name}.filled(...)",
            argument.name,
        )
    array = (
        numpy_array(value, f"{kernel}: {argument.name}", argument.name)
        if is_foreign(value)
        else _literal(kernel, argument, value)
    )
    if array is not None and is_complex_for(argument, array.dtype, array.ndim):
        array = pairs_of(array)
    if array is None or not (array.dtype.kind in _NUMBERS or accepted_type(array.dtype)):
        kind = type(value).__name__ if array is None else f"an array of {array.dtype}"
        cure = "" if array is None else f"; {instead_of(array.dtype, argument.name)}"
        raise CallError(f"{kernel}: {argument.name}: expected {dtype} numbers, got {kind}{cure}", argument.name)
    if not np.can_cast(array.dtype, dtype, "safe"):
        raise CallError(
            f"{kernel}: {argument.name}: expected {dtype}, got {array.dtype}; "
            f"pass {argument.name}.astype('{dtype}') if that is meant",
            argument.name,
        )
    _refuse_rounding(kernel, argument, array)
    # require() copies only what does not comply; order="C" alone would let a misaligned array pass.
    return np.require(array, dtype, ["C_CONTIGUOUS", "ALIGNED"]).reshape(array.shape)


def is_complex_for(argument: Argument, dtype: np.dtype[Any], ndim: int) -> bool:
    """Whether a complex array is of the pairs that an argument is made of: its last extent is 2."""
    pairs = len(argument.shape) == ndim + 1 and argument.shape[-1] == Affine.of(2)
    return dtype.name in COMPLEX and "float" in argument.dtype and pairs


def _refuse_rounding(kernel: str, argument: Argument, array: NumpyArray) -> None:
    """Refuse integers that the element type of the argument does not hold."""
    dtype = argument.numpy_type
    position = first_inexact(array, dtype)
    if position is not None:
        element = f"{argument.name}[{', '.join(map(str, position))}]" if position else argument.name
        value = array[position]
        raise CallError(
            f"{kernel}: {element} = {value} is no {dtype}: it would become {int(dtype.type(value))}; "
            f"pass {argument.name}.astype('{dtype}') if that is meant",
            argument.name,
        )


def _literal(kernel: str, argument: Argument, value: Any) -> NumpyArray | None:
    """An array from Python numbers and lists, which have a kind (int or float) but no width; None if it is neither."""
    try:
        natural = np.asarray(value)
    except (ValueError, TypeError):  # ragged lists
        return None
    wanted = argument.numpy_type
    if natural.dtype.kind not in _NUMBERS or (
        natural.dtype.kind == "f" and "float" not in wanted.name and natural.size
    ):
        return natural
    if wanted.kind == "i" and natural.size:
        info = np.iinfo(wanted)
        if int(natural.min()) < info.min or int(natural.max()) > info.max:
            return natural
    _refuse_rounding(kernel, argument, natural)
    return natural.astype(wanted)
