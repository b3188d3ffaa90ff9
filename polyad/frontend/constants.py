"""NumPy arrays met while tracing: captured constants, passed to the kernel as hidden inputs."""

from __future__ import annotations

from typing import Any

import numpy as np

from polyad.errors import DTypeError
from polyad.frontend.compute import placeholder
from polyad.frontend.definition import TensorBase
from polyad.frontend.scalar import Number, Scalar, is_number
from polyad.frontend.tensor import Tensor, define

__all__ = ["as_tensor", "capture", "operand"]

_SUPPORTED = ("float32", "float64", "int32", "int64")


def capture(value: np.ndarray) -> Tensor:
    """A placeholder that carries its own data.

    Raises:
        DTypeError: an element type polyad has not.
    """
    array = np.asarray(value)
    if array.dtype == np.bool_:
        array = array.astype(np.int32)
    if str(array.dtype) not in _SUPPORTED:
        if array.dtype.kind in "iu" and array.dtype.itemsize <= 8:
            array = array.astype(np.int64)
        else:
            raise DTypeError(
                f"an array of type {array.dtype} cannot become a tensor; use float32, float64, int32 or int64 "
                "(astype converts)"
            )
    tensor = placeholder(array.shape, "constant", str(array.dtype))
    tensor.definition.value = np.ascontiguousarray(array)
    return tensor


def as_tensor(value: Any, what: str = "argument") -> Tensor:
    """A tensor from a tensor, a captured array, or a number (then weakly typed).

    Raises:
        DTypeError: anything else.
    """
    if isinstance(value, Tensor):
        return value
    if isinstance(value, np.ndarray | np.generic) and not (isinstance(value, np.generic)):
        return capture(value)
    if is_number(value):
        number = value.item() if isinstance(value, np.generic) else value
        strong = str(value.dtype) if isinstance(value, np.generic) and str(value.dtype) in _SUPPORTED else None
        return define((), lambda: Number(number), "number", strong)
    if isinstance(value, list | tuple):
        return capture(np.asarray(value))
    raise DTypeError(f"{what} must be a tensor, an array or a number, not {type(value).__name__}")


def operand(value: Any) -> Any:
    """What operators work on: tensors and scalars of a body, arrays and numbers converted; else NotImplemented."""
    if isinstance(value, TensorBase | Scalar):
        return value
    if isinstance(value, np.ndarray):
        return capture(value) if value.ndim else Number(value.item())
    if is_number(value):
        return Number(value.item() if isinstance(value, np.generic) else value)
    return NotImplemented
