"""Rules that make functions of real tensors functions of complex ones, each a line above the function.

@each_part            linear, or a move of elements: the same is done to both parts
@product              linear in each factor: (a + b i) (c + d i), with the function as product
@of_truth             asks which elements are not 0
@of_type              makes tensors of a type that is named
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from functools import wraps
from itertools import product as combinations
from typing import Any, TypeVar, cast

from polyad.errors import DTypeError
from polyad.frontend.complex_numbers.arithmetic import cast_complex, pair
from polyad.frontend.complex_numbers.pair import ComplexTensor
from polyad.frontend.complex_numbers.parts import is_complex, part_type, parts
from polyad.frontend.pytrees import flatten, unflatten
from polyad.frontend.scalar import Number
from polyad.frontend.tensor import OPEN_SCANS, Tensor, define, elementwise, user_line

__all__ = ["each_part", "of_truth", "of_type", "product"]

F = TypeVar("F", bound=Callable[..., Any])


def each_part(*names: str) -> Callable[[F], F]:
    """A function that is linear in the parameters of these names together, or moves their elements.

    Equation: f(a + i b) = f(a) + i f(b); the imaginary part of an argument that is real is 0.
    """

    def made(function: F) -> F:
        position = _positions(function, names)

        def both(args: list[Any], kwargs: dict[str, Any]) -> Any:
            results = []
            for part in (0, 1):
                named = {k: _half(v, part) if k in names else v for k, v in kwargs.items()}
                own = [_half(a, part) if n in position else a for n, a in enumerate(args)]
                results.append(function(*own, **named))
            real, structure = flatten(results[0])
            imag = flatten(results[1])[0]
            return unflatten(structure, [pair(a, b) for a, b in zip(real, imag, strict=True)])

        return _with(function, names, position, both)

    return made


def _half(value: Any, part: int) -> Any:
    """One part of an argument, of each item where it is a list of tensors."""
    if isinstance(value, list | tuple) and any(hasattr(v, "ndim") for v in value):
        return [_half(v, part) for v in value]
    real, imag = parts(value) if is_complex(value) else (value, None)
    return real if part == 0 else _zero(real) if imag is None else imag


def _zero(value: Any) -> Any:
    """Zeros like a real argument."""
    if isinstance(value, list | tuple):
        return [_zero(v) for v in value]
    t = parts(value)[0]
    if not isinstance(t, Tensor):
        return 0.0
    return define(t.shape, lambda *_: Number(0), "zeros", t.dtype, along=OPEN_SCANS.get() if t.scan_axes() else ())


def product(*names: str) -> Callable[[F], F]:
    """A function that is linear in each of some parameters; a name with a star takes all arguments from there on.

    Equation: f(a + i b, c + i d) = f(a, c) - f(b, d) + i (f(a, d) + f(b, c)), and so on for more factors.
    """

    def made(function: F) -> F:
        plain = [n.lstrip("*") for n in names]
        position = _positions(function, plain)
        many = any(n.startswith("*") for n in names)

        def expanded(args: list[Any], kwargs: dict[str, Any]) -> Any:
            places = range(position[0], len(args)) if many else position
            factors: list[tuple[Any, list[Any]]] = [(n, list(parts(args[n]))) for n in places if n < len(args)]
            factors += [(k, list(parts(kwargs[k]))) for k in plain if k in kwargs]
            total: list[Any] = [None, None]
            for powers in combinations(*([0] if p[1] is None else [0, 1] for _, p in factors)):
                some, named = list(args), dict(kwargs)
                for (key, p), k in zip(factors, powers, strict=True):
                    (named if isinstance(key, str) else some)[key] = p[k]
                term, turns = function(*some, **named), sum(powers) % 4
                if total[turns % 2] is None:
                    total[turns % 2] = elementwise("neg", term) if turns >= 2 else term
                else:
                    total[turns % 2] = elementwise("sub" if turns >= 2 else "add", total[turns % 2], term)
            return pair(*total)

        return _with(function, plain, range(position[0], 64) if many else position, expanded)

    return made


def of_type(*names: str) -> Callable[[F], F]:
    """A function that makes tensors of an element type `dtype`, which may be complex, of the values of some parameters.

    Raises:
        DTypeError: values are complex and the type is not.
    """

    def made(function: F) -> F:
        each = each_part(*names)(function)
        (place,) = _positions(function, ["dtype"])

        @wraps(function)
        def call(*args: Any, **kwargs: Any) -> Any:
            dtype = args[place] if place < len(args) else kwargs.get("dtype")
            part = part_type(dtype)
            if part is None:
                result = each(*args, **kwargs)
                if dtype is not None and isinstance(result, ComplexTensor):
                    raise DTypeError(
                        f"{user_line()}: {function.__name__}: complex values do not become {dtype}: take .real, .imag "
                        "or abs() of them"
                    )
                return result
            if place < len(args):
                return cast_complex(each(*args[:place], part, *args[place + 1 :], **kwargs), part)
            return cast_complex(each(*args, **kwargs | {"dtype": part}), part)

        return cast(F, call)

    return made


def of_truth(*names: str) -> Callable[[F], F]:
    """A function that asks which elements are not 0."""

    def made(function: F) -> F:
        position = _positions(function, names)

        def asked(args: list[Any], kwargs: dict[str, Any]) -> Any:
            own = [_nonzero(a) if n in position else a for n, a in enumerate(args)]
            return function(*own, **{k: _nonzero(v) if k in names else v for k, v in kwargs.items()})

        return _with(function, names, position, asked)

    return made


def _nonzero(value: Any) -> Any:
    if not is_complex(value):
        return value
    real, imag = (elementwise("ne", p, Number(0.0)) for p in parts(value))
    return elementwise("or", real, imag)


def _positions(function: Callable[..., Any], names: Sequence[str]) -> list[int]:
    parameters = list(inspect.signature(function).parameters)
    return [parameters.index(n) for n in names]


def _with(
    function: F, names: Sequence[str], positions: Sequence[int], rule: Callable[[list[Any], dict[str, Any]], Any]
) -> F:
    """The function, or the rule where one of these arguments is complex."""

    @wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        if any(is_complex(args[n]) for n in positions if n < len(args)) or any(
            k in names and is_complex(v) for k, v in kwargs.items()
        ):
            return rule(list(args), kwargs)
        return function(*args, **kwargs)

    return cast(F, call)
