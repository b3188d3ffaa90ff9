"""`custom_jvp`: functions with a forward-mode rule of the user's own, as in JAX.

Reverse mode transposes the rule: it is linear in the tangents, so its derivative by them is all that is needed, and it
is found like any other. The rule runs when a derivative is taken, so it may call the function itself.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from polyad.errors import DefinitionError, DTypeError
from polyad.frontend.argument_checks import function
from polyad.frontend.complex_numbers.parts import taken_apart
from polyad.frontend.constants import as_tensor
from polyad.frontend.definition import CustomRule, TensorBase
from polyad.frontend.derivatives import differentiate
from polyad.frontend.extract import reachable
from polyad.frontend.pytrees import flatten, unflatten
from polyad.frontend.scalar import IndexExpr, Number
from polyad.frontend.tensor import OPEN_SCANS, Tensor, define
from polyad.frontend.traced.custom_function import Applied, CustomFunction

__all__ = ["CustomJvp", "custom_jvp"]


class CustomJvp(CustomFunction):
    """A function with a derivative rule of the user's own, for both modes.

    `f(*args)` is `fun(*args)`, on arrays as on tensors. `(output, output_dot) = rule(primals, tangents)`, set by
    `f.defjvp(rule)` as in JAX, is its derivative; the rule is linear in the tangents. Higher derivatives differentiate
    the rule.
    """

    def __init__(self, fun: Callable[..., Any], nondiff_argnums: Sequence[int] = ()):
        super().__init__(fun, nondiff_argnums)
        self.jvp: Callable[..., Any] | None = None

    def __repr__(self) -> str:
        return f"<custom_jvp function {self.__name__}>"

    def defjvp(self, jvp: Callable[..., Any]) -> Callable[..., Any]:
        """Set the rule; a decorator.

        Args:
            jvp: (primals, tangents) -> (output, tangent of the output), two tuples with an entry for each argument;
                the arguments of `nondiff_argnums` come first, each by itself, and have no tangent.
        """
        self.jvp = function(jvp, "defjvp: the rule")
        return jvp

    def defjvps(self, *jvps: Callable[..., Any] | None) -> None:
        """Set the rule argument by argument.

        Args:
            jvps: for each argument (tangent, output, *primals) -> what it adds to the tangent of the output; None
                where it adds nothing.
        """
        rules = [j if j is None else function(j, "defjvps: a rule") for j in jvps]

        def jvp(primals: Sequence[Any], tangents: Sequence[Any]) -> tuple[Any, Any]:
            if len(rules) != len(primals):
                raise DefinitionError(
                    f"custom_jvp {self.__name__!r}: defjvps has {len(rules)} rules for {len(primals)} arguments"
                )
            output = self(*primals)
            parts = [r(t, output, *primals) for r, t in zip(rules, tangents, strict=True) if r is not None]
            leaves, structure = flatten(output)
            columns = [flatten(p)[0] for p in parts]
            total = [sum(column) for column in zip(*columns, strict=True)]
            return output, unflatten(structure, total or [_zeros(as_tensor(x)) for x in leaves])

        self.jvp = jvp

    def check(self) -> None:
        """Refuse a call while there is no rule."""
        if self.jvp is None:
            raise DefinitionError(
                f"custom_jvp function {self.__name__!r} has no rule: call {self.__name__}.defjvp(rule)"
            )

    def rule(self, applied: Applied) -> CustomRule:
        """The rule for one use."""
        jvp = self.jvp
        assert jvp is not None

        def tangent(dots: Sequence[Tensor]) -> list[Tensor]:
            primals = tuple(applied.given[n] for n in applied.active)
            tangents = tuple(unflatten(flatten(primals)[1], list(dots)))
            result = jvp(*(applied.given[n] for n in self.nondiff), primals, tangents)
            return self._checked(result, applied)

        def backward(_: None, cotangents: Sequence[Tensor]) -> list[Tensor]:
            dots = [_zeros(i) for i in applied.inputs]
            total: list[Any] = [None] * len(dots)
            wanted = [n for n, d in enumerate(dots) if "float" in d.dtype]
            for made, head in zip(tangent(dots), cotangents, strict=True):
                if "float" in made.dtype:
                    read = {a for d in reachable([made]) for a in d.arrays}
                    among = [n for n in wanted if dots[n].array in read]  # of the others it is no function
                    found = differentiate(_of_this_step(made), [dots[n] for n in among], head)
                    for n in among:
                        total[n] = found[dots[n]] if total[n] is None else total[n] + found[dots[n]]
            return total

        return CustomRule(
            applied.inputs, applied.outputs, lambda: None, backward, self.__name__, applied.labels, tangent
        )

    def _checked(self, result: Any, applied: Applied) -> list[Tensor]:
        """The leaves of the tangent that the user's rule returned.

        Raises:
            DefinitionError: no pair, or another structure or other shapes than the output has.
            DTypeError: tangents of another type than the output.
        """
        what = f"custom_jvp {self.__name__!r}: the rule"
        if not isinstance(result, tuple | list) or len(result) != 2:
            raise DefinitionError(f"{what} returns a pair (output, tangent of the output)")
        leaves, structure = flatten(taken_apart(result[1]))
        found = [as_tensor(x, f"{what}'s tangent") for x in leaves]
        if structure != applied.structure or [t.shape_affine for t in found] != [
            t.shape_affine for t in applied.outputs
        ]:
            raise DefinitionError(
                f"{what}'s tangent has another structure or other shapes than the output: shapes "
                f"{', '.join(str(t.shape) for t in found)} for "
                f"{', '.join(str(t.shape_affine) for t in applied.outputs)}"
            )
        for t, out in zip(found, applied.outputs, strict=True):
            if "float" in out.dtype and "float" not in t.dtype and not t.weak:
                raise DTypeError(f"{what}'s tangent is of type {t.dtype}, the output of {out.dtype}")
        return found


def _zeros(t: TensorBase) -> Tensor:
    """Zeros of the shape of a tensor, of this step of the scans that are being traced."""
    shape = tuple(IndexExpr(e, t.size_symbols()) for e in t.shape_affine)
    return define(shape, lambda *_: Number(0), "zeros", t.dtype, along=OPEN_SCANS.get())


def _of_this_step(t: Tensor) -> Tensor:
    shape = tuple(IndexExpr(e, t.size_symbols()) for e in t.shape_affine)
    return define(shape, lambda *i: t.element(i), t.name, t.dtype, along=OPEN_SCANS.get())


def custom_jvp(fun: Callable[..., Any], nondiff_argnums: Sequence[int] = ()) -> CustomJvp:
    """Give a function a derivative of your own for both modes, as `jax.custom_jvp`.

    Equation: output_dot = rule(primals, tangents), linear in the tangents; reverse mode uses its transpose.

    Args:
        fun: a function of pytrees of tensors.
        nondiff_argnums: positions of arguments that are passed on as they are (flags, functions); first for the rule.

    Raises:
        DefinitionError: when it is called without a rule; when a derivative is taken and the rule returns no pair, or
            a tangent of another structure or shape than the output.

    Example:
        >>> log1pexp = pa.custom_jvp(lambda x: pa.log(1 + pa.exp(x)))
        >>> log1pexp.defjvps(lambda x_dot, y, x: (1 - 1 / (1 + pa.exp(x))) * x_dot)
        >>> pa.grad(log1pexp)(np.array(0.0))
        array(0.5)
    """
    return CustomJvp(fun, nondiff_argnums)
