"""Rules that make functions of real tensors functions of complex ones, each a line above the function.

@each_part            linear, or a move of elements: the same is done to both parts
@product              linear in each factor: (a + b i) (c + d i), with the function as product
@of_truth             asks which elements are not 0
@of_type              makes tensors of a type that is named
"""

from __future__ import annotations

import inspect
from collections import OrderedDict
from collections.abc import Callable, Mapping
from functools import partial, wraps
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

Given = Mapping[str, Any]
"""Arguments of a call by their names."""

Rule = Callable[[Given, Callable[[Given], Any]], Any]
"""(arguments, the function of real tensors, which takes arguments by name) -> the result."""


def each_part(*names: str) -> Callable[[F], F]:
    """A function that is linear in the parameters of these names together, or moves their elements.

    Equation: f(a + i b) = f(a) + i f(b); the imaginary part of an argument that is real is 0.
    """

    def both(given: Given, function: Callable[[Given], Any]) -> Any:
        results = [
            function({**given, **{n: _half(given[n], part) for n in names if given.get(n) is not None}})
            for part in (0, 1)
        ]
        real, structure = flatten(results[0])
        return unflatten(structure, [pair(a, b) for a, b in zip(real, flatten(results[1])[0], strict=True)])

    return partial(_with, both)


def _half(value: Any, part: int) -> Any:
    """One part of an argument, of each item where it is a list of tensors."""
    if isinstance(value, list | tuple) and (any(hasattr(v, "ndim") for v in value) or not is_complex(value)):
        return [_half(v, part) for v in value]
    real, imag = parts(value) if is_complex(value) else (value, None)
    return real if part == 0 else _zero(real) if imag is None else imag


def _zero(value: Any) -> Any:
    """Zeros like a real argument."""
    t = parts(value)[0]
    if not isinstance(t, Tensor):
        return 0.0
    return define(t.shape, lambda *_: Number(0), "zeros", t.dtype, along=OPEN_SCANS.get() if t.scan_axes() else ())


def product(*names: str) -> Callable[[F], F]:
    """A function that is linear in each of some parameters, or in each argument that a parameter with a star takes.

    Equation: f(a + i b, c + i d) = f(a, c) - f(b, d) + i (f(a, d) + f(b, c)), and so on for more factors.
    """

    def expanded(given: Given, function: Callable[[Given], Any]) -> Any:
        known = [n for n in names if n in given]
        several = [given[n] if isinstance(given[n], tuple) else (given[n],) for n in known]
        factors = [parts(x) for group in several for x in group]
        total: list[Any] = [None, None]
        for powers in combinations(*([0] if imag is None else [0, 1] for _, imag in factors)):
            chosen = iter([factor[k] for factor, k in zip(factors, powers, strict=True)])
            own = {
                n: tuple(next(chosen) for _ in given[n]) if isinstance(given[n], tuple) else next(chosen) for n in known
            }
            term, turns = function({**given, **own}), sum(powers) % 4
            before = total[turns % 2]
            if before is not None:
                term = elementwise("sub" if turns >= 2 else "add", before, term)
            elif turns >= 2:
                term = elementwise("neg", term)
            total[turns % 2] = term
        return pair(*total)

    return partial(_with, expanded)


def of_truth(name: str) -> Callable[[F], F]:
    """A function that asks which elements of a parameter are not 0."""

    def asked(given: Given, function: Callable[[Given], Any]) -> Any:
        real, imag = (elementwise("ne", p, Number(0.0)) for p in parts(given[name]))
        return function({**given, name: elementwise("or", real, imag)})

    return partial(_with, asked)


def of_type(*names: str) -> Callable[[F], F]:
    """A function that makes tensors of an element type `dtype`, which may be complex, of the values of some parameters.

    Raises:
        DTypeError: values are complex and the type is not.
    """

    def made(function: F) -> F:
        each = each_part(*names)(function)
        signature = inspect.signature(function)

        @wraps(function)
        def call(*args: Any, **kwargs: Any) -> Any:
            given = signature.bind(*args, **kwargs).arguments
            dtype = given.get("dtype")
            part = part_type(dtype)
            if part is not None:
                return cast_complex(each(**{**given, "dtype": part}), part)
            result = each(*args, **kwargs)
            if dtype is not None and isinstance(result, ComplexTensor):
                raise DTypeError(
                    f"{user_line()}: {function.__name__}: complex values do not become {dtype}: take .real, .imag or "
                    "abs() of them"
                )
            return result

        return cast(F, call)

    return made


def _with(rule: Rule, function: F) -> F:
    """The function, or the rule where an argument is complex."""
    signature = inspect.signature(function)

    def by_name(given: Given) -> Any:
        bound = inspect.BoundArguments(signature, OrderedDict(given))
        return function(*bound.args, **bound.kwargs)

    @wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        if any(map(is_complex, args)) or any(map(is_complex, kwargs.values())):
            return rule(signature.bind(*args, **kwargs).arguments, by_name)
        return function(*args, **kwargs)

    return cast(F, call)
