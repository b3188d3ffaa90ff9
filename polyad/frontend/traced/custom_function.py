"""Functions with a derivative rule of the user's own: the part that `custom_vjp` and `custom_jvp` share.

given[t...] = argument          a copy along all open scans, so that a step's rule speaks of that step
custom[t...] = fun(given)       a copy that derivatives do not pass: they take the rule instead
"""

from __future__ import annotations

import inspect
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from polyad.errors import CallError
from polyad.frontend.argument_checks import integer, several
from polyad.frontend.complex_numbers.parts import taken_apart
from polyad.frontend.constants import as_tensor
from polyad.frontend.definition import CustomRule
from polyad.frontend.functions import TracedFunction, runs_at_once
from polyad.frontend.pytrees import flatten, flatten_with_paths, unflatten
from polyad.frontend.tensor import Tensor, copied

__all__ = ["Applied", "CustomFunction"]

_MOST_TRACED = 64
"""Traces that a function keeps, one for each combination of arguments that are passed on as they are."""


@dataclass(frozen=True, slots=True)
class Applied:
    """One use of such a function.

    Attributes:
        given: the arguments, copies of tensors among them.
        active: the positions of those that derivatives are taken by.
        inputs: their leaves.
        outputs: the leaves of the result.
        structure: that of the result.
        labels: the inputs as the user knows them, `args[0]['W']`.
    """

    given: tuple[Any, ...]
    active: tuple[int, ...]
    inputs: tuple[Tensor, ...]
    outputs: tuple[Tensor, ...]
    structure: Any
    labels: tuple[str, ...]


class CustomFunction(ABC):
    """A function whose derivative is a rule; `rule` makes it for one use, `check` says where there is none yet."""

    def __init__(self, fun: Callable[..., Any], nondiff_argnums: Sequence[int] = ()):
        self.fun = fun
        self.nondiff = tuple(integer(n, "nondiff_argnums") for n in several(nondiff_argnums, "nondiff_argnums"))
        self.traced: dict[Any, TracedFunction] = {}
        name = getattr(fun, "__name__", "custom")
        self.__name__ = "custom" if name == "<lambda>" else name
        self.__doc__ = fun.__doc__
        self.__wrapped__ = fun

    @abstractmethod
    def rule(self, applied: Applied) -> CustomRule:
        """The rule for one use."""

    @abstractmethod
    def check(self) -> None:
        """Refuse a call while there is no rule."""

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """The value of `fun(*args)`, with the rule attached."""
        self.check()
        given = self._bound(args, kwargs)
        active = [n for n in range(len(given)) if n not in self.nondiff]
        leaves = flatten([given[n] for n in active])[0]
        if leaves and runs_at_once(leaves):
            return self._on_arrays(given, active)
        return self._on_tensors(given, active)

    def _on_arrays(self, given: Sequence[Any], active: Sequence[int]) -> Any:
        """Trace, compile and run it, once per signature and values of the arguments that are passed on as they are."""
        fixed = {n: given[n] for n in self.nondiff if n < len(given)}
        key: Any = len(given), tuple((n, type(value), value) for n, value in sorted(fixed.items()))
        try:
            function = self.traced.get(key)
        except TypeError:  # one cannot be hashed: traced each time
            function, key = None, None
        if function is None:
            count = len(given)

            def traced(*args: Any) -> Any:
                values = dict(zip(active, args, strict=True)) | fixed
                return self(*(values[n] for n in range(count)))

            parameters = TracedFunction(self.fun, self.__name__).signature
            names = [parameters[n] if n < len(parameters) else f"arg{n}" for n in active]
            function = TracedFunction(traced, self.__name__, signature=names)
            if key is not None:
                if len(self.traced) >= _MOST_TRACED:
                    self.traced.clear()
                self.traced[key] = function
        return function(*(given[n] for n in active))

    def _on_tensors(self, given: list[Any], active: Sequence[int]) -> Any:
        """Its definition, with the rule attached."""
        paths, leaves, tree = flatten_with_paths(taken_apart([given[n] for n in active]), "args")
        labels = [_label(p, active) for p in paths]
        inputs = [_copy(as_tensor(x, p), "given") for x, p in zip(leaves, labels, strict=True)]
        for n, value in zip(active, unflatten(tree, list(inputs)), strict=True):
            given[n] = value
        outputs, out_tree = flatten(taken_apart(self.fun(*given)))
        cut = [_copy(as_tensor(o, self.__name__), "custom") for o in outputs]
        rule = self.rule(Applied(tuple(given), tuple(active), tuple(inputs), tuple(cut), out_tree, tuple(labels)))
        for t in cut:
            t.definition.custom = rule
            t.definition.operands = (*t.definition.operands, *(i.definition for i in inputs))
        return unflatten(out_tree, list(cut))

    def _bound(self, args: Sequence[Any], kwargs: dict[str, Any]) -> list[Any]:
        """The arguments by position."""
        if not kwargs:
            return list(args)
        try:
            bound = inspect.signature(self.fun).bind(*args, **kwargs)
        except (TypeError, ValueError) as problem:
            raise CallError(f"{self.__name__}: {problem}", "kwargs") from None
        bound.apply_defaults()
        if bound.kwargs:
            raise CallError(
                f"{self.__name__}: custom_vjp functions take arguments by position; {min(bound.kwargs)!r} has none",
                min(bound.kwargs),
            )
        return list(bound.args)


def _label(path: str, active: Sequence[int]) -> str:
    """args[1]['W'] for leaf ['W'] of the second differentiable argument, in the numbers of the call."""
    number, bracket, rest = path.removeprefix("args[").partition("]")
    return f"args[{active[int(number)]}{bracket}{rest}"


def _copy(t: Tensor, suffix: str) -> Tensor:
    return copied(t, f"{t.name}_{suffix}")
