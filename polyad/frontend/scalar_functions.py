"""The scalar functions of the public contract: on elements, whole tensors, and numbers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol, overload

import numpy as np

from polyad.errors import CallError, DefinitionError, DTypeError
from polyad.frontend.complex_numbers.arithmetic import cast_complex, pair, selected
from polyad.frontend.complex_numbers.elementary import complex_function
from polyad.frontend.complex_numbers.pair import ComplexTensor
from polyad.frontend.complex_numbers.parts import is_complex, part_type, parts
from polyad.frontend.complex_numbers.rules import each_part
from polyad.frontend.constants import operand
from polyad.frontend.scalar import Applied, IndexExpr, Reduced, Scalar, Selected, as_scalar, described, is_number
from polyad.frontend.tensor import Tensor, cast_tensor, elementwise, user_line
from polyad.ir.element_types import element_type
from polyad.ops.registry import OPS

__all__ = ["ScalarFunction", "cast", "reduction", "scalar_function", "select", "stop_gradient"]


def _operand(value: Any, what: str) -> Any:
    converted = operand(value)
    if converted is NotImplemented:
        raise DTypeError(f"{what} takes tensors, elements and numbers, not {type(value).__name__}")
    return converted


class ScalarFunction(Protocol):
    """A function that makes tensors of tensors, elements of elements in a body, numbers of numbers."""

    __name__: str
    __qualname__: str

    @overload
    def __call__(self, x: Tensor, /, *more: Any) -> Tensor: ...

    @overload
    def __call__(self, x: Any, y: Tensor, /) -> Tensor: ...

    @overload
    def __call__(self, *args: Any) -> Any: ...


def scalar_function(name: str) -> ScalarFunction:
    """The public function for one operator of the table."""
    op = OPS[name]

    def function(*args: Any) -> Any:
        if len(args) != op.arity:
            raise DTypeError(f"{name} takes {op.arity} argument{'s' * (op.arity > 1)}, {len(args)} were given")
        if any(map(is_complex, args)):
            return complex_function(name, *args)
        if all(is_number(a) for a in args):
            with np.errstate(all="ignore"):
                return op.value(*(np.float64(a) if op.kind == "float" else a for a in args)).item()
        return elementwise(name, *(_operand(a, name) for a in args))

    function.__name__ = function.__qualname__ = name
    what = "element-wise with broadcasting on tensors, or on scalars inside a body"
    function.__doc__ = (
        f"{op.doc or name}; {what}.\n\n    Derivative and accuracy: the table of scalar functions in the docs."
    )
    return function


def cast(x: Any, dtype: Any) -> Any:
    """Convert to another element type, rounding towards zero from floats to integers as C does.

    Raises:
        DTypeError: an unknown type, or a real one for complex numbers.
    """
    part = part_type(dtype)
    if part is not None:
        return cast_complex(x, part)
    if is_complex(x):
        raise DTypeError(
            f"{user_line()}: complex numbers do not become {dtype}: take .real, .imag or abs() of {described(x)}"
        )
    if isinstance(x, Tensor):
        return cast_tensor(x, dtype)
    return Applied("cast", (as_scalar(x),), element_type(dtype, "cast", "bool"))


def stop_gradient(t: Any) -> Any:
    """The same values, with derivative zero. Pytrees are handled leaf by leaf by `polyad.stop_gradient`."""
    return elementwise("stop_gradient", _operand(t, "stop_gradient"))


@each_part("a", "b")
def select(cond: Any, a: Any, b: Any) -> Any:
    """a where cond holds, else b.

    A condition that is affine in axes and sizes cuts the iteration domain: the branch not taken is never evaluated, so
    its reads may lie outside of their arrays. A condition on data evaluates one branch per element, and both must be in
    bounds.
    """
    if isinstance(cond, bool | np.bool_) and is_number(a) and is_number(b):
        return a if cond else b
    args = [_operand(v, "select") for v in (cond, a, b)]
    tensors = [v for v in args if isinstance(v, Tensor)]
    scalars = [v for v in args if isinstance(v, Scalar) and not (isinstance(v, IndexExpr) and not v.axes)]
    numbers_only = all(isinstance(v, Scalar) for v in args)
    body_scalar = any(not is_plain_number(s) for s in scalars)
    if numbers_only or (body_scalar and all(t.ndim == 0 for t in tensors)):
        return Selected(*(as_scalar(v) for v in args))
    return selected(*args)


def is_plain_number(value: Scalar) -> bool:
    """A Python number, not an expression of a body."""
    return type(value).__name__ == "Number"


def reduction(kind: str) -> Callable[..., Any]:
    """The public reduction of a kind: `axis` are reduction axes inside a body, dimension numbers on whole tensors."""

    def function(x: Any, axis: Any = None, keepdims: bool = False, **more: Any) -> Any:
        if is_complex(x) and kind == "sum":
            real, imag = (function(p, axis, keepdims, **more) for p in parts(x))
            return pair(real, imag)
        if isinstance(x, ComplexTensor) and isinstance(x.real, Tensor):
            return WHOLE_TENSOR[kind](x, axis=axis, keepdims=keepdims, **more)
        axes = axis if isinstance(axis, tuple | list) else (axis,)
        if isinstance(x, Tensor) and (x.ndim or axis is None) and not any(isinstance(a, IndexExpr) for a in axes):
            return WHOLE_TENSOR[kind](x, axis=axis, keepdims=keepdims, **more)
        if more:
            raise CallError(
                f"{user_line()}: {kind}(..., axis=) in a body takes no {min(more)!r}: choose the elements first, "
                "pa.select(condition, x, 0) in a sum, and combine the result with an initial value",
                min(more),
            )
        if not all(isinstance(a, IndexExpr) and len(a.axes) == 1 and a.axes[0].kind == "reduce" for a in axes):
            raise DefinitionError(
                f"{user_line()}: {kind}(..., axis=) takes axes made by pa.reduce_axis inside a body, got {axis!r}"
            )
        if len({a.axes[0].name for a in axes}) != len(axes):
            raise DefinitionError(f"{user_line()}: {kind} names one axis twice")
        return Reduced(kind, tuple(a.axes[0] for a in axes), as_scalar(x))

    function.__name__ = function.__qualname__ = kind
    function.__doc__ = (
        f"{kind} over axes.\n\n"
        "    Inside a body `axis` is one reduction axis or a tuple of them; for a whole tensor it is a dimension\n"
        "    number, a tuple of them, or None for all, with the further arguments of polyad.numpy's function.\n"
    )
    return function


WHOLE_TENSOR: dict[str, Callable[..., Any]] = {}
"""Reductions of whole tensors, filled by `polyad.numpy`."""
