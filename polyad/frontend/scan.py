"""Scans: a step function folded along the leading axis.

The state of a scan is an array with one slot more than the scan has steps: slot 0 is the initial value, step t reads
slot t and writes slot t + 1 (a reverse scan starts at the last slot and goes down). The body is traced once, at a
symbolic t; what it computes becomes arrays with t as their first dimension, and what does not depend on t stays
outside.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from polyad.errors import DefinitionError, DTypeError, ShapeError
from polyad.frontend.argument_checks import flag, function
from polyad.frontend.checkpoint import Checkpoint
from polyad.frontend.checkpointed_scan import checkpointed_frame, mark_recomputed
from polyad.frontend.complex_numbers.arithmetic import alike
from polyad.frontend.complex_numbers.pair import ComplexTensor
from polyad.frontend.complex_numbers.parts import taken_apart, whole_leaves
from polyad.frontend.constants import as_tensor
from polyad.frontend.control.lengths import checked_lengths
from polyad.frontend.definition import serial_number
from polyad.frontend.naming.local_names import with_local_names
from polyad.frontend.naming.output_names import output_names
from polyad.frontend.pytrees import flatten, flatten_with_paths, unflatten
from polyad.frontend.scalar import IndexExpr, as_index
from polyad.frontend.scan_frame import UNNAMED, ScanFrame, plain_frame
from polyad.frontend.tensor import OPEN_SCANS, Tensor, cast_tensor, opened, user_line
from polyad.frontend.weak import Kind, common_kind
from polyad.ir.element_types import is_integer
from polyad.islx import LOCK
from polyad.ops.registry import promote

__all__ = ["TracedScan", "scan", "traced_scan"]


def scan(
    step: Callable[..., Any],
    init: Any,
    xs: Any = None,
    length: Any = None,
    reverse: bool = False,
    checkpoint: Checkpoint | None = None,
    *,
    lengths: Any = None,
) -> tuple[Any, Any]:
    """Fold a step function along the leading axis, as `jax.lax.scan`.

    Equations, for t = 0 .. N - 1 (downwards when `reverse`): carry[t + 1], ys[t] = step(carry[t], xs[t]). With
    `lengths`, example b has the steps t < lengths[b]: in others its carry stays as it is, its ys are 0, and what the
    step sees of its xs is 0, so that neither values nor derivatives depend on what stands there.

    Args:
        step: (carry, x_t) -> (carry, y_t); pytrees of tensors without the time dimension. Traced once.
        init: the first carry; its structure, shapes and types are those of every carry.
        xs: pytree of tensors with a common leading extent N, or None.
        length: N, needed when xs is None.
        reverse: run from the last step to the first; ys keep their places.
        checkpoint: which states the backward pass keeps; None keeps all it needs.
        lengths: integers of 0 .. N, one for each example: their shape is that of the first dimensions of every leaf of
            the carry and of ys, and of those leaves of xs, behind time, that have an element for each example.

    Returns:
        (final carry, ys), ys with the time dimension in front.

    Raises:
        ShapeError: leading extents differ, the carry changes its shape, or lengths does not fit; names the leaf.
        DTypeError: the carry changes its type, or lengths are no integers.
        CallError: when run, a length is outside of 0 .. N; names its position and value.
        DefinitionError: the carry changes its structure, the length is missing, or is no number where `checkpoint` asks
            for one, or has more steps than it has a way for.
    """
    where = user_line()
    if checkpoint is not None and not isinstance(checkpoint, Checkpoint):
        raise DefinitionError(
            f"{where}: checkpoint= takes pa.checkpoint.every(n), sqrt() or binomial(slots), not {checkpoint!r}"
        )
    flag(reverse, f"{where}: scan: reverse")
    with LOCK:
        if lengths is not None:
            function(step, "scan: the step")
            x_paths, x_leaves, _ = flatten_with_paths(xs, "xs")
            steps = _length([as_tensor(x, p) for p, x in zip(x_paths, x_leaves, strict=True)], x_paths, length, where)
            examples = checked_lengths(lengths, steps, where)
            step, xs = examples.stopping(step, init), (xs, examples.counted())
        traced = traced_scan(step, init, xs, length, reverse, checkpoint, where)
        y_leaves, y_tree = flatten(taken_apart(traced.ys))
        stacked = [traced.frame.stack(as_tensor(y, "ys")) for y in y_leaves]
        return unflatten(traced.structure, list(traced.frame.finals())), unflatten(y_tree, list(stacked))


@dataclass(frozen=True, slots=True)
class TracedScan:
    """A scan whose body has been traced.

    Attributes:
        frame: its arrays and equations.
        structure: that of the carry.
        ys: what the step returned beside the carry, of one step.
    """

    frame: ScanFrame
    structure: Any
    ys: Any


def traced_scan(
    step: Callable[..., Any],
    init: Any,
    xs: Any,
    length: Any,
    reverse: bool,
    checkpoint: Checkpoint | None,
    where: str,
) -> TracedScan:
    """The arrays of a scan with all their equations; see `scan`."""
    x_paths, x_leaves, x_tree = flatten_with_paths(taken_apart(xs), "xs")
    inputs = [as_tensor(x, p) for p, x in zip(x_paths, x_leaves, strict=True)]
    n = _length(inputs, x_paths, length, where)
    c_paths, c_leaves, c_tree = flatten_with_paths(taken_apart(init), "init")
    first = [as_tensor(c, p) for p, c in zip(c_paths, c_leaves, strict=True)]
    dtypes = [c.dtype for c in first]
    names = [_state_name(c, p) for c, p in zip(first, c_paths, strict=True)]
    for _ in range(3 * len(first) + 1):  # a weak or narrower initial value takes the type its step gives it
        frame = _frame(names, first, dtypes, n, reverse, checkpoint, where)
        with opened(*frame.times):
            carry, ys = _trace(step, frame, c_tree, inputs, x_tree, where)
            new = _match_carry(carry, first, c_tree, c_paths, where)
        wanted = [
            _carry_type(a, old, b, f"{where}: {_carry(p)}")
            for a, old, b, p in zip(first, dtypes, new, c_paths, strict=True)
        ]
        if wanted == dtypes:
            break
        first = [_widened(a, b, d) for a, b, d in zip(first, new, wanted, strict=True)]
        dtypes = wanted
    else:
        raise DTypeError(f"{where}: the types of the carry do not settle: {', '.join(dtypes)}")
    frame.complete(new, where)
    mark_recomputed(frame)
    return TracedScan(frame, c_tree, ys)


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
    names: Sequence[str],
    first: Sequence[Tensor],
    dtypes: Sequence[str],
    n: IndexExpr,
    reverse: bool,
    checkpoint: Checkpoint | None,
    where: str,
) -> ScanFrame:
    ambient = OPEN_SCANS.get()
    direction: Literal[1, -1] = -1 if reverse else 1
    segments = () if checkpoint is None else _segments(checkpoint, n, where)
    if not segments:
        return plain_frame(names, first, dtypes, n, direction, ambient, where)
    return checkpointed_frame(names, first, dtypes, n, direction, ambient, where, segments)


def _segments(checkpoint: Checkpoint, n: IndexExpr, where: str) -> tuple[int, ...]:
    """Steps per segment, by level; () for a scan that keeps all states."""
    if not checkpoint.segments and not n.affine.is_constant:
        raise DefinitionError(
            f"{where}: {checkpoint} needs a length that is a number, this scan has {n} steps; use checkpoint.every(n)"
        )
    try:
        return checkpoint.steps(n.affine.constant)
    except DefinitionError as problem:
        raise DefinitionError(f"{where}: {problem}") from None


def _state_name(initial: Tensor, path: str) -> str:
    """The key or field of the carry; h for an initial value h0; else carry."""
    (key,) = output_names([path.removeprefix("init")])
    base = initial.name
    if key is None and base.endswith("0") and base[:-1].isidentifier():
        return base[:-1].rstrip("_") or UNNAMED
    return key or UNNAMED


def _trace(
    step: Callable[..., Any], frame: ScanFrame, c_tree: Any, inputs: Sequence[Tensor], x_tree: Any, where: str
) -> tuple[Any, Any]:
    slices = [frame.slice(x) for x in inputs]
    carry, x_t = unflatten(c_tree, list(frame.carry())), unflatten(x_tree, list(slices))
    since = min(map(serial_number, frame.definition.arrays), default=None)
    result = with_local_names(function(step, "scan: the step"), carry, x_t, since=since)
    if not isinstance(result, tuple) or len(result) != 2:
        raise DefinitionError(
            f"{where}: the step of a scan returns a pair (carry, y); it returned {type(result).__name__}"
        )
    return result


def _match_carry(carry: Any, first: Sequence[Tensor], c_tree: Any, paths: Sequence[str], where: str) -> list[Tensor]:
    started, carry = alike([unflatten(c_tree, list(first)), carry])
    if flatten(started)[1] != c_tree:
        found = zip(*whole_leaves(carry)[:2], whole_leaves(unflatten(c_tree, list(first)))[1], strict=True)
        path = next(p for p, z, x in found if isinstance(z, ComplexTensor) and not isinstance(x, ComplexTensor))
        raise DTypeError(
            f"{where}: carry{path} starts with real numbers, and the step returns complex ones: start it as complex, "
            "0j, or x.astype('complex64')"
        )
    returned, leaves, tree = flatten_with_paths(carry, "carry")
    if tree != c_tree:
        before = [_carry(p) for p in paths]
        odd = [f"{p} is new" for p in returned if p not in before]
        odd += [f"{p} is missing" for p in before if p not in returned]
        raise DefinitionError(
            f"{where}: the step returns a carry of another structure than init: "
            f"{', '.join(odd) or 'other containers'}; every step has the leaves {', '.join(before) or 'none'}"
        )
    new = [as_tensor(leaf, "carry") for leaf in leaves]
    for a, b, path in zip(first, new, paths, strict=True):
        if a.shape_affine != b.shape_affine:
            starts, after = (f"({', '.join(map(str, t.shape_affine))})" for t in (a, b))
            raise ShapeError(
                f"{where}: {_carry(path)} starts with shape {starts} and the step returns "
                f"{after}; shapes must not change from step to step"
            )
    return new


def _carry(path: str) -> str:
    """A leaf of init, in the carry."""
    return path.replace("init", "carry", 1)


def _carry_type(initial: Tensor, assumed: str, returned: Tensor, whose: str) -> str:
    if returned.dtype == assumed:
        return assumed
    if returned.weak and initial.weak and initial.dtype == assumed:
        return promote(assumed, returned.dtype)
    if returned.weak and not (is_integer(assumed) and "float" in returned.dtype):
        return assumed
    if initial.weak:
        return common_kind([Kind(initial.dtype, "weak"), Kind(returned.dtype, "strong")]).dtype
    wider = promote(assumed, returned.dtype)
    if wider != returned.dtype:
        raise DTypeError(
            f"{whose} starts as {assumed} and the step returns {returned.dtype}; a carry keeps its type: start "
            f"it as {returned.dtype}, or return x.astype({assumed!r})"
        )
    if is_integer(assumed) and "float" in returned.dtype:
        raise DTypeError(
            f"{whose} starts as {assumed} and the step returns {returned.dtype}; start it as {returned.dtype}"
        )
    return wider


def _widened(initial: Tensor, returned: Tensor, dtype: str) -> Tensor:
    """An initial value that gives way, at the type of one that the step returned: 0 where the step adds 0.5."""
    if initial.dtype == dtype or not (initial.weak and returned.weak):
        return initial
    wider: Tensor = cast_tensor(initial, dtype)
    return replace(wider, strength="weak")
