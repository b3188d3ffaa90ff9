"""Derivatives of tensors with respect to tensors: ordinary definitions that can be used like any other."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from polyad.ad.activity import active_arrays, differentiable_sources
from polyad.ad.derivative import Derivative
from polyad.ad.forward import tangent as forward
from polyad.ad.overrides import Override
from polyad.ad.rematerialise import rematerialise
from polyad.ad.reverse import reverse
from polyad.errors import DefinitionError, DTypeError, NotDifferentiableError, PolyadError, ShapeError, bounded_depth
from polyad.frontend.argument_checks import several
from polyad.frontend.batching.basis import of_unit_tensors
from polyad.frontend.constants import as_tensor
from polyad.frontend.custom import Overrides, overrides_of, refuse_forward, tangent_overrides_of
from polyad.frontend.definition import Definition, plain
from polyad.frontend.extract import Extraction, extract, reachable
from polyad.frontend.finish import retitle
from polyad.frontend.naming.local_names import look_at_names
from polyad.frontend.scalar import Element, IndexExpr, described
from polyad.frontend.symbols import fresh, merge_symbols
from polyad.frontend.tensor import Tensor, cast_tensor, define, user_line
from polyad.ir.affine import Affine
from polyad.ir.program import Program
from polyad.islx import LOCK
from polyad.transforms.rewrite.rename import rename

__all__ = ["Adjoints", "differentiate", "gradients", "jacobian_forward", "tangent"]

Manual = Mapping[tuple[Tensor, Tensor], Callable[..., Tensor]]


@dataclass(frozen=True, slots=True, eq=False)
class Adjoints(Mapping[Tensor, Tensor]):
    """Adjoints of a differentiated tensor.

    `adj[W]` is the derivative with respect to a tensor that was asked for; `adj.adjoints[t]` that of any tensor on the
    way.
    """

    wrt: Mapping[Tensor, Tensor]
    adjoints: Mapping[Tensor, Tensor]

    def __getitem__(self, key: Tensor) -> Tensor:
        try:
            return self.wrt[key]
        except KeyError:
            raise DefinitionError(
                f"{key!r} is not among the tensors that were differentiated with respect to"
            ) from None

    def __iter__(self) -> Iterator[Tensor]:
        return iter(self.wrt)

    def __len__(self) -> int:
        return len(self.wrt)


class _Intermediate(Mapping[Tensor, Tensor]):
    """Adjoints of all active arrays, looked up by the tensor that shows the array."""

    def __init__(self, view: Callable[[Tensor], Tensor], active: Mapping[str, str]):
        self.view, self.active = view, active

    def __getitem__(self, key: Tensor) -> Tensor:
        if key.array not in self.active:
            raise NotDifferentiableError(
                f"{key.name} does not lie between the differentiated tensor and the tensors asked for"
            )
        return self.view(key)

    def __iter__(self) -> Iterator[Tensor]:
        raise DefinitionError("adjoints are looked up by tensor: adjoints[t]; there is no list of them")

    def __len__(self) -> int:
        return len(self.active)


def _float(t: Tensor, what: str) -> None:
    if "float" not in t.dtype:
        raise NotDifferentiableError(
            f"{user_line()}: {what} {t.name} is of type {t.dtype}; derivatives need floating-point tensors "
            "(pa.cast converts)"
        )


def _is_whole(t: Tensor) -> bool:
    """Whether a tensor is exactly one array, in each step of the scans around."""
    steps = tuple(Affine.of(a.name) for a in t.scan_axes())
    return t.prefix == steps and t.definition.arrays[t.array].shape[len(t.prefix) :] == t.shape_affine


def _whole(t: Tensor) -> Tensor:
    """A tensor that is exactly one array: views (a final carry, the ys of a scan) are copied."""
    if _is_whole(t) and t.definition.statements:
        return t
    shape = tuple(IndexExpr(e, t.size_symbols()) for e in t.shape_affine)
    return define(shape, lambda *i: Element(t, tuple(i)), t.name, t.dtype)


def _in_steps_of(t: Tensor, like: Tensor) -> Tensor:
    """A tensor with elements for each step for which another one has them."""
    axes = like.scan_axes()
    same = t.scan_axes() == axes
    return t if same else define(t.shape, lambda *i: Element(t, tuple(i)), t.name, t.dtype, along=axes)


def adopt(made: Derivative, source: Extraction, directions: Sequence[Affine]) -> tuple[Definition, dict[str, str]]:
    """The statements a derivative added, as one definition with fresh names; and array name -> fresh name."""
    result = made.program
    old = {s.name for s in source.program.statements}
    added = [s for s in result.statements if s.name not in old]
    words = source.words
    arrays = {s.array: fresh(words(s.array)) for s in added if s.array not in source.program.arrays}
    statements = {s.name: arrays[s.array] if s.name == s.array else fresh(words(s.name)) for s in added}
    only = rename(
        Program(
            result.name,
            result.context,
            {n: result.arrays[n] for n in arrays},
            tuple(added),
            (),
            (),
            tuple(s for s in result.scans if all(k in arrays for k in s.states)),
        ),
        statements,
        arrays,
    )
    symbols = merge_symbols(*(d.symbols for d in source.definitions))
    definition = Definition(only.arrays, only.statements, source.definitions, symbols, user_line(), only.scans)
    if not directions:  # an adjoint looks like its array
        steps = {n: count for d in source.definitions for n, count in d.steps.items()}
        alike = (*made.adjoints.items(), *((a, copy) for copy, a in made.again.items()))
        definition.steps = {arrays[b]: steps[a] for a, b in alike if a in steps and b in arrays}
    return definition, arrays


def differentiate(
    output: Tensor, wrt: Sequence[Tensor] | Tensor, head: Any = None, manual: Manual | None = None
) -> Adjoints:
    """Reverse-mode derivatives of a tensor.

    Equation: adj[W][...] = sum_i head[i] * d output[i] / d W[...] (docs/mathematics.md). Without a head a scalar output
    is seeded with one; for any other output the result is the whole Jacobian, of shape output.shape + W.shape.

    Args:
        output: the tensor to differentiate.
        wrt: tensors to differentiate with respect to, inputs or intermediates.
        head: cotangent of the output, of its shape.
        manual: (out, inp) -> fn(out, inp, head): replaces the derivative of `out` with respect to its direct use of
            `inp`; fn returns the contribution to the adjoint of `inp`, of its shape, from the adjoint `head` of `out`.

    Returns:
        `Adjoints`: `adj[W]`, and `adj.adjoints[t]` for tensors on the way.

    Raises:
        NotDifferentiableError: an integer tensor is involved where a derivative is needed.
        ShapeError: head or a manual derivative has a wrong shape.
    """
    wanted = [wrt] if isinstance(wrt, Tensor) else list(wrt)
    for t in (output, *wanted):
        if not isinstance(t, Tensor):
            raise DTypeError(f"differentiate takes tensors, not {type(t).__name__}; for functions use pa.grad(fun)")
    _float(output, "output")
    for t in wanted:
        _float(t, "argument")
    look_at_names()
    with LOCK, bounded_depth(f"{user_line()}: the derivative"):
        _same_steps(output, wanted)
        target = _whole(output)
        seed = None if head is None else _whole(_in_steps_of(as_tensor(head, "head"), output))
        if seed is not None and seed.shape_affine != output.shape_affine:
            raise ShapeError(f"head has shape {seed.shape}, the differentiated tensor {output.shape}; they must agree")
        seeds = [seed] if seed is not None else []
        custom = overrides_of([target], manual or {}, _between([target], wanted, manual))
        source = extract([target, *seeds, *custom.tensors], None, "derivative", wanted)
        directions = target.shape_affine if head is None and target.ndim else ()
        overrides: Sequence[Override] = custom.build(source.program)
        try:
            result = reverse(
                source.program,
                {target.array: seed.array if seed is not None else None},
                list(dict.fromkeys(t.array for t in wanted)),
                overrides,
                directions,
            )
        except PolyadError as error:
            raise retitle(error, source.definitions) from None
        result = rematerialise(
            source.program, result, {a: levels for d in source.definitions for a, levels in d.recomputed.items()}
        )
        own, names = adopt(result, source, directions)
        own.lost = custom.lost

        def view(t: Tensor) -> Tensor:
            adjoint = result.adjoints[t.array]
            where, array = (own, names[adjoint]) if adjoint in names else _owner(source, adjoint)
            symbols = merge_symbols(t.symbols, target.size_symbols())
            if not directions:
                return _of_type(Tensor(where, array, t.shape_affine, where.arrays[array].dtype, t.prefix, symbols), t)
            if t.prefix:
                return _of_type(_jacobian_view(where, array, directions, t, symbols), t)
            full = Tensor(where, array, (*directions, *t.shape_affine), where.arrays[array].dtype, (), symbols)
            return _of_type(full, t)

        return Adjoints({t: view(t) for t in wanted}, _Intermediate(view, result.adjoints))


def _between(outputs: Sequence[Tensor], wrt: Iterable[Tensor], manual: Manual | None = None) -> Collection[str]:
    """The arrays between the variables and the outputs, where that matters: where there are rules of the user's."""
    definitions = reachable(outputs)
    if not manual and not any(d.custom is not None or d.lost for d in definitions):
        return ()
    found = {a: list(b) for a, b in differentiable_sources(extract(outputs, None, "needed").program).items()}
    rules = [d.custom for d in definitions if d.custom is not None]
    edges = [(out, inp) for rule in rules for out in rule.outputs for inp in rule.inputs] + list(manual or ())
    for out, inp in edges:  # a rule may pass on a derivative where the function has none
        found.setdefault(out.array, []).append(inp.array)
    return active_arrays(found, [t.array for t in wrt], [t.array for t in outputs])


