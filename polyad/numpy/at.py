"""`x.at[index].set(v)` and its like: tensors do not change, so these are new tensors that differ at some places.

Places that are known while tracing (slices, integers, the counter of `fori_loop`) are pieces of the domain. Those of
integer tensors may occur more than once: sums, products, maxima and minima take all of them, and of those that are set
the last one stays, in the order of the index (docs/decisions/0065-control-flow-in-jax-words.md). A mask that comes as
data chooses for each element whether it changes; how many do so nobody needs to know.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import Any, Literal

from polyad.errors import DTypeError, ShapeError
from polyad.frontend.complex_numbers.pair import ComplexTensor
from polyad.frontend.complex_numbers.parts import as_complex, is_complex
from polyad.frontend.constant_index import FromEnd, plain_subscripts
from polyad.frontend.constants import as_tensor
from polyad.frontend.definition import TensorBase
from polyad.frontend.scalar import Applied, IndexExpr, Number, Scalar, Selected, as_index, as_scalar, attains
from polyad.frontend.slicing import plan_slice
from polyad.frontend.tensor import Tensor, as_shape, cast_tensor, define, user_line
from polyad.ir.statement import Reduction
from polyad.numpy.dimensions import aligned, broadcast_extents, extents, shape_text
from polyad.numpy.written import Index, Places, scattered, written

__all__ = ["At", "Updates"]

_OPERATIONS: dict[str, tuple[str, Reduction]] = {
    "add": ("add", "sum"),
    "multiply": ("mul", "prod"),
    "min": ("minimum", "min"),
    "max": ("maximum", "max"),
}
"""Method -> the operator that puts two values together, and the reduction that does so for many."""

_NOBODY = (1 << 63) - 1
"""Behind the number of every place."""


@dataclass(frozen=True, slots=True)
class At:
    """`x.at`: subscripted by what is to change."""

    tensor: Any

    def __getitem__(self, key: Any) -> Updates:
        return Updates(self.tensor, key)


@dataclass(frozen=True, slots=True)
class Updates:
    """`x.at[index]`: what can be done with the elements that `x[index]` has.

    The index is made of integers, slices, `None`, `...`, and integer tensors or arrays, as for `x[index]`; indices
    that come as data count from 0 and are checked when a kernel is called. Values broadcast to the shape of
    `x[index]`; the result has the element type of `x`. Or it is one tensor of truth values, of the shape of the leading
    dimensions of `x`: then values broadcast to the other dimensions, a number for a mask of the shape of `x`.

    Raises:
        ShapeError: the values do not broadcast to the shape of x[index].
        DTypeError: the element type of x does not hold them: floats in a tensor of integers.
        BoundsError: an index known while tracing is outside of the tensor.
    """

    tensor: Any
    key: Any

    def get(self) -> Tensor:
        """x[index]."""
        result: Tensor = self.tensor[self.key]
        return result

    def set(self, values: Any) -> Tensor:
        """The tensor with x[index] = values. Of places that occur more than once the last value stays."""
        if isinstance(self.tensor, ComplexTensor):
            both: Tensor = self._both("set", values)
            return both
        x = self.tensor
        if x.dtype == "bool":
            numbers = At(cast_tensor(x, "int32"))[self.key]
            changed: Tensor = numbers.set(cast_tensor(_truths(values), "int32")) != 0
            return changed
        if (masked := self._masked(values, "set", lambda old, new: new)) is not None:
            return masked
        items = plain_subscripts(x, self.key)
        places = _places(x, items)
        given = _given(values, x, places, "set")
        if _is_affine(items):
            return written(x, places, given, x.dtype, f"{x.name}_set")
        affine, gathering = _split(x, items)
        if all(k == slice(None) for k in affine):
            return _last_stays(x, gathering, given)
        return At(x)[affine].set(_last_stays(x[affine], gathering, given))

    def add(self, values: Any) -> Tensor:
        """The tensor with x[index] + values. Places that occur more than once are added to as often."""
        return self._combined("add", values)

    def multiply(self, values: Any) -> Tensor:
        """The tensor with x[index] * values. Places that occur more than once are multiplied as often."""
        return self._combined("multiply", values)

    def min(self, values: Any) -> Tensor:
        """The tensor with the minimum of x[index] and values, all values for a place that occurs more than once."""
        return self._combined("min", values)

    def max(self, values: Any) -> Tensor:
        """The tensor with the maximum of x[index] and values, all values for a place that occurs more than once."""
        return self._combined("max", values)

    def _both(self, method: str, values: Any) -> Any:
        """Both parts of a complex tensor changed."""
        if method not in ("set", "add"):
            raise DTypeError(
                f"{user_line()}: at[...].{method} is not defined for complex tensors: set what you compute of x[index]"
            )
        z, new = self.tensor, as_complex(values) if is_complex(values) else ComplexTensor(values, 0.0)
        given = [p.value if isinstance(p, Number) else p for p in (new.real, new.imag)]
        changed = [getattr(At(t)[self.key], method)(p) for t, p in zip((z.real, z.imag), given, strict=True)]
        return ComplexTensor(*changed)

    def _combined(self, method: str, values: Any) -> Tensor:
        if isinstance(self.tensor, ComplexTensor):
            both: Tensor = self._both(method, values)
            return both
        x = self.tensor
        if x.dtype == "bool":
            raise DTypeError(
                f"{user_line()}: {x.name}.at[...].{method} of truth values: set changes them, or use | and &"
            )
        op, reduction = _OPERATIONS[method]
        if (masked := self._masked(values, method, lambda old, new: Applied(op, (old, new)))) is not None:
            return masked
        items = plain_subscripts(x, self.key)
        places = _places(x, items)
        given = _given(values, x, places, method)
        hint = f"{x.name}_{method}"

        def combined(i: Index) -> Scalar:
            return Applied(op, (x.element(places.index(i)), given(i)))

        if _is_affine(items):
            return written(x, places, combined, x.dtype, hint)
        if method != "add" and _once(items):
            return self.set(define(places.shape, lambda *i: combined(i), hint, x.dtype))
        if reduction in ("max", "min") and "float" in x.dtype:
            return _optimum(x, places, given, reduction)
        return scattered(x, x.element, places, given, reduction, hint)

    def _masked(self, values: Any, method: str, changed: Callable[[Scalar, Scalar], Scalar]) -> Tensor | None:
        """changed(x[i..., j...], values[j...]) where mask[i...] holds, else x; None if the index is no mask of data."""
        x, mask = self.tensor, self.key
        if not isinstance(mask, Tensor) or mask.dtype != "bool":
            return None
        rank, shape = mask.ndim, extents(x)
        if mask.shape_affine != x.shape_affine[:rank]:
            title = f"{user_line()}: {x.name}.at[...].{method}"
            raise ShapeError(
                f"{title}: a mask of shape {shape_text(extents(mask))} for a tensor of "
                f"shape {shape_text(shape)}; a mask has the shape of the leading dimensions"
            )
        given = _given(values, x, Places(shape[rank:], lambda i: i), method)

        def body(*index: Any) -> Scalar:
            old = x.element(index)
            return Selected(mask.element(index[:rank]), changed(old, given(index[rank:])), old)

        return define(shape, body, f"{x.name}_{method}", x.dtype)


def _places(x: Tensor, items: Sequence[Any]) -> Places:
    if any(isinstance(k, Scalar) and not isinstance(k, IndexExpr) for k in items):
        raise DTypeError(f"{user_line()}: {x.name}.at[...] takes integers, slices and tensors, not elements of a body")
    plan = plan_slice(x, items)
    return Places(plan.shape, plan.index)


def _is_affine(items: Sequence[Any]) -> bool:
    """Whether the places are known while tracing, each once: a scalar that is affine in a loop may stand among them."""
    tensors = [k for k in items if isinstance(k, TensorBase | FromEnd)]
    return all(isinstance(k, TensorBase) and not k.ndim and k.definition.exact is not None for k in tensors)


def _once(items: Sequence[Any]) -> bool:
    """Whether no place occurs twice: each integer of data is one number."""
    return all(isinstance(k, TensorBase) and not k.ndim for k in items if isinstance(k, TensorBase | FromEnd))


def _truths(values: Any) -> Tensor:
    t = as_tensor(values, "values")
    if t.dtype != "bool":
        raise DTypeError(
            f"{user_line()}: at[...].set: values of type {t.dtype} for truth values (compare first: v != 0)"
        )
    return t


def _given(values: Any, x: Tensor, places: Places, what: str) -> Callable[[Index], Scalar]:
    """The values, for the axes of the places, of the element type of x."""
    v = as_tensor(values, "values")
    title = f"{user_line()}: {x.name}.at[...].{what}"
    if v.dtype == "bool" or ("float" in v.dtype and "float" not in x.dtype):
        raise DTypeError(
            f"{title}: values of type {v.dtype} for a tensor of {x.dtype}; convert one of them with astype"
        )
    shape = as_shape(tuple(places.shape))
    common = broadcast_extents(title, [extents(v), shape])
    if [e.affine for e in common] != [e.affine for e in shape]:
        raise ShapeError(f"{title}: values of shape {shape_text(extents(v))} do not broadcast to {shape_text(shape)}")
    return lambda i: Applied("cast", (v.element(aligned(extents(v), i)),), x.dtype)


def _split(x: Tensor, items: Sequence[Any]) -> tuple[tuple[slice, ...], list[Any]]:
    """Slices alone that hold all places, and what picks the same places within them.

    Integers become slices of one element, of which 0 is picked: NumPy counts them among the subscripts by tensors.
    """
    keys = list(items) if any(k is Ellipsis for k in items) else [*items, Ellipsis]
    at = next(n for n, k in enumerate(keys) if k is Ellipsis)
    keys[at : at + 1] = [slice(None)] * (x.ndim - sum(k is not None and k is not Ellipsis for k in keys))
    affine: list[slice] = []
    gathering: list[Any] = []
    for key in keys:
        if key is None:
            gathering.append(key)
        elif isinstance(key, slice):
            affine.append(key)
            gathering.append(slice(None))
        elif isinstance(key, TensorBase | FromEnd):
            affine.append(slice(None))
            gathering.append(key)
        else:
            affine.append(slice(key, None if isinstance(key, int) and key == -1 else key + 1))
            gathering.append(0)
    return tuple(affine), gathering


def _number(places: Places) -> Callable[[Index], Scalar]:
    """The number of a place, row by row."""
    shape = as_shape(tuple(places.shape))

    def number(i: Index) -> Scalar:
        result: Any = as_index(0, "number")
        for extent, k in zip(shape, i, strict=True):
            result = result * extent + k
        return as_scalar(result)

    return number


def _kept(
    x: Tensor, places: Places, given: Callable[[Index], Scalar], first: Callable[[Index], Scalar], wins: Any, hint: str
) -> Tensor:
    """x[j] where first(j) < 0, else the one value that wins there: elements are chosen, none are put together."""
    zero = Number(0)
    return scattered(
        x,
        lambda j: Selected(Applied("lt", (first(j), zero)), x.element(j), zero),
        places,
        lambda i: Selected(wins(i), given(i), zero),
        "sum",
        hint,
    )


def _last_stays(x: Tensor, keys: Sequence[Any], given: Callable[[Index], Scalar]) -> Tensor:
    """x[keys] = given, where the keys are integer tensors, 0, full slices and None.

    last[ids[m]] max= m;      out[j] = x[j] where last[j] < 0, else 0;      out[ids[m]] += v[m] where last[ids[m]] == m

    One place needs no `last`:      out[j] = 0 where j == n, else x[j];      out[n] += v
    """
    plan = plan_slice(x, keys)
    first, count = plan.gathered
    dims = [d for d, k in enumerate(k for k in keys if k is not None) if isinstance(k, TensorBase | FromEnd)]
    zero = as_index(0, "index")

    def target(i: Index) -> list[Any]:
        found = plan.index(i)
        return [found[d] for d in dims]

    if _once(keys):
        chosen = target([zero] * len(plan.shape))

        def elsewhere(j: Index) -> Scalar:
            here = reduce(
                lambda a, b: Applied("and", (a, b)),
                [Applied("eq", (j[d], n)) for d, n in zip(dims, chosen, strict=True)],
            )
            return Selected(here, Number(0), x.element(j))

        return scattered(x, elsewhere, Places(plan.shape, plan.index), given, "sum", f"{x.name}_set")
    before, behind = [zero] * first, [zero] * (len(plan.shape) - first - count)
    block = Places(plan.shape[first : first + count], lambda i: target([*before, *i, *behind]))
    number = _number(block)
    none = define([extents(x)[d] for d in dims], lambda *_: Number(-1), "last", "int64")
    last = scattered(none, none.element, block, number, "max", "last")
    return _kept(
        x,
        Places(plan.shape, plan.index),
        given,
        lambda j: last.element([j[d] for d in dims]),
        lambda i: Applied("eq", (last.element(target(i)), number(i[first : first + count]))),
        f"{x.name}_set",
    )


def _optimum(x: Tensor, places: Places, given: Callable[[Index], Scalar], kind: Literal["max", "min"]) -> Tensor:
    """The optimum of x and all values for a place, as that of the first that attains it: derivatives pass to that one.

    best[ids[m]] max= v[m];      winner[ids[m]] min= m where v[m] attains best[ids[m]], -1 where x does
    """
    number = _number(places)
    best = scattered(x, x.element, places, given, kind, f"{x.name}_best")
    none = define(x.shape, lambda *_: Number(_NOBODY), "winner", "int64")

    def start(j: Index) -> Scalar:
        return Selected(attains(kind, x.element(j), best.element(j)), Number(-1), Number(_NOBODY))

    def mine(i: Index) -> Scalar:
        return Selected(attains(kind, given(i), best.element(places.index(i))), number(i), Number(_NOBODY))

    winner = scattered(none, start, places, mine, "min", "winner")

    def wins(i: Index) -> Scalar:
        return Applied("eq", (winner.element(places.index(i)), number(i)))

    return _kept(x, places, given, winner.element, wins, f"{x.name}_{kind}")
