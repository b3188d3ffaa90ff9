"""Derivatives of the user's own: `custom_vjp`, and `manual=` of `differentiate`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from polyad import islx
from polyad.ad.overrides import Override
from polyad.errors import DefinitionError, ShapeError
from polyad.frontend.constants import as_tensor
from polyad.frontend.definition import CustomRule, Definition, TensorBase
from polyad.frontend.extract import reachable
from polyad.frontend.pytrees import flatten, unflatten
from polyad.frontend.scalar import Element, IndexExpr, Number
from polyad.frontend.symbols import fresh
from polyad.frontend.tensor import Tensor, define, opened
from polyad.ir.align import align_statement
from polyad.ir.array import Array
from polyad.ir.program import Program

__all__ = ["CustomVjp", "custom_vjp", "overrides_of"]


class CustomVjp:
    """A function with a derivative rule of the user's own.

    With several outputs the rule is used for one cotangent at a time, so it has to be linear in them.

    `f(*args)` computes `fun(*args)`; its reverse-mode derivative is `bwd(residuals, cotangent) -> cotangents of args`,
    where `(output, residuals) = fwd(*args)`, set by `f.defvjp(fwd, bwd)` as in JAX.
    """

    def __init__(self, fun: Callable[..., Any]):
        self.fun = fun
        self.fwd: Callable[..., Any] | None = None
        self.bwd: Callable[..., Any] | None = None
        self.__name__ = getattr(fun, "__name__", "custom")
        self.__doc__ = fun.__doc__

    def defvjp(self, fwd: Callable[..., Any], bwd: Callable[..., Any]) -> None:
        """Set the rule.

        Args:
            fwd: args -> (output, residuals).
            bwd: (residuals, cotangent of the output) -> tuple of cotangents, one per argument.
        """
        self.fwd, self.bwd = fwd, bwd

    def __call__(self, *args: Any) -> Any:
        """The value of `fun(*args)`, with the rule attached."""
        if self.fwd is None or self.bwd is None:
            raise DefinitionError(
                f"custom_vjp function {self.__name__!r} has no rule: call {self.__name__}.defvjp(fwd, bwd)"
            )
        leaves, tree = flatten(list(args))
        inputs = [_copy(as_tensor(x, self.__name__), "given") for x in leaves]  # one array each, views included
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

        cut = [_copy(as_tensor(o, self.__name__), "custom") for o in out_leaves]
        rule = CustomRule(tuple(inputs), tuple(cut), backward)
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


def _copy(t: Tensor, suffix: str) -> Tensor:
    return define(t.shape, lambda *i: Element(t, tuple(i)), f"{t.name}_{suffix}", t.dtype)


def custom_vjp(fun: Callable[..., Any]) -> CustomVjp:
    """Give a function a reverse-mode derivative of your own, as `jax.custom_vjp`."""
    return CustomVjp(fun)


@dataclass(frozen=True, slots=True)
class _Rule:
    """inp_bar += result(head), in place of differentiating how `out` reads `inp`.

    Attributes:
        out: the tensor whose derivative is given.
        inp: the tensor it is given for.
        head: stand-in for the adjoint of `out`.
        result: the contribution, of the shape of `inp`.
    """

    out: TensorBase
    inp: TensorBase
    head: Tensor
    result: Tensor

    def split(self) -> tuple[list[Definition], list[TensorBase]]:
        """The definitions that compute the result from the head, and what they read besides."""
        order = reachable([self.result])
        own: list[Definition] = [self.head.definition]
        growing = True
        while growing:
            ids = {id(d) for d in own}
            more = [d for d in order if id(d) not in ids and any(id(o) in ids for o in d.operands)]
            growing = bool(more)
            own += more
        inside = {n for d in own for n in d.arrays}
        read = {r.array for d in own for s in d.statements for r in s.reads()} - inside
        around = [TensorBase(d, n, a.shape, a.dtype) for d in order for n, a in d.arrays.items() if n in read]
        return own, around


@dataclass(frozen=True, slots=True)
class Overrides:
    """All overrides that concern some outputs.

    Attributes:
        rules: derivatives given.
        cut: arrays whose definitions derivatives do not pass.
    """

    rules: tuple[_Rule, ...]
    cut: frozenset[str]

    @property
    def tensors(self) -> list[TensorBase]:
        """What the derivative program must contain besides its outputs."""
        return [t for rule in self.rules for t in (rule.inp, *rule.split()[1])]

    def build(self, program: Program) -> list[Override]:
        """The overrides in the words of `polyad.ad`."""
        space = islx.space(program.params, "", []).params()
        made = [Override(cut=self.cut)] if self.cut else []
        for rule in self.rules:
            own, _ = rule.split()
            statements = tuple(align_statement(s, space) for d in own for s in d.statements)
            arrays = {n: a for d in own for n, a in d.arrays.items()}
            made.append(
                Override(rule.out.array, rule.inp.array, statements, arrays, rule.head.array, rule.result.array)
            )
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
    cut: set[str] = set()
    seen: set[int] = set()
    for definition in reachable(outputs):
        rule = definition.custom
        if rule is None or id(rule) in seen:
            continue
        seen.add(id(rule))
        cut |= {o.array for o in rule.outputs}
        for n, out in enumerate(rule.outputs):
            head = _head_for(out)
            with opened(*out.scan_axes()):
                heads = [head if m == n else _zeros(o) for m, o in enumerate(rule.outputs)]
                rules += _rules(out, head, rule.inputs, rule.backward(*heads), "custom_vjp")
    for (out, inp), fn in manual.items():
        head = _head_for(out)
        with opened(*out.scan_axes()):
            rules += _rules(out, head, [inp], [fn(out, inp, head)], "manual")
    return Overrides(tuple(rules), frozenset(cut))


def _zeros(t: TensorBase) -> Tensor:
    shape = tuple(IndexExpr(e, t.size_symbols()) for e in t.shape_affine)
    return define(shape, lambda *_: Number(0.0), "zeros", t.dtype)


def _rules(out: TensorBase, head: Tensor, inputs: Sequence[TensorBase], given: Sequence[Any], what: str) -> list[_Rule]:
    found: list[_Rule] = []
    for g, i in zip(given, inputs, strict=True):
        if g is None:
            continue
        t = as_tensor(g, what)
        if t.shape_affine != i.shape_affine:
            raise ShapeError(
                f"{what}: the cotangent of {i.name} has shape {t.shape}, "
                f"expected ({', '.join(map(str, i.shape_affine))})"
            )
        result = define(t.shape, lambda *k, t=t: Element(t, tuple(k)), f"{i.name}_part", i.dtype)
        if any(d is head.definition for d in reachable([result])):  # what does not depend on the cotangent is zero
            found.append(_Rule(out, i, head, result))
    return found