def _owner(source: Extraction, array: str) -> tuple[Definition, str]:
    for d in source.definitions:
        if array in d.arrays:
            return d, array
    raise DefinitionError(f"array {plain(array)} has no definition")


def _of_type(derivative: Tensor, t: Tensor) -> Tensor:
    """A derivative in the type of its tensor, which may have fewer bits than it was added up with."""
    made: Tensor = derivative if derivative.dtype == t.dtype else cast_tensor(derivative, t.dtype)
    return made


def _jacobian_view(where: Definition, array: str, directions: Sequence[Affine], t: Tensor, symbols: Any) -> Tensor:
    """Jacobian with respect to a tensor that is a slice of its array."""
    full = Tensor(where, array, where.arrays[array].shape, where.arrays[array].dtype, (), symbols)
    shape = [IndexExpr(e, symbols) for e in (*directions, *t.shape_affine)]
    n = len(directions)
    prefix = [IndexExpr(p, t.symbols) for p in t.prefix]
    return define(shape, lambda *i: Element(full, (*i[:n], *prefix, *i[n:])), f"{t.name}_jacobian")


def _same_steps(output: Tensor, wanted: Sequence[Tensor]) -> None:
    """Inside the body of a scan, only tensors of the same step can be differentiated with respect to."""
    axes = [a.name for a in output.scan_axes()]
    for t in wanted:
        if [a.name for a in t.scan_axes()] != axes:
            raise NotDifferentiableError(
                f"{user_line()}: {output.name} and {t.name} belong to different levels of scans; inside the body of a "
                "scan differentiate with respect to tensors of the body, or take the derivative outside of the scan"
            )


