"""Tensor expressions: sizes, placeholders, compute, reduction axes."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

from polyad.errors import DefinitionError, DTypeError, ShapeError
from polyad.frontend.argument_checks import integer
from polyad.frontend.complex_numbers.arithmetic import cast_complex, pair
from polyad.frontend.complex_numbers.parts import as_complex, is_complex, of_pairs, part_type
from polyad.frontend.definition import Definition
from polyad.frontend.scalar import IndexExpr, as_index, described
from polyad.frontend.symbols import Axis, Size, check_identifier, check_index, fresh, merge_symbols
from polyad.frontend.tensor import Tensor, as_shape, define, user_line
from polyad.ir.affine import Affine
from polyad.ir.array import Array
from polyad.ir.element_types import element_type
from polyad.islx import LOCK

__all__ = ["axis_names", "compute", "function_name", "parameter_names", "placeholder", "reduce_axis", "sizes"]


def sizes(names: str, min: int = 1) -> Any:
    """Declare symbolic sizes.

    Args:
        names: one or more identifiers separated by spaces or commas.
        min: the least value each may take; proofs rely on it and calls are checked against it.

    Returns:
        One size for one name, else a tuple of them, in order.

    Raises:
        DefinitionError: a name is not an identifier, is a word of isl's syntax, or occurs twice.

    Example:
        >>> T, B, H = pa.sizes("T B H")
    """
    if not isinstance(names, str):
        raise DTypeError(f"sizes: the names are one text, sizes('T B H'), not {described(names)}")
    words = names.replace(",", " ").split()
    least = integer(min, "sizes: min")
    if not words:
        raise DefinitionError("sizes: give at least one name, sizes('T B H')")
    if len(set(words)) != len(words):
        raise DefinitionError(f"sizes: a name occurs twice in {names!r}")
    made = tuple(IndexExpr(Affine.of(check_index(w, "size")), {w: Size(w, least)}) for w in words)
    return made if len(made) > 1 else made[0]


def placeholder(shape: Any, name: str = "x", dtype: Any = "float32") -> Any:
    """Declare an input tensor.

    Args:
        shape: extents: ints or expressions of sizes; () for a scalar.
        name: its name in calls and in the generated C.
        dtype: float16, float32, float64, int8, int16, int32, int64, uint8, uint16, uint32, complex64 or complex128.

    Returns:
        A `Tensor`; a `ComplexTensor` of a complex type, which is in C an array of pairs of floats.

    Raises:
        ShapeError: a negative extent.
        DTypeError: an unknown element type.
        DefinitionError: the name is not an identifier.
    """
    check_identifier(name, "placeholder")
    part = part_type(dtype)
    if part is not None:
        return of_pairs(placeholder((*as_shape(shape), 2), name, part))
    dtype = element_type(dtype, f"placeholder {name!r}")
    extents = as_shape(shape)
    key = fresh(name)
    symbols = merge_symbols(*(e.symbols for e in extents))
    array = Array(key, tuple(e.affine for e in extents), dtype, "input")
    definition = Definition({key: array}, (), (), symbols, user_line())
    return Tensor(definition, key, array.shape, dtype, (), symbols)


def parameter_names(fn: Callable[..., Any]) -> list[str]:
    """The names of the positional parameters of a body, where they can be known."""
    try:
        parameters = inspect.signature(fn).parameters.values()
    except (TypeError, ValueError):
        return []
    return [p.name for p in parameters if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]


def function_name(fn: Callable[..., Any], default: str) -> str:
    """Return the name of a body, where C can spell it, else the default."""
    try:
        return check_identifier(getattr(fn, "__name__", "").strip("_"), "function")
    except DefinitionError:
        return default


def axis_names(fn: Callable[..., Any], skip: int, rank: int) -> list[str]:
    """Names for the axes of a definition: the parameter names of its body."""
    names = parameter_names(fn)[skip:]
    told = len(names) == rank == len(set(names)) and all(map(str.isascii, names))
    return names if told else list("ijklmnpq"[:rank])


def compute(shape: Any, fn: Callable[..., Any], name: str | None = None, dtype: Any = None) -> Any:
    """Define a tensor element by element: result[i, j, ...] = fn(i, j, ...).

    Args:
        shape: extents: ints or expressions of sizes.
        fn: takes one axis per dimension and returns a scalar expression of them, of tensor elements, sizes and numbers.
        name: its name; that of the function when left out.
        dtype: element type to convert to; the expression's own when left out.

    Raises:
        BoundsError: a read is not provably inside its array, carrying one instance.
        ShapeError: wrong number of indices or axes.
        DTypeError: an unknown element type.
        DefinitionError: an axis is used outside of its reduction.

    Example:
        >>> y = pa.compute((T, B), lambda t, b: pa.exp(x[t, b, 0]), name="y")
    """
    hint = check_identifier(name, "compute") if name is not None else function_name(fn, "value")
    part = part_type(dtype)
    wanted = part if part or dtype is None else element_type(dtype, f"compute {hint!r}", "bool")
    extents = as_shape(shape)
    names = axis_names(fn, 0, len(extents))

    def body(*axes: IndexExpr) -> Any:
        try:
            inspect.signature(fn).bind(*axes)
        except TypeError as problem:
            raise ShapeError(f"{user_line()}: the body of {hint!r} must take {len(extents)} axes: {problem}") from None
        value = fn(*axes)
        if not is_complex(value):
            return value
        imaginary.append(lambda *again: as_complex(fn(*again)).imag)
        return as_complex(value).real

    imaginary: list[Callable[..., Any]] = []
    real = define(extents, body, hint, wanted, names, named=hint != "value")
    if imaginary:
        return pair(real, define(extents, imaginary[0], f"{hint}_imag", wanted, names, named=hint != "value"))
    return real if part is None else cast_complex(real, part)


def reduce_axis(bounds: Any, name: str = "k") -> IndexExpr:
    """Declare an axis to reduce over.

    Args:
        bounds: its extent, or (lo, hi) for lo <= axis < hi; bounds may use the axes around it.
        name: how it is called in schedules and in C.

    Raises:
        DefinitionError: lo > hi for constant bounds, or the name is not an identifier or is a word of isl's syntax.
    """
    check_index(name, "axis")
    with LOCK:
        if isinstance(bounds, tuple | list) and len(bounds) != 2:
            raise DefinitionError(f"reduce_axis {name!r}: bounds are an extent or (lo, hi), not {described(bounds)}")
        lo, hi = bounds if isinstance(bounds, tuple | list) else (0, bounds)
        lower, upper = as_index(lo, "a lower bound"), as_index(hi, "an upper bound")
        extent = upper.affine - lower.affine
        if extent.is_constant and extent.constant < 0:
            raise DefinitionError(f"reduce_axis {name!r}: the bounds ({lo}, {hi}) are the wrong way round")
        axis = Axis(fresh(name), lower.affine, upper.affine, "reduce", merge_symbols(lower.symbols, upper.symbols))
        return IndexExpr(Affine.of(axis.name), {axis.name: axis, **axis.symbols})
