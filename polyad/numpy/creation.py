"""Tensors from nothing: constants, ranges, the identity.

Without `dtype` a floating-point constant is float64 and gives way to the type of what it meets, like a Python number.
"""

from __future__ import annotations

from typing import Any

from polyad.errors import ShapeError
from polyad.frontend.argument_checks import choice, flag, integer
from polyad.frontend.complex_numbers.parts import as_complex, is_complex
from polyad.frontend.complex_numbers.rules import of_type
from polyad.frontend.constants import as_tensor
from polyad.frontend.scalar import Applied, IndexExpr, Number, Scalar, Selected, as_index, as_scalar, is_number
from polyad.frontend.tensor import Tensor, as_shape, define
from polyad.numpy.dimensions import TensorLike, aligned, broadcast_extents, dtype_name, extents, one_index
from polyad.numpy.joining import stack

__all__ = [
    "arange",
    "array",
    "asarray",
    "empty",
    "empty_like",
    "eye",
    "full",
    "full_like",
    "identity",
    "linspace",
    "logspace",
    "meshgrid",
    "ones",
    "ones_like",
    "zeros",
    "zeros_like",
]


@of_type("x")
def asarray(x: TensorLike, dtype: Any = None) -> Tensor:
    """A tensor from a tensor, a NumPy array, a number or nested lists of numbers and tensors.

    Raises:
        DTypeError: something else, or an element type polyad has not.
        ShapeError: lists whose items have different shapes.
    """
    if isinstance(x, list | tuple) and _holds_tensors(x):
        x = stack([asarray(item) for item in x])
    t, wanted = as_tensor(x, "x"), dtype_name(dtype, "asarray", "bool")
    return t if wanted is None else t.astype(wanted)


def _holds_tensors(x: Any) -> bool:
    return isinstance(x, Tensor) or (isinstance(x, list | tuple) and any(_holds_tensors(item) for item in x))


def array(x: TensorLike, dtype: Any = None, copy: bool = True) -> Tensor:
    """As `asarray`; `copy` is of no effect, since values never change.

    Raises:
        DTypeError: no numbers, or an element type polyad has not.
        ShapeError: lists whose items have different shapes.
    """
    return asarray(x, dtype)


@of_type("fill_value")
def full(shape: Any, fill_value: Any, dtype: Any = None) -> Tensor:
    """The tensor whose elements all are `fill_value` (a number, a size, or a tensor that broadcasts to the shape)."""
    extent = as_shape(shape)
    wanted = dtype_name(dtype, "full", "bool")
    if is_number(fill_value) or isinstance(fill_value, Scalar):
        return define(extent, lambda *i: as_scalar(fill_value), "full", wanted)
    source = as_tensor(fill_value, "fill_value")
    if len(broadcast_extents("full", [extent, extents(source)])) != len(extent):
        raise ShapeError(f"full: a value with {source.ndim} dimensions does not fit a shape with {len(extent)}")
    return define(extent, lambda *i: source.element(aligned(extents(source), i)), "full", wanted)


@of_type()
def zeros(shape: Any, dtype: Any = None) -> Tensor:
    """All zero."""
    return define(as_shape(shape), lambda *i: Number(0.0), "zeros", dtype_name(dtype, "zeros", "bool"))


@of_type()
def ones(shape: Any, dtype: Any = None) -> Tensor:
    """All one."""
    return define(as_shape(shape), lambda *i: Number(1.0), "ones", dtype_name(dtype, "ones", "bool"))


def empty(shape: Any, dtype: Any = None) -> Tensor:
    """All zero: a tensor has no values that are not defined."""
    return zeros(shape, dtype)


def empty_like(x: TensorLike, dtype: Any = None, shape: Any = None) -> Tensor:
    """All zero, with shape and element type of `x`, or those that are given."""
    return zeros_like(x, dtype, shape)


def full_like(x: TensorLike, fill_value: Any, dtype: Any = None, shape: Any = None) -> Tensor:
    """All `fill_value`, with shape and element type of `x`, or those that are given."""
    t = as_complex(x) if is_complex(x) else as_tensor(x, "x")
    return full(extents(t) if shape is None else shape, fill_value, t.dtype if dtype is None else dtype)


def zeros_like(x: TensorLike, dtype: Any = None, shape: Any = None) -> Tensor:
    """All zero, with shape and element type of `x`, or those that are given."""
    return full_like(x, 0, dtype, shape)


