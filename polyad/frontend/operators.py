"""Python's operators on tensors, element by element with NumPy's broadcasting.

They are attached here rather than written in the class: an operand may be a NumPy array, which becomes a tensor first.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from polyad.errors import DTypeError
from polyad.frontend.complex_numbers.arithmetic import binary
from polyad.frontend.complex_numbers.pair import ComplexTensor
from polyad.frontend.complex_numbers.parts import is_complex
from polyad.frontend.constants import operand
from polyad.frontend.scalar import Scalar
from polyad.frontend.tensor import Tensor, elementwise

__all__: list[str] = []


def _binary(op: str, swap: bool = False) -> Callable[[Tensor, Any], Any]:
    def method(self: Tensor, other: Any) -> Any:
        if not isinstance(other, ComplexTensor) and is_complex(other):
            return binary(op, other, self) if swap else binary(op, self, other)
        value = operand(other)
        if value is NotImplemented:
            return NotImplemented
        return elementwise(op, value, self) if swap else elementwise(op, self, value)

    return method


def _of_scalars(op: str, swap: bool = False) -> Callable[[Scalar, Any], Any]:
    return lambda self, other: self._binary(op, other, swap)


def _unary(op: str) -> Callable[[Tensor], Any]:
    return lambda self: elementwise(op, self)


def _refused(symbol: str, instead: str) -> Callable[[Any, Any], Any]:
    def method(self: Any, other: Any) -> Any:
        raise DTypeError(f"there is no operator {symbol} on tensors and their elements: {instead}")

    return method


_ARITHMETIC = {
    "add": "add",
    "sub": "sub",
    "mul": "mul",
    "truediv": "div",
    "floordiv": "floordiv",
    "mod": "mod",
    "pow": "pow",
}
_BITS = {
    "and": "bitwise_and",
    "or": "bitwise_or",
    "xor": "bitwise_xor",
    "lshift": "left_shift",
    "rshift": "right_shift",
}
_COMPARISONS = ("lt", "le", "gt", "ge", "eq", "ne")
_UNARY = {"neg": "neg", "abs": "abs", "invert": "bitwise_not"}

for _name, _op in _BITS.items():
    setattr(Scalar, f"__{_name}__", _of_scalars(_op))
    setattr(Scalar, f"__r{_name}__", _of_scalars(_op, swap=True))
for _name, _op in (_ARITHMETIC | _BITS).items():
    setattr(Tensor, f"__{_name}__", _binary(_op))
    setattr(Tensor, f"__r{_name}__", _binary(_op, swap=True))
for _op in _COMPARISONS:
    setattr(Tensor, f"__{_op}__", _binary(_op))
for _name, _op in _UNARY.items():
    setattr(Tensor, f"__{_name}__", _unary(_op))
Tensor.__pos__ = lambda self: self
for _type in (Tensor, Scalar):
    for _name in ("divmod", "rdivmod"):
        setattr(_type, f"__{_name}__", _refused("divmod", "write x // y and x % y"))
