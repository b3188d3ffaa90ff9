"""Element types that NumPy types come in as, and replacements for the others: one table for calls and constants.

Every conversion of the table keeps every value: truth values are stored as 0 and 1. Elements of 8
and 16 bits are read and written as they are, and computed with as int32 or float32 (`COMPUTED`); integers wrap around
at their own width (`wrapped`), as NumPy's do.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

import numpy as np

from polyad.errors import DTypeError

__all__ = [
    "ACCEPTED",
    "COMPLEX",
    "COMPUTED",
    "ELEMENT_TYPES",
    "accepted_type",
    "bfloat16_bits",
    "computed",
    "element_type",
    "first_inexact",
    "holds",
    "instead_of",
    "is_integer",
    "item_bytes",
    "limits",
    "numpy_type",
    "wrapped",
]

COMPUTED = {
    **dict.fromkeys(("int8", "int16", "uint8", "uint16"), "int32"),
    **dict.fromkeys(("float16", "bfloat16"), "float32"),
}
"""Types of fewer bits, which arrays have -> the type that is computed with: what is read is converted to it, what is
written comes back from it."""

ELEMENT_TYPES = ("float32", "float64", "int32", "int64", "uint32", *COMPUTED)
"""The types of arrays."""

COMPLEX = {"complex64": "float32", "complex128": "float64"}
"""Complex types -> the type of their parts; a program has two arrays, or one with one more dimension, of extent 2."""

ACCEPTED = {
    "float32": "float32",
    "float64": "float64",
    "int32": "int32",
    "int64": "int64",
    "float16": "float16",
    "bfloat16": "bfloat16",
    "int8": "int8",
    "int16": "int16",
    "uint8": "uint8",
    "uint16": "uint16",
    "uint32": "uint32",
    "bool": "int32",
}
"""NumPy's name of a type -> the type whose values hold all of its values; truth values are stored as 0 and 1."""

_INSTEAD = {
    "u": "pass {x}.astype('int64'), if all values are below 2**63",
    "f": "pass {x}.astype('float64'), which rounds",
    "c": "pass {x}.astype('complex128'), which rounds",
    "O": "it holds Python objects, None or lists of different lengths: make it an array of numbers first",
    "U": "text is no number: close over options, and map words to integers",
    "S": "text is no number: close over options, and map words to integers",
    "M": "pass {x}.astype('int64') for the count of its units",
    "m": "pass {x}.astype('int64') for the count of its units",
}


def is_integer(dtype: str) -> bool:
    """Whether an element type is one of integers."""
    return "int" in dtype


def limits(dtype: str) -> tuple[int, int]:
    """The least and the largest number of a type of integers."""
    found = np.iinfo(dtype)
    return int(found.min), int(found.max)


def holds(dtype: str, number: int) -> bool:
    """Whether a type of integers has a number."""
    least, most = limits(dtype)
    return least <= number <= most


def computed(dtype: str) -> str:
    """The type that values of a type are computed with."""
    return COMPUTED.get(dtype, dtype)


def wrapped(value: Any, dtype: str) -> Any:
    """A number of 64 bits as an element of this type holds it: integers of n bits modulo 2 to the power n."""
    match dtype:
        case "float16":
            return np.float64(np.float16(np.float32(value)))
        case "bfloat16":
            return np.float64(np.uint32(bfloat16_bits(value) << 16).view(np.float32))
        case "float32" | "float64" | "int64" | "bool":
            return value
        case _:
            least, most = limits(dtype)
            return ((value - least) & (most - least)) + least


def bfloat16_bits(value: Any) -> int:
    """The bits of a number rounded to bfloat16, the upper half of a float32: to nearest, ties to even."""
    with np.errstate(over="ignore"):
        bits = int(np.float32(value).view(np.uint32))
    if bits & 0x7FFFFFFF > 0x7F800000:
        return bits >> 16 | 0x40  # not a number, and quiet
    return (bits + 0x7FFF + (bits >> 16 & 1)) >> 16


def item_bytes(dtype: str) -> int:
    """The size of an element."""
    return 2 if dtype == "bfloat16" else np.dtype(dtype).itemsize


def numpy_type(dtype: str) -> np.dtype[Any]:
    """NumPy's type of arrays of an element type.

    Raises:
        DTypeError: bfloat16, where the package that gives it to NumPy is missing.
    """
    if dtype != "bfloat16":
        return np.dtype(dtype)
    try:
        made: np.dtype[Any] = np.dtype(import_module("ml_dtypes").bfloat16)
        return made
    except ImportError:
        raise DTypeError(
            "NumPy has no arrays of bfloat16 without the package ml_dtypes: install it, or convert with "
            ".astype('float32') before"
        ) from None


def element_type(dtype: Any, what: str, *more: str) -> str:
    """The name of an element type given as NumPy gives it: a name, a NumPy type, or Python's float or int.

    Args:
        dtype: what the user wrote.
        what: where, for the message.
        more: names that are allowed besides `ELEMENT_TYPES`.

    Raises:
        DTypeError: not a type polyad has.
    """
    try:
        name = np.dtype(dtype).name if dtype is not None else "None"
    except (TypeError, ValueError):
        name = str(dtype)
    known = (*ELEMENT_TYPES, *more)
    if name not in known:
        wider = f"; {ACCEPTED[name]} holds all its values" if name in ACCEPTED else ""
        raise DTypeError(f"{what}: element type {name!r} is not one of {', '.join(known)}{wider}")
    return name


def accepted_type(dtype: np.dtype[Any]) -> str | None:
    """The element type that arrays of a NumPy type are computed with, None where no type holds all of its values.

    The byte order does not matter.
    """
    return ACCEPTED.get(dtype.name)


def instead_of(dtype: np.dtype[Any], name: str = "x") -> str:
    """Return what to write where the array `name` of this type is refused."""
    if dtype.name in COMPLEX:
        return f"real numbers are wanted here: pass {name}.real and {name}.imag as two arrays"
    known = ", ".join(t for t in ACCEPTED if t != "bool")
    return _INSTEAD.get(dtype.kind, f"the types of arrays are {known} and bool").format(x=name)


def first_inexact(array: np.ndarray[Any, Any], dtype: np.dtype[Any]) -> tuple[int, ...] | None:
    """The position of the first integer that the floating-point type `dtype` does not hold, None if there is none.

    An integer below 2**53 is a float64, one below 2**24 a float32; of the others those with as many trailing zeros as
    they have digits too much.
    """
    if array.dtype.kind not in "iu" or dtype.kind != "f" or not array.size:
        return None
    exact = 1 << (np.finfo(dtype).nmant + 1)
    if int(array.max()) <= exact and int(array.min()) >= -exact:
        return None
    size = np.abs(array).astype(np.uint64)  # |-2**63| wraps around to the same bits
    lowest_bit = np.maximum(size & (~size + np.uint64(1)), np.uint64(1))
    rounded = np.flatnonzero(size // lowest_bit > np.uint64(exact))
    return tuple(int(i) for i in np.unravel_index(int(rounded[0]), array.shape)) if rounded.size else None
