"""Derivatives of the user's own, as a derivative is taken: `custom_vjp`, `custom_jvp`, `manual=` of `differentiate`."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from polyad import islx
from polyad.ad.overrides import Override
from polyad.errors import NotDifferentiableError, ShapeError
from polyad.frontend.constants import as_tensor
from polyad.frontend.definition import CustomRule, Definition, TensorBase, made_in_all
from polyad.frontend.extract import reachable
from polyad.frontend.scalar import Element, IndexExpr, Number
from polyad.frontend.symbols import Axis, fresh
from polyad.frontend.tensor import Tensor, define, opened
from polyad.ir.align import align_statement
from polyad.ir.array import Array
from polyad.ir.program import Program

__all__ = ["Overrides", "ReverseOnlyError", "overrides_of", "refuse_forward", "rules_among", "tangent_overrides_of"]


@dataclass(frozen=True, slots=True)
class _Rule:
    """inp_bar += result(head), in place of differentiating how `out` reads `inp`; forward out_dot += result(head).

    Attributes:
        out: the tensor whose derivative is given.
        inp: the tensor it is given for.
        head: stand-in for the adjoint of `out`, forward for the tangent of `inp`.
        result: the contribution, of the shape of `inp`, forward of `out`.
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
        """The tensors that the derivative program must contain besides its outputs."""
        return [t for rule in self.rules for t in (rule.inp, *rule.split()[1])]

    @property
    def lost(self) -> str:
        """A custom function that a rule applies to its cotangent: its own rule gets lost in the derivative."""
        return next((d.custom.name for rule in self.rules for d in rule.split()[0] if d.custom is not None), "")

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


def _stand_in(t: TensorBase, suffix: str) -> Tensor:
    """A placeholder for the derivative of a tensor."""
    key = fresh(f"{t.name}_{suffix}")
    array = t.definition.arrays[t.array]
    own = Definition({key: Array(key, array.shape, array.dtype)}, (), (), t.definition.symbols)
    return Tensor(own, key, t.shape_affine, t.dtype, t.prefix, t.symbols)


class ReverseOnlyError(NotDifferentiableError):
    """Forward mode meets a function with a rule for reverse mode."""


def overrides_of(
    outputs: Sequence[Tensor], manual: Mapping[tuple[Tensor, Tensor], Callable[..., Any]], needed: Collection[str]
) -> Overrides:
    """Collect custom rules among the definitions of the outputs, and the manual ones.

    Args:
        outputs: what is differentiated.
        manual: (out, inp) -> fn(out, inp, head).
        needed: the arrays between the variables and the outputs; definitions hold others besides.

    Raises:
        NotDifferentiableError: the rule of a function that a rule applies to its cotangent is not known any more.
    """
    rules: list[_Rule] = []
    cut: set[str] = set()
    for rule in rules_among(reachable(outputs), needed):
        cut |= {o.array for o in rule.outputs}
        axes = rule.outputs[0].scan_axes()
        with opened(*axes):
            kept = _residuals(rule, axes)
            for n, out in enumerate(rule.outputs):
                if out.array not in needed:  # f(x)[0]: nobody asks for the adjoint of the others
                    continue
                head = _stand_in(out, "bar")
                heads = [head if m == n else _zeros(o) for m, o in enumerate(rule.outputs)]
                what = [f"custom_vjp {rule.name!r}: bwd's cotangent of {label}" for label in rule.labels]
                rules += _rules(out, head, rule.inputs, rule.backward(kept, heads), what, axes)
    for (out, inp), fn in manual.items():
        head = _stand_in(out, "bar")
        with opened(*out.scan_axes()):
            rules += _rules(out, head, [inp], [fn(out, inp, head)], [f"manual: the cotangent of {inp.name}"], ())
    return Overrides(tuple(rules), frozenset(cut))


def rules_among(definitions: Sequence[Definition], needed: Collection[str]) -> list[CustomRule]:
    """The custom rules, each once, of definitions whose arrays are needed.

    Raises:
        NotDifferentiableError: see `overrides_of`.
    """
    found: dict[int, CustomRule] = {}
    for d in definitions:
        if d.lost and any(n in needed for n in d.arrays):
            raise NotDifferentiableError(
                f"a bwd calls custom_vjp function {d.lost!r} on its cotangent, and the derivative of that bwd is "
                f"wanted; write out what {d.lost} computes there"
            )
        if d.custom is not None and any(n in needed for n in d.arrays):
            found[id(d.custom)] = d.custom
    return list(found.values())


