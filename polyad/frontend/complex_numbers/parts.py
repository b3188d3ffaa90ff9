"""The two parts of whatever is complex: tensors, arrays of any library, numbers; and arrays of pairs, for kernels.

A kernel takes and returns complex arrays as arrays of floats with one more dimension, the last one, of extent 2: the
same memory.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from polyad.errors import DTypeError
from polyad.frontend.complex_numbers.pair import ComplexTensor
from polyad.frontend.constants import capture, operand
from polyad.frontend.pytrees import flatten, flatten_whole, unflatten
from polyad.frontend.scalar import Applied, Number, Selected, as_scalar
from polyad.frontend.tensor import Tensor, define
from polyad.ir.element_types import COMPLEX, instead_of
from polyad.runtime.foreign_arrays import pairs_of

__all__ = [
    "arrays_apart",
    "as_complex",
    "conjugated",
    "is_complex",
    "joined",
    "of_pairs",
    "part_type",
    "parts",
    "taken_apart",
    "whole_leaves",
]


def part_type(dtype: Any) -> str | None:
    """The element type of the parts, where a complex type is named; else None."""
    try:
        return COMPLEX.get(np.dtype(dtype).name) if dtype is not None else None
    except (TypeError, ValueError):
        return None


def is_complex(value: Any) -> bool:
    """Whether a value is complex: a tensor, an array of any library, a number, or a list that holds one."""
    if isinstance(value, Tensor | float | int | str):
        return False
    if isinstance(value, ComplexTensor | complex | np.complexfloating):
        return True
    if isinstance(value, np.ndarray):
        return bool(value.dtype.kind == "c")
    if isinstance(value, list | tuple):
        return any(map(is_complex, value))
    return bool(hasattr(value, "__array__") and "complex" in str(getattr(value, "dtype", "")))


def taken_apart(tree: Any) -> Any:
    """The same pytree with complex tensors in the place of complex arrays and numbers."""
    leaves, structure = flatten(tree)
    if not any(map(is_complex, leaves)):
        return tree
    return unflatten(structure, [_node(x) if is_complex(x) else x for x in leaves])


def _node(value: Any) -> ComplexTensor:
    """A complex tensor whose parts may be leaves: what is a number has numbers of Python."""
    z = as_complex(value)
    return ComplexTensor(z.real.value, z.imag.value) if isinstance(z.real, Number) else z


def as_complex(value: Any) -> ComplexTensor:
    """A number or an array as a complex tensor of constants.

    Raises:
        DTypeError: of another precision than complex64 or complex128.
    """
    if isinstance(value, ComplexTensor):
        return value
    if isinstance(value, list | tuple):
        value = np.asarray(value)
    if isinstance(value, complex):
        return ComplexTensor(Number(value.real), Number(value.imag))
    array = np.asarray(value)
    if array.dtype.name not in COMPLEX:
        raise DTypeError(f"an array of element type {array.dtype} cannot become a tensor; {instead_of(array.dtype)}")
    if isinstance(value, np.generic):
        return ComplexTensor(Number(float(array.real)), Number(float(array.imag)))
    return of_pairs(capture(pairs_of(array)))


def parts(value: Any) -> tuple[Any, Any]:
    """(real part, imaginary part) of an operand; the imaginary part of what is real is None.

    Raises:
        DTypeError: no number.
    """
    if is_complex(value):
        z = as_complex(value)
        return z.real, z.imag
    converted = operand(value)
    if converted is NotImplemented:
        raise DTypeError(f"a {type(value).__name__} is no operand: take tensors, arrays and numbers")
    return converted, None


def of_pairs(pairs: Tensor) -> ComplexTensor:
    """The complex tensor whose parts lie side by side along the last dimension."""
    real, imag = (
        define(pairs.shape[:-1], lambda *i, part=part: pairs.element((*i, part)), f"{pairs.name}_{name}")
        for part, name in enumerate(("real", "imag"))
    )
    return ComplexTensor(real, imag, pairs)


def joined(z: ComplexTensor) -> Tensor:
    """The tensor of one more dimension, of extent 2, with the real and the imaginary parts."""
    if z.pairs is not None:
        return z.pairs
    if not isinstance(z.real, Tensor) and not isinstance(z.imag, Tensor):
        return define(
            (2,), lambda p: Selected(Applied("eq", (p, as_scalar(0))), as_scalar(z.real), as_scalar(z.imag)), "complex"
        )
    name = z.name.removesuffix("_real")

    def element(*index: Any) -> Selected:
        return Selected(
            Applied("eq", (index[-1], as_scalar(0))), z.real.element(index[:-1]), z.imag.element(index[:-1])
        )

    return define((*z.shape, 2), element, name)


def conjugated(tree: Any) -> Any:
    """The same pytree with the conjugate of each complex tensor: derivatives by (re, im) as those by z, and back."""
    _, leaves, structure = flatten_whole(tree, ComplexTensor)
    return unflatten(structure, [ComplexTensor(x.real, -x.imag) if isinstance(x, ComplexTensor) else x for x in leaves])


def whole_leaves(tree: Any) -> tuple[list[str], list[Any], Any]:
    """Paths, leaves and structure of results, of which complex tensors are leaves."""
    return flatten_whole(taken_apart(tree), ComplexTensor)


def arrays_apart(tree: Any) -> Any:
    """The same pytree with a complex array as two real ones, which a traced function puts together."""
    leaves, structure = flatten(tree)
    found = []
    for x in leaves:
        a = np.asarray(x) if is_complex(x) else None
        found.append(x if a is None else ComplexTensor(a.real.copy(), a.imag.copy()))
    return unflatten(structure, found)
