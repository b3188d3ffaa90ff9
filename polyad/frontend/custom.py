"""Derivatives of the user's own: `custom_vjp`, and `manual=` of `differentiate`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from polyad.ad.overrides import Override
from polyad.errors import DefinitionError, ShapeError
from polyad.frontend.constants import as_tensor
from polyad.frontend.definition import CustomRule, Definition, TensorBase
from polyad.frontend.extract import reachable
from polyad.frontend.pytrees import flatten, unflatten
from polyad.frontend.scalar import Element
from polyad.frontend.symbols import fresh
from polyad.frontend.tensor import Tensor, define
from polyad.ir.array import Array
from polyad.ir.program import Program

__all__ = ["CustomVjp", "custom_vjp", "overrides_of"]


class CustomVjp:
    """A function with a derivative rule of the user's own.

    `f(*args)` computes `fun(*args)`; its reverse-mode derivative is `bwd(residuals, cotangent) -> cotangents of args`, where
    `(output, residuals) = fwd(*args)`, set by `f.defvjp(fwd, bwd)` as in JAX.
    """

    def __init__(self, fun: Callable[..., Any]):
        self.fun = fun
        self.fwd: Callable[..., Any] | None = None
        self.bwd: Callable[..., Any] | None = None
        self.__name__ = getattr(fun, "__name__", "custom")
        self.__doc__ = fun.__doc__

    def defvjp(self, fwd: Callable[..., Any], bwd: Callable[..., Any]) -> None:
        """Set the rule: fwd(*args) -> (output, residuals), bwd(residuals, cotangent) -> tuple of cotangents, one per argument."""
        self.fwd, self.bwd = fwd, bwd

    def __call__(self, *args: Any) -> Any:
        if self.fwd is None or self.bwd is None:
            raise DefinitionError(f"custom_vjp function {self.__name__!r} has no rule: call {self.__name__}.defvjp(fwd, bwd)")
        leaves, tree = flatten(list(args))
        inputs = [as_tensor(x, self.__name__) for x in leaves]
        result = self.fwd(*unflatten(tree, list(inputs)))
        if not isinstance(result, tuple) or len(result) != 2:
            raise DefinitionError(f"custom_vjp {self.__name__!r}: fwd returns a pair (output, residuals)")
        output, residuals = result
        out_leaves, out_tree = flatten(output)
        bwd = self.bwd

        def backward(*cotangents: Tensor) -> list[Any]:
            given = bwd(residuals, unflatten(out_tree, list(cotangents)))
            if not isinstance(given, tuple) or len(given) != len(args):
                raise DefinitionError(
                    f"custom_vjp {self.__name__!r}: bwd returns a tuple of {len(args)} cotangents, one per argument"
                )
            return [leaf for arg, part in zip(args, given, strict=True) for leaf in _leaves_like(part, arg)]

        cut = [_boundary(as_tensor(o, self.__name__)) for o in out_leaves]
        rule = CustomRule(tuple(inputs), tuple(t.array for t in cut), backward)
        for t in cut:
            t.definition.custom = rule
            t.definition.operands = (*t.definition.operands, *(i.definition for i in inputs))
        return unflatten(out_tree, list(cut))


def _leaves_like(part: Any, arg: Any) -> list[Any]:
    leaves, _ = flatten(arg)
    if part is None:
        return [None] * len(leaves)
    given, _ = flatten(part)
    if len(given) != len(leaves):
        raise DefinitionError(f"custom_vjp: a cotangent has {len(given)} leaves, its argument {len(leaves)}")
    return given


def _boundary(t: Tensor) -> Tensor:
    """A copy that derivatives do not pass."""
    return define(t.shape, lambda *i: Element(t, tuple(i)), f"{t.name}_custom", t.dtype)


def custom_vjp(fun: Callable[..., Any]) -> CustomVjp:
    """Give a function a reverse-mode derivative of your own, as `jax.custom_vjp`."""
    return CustomVjp(fun)


@dataclass(frozen=True, slots=True)
class _Rule:
    """One override before the program is known: the placeholder heads and the tensors of the contributions."""

    outs: tuple[Tensor, ...]
    heads: tuple[Tensor, ...]
    inputs: tuple[TensorBase, ...]
    results: tuple[Tensor | None, ...]
    cut: bool


@dataclass(frozen=True, slots=True)
class Overrides:
    """All overrides that concern some outputs."""

    rules: tuple[_Rule, ...]

    @property
    def tensors(self) -> list[Tensor]:
        """What the derivative program must contain besides its outputs."""
        return [r for rule in self.rules for r in rule.results if r is not None]

    def build(self, program: Program) -> list[Override]:
        """The overrides in the words of `polyad.ad`."""
        made: list[Override] = []
        for rule in self.rules:
            heads = {h.array: o.array for h, o in zip(rule.heads, rule.outs, strict=True)}
            results = [
                (i.array, r.array) for i, r in zip(rule.inputs, rule.results, strict=True) if r is not None
            ]
            made.append(Override(heads, tuple(results), rule.cut))
        return made


def _head_for(t: TensorBase) -> Tensor:
    """A stand-in for the adjoint of a tensor."""
    key = fresh(f"{t.name}_bar")
    array = t.definition.arrays[t.array]
    own = Definition({key: Array(key, array.shape, array.dtype)}, (), (), t.definition.symbols)
    return Tensor(own, key, t.shape_affine, t.dtype, t.prefix, t.symbols)


def overrides_of(outputs: Sequence[Tensor], manual: Mapping[tuple[Tensor, Tensor], Callable[..., Any]]) -> Overrides:
    """Collect custom rules among the definitions of the outputs, and the manual ones."""
    rules: list[_Rule] = []
    seen: set[int] = set()
    for definition in reachable(outputs):
        rule = definition.custom
        if rule is None or id(rule) in seen:
            continue
        seen.add(id(rule))
        outs = tuple(_output(o, outputs) for o in rule.outputs)
        heads = tuple(_head_for(o) for o in outs)
        rules.append(_Rule(outs, heads, rule.inputs, _results(rule.backward(*heads), rule.inputs, "custom_vjp"), True))
    for (out, inp), fn in manual.items():
        head = _head_for(out)
        rules.append(_Rule((out,), (head,), (inp,), _results([fn(out, inp, head)], (inp,), "manual"), False))
    return Overrides(tuple(rules))


def _output(array: str, outputs: Sequence[Tensor]) -> Tensor:
    for d in reachable(outputs):
        if array in d.arrays:
            a = d.arrays[array]
            return Tensor(d, array, a.shape, a.dtype, (), d.symbols)
    raise DefinitionError("an output of a custom rule is not part of the program")


def _results(given: Sequence[Any], inputs: Sequence[TensorBase], what: str) -> tuple[Tensor | None, ...]:
    found: list[Tensor | None] = []
    for g, i in zip(given, inputs, strict=True):
        if g is None:
            found.append(None)
            continue
        t = as_tensor(g, what)
        if t.shape_affine != i.shape_affine:
            raise ShapeError(f"{what}: the cotangent of {i.name} has shape {t.shape}, expected ({', '.join(map(str, i.shape_affine))})")
        found.append(define(t.shape, lambda *k, t=t: Element(t, tuple(k)), f"{i.name}_part", i.dtype))
    return tuple(found)
