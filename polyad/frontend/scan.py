"""Scans: a step function folded along the leading axis.

The state of a scan is an array with one slot more than the scan has steps: slot 0 is the initial value, step t reads slot t
and writes slot t + 1 (a reverse scan starts at the last slot and goes down). The body is traced once, at a symbolic t; what
it computes becomes arrays with t as their first dimension, and what does not depend on t stays outside.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from polyad.errors import DefinitionError, DTypeError, PolyadError, ShapeError
from polyad.frontend.checkpoint import Checkpoint
from polyad.frontend.constants import as_tensor
from polyad.frontend.definition import Definition, plain
from polyad.frontend.finish import finish, retitle
from polyad.frontend.lower import Lowering, symbols_of
from polyad.frontend.pytrees import flatten, flatten_with_paths, unflatten
from polyad.frontend.scalar import Element, IndexExpr, as_index
from polyad.frontend.symbols import Axis, Size, fresh, merge_symbols
from polyad.frontend.tensor import OPEN_SCANS, Tensor, cast_tensor, define, opened, user_line
from polyad.ir.affine import Affine
from polyad.ir.array import Array
from polyad.ir.scan import Scan
from polyad.islx import LOCK
from polyad.ops.registry import promote

__all__ = ["scan"]


@dataclass(frozen=True, slots=True)
class _Frame:
    """One attempt at tracing a scan: the time axis and the state arrays."""

    time: Axis
    ambient: tuple[Axis, ...]
    length: IndexExpr
    direction: Literal[1, -1]
    keys: tuple[str, ...]
    definition: Definition

    @property
    def outer(self) -> tuple[Affine, ...]:
        return tuple(Affine.of(a.name) for a in self.ambient)

    @property
    def now(self) -> Affine:
        return Affine.of(self.time.name)

    @property
    def before(self) -> Affine:
        """The slot a step reads."""
        return self.now if self.direction > 0 else self.now + 1

    @property
    def after(self) -> Affine:
        """The slot a step writes."""
        return self.now + 1 if self.direction > 0 else self.now

    @property
    def first(self) -> Affine:
        """The slot of the initial value."""
        return Affine.of(0) if self.direction > 0 else self.length.affine

    @property
    def last(self) -> Affine:
        """The slot of the final value."""
        return self.length.affine if self.direction > 0 else Affine.of(0)


def scan(
    step: Callable[..., Any],
    init: Any,
    xs: Any = None,
    length: Any = None,
    reverse: bool = False,
    checkpoint: Checkpoint | None = None,
) -> tuple[Any, Any]:
    """Fold a step function along the leading axis, as `jax.lax.scan`.

    Equations, for t = 0 .. N - 1 (downwards when `reverse`): carry[t + 1], ys[t] = step(carry[t], xs[t]).

    Args:
        step: (carry, x_t) -> (carry, y_t); pytrees of tensors without the time dimension. Traced once.
        init: the first carry; its structure, shapes and types are those of every carry.
        xs: pytree of tensors with a common leading extent N, or None.
        length: N, needed when xs is None.
        reverse: run from the last step to the first; ys keep their places.
        checkpoint: which states the backward pass keeps; None keeps all it needs.

    Returns:
        (final carry, ys), ys with the time dimension in front.

    Raises:
        ShapeError: leading extents differ, or the carry changes its shape; names the leaf.
        DTypeError: the carry changes its type.
        DefinitionError: the carry changes its structure, or the length is missing.
    """
    where = user_line()
    if checkpoint is not None and not isinstance(checkpoint, Checkpoint):
        raise DefinitionError(
            f"{where}: checkpoint= takes pa.checkpoint.every(n) or pa.checkpoint.sqrt(), not {checkpoint!r}"
        )
    with LOCK:
        x_paths, x_leaves, x_tree = flatten_with_paths(xs, "xs")
        inputs = [as_tensor(x, p) for p, x in zip(x_paths, x_leaves, strict=True)]
        n = _length(inputs, x_paths, length, where)
        c_paths, c_leaves, c_tree = flatten_with_paths(init, "init")
        first = [as_tensor(c, p) for p, c in zip(c_paths, c_leaves, strict=True)]
        dtypes = [c.dtype for c in first]
        for _ in range(3):  # a weak or narrower initial value takes the type its step gives it
            frame = _frame(first, dtypes, c_paths, n, reverse, where)
            with opened(frame.time):
                carry, ys = _trace(step, frame, first, dtypes, c_tree, inputs, x_tree, where)
                new = _match_carry(carry, first, c_tree, c_paths, where)
            wanted = [_carry_type(a, old, b) for a, old, b in zip(first, dtypes, new, strict=True)]
            if wanted == dtypes:
                break
            dtypes = wanted
        else:
            raise DTypeError(f"{where}: the types of the carry do not settle: {', '.join(dtypes)}")
        _define_states(frame, first, dtypes, new, where)
        symbols = _view_symbols(frame)
        final = [
            Tensor(frame.definition, k, c.shape_affine, d, (*frame.outer, frame.last), symbols)
            for k, c, d in zip(frame.keys, first, dtypes, strict=True)
        ]
        y_leaves, y_tree = flatten(ys)
        stacked = [_stack(as_tensor(y, "ys"), frame) for y in y_leaves]
        return unflatten(c_tree, list(final)), unflatten(y_tree, list(stacked))


def _length(inputs: Sequence[Tensor], paths: Sequence[str], length: Any, where: str) -> IndexExpr:
    given = None if length is None else as_index(length, "length")
    if given is not None and given.affine.is_constant and given.affine.constant < 0:
        raise ShapeError(f"{where}: scan length {given} is negative")
    for x, path in zip(inputs, paths, strict=True):
        if not x.ndim:
            raise ShapeError(f"{where}: {path} ({x.name}) has no leading dimension to scan over")
        leading = IndexExpr(x.shape_affine[0], x.size_symbols())
        if given is None:
            given = leading
        elif given.affine != leading.affine:
            raise ShapeError(f"{where}: {path} has leading extent {leading}, the scan has {given} steps")
    if given is None:
        raise DefinitionError(f"{where}: scan without xs needs length=")
    return given


def _frame(
    first: Sequence[Tensor], dtypes: Sequence[str], paths: Sequence[str], n: IndexExpr, reverse: bool, where: str
) -> _Frame:
    ambient = OPEN_SCANS.get()
    time = Axis(fresh("t"), Affine.of(0), n.affine, "scan", n.symbols, len(ambient))
    keys = tuple(fresh(_state_name(c, p)) for c, p in zip(first, paths, strict=True))
    outer = tuple(a.upper for a in ambient)
    arrays = {
        k: Array(k, (*outer, n.affine + 1, *c.shape_affine), d) for k, c, d in zip(keys, first, dtypes, strict=True)
    }
    return _Frame(time, ambient, n, -1 if reverse else 1, keys, Definition(arrays, (), (), {}, where))


def _state_name(initial: Tensor, path: str) -> str:
    """h for an initial value h0; the key of a dict; else carry."""
    base = initial.name
    if base.endswith("0") and base[:-1].isidentifier():
        return base[:-1].rstrip("_") or "carry"
    tail = path.rpartition("['")[2].removesuffix("']")
    return tail if tail.isidentifier() and tail != path else "carry"


def _view_symbols(frame: _Frame) -> dict[str, Size | Axis]:
    return merge_symbols(frame.definition.symbols, {a.name: a for a in frame.ambient}, frame.length.symbols)


def _trace(
    step: Callable[..., Any],
    frame: _Frame,
    first: Sequence[Tensor],
    dtypes: Sequence[str],
    c_tree: Any,
    inputs: Sequence[Tensor],
    x_tree: Any,
    where: str,
) -> tuple[Any, Any]:
    time = {frame.time.name: frame.time, **{a.name: a for a in frame.ambient}}
    around = merge_symbols(time, frame.length.symbols)
    carry = [
        Tensor(
            frame.definition,
            k,
            c.shape_affine,
            d,
            (*frame.outer, frame.before),
            merge_symbols(around, c.size_symbols()),
            c.weak and c.dtype == d,
        )
        for k, c, d in zip(frame.keys, first, dtypes, strict=True)
    ]
    slices = [
        Tensor(
            x.definition,
            x.array,
            x.shape_affine[1:],
            x.dtype,
            (*x.prefix, frame.now),
            merge_symbols(x.symbols, around),
            x.weak,
        )
        for x in inputs
    ]
    result = step(unflatten(c_tree, list(carry)), unflatten(x_tree, list(slices)))
    if not isinstance(result, tuple) or len(result) != 2:
        raise DefinitionError(
            f"{where}: the step of a scan returns a pair (carry, y); it returned {type(result).__name__}"
        )
    return result


def _match_carry(carry: Any, first: Sequence[Tensor], c_tree: Any, paths: Sequence[str], where: str) -> list[Tensor]:
    leaves, tree = flatten(carry)
    if tree != c_tree:
        raise DefinitionError(
            f"{where}: the step returns a carry of structure {tree}, but init has {c_tree}; they must agree"
        )
    new = [as_tensor(leaf, "carry") for leaf in leaves]
    for a, b, path in zip(first, new, paths, strict=True):
        if a.shape_affine != b.shape_affine:
            raise ShapeError(
                f"{where}: carry {path.replace('init', 'carry', 1)} starts with shape ({', '.join(map(str, a.shape_affine))}) "
                f"and the step returns ({', '.join(map(str, b.shape_affine))}); shapes must not change from step to step"
            )
    return new


def _carry_type(initial: Tensor, assumed: str, returned: Tensor) -> str:
    if returned.dtype == assumed or returned.weak:
        return assumed
    if initial.weak:
        return returned.dtype
    wider = promote(assumed, returned.dtype)
    if wider != returned.dtype:
        return assumed  # the step's value is narrower: converted on the way into the state
    if assumed.startswith("int") and returned.dtype.startswith("float"):
        raise DTypeError(
            f"carry {initial.name} starts as {assumed} and the step returns {returned.dtype}; start it as {returned.dtype}"
        )
    return wider


def _define_states(
    frame: _Frame, first: Sequence[Tensor], dtypes: Sequence[str], new: Sequence[Tensor], where: str
) -> None:
    """The equations state[first] = init and state[after] = new."""
    hint = plain(frame.keys[0]) if frame.keys else "scan"
    pieces = []
    symbols: dict[str, Size | Axis] = merge_symbols(
        {a.name: a for a in (*frame.ambient, frame.time)},
        *(a.symbols for a in (*frame.ambient, frame.time)),
        frame.length.symbols,
    )
    for key, a, b, d in zip(frame.keys, first, new, dtypes, strict=True):
        step = cast_tensor(b, d) if b.dtype != d else b
        start = fresh(f"{plain(key)}_start")
        for value, slot, time, label in ((step, frame.after, (frame.time,), key), (a, frame.first, (), start)):
            axes = [
                Axis(fresh(n), Affine.of(0), e, "compute") for n, e in zip("ijklmnpq", a.shape_affine, strict=False)
            ]
            index = [IndexExpr(Affine.of(x.name), {x.name: x}) for x in axes]
            body = Element(value, tuple(index))
            symbols = merge_symbols(symbols, symbols_of(body), value.size_symbols(), {x.name: x for x in axes})
            pieces.append((key, label, [*frame.ambient, *time, *axes], body, d, slot, axes))
    lowering = Lowering(hint, where, symbols)
    lowering.arrays.update(frame.definition.arrays)
    for key, label, axes, body, d, slot, inner in pieces:
        at = [*frame.outer, slot, *(Affine.of(x.name) for x in inner)]
        lowering.define(key, axes, body, d, at, label=label)
    try:
        done = finish(lowering, frame.keys)
    except PolyadError as error:
        raise retitle(error) from None
    own = frame.definition
    own.arrays, own.statements, own.symbols = done.arrays, done.statements, done.symbols
    own.operands = tuple(d for d in done.operands if d is not own)
    own.scans = (Scan(fresh("scan"), "t", frame.length.affine, frame.direction, frame.keys, where),)


def _stack(y: Tensor, frame: _Frame) -> Tensor:
    """All steps of a tensor of the body, time in front: a view where the array already looks so."""
    if y.prefix == (*frame.outer, frame.now):
        symbols = merge_symbols({n: s for n, s in y.symbols.items() if n != frame.time.name}, frame.length.symbols)
        return Tensor(
            y.definition, y.array, (frame.length.affine, *y.shape_affine), y.dtype, y.prefix[:-1], symbols, y.weak
        )
    at = {frame.time.name: None}

    def body(t: IndexExpr, *index: IndexExpr) -> Element:
        moved = tuple(p.substitute({frame.time.name: t.affine}) for p in y.prefix)
        symbols = merge_symbols({n: s for n, s in y.symbols.items() if n not in at}, t.symbols)
        view = Tensor(y.definition, y.array, y.shape_affine, y.dtype, moved, symbols, y.weak)
        return Element(view, index)

    shape = (frame.length, *(IndexExpr(e, y.size_symbols()) for e in y.shape_affine))
    return define(shape, body, y.name, dims=("t", *"ijklmn"[: y.ndim]))
