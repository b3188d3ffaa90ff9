"""Recurrences: tensors whose elements are defined by others of the same tensors, in any number of dimensions."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import islpy as isl

from polyad.errors import DefinitionError, DTypeError, PolyadError, ShapeError, bounded_depth
from polyad.frontend.argument_checks import function
from polyad.frontend.complex_numbers.arithmetic import pair
from polyad.frontend.complex_numbers.pair import ComplexTensor
from polyad.frontend.complex_numbers.parts import as_complex, is_complex, part_type
from polyad.frontend.compute import axis_names, function_name, parameter_names
from polyad.frontend.definition import Definition
from polyad.frontend.finish import context_set, finish, retitle
from polyad.frontend.lower import Lowering, symbols_of
from polyad.frontend.scalar import Element, IndexExpr, Scalar, as_index, as_scalar
from polyad.frontend.symbols import Axis, check_identifier, fresh, merge_symbols
from polyad.frontend.tensor import OPEN_SCANS, Tensor, as_shape, user_line
from polyad.ir.affine import Affine
from polyad.ir.array import Array
from polyad.ir.element_types import element_type
from polyad.islx import LOCK
from polyad.semantics.causality import check_order
from polyad.semantics.definedness import check_output, check_reads, defined_elements

__all__ = ["recurrence"]


class _Self(Tensor):
    """The tensor being defined, as its own body sees it: every subscript reads one element."""

    __slots__ = ()

    def __getitem__(self, key: Any) -> Element:  # type: ignore[override]  # whatever the key is
        items = key if isinstance(key, tuple) else (key,)
        if len(items) != self.ndim:
            raise ShapeError(
                f"{user_line()}: {self.name} has {self.ndim} dimensions and is read with {len(items)} indices"
            )
        return Element(self, tuple(as_scalar(i) if isinstance(i, Scalar) else as_index(i, "index") for i in items))


def recurrence(shape: Any, fn: Callable[..., Any], name: str | None = None, dtype: Any = None) -> Any:
    """Define tensors whose elements may read other elements of themselves.

    Equation: self[i, j, ...] = fn(self, i, j, ...). Base cases are cut out by an affine `select`. Any order of
    execution that exists will be found; none is written.

    Args:
        shape: extents of the tensor; a tuple of shapes defines several tensors that need each other.
        fn: (self, i, j, ...) -> scalar, or (a, b, ..., i, j, ...) -> tuple of scalars.
        name: the tensor's name. Without one it is called what the body calls it, by its first parameter; several are
            called after the parameters of the body in any case, with this name in front.
        dtype: element type, float32 by default when the body does not tell; several tensors may have a tuple of them,
            None where the body tells. One that the body uses as an index needs its type here. With complex64 or
            complex128, or a body that is complex, a tensor is a pair, and its body sees complex elements.

    Returns:
        The tensor, or a tuple of them.

    Raises:
        CausalityError: no order of execution exists, carrying the cycle.
        BoundsError: a read outside of the tensor: a base case is missing.
        DTypeError: an unknown element type.

    Example:
        >>> s = pa.recurrence(N, lambda s, i: pa.select(i == 0, x[i], pa.select(i > 0, s[i - 1], 0) + x[i]))
    """
    several = isinstance(shape, tuple | list) and len(shape) > 0 and all(isinstance(s, tuple | list) for s in shape)
    shapes = [as_shape(s) for s in shape] if several else [as_shape(shape)]
    each = _each(dtype, len(shapes))
    pairs = [part_type(d) is not None for d in each]
    while True:
        try:
            if not any(pairs):
                return _of_reals(shapes, fn, name, each, several)
            types = [t for d, p in zip(each, pairs, strict=True) for t in ([part_type(d) or d] * 2 if p else [d])]
            twice = [s for s, p in zip(shapes, pairs, strict=True) for _ in range(1 + p)]
            found = iter(_of_reals(twice, _in_parts(fn, pairs), name, types, True))
        except _ComplexBodyError as body:
            pairs[body.number] = True
            continue
        made = [pair(next(found), next(found)) if p else next(found) for p in pairs]
        return tuple(made) if several else made[0]


class _ComplexBodyError(Exception):
    """The body of a tensor that was taken for a real one is complex.

    Attributes:
        number: which tensor.
    """

    def __init__(self, number: int):
        super().__init__(number)
        self.number = number


def _in_parts(fn: Callable[..., Any], pairs: Sequence[bool]) -> Callable[..., Any]:
    """The body of the parts of tensors of which some are complex: it sees these whole, and returns their parts."""
    function(fn, f"{user_line()}: the body of a recurrence")

    def body(*args: Any) -> tuple[Any, ...]:
        rest = iter(args)
        whole = [ComplexTensor(next(rest), next(rest)) if p else next(rest) for p in pairs]
        result = fn(*whole, *rest)
        values = result if len(pairs) > 1 else [result]
        if not isinstance(values, tuple | list) or len(values) != len(pairs):
            raise ShapeError(f"{user_line()}: the body must return {len(pairs)} expressions, one per tensor")
        found: list[Any] = []
        for n, (value, p) in enumerate(zip(values, pairs, strict=True)):
            if is_complex(value) and not p:
                raise _ComplexBodyError(n)
            whole_value = as_complex(value) if is_complex(value) else ComplexTensor(value, 0)
            found += [whole_value.real, whole_value.imag] if p else [value]
        return tuple(found)

    names = parameter_names(fn)
    own = [m for n, p in zip(names, pairs, strict=False) for m in ([f"{n}_real", f"{n}_imag"] if p else [n])]
    every = [inspect.Parameter(n, inspect.Parameter.POSITIONAL_ONLY) for n in (*own, *names[len(pairs) :])]
    if len({p.name for p in every}) == len(every):
        body.__signature__ = inspect.Signature(every)  # type: ignore[attr-defined]  # names of tensors and of axes
    body.__name__ = getattr(fn, "__name__", "r")
    return body


def _of_reals(
    shapes: Sequence[Sequence[IndexExpr]], fn: Callable[..., Any], name: str | None, each: Sequence[Any], several: bool
) -> Any:
    """As `recurrence`, of tensors of real numbers and integers."""
    wanted_types = ["" if d is None else element_type(d, "recurrence") for d in each]
    hint = check_identifier(name, "recurrence") if name is not None else function_name(fn, "r")
    own = [_spelled(n) for n in parameter_names(fn)[: len(shapes)]]
    hints = [own[0] if own and name is None else hint]
    if several:
        hints = [f"{name}_{n}" if name is not None else n for n in own] or [f"{hint}_{i}" for i in range(len(shapes))]
    where = user_line()
    with LOCK, bounded_depth(f"{where}: {hint!r}"):
        types = list(wanted_types)
        for _ in range(3 * len(shapes) + 1):  # element types are found by trying: bodies read the tensors themselves
            tensors, found = _attempt(shapes, fn, hints, [t or "float32" for t in types], several, where)
            wanted = [w or f for w, f in zip(wanted_types, found, strict=True)]
            if wanted == [t.dtype for t in tensors]:
                break
            types = wanted
        else:
            raise DTypeError(f"{where}: the element types of {', '.join(hints)} do not settle; give them as dtype=")
        return tuple(tensors) if several else tensors[0]


def _each(dtype: Any, count: int) -> list[Any]:
    """The element type of each tensor as it was given, None for one that its body tells."""
    each = list(dtype) if isinstance(dtype, tuple | list) else [dtype] * count
    if len(each) != count:
        raise DTypeError(f"{user_line()}: recurrence: {len(each)} element types for {count} tensors; give one for each")
    return each


def _spelled(parameter: str) -> str:
    """A parameter's name as that of a tensor, where C can spell it."""
    try:
        return check_identifier(parameter, "parameter")
    except DefinitionError:
        return "r"