def gradients(loss: Tensor, wrt: Sequence[Tensor] | Tensor, head: Any = None) -> Any:
    """The derivatives of a tensor as a list (one tensor for one)."""

    def found(head: Any) -> list[Tensor]:
        adjoints = differentiate(loss, wrt, head)
        return [adjoints[t] for t in ([wrt] if isinstance(wrt, Tensor) else wrt)]

    in_a_body = head is None and loss.ndim > 0 and bool(loss.scan_axes())
    made = of_unit_tensors(loss, found, in_front=True) if in_a_body else found(head)
    return made[0] if isinstance(wrt, Tensor) else made


def tangent(outputs: Any, tangents: Mapping[Tensor, Any]) -> Any:
    """Forward-mode derivatives of tensors.

    Equation: result[i] = sum over inputs W of sum_j d output[i] / d W[j] * W_dot[j].

    Args:
        outputs: a tensor or a sequence of tensors.
        tangents: input tensor -> its tangent, of its shape.

    Returns:
        The tangents of the outputs, one or a list as given.

    Raises:
        ShapeError: a tangent has another shape than its tensor.
    """
    single = isinstance(outputs, Tensor)
    targets = [outputs] if single else several(outputs, "tangent: the outputs")
    if not isinstance(tangents, Mapping):
        raise DTypeError(f"tangent: tangents map tensors to their tangents, {{x: x_dot}}, not {described(tangents)}")
    for t in (*targets, *tangents):
        if not isinstance(t, Tensor):
            raise DTypeError(f"tangent takes tensors, not {described(t)}; for functions use pa.jvp")
        _float(t, "tensor")
    look_at_names()
    with LOCK, bounded_depth(f"{user_line()}: the derivative"):
        whole = [_whole(t) for t in targets]
        dots = {t: _whole(_in_steps_of(as_tensor(d, f"the tangent of {t.name}"), t)) for t, d in tangents.items()}
        for t, d in dots.items():
            if t.shape_affine != d.shape_affine:
                raise ShapeError(f"the tangent of {t.name} has shape {d.shape}, the tensor {t.shape}; they must agree")
            if not _is_whole(t):
                raise DefinitionError(f"{t.name} is a slice of a scan; take tangents with respect to whole tensors")
        between = _between(whole, dots)
        custom = tangent_overrides_of(whole, between)
        source = extract([*whole, *dots.values(), *custom.tensors], None, "tangent", list(dots))
        result = _forward(source, {t.array: d.array for t, d in dots.items()}, whole, (), custom, between)
        found = [_tangent_view(result, source, t, ()) for t in whole]
        return found[0] if single else found


