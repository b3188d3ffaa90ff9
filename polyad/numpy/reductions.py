"""Reductions over dimensions: sums, products, extrema, moments, positions of extrema.

`axis` is a dimension number, a tuple of them, or None for all; `keepdims` leaves extent 1 in their place. `where`
(truth values of a shape that broadcasts to that of x) says which elements count, `initial` what is there before them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from polyad.errors import CallError, ShapeError
from polyad.frontend.argument_checks import flag, integer
from polyad.frontend.complex_numbers.parts import is_complex, parts
from polyad.frontend.complex_numbers.rules import each_part, of_truth
from polyad.frontend.constants import as_tensor
from polyad.frontend.given_arguments import explained
from polyad.frontend.operator_functions import sqrt
from polyad.frontend.scalar import Applied, IndexExpr, Number, Reduced, Scalar, Selected, attains
from polyad.frontend.scalar_functions import WHOLE_TENSOR
from polyad.frontend.tensor import Extent, Tensor, cast_tensor, define
from polyad.numpy.chosen_elements import chosen, combined, lowest_or_highest, mask_of, need_initial
from polyad.numpy.cumulative import complex_product
from polyad.numpy.dimensions import TensorLike, axis_numbers, count, dtype_name, extents, one_index, reduction_axes

__all__ = [
    "all",
    "amax",
    "amin",
    "any",
    "argmax",
    "argmin",
    "average",
    "count_nonzero",
    "max",
    "mean",
    "min",
    "prod",
    "ptp",
    "std",
    "sum",
    "var",
]

_LAST = Number(2**63 - 1)


def _same(value: Scalar) -> Scalar:
    return value


def _reduce(
    kind: str,
    x: Tensor,
    axes: Sequence[int],
    keepdims: bool,
    name: str,
    before: Callable[[Scalar], Scalar] = _same,
    after: Callable[[Scalar], Scalar] = _same,
    dtype: str | None = None,
) -> Tensor:
    """after(kind over axes of before(x))."""
    shape = extents(x)
    keepdims = flag(keepdims, f"{name}: keepdims")
    over = reduction_axes(x, sorted(axes))

    def body(*index: IndexExpr) -> Scalar:
        value = before(x.element(_position(index, x.ndim, over, keepdims)))
        return after(Reduced(kind, tuple(a.axes[0] for a in over.values()), value) if over else value)

    return define(_result_shape(shape, axes, keepdims), body, name, dtype)


def _result_shape(shape: Sequence[IndexExpr], axes: Sequence[int], keepdims: bool) -> list[Extent]:
    return [1 if d in axes else e for d, e in enumerate(shape) if keepdims or d not in axes]


def _position(index: Sequence[IndexExpr], ndim: int, over: dict[int, IndexExpr], keepdims: bool) -> list[IndexExpr]:
    """The index into the reduced tensor: the axis of the reduction or else the next axis of the result."""
    rest = iter(index)
    result = []
    for d in range(ndim):
        if d in over:
            result.append(over[d])
            if keepdims:
                next(rest)
        else:
            result.append(next(rest))
    return result


def _as_number(x: Tensor) -> Callable[[Scalar], Scalar]:
    return (lambda v: Applied("cast", (v,), "int64")) if x.dtype == "bool" else _same


@each_part("x", "initial")
def sum(
    x: TensorLike,
    axis: Any = None,
    keepdims: bool = False,
    *,
    dtype: Any = None,
    initial: Any = None,
    where: Any = True,
) -> Tensor:
    """The sum; of truth values, how many hold. Integers keep their element type, or take `dtype`."""
    return _accumulated("sum", "add", 0, _typed(x, dtype, "sum"), axis, keepdims, initial, where)


def prod(
    x: TensorLike,
    axis: Any = None,
    keepdims: bool = False,
    *,
    dtype: Any = None,
    initial: Any = None,
    where: Any = True,
) -> Tensor:
    """The product, of the elements converted to `dtype` if one is given."""
    if is_complex(x):
        return complex_product(x, axis, keepdims, initial, where)  # type: ignore[no-any-return]  # complex
    return _accumulated("prod", "mul", 1, _typed(x, dtype, "prod"), axis, keepdims, initial, where)


def _accumulated(
    kind: str, op: str, neutral: int, t: Tensor, axis: Any, keepdims: bool, initial: Any, where: Any
) -> Tensor:
    t, after = chosen(t, mask_of(where, t, kind), neutral), combined(op, initial)
    return _reduce(kind, t, axis_numbers(axis, t.ndim, kind), keepdims, kind, _as_number(t), after)


def _typed(x: TensorLike, dtype: Any, what: str) -> Tensor:
    t, wanted = as_tensor(x, "x"), dtype_name(dtype, what)
    return t if wanted is None else t.astype(wanted)


def _extremum(kind: str, x: TensorLike, axis: Any, keepdims: bool, initial: Any = None, where: Any = True) -> Tensor:
    t = as_tensor(x, "x")
    axes = axis_numbers(axis, t.ndim, kind)
    mask, after = mask_of(where, t, kind), combined(f"{kind}imum", initial)
    if initial is None:
        _not_empty(kind, t, axes)
        if mask is not None:
            raise need_initial(kind)
    t = chosen(t, mask, lowest_or_highest(kind, t.dtype))
    if t.dtype != "bool":
        return _reduce(kind, t, axes, keepdims, kind, after=after)
    return _reduce(kind, t, axes, keepdims, kind, _as_number(t), lambda v: Applied("ne", (after(v), Number(0))))


def _not_empty(what: str, x: Tensor, axes: Sequence[int]) -> None:
    for d in axes:
        if x.shape_affine[d].is_constant and x.shape_affine[d].constant == 0:
            raise ShapeError(f"{what} of no elements: dimension {d} of {x.name} has extent 0")


def max(x: TensorLike, axis: Any = None, keepdims: bool = False, *, initial: Any = None, where: Any = True) -> Tensor:
    """The largest element.

    Raises:
        ShapeError: there are no elements, and no `initial`.
        CallError: `where` without `initial`.
    """
    return _extremum("max", x, axis, keepdims, initial, where)


def min(x: TensorLike, axis: Any = None, keepdims: bool = False, *, initial: Any = None, where: Any = True) -> Tensor:
    """The smallest element.

    Raises:
        ShapeError: there are no elements, and no `initial`.
        CallError: `where` without `initial`.
    """
    return _extremum("min", x, axis, keepdims, initial, where)


amax, amin = max, min


def ptp(x: TensorLike, axis: Any = None, keepdims: bool = False) -> Tensor:
    """The largest element minus the smallest.

    Raises:
        ShapeError: there are no elements.
    """
    t = as_tensor(x, "x")
    width: Tensor = max(t, axis, keepdims) - min(t, axis, keepdims)
    return width


def average(
    x: TensorLike, axis: Any = None, weights: Any = None, returned: bool = False, *, keepdims: bool = False
) -> Any:
    """The mean with weights: sum(w x) / sum(w).

    Args:
        x: tensor.
        axis: dimensions; None takes all.
        weights: tensor of the shape of x, or a vector along the one dimension; None weighs all the same.
        returned: return the pair (average, sum of the weights).
        keepdims: leave extent 1 in place of the dimensions.

    Raises:
        ShapeError: weights of another shape.
    """
    t = as_tensor(x, "x")
    axes = axis_numbers(axis, t.ndim, "average")
    pair = flag(returned, "average: returned")
    if weights is None:
        middle = mean(t, axes, keepdims)
        number = count([extents(t)[d] for d in axes])
        return (middle, define(extents(middle), lambda *_: number, "weight", middle.dtype)) if pair else middle
    w = as_tensor(weights, "weights")
    if w.ndim == 1 and len(axes) == 1 and t.ndim != 1:
        (along,), vector = axes, w
        if vector.shape_affine[0] != t.shape_affine[along]:
            raise ShapeError(f"average: {vector.shape[0]} weights for {t.shape[along]} elements of dimension {along}")
        w = define(extents(t), lambda *i: vector.element([i[along]]), "weights")
    if w.shape_affine != t.shape_affine:
        raise ShapeError(f"average: weights of shape {w.shape} for elements of shape {t.shape}")
    total = sum(w, axes, keepdims)
    middle = sum(t * w, axes, keepdims) / total
    return (middle, total) if pair else middle


@each_part("x")
def mean(x: TensorLike, axis: Any = None, keepdims: bool = False, *, dtype: Any = None, where: Any = True) -> Tensor:
    """The sum divided by the number of elements. Integers give float64, or `dtype`."""
    t = _typed(x, dtype, "mean")
    axes = axis_numbers(axis, t.ndim, "mean")
    mask = mask_of(where, t, "mean")
    if mask is not None:
        return _over_count(sum(chosen(t, mask, 0), axes, keepdims), mask, axes, keepdims, 0, "mean")
    number = count([extents(t)[d] for d in axes])
    return _reduce("sum", t, axes, keepdims, "mean", _as_number(t), lambda s: Applied("div", (s, number)))


def _over_count(total: Tensor, mask: Tensor, axes: Sequence[int], keepdims: bool, less: int, name: str) -> Tensor:
    """total / (the number of chosen elements - less): nan or infinite where that is 0, as in NumPy."""
    number = cast_tensor(sum(mask, axes, keepdims), total.dtype if "float" in total.dtype else "float64")
    return define(extents(total), lambda *i: total.element(i) / (number.element(i) - less), name)


def var(
    x: TensorLike,
    axis: Any = None,
    ddof: int | None = None,
    keepdims: bool = False,
    *,
    dtype: Any = None,
    correction: int | None = None,
    where: Any = True,
) -> Tensor:
    """The variance, sum((x - mean(x))**2) / (N - ddof), in two passes; `correction` is another name of `ddof`.

    Raises:
        CallError: both names are given.
    """
    if is_complex(x):
        real, imag = (var(p, axis, ddof, keepdims, correction=correction, where=where) for p in parts(x))
        return real + imag
    t = _typed(x, dtype, "var")
    axes = axis_numbers(axis, t.ndim, "var")
    mask, less = mask_of(where, t, "var"), _degrees(ddof, correction, "var")
    away = t - mean(t, axes, keepdims=True, where=True if mask is None else mask)
    if mask is not None:
        return _over_count(sum(chosen(away * away, mask, 0.0), axes, keepdims), mask, axes, keepdims, less, "var")
    number = count([extents(t)[d] for d in axes]) - less
    return _reduce(
        "sum", away, axes, keepdims, "var", lambda v: Applied("mul", (v, v)), lambda s: Applied("div", (s, number))
    )


def std(
    x: TensorLike,
    axis: Any = None,
    ddof: int | None = None,
    keepdims: bool = False,
    *,
    dtype: Any = None,
    correction: int | None = None,
    where: Any = True,
) -> Tensor:
    """The square root of the variance, with its arguments."""
    keepdims, ddof = flag(keepdims, "std: keepdims"), _degrees(ddof, correction, "std")
    root: Tensor = sqrt(var(x, axis, ddof, keepdims, dtype=dtype, where=where))
    return root


def _degrees(ddof: int | None, correction: int | None, what: str) -> int:
    """Return by how much the number of elements is reduced."""
    if ddof is not None and correction is not None:
        raise CallError(f"{what}: ddof and correction are two names of one argument; give one of them", "correction")
    if correction is not None:
        return integer(correction, f"{what}: correction")
    return integer(0 if ddof is None else ddof, f"{what}: ddof")


@of_truth("x")
def any(x: TensorLike, axis: Any = None, keepdims: bool = False, *, where: Any = True) -> Tensor:
    """Whether one element at least is true; numbers count as true unless they are 0."""
    given = as_tensor(x, "x")
    t = chosen(given, mask_of(where, given, "any"), False)
    found = _truth_as_int(t)
    return _reduce(
        "sum", t, axis_numbers(axis, t.ndim, "any"), keepdims, "any", found, lambda n: Applied("gt", (n, Number(0)))
    )


@of_truth("x")
def all(x: TensorLike, axis: Any = None, keepdims: bool = False, *, where: Any = True) -> Tensor:
    """Whether no element is false; numbers count as true unless they are 0."""
    given = as_tensor(x, "x")
    t = chosen(given, mask_of(where, given, "all"), True)
    held = _truth_as_int(t)
    return _reduce(
        "sum",
        t,
        axis_numbers(axis, t.ndim, "all"),
        keepdims,
        "all",
        lambda v: Applied("sub", (Number(1), held(v))),
        lambda n: Applied("eq", (n, Number(0))),
    )


@of_truth("x")
def count_nonzero(x: TensorLike, axis: Any = None, keepdims: bool = False) -> Tensor:
    """How many elements are not zero."""
    t = as_tensor(x, "x")
    return _reduce("sum", t, axis_numbers(axis, t.ndim, "count_nonzero"), keepdims, "count", _truth_as_int(t))


def _truth_as_int(x: Tensor) -> Callable[[Scalar], Scalar]:
    """1 for true, 0 for false."""

    def number(v: Scalar) -> Scalar:
        return Applied("cast", (v if x.dtype == "bool" else Applied("ne", (v, Number(0))),), "int64")

    return number


def argmax(x: TensorLike, axis: Any = None, keepdims: bool = False) -> Tensor:
    """The first position of the largest element, or of the first nan (int64); over several dimensions, the row-major.

    Raises:
        ShapeError: there are no elements.
    """
    return _arg("max", x, axis, keepdims)


def argmin(x: TensorLike, axis: Any = None, keepdims: bool = False) -> Tensor:
    """The first position of the smallest element, or of the first nan (int64); over several dimensions, the row-major.

    Raises:
        ShapeError: there are no elements.
    """
    return _arg("min", x, axis, keepdims)


def _arg(kind: str, x: TensorLike, axis: Any, keepdims: bool) -> Tensor:
    """The least position among those that attain the optimum."""
    t = as_tensor(x, "x")
    what = f"arg{kind}"
    keepdims = flag(keepdims, f"{what}: keepdims")
    axes = sorted(axis_numbers(axis, t.ndim, what))
    shape = extents(t)
    best = _extremum(kind, t, tuple(axes), True)
    over = reduction_axes(t, axes)

    def body(*index: IndexExpr) -> Scalar:
        position = _position(index, t.ndim, over, keepdims)
        here = t.element(position)
        optimum = best.element([0 if d in over else p for d, p in enumerate(position)])
        place: Scalar = one_index(0)
        for d, a in over.items():
            place = place * shape[d] + a
        value = Selected(attains(kind, here, optimum), place, _LAST)
        return Reduced("min", tuple(a.axes[0] for a in over.values()), value) if over else place

    return define(_result_shape(shape, axes, keepdims), body, what, "int64")


WHOLE_TENSOR.update({f.__name__: explained(f, f"polyad.{f.__name__}") for f in (sum, prod, max, min, argmax, argmin)})
