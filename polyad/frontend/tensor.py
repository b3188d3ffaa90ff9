"""Tensors: what users hold, with NumPy's operators, and `define`, which makes them from scalar bodies."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import replace
from functools import cache
from pathlib import Path
from types import EllipsisType
from typing import TYPE_CHECKING, Any, Union, overload

from polyad.errors import DefinitionError, ShapeError, bounded_depth
from polyad.frontend.absent_names import CHANGED, TENSOR, explain_absence
from polyad.frontend.axis_hints import axis_hints
from polyad.frontend.broadcast import broadcast_index, broadcast_shapes
from polyad.frontend.constant_index import plain_subscripts
from polyad.frontend.control.exact_values import exact_statement
from polyad.frontend.definition import TensorBase, plain
from polyad.frontend.finish import finish
from polyad.frontend.lower import Lowering, symbols_of
from polyad.frontend.naming.local_names import is_own, look_at_names
from polyad.frontend.scalar import Applied, Element, IndexExpr, Scalar, as_index, as_scalar, is_size
from polyad.frontend.slicing import plan_slice
from polyad.frontend.symbols import Axis, Size, Symbols, fresh, merge_symbols
from polyad.ir.affine import Affine
from polyad.ir.element_types import element_type
from polyad.islx import LOCK

__all__ = [
    "OPEN_SCANS",
    "Tensor",
    "as_shape",
    "cast_tensor",
    "copied",
    "define",
    "elementwise",
    "opened",
    "own_extent",
    "user_line",
    "visible",
]

OPEN_SCANS: ContextVar[tuple[Axis, ...]] = ContextVar("OPEN_SCANS", default=())
"""Time axes of the scans whose bodies are being traced, outermost first."""

_LONGEST = 40
"""Characters of a name that was put together from others."""

Extent = int | IndexExpr


@contextmanager
def opened(*axes: Axis) -> Iterator[None]:
    """Trace the body of a scan, or go back into it."""
    names = {a.name for a in axes}
    around = tuple(a for a in OPEN_SCANS.get() if a.name not in names)
    token = OPEN_SCANS.set((*around, *axes))
    try:
        yield
    finally:
        OPEN_SCANS.reset(token)


def user_line() -> str:
    """`file:line` of the innermost frame outside of polyad."""
    frame = sys._getframe(1)
    while frame.f_back is not None and is_own(frame):
        frame = frame.f_back
    return f"{Path(frame.f_code.co_filename).name}:{frame.f_lineno}"


def visible(extent: Affine, symbols: Symbols) -> Extent:
    """An extent as users see it: an int where it is one."""
    return extent.constant if extent.is_constant else own_extent(extent, symbols)


def own_extent(extent: Affine, symbols: Symbols) -> IndexExpr:
    """An extent with its own sizes only: a shape must not drag other sizes of its tensor along."""
    names = extent.names()
    return IndexExpr(extent, {n: s for n, s in symbols.items() if n in names})


def as_shape(shape: Any) -> tuple[IndexExpr, ...]:
    """Extents from ints and size expressions; a single one may stand alone.

    Raises:
        ShapeError: negative, or made of axes.
        DTypeError: not an integer.
    """
    items = shape if isinstance(shape, tuple | list) else (shape,)
    result = tuple(as_index(s, "an extent") for s in items)
    for s in result:
        if s.affine.is_constant and s.affine.constant < 0:
            raise ShapeError(f"shape {tuple(items)} has a negative extent")
        if s.axes:
            raise ShapeError(f"extent {s} depends on an axis; extents are expressions of sizes")
    return tuple(own_extent(s.affine, s.symbols) for s in result)


_Part = Union[int, slice, EllipsisType, None, "Tensor"]
"""Parts of a subscript of whole tensors; in a body, expressions of axes choose single elements."""


class Tensor(TensorBase):
    """A tensor: an array of numbers that is defined, not yet computed.

    Takes NumPy's operators element-wise with broadcasting, `@`, slicing, `.T`, `.reshape`, `.sum(axis=)` and the like.
    It has no values: compile it (`pa.compile`) or write a function and call `pa.jit` or `pa.grad` of it.
    """

    __slots__ = ()
    __array_ufunc__ = None

    if not TYPE_CHECKING:  # for a type checker, what is not there has no type

        def __getattr__(self, name: str) -> Any:
            return _absent()(name)

    def __setitem__(self, key: Any, value: Any) -> None:
        raise DefinitionError(f"{user_line()}: {self.name}[...] = ...: {CHANGED}")

    @property
    def name(self) -> str:
        """The name that the user gave it, or called it, else one that was made up."""
        if self.array in self.definition.nameable:
            look_at_names()
        return self.definition.spoken(self.array)

    @property
    def shape(self) -> tuple[Extent, ...]:
        """The extents, each an int or an expression of sizes."""
        sizes = self.size_symbols()
        return tuple(visible(s, sizes) for s in self.shape_affine)

    def __repr__(self) -> str:
        return f"Tensor({self.name}: {self.dtype}[{', '.join(map(str, self.shape_affine))}])"

    @overload
    def __getitem__(self, key: _Part | tuple[_Part, ...]) -> Tensor: ...

    @overload
    def __getitem__(self, key: Any) -> Any: ...

    def __getitem__(self, key: Any) -> Any:
        items = plain_subscripts(self, key)
        if any(_is_scalar_index(k) for k in items):
            from_user = [_scalar_index(k) for k in items]
            if len(from_user) != self.ndim:
                raise ShapeError(
                    f"{user_line()}: {self.name} has {self.ndim} dimensions and is read with {len(from_user)} indices"
                )
            return Element(self, tuple(from_user))
        if not items:
            return self
        plan = plan_slice(self, items)
        return define(plan.shape, lambda *i: self.element(plan.index(i)), plan.hint)

    def element(self, indices: Sequence[Any]) -> Scalar:
        """The element at scalar indices."""
        return Element(self, tuple(as_scalar(i) if not isinstance(i, int) else as_index(i, "index") for i in indices))

    def __len__(self) -> int:
        if not self.ndim:
            raise ShapeError(f"{self.name} has no dimensions and so no length")
        first = self.shape_affine[0]
        if not first.is_constant:
            raise ShapeError(f"the first extent of {self.name}, {first}, is symbolic: it has no length as a Python int")
        return first.constant

    def __iter__(self) -> Iterator[Any]:
        return (self[i] for i in range(len(self)))

    def __bool__(self) -> bool:
        raise DefinitionError(
            f"the value of tensor {self.name} is not known while the program is being defined: use pa.select"
        )

    def __float__(self) -> float:
        raise DefinitionError(
            f"tensor {self.name} has no value yet: compile it with pa.compile, or use pa.jit on a function"
        )

    __int__ = __index__ = __float__

    def __array__(self, *args: Any, **kwargs: Any) -> Any:
        raise DefinitionError(
            f"tensor {self.name} cannot become a NumPy array while the program is being defined: use the functions of "
            "polyad.numpy instead of numpy's"
        )

    __hash__ = object.__hash__

    # NumPy's methods: functions of polyad.numpy, attached by polyad.numpy.methods.
    T: Tensor
    mT: Tensor
    at: Any
    size: Any
    real: Any
    imag: Any
    conj: Callable[..., Any]
    conjugate: Callable[..., Any]
    reshape: Callable[..., Tensor]
    transpose: Callable[..., Tensor]
    astype: Callable[..., Tensor]
    ravel: Callable[..., Tensor]
    flatten: Callable[..., Tensor]
    copy: Callable[..., Tensor]
    squeeze: Callable[..., Tensor]
    swapaxes: Callable[..., Tensor]
    take: Callable[..., Tensor]
    repeat: Callable[..., Tensor]
    diagonal: Callable[..., Tensor]
    trace: Callable[..., Tensor]
    dot: Callable[..., Tensor]
    clip: Callable[..., Tensor]
    round: Callable[..., Tensor]
    sum: Callable[..., Tensor]
    prod: Callable[..., Tensor]
    max: Callable[..., Tensor]
    min: Callable[..., Tensor]
    mean: Callable[..., Tensor]
    var: Callable[..., Tensor]
    std: Callable[..., Tensor]
    any: Callable[..., Tensor]
    all: Callable[..., Tensor]
    argmax: Callable[..., Tensor]
    argmin: Callable[..., Tensor]
    cumsum: Callable[..., Tensor]
    cumprod: Callable[..., Tensor]

    # Python's operators, attached by polyad.frontend.operators and, for `@`, by polyad.numpy.methods.
    __add__: Callable[..., Tensor]
    __radd__: Callable[..., Tensor]
    __sub__: Callable[..., Tensor]
    __rsub__: Callable[..., Tensor]
    __mul__: Callable[..., Tensor]
    __rmul__: Callable[..., Tensor]
    __truediv__: Callable[..., Tensor]
    __rtruediv__: Callable[..., Tensor]
    __floordiv__: Callable[..., Tensor]
    __rfloordiv__: Callable[..., Tensor]
    __mod__: Callable[..., Tensor]
    __rmod__: Callable[..., Tensor]
    __pow__: Callable[..., Tensor]
    __rpow__: Callable[..., Tensor]
    __matmul__: Callable[..., Tensor]
    __rmatmul__: Callable[..., Tensor]
    __and__: Callable[..., Tensor]
    __or__: Callable[..., Tensor]
    __xor__: Callable[..., Tensor]
    __lshift__: Callable[..., Tensor]
    __rshift__: Callable[..., Tensor]
    __rand__: Callable[..., Tensor]
    __ror__: Callable[..., Tensor]
    __rxor__: Callable[..., Tensor]
    __rlshift__: Callable[..., Tensor]
    __rrshift__: Callable[..., Tensor]
    __lt__: Callable[..., Tensor]
    __le__: Callable[..., Tensor]
    __gt__: Callable[..., Tensor]
    __ge__: Callable[..., Tensor]
    __eq__: Callable[..., Any]  # a tensor, where Python's own is a truth value
    __ne__: Callable[..., Any]
    __neg__: Callable[..., Tensor]
    __pos__: Callable[..., Tensor]
    __abs__: Callable[..., Tensor]
    __invert__: Callable[..., Tensor]


def copied(tensor: Tensor, hint: str) -> Tensor:
    """A tensor of its own with the same elements and kind of type, one for each step of the scans being traced."""
    same = define(tensor.shape, lambda *i: Element(tensor, tuple(i)), hint, tensor.dtype, along=OPEN_SCANS.get())
    return replace(same, strength=tensor.strength)


@cache
def _absent() -> Callable[[str], Any]:
    return explain_absence("a tensor of polyad", [n for n in dir(Tensor) if n[0] != "_"], TENSOR, {})


def _is_scalar_index(key: Any) -> bool:
    """An axis expression or a scalar body: then the whole key reads one element."""
    return isinstance(key, Scalar) and (not isinstance(key, IndexExpr) or bool(key.axes))


def _scalar_index(key: Any) -> Scalar:
    if isinstance(key, slice) or key is None or key is Ellipsis:
        raise ShapeError(
            f"{user_line()}: an axis and a slice cannot stand in one subscript; read single elements in a body"
        )
    return as_scalar(key) if not isinstance(key, int) or isinstance(key, bool) else as_index(key, "index")


def define(
    shape: Sequence[Extent],
    body: Callable[..., Any],
    hint: str,
    dtype: str | None = None,
    dims: Sequence[str] = (),
    along: Sequence[Axis] = (),
    named: bool = False,
) -> Tensor:
    """The tensor of the given shape whose element at axes (i, j, ...) is body(i, j, ...).

    Args:
        shape: extents.
        body: axes -> scalar.
        hint: its name: the user's `name=`, else the word for what is done.
        dtype: element type to convert to.
        dims: names for the axes.
        along: open scan axes it has an element for, besides those that the body mentions.
        named: the user chose the name: a variable of the traced function does not change it.
    """
    look_at_names()
    if len(hint) > _LONGEST:  # x_reshaped_taken_padded_...: the last word says what this one does
        hint = hint.rpartition("_")[2] or hint[-_LONGEST:]
    with LOCK, bounded_depth(f"{user_line()}: {plain(hint)!r}"):
        where = user_line()
        extents = as_shape(tuple(shape))
        names = axis_hints(extents, dims)
        axes = [
            Axis(fresh(n), Affine.of(0), e.affine, "compute", e.symbols) for n, e in zip(names, extents, strict=True)
        ]
        value = as_scalar(body(*(IndexExpr(Affine.of(a.name), {a.name: a, **a.symbols}) for a in axes)))
        around = merge_symbols({a.name: a for a in along}, *(a.symbols for a in along))
        symbols = merge_symbols(symbols_of(value), *(e.symbols for e in extents), around)
        ambient = ambient_axes(symbols, where)
        symbols = merge_symbols(symbols, *(a.symbols for a in ambient), {a.name: a for a in axes})
        lowering = Lowering(hint, where, symbols)
        name = fresh(hint)
        typed = lowering.define(name, [*ambient, *axes], value, dtype)
        definition = finish(lowering, [name])
        definition.nameable = frozenset(() if named else (name,))
        if lowering.sees_exact and dtype is None:
            definition.exact = exact_statement(replace(lowering.statements[-1], body=typed.expr))
        if ambient:
            definition.steps = dict.fromkeys(definition.arrays, len(ambient))
        for axis in ambient:
            axis.made.append(definition)
        seen = typed.kind.dtype if dtype is None else dtype
        return Tensor(
            definition,
            name,
            tuple(e.affine for e in extents),
            seen,
            tuple(Affine.of(a.name) for a in ambient),
            merge_symbols(definition.symbols, {a.name: a for a in ambient}),
            typed.strength if dtype is None else "strong",
        )


def ambient_axes(symbols: dict[str, Size | Axis], where: str) -> list[Axis]:
    """The scan axes among the symbols, outermost first, with the conditions of the branch that is being traced.

    Raises:
        DefinitionError: one of them belongs to a scan whose body is no longer being traced.
    """
    found = sorted((s for s in symbols.values() if isinstance(s, Axis) and s.kind == "scan"), key=lambda a: a.level)
    now = {a.name: a for a in OPEN_SCANS.get()}
    for axis in found:
        if axis.name not in now:
            raise DefinitionError(
                f"{where}: a tensor of the body of a scan is used outside of it; return it from the step function, as "
                "part of the carry or of ys"
            )
    return [now[a.name] for a in found]


def elementwise(op: str, *args: Any, dtype: str | None = None) -> Any:
    """A scalar operator applied to tensors with broadcasting, or to scalars of a body."""
    tensors = [a for a in args if isinstance(a, Tensor)]
    scalars = [a for a in args if isinstance(a, Scalar) and not is_size(a)]
    if not tensors or (scalars and all(t.ndim == 0 for t in tensors)):
        return Applied(op, tuple(as_scalar(a) for a in args), dtype)
    shape = broadcast_shapes(op, tensors)
    rank = len(shape)

    def body(*index: IndexExpr) -> Scalar:
        items = [a.element(broadcast_index(a, index, rank)) if isinstance(a, Tensor) else as_scalar(a) for a in args]
        return Applied(op, tuple(items), dtype)

    return define(shape, body, op if op != "cast" else f"as_{dtype}")


def cast_tensor(x: Any, dtype: Any) -> Any:
    """Convert to another element type.

    Raises:
        DTypeError: unknown type.
    """
    dtype = element_type(dtype, "cast", "bool")
    if isinstance(x, Tensor) and x.dtype == dtype and x.strength == "strong":
        return x
    return elementwise("cast", x, dtype=dtype)
