"""Checking what is asked of differentiation, before anything is built."""

from __future__ import annotations

from polyad.ad.directions import Directions
from polyad.errors import DifferentiationError, NotDifferentiableError
from polyad.ir.array import Array
from polyad.ir.program import Program

__all__ = ["check_seed", "check_variable", "require_array"]


def require_array(program: Program, name: str) -> Array:
    """The array of that name.

    Raises:
        DifferentiationError: there is none.
    """
    if name not in program.arrays:
        raise DifferentiationError(
            f"program {program.name!r} has no array {name!r} to differentiate; it has {', '.join(program.arrays)}"
        )
    return program.arrays[name]


def check_variable(program: Program, name: str) -> None:
    """An array can be differentiated, or by.

    Raises:
        DifferentiationError: there is no such array.
        NotDifferentiableError: its elements are integers.
    """
    array = require_array(program, name)
    if "float" not in array.dtype:
        raise NotDifferentiableError(
            f"{array} has no derivative: its elements are integers; convert with cast to a floating point type before "
            "differentiating, or leave it out"
        )


def check_seed(program: Program, name: str, seed: str | None, directions: Directions, what: str) -> None:
    """A cotangent or tangent fits its array.

    Args:
        program: the primal.
        name: the array that is differentiated (or differentiated by).
        seed: the array that holds the seed, or None for ones (the identity where there are directions).
        directions: extents of the leading dimensions.
        what: "cotangent" or "tangent", for the message.

    Raises:
        DifferentiationError: an array is missing or the shapes differ.
        NotDifferentiableError: the array holds integers.
    """
    check_variable(program, name)
    array = program.arrays[name]
    if seed is None:
        if directions and directions != array.shape:
            raise DifferentiationError(
                f"the identity as {what} of {array} needs directions of its shape, not "
                f"[{', '.join(map(str, directions))}]"
            )
        return
    given = require_array(program, seed)
    expected = (*directions, *array.shape)
    if given.shape != expected or "float" not in given.dtype:
        raise DifferentiationError(
            f"the {what} of {array} has to be a floating point array of shape [{', '.join(map(str, expected))}]; "
            f"{given} was given"
        )
