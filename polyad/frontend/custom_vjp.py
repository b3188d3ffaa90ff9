"""`custom_vjp`: functions with a reverse-mode rule of the user's own, as in JAX.

    given[t...] = argument          a copy along all open scans, so that a step's rule speaks of that step
    custom[t...] = fun(given)       a copy that derivatives do not pass: they take bwd(residuals, cotangent) instead

`fwd` runs when a derivative is taken, not before, so it may call the function itself: that makes another `custom`,
which has the same rule when it is differentiated in turn.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from typing import Any

from polyad.errors import CallError, DefinitionError
from polyad.frontend.argument_checks import integer, several
from polyad.frontend.constants import as_tensor
from polyad.frontend.definition import CustomRule
from polyad.frontend.functions import TracedFunction, runs_at_once
from polyad.frontend.pytrees import flatten, flatten_with_paths, unflatten
from polyad.frontend.tensor import Tensor, copied

__all__ = ["CustomVjp", "custom_vjp"]

_MOST_TRACED = 64
"""Traces that a function keeps, one for each combination of arguments that are passed on as they are."""


class CustomVjp:
    """A function with a derivative rule of the user's own.

    `f(*args)` is `fun(*args)`, on arrays as on tensors; its reverse-mode derivative is
    `bwd(residuals, cotangent) -> cotangents of args`, where `(output, residuals) = fwd(*args)`, set by
    `f.defvjp(fwd, bwd)` as in JAX. The rule is used again when the
    derivative is differentiated. Forward mode (`jvp`, `jacfwd`, `tangent`) is refused; `hessian` takes
    reverse mode twice.

    With several outputs the rule is used for one cotangent at a time, so it has to be linear in them.
    """

    def __init__(self, fun: Callable[..., Any], nondiff_argnums: Sequence[int] = ()):
        self.fun = fun
        self.nondiff = tuple(integer(n, "nondiff_argnums") for n in several(nondiff_argnums, "nondiff_argnums"))
        self.fwd: Callable[..., Any] | None = None
        self.bwd: Callable[..., Any] | None = None
        self.traced: dict[Any, TracedFunction] = {}
        self.__name__ = getattr(fun, "__name__", "custom")
        self.__doc__ = fun.__doc__
        self.__wrapped__ = fun

    def __repr__(self) -> str:
        return f"<custom_vjp function {self.__name__}>"

    def defvjp(self, fwd: Callable[..., Any], bwd: Callable[..., Any]) -> None:
        """Set the rule.

        Args:
            fwd: args -> (output, residuals).
            bwd: (residuals, cotangent of the output) -> tuple of cotangents, one per argument; the arguments of
                `nondiff_argnums` come first and get no cotangent.
        """
        self.fwd, self.bwd = fwd, bwd

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """The value of `fun(*args)`, with the rule attached."""
        if self.fwd is None or self.bwd is None:
            raise DefinitionError(
                f"custom_vjp function {self.__name__!r} has no rule: call {self.__name__}.defvjp(fwd, bwd)"
            )
        given = self._bound(args, kwargs)
        active = [n for n in range(len(given)) if n not in self.nondiff]
        leaves = flatten([given[n] for n in active])[0]
        if leaves and runs_at_once(leaves):
            return self._on_arrays(given, active)
        return self._on_tensors(self.fwd, self.bwd, given, active)

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

    def _on_tensors(
        self, fwd: Callable[..., Any], bwd: Callable[..., Any], given: list[Any], active: Sequence[int]
    ) -> Any:
        """Its definition, with the rule attached."""
        paths, leaves, tree = flatten_with_paths([given[n] for n in active], "args")
        labels = [_label(p, active) for p in paths]
        inputs = [_copy(as_tensor(x, p), "given") for x, p in zip(leaves, labels, strict=True)]
        for n, value in zip(active, unflatten(tree, list(inputs)), strict=True):
            given[n] = value
        outputs, out_tree = flatten(self.fun(*given))
        cut = [_copy(as_tensor(o, self.__name__), "custom") for o in outputs]

        def residuals() -> Any:
            result = fwd(*given)
            if not isinstance(result, tuple) or len(result) != 2:
                raise DefinitionError(f"custom_vjp {self.__name__!r}: fwd returns a pair (output, residuals)")
            shapes = [as_tensor(o).shape_affine for o in flatten(result[0])[0]]
            if flatten(result[0])[1] != out_tree or shapes != [t.shape_affine for t in cut]:
                raise DefinitionError(
                    f"custom_vjp {self.__name__!r}: the output of fwd has another structure or other shapes than "
                    f"that of {self.__name__}; fwd returns (output, residuals)"
                )
            return result[1]

        def backward(kept: Any, cotangents: Sequence[Tensor]) -> list[Any]:
            whole = unflatten(out_tree, list(cotangents))
            found = bwd(*(given[n] for n in self.nondiff), kept, whole)
            if isinstance(found, list):
                found = tuple(found)
            if not isinstance(found, tuple) or len(found) != len(active):
                raise DefinitionError(
                    f"custom_vjp {self.__name__!r}: bwd returns a tuple of {len(active)} cotangents, one per argument"
                )
            return [
                leaf
                for n, part in zip(active, found, strict=True)
                for leaf in _leaves_like(part, given[n], f"custom_vjp {self.__name__!r}: bwd's cotangent of args[{n}]")
            ]

        rule = CustomRule(tuple(inputs), tuple(cut), residuals, backward, self.__name__, tuple(labels))
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


def _leaves_like(part: Any, arg: Any, what: str) -> list[Any]:
    leaves, tree = flatten(arg)
    if part is None:
        return [None] * len(leaves)
    given, given_tree = flatten(part)
    if given_tree != tree and len(given) != len(leaves):
        raise DefinitionError(
            f"{what} has {len(given)} leaves, the argument {len(leaves)}; their structures must agree"
        )
    return given


def _copy(t: Tensor, suffix: str) -> Tensor:
    return copied(t, f"{t.name}_{suffix}")


def custom_vjp(fun: Callable[..., Any], nondiff_argnums: Sequence[int] = ()) -> CustomVjp:
    """Give a function a reverse-mode derivative of your own, as `jax.custom_vjp`.

    Args:
        fun: a function of pytrees of tensors.
        nondiff_argnums: positions of arguments that are passed on as they are (flags, functions); first for `bwd`.
    """
    return CustomVjp(fun, nondiff_argnums)
