"""NumPy's own functions called on tensors: `np.sum(t)` and `np.sin(t)` are those of `polyad.numpy`."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

from polyad.errors import DefinitionError
from polyad.frontend.complex_numbers.pair import ComplexTensor
from polyad.frontend.tensor import Tensor

__all__: list[str] = []

_OPERATORS: dict[str, Callable[..., Any]] = {
    "maximum.accumulate": lambda a, axis=0: sys.modules["polyad.numpy"].cummax(a, axis),
    "minimum.accumulate": lambda a, axis=0: sys.modules["polyad.numpy"].cummin(a, axis),
    "add.accumulate": lambda a, axis=0: sys.modules["polyad.numpy"].cumsum(a, axis),
    "multiply.accumulate": lambda a, axis=0: sys.modules["polyad.numpy"].cumprod(a, axis),
    "bitwise_and": lambda a, b: a & b if isinstance(a, Tensor) else b & a,
    "bitwise_or": lambda a, b: a | b if isinstance(a, Tensor) else b | a,
    "invert": lambda a: ~a,
}
"""What NumPy has as functions and tensors as operators or under another name."""

_REDUCTIONS = {"add": "sum", "multiply": "prod", "maximum": "max", "minimum": "min"}


def _ours(function: Any, name: str) -> Callable[..., Any]:
    """The function of polyad for one of NumPy's.

    Raises:
        DefinitionError: there is none.
    """
    inside = getattr(function, "__module__", "") or ""
    module = sys.modules["polyad.numpy.linalg" if inside == "numpy.linalg" else "polyad.numpy"]
    found: Any = getattr(module, name, None) if inside in ("", "numpy", "numpy.linalg") else None
    found = found or _OPERATORS.get(name)
    if found is None:
        raise DefinitionError(
            f"{inside or 'numpy'}.{name} has no counterpart in polyad.numpy: it cannot take a tensor, which has no "
            "values yet"
        )
    return found  # type: ignore[no-any-return]  # looked up by name


def _array_ufunc(self: Tensor, ufunc: Any, method: str, *inputs: Any, **kwargs: Any) -> Any:
    """`np.sin(t)`, `array + t`, `np.add.reduce(t)`."""
    name = ufunc.__name__
    if method == "reduce" and name in _REDUCTIONS:
        name = _REDUCTIONS[name]
    elif method != "__call__" and f"{name}.{method}" in _OPERATORS:
        name = f"{name}.{method}"
    elif method != "__call__":
        raise DefinitionError(f"numpy.{name}.{method} does not take tensors: write it with functions of polyad.numpy")
    return _call(_ours(None, name), f"numpy.{name}", inputs, kwargs)


def _array_function(self: Tensor, function: Any, types: Any, args: Any, kwargs: Any) -> Any:
    """`np.sum(t, axis=0)`, `np.concatenate([t, array])`."""
    return _call(_ours(function, function.__name__), f"numpy.{function.__name__}", args, kwargs)


def _call(ours: Callable[..., Any], name: str, args: Any, kwargs: Any) -> Any:
    given = {k: v for k, v in kwargs.items() if not (k == "out" and v is None)}
    if "out" in given:
        raise DefinitionError(f"{name}: out= takes arrays to fill, a tensor has no values yet; use the result")
    try:
        return ours(*args, **given)
    except TypeError as problem:
        raise DefinitionError(f"{name} of a tensor is polyad's function of that name: {problem}") from None


Tensor.__array_ufunc__ = _array_ufunc  # type: ignore[assignment]  # None in the class, until here
Tensor.__array_function__ = _array_function  # type: ignore[attr-defined]  # NumPy's protocol
ComplexTensor.__array_ufunc__ = _array_ufunc
ComplexTensor.__array_function__ = _array_function
