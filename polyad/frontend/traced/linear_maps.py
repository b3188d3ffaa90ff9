"""`linearize` and `linear_transpose`: a derivative as a linear map, and the transpose of a linear function."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from polyad.errors import CallError, DefinitionError
from polyad.frontend.compiled import program_of
from polyad.frontend.complex_numbers.parts import taken_apart
from polyad.frontend.pytrees import flatten, flatten_with_paths, unflatten
from polyad.frontend.tensor import OPEN_SCANS, Tensor
from polyad.frontend.transforms import jvp, kept_function, own_array, vjp

__all__ = ["linear_transpose", "linearize"]


def linearize(fun: Callable[..., Any], *primals: Any) -> tuple[Any, Callable[..., Any]]:
    """A function at a point, and its derivative there as a linear map, as `jax.linearize`.

    Equations: out = fun(*primals); push(*tangents) = d fun(primals + s * tangents) / ds at s = 0.

    Args:
        fun: a function of pytrees.
        primals: the point; later changes of its arrays do not matter.

    Returns:
        (out, push). A call of push computes what it needs of the function again: nothing is kept between calls but the
        point.

    Raises:
        CallError: when push is called, if tangents have another structure than the primals.
        ShapeError, DTypeError: the same for a leaf of another shape or type.

    Example:
        >>> y, push = pa.linearize(lambda x: x**3, np.array(2.0))
        >>> y, push(np.array(1.0))
        (array(8.), array(12.))
    """
    paths, leaves, structure = flatten_with_paths(primals, "args")
    point = unflatten(structure, [own_array(x, path) for x, path in zip(leaves, paths, strict=True)])

    def pushed(primals: Any, tangents: Any) -> Any:
        return jvp(fun, tuple(primals), tuple(tangents))[1]

    run, push = kept_function(fun, "primal", fun), kept_function(fun, "linearized", pushed)

    def linear(*tangents: Any) -> Any:
        if len(tangents) != len(point):
            raise CallError(f"linearize: the map takes {len(point)} tangents, {len(tangents)} were given", "tangents")
        return push(tuple(point), tuple(tangents))

    return run(*point), linear


def linear_transpose(fun: Callable[..., Any], *primals: Any) -> Callable[[Any], tuple[Any, ...]]:
    """The transpose of a linear function, as `jax.linear_transpose`.

    Equation: <cotangent, fun(*x)> = <transpose(cotangent), x> for all x. The part of an affine function that does not
    depend on x is left out.

    Args:
        fun: linear in all of its arguments together.
        primals: of the shapes and types of the arguments: arrays, tensors, or anything else with `shape` and `dtype`;
            values do not count.

    Returns:
        A function of a cotangent, of the structure, shapes and types of the result, that returns a tuple with one
        entry for each primal.

    Raises:
        DefinitionError: when it is called, if fun is not linear: what its derivative reads of the arguments is named.

    Example:
        >>> pa.linear_transpose(lambda x: x[1:] - x[:-1], np.zeros(3))(np.array([1.0, 10.0]))
        (array([-1., -9., 10.]),)
    """
    leaves, structure = flatten(primals)
    shapes = unflatten(structure, [x if isinstance(x, Tensor) else _shaped(x) for x in leaves])

    def transposed(primals: Any, cotangent: Any) -> Any:
        result = vjp(fun, *primals)[1](cotangent)
        if not OPEN_SCANS.get():
            _check_linear(result, primals, getattr(fun, "__name__", "the function"))
        return result

    back = kept_function(fun, "transpose", transposed)

    def transpose(cotangent: Any) -> tuple[Any, ...]:
        found: tuple[Any, ...] = tuple(back(tuple(shapes), cotangent))
        return found

    return transpose


def _shaped(x: Any) -> Any:
    """Zeros of the shape and type of a leaf; numbers stay."""
    if isinstance(x, int | float):
        return type(x)(0)
    try:
        return np.zeros(tuple(x.shape), x.dtype)
    except (AttributeError, TypeError):
        raise CallError(f"linear_transpose: {type(x).__name__} has no shape and dtype", "primals") from None


def _check_linear(result: Any, primals: Any, name: str) -> None:
    """Refuse a derivative that reads the arguments.

    Raises:
        DefinitionError: it does.
    """
    outputs = flatten(taken_apart(result))[0]
    paths, leaves, _ = flatten_with_paths(tuple(primals), "args")
    read = {t.array for t in program_of(outputs, None, "transpose")[1]}
    for path, t in zip(paths, leaves, strict=True):
        if isinstance(t, Tensor) and t.array in read and t.definition.is_placeholder and t.definition.value is None:
            raise DefinitionError(f"linear_transpose: {name} is not linear: its derivative depends on {path}")
