"""NumPy arrays met while tracing: captured constants, passed to the kernel as hidden inputs."""

from __future__ import annotations

from typing import Any

import numpy as np

from polyad.errors import DTypeError
from polyad.frontend.captured import captured
from polyad.frontend.complex_numbers.pair import ComplexTensor
from polyad.frontend.definition import TensorBase
from polyad.frontend.scalar import Number, Scalar, is_number, number
from polyad.frontend.tensor import Tensor, define
from polyad.ir.element_types import accepted_type, instead_of

__all__ = ["as_tensor", "capture", "operand", "type_of_array"]


def type_of_array(array: np.ndarray, what: str) -> str:
    """The element type that an array is computed with, by `polyad.ir.element_types`.

    Raises:
        DTypeError: no type holds all of its values.
    """
    found = accepted_type(array.dtype)
    if found is None:
        raise DTypeError(f"{what} of element type {array.dtype} cannot become a tensor; {instead_of(array.dtype)}")
    return found


def capture(value: np.ndarray, what: str = "an array") -> Tensor:
    """A placeholder that carries its own data; of truth values, a tensor of truth values.

    Raises:
        DTypeError: an element type polyad has not.
    """
    array = np.asarray(value)
    stored = type_of_array(array, what)
    own = captured(array, "bool" if array.dtype == np.bool_ else stored)
    return Tensor(own.definition, own.array, own.shape_affine, own.dtype, own.prefix, own.symbols)


def as_tensor(value: Any, what: str = "argument") -> Tensor:
    """A tensor from a tensor, a captured array, or a number (then weakly typed).

    Raises:
        DTypeError: anything else.
    """
    if isinstance(value, Tensor):
        return value
    if hasattr(value, "__polyad_tensor__"):  # weights of 8 bits (nn/quantise.py)
        made: Tensor = value.__polyad_tensor__()
        return made
    if isinstance(value, ComplexTensor | complex | np.complexfloating):
        raise DTypeError(
            f"{what} is complex ({value!r}), and this is defined for real numbers only: take .real, .imag or abs() of "
            "it"
        )
    if isinstance(value, np.ndarray):
        return capture(value, what)
    if is_number(value):
        strong = accepted_type(value.dtype) if isinstance(value, np.generic) and value.dtype != np.bool_ else None
        own = _number(value)
        return define((), lambda: own, "number", strong)
    if isinstance(value, list | tuple) or hasattr(value, "__array__"):
        return capture(_array(value, what), what)
    raise DTypeError(f"{what} must be a tensor, an array or a number, not {type(value).__name__}")


def _array(value: Any, what: str) -> np.ndarray:
    """Nested lists of numbers, or what another library calls an array, as one of NumPy.

    Raises:
        DTypeError: lists that hold tensors, or whose lengths differ.
    """
    if isinstance(value, list | tuple) and any(isinstance(v, TensorBase | Scalar) for v in value):
        raise DTypeError(
            f"{what} is a {type(value).__name__} that holds tensors; make one tensor of it with pa.numpy.stack"
        )
    try:
        return np.asarray(value)
    except Exception as problem:  # another library's, where it has an `__array__`
        raise DTypeError(f"{what} is a {type(value).__name__} that NumPy makes no array of: {problem}") from None


def _number(value: Any) -> Number:
    """A Python or NumPy number as one that a program holds.

    Raises:
        DTypeError: an integer outside of int64, or a complex number.
    """
    own = number(value)
    if isinstance(own.value, int) and not -(2**63) <= own.value < 2**63:
        raise DTypeError(
            f"{own.value} is outside of the range of int64; write {float(own.value)!r} if a float is meant"
        )
    return own


def operand(value: Any) -> Any:
    """Return a value as an operand, arrays and numbers converted; else NotImplemented."""
    if isinstance(value, TensorBase | Scalar):
        return value
    if isinstance(value, np.ndarray) and (value.ndim or accepted_type(value.dtype) is None):
        return capture(value)
    if is_number(value) or isinstance(value, np.ndarray):
        return _number(value.item() if isinstance(value, np.ndarray) else value)
    return NotImplemented