def jacobian_forward(outputs: Sequence[Tensor], wrt: Tensor) -> list[Tensor]:
    """Jacobians of several tensors with respect to one by forward mode, each of shape output.shape + wrt.shape."""
    _float(wrt, "argument")
    if wrt.scan_axes():
        return of_unit_tensors(wrt, lambda e: tangent(outputs, {wrt: e}), in_front=False)
    look_at_names()
    with LOCK, bounded_depth(f"{user_line()}: the derivative"):
        whole = [_whole(t) for t in outputs]
        between = _between(whole, [wrt])
        custom = tangent_overrides_of(whole, between)
        source = extract([*whole, *custom.tensors], None, "jacobian", [wrt])
        directions = wrt.shape_affine
        result = _forward(source, {wrt.array: None}, whole, directions, custom, between)
        made = [_tangent_view(result, source, t, directions) for t in whole]
        n = len(directions)
        jacobians = []
        for t, d in zip(whole, made, strict=True):
            shape = [*t.shape, *wrt.shape]
            jacobians.append(
                define(shape, lambda *i, d=d, k=t.ndim: Element(d, (*i[k:], *i[:k])), f"{t.name}_jacobian") if n else d
            )
        return jacobians


def _forward(
    source: Extraction,
    tangents: Mapping[str, str | None],
    whole: Sequence[Tensor],
    directions: Any,
    custom: Overrides,
    between: Collection[str],
) -> Any:
    overrides = custom.build(source.program)
    try:
        refuse_forward(source.definitions, between)
        result = forward(source.program, tangents, [t.array for t in whole], directions, overrides)
    except PolyadError as error:
        raise retitle(error, source.definitions) from None
    own, names = adopt(result, source, directions)
    own.lost = custom.lost
    return result, own, names


def _tangent_view(made: Any, source: Extraction, t: Tensor, directions: Sequence[Affine]) -> Tensor:
    result, own, names = made
    dot = result.adjoints[t.array]
    where, array = (own, names[dot]) if dot in names else _owner(source, dot)
    symbols = merge_symbols(t.symbols, own.symbols)
    return _of_type(
        Tensor(where, array, (*directions, *t.shape_affine), where.arrays[array].dtype, t.prefix, symbols), t
    )
