"""Functions some of whose arguments are no arrays: traced once for each of their values."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from polyad.errors import CallError
from polyad.frontend.argument_checks import integer, several
from polyad.frontend.functions import TracedFunction
from polyad.ir.program import Program
from polyad.targets.target import Target

if TYPE_CHECKING:
    from polyad.kernel import Kernel

__all__ = ["StaticFunction"]

_MOST = 256
"""Values of static arguments that a function keeps traces for."""


class StaticFunction:
    """A function of pytrees of arrays with static arguments, as `jit(static_argnums=, static_argnames=)` makes it.

    Attributes:
        numbers: positions of the static arguments.
        names: their names, where the function has a parameter of that name.
        kernel: the kernel of the most recent call; None before the first.
    """

    def __init__(
        self,
        fun: Callable[..., Any],
        name: str,
        target: str | Target,
        numbers: int | Sequence[int] | None,
        names: str | Sequence[str] | None,
        dynamic_shapes: bool = False,
    ):
        traced = fun if isinstance(fun, TracedFunction | StaticFunction) else TracedFunction(fun, name)
        self.whole = fun
        self.fun: Callable[..., Any] = traced.fun
        self.signature: list[str] = traced.signature
        self.target = target
        self.dynamic_shapes = dynamic_shapes
        self.__name__ = name
        self.__doc__ = fun.__doc__
        self.__wrapped__ = fun
        self.numbers, self.names = _both(numbers, names, self.signature, _most_arguments(fun), name)
        self.made: dict[Any, TracedFunction] = {}
        self.kernel: Kernel | None = None

    def __repr__(self) -> str:
        return f"<polyad function {self.__name__}>"

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Run it, traced for the values of the static arguments."""
        function, args, kwargs = self._for(args, kwargs)
        result = function(*args, **kwargs)
        self.kernel = function.kernel
        return result

    def program(self, *args: Any, **kwargs: Any) -> Program:
        """As `TracedFunction.program`."""
        function, args, kwargs = self._for(args, kwargs)
        return function.program(*args, **kwargs)

    def _for(
        self, args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> tuple[TracedFunction, tuple[Any, ...], dict[str, Any]]:
        """The function of the other arguments, and these."""
        count = len(args)
        fixed = {n % count: args[n] for n in self.numbers if -count <= n < count}
        named = {k: kwargs[k] for k in self.names if k in kwargs}
        others = [n for n in range(count) if n not in fixed]
        rest = {k: v for k, v in kwargs.items() if k not in named}
        values = (
            *((n, type(v), v) for n, v in sorted(fixed.items())),
            *((k, type(v), v) for k, v in sorted(named.items())),
        )
        key = count, values
        try:
            function = self.made.get(key)
        except TypeError:
            place, value = next((n, v) for n, _, v in values if not _hashes(v))
            which = f"args[{place}]" if isinstance(place, int) else place
            raise CallError(
                f"{self.__name__}: static argument {which} is a {type(value).__name__}, which cannot be hashed; pass "
                "a tuple in "
                "place of a list, and arrays as arguments that are not static",
                str(place),
            ) from None
        if function is None:
            whole = self.whole

            def partly(*given: Any, **more: Any) -> Any:
                found = fixed | dict(zip(others, given, strict=True))
                return whole(*(found[n] for n in range(count)), **named, **more)

            names = [self.signature[n] if n < len(self.signature) else f"arg{n}" for n in others]
            function = TracedFunction(partly, self.__name__, self.target, names, dynamic_shapes=self.dynamic_shapes)
            if len(self.made) >= _MOST:
                self.made.clear()
            self.made[key] = function
        return function, tuple(args[n] for n in others), rest


def _hashes(value: Any) -> bool:
    try:
        hash(value)
    except TypeError:
        return False
    return True


def _most_arguments(fun: Callable[..., Any]) -> int | None:
    """The largest number of positional arguments; None where there is no largest, or nobody knows."""
    try:
        parameters = inspect.signature(fun).parameters.values()
    except (TypeError, ValueError):
        return None
    if any(p.kind is p.VAR_POSITIONAL for p in parameters):  # those of a derivative are in its `signature`
        return None
    return sum(p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD) for p in parameters)


def _both(
    numbers: int | Sequence[int] | None,
    names: str | Sequence[str] | None,
    signature: Sequence[str],
    most: int | None,
    what: str,
) -> tuple[tuple[int, ...], tuple[str, ...]]:
    """Positions and names of the same arguments, as far as the signature tells.

    Raises:
        CallError: the function has no such argument.
    """
    given = (
        () if numbers is None else (numbers,) if isinstance(numbers, int) else several(numbers, "jit: static_argnums")
    )
    places = [integer(n, "jit: static_argnums") for n in given]
    words = [] if names is None else [names] if isinstance(names, str) else several(names, "jit: static_argnames")
    for n in places:
        if most is not None and not -most <= n < most:
            raise CallError(f"jit: static_argnums {n} is outside of the {most} arguments of {what}", "static_argnums")
    for w in words:
        if most is not None and w not in signature:
            raise CallError(
                f"jit: static_argnames: {what} has no parameter {w!r}; it has {', '.join(signature)}", "static_argnames"
            )
    known = list(signature if most is None else signature[:most])
    both_places = [*places, *(known.index(w) for w in words if w in known)]
    both_words = [*words, *(known[n] for n in places if known)]
    return tuple(dict.fromkeys(both_places)), tuple(dict.fromkeys(both_words))
