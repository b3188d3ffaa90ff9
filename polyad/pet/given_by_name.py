"""Arguments by the names of C parameters: as long as the loop nest reaches, and those that are made of others."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

import numpy as np

from polyad.errors import CallError
from polyad.pet.prototype import Function, Parameter
from polyad.runtime.given_sizes import size_value

__all__ = ["as_long", "check_structs", "derived_of", "with_the_rest"]


def derived_of(name: str, function: Function, given: Mapping[str, Any], asked: Collection[str]) -> dict[str, int]:
    """The parameters that are made of others, and that nobody gives.

    Args:
        name: of what is called, for messages.
        function: the C function.
        given: what it is called with.
        asked: the parameters that matter.

    Raises:
        CallError: a number is missing, or is no multiple of what was said to divide it.
    """
    found: dict[str, int] = {}
    for p in function.parameters:
        if p.derived is None or p.name not in asked or p.name in given:
            continue
        missing = [n for n in p.derived.names if n not in given]
        if missing and p.derived.op == "*":
            continue  # arrays say it
        if missing:
            raise CallError(f"{name}: {missing[0]} is missing; {p.name} is {p.derived}", missing[0])
        numbers = {n: size_value(name, n, given[n]) for n in p.derived.names}
        value = p.derived.value(numbers)
        if value is None:
            dividend, divisor = p.derived.of
            sentence = (
                f"{name}: {dividend} is {numbers[dividend]} and {divisor} is {numbers[divisor]}, but {dividend} was "
                f"said to be a multiple of {divisor} when the C file was read"
            )
            raise CallError(sentence, dividend)
        found[p.name] = value
    return found


def check_structs(name: str, function: Function, given: Mapping[str, Any]) -> None:
    """Refuse structs: their members are given by names of their own.

    Raises:
        CallError: one is given.
    """
    for struct in function.flattened.structs.values():
        if struct.name in given and struct.name not in struct.members:
            members = ", ".join(f"{n} for {text}" for n, text in struct.members.items()) or "none"
            raise CallError(
                f"{name}: {struct.name} is a struct; give the members that are used: {members}", struct.name
            )


def as_long(array: Any, shape: tuple[int, ...], parameter: Parameter) -> Any:
    """The elements that a loop nest reaches; an array with linear subscripts may be given with one dimension."""
    if parameter.flat and np.ndim(array) == 1 < len(shape):
        count = int(np.prod(shape))
        array = array[:count] if not parameter.shape[0] else array
        return np.reshape(array, shape) if len(array) == count else array
    if np.ndim(array) != len(shape):
        return array
    return array[tuple(slice(None) if e else slice(n) for e, n in zip(parameter.shape, shape, strict=True))]


def with_the_rest(result: Any, given: Any, of: Any) -> Any:
    """A result as long as the array that was given for it, or as the one that it is the derivative of."""
    known = of if given is None else given
    if np.ndim(known) != np.ndim(result) or all(m <= n for m, n in zip(np.shape(known), result.shape, strict=True)):
        return result
    rest = np.zeros_like(known, result.dtype) if given is None else np.array(known, result.dtype)
    rest[tuple(map(slice, result.shape))] = result
    return rest
