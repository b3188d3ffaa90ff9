"""`associative_scan`: all prefixes of an operation, with the meaning of a loop; the schedule is ours."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from polyad.errors import DefinitionError, ShapeError
from polyad.frontend.argument_checks import flag, function, integer
from polyad.frontend.complex_numbers.parts import taken_apart
from polyad.frontend.constants import as_tensor
from polyad.frontend.pytrees import flatten, flatten_with_paths, unflatten
from polyad.frontend.scan import traced_scan
from polyad.frontend.tensor import Tensor, define, user_line
from polyad.islx import LOCK

__all__ = ["associative_scan"]


def associative_scan(fn: Callable[[Any, Any], Any], elems: Any, reverse: bool = False, axis: int = 0) -> Any:
    """All prefixes of elements under an operation, as `jax.lax.associative_scan`.

    Equations: result[0] = elems[0], result[t] = fn(result[t - 1], elems[t]) for t = 1 .. N - 1; with `reverse`
    result[N - 1] = elems[N - 1] and result[t] = fn(result[t + 1], elems[t]). This is the meaning whether or not fn is
    associative: how the loop runs is up to the schedule. One that is linear in one number runs as a prefix scan in
    blocks.

    Args:
        fn: (a, b) -> c, of the structure of `elems`. As in JAX it gets slices of `elems` that keep the axis, here with
            extent 1, so that it may name the axis in an einsum or broadcast along it.
        elems: pytree of tensors whose extents along `axis` are the same number N.
        reverse: run from the last element to the first.
        axis: the dimension of every leaf that is run along.

    Returns:
        A pytree of the structure and shapes of `elems`.

    Raises:
        ShapeError: extents along the axis differ, a leaf lacks the axis, or fn changes a shape; names the leaf.
        DTypeError: fn changes a type.
        DefinitionError: no leaves, or fn changes the structure.

    Example:
        >>> pa.jit(lambda x: pa.associative_scan(pa.maximum, x))(np.array([1.0, 3.0, 2.0, 4.0]))
        array([1., 3., 3., 4.])
    """
    where = user_line()
    function(fn, f"{where}: associative_scan: fn")
    flag(reverse, f"{where}: associative_scan: reverse")
    d = integer(axis, f"{where}: associative_scan: axis")
    with LOCK:
        paths, leaves, tree = flatten_with_paths(taken_apart(elems), "elems")
        given = [as_tensor(x, p) for p, x in zip(paths, leaves, strict=True)]
        if not given:
            raise DefinitionError(f"{where}: associative_scan: elems has no leaves")
        dims = [_dimension(t, d, p, where) for t, p in zip(given, paths, strict=True)]
        extents = [t.shape_affine[n] for t, n in zip(given, dims, strict=True)]
        for extent, path in zip(extents, paths, strict=True):
            if extent != extents[0]:
                raise ShapeError(
                    f"{where}: associative_scan: {path} has extent {extent} along axis {d}, {paths[0]} has {extents[0]}"
                )
        if extents[0].is_constant and extents[0].constant == 0:
            return elems
        front = [_moved(t, n, 0) for t, n in zip(given, dims, strict=True)]
        first = [t[-1] if reverse else t[0] for t in front]
        rest = [t[:-1] if reverse else t[1:] for t in front]

        def step(carry: list[Tensor], x: list[Tensor]) -> tuple[list[Tensor], None]:
            a, b = ([_with_axis(t, n) for t, n in zip(side, dims, strict=True)] for side in (carry, x))
            made, structure = flatten(taken_apart(fn(unflatten(tree, a), unflatten(tree, b))))
            if structure != tree:
                raise DefinitionError(
                    f"{where}: associative_scan: fn returns another structure than its arguments have"
                )
            found = [as_tensor(c, "the result of fn") for c in made]
            for c, like, path in zip(found, a, paths, strict=True):
                if c.shape_affine != like.shape_affine:
                    raise ShapeError(
                        f"{where}: associative_scan: fn makes {path} of shape {like.shape} one of shape {c.shape}; "
                        "it has "
                        "to keep shapes (the axis is there, with extent 1)"
                    )
            return [_without_axis(c, n) for c, n in zip(found, dims, strict=True)], None

        frame = traced_scan(step, first, rest, None, reverse, None, where).frame
        return unflatten(tree, [_moved(t, 0, n) for t, n in zip(frame.slots(), dims, strict=True)])


def _dimension(t: Tensor, axis: int, path: str, where: str) -> int:
    if not -t.ndim <= axis < t.ndim:
        raise ShapeError(f"{where}: associative_scan: {path} ({t.name}) has {t.ndim} dimensions and no axis {axis}")
    return axis % t.ndim


def _moved(t: Tensor, source: int, target: int) -> Tensor:
    """The dimension `source` at the place `target`."""
    if source == target:
        return t
    order = [n for n in range(t.ndim) if n != source]
    order.insert(target, source)
    shape = [t.shape[n] for n in order]
    return define(shape, lambda *i: t.element([i[order.index(n)] for n in range(t.ndim)]), t.name)


def _with_axis(t: Tensor, at: int) -> Tensor:
    shape = (*t.shape[:at], 1, *t.shape[at:])
    return define(shape, lambda *i: t.element([*i[:at], *i[at + 1 :]]), t.name)


def _without_axis(t: Tensor, at: int) -> Tensor:
    shape = (*t.shape[:at], *t.shape[at + 1 :])
    return define(shape, lambda *i: t.element([*i[:at], 0, *i[at:]]), t.name)