def _attempt(
    shapes: Sequence[Sequence[IndexExpr]],
    fn: Callable[..., Any],
    hints: Sequence[str],
    dtypes: Sequence[str],
    several: bool,
    where: str,
) -> tuple[list[Tensor], list[str]]:
    """Define with assumed element types; returns the tensors and the types their bodies have."""
    ambient = list(OPEN_SCANS.get())
    prefix = tuple(Affine.of(a.name) for a in ambient)
    keys = [fresh(h) for h in hints]
    arrays = {
        k: Array(k, tuple(a.upper for a in ambient) + tuple(e.affine for e in s), d)
        for k, s, d in zip(keys, shapes, dtypes, strict=True)
    }
    own = Definition(arrays, (), (), {}, where)
    around = merge_symbols({a.name: a for a in ambient}, *(a.symbols for a in ambient))
    symbols = merge_symbols(around, *(e.symbols for s in shapes for e in s))
    tensors = [
        Tensor(own, k, tuple(e.affine for e in s), d, prefix, symbols)
        for k, s, d in zip(keys, shapes, dtypes, strict=True)
    ]
    selves = [_Self(t.definition, t.array, t.shape_affine, t.dtype, t.prefix, t.symbols) for t in tensors]
    function(fn, f"{where}: the body of a recurrence")
    bodies: list[tuple[list[Axis], Scalar]] = []
    for n, shape in enumerate(shapes):
        names = axis_names(fn, len(shapes), len(shape))
        axes = [Axis(fresh(d), Affine.of(0), e.affine, "compute", e.symbols) for d, e in zip(names, shape, strict=True)]
        result = fn(*selves, *(IndexExpr(Affine.of(a.name), {a.name: a, **a.symbols}) for a in axes))
        if several and (not isinstance(result, tuple | list) or len(result) != len(shapes)):
            raise ShapeError(f"{where}: the body must return {len(shapes)} expressions, one per tensor")
        value = result[n] if several else result
        if is_complex(value):
            raise _ComplexBodyError(n)
        body = as_scalar(value)
        symbols = merge_symbols(symbols, symbols_of(body), {a.name: a for a in axes})
        bodies.append((axes, body))
    now = {a.name for a in ambient}
    for s in symbols.values():
        if isinstance(s, Axis) and s.kind == "scan" and s.name not in now:
            raise DefinitionError(f"{where}: a tensor of the body of a scan is used outside of it")
    lowering = Lowering(hints[0], where, symbols)
    lowering.arrays.update(arrays)
    found: list[str] = []
    wanted: dict[str, isl.Set] = {}
    for key, (axes, body) in zip(keys, bodies, strict=True):
        typed = lowering.define(key, [*ambient, *axes], body, arrays[key].dtype)
        found.append(arrays[key].dtype if typed.kind.weak else typed.kind.dtype)
        # In the last segment of a checkpointed scan there are fewer steps than the array has room for.
        wanted[key] = lowering.statements[-1].write_relation().range()
    if found == list(dtypes):
        _complete(own, lowering, wanted)
        own.steps = dict.fromkeys(own.arrays, len(ambient))
        for axis in ambient:
            axis.made.append(own)
    return tensors, found


def _complete(own: Definition, lowering: Lowering, wanted: Mapping[str, isl.Set]) -> None:
    """Fill the definition its tensors already point to, and prove that an order of execution exists.

    Args:
        own: the definition.
        lowering: its statements.
        wanted: internal array name -> { a[index] } the elements that are to have a value.
    """
    done = finish(lowering, list(wanted))
    own.arrays, own.statements, own.symbols = done.arrays, done.statements, done.symbols
    own.operands = tuple(d for d in done.operands if d is not own)
    params = lowering.params
    context = context_set(lowering.symbols, params)
    arrays = {n: a for d in (own, *own.operands) for n, a in d.arrays.items()}
    defined = {
        n: defined_elements(own.arrays[n], [s for s in own.statements if s.array == n], params) for n in own.arrays
    }
    try:
        for key, elements in wanted.items():
            check_output(own.arrays[key], defined[key], context, elements)
        for s in own.statements:
            check_reads(s, defined, context)
        check_order(own.statements, arrays, context)
    except PolyadError as error:
        raise retitle(error, own.operands) from None