def refuse_forward(definitions: Sequence[Definition], between: Collection[str]) -> None:
    """Forward mode does not know the rules of `custom_vjp`.

    Args:
        definitions: those the program was made of.
        between: the arrays between the variables and the results.

    Raises:
        ReverseOnlyError: a function with such a rule lies between.
    """
    for rule in rules_among(definitions, between):
        if rule.tangent is None:
            raise ReverseOnlyError(
                f"forward mode (jvp, jacfwd, tangent) cannot differentiate {rule.name!r}: its custom_vjp rule is for "
                "reverse mode. Use pa.vjp, pa.grad or pa.jacrev, for second derivatives pa.jacrev(pa.grad(f)), and "
                "modes=('rev',) in pa.check_grads; pa.custom_jvp makes rules for both"
            )


def tangent_overrides_of(outputs: Sequence[Tensor], needed: Collection[str]) -> Overrides:
    """The rules of `custom_jvp` among the definitions of the outputs, for forward mode.

    Args:
        outputs: what tangents are taken of.
        needed: the arrays between the variables and the outputs.
    """
    rules: list[_Rule] = []
    cut: set[str] = set()
    for rule in rules_among(reachable(outputs), needed):
        if rule.tangent is None:
            continue
        cut |= {o.array for o in rule.outputs}
        axes = rule.outputs[0].scan_axes()
        with opened(*axes):
            for n, inp in enumerate(rule.inputs):
                if "float" not in inp.dtype:
                    continue
                head = _stand_in(inp, "dot")
                found = rule.tangent([head if m == n else _zeros(i) for m, i in enumerate(rule.inputs)])
                for out, t in zip(rule.outputs, found, strict=True):
                    if "float" in out.dtype and any(head.array in d.arrays for d in reachable([t])):
                        rules += _given(out, inp, head, t, out, f"{out.name}_part", axes)
    return Overrides(tuple(rules), frozenset(cut))


def _residuals(rule: CustomRule, axes: Sequence[Axis]) -> Any:
    """The values that fwd keeps. In a checkpointed scan the backward pass computes them again, as all of the body."""
    before = [len(a.made) for a in axes]
    kept = rule.residuals()
    levels = next((found for o in rule.outputs for found in o.definition.recomputed.values()), ())
    if levels:
        new = [a.made[n:] for a, n in zip(axes, before, strict=True)]
        for definition in made_in_all(new):
            definition.recomputed = dict.fromkeys(definition.arrays, levels)
    return kept


def _zeros(t: TensorBase) -> Tensor:
    shape = tuple(IndexExpr(e, t.size_symbols()) for e in t.shape_affine)
    return define(shape, lambda *_: Number(0.0), "zeros", t.dtype)


def _rules(
    out: TensorBase,
    head: Tensor,
    inputs: Sequence[TensorBase],
    given: Sequence[Any],
    what: Sequence[str],
    along: Sequence[Axis],
) -> list[_Rule]:
    found: list[_Rule] = []
    for g, i, whose in zip(given, inputs, what, strict=True):
        if g is None or "float" not in i.dtype:
            continue
        t = as_tensor(g, whose)
        if t.shape_affine != i.shape_affine:
            expected = ", ".join(map(str, i.shape_affine)) + ("," if i.ndim == 1 else "")
            raise ShapeError(f"{whose} has shape {t.shape}, expected ({expected})")
        found += _given(out, i, head, t, i, f"{i.name}_part", along)
    return found


def _given(
    out: TensorBase, inp: TensorBase, head: Tensor, value: Tensor, like: TensorBase, hint: str, along: Sequence[Axis]
) -> list[_Rule]:
    """The rule that adds a value to the derivative of `like`; none where it does not depend on the head: it is zero."""
    result = define(value.shape, lambda *k: Element(value, tuple(k)), hint, like.dtype, along=along)
    return [_Rule(out, inp, head, result)] if any(d is head.definition for d in reachable([result])) else []
