"""NumPy's methods and properties of tensors: each is the function of the same name with the tensor in front."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from polyad.frontend.complex_numbers.pair import ComplexTensor
from polyad.frontend.complex_numbers.part_functions import conj, imag, real
from polyad.frontend.complex_numbers.parts import is_complex, part_type
from polyad.frontend.given_arguments import explained
from polyad.frontend.scalar_functions import cast
from polyad.frontend.tensor import Tensor, cast_tensor, elementwise
from polyad.numpy.at import At
from polyad.numpy.cumulative import cumprod, cumsum
from polyad.numpy.diagonals import diagonal, trace
from polyad.numpy.dimensions import count, dtype_name, extents
from polyad.numpy.elementwise import clip, round
from polyad.numpy.indexing import take
from polyad.numpy.matmul import dot, matmul
from polyad.numpy.order.ranks import argsort, sort
from polyad.numpy.permutation import squeeze, swapaxes, transpose
from polyad.numpy.reductions import all, any, argmax, argmin, max, mean, min, prod, ptp, std, sum, var
from polyad.numpy.repetition import repeat
from polyad.numpy.reshape import ravel, reshape

__all__: list[str] = []


def _reshape(self: Tensor, *shape: Any) -> Tensor:
    """As `polyad.numpy.reshape`; the extents may stand alone: x.reshape(T, -1)."""
    return reshape(self, shape[0] if len(shape) == 1 else shape)


def _transpose(self: Tensor, *axes: Any) -> Tensor:
    """As `polyad.numpy.transpose`; the dimensions may stand alone: x.transpose(1, 0)."""
    if not axes:
        return transpose(self)
    return transpose(self, axes[0] if len(axes) == 1 and not isinstance(axes[0], int) else axes)


def _astype(self: Tensor, dtype: Any) -> Any:
    """The elements converted to another type, from floats to integers rounding towards zero."""
    if part_type(dtype) or is_complex(self):
        return cast(self, dtype)
    if dtype is bool or str(dtype) == "bool":
        return self if self.dtype == "bool" else elementwise("ne", self, 0)
    name = dtype_name(dtype, "astype")
    return self if name is None else cast_tensor(self, name)


def _size(self: Tensor) -> Any:
    """The number of elements: an int where it is one, else an expression of sizes."""
    number = count(extents(self))
    affine = getattr(number, "affine", None)
    return affine.constant if affine is not None and affine.is_constant else number


def _matrix_transpose(self: Tensor) -> Tensor:
    """The last two dimensions exchanged."""
    return swapaxes(self, -1, -2)


def _matmul(self: Tensor, other: Any) -> Any:
    return matmul(self, other) if _is_operand(other) else NotImplemented


def _rmatmul(self: Tensor, other: Any) -> Any:
    return matmul(other, self) if _is_operand(other) else NotImplemented


def _is_operand(value: Any) -> bool:
    return isinstance(value, Tensor | ComplexTensor) or hasattr(value, "__array__")


def _copy(self: Tensor) -> Tensor:
    """The tensor itself: values never change."""
    return self


_FUNCTIONS = (
    *(all, any, argmax, argmin, argsort, max, mean, min, prod, ptp, sort, std, sum, var),
    *(clip, cumprod, cumsum, diagonal, dot, repeat, round, squeeze, swapaxes, take, trace),
)
_METHODS = {
    "reshape": _reshape,
    "transpose": _transpose,
    "astype": _astype,
    "ravel": ravel,
    "flatten": ravel,
    "copy": _copy,
    "conj": conj,
    "conjugate": conj,
    "__matmul__": _matmul,
    "__rmatmul__": _rmatmul,
} | {f.__name__: f for f in _FUNCTIONS}
_PROPERTIES: dict[str, Callable[[Tensor], Any]] = {"T": transpose, "mT": _matrix_transpose, "size": _size, "at": At}

for _name, _method in dict[str, Any](_METHODS).items():
    for _type in (Tensor, ComplexTensor):
        setattr(_type, _name, explained(_method, f"the tensor's {_name}"))
for _name, _getter in _PROPERTIES.items():
    for _type in (Tensor, ComplexTensor):
        setattr(_type, _name, property(_getter))
for _name, _getter in {"real": real, "imag": imag}.items():
    setattr(Tensor, _name, property(_getter))