def ones_like(x: TensorLike, dtype: Any = None, shape: Any = None) -> Tensor:
    """All one, with shape and element type of `x`, or those that are given."""
    return full_like(x, 1, dtype, shape)


def arange(start: Any, stop: Any = None, step: int = 1, dtype: Any = None) -> Tensor:
    """start, start + step, ... below stop; integers, the bounds may be sizes.

    Raises:
        ShapeError: the step is zero.
        DTypeError: a bound is not an integer or an expression of sizes.
    """
    first, last = (0, start) if stop is None else (start, stop)
    lo, hi = as_index(first, "arange: start"), as_index(last, "arange: stop")
    if integer(step, "arange: step") == 0:
        raise ShapeError("arange: the step is zero")
    length = (hi - lo + (step - 1)) // step if step > 0 else (lo - hi + (-step - 1)) // -step
    if length.affine.is_constant and length.affine.constant < 0:
        length = as_index(0, "extent")
    return define((length,), lambda i: lo + i * step, "arange", dtype_name(dtype, "arange") or "int64")


def linspace(start: float, stop: float, num: int = 50, endpoint: bool = True, *, dtype: Any = None) -> Tensor:
    """`num` numbers from start to stop at equal distances; stop is one of them unless `endpoint` is False."""
    if integer(num, "linspace: num") < 1:
        raise ShapeError(f"linspace: num must be at least 1, not {num}")
    distance = (stop - start) / max(num - flag(endpoint, "linspace: endpoint"), 1)
    return define(
        (num,),
        lambda i: Number(float(start)) + Applied("mul", (i, Number(distance))),
        "linspace",
        dtype_name(dtype, "linspace"),
    )


def logspace(
    start: float, stop: float, num: int = 50, endpoint: bool = True, base: float = 10.0, *, dtype: Any = None
) -> Tensor:
    """`num` numbers from base**start to base**stop with equal quotients; as `linspace` of the exponents."""
    exponents = linspace(start, stop, num, endpoint)
    made = define(
        extents(exponents), lambda i: Applied("pow", (Number(float(base)), exponents.element([i]))), "logspace"
    )
    wanted = dtype_name(dtype, "logspace")
    return made if wanted is None else made.astype(wanted)


def meshgrid(*xi: TensorLike, indexing: str = "xy", sparse: bool = False, copy: bool = True) -> list[Tensor]:
    """Each vector along its own dimension, broadcast along those of the others.

    Args:
        *xi: vectors, or numbers for one element.
        indexing: "ij": the n-th vector along dimension n; "xy": the first two change places.
        sparse: leave extent 1 along the dimensions of the others.
        copy: of no effect: values never change.

    Raises:
        ShapeError: an argument has more than one dimension.
        DefinitionError: another indexing.
    """
    turned = choice(indexing, ("xy", "ij"), "meshgrid: indexing") == "xy"
    vectors = [as_tensor(x, "a vector of meshgrid") for x in xi]
    for v in vectors:
        if v.ndim > 1:
            raise ShapeError(f"meshgrid takes vectors, {v.name} has {v.ndim} dimensions; ravel it first")
    rank = len(vectors)
    order = [1, 0, *range(2, rank)] if turned and rank > 1 else list(range(rank))
    lengths = [extents(v)[0] if v.ndim else one_index(1) for v in vectors]
    whole = [lengths[order.index(d)] for d in range(rank)]
    few = flag(sparse, "meshgrid: sparse")

    def grid(v: Tensor, d: int) -> Tensor:
        shape = [e if n == d or not few else one_index(1) for n, e in enumerate(whole)]
        return define(shape, lambda *i: v.element([i[d]] if v.ndim else []), f"{v.name}_grid")

    return [grid(v, d) for v, d in zip(vectors, order, strict=True)]


@of_type()
def eye(N: Any, M: Any = None, k: int = 0, dtype: Any = None) -> Tensor:
    """Ones on the k-th diagonal of an N by M matrix, zeros elsewhere."""

    def body(i: IndexExpr, j: IndexExpr) -> Scalar:
        return Selected(Applied("eq", (j - i, as_index(k, "k"))), Number(1.0), Number(0.0))

    return define(as_shape((N, N if M is None else M)), body, "eye", dtype_name(dtype, "eye", "bool"))


def identity(n: Any, dtype: Any = None) -> Tensor:
    """The n by n identity matrix."""
    return eye(n, dtype=dtype)
