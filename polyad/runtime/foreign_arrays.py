"""Arrays of other libraries as arrays of NumPy: `__array__` first, then DLPack. Their errors name the argument here."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from polyad.errors import CallError
from polyad.ir.element_types import COMPLEX

__all__ = [
    "as_truth",
    "complex_array",
    "is_foreign",
    "numpy_array",
    "pairs_of",
    "read_array",
    "refusal",
    "shared_array",
]

_PLAIN = (list, tuple, int, float, bool, str, type(None))
_READ = ("dtype", "__array__", "__array_interface__", "__dlpack__", "__cuda_array_interface__")


def is_foreign(value: object) -> bool:
    """Whether a value says of itself that it is an array, NumPy's own included."""
    if type(value) in _PLAIN:
        return False
    try:
        return any(hasattr(type(value), name) or hasattr(value, name) for name in _READ)
    except Exception:  # a property of another library, which says more when it is asked for elements
        return True


def numpy_array(value: Any, what: str, argument: str) -> NDArray[Any]:
    """The elements of an array of any library; the same memory where that library allows it.

    Args:
        value: the array.
        what: for messages, `kernel: x`.
        argument: for the error.

    Raises:
        CallError: its library refuses (it is on a GPU, sparse, being differentiated, traced, ...).
    """
    try:
        return read_array(value)
    except Exception as problem:
        raise refusal(value, what, argument, problem) from problem


def read_array(value: Any) -> NDArray[Any]:
    """The same with the errors of the other library, whose code runs here and may raise anything."""
    if not hasattr(value, "__array__") and hasattr(value, "__dlpack__"):
        return np.from_dlpack(value)
    return np.asarray(value)


def as_truth(array: Any) -> Any:
    """An array of 0 and 1 as its library's truth values, where it has any."""
    if hasattr(array, "bool"):  # PyTorch
        return array.bool()
    return array.astype(np.bool_) if hasattr(array, "astype") else array


def pairs_of(array: NDArray[Any]) -> NDArray[Any]:
    """A complex array as floats with one more dimension, of extent 2; the same memory where C can read it."""
    native = np.require(array, array.dtype.newbyteorder("="), ["C_CONTIGUOUS"]).reshape(array.shape)
    return native.reshape(-1).view(COMPLEX[native.dtype.name]).reshape(*array.shape, 2)


def complex_array(pairs: Any) -> Any:
    """The complex array in the memory of an array of pairs.

    Raises:
        CallError: its library has no such view, as that of arrays on a GPU.
    """
    kind = next(name for name, part in COMPLEX.items() if part == str(pairs.dtype))
    if not isinstance(pairs, np.ndarray):
        raise CallError(f"complex results are given as arrays of NumPy, not of {_kind(pairs)}; return .real and .imag")
    return pairs.reshape(-1).view(kind).reshape(pairs.shape[:-1])


def refusal(value: object, what: str, argument: str, problem: Exception) -> CallError:
    """The error that names the argument."""
    text = " ".join(str(problem).split())
    return CallError(
        f"{what}: this {_kind(value)} gives no NumPy array ({type(problem).__name__}: {text}); pass an array of "
        "numbers in the memory of the CPU",
        argument,
    )


def shared_array(value: Any, what: str, argument: str) -> NDArray[Any]:
    """A NumPy array in whose memory the elements of a foreign array are, so that what is written there arrives.

    Raises:
        CallError: there is none, or it cannot be seen to share the memory.
    """
    array = numpy_array(value, what, argument)
    if not _shares(value, array):
        raise CallError(
            f"{what}: a {_kind(value)} lends no memory to write to; pass a NumPy array and convert it afterwards",
            argument,
        )
    return array


def _shares(value: Any, array: NDArray[Any]) -> bool:
    if hasattr(value, "__array_interface__"):
        return True
    try:
        lent = np.from_dlpack(value)
    except Exception:  # no DLPack: nothing says where its elements are
        return False
    return lent.ctypes.data == array.ctypes.data and lent.strides == array.strides and lent.shape == array.shape


def _kind(value: object) -> str:
    return f"{type(value).__module__}.{type(value).__qualname__}"
