"""`in_axes` and `out_axes`: for each leaf of a structure, the axis along which its examples lie."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from polyad.errors import CallError, ShapeError
from polyad.frontend.argument_checks import integer
from polyad.frontend.pytrees import spread_prefix
from polyad.frontend.scalar import IndexExpr, as_index, described
from polyad.frontend.tensor import Tensor, own_extent

__all__ = ["argument_axes", "checked_axis", "common_extent", "leaf_axes"]


def leaf_axes(axes: Any, tree: Any, what: str) -> list[int | None]:
    """One axis for each leaf of a tree: an integer, or None for one that has no examples.

    Args:
        axes: an integer or None for all leaves, or a structure of them that the tree begins with.
        tree: a pytree.
        what: "in_axes" or "out_axes", with the function's name in front.

    Raises:
        CallError: the structures differ.
        DTypeError: an axis is no integer.
    """
    try:
        spread = spread_prefix(axes, tree)
    except ValueError as problem:
        raise CallError(
            f"{what}={axes!r} is no integer, None, or structure of them that the values begin with: {problem}",
            what.rpartition(" ")[2],
        ) from None
    return [None if a is None else integer(a, f"{what}: an axis") for a in spread]


def argument_axes(
    in_axes: Any, args: tuple[Any, ...], kwargs: dict[str, Any], what: str, counted: bool = False
) -> list[int | None]:
    """One axis for each leaf of (args, kwargs); keyword arguments have their examples along axis 0.

    Args:
        in_axes: as in `vmap`.
        args: positional arguments.
        kwargs: those by keyword.
        what: the function, for messages.
        counted: the number of examples is known without them.

    Raises:
        CallError: in_axes is of another length or structure than the arguments, or none of them has examples.
        DTypeError: an axis is no integer.
    """
    if isinstance(in_axes, tuple | list):
        if len(in_axes) != len(args):
            raise CallError(
                f"{what}: in_axes has {len(in_axes)} entries, the call {len(args)} positional arguments; give one for "
                "each, or an integer for all",
                "in_axes",
            )
        in_axes = tuple(in_axes)
    elif not (in_axes is None or isinstance(in_axes, int)):
        raise CallError(f"{what}: in_axes is an integer, None or a tuple, not {described(in_axes)}", "in_axes")
    found = [*leaf_axes(in_axes, args, f"{what}: in_axes"), *leaf_axes(0, kwargs, f"{what}: in_axes")]
    if all(a is None for a in found) and not counted:
        raise CallError(
            f"{what}: no argument has examples: in_axes={in_axes!r} has to name an axis of one at least, or axis_size= "
            "to say how many there are",
            "in_axes",
        )
    return found


def checked_axis(axis: int, rank: int, shape: Any, what: str) -> int:
    """The axis counted from the front.

    Raises:
        ShapeError: there is no such axis among `rank`.
    """
    if not -rank <= axis < rank:
        raise ShapeError(f"{what} has shape {shape}: it has no axis {axis} for the examples")
    return axis % rank


def common_extent(tensors: Sequence[tuple[str, Tensor, int]], what: str, size: Any = None) -> IndexExpr:
    """The number of examples.

    Args:
        tensors: (path, tensor, axis of its examples).
        what: the function, for the message.
        size: their number, where the caller says it; without, there is a tensor.

    Raises:
        ShapeError: two tensors have different numbers of examples, or another one than was said; names both.
        DTypeError: size is no integer.
    """
    said = None if size is None else as_index(size, f"{what}: axis_size")
    if said is not None and said.affine.is_constant and said.affine.constant < 0:
        raise ShapeError(f"{what}: axis_size is {said}, and no number of examples is negative")
    if not tensors:
        assert said is not None, "argument_axes has seen to it"
        return said
    first, t, axis = tensors[0]
    extent = t.shape_affine[axis]
    if said is not None and said.affine != extent:
        raise ShapeError(
            f"{what}: {first} has {extent} examples (axis {axis} of shape {t.shape}), and axis_size={said}; leave it "
            "out where an argument says it"
        )
    for path, other, along in tensors[1:]:
        found = other.shape_affine[along]
        if found != extent:
            raise ShapeError(
                f"{what}: {first} has {extent} examples (axis {axis} of shape {t.shape}) and {path} has {found} (axis "
                f"{along} of shape {other.shape}); all arguments have the same number, None in in_axes is for those "
                "without"
            )
    return own_extent(extent, t.size_symbols())
