"""`custom_vjp`: functions with a reverse-mode rule of the user's own, as in JAX.

The derivative of `fun` takes bwd(residuals, cotangent). `fwd` runs when a derivative is taken, not before, so it may
call the function itself: that makes another use of it, which has the same rule when it is differentiated in turn.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from polyad.errors import DefinitionError
from polyad.frontend.complex_numbers.parts import conjugated, taken_apart
from polyad.frontend.constants import as_tensor
from polyad.frontend.definition import CustomRule
from polyad.frontend.pytrees import flatten, unflatten
from polyad.frontend.tensor import Tensor
from polyad.frontend.traced.custom_function import Applied, CustomFunction

__all__ = ["CustomVjp", "custom_vjp"]


class CustomVjp(CustomFunction):
    """A function with a derivative rule of the user's own.

    `f(*args)` is `fun(*args)`, on arrays as on tensors; its reverse-mode derivative is
    `bwd(residuals, cotangent) -> cotangents of args`, where `(output, residuals) = fwd(*args)`, set by
    `f.defvjp(fwd, bwd)` as in JAX. The rule is used again when the
    derivative is differentiated. Forward mode (`jvp`, `jacfwd`, `tangent`) is refused; `hessian` takes
    reverse mode twice.

    With several outputs the rule is used for one cotangent at a time, so it has to be linear in them.
    """

    def __init__(self, fun: Callable[..., Any], nondiff_argnums: Sequence[int] = ()):
        super().__init__(fun, nondiff_argnums)
        self.fwd: Callable[..., Any] | None = None
        self.bwd: Callable[..., Any] | None = None

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

    def check(self) -> None:
        """Refuse a call while there is no rule."""
        if self.fwd is None or self.bwd is None:
            raise DefinitionError(
                f"custom_vjp function {self.__name__!r} has no rule: call {self.__name__}.defvjp(fwd, bwd)"
            )

    def rule(self, applied: Applied) -> CustomRule:
        """The rule for one use."""
        fwd, bwd = self.fwd, self.bwd
        assert fwd is not None and bwd is not None
        given, active, cut, out_tree = applied.given, applied.active, applied.outputs, applied.structure

        def residuals() -> Any:
            result = fwd(*given)
            if not isinstance(result, tuple) or len(result) != 2:
                raise DefinitionError(f"custom_vjp {self.__name__!r}: fwd returns a pair (output, residuals)")
            shapes = [as_tensor(o).shape_affine for o in flatten(taken_apart(result[0]))[0]]
            if flatten(taken_apart(result[0]))[1] != out_tree or shapes != [t.shape_affine for t in cut]:
                raise DefinitionError(
                    f"custom_vjp {self.__name__!r}: the output of fwd has another structure or other shapes than "
                    f"that of {self.__name__}; fwd returns (output, residuals)"
                )
            return result[1]

        def backward(kept: Any, cotangents: Sequence[Tensor]) -> list[Any]:
            whole = conjugated(unflatten(out_tree, list(cotangents)))
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

        return CustomRule(applied.inputs, cut, residuals, backward, self.__name__, applied.labels)


def _leaves_like(part: Any, arg: Any, what: str) -> list[Any]:
    leaves, tree = flatten(arg)
    if part is None:
        return [None] * len(leaves)
    given, given_tree = flatten(conjugated(taken_apart(part)))
    if given_tree != tree and len(given) != len(leaves):
        raise DefinitionError(
            f"{what} has {len(given)} leaves, the argument {len(leaves)}; their structures must agree"
        )
    return given


def custom_vjp(fun: Callable[..., Any], nondiff_argnums: Sequence[int] = ()) -> CustomVjp:
    """Give a function a reverse-mode derivative of your own, as `jax.custom_vjp`.

    Args:
        fun: a function of pytrees of tensors.
        nondiff_argnums: positions of arguments that are passed on as they are (flags, functions); first for `bwd`.
    """
    return CustomVjp(fun, nondiff_argnums)
