"""Arguments and results of functions that are differentiated: their leaves as tensors, and back.

A complex leaf is two real ones. What JAX calls the gradient by z = x + i y, df/dx - i df/dy, and the cotangent of a
complex result are the conjugates of what pairs of real numbers have: they are conjugated here, on the way in and out.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from polyad.errors import CallError, DTypeError, NotDifferentiableError, ShapeError
from polyad.frontend.complex_numbers.pair import ComplexTensor
from polyad.frontend.complex_numbers.parts import conjugated, is_complex, taken_apart
from polyad.frontend.constants import as_tensor
from polyad.frontend.functions import argument_list
from polyad.frontend.pytrees import flatten, flatten_whole, flatten_with_paths, unflatten
from polyad.frontend.tensor import OPEN_SCANS, Tensor, cast_tensor, copied

__all__ = [
    "all_complex",
    "as_tensors",
    "leaves_of",
    "like",
    "of_this_step",
    "real_leaves",
    "rebuilt",
    "scalar_output",
    "separate_at",
]

Argnums = int | Sequence[int]


def scalar_output(value: Any, what: str) -> Tensor:
    """The one real number that is differentiated.

    Raises:
        NotDifferentiableError, ShapeError: something else.
    """
    if isinstance(value, ComplexTensor):
        raise NotDifferentiableError(
            f"{what} needs a function that returns a real number, it returned a complex one: take abs(), .real or "
            ".imag of it; holomorphic=True takes the derivative by z, where the function has one; pa.vjp takes any"
        )
    if not isinstance(value, Tensor):
        leaves = flatten(value)[0]
        if len(leaves) != 1 or not isinstance(value, Tensor | float | int | np.generic):
            raise NotDifferentiableError(
                f"{what} needs a function that returns one number, it returned {type(value).__name__}"
            )
    loss = of_this_step(as_tensor(value))
    if loss.ndim:
        raise ShapeError(
            f"{what} needs a function that returns a scalar, it returned shape {loss.shape}; use pa.jacrev, or sum it"
        )
    if "float" not in loss.dtype:
        raise NotDifferentiableError(f"{what} needs a function that returns a float, it returned {loss.dtype}")
    return loss


def leaves_of(args: Sequence[Any], numbers: Sequence[int]) -> tuple[list[Tensor], list[Any]]:
    """The leaves of the chosen arguments as tensors, and their structures."""
    found: list[Tensor] = []
    structures = []
    for n in numbers:
        paths, leaves, structure = flatten_with_paths(args[n], f"args[{n}]")
        for path, leaf in zip(paths, leaves, strict=True):
            t = as_tensor(leaf, path)
            if "float" not in t.dtype:
                raise NotDifferentiableError(f"{path} is of type {t.dtype}; derivatives need floating-point arguments")
            found.append(t)
        structures.append((structure, len(leaves)))
    return found, structures


def rebuilt(flat: Sequence[Any], structures: Sequence[Any], single: bool, conjugates: bool = True) -> Any:
    """The gradients in the structures of the arguments, conjugated where these are complex; tangents are not."""
    trees, at = [], 0
    for structure, count in structures:
        tree = unflatten(structure, list(flat[at : at + count]))
        trees.append(conjugated(tree) if conjugates else tree)
        at += count
    return trees[0] if single else tuple(trees)


def as_tensors(tree: Any) -> Any:
    """The same pytree with tensors of the step that is being traced."""
    leaves, structure = flatten(taken_apart(tree))
    return unflatten(structure, [of_this_step(as_tensor(x)) for x in leaves])


def of_this_step(t: Tensor) -> Tensor:
    """A tensor of the step that is being traced: inside of a scan, what is from outside is copied for each step."""
    return t if len(t.scan_axes()) == len(OPEN_SCANS.get()) else copied(t, t.name)


def _separate(tree: Any) -> Any:
    """The same values in tensors that nobody else holds.

    A derivative by an argument is one by its uses *as this argument*: the function may close over the same tensor, or
    be given it twice, and those uses are constants, or other arguments.
    """
    leaves, structure = flatten(tree)
    own = [copied(x, x.name) if isinstance(x, Tensor) and "float" in x.dtype else x for x in leaves]
    return unflatten(structure, own)


def separate_at(argnums: Argnums, what: str) -> Callable[[tuple[Any, ...]], tuple[Any, ...]]:
    """`_separate` for the chosen arguments of a call."""

    def separate(args: tuple[Any, ...]) -> tuple[Any, ...]:
        numbers = argument_list(argnums, len(args), what)
        return tuple(_separate(a) if n in numbers else a for n, a in enumerate(args))

    return separate


def all_complex(args: Any, what: str) -> None:
    """Refuse real arguments of a function that is said to be holomorphic."""
    if not all(isinstance(x, ComplexTensor) for x in flatten_whole(args, ComplexTensor)[1]):
        raise NotDifferentiableError(f"{what} with holomorphic=True needs complex arguments to differentiate by")


def complex_leaves(tree: Any, what: str) -> tuple[list[ComplexTensor], Any]:
    """The leaves of the result of a function that is said to be holomorphic.

    Raises:
        NotDifferentiableError: a real one is there.
    """
    _, leaves, structure = flatten_whole(taken_apart(tree), ComplexTensor)
    if not all(isinstance(x, ComplexTensor) for x in leaves):
        raise NotDifferentiableError(f"{what} with holomorphic=True needs a function that returns complex numbers")
    return leaves, structure


def like(given: Any, tree: Any, primals: Sequence[Tensor], what: str) -> list[Tensor]:
    """The leaves of tangents or cotangents, of the structure, shapes and types of `tree`, whose leaves are `primals`.

    Raises:
        CallError: another structure.
        ShapeError, DTypeError: a leaf of another shape or type; numbers of Python take the type.
    """
    paths, values, structure = flatten_with_paths(taken_apart(given), what)
    expected, _, wanted = flatten_with_paths(tree, what)
    if structure != wanted:
        raise CallError(
            f"{what} has the leaves {', '.join(paths) or 'none'}, expected {', '.join(expected)}: its structure has to "
            f"be that of the {'primals' if what == 'tangent' else 'output'}",
            what,
        )
    leaves = [as_tensor(x, path) for x, path in zip(values, paths, strict=True)]
    for t, p, path in zip(leaves, primals, paths, strict=True):
        if t.shape_affine != p.shape_affine:
            raise ShapeError(f"{path} has shape {t.shape}, expected {p.shape}")
        if t.dtype != p.dtype and not t.weak:
            raise DTypeError(f"{path} is {t.dtype}, expected {p.dtype}; convert it, as by .astype({p.dtype!r})")
    return [cast_tensor(t, p.dtype) if t.dtype != p.dtype else t for t, p in zip(leaves, primals, strict=True)]


def real_leaves(tree: Any, what: str) -> tuple[list[Any], Any]:
    """As `flatten`, of a tree without complex numbers.

    Raises:
        NotDifferentiableError: one is there.
    """
    if any(map(is_complex, flatten_whole(tree, ComplexTensor)[1])):
        raise NotDifferentiableError(
            f"{what} of complex numbers: there is a derivative for each part of an argument and each part of a "
            "result; holomorphic=True takes the one by z, where the function has it; else take it of functions of "
            ".real and .imag, or use pa.vjp and pa.jvp"
        )
    return flatten(tree)
